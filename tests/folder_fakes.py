"""A folder and an index in memory, obeying the protocols: what the indexer and the engine's jobs are tested on."""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lens_tui.errors import FileUnreadable, FolderUnreadable
from lens_tui.files.scan import Found, Scan
from lens_tui.protocols import Cancel
from lens_tui.types import (
    UNTRUSTED,
    Chunk,
    Cut,
    Document,
    FileNote,
    FileRecord,
    FileRow,
    Place,
    Query,
    Recipe,
    Retrieved,
)


class Disk:
    """A folder in memory: scanner and reader in one."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[str, int]] = {}
        self.left_out: list[FileNote] = []
        self.failed: list[FileNote] = []
        self.gone = False
        self.reads: list[str] = []

    def write(self, path: str, text: str, mtime: int = 1) -> None:
        self.files[path] = (text, mtime)

    def scan(self, cancel: object = None) -> Scan:
        if self.gone:
            raise FolderUnreadable("The folder is gone.")
        return Scan(
            {p: Found(p, len(t), m, 1) for p, (t, m) in self.files.items()}, tuple(self.left_out), tuple(self.failed)
        )

    def look(self, path: str) -> Scan:
        seen = self.scan()
        inside = {p: f for p, f in seen.found.items() if p == path or p.startswith(path + "/")}
        return Scan(inside, tuple(n for n in seen.left_out if n.path == path))

    def is_rule_file(self, path: str) -> bool:
        return path.endswith(".gitignore")

    def read(self, found: Found) -> Document | FileNote:
        self.reads.append(found.path)
        text, mtime = self.files[found.path]
        if text == "BINARY":
            return FileNote(found.path, "binary")
        if text.startswith("ODD"):
            return Document(found.path, text, text, size=len(text), mtime_ns=mtime, inode=1, warnings=("It is odd.",))
        if text == "BROKEN":
            raise FileUnreadable("It cannot be read.")
        checksum = hashlib.sha256(text.encode()).hexdigest()
        return Document(found.path, text, checksum, size=len(text), mtime_ns=mtime, inode=1)


class OneChunk:
    strategy = "paragraph"

    def __init__(self, *warnings: str) -> None:
        self.warnings = warnings

    def told(self, document: Document) -> str:
        return "paragraph 220/40"

    def chunk(self, document: Document) -> Cut:
        chunk = Chunk(document.path, document.checksum, 0, 0, len(document.text), document.text, (1, 1), 1)
        return Cut((chunk,), self.warnings)


@dataclass
class Shelf:
    """What is indexed, in memory: a SearchBackend that finds nothing."""

    records: dict[str, FileRecord] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    chunks: dict[str, Sequence[Chunk]] = field(default_factory=dict)
    vectors: set[str] = field(default_factory=set)
    embed_error: Exception | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def search(self, query: Query, limit: int) -> Retrieved:
        return Retrieved((), query.retriever)

    def related(self, place: Place, limit: int) -> Retrieved:
        return Retrieved((), "vector")

    def chunks_of(self, path: str) -> list[Chunk]:
        return list(self.chunks.get(path, ()))

    def without_note(self) -> dict[str, int]:
        bare = {path: sum(not chunk.contextualized for chunk in chunks) for path, chunks in self.chunks.items()}
        return {path: count for path, count in sorted(bare.items()) if count}

    def counts(self) -> tuple[int, int, int, int]:
        chunks = len(self.records)
        done = len(self.vectors & set(self.records))
        return chunks, chunks, done, chunks - done

    def embed_next(self, cancel: Cancel) -> int:
        if self.embed_error is not None:
            raise self.embed_error
        for path in sorted(set(self.records) - self.vectors):
            self.vectors.add(path)
            return 1
        return 0

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def indexed(self) -> dict[str, FileRecord]:
        return dict(self.records)

    def replace(self, document: Document, chunks: Sequence[Chunk]) -> None:
        self.records[document.path] = FileRecord(
            document.path,
            document.checksum,
            document.size,
            document.mtime_ns,
            document.inode,
            len(chunks),
            document.warnings,
        )
        self.texts[document.path] = document.text
        self.chunks[document.path] = chunks

    def distrust(self, recipe: Recipe | None = None) -> None:
        self.records = {path: replace(record, mtime_ns=UNTRUSTED) for path, record in self.records.items()}

    def touch(self, record: FileRecord) -> None:
        self.records[record.path] = record

    def forget(self, path: str) -> None:
        self.records.pop(path, None)
        self.texts.pop(path, None)
        self.chunks.pop(path, None)


class Rows(dict[str, FileRow]):
    def put(self, row: FileRow) -> None:
        self[row.path] = row

    def drop(self, path: str) -> None:
        self.pop(path, None)
