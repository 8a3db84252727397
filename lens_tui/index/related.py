"""Passages near a place: by vectors and by the words that tell most, which find different ones.

The two orders are fused by their ranks. Of the first five passages found, the share that comes from the same article,
stretch of an essay or folder of documentation (250 passages each; words / built-in / both):
Japanese .74 / .56 / .74, essays .23 / .19 / .22, documentation .90 / .90 / .91; with all-MiniLM-L6-v2 on the essays
.23 / .23 / .25. A model's vectors weigh as much as words, the built-in ones half.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lens_tui.errors import ModelError, NothingFound, UsageError
from lens_tui.index import ranking
from lens_tui.index.copies import Copies, place_of
from lens_tui.index.dense import Dense, DenseBroken
from lens_tui.index.fulltext import FullText
from lens_tui.index.nearest import readable
from lens_tui.index.ranking import Candidate
from lens_tui.index.sought import Sought
from lens_tui.index.store import Row, Store
from lens_tui.index.vectors import VectorShelf
from lens_tui.protocols import Embedder
from lens_tui.text.listing import listed
from lens_tui.text.words import terms
from lens_tui.types import Place, Retrieved, SearchHit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

COPY_COSINE = 0.98
"""From here on a passage is a copy of the one asked about, but for a word or a number."""

TELLING_WORDS = 96
"""Words of a passage that are searched: those in most of its chunks and fewest of all (tf·idf, which of a single chunk
is the rarest), and before all others those that stand elsewhere too. Long files have more than these that only they
hold; by the rarest of all, 60 of 70 modules of Python's library had nothing near them without vectors, now none.
"""

EASE = 20
"""Added to a rank before it is inverted; 5 and 60 give the same to .02."""

NOTHING_NEAR = "Nothing else in the index is near this passage."
NOTHING_YET = "Nothing near this passage is found by words, and vectors are still missing: ask again later."

COPIES_NAMED = 3
"""Copies of the passage itself that a note names."""


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
    """The passages nearest to a chunk, a line's chunk or a whole file, best first.

    Those that vectors name have ``least`` cosine, the others half of it where they have a vector. The passage itself,
    what overlaps it and its copies are left out, and the copies are told.

    Raises:
        NothingFound: The path is not indexed.
        UsageError: It has no such line or chunk.
    """
    source = chosen(place, store.chunks_of(place.path))
    many = 2 * limit + len(source) + 20
    telling = _telling(source, fulltext, store.totals.chunks)
    ranked = fulltext.search(telling, many, widen=False)
    near: list[tuple[int, float]] = []
    far: set[int] = set()
    nothing = NOTHING_NEAR
    try:
        if dense is None:
            raise DenseBroken("there are no vectors to ask")
        vector = _vector(source, shelf, embedder)
        named = dense.query(vector, many)
        ids = shelf.places([key for key, _ in named])
        near = [(ids[key], cosine) for key, cosine in named if key in ids and cosine >= least]
        far = _far(vector, [id_ for id_, _ in ranked.rows], shelf, least / 2)
        missing = _missing(store, shelf)
        notes = [_measure(embedder), *missing]
        nothing = NOTHING_YET if missing else NOTHING_NEAR
    except ModelError as error:
        notes = [f"By shared words alone: {error.message}"]
    except DenseBroken as error:
        notes = [f"By shared words alone: {error}."]
    found = ranking.candidates({"lexical": [row for row in ranked.rows if row[0] not in far], "vector": near})
    rows = store.rows(found)
    hits = _hits(source, _ordered(found, rows, semantic=embedder.semantic), limit, ranked.idf, notes)
    if not hits:
        # Why there is nothing stands before how it was looked for.
        notes.insert(0, nothing)
    return Retrieved(hits, "hybrid" if near else "lexical", tuple(notes))


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


def _telling(source: list[Row], fulltext: FullText, chunks: int) -> list[str]:
    """The terms of a passage by which others like it are sought."""
    own = Counter(term for row in source for term in dict.fromkeys(terms(row.chunk.text)))
    held = fulltext.holding(own)

    def order(term: str) -> tuple[bool, float, str]:
        return held[term] <= own[term], -own[term] * math.log(1 + chunks / held[term]), term

    return sorted(held, key=order)[:TELLING_WORDS]


def _vector(source: list[Row], shelf: VectorShelf, embedder: Embedder) -> "Vectors":
    import numpy as np

    kept = shelf.of([row.id for row in source])
    if kept:
        mean = np.stack([np.frombuffer(vector, "<f4") for vector in kept.values()]).mean(axis=0, keepdims=True)
        length = float(np.linalg.norm(mean))
        return np.asarray(mean / length if length else mean, np.float32)
    return embedder.passages([shelf.passage(source[0].chunk, source[0].title)])


def _far(vector: "Vectors", ids: Sequence[int], shelf: VectorShelf, least: float) -> set[int]:
    """Those whose own vector says that they are not near."""
    import numpy as np

    kept = shelf.of(ids)
    return {id_ for id_, raw in kept.items() if float(np.frombuffer(raw, "<f4") @ vector[0]) < least}


def _measure(embedder: Embedder) -> str:
    if embedder.semantic:
        return f"By the vectors of {readable(embedder.name)} and by shared words."
    return "By the built-in vectors, which know what texts look like and not what they mean, and by shared words."


def _missing(store: Store, shelf: VectorShelf) -> list[str]:
    missing = shelf.missing() + shelf.uncollected()
    if not missing:
        return []
    return [f"{missing} of {store.totals.chunks} chunks have no vector yet and are found by words only."]


def _ordered(found: dict[int, Candidate], rows: dict[int, Row], *, semantic: bool) -> list[Candidate]:
    """Those that are still there, by the sum of their inverted ranks, equal ones by path and place."""
    weights = {"lexical": 1.0, "vector": 1.0 if semantic else 0.5}
    order: list[tuple[float, str, int, Candidate]] = []
    for one in found.values():
        one.row = rows.get(one.id)
        if one.row is not None:
            value = sum(weights[name] / (EASE + reason.rank) for name, reason in one.why.items())
            order.append((-round(value, 9), one.row.chunk.path, one.row.chunk.index, one))
    return [one for *_, one in sorted(order, key=lambda entry: entry[:3])]


def _hits(
    source: list[Row], ordered: Sequence[Candidate], limit: int, idf: dict[str, float], notes: list[str]
) -> tuple[SearchHit, ...]:
    whole = len(source) > 1
    seen = Copies()
    for number, asked_about in enumerate(source):
        seen.add(asked_about.chunk.text, number)
    bare = {row.chunk.text.strip() for row in source}
    sought = Sought(idf)
    hits: list[SearchHit] = []
    copies: list[str] = []
    for one in ordered:
        row = one.row
        if row is None or _overlaps(row, source, whole=whole):
            continue
        twin = seen.of(row.chunk.text)
        same = row.chunk.text.strip() in bare or one.score_of("vector") >= COPY_COSINE
        if same or (twin is not None and twin < len(source)):
            copies.append(f"{row.chunk.path}:{row.chunk.lines[0]}")
        elif twin is not None:
            at = twin - len(source)
            hits[at] = replace(hits[at], also=(*hits[at].also, place_of(row.chunk)))
        elif len(hits) < limit:
            ranking.read(one, sought)
            value = ranking.score(one)
            if "vector" in one.why or value >= ranking.LEAST_SHARE:
                seen.add(row.chunk.text, len(source) + len(hits))
                hits.append(ranking.hit(len(hits) + 1, one, row, value, sought.marks(one.words)))
    if copies:
        notes.append(f"Copies of this passage, but for a word, are left out: {listed(copies, COPIES_NAMED)}.")
    return tuple(hits)


def _overlaps(row: Row, source: list[Row], *, whole: bool) -> bool:
    """Whether a chunk is the source, shares text with it, or lies in the file that is asked about as a whole."""
    if row.chunk.path != source[0].chunk.path:
        return False
    return whole or (row.chunk.start < source[0].chunk.end and source[0].chunk.start < row.chunk.end)
