"""Everything that can go wrong, as one tree.

Each error is one sentence for a person (``message``), what to do next (``hint``) and the process's exit code::

    LensError                    1  failed
    ├── UsageError               2  wrong usage, settings or values
    │   ├── SettingsError           a settings file, variable or flag that cannot be used
    │   └── FolderError             no such folder, or a file in its place
    ├── NothingFound             4  no hits; a folder with nothing to read
    ├── CheckFailed              5  a check that was asked for did not hold (--fail-on)
    ├── Stopped                130  stopped by the person
    ├── FolderUnreadable         1  the folder is there and cannot be read
    ├── FileUnreadable           1  one file cannot be read (indexing goes on without it)
    ├── StoreError               1  the index cannot be opened or written
    ├── ChunkingError            1  a text cannot be cut as asked
    │   ├── ChunkingValueError   2  a strategy or an option that there is not, or a value out of its bounds
    │   ├── TokenizerError          the vocabulary cannot be had or used
    │   ├── ChunkEmbeddingError     the vectors that decide where to cut cannot be had
    │   └── ChunkModelError         a note or a summary cannot be written
    ├── EngineError              1  the engine process cannot be started or reached
    └── ModelError               1  anything that a model's server did
        ├── ModelUnreachable        nothing answers at its address
        ├── ModelMissing            the server does not have this model
        ├── ModelUnfit              it has it, but it cannot do what was asked
        ├── ModelOutOfMemory        the machine cannot hold it
        ├── ModelSlow               silence for longer than allowed
        ├── ModelGarbled            an answer that is not what the protocol says
        ├── PromptTooLong           the input does not fit the context
        └── AnswerCutShort          the stream stopped before the model had finished
"""


class LensError(Exception):
    """A failure that a person can read: ``message`` is one sentence, ``hint`` the next step."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        """Keep the sentence and the step; ``str(error)`` is the sentence alone."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(LensError):
    """A command, option or value that cannot be used."""

    exit_code = 2


class SettingsError(UsageError):
    """A setting that is unknown, of the wrong type or out of its bounds."""


class FolderError(UsageError):
    """No folder at the path that was named."""


class NothingFound(LensError):
    """Nothing to show: no hits, or nothing in the folder that can be read."""

    exit_code = 4


class CheckFailed(LensError):
    """A check that was asked for did not hold."""

    exit_code = 5


class Stopped(LensError):
    """The person stopped it."""

    exit_code = 130


class FolderUnreadable(LensError):
    """The folder exists and cannot be read."""


class FileUnreadable(LensError):
    """One file cannot be read; the others can."""


class StoreError(LensError):
    """The index cannot be opened, read or written."""


class ChunkingError(LensError):
    """A text cannot be cut as asked."""


class ChunkingValueError(ChunkingError):
    """A strategy or an option that there is not, or a value out of its bounds; the message names the range."""

    exit_code = 2


class TokenizerError(ChunkingError):
    """The vocabulary cannot be had or used."""


class ChunkEmbeddingError(ChunkingError):
    """The vectors that decide where to cut cannot be had; the cause says why."""


class ChunkModelError(ChunkingError):
    """A note or a summary cannot be written by the model; the cause says why."""


class EngineError(LensError):
    """The engine process cannot be started or reached, or broke off."""


class ModelError(LensError):
    """Anything that a model's server did or did not do."""


class ModelUnreachable(ModelError):
    """Nothing answers at the server's address."""


class ModelMissing(ModelError):
    """The server does not have the model."""


class ModelUnfit(ModelError):
    """The model cannot do what was asked, by its capabilities or the server's word."""


class ModelOutOfMemory(ModelError):
    """The server's machine cannot hold the model."""


class ModelSlow(ModelError):
    """No byte came for longer than allowed."""


class ModelGarbled(ModelError):
    """The server answered something that is not what its protocol says."""


class PromptTooLong(ModelError):
    """The input does not fit the model's context."""


class AnswerCutShort(ModelError):
    """The stream stopped before the model had finished."""
