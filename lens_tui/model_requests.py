"""What a face may ask about models: which there are, to use another one, to have one fetched."""

from dataclasses import dataclass
from typing import Literal

from lens_tui.types import ModelChoice, ModelInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Ask the server what it has. Replies: ModelList."""

    request: Literal["models"] = "models"
    host: str = ""
    model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseModel:
    """Answer with this model in this folder from now on, for whoever names none. Replies: ModelList."""

    request: Literal["choose_model"] = "choose_model"
    model: str
    """``none`` quotes."""
    host: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullModel:
    """Have the server fetch a model: the person was asked. Replies: Pulling…, ModelList.

    Cancelled, the connection is closed and the server stops; the same request goes on where it was.
    """

    request: Literal["pull_model"] = "pull_model"
    model: str
    host: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelList:
    """What the server has, and what would be used."""

    event: Literal["models"] = "models"
    address: str
    reachable: bool
    models: tuple[ModelInfo, ...] = ()
    chat: ModelChoice
    embedder: ModelChoice
    """What the folder's index is made with."""
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulling:
    """How far a model is fetched: a snapshot."""

    event: Literal["pulling"] = "pulling"
    model: str
    step: str = ""
    """What the server says it does, such as ``verifying sha256 digest``."""
    done: int = 0
    """Bytes that the server has, of those known so far."""
    total: int = 0
    rate: float = 0.0
    """Bytes a second, over the last seconds."""
