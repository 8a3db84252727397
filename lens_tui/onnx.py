"""A model directory: the token vectors of a text, made in this process, without any server.

The directory holds ``tokenizer.json`` and either ``model.onnx`` (also in ``onnx/``), which onnxruntime runs, or
``model.safetensors`` with ``config.json`` of a BERT-like model, which ``bert.py`` computes.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens_tui.errors import ModelUnfit
from lens_tui.types import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]
    Ids = NDArray[np.int64]

LONGEST = 512
"""Tokens of a sequence where the directory says nothing: what BERT was trained with."""

WEIGHTS = ("model.onnx", "onnx/model.onnx", "model.safetensors")
"""Files of weights, in the order in which they are looked for."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text's tokens, without the special ones."""

    ids: Sequence[int]
    spans: Sequence[Span]
    """What each covers of the text."""


class ModelDirectory:
    """A token-level embedder. Thread-safe: one sequence is computed at a time."""

    def __init__(self, directory: Path, longest: int | None = None) -> None:
        """Open a directory; its weights are loaded on first use.

        Args:
            directory: See the module.
            longest: Tokens of a sequence, the special ones counted; None for what the model was made for.

        Raises:
            ModelUnfit: A file is missing or damaged, or ``longest`` is more than the model can take.
        """
        self._directory = directory
        self._weights = self._found()
        self._tokenizer = self._opened_tokenizer()
        own = self._own_longest()
        if longest is not None and not 8 <= longest <= own:
            raise ModelUnfit(
                f"{directory} takes sequences of 8 to {own} tokens, not {longest}.", hint=f"Choose from 8 to {own}."
            )
        self.longest = longest or own
        """Tokens of a sequence at most, the special ones counted."""
        self._before, self._after = self._special()
        self._lock = threading.Lock()
        self._run: Callable[[Ids], Array] | None = None
        self._digest = ""

    @property
    def name(self) -> str:
        """The directory's name with the first digits of what its files hold: another model has another name."""
        if not self._digest:
            digest = hashlib.sha256()
            for file in (self._weights, self._directory / "tokenizer.json"):
                with file.open("rb") as opened:
                    digest.update(hashlib.file_digest(opened, "sha256").digest())
            self._digest = digest.hexdigest()[:12]
        return f"{self._directory.name}@{self._digest}"

    @property
    def dimensions(self) -> int:
        """Values in a vector; the model is loaded for it. Raises ModelUnfit."""
        return int(self.vectors(self.tokens("a").ids[:1]).shape[1])

    @property
    def room(self) -> int:
        """Tokens of a text that fit one sequence beside the special ones."""
        return self.longest - len(self._before) - len(self._after)

    def tokens(self, text: str) -> Tokens:
        """Cut a text of any length into the model's tokens."""
        # Lone surrogates cannot be given to it; each is one code point either way, so spans hold.
        clean = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        found = self._tokenizer.encode(clean, add_special_tokens=False)
        return Tokens(found.ids, found.offsets)

    def vectors(self, ids: Sequence[int]) -> "Array":
        """One vector a token of one sequence, shape (tokens, dimensions), as the model's last layer gives them.

        Raises:
            ModelUnfit: The weights cannot be loaded, or give no token vectors.
        """
        import numpy as np

        sequence = np.array([[*self._before, *ids, *self._after]], np.int64)
        with self._lock:
            if self._run is None:
                self._run = self._loaded()
            made = self._run(sequence)
        if made.ndim != 3 or made.shape[1] != sequence.shape[1]:
            raise self._unfit("gives no vector for each token")
        return made[0, len(self._before) : len(self._before) + len(ids)].astype(np.float32)

    def _found(self) -> Path:
        for name in ("tokenizer.json", *WEIGHTS):
            file = self._directory / name
            if name == "tokenizer.json" and not file.is_file():
                raise self._unfit("has no tokenizer.json")
            if name != "tokenizer.json" and file.is_file():
                return file
        raise self._unfit("has neither model.onnx nor model.safetensors")

    def _unfit(self, why: str) -> ModelUnfit:
        return ModelUnfit(
            f"{self._directory} {why}.",
            hint="Name a directory with tokenizer.json and model.onnx (or model.safetensors and config.json).",
        )

    def _json(self, name: str) -> dict[str, Any]:
        """A file of settings; empty where there is none or it is no JSON object."""
        try:
            read = json.loads((self._directory / name).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return read if isinstance(read, dict) else {}

    def _opened_tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        try:
            opened = Tokenizer.from_file(str(self._directory / "tokenizer.json"))
        except Exception as error:  # the library raises no other
            raise self._unfit(f"has a tokenizer.json that cannot be read ({error})") from error
        opened.no_truncation()
        opened.no_padding()
        return opened

    def _own_longest(self) -> int:
        config = self._json("config.json")
        known = [config.get("max_position_embeddings"), self._json("tokenizer_config.json").get("model_max_length")]
        lengths = [length for length in known if isinstance(length, int) and 8 <= length <= 1_000_000]
        # RoBERTa's positions begin behind its padding token.
        shift = 2 if "roberta" in str(config.get("model_type", "")) else 0
        return min([lengths[0] - shift if length is lengths[0] else length for length in lengths], default=LONGEST)

    def _special(self) -> tuple[list[int], list[int]]:
        """Ids that stand before and after every sequence."""
        bare = self._tokenizer.encode("a", add_special_tokens=False).ids
        whole = self._tokenizer.encode("a", add_special_tokens=True).ids
        for at in range(len(whole) - len(bare) + 1):
            if bare and whole[at : at + len(bare)] == bare:
                return whole[:at], whole[at + len(bare) :]
        return [], []

    def _loaded(self) -> "Callable[[Ids], Array]":
        if self._weights.suffix == ".safetensors":
            from lens_tui.bert import load_bert

            try:
                return load_bert(self._weights, self._json("config.json"))
            except (KeyError, ValueError, TypeError, OSError) as error:
                raise self._unfit(f"holds no BERT-like model that can be computed ({error})") from error
        return self._session()

    def _session(self) -> "Callable[[Ids], Array]":
        import numpy as np
        import onnxruntime

        try:
            session = onnxruntime.InferenceSession(str(self._weights), providers=["CPUExecutionProvider"])
        except Exception as error:  # the library's own errors share no other base
            raise self._unfit(f"has a model that onnxruntime cannot load ({error})") from error
        wanted = {each.name for each in session.get_inputs()}
        outputs = [each.name for each in session.get_outputs() if each.shape is not None and len(each.shape) == 3]
        if not outputs or not wanted <= {"input_ids", "attention_mask", "token_type_ids", "position_ids"}:
            raise self._unfit("has a model that is no embedder of tokens")
        output = next((name for name in outputs if name in ("last_hidden_state", "token_embeddings")), outputs[0])

        def run(ids: "Ids") -> "Array":
            given = {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "token_type_ids": np.zeros_like(ids),
                "position_ids": np.arange(ids.shape[1], dtype=np.int64)[None, :],
            }
            return np.asarray(session.run([output], {name: given[name] for name in wanted})[0], np.float32)

        return run
