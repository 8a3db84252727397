"""Which model answers and which one embeds, and why (product.md, 'Settings')."""

from collections.abc import Sequence

from lens_tui.errors import ModelError, ModelUnfit
from lens_tui.ollama import faults
from lens_tui.ollama.server import OllamaServer, full_name
from lens_tui.types import ModelChoice, ModelInfo

NO_MODEL = "none"
"""The name that stands for no chat model: answers are quoted."""

BUILTIN = "builtin"
"""The name that stands for the built-in vectors."""

CHAT, EMBED = "completion", "embedding"
"""What ``/api/show`` calls the two abilities."""

EMBEDDER = "ollama/"
"""How the name of an embedder on Ollama begins."""

DIGEST = 12
"""Characters of a model's digest in its embedder's name: a model pulled anew under the same name has another."""

SERVE = "ollama serve"
PULL_CHAT = "ollama pull qwen3:4b"
"""A model that answers on 8 GB of memory and cites."""
PULL_EMBED = "ollama pull embeddinggemma"
"""A small model (0.6 GB) that knows over a hundred languages."""


def choose_chat(server: OllamaServer, *, wanted: str | None, remembered: str | None) -> ModelChoice:
    """Choose the chat model: the one wanted, else the folder's last, else one that is loaded, else the first that can.

    Args:
        server: Where to look.
        wanted: By flag or setting; ``none`` quotes; None or empty leaves the choice.
        remembered: The folder's last one; where it is gone, the choice goes on as if there were none.

    Raises:
        ModelMissing: The server does not have the wanted one.
        ModelUnfit: It has it, and it cannot answer.
        ModelError: One was wanted, and the server cannot be asked.
    """
    if _same(wanted, NO_MODEL):
        return ModelChoice(None, "No model, as was chosen: answers are quoted from your files.", server.address)
    if not wanted and _same(remembered, NO_MODEL):
        return ModelChoice(None, "No model, as was chosen last time: answers are quoted.", server.address)
    return _choose(server, CHAT, wanted, remembered, pull=PULL_CHAT)


def choose_embedder(server: OllamaServer, *, wanted: str, remembered: str | None) -> ModelChoice:
    """Choose the embedding model by the same rule; ``builtin`` names the built-in vectors. Raises alike.

    ``remembered`` may be a model's name or an embedder's (``embedder_name``).
    """
    remembered = model_of(remembered) if remembered else remembered
    if _same(wanted, BUILTIN):
        return ModelChoice(None, "The built-in vectors, as was chosen.", server.address)
    if not wanted and _same(remembered, BUILTIN):
        return ModelChoice(None, "The built-in vectors, as this folder's index has them.", server.address)
    return _choose(server, EMBED, wanted, remembered, pull=PULL_EMBED)


def embedder_name(info: ModelInfo, digest: str) -> str:
    """What vectors of this very model are kept under, such as ``ollama/all-minilm:latest@1b226e2802db``."""
    return f"{EMBEDDER}{info.name}@{digest[:DIGEST]}"


def model_of(embedder: str) -> str:
    """The model in an embedder's name; a model's own name is returned as it is."""
    if not embedder.startswith(EMBEDDER):
        return embedder
    return embedder.removeprefix(EMBEDDER).rpartition("@")[0]


def can(info: ModelInfo, ability: str) -> bool:
    """Whether a model can answer (``CHAT``) or embed (``EMBED``)."""
    return ability in info.capabilities


def unfit(info: ModelInfo, ability: str) -> ModelUnfit:
    """The refusal of a model that cannot do what it was asked for by name."""
    if ability == EMBED:
        return ModelUnfit(
            f"{info.name} answers and cannot embed: its vectors would mean nothing.",
            hint=f"Choose a model that embeds, or fetch one with: {PULL_EMBED}",
        )
    return ModelUnfit(
        f"{info.name} makes vectors and cannot answer.",
        hint=f"Choose a model that answers, or fetch one with: {PULL_CHAT}",
    )


def _choose(
    server: OllamaServer, ability: str, wanted: str | None, remembered: str | None, *, pull: str
) -> ModelChoice:
    named = (wanted or "").strip()
    try:
        models = server.models()
    except ModelError as error:
        if named:
            raise
        return ModelChoice(None, error.message, server.address, hint=_commands(error, server, f"{SERVE}\n{pull}"))
    if named:
        info = _named(models, named)
        if info is None:
            raise faults.missing(named)
        if not can(info, ability):
            raise unfit(info, ability)
        return _chosen(info, "as was asked for", server)
    fit = [info for info in models if can(info, ability)]
    if not fit:
        does = "answers" if ability == CHAT else "embeds"
        return ModelChoice(
            None, f"Ollama at {server.address} has no model that {does}.", server.address, hint=pull, reachable=True
        )
    last = _named(fit, remembered) if remembered else None
    if last is not None:
        return _chosen(last, "as last time in this folder", server)
    for info in fit:
        if info.loaded:
            return _chosen(info, "because it is loaded already", server)
    does = "answers" if ability == CHAT else "embeds"
    return _chosen(fit[0], f"the first on the server's list that {does}", server)


def _chosen(info: ModelInfo, why: str, server: OllamaServer) -> ModelChoice:
    return ModelChoice(info.name, f"{faults.quoted(info.name)}, {why}.", server.address, reachable=True, info=info)


def _commands(error: ModelError, server: OllamaServer, start: str) -> str:
    """The commands where nothing answers on this machine; else the error's own step."""
    nothing = error.message == faults.unreachable(server.address).message
    return start if nothing and server.local else error.hint


def _named(models: Sequence[ModelInfo], name: str) -> ModelInfo | None:
    return next((info for info in models if full_name(info.name) == full_name(name)), None)


def _same(name: str | None, special: str) -> bool:
    return (name or "").strip().lower() == special
