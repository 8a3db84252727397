"""What is kept for the person, whatever folder is open: the theme that was picked. Settings stand over it."""

import json
from pathlib import Path


class Person:
    """One small file beside the indexes; a missing or broken one counts as empty."""

    def __init__(self, file: Path) -> None:
        """Read what is there."""
        self._file = file
        try:
            read = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            read = {}
        self._fields: dict[str, object] = read if isinstance(read, dict) else {}

    @property
    def theme(self) -> str:
        """Name of the theme that was picked last; empty where none was."""
        value = self._fields.get("theme")
        return value if isinstance(value, str) else ""

    def keep(self, **fields: object) -> str:
        """Merge fields and write the file anew. Returns why it could not be, or an empty string."""
        self._fields |= fields
        draft = self._file.with_suffix(".new")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft.write_text(json.dumps(self._fields, ensure_ascii=False, indent=1), "utf-8")
            draft.replace(self._file)
        except OSError as error:
            return f"This is not kept: {self._file} cannot be written ({error.strerror})."
        return ""
