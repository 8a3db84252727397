"""``folder.json``: which folder an index belongs to, when it was last used, and the folder's own choices."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

from lens_tui.errors import StoreError


class FolderFile:
    """Reads and replaces the file whole, from any thread.

    A missing or broken file counts as empty: nothing in it is irreplaceable.
    """

    def __init__(self, file: Path, folder: Path, clock: Callable[[], float]) -> None:
        """Read what is there; ``clock`` gives seconds since the epoch."""
        self._file = file
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._fields: dict[str, object] = {}
        try:
            read = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError):
            read = {}
        if isinstance(read, dict):
            self._fields = read

    @property
    def model(self) -> str | None:
        """The chat model that answered last."""
        value = self._fields.get("model")
        return value if isinstance(value, str) else None

    @property
    def embedder(self) -> str | None:
        """The embedding model that the index's vectors come from; None for the built-in one."""
        value = self._fields.get("embedder")
        return value if isinstance(value, str) else None

    @property
    def choices(self) -> dict[str, object]:
        """Settings that hold for this folder, key → value."""
        value = self._fields.get("choices")
        return value if isinstance(value, dict) else {}

    @property
    def made_of(self) -> dict[str, object]:
        """What the settings were that the index depends on when it was last opened or cut, key → value."""
        value = self._fields.get("made_of")
        return value if isinstance(value, dict) else {}

    def keep(self, **fields: object) -> None:
        """Merge fields and write the file anew. Raises StoreError where it cannot be written."""
        with self._lock:
            self._fields |= {"folder": str(self._folder), "last_used": self._clock(), **fields}
            draft = self._file.with_suffix(".new")
            try:
                draft.write_text(json.dumps(self._fields, ensure_ascii=False, indent=1), "utf-8")
                draft.replace(self._file)
            except OSError as error:
                raise StoreError(
                    f"{self._file} cannot be written: {error.strerror}.",
                    hint="Free some space, or mend its permissions.",
                ) from error


def read_folder_file(data: Path) -> FolderFile:
    """What is kept with the index in a directory now, for whoever only reads it."""
    return FolderFile(data / "folder.json", data, lambda: 0.0)
