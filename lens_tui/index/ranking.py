"""From candidates to hits: how words and vectors are fused, what a score means, what is left out.

The order is the retrievers': BM25 for ``lexical``, cosine for ``vector``, and for ``hybrid``
``minmax(cosine) + 2 · cov² · minmax(BM25) + 2 · own²``, where own is the share of the question's idf that the chunk
holds and cov that of the best BM25 hit: exact words lead where they are found, vectors where they are not. A retriever
that did not name a chunk gives it 0: its true cosine, looked up, does not pay (MRR on CoSQA .722 → .703, essays .823 →
.828, when words weighed 3).
With all-MiniLM-L6-v2, R@1 / MRR@10 of words, vectors, both, and both without own (where words weigh 3), all in chunks
of ``paragraph`` 220/40, titles twice among the words, no share of neighbours, so that only the differences still tell:
essays .759 / .841, .614 / .720, .759 / .843, .714 / .823; CoSQA (150 of its questions, 997 functions) .487 / .567,
.613 / .726, .620 / .723, .613 / .722. Reciprocal ranks give .682 / .791 and .600 / .683 there.

The score is absolute, 0 to 1, and comparable between questions:

- of words: coverage, times BM25 / Σ worth of what is there where that is below 1. A word's worth is what a chunk of
  average length that holds it once gets for it: .65 of its idf and .35 of its beginning's. Coverage is the share of
  all worth whose words are in the chunk, its path, title or headings. Little words (the, is) count in neither where
  anything else was asked for, and no other word counts less than a tenth of the rarest, so that words of every text can
  be found too. A word of which only another form or a similar word is there counts by how alike they are. So 1 means
  that all that was asked for is there, as it was typed;
- of vectors: the cosine, negative ones taken as 0;
- of both: the larger one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lens_tui.index.fresh import beside
from lens_tui.index.snippet import merged, snippet
from lens_tui.index.sought import Sought
from lens_tui.index.store import Row
from lens_tui.text.standing import above
from lens_tui.text.stretches import Mark
from lens_tui.text.words import Word, occurrences, terms
from lens_tui.types import Explanation, Reason, SearchHit

LEAST_SHARE = 0.05
"""Score of words under which a chunk shares too little with the question: one common word of ten, say."""

LEAST_FULL = 0.25
"""A form that stands for a word can be far commoner, and its BM25 far lower, than the word itself would have."""

WORDS_WEIGHT, OWN_WEIGHT = 2.0, 2.0
"""See the fusion rule above; 1.5 and 1 of each give the same to .02."""


@dataclass(slots=True)
class Candidate:
    """A chunk that a retriever named."""

    id: int
    why: dict[str, Reason] = field(default_factory=dict)
    row: Row | None = None
    fused: float = 0.0
    """What the retrievers' scores together make of it, of all candidates."""
    parts: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """What that is made of in a fusion: its cosine and its BM25 among all candidates', 0 to 1, and cov."""
    coverage: float = 0.0
    held: float = 0.0
    """What the words of the question that are in it are worth."""
    words: Sequence[Word] = ()
    """Those of its text that were looked for."""
    is_read: bool = False

    def score_of(self, retriever: str) -> float:
        """What a retriever gave; 0 where it did not name the chunk."""
        reason = self.why.get(retriever)
        return reason.score if reason else 0.0


def candidates(rankings: Mapping[str, Sequence[tuple[int, float]]]) -> dict[int, Candidate]:
    """One candidate for each chunk that any retriever named, with its rank and score in each."""
    found: dict[int, Candidate] = {}
    for retriever, rows in rankings.items():
        for rank, (id_, score) in enumerate(rows, 1):
            found.setdefault(id_, Candidate(id_)).why[retriever] = Reason(rank, score)
    return found


def read(candidate: Candidate, sought: Sought) -> None:
    """Find what of the question is in a chunk, given its row: its words among them, and its coverage. Once for each."""
    row = candidate.row
    if row is None or candidate.is_read:
        return
    candidate.is_read = True
    candidate.words = occurrences(row.chunk.text, sought.wanted)
    held = {word.term for word in candidate.words}
    if not held >= sought.worth.keys():
        others = (*beside(row.chunk, row.title), row.chunk.context or "")
        held.update(term for text in others if text for term in terms(text) if term in sought.wanted)
    shares = sought.shares(held)
    candidate.coverage, candidate.held = sought.coverage(shares), sought.held(shares)


def fuse(found: Sequence[Candidate], coverage: float) -> None:
    """Give each candidate what the fusion rule makes of its scores, the share that it holds itself left out."""
    words = _minmax({one.id: one.why["lexical"].score for one in found if "lexical" in one.why})
    dense = _minmax({one.id: one.why["vector"].score for one in found if "vector" in one.why})
    weight = WORDS_WEIGHT * coverage**2
    for one in found:
        one.parts = (dense.get(one.id, 0.0), words.get(one.id, 0.0), coverage)
        one.fused = one.parts[0] + weight * one.parts[1]


def fused_with_own(candidate: Candidate) -> float:
    """The rank value under the fusion rule; one that was not read holds nothing of its own."""
    return candidate.fused + OWN_WEIGHT * candidate.coverage**2


def score(candidate: Candidate) -> float:
    """The absolute score, 0 to 1, of one that was read."""
    return max(words_score(candidate), min(max(candidate.score_of("vector"), 0.0), 1.0))


def words_score(candidate: Candidate) -> float:
    """The words' part of the absolute score."""
    return min(candidate.coverage, 1.0) * _fullness(candidate)


def _fullness(candidate: Candidate) -> float:
    """BM25 over what a chunk that holds the same words once has: below 1 where they are little of a long text."""
    share = candidate.score_of("lexical") / candidate.held if candidate.held else 0.0
    return min(max(share, LEAST_FULL), 1.0)


def order_told(candidate: Candidate, retriever: str, value: float) -> str:
    """Say in words and figures how the value comes about that hits were ordered by."""
    words, cosine = (candidate.why.get(name) for name in ("lexical", "vector"))
    if retriever == "lexical":
        return (
            f"BM25 {value:.2f}: over its words, how rare each is and how much of the text it makes,"
            " with something for a name that it defines and for what was found beside it in its file"
        )
    if retriever == "vector":
        return f"cosine {value:.3f} of its vector and the question's"
    said = (
        f"BM25 {words.score:.2f} (rank {words.rank})" if words else "no place by words",
        f"cosine {cosine.score:.3f} (rank {cosine.rank})" if cosine else "no place by vectors",
    )
    near, worded, most = candidate.parts
    rule = f"{near:.2f} + {WORDS_WEIGHT:g} · {most:.2f}² · {worded:.2f} + {OWN_WEIGHT:g} · {candidate.coverage:.2f}²"
    return (
        f"{rule} = {value:.3f}: its cosine among all that were found, 0 to 1, the coverage of the best by words, its"
        f" BM25 among all, 0 to 1, and its own coverage; {said[0]} and {said[1]}"
    )


def score_told(candidate: Candidate) -> str:
    """Say in words and figures how the absolute score comes about."""
    words, cosine = (candidate.why.get(name) for name in ("lexical", "vector"))
    parts = []
    if words is not None:
        parts.append(
            f"{words_score(candidate):.2f} by words: {candidate.coverage:.2f} (share of what was asked for that is"
            f" there) × {_fullness(candidate):.2f} (BM25 over what a text with each of these words once has, at most 1)"
        )
    if cosine is not None:
        parts.append(f"{max(cosine.score, 0.0):.2f} by meaning: the cosine")
    return f"the larger of {' and '.join(parts)}" if len(parts) > 1 else "".join(parts)


def hit(
    rank: int,
    candidate: Candidate,
    row: Row,
    value: float,
    found: Sequence[Mark],
    explanation: Explanation | None = None,
) -> SearchHit:
    """Flatten a candidate to what every face shows; ``found`` is what is marked in it, in order."""
    chunk = row.chunk
    marks = merged([mark[:2] for mark in found])
    return SearchHit(
        rank=rank,
        score=round(value, 4),
        path=chunk.path,
        id=chunk.id,
        chunk=chunk.index,
        start=chunk.start,
        end=chunk.end,
        lines=chunk.lines,
        page=chunk.page,
        heading=chunk.heading,
        tags=chunk.tags,
        text=chunk.text,
        snippet=snippet(chunk.text, found),
        marks=marks,
        why=candidate.why,
        checksum=chunk.checksum,
        explain=explanation,
        above=above(chunk),
    )


def _minmax(values: Mapping[int, float]) -> dict[int, float]:
    if not values:
        return {}
    low, high = min(values.values()), max(values.values())
    return {id_: (value - low) / (high - low) if high > low else 1.0 for id_, value in values.items()}
