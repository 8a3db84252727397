"""Passages near a place: by the vectors' measure, by shared words where there are none."""

from collections import Counter
from typing import TYPE_CHECKING

from lens_tui.errors import ModelError, NothingFound, UsageError
from lens_tui.index import ranking
from lens_tui.index.dense import Dense, DenseBroken
from lens_tui.index.fulltext import FullText
from lens_tui.index.ranking import Candidate
from lens_tui.index.store import Row, Store
from lens_tui.index.vectors import VectorShelf
from lens_tui.protocols import Embedder
from lens_tui.text.words import terms
from lens_tui.types import Place, Reason, Retrieved

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

COPY_COSINE = 0.98
"""From here on a passage is a copy, but for a word or a number."""

TELLING_WORDS = 24
"""Rarest words of a passage that are searched where there are no vectors."""


def related(
    place: Place,
    limit: int,
    store: Store,
    shelf: VectorShelf,
    dense: Dense | None,
    fulltext: FullText,
    embedder: Embedder,
    least: float,
) -> Retrieved:
    """The passages nearest to a chunk, a line's chunk or a whole file, best first; only those of ``least`` cosine.

    Raises:
        NothingFound: The path is not indexed.
        UsageError: It has no such line or chunk.
    """
    rows = store.chunks_of(place.path)
    source = chosen(place, rows)
    if dense is None:
        return _by_words(source, limit, store, fulltext, "Without vectors: these share the most telling words.")
    try:
        vector = _vector(source, shelf, embedder)
        named = dense.query(vector, 2 * limit + len(source) + 20)
    except ModelError as error:
        return _by_words(source, limit, store, fulltext, f"By shared words: {error.message}")
    except DenseBroken as error:
        return _by_words(source, limit, store, fulltext, f"By shared words: {error}")
    ids = shelf.places([key for key, _ in named])
    near = [(ids[key], cosine) for key, cosine in named if key in ids and cosine < COPY_COSINE and cosine >= least]
    notes = []
    missing, chunks = shelf.missing() + shelf.uncollected(), store.totals.chunks
    if missing:
        notes.append(f"{missing} of {chunks} chunks have no vector yet and are not among these.")
    return _hits(source, near, limit, store, "vector", notes)


def chosen(place: Place, rows: list[Row]) -> list[Row]:
    """The chunks that a place names: one, or all of a file. Raises NothingFound, UsageError."""
    if not rows:
        raise NothingFound(f"{place.path} is not in the index.", hint="Name a file by its path in the folder.")
    if place.chunk is not None:
        found = [row for row in rows if row.chunk.index == place.chunk]
        if not found:
            raise UsageError(
                f"{place.path} has no chunk {place.chunk}.", hint=f"Its chunks are 0 to {rows[-1].chunk.index}."
            )
        return found
    if place.line is None:
        return rows
    if not 1 <= place.line <= rows[-1].chunk.lines[1]:
        last = rows[-1].chunk.lines[1]
        raise UsageError(f"{place.path} has no text at line {place.line}.", hint=f"Its text ends at line {last}.")
    line = place.line

    def off(row: Row) -> tuple[int, float]:
        first, last = row.chunk.lines
        return max(first - line, line - last, 0), abs((first + last) / 2 - line)

    return [min(rows, key=off)]


def _vector(source: list[Row], shelf: VectorShelf, embedder: Embedder) -> "Vectors":
    import numpy as np

    kept = shelf.of([row.id for row in source])
    if kept:
        mean = np.stack([np.frombuffer(vector, "<f4") for vector in kept.values()]).mean(axis=0, keepdims=True)
        length = float(np.linalg.norm(mean))
        return np.asarray(mean / length if length else mean, np.float32)
    return embedder.passages([shelf.passage(source[0].chunk, source[0].title)])


def _by_words(source: list[Row], limit: int, store: Store, fulltext: FullText, note: str) -> Retrieved:
    counted = Counter(term for row in source for term in terms(row.chunk.text))
    telling = fulltext.rarest(list(counted), TELLING_WORDS)
    ranked = fulltext.search(telling, 2 * limit + len(source) + 20)
    return _hits(source, list(ranked.rows), limit, store, "lexical", [note], ranked.idf)


def _hits(
    source: list[Row],
    near: list[tuple[int, float]],
    limit: int,
    store: Store,
    retriever: str,
    notes: list[str],
    idf: dict[str, float] | None = None,
) -> Retrieved:
    rows = store.rows(id_ for id_, _ in near)
    whole = len(source) > 1
    texts = {row.chunk.text.strip() for row in source}
    kept: list[Candidate] = []
    for id_, value in near:
        row = rows.get(id_)
        if row is None or row.chunk.text.strip() in texts or _overlaps(row, source, whole=whole):
            continue
        texts.add(row.chunk.text.strip())
        one = Candidate(id_, {retriever: Reason(len(kept) + 1, value)}, row)
        ranking.read(one, idf or {})
        kept.append(one)
        if len(kept) == limit:
            break
    asked = sum((idf or {}).values())
    hits = tuple(
        ranking.hit(rank, one, one.row, ranking.score(one, asked))
        for rank, one in enumerate(kept, 1)
        if one.row is not None
    )
    if not hits:
        notes.append("Nothing else in the index is near this passage.")
    return Retrieved(hits, "vector" if retriever == "vector" else "lexical", tuple(notes))


def _overlaps(row: Row, source: list[Row], *, whole: bool) -> bool:
    """Whether a chunk is the source, shares text with it, or lies in the file that is asked about as a whole."""
    if row.chunk.path != source[0].chunk.path:
        return False
    return whole or (row.chunk.start < source[0].chunk.end and source[0].chunk.start < row.chunk.end)
