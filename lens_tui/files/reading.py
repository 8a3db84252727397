"""One file of the folder to a Document, never anything outside the folder."""

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from lens_tui.errors import FileUnreadable
from lens_tui.files.decoding import HEAD, is_binary
from lens_tui.files.loaders.code import CodeLoader
from lens_tui.files.loaders.csv import CsvLoader
from lens_tui.files.loaders.html import HtmlLoader
from lens_tui.files.loaders.json import JsonLoader
from lens_tui.files.loaders.markdown import MarkdownLoader
from lens_tui.files.loaders.notebook import NotebookLoader
from lens_tui.files.loaders.plain import PlainLoader
from lens_tui.files.scan import Found, Scanner, too_large
from lens_tui.protocols import Loader
from lens_tui.types import Document, FileNote

LOADERS: tuple[Loader, ...] = (
    MarkdownLoader(),
    NotebookLoader(),
    HtmlLoader(),
    JsonLoader(),
    CsvLoader(),
    CodeLoader(),
    PlainLoader(),
)
"""In the order in which they are asked."""

ATTEMPTS = 3
"""Times that a file is read which changes under the reader's hands."""

_LATER = {
    ".pdf": "PDF",
    ".docx": "DOCX",
    ".pptx": "PPTX",
    ".xlsx": "XLSX",
    ".doc": "DOC",
    ".ppt": "PPT",
    ".xls": "XLS",
    ".odt": "ODT",
    ".epub": "EPUB",
}
"""Documents that hold text which nothing here takes out of them yet."""

_NO_TEXT = {
    "image": ".png .jpg .jpeg .gif .webp .bmp .tif .tiff .ico .heic .avif .psd",
    "sound": ".mp3 .wav .flac .ogg .m4a .aac .opus",
    "film": ".mp4 .mkv .mov .avi .webm",
    "archive": ".zip .gz .bz2 .xz .zst .7z .rar .tar .tgz .jar .whl",
    "font": ".ttf .otf .woff .woff2",
}
_KIND_OF = {ending: kind for kind, endings in _NO_TEXT.items() for ending in endings.split()}


class Reader:
    """Reads the files of one folder."""

    def __init__(
        self,
        folder: Path,
        *,
        max_bytes: int | None = None,
        kind: Callable[[], str] = str,
        loaders: Sequence[Loader] = LOADERS,
    ) -> None:
        """Take what is read, and how.

        Args:
            folder: Its real path.
            max_bytes: The largest size; none by default.
            kind: What files are taken for now (see ``document_of``); empty lets each say it itself.
            loaders: The formats, in the order in which they are asked.
        """
        self._folder = folder
        self._max_bytes = max_bytes
        self._kind = kind
        self._loaders = tuple(loaders)

    def read(self, found: Found) -> Document | FileNote:
        """Read and decode one file. Returns a note where it holds no text.

        Raises:
            FileUnreadable: It is gone, may not be read, or is damaged.
        """
        kind = self._kind()
        data, seen, steady = self._bytes(found.path, kind)
        if isinstance(data, FileNote):
            return data
        document = document_of(found.path, data, kind=kind, loaders=self._loaders)
        if isinstance(document, FileNote):
            return document
        warnings = document.warnings if steady else (*document.warnings, "It changed while it was being read.")
        return replace(document, size=seen.st_size, mtime_ns=seen.st_mtime_ns, inode=seen.st_ino, warnings=warnings)

    def _bytes(self, path: str, kind: str) -> tuple[bytes | FileNote, os.stat_result, bool]:
        """A file's content, its state, and whether it held still meanwhile."""
        for attempt in range(ATTEMPTS):
            with self._opened(path) as descriptor:
                before = os.fstat(descriptor)
                if not stat.S_ISREG(before.st_mode):
                    return FileNote(path, "not a file"), before, True
                if self._max_bytes is not None and before.st_size > self._max_bytes:
                    return FileNote(path, too_large(before.st_size, self._max_bytes)), before, True
                with os.fdopen(os.dup(descriptor), "rb") as file:
                    data = file.read(HEAD)
                    if _loader_of(path, data, kind, self._loaders) is None:
                        return FileNote(path, _why_not(path, data)), before, True
                    data += file.read()
                after = os.fstat(descriptor)
            steady = (
                (before.st_size, before.st_mtime_ns)
                == (after.st_size, after.st_mtime_ns)
                == (
                    len(data),
                    after.st_mtime_ns,
                )
            )
            if steady or attempt == ATTEMPTS - 1:
                return data, after, steady
        raise AssertionError("unreachable")

    @contextmanager
    def _opened(self, path: str) -> Iterator[int]:
        """Open a file of the folder, following no symbolic link on the way to it."""
        try:
            descriptor = self._open(path)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                reason = "a symbolic link stands in its path"
            elif error.errno == errno.ENOENT:
                reason = "it is gone"
            else:
                reason = error.strerror or str(error)
            raise FileUnreadable(f"{path} cannot be read: {reason}.", hint=_hint(error.errno)) from error
        try:
            yield descriptor
        except OSError as error:
            raise FileUnreadable(f"{path} cannot be read: {error.strerror}.", hint=_hint(error.errno)) from error
        finally:
            os.close(descriptor)

    def _open(self, path: str) -> int:
        parts = path.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in parts):
            raise OSError(errno.EINVAL, "its path leads out of the folder")
        no_link = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        # Without O_NONBLOCK, opening a named pipe that took the file's place would wait for ever.
        as_file = os.O_RDONLY | no_link | getattr(os, "O_NONBLOCK", 0)
        if os.open not in os.supports_dir_fd:
            place = self._folder.joinpath(*parts)
            if place.resolve() != place:
                raise OSError(errno.ELOOP, "a symbolic link stands in its path")
            return os.open(place, as_file)
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts[:-1]:
                below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | no_link, dir_fd=folder)
                os.close(folder)
                folder = below
            return os.open(parts[-1], as_file, dir_fd=folder)
        finally:
            os.close(folder)


def by_path(scanner: Scanner, reader: Reader) -> Callable[[str], Document]:
    """What reads one file by its path, as it is on the disk now; it raises FileUnreadable."""

    def read(path: str) -> Document:
        seen = scanner.look(path)
        found = seen.found.get(path)
        if found is None:
            reasons = [note.reason for note in seen.left_out if note.path == path]
            why = f"is left out: {reasons[0]}" if reasons else "is not in the folder"
            raise FileUnreadable(f"{path} {why}.", hint="Ask again, so that answers rest on what is there now.")
        document = reader.read(found)
        if isinstance(document, FileNote):
            raise FileUnreadable(f"{path} is left out: {document.reason}.", hint="Open it in another program.")
        return document

    return read


def document_of(path: str, data: bytes, *, kind: str = "", loaders: Sequence[Loader] = LOADERS) -> Document | FileNote:
    """Make a Document of a file's bytes, in the format of a ``kind`` where one is named, else in the first that fits.

    Returns a note where they hold no text.

    Raises:
        FileUnreadable: They are damaged.
    """
    head = data[:HEAD]
    loader = _loader_of(path, head, kind, loaders)
    if loader is None:
        return FileNote(path, _why_not(path, head))
    try:
        return loader.load(path, data)
    except FileUnreadable as error:
        raise FileUnreadable(f"{path} cannot be read: {error.message}", hint=error.hint) from error


def _loader_of(path: str, head: bytes, kind: str, loaders: Sequence[Loader]) -> Loader | None:
    """What reads a file that begins so; None where it holds no text."""
    named = [each for each in loaders if each.kind == kind and not is_binary(head)]
    fitting = [] if head.startswith(b"%PDF-") else [each for each in loaders if each.reads(path, head)]
    return next(iter([*named, *fitting]), None)


def _hint(number: int | None) -> str:
    if number in (errno.EACCES, errno.EPERM):
        return "Mend its permissions, then have it read again."
    return "Have it read again once it is back."


def _why_not(path: str, head: bytes) -> str:
    """Say in a few words why a file without a loader is left out."""
    ending = os.path.splitext(path)[1].lower()  # noqa: PTH122
    if head.startswith(b"%PDF-"):
        ending = ".pdf"
    if ending in _LATER:
        return f"{_LATER[ending]} is not read yet"
    return f"binary, {_KIND_OF[ending]}" if ending in _KIND_OF else "binary"
