"""The full-text index's files: tantivy, given terms that are already cut (its own analysers know no CJK).

A document with id 0 holds what the files were committed with, so that it cannot disagree with the rest of a commit.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import tantivy

from lens_tui.errors import StoreError
from lens_tui.index.filtering import Within
from lens_tui.index.fresh import FIELDS, WORDS, Entry, Words

NUMBERS = ("id", "first", "siblings")
"""What is kept of an entry as numbers."""

WRITER_BYTES = 15_000_000
"""The smallest heap that tantivy takes for a thread."""


REMEMBERED = 10_000
"""Terms whose number of chunks is kept until the next commit."""


class Damaged(Exception):
    """The files cannot be used; they are derived, so they are made anew."""


class Reading:
    """The files as of one commit. Safe from any thread."""

    def __init__(self, schema: Any, searcher: Any) -> None:
        """Take tantivy's own."""
        self._schema, self._searcher = schema, searcher
        self._state: Mapping[str, Any] | None = None
        self._holding: dict[tuple[int, str], int] = {}

    @property
    def documents(self) -> int:
        """Chunks in the files, those deleted left out."""
        return max(int(self._searcher.num_docs) - 1, 0)

    @property
    def segments(self) -> int:
        """Parts that the files are in; every search looks into each."""
        return int(self._searcher.num_segments)

    def holding(self, field: int, term: str) -> int:
        """Chunks whose field has the term; those deleted count until tantivy merges them away."""
        found = self._holding.get((field, term))
        if found is None:
            found = int(self._searcher.doc_freq(FIELDS[field], term))
            if len(self._holding) < REMEMBERED:
                self._holding[field, term] = found
        return found

    def beginning(self, field: int, start: str, limit: int) -> list[tuple[str, int]]:
        """(term, chunks that have it) of the field's commonest terms that begin so, commonest first. Raises Damaged."""
        with _damage():
            found = self._searcher.terms_with_prefix(FIELDS[field], start, limit=limit)
        return [(str(term), int(count)) for term, count in found]

    def terms(self) -> list[str]:
        """Every term of the texts, those of chunks deleted lately among them. Raises Damaged."""
        with _damage():
            return [str(term) for term, _ in self._searcher.terms_with_prefix(FIELDS[WORDS], "")]

    def search(
        self, wanted: Words, limit: int, within: Within | None = None, *, push_ids: bool = True
    ) -> list[tuple[int, tuple[float, int, int]]]:
        """(id, (BM25, first, siblings)) of the best chunks that pass ``within``, best first. Raises Damaged.

        Args:
            wanted: What is searched for.
            limit: How many.
            within: What a chunk must be and hold.
            push_ids: False leaves its ids unchecked.
        """
        with _damage():
            query = self._wanted(wanted)
            beside = self._beside(within, push_ids=push_ids) if within is not None else []
            if beside:
                query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), *beside])
            hits = self._searcher.search(query, limit, count=False).hits
            places = [address for _, address in hits]
            ids, firsts, siblings = (self._searcher.fast_field_values(name, places) for name in NUMBERS)
        found = zip((score for score, _ in hits), firsts, siblings, strict=True)
        return list(zip(ids, found, strict=True))

    def _wanted(self, wanted: Words) -> Any:
        parts: list[Any] = []
        for forms in wanted:
            if len(forms) == 1:
                parts.extend(self._term(*one) for one in forms[0])
            else:
                each = [_any_of([self._term(*one) for one in form]) for form in forms]
                parts.append(tantivy.Query.disjunction_max_query(each))
        return _any_of(parts)

    def _term(self, field: int, term: str, weight: float) -> Any:
        query = tantivy.Query.term_query(self._schema, FIELDS[field], term, "freq")
        return tantivy.Query.boost_query(query, weight) if weight != 1 else query

    def _beside(self, within: Within, *, push_ids: bool) -> list[tuple[Any, Any]]:
        """What a chunk must be and hold, without a say in its score."""
        found = []
        if push_ids and within.ids is not None:
            number = tantivy.FieldType.Integer
            spans = [
                tantivy.Query.range_query(self._schema, "id", number, first, last) for first, last in within.ids.spans
            ]
            found.append((tantivy.Occur.Must, tantivy.Query.const_score_query(_any_of(spans), 0.0)))
        for term in within.required:
            query = tantivy.Query.term_query(self._schema, FIELDS[WORDS], term, "basic")
            found.append((tantivy.Occur.Must, tantivy.Query.const_score_query(query, 0.0)))
        for term in within.excluded:
            query = tantivy.Query.term_query(self._schema, FIELDS[WORDS], term, "basic")
            found.append((tantivy.Occur.MustNot, query))
        return found

    def state(self) -> Mapping[str, Any]:
        """What the commit was made with; empty where it was never said. Raises Damaged."""
        if self._state is None:
            with _damage():
                query = tantivy.Query.term_query(self._schema, "id", 0)
                hits = self._searcher.search(query, 1, count=False).hits
                self._state = json.loads(self._searcher.doc(hits[0][1]).get_first("state")) if hits else {}
        return self._state


class Lexical:
    """The directory's one writer, and what it last committed."""

    def __init__(self, directory: Path) -> None:
        """Open or make the files.

        Raises:
            Damaged: They are there and cannot be used.
            StoreError: Another process writes to them, or the directory cannot be written.
        """
        self._directory = directory
        self._schema = _schema()
        self._writer: Any = None
        try:
            directory.mkdir(parents=True, exist_ok=True)
            probe = directory / ".writable"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise self._unwritable(error.strerror or str(error)) from error
        with _damage():
            self._index = tantivy.Index(self._schema, path=str(directory))
            self._index.config_reader(reload_policy="manual")
        self._take_writer()
        try:
            self._look()
        except Damaged:
            self.close()
            raise

    @staticmethod
    def remove(directory: Path) -> None:
        """Throw the files away."""
        shutil.rmtree(directory, ignore_errors=True)

    def write(self, entries: Iterable[Entry], gone: Sequence[int], state: Mapping[str, Any]) -> None:
        """Add chunks, delete others and commit; ``reading`` shows it on return.

        Other threads run meanwhile (tantivy lets go of Python's lock while it commits).

        Raises:
            Damaged: It failed, such as for want of space; nothing of it is in the files.
        """
        if self._writer is None:
            self._take_writer()
        try:
            with _damage():
                for id_ in (0, *gone):
                    self._writer.delete_documents_by_term("id", id_)
                for entry in entries:
                    self._writer.add_document(_document(entry))
                note = tantivy.Document()
                note.add_integer("id", 0)
                note.add_text("state", json.dumps(state))
                self._writer.add_document(note)
                self._writer.commit()
                self._look()
        except Damaged:
            self._writer = None
            raise

    def settle(self) -> None:
        """Wait for the merges that the last commit began; ``reading`` shows them on return. Raises Damaged."""
        self.close()
        self._take_writer()
        self._look()

    def close(self) -> None:
        """Let go of the directory's lock once merges have ended; what was not committed is dropped."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(Damaged), _damage():
                writer.wait_merging_threads()

    def _look(self) -> None:
        with _damage():
            self._index.reload()
            self.reading = Reading(self._schema, self._index.searcher())

    def _take_writer(self) -> None:
        try:
            with _damage():
                self._writer = self._index.writer(WRITER_BYTES, 1)
        except Damaged as error:
            if "LockBusy" in str(error):
                raise StoreError(
                    f"Another lens-tui holds the full-text index in {self._directory}.",
                    hint="Close every lens-tui on this folder and try again.",
                ) from error
            if any(word in str(error) for word in ("Permission", "Read-only", "No space")):
                raise self._unwritable(str(error)) from error
            raise

    def _unwritable(self, why: str) -> StoreError:
        return StoreError(
            f"The full-text index cannot be written in {self._directory}: {why}.",
            hint="Mend that directory's permissions or free some space, or set data_dir to another place.",
        )


def _any_of(queries: Sequence[Any]) -> Any:
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])


def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    # Not unsigned: tantivy 0.27 takes the number to delete for a signed one and then finds nothing, without a word.
    builder.add_integer_field("id", indexed=True, fast=True)
    builder.add_integer_field("first", fast=True)
    builder.add_integer_field("siblings", fast=True)
    builder.add_text_field("state", stored=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


def _document(entry: Entry) -> Any:
    document = tantivy.Document()
    for field, found in zip(FIELDS, entry.terms, strict=True):
        # Terms hold no white space, so joining and tantivy's cutting give them back as they are.
        document.add_text(field, " ".join(found))
    for name, number in zip(NUMBERS, (entry.id, entry.first, entry.siblings), strict=True):
        document.add_integer(name, number)
    return document


@contextmanager
def _damage() -> Iterator[None]:
    """Turn what tantivy throws, panics of its own among it, into Damaged."""
    try:
        yield
    except (ValueError, OSError, KeyError, TypeError) as error:
        raise Damaged(str(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Damaged(str(error)) from error
