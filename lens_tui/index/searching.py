"""One search from its query to its hits: who is asked, what may be found, what is kept, and what is told of it.

How hits are ordered and scored stands in ranking.py.
"""

import re
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lens_tui.index import ranking, telling
from lens_tui.index.copies import Copies, place_of
from lens_tui.index.explaining import explained
from lens_tui.index.filtering import Catalogue, File, Ranges, Within, passes
from lens_tui.index.fulltext import FullText
from lens_tui.index.matching import Ranked
from lens_tui.index.ranking import Candidate
from lens_tui.index.snippet import merged
from lens_tui.index.sought import Sought
from lens_tui.index.store import Row, Store
from lens_tui.text.phrases import places
from lens_tui.text.stretches import Mark
from lens_tui.text.words import PAIRED, asked, occurrences, terms
from lens_tui.types import Place, Query, Retrieved, Retriever, SearchHit

CANDIDATES = 50
"""Chunks that each retriever names for fusion."""

MOST_TERMS = 48
"""Terms of a question that are searched; of a longer one, the rarest. Fifteen words are a long question."""

MOST_BEGUN = 12
"""Words that a beginning stands for, the commonest first: a list on a screen shows no more of them."""

BEGUN_WEIGHT = 0.5
"""Of a longer word where the beginning is a word itself, so that the whole word leads."""

MOST_CHECKED = 4_000
"""Chunks whose text one search looks through for phrases and excluded words: a fifth of a second."""

MOST_READ = 20
"""Chunks of a hybrid search that are read for what they hold of the question: 2 ms."""

MOST_COMPARED = 100
"""Chunks in which copies of the hits are looked for: a millisecond."""

SPARE = 10
"""Chunks that are looked at beyond those asked for, as copies and what shares too little fall out."""

ATTEMPTS = 5
"""Times that a search is made when what it found was replaced while it ran."""

REPLACED_SECONDS = 0.002
"""Between two of them, so that the writer's thread gets its turn."""

_PAIRED = re.compile(f"[{PAIRED}]")

DenseRows = Callable[[], list[tuple[int, float]]]
"""Waits for (chunk id, cosine) of what vectors name; empty where they have no say, which is then noted."""


@dataclass(slots=True)
class Search:
    """One search under way."""

    query: Query
    retriever: Retriever
    limit: int
    files: tuple[File, ...] | None = None
    """Those that pass its filters, in the order of their paths; None without filters."""
    within: Within = field(default_factory=Within)
    notes: list[str] = field(default_factory=list)
    checked: dict[int, bool] = field(default_factory=dict)
    """Chunks whose text was looked through, and whether they hold what they must."""
    rows: dict[int, Row] = field(default_factory=dict)
    """What was fetched of the candidates."""
    stale: bool = False
    """Whether a candidate was gone when it was fetched."""
    cut: bool = False
    """Whether there was more to look through."""
    best_left: tuple[float, str] | None = None
    """Score and path of the best chunk that shares too little."""
    left: int = 0
    """Chunks that share too little and stood among those that would have been hits."""

    @property
    def checks(self) -> bool:
        """Whether a chunk's text must be looked through."""
        return bool(self.query.phrases or self.query.excluded)

    def by_words(self, why: str) -> None:
        """Go on without vectors, and say why."""
        self.retriever = "lexical"
        self.notes.append(why)


class Searcher:
    """Searches one index. Safe from any thread."""

    def __init__(self, store: Store, fulltext: FullText, least_cosine: float) -> None:
        """Take what is open, and the cosine under which a passage shares too little."""
        self._store, self._fulltext, self._least = store, fulltext, least_cosine
        self._catalogue = Catalogue(store)

    def search(self, query: Query, limit: int, begin: Callable[[Search], DenseRows]) -> Retrieved:
        """The best ``limit`` chunks; ``begin`` has vectors asked beside the words, or makes it a search by words."""
        search = Search(query, query.retriever, max(limit, 1), notes=list(query.notes))
        wanted = asked(query.searched)
        narrows = bool(query.filters) or search.checks
        if not (wanted or narrows):
            return Retrieved((), "lexical", (*query.notes, "There is no word or number to search for."))
        if not self._store.totals.chunks:
            return Retrieved((), search.retriever, (*query.notes, telling.NOTHING_INDEXED))
        ids: Ranges | None = None
        if query.filters:
            search.files, ids, why = self._catalogue.matching(query.filters)
            if why:
                return Retrieved((), search.retriever, (*query.notes, why))
        search.within = _within(query, ids)
        if not wanted:
            return self._listed(search)
        dense_rows = begin(search)
        first = self._words(search, wanted, CANDIDATES) if search.retriever == "hybrid" else None
        dense = dense_rows()
        hits: tuple[SearchHit, ...] = ()
        words = Ranked((), {}, ())
        for _ in range(ATTEMPTS):
            search.stale, search.rows = False, {}
            hits, words = self._ranked(search, wanted, dense, first)
            if not search.stale:
                break
            first = None
            # What is not there was replaced just now; full text hears of it a moment after the store.
            time.sleep(REPLACED_SECONDS)
        told = [*telling.of_words(query, words), *telling.of_spelling(query, words)]
        if hits:
            search.notes.extend(told)
            if search.retriever == "vector" and search.left:
                search.notes.append(telling.of_far_ones(search.left, self._least))
        else:
            # Why there is nothing stands before what else there is to say.
            search.notes[:0] = [*told, *self._why_none(search, wanted, words)]
        if search.cut:
            search.notes.append(f"Only the {MOST_CHECKED:,} likeliest chunks were looked through.")
        return Retrieved(hits, search.retriever, tuple(dict.fromkeys(search.notes)))

    # By rank

    def _ranked(
        self,
        search: Search,
        wanted: list[str],
        dense: list[tuple[int, float]],
        first: Ranked | None = None,
        pool: int = 0,
    ) -> tuple[tuple[SearchHit, ...], Ranked]:
        """Hits, and what was asked of full text.

        Args:
            search: What it is for.
            wanted: The terms.
            dense: What vectors name.
            first: What full text has named already, of CANDIDATES chunks.
            pool: How many chunks it is to name.
        """
        pool = pool or (CANDIDATES if search.retriever == "hybrid" else search.limit + SPARE)
        found, words, pool = self._named(search, wanted, dense, first, pool)
        sought = Sought(words.idf, words.alike)
        self._fuse(search, found, sought)
        found.sort(key=lambda one: (-one.fused, one.id))
        # Of most candidates nothing more is needed than their scores.
        room = max(search.limit, MOST_READ) + SPARE
        while True:
            self._fetch(search, found[:room])
            hits, copies = self._kept(search, found[:room], sought)
            if len(hits) == search.limit or room >= len(found):
                break
            room = len(found)
        if copies and len(hits) < search.limit and len(words.rows) >= pool and pool < MOST_CHECKED:
            return self._ranked(search, wanted, dense, pool=min(pool * 4, MOST_CHECKED))
        return hits, words

    def _named(
        self, search: Search, wanted: list[str], dense: list[tuple[int, float]], first: Ranked | None, pool: int
    ) -> tuple[list[Candidate], Ranked, int]:
        """What retrievers name and may be found, what was asked of full text, and of how many chunks in the end."""
        while True:
            words = Ranked((), dict.fromkeys(wanted, 1.0), ())
            if search.retriever != "vector":
                words = first if first and pool <= CANDIDATES else self._words(search, wanted, pool)
            found = list(ranking.candidates({"lexical": words.rows, "vector": dense}).values())
            if not search.checks:
                return found, words, pool
            self._fetch(search, found)
            found = [one for one in found if one.row is not None and self._passes(search, one.row)]
            search.cut = len(found) < search.limit and len(words.rows) >= pool >= MOST_CHECKED
            if len(found) >= search.limit or len(words.rows) < pool or search.cut:
                return found, words, pool
            pool = min(pool * 4, MOST_CHECKED)

    def _fetch(self, search: Search, found: Sequence[Candidate]) -> None:
        """Give candidates their rows, as far as they are still there."""
        search.rows.update(self._store.rows(one.id for one in found if one.id not in search.rows))
        for one in found:
            one.row = search.rows.get(one.id)
            search.stale = search.stale or one.row is None

    def _fuse(self, search: Search, found: Sequence[Candidate], sought: Sought) -> None:
        """Give every candidate the value by which it is ordered, before any of them but the best by words is read."""
        if search.retriever != "hybrid":
            for one in found:
                one.fused = one.score_of(search.retriever)
            return
        best = min(
            (one for one in found if "lexical" in one.why), key=lambda one: one.why["lexical"].rank, default=None
        )
        if best is not None:
            self._fetch(search, [best])
            ranking.read(best, sought)
        ranking.fuse(found, best.coverage if best else 0.0)

    def _kept(self, search: Search, there: Sequence[Candidate], sought: Sought) -> tuple[tuple[SearchHit, ...], int]:
        """Hits, and how many copies of them were found."""
        seen = Copies()
        also: dict[int, list[Place]] = {}
        search.left = 0
        order = self._order(search.retriever, there, sought)
        kept: list[tuple[Candidate, Row, float]] = []
        for at, one in enumerate(sorted(there, key=lambda one: _key(one, order[one.id]))):
            row, full = one.row, len(kept) == search.limit
            if full and at >= MOST_COMPARED:
                break
            if row is None:
                continue
            twin = seen.of(row.chunk.text)
            if twin is not None:
                also.setdefault(twin, []).append(place_of(row.chunk))
            if twin is not None or full:
                continue
            ranking.read(one, sought)
            near = one.score_of("vector") >= self._least
            value = ranking.score(one)
            if near or ranking.words_score(one) >= ranking.LEAST_SHARE:
                seen.add(row.chunk.text, len(kept))
                kept.append((one, row, value))
                continue
            search.left += 1
            if search.best_left is None or value > search.best_left[0]:
                search.best_left = value, row.chunk.path
        loose = asked(search.query.words or "") if search.query.phrases else []
        hits = []
        for at, (one, row, value) in enumerate(kept):
            marks = _marks(row, search.query.phrases, loose) if search.query.phrases else sought.marks(one.words)
            why = None
            if search.query.explain:
                why = explained(one, row, sought, search.retriever, order[one.id])
            hit = ranking.hit(at + 1, one, row, value, marks, why)
            hits.append(replace(hit, also=tuple(also[at])) if at in also else hit)
        return tuple(hits), sum(map(len, also.values()))

    @staticmethod
    def _order(retriever: Retriever, there: Sequence[Candidate], sought: Sought) -> dict[int, float]:
        if retriever != "hybrid":
            return {one.id: one.fused for one in there}
        for one in sorted(there, key=lambda one: -ranking.fused_with_own(one))[:MOST_READ]:
            ranking.read(one, sought)
        return {one.id: ranking.fused_with_own(one) for one in there}

    def _words(self, search: Search, wanted: list[str], limit: int) -> Ranked:
        if len(wanted) > MOST_TERMS:
            rarest = self._fulltext.rarest(wanted, MOST_TERMS)
            search.notes.append(f"Of the {len(wanted)} words of the question the {len(rarest)} rarest were searched.")
            wanted = rarest
        ranked = self._fulltext.search(wanted, limit, search.within, self._begun(search.query))
        if self._fulltext.rebuilding:
            done, total = self._fulltext.rebuilding
            search.notes.append(f"The full-text index is being made anew: {done} of {total} chunks are found so far.")
        if self._fulltext.problem:
            search.notes.append(self._fulltext.problem)
        return ranked

    def _begun(self, query: Query) -> Mapping[str, Sequence[tuple[str, float]]]:
        """The words that the last one begins, where it is still being typed; of ``readFi``, those of ``fi`` too."""
        terms = asked(query.beginning) if query.beginning else []
        found = {}
        for term in dict.fromkeys((*terms[:1], *terms[-1:])):
            weight = BEGUN_WEIGHT if self._fulltext.rarest([term], 1) else 1.0
            found[term] = [(longer, weight) for longer, _ in self._fulltext.beginning(term, MOST_BEGUN)]
        return found

    # By filters alone

    def _listed(self, search: Search) -> Retrieved:
        """The first chunks that pass, in the order of their paths, each with the score 1."""
        kept: list[Row] = []
        matching = 0
        for file in self._catalogue.files() if search.files is None else search.files:
            count = file.last - file.first + 1
            matching += count
            if len(kept) >= search.limit or (search.checks and len(search.checked) >= MOST_CHECKED):
                search.cut = search.checks and len(kept) < search.limit
                continue
            ids = range(file.first, file.last + 1)
            if not search.checks:
                ids = ids[: search.limit - len(kept)]
            rows = self._store.rows(ids)
            kept.extend(rows[id_] for id_ in sorted(rows) if self._passes(search, rows[id_]))
        hits = []
        for rank, row in enumerate(kept[: search.limit], 1):
            one = Candidate(row.id, row=row, coverage=1.0)
            why = None
            if search.query.explain:
                why = explained(one, row, Sought({}), "lexical", 1.0)
            hits.append(ranking.hit(rank, one, row, 1.0, _marks(row, search.query.phrases, ()), why))
        notes = [*search.notes]
        if search.cut:
            notes.append(f"Only {len(search.checked):,} chunks were looked through.")
        if not hits:
            notes.extend(telling.of_checks(search.query))
        elif not search.checks and matching > len(hits):
            notes.append(f"These are the first of {matching:,} chunks, in the order of their paths.")
        return Retrieved(tuple(hits), "lexical", tuple(notes))

    def _passes(self, search: Search, row: Row) -> bool:
        if not search.checks:
            return True
        known = search.checked.get(row.id)
        if known is None:
            known = search.checked[row.id] = passes(search.query, row)
        return known

    # What is told

    def _why_none(self, search: Search, wanted: list[str], words: Ranked) -> Sequence[str]:
        query, ids = search.query, search.within.ids
        if len(words.unknown) < len(words.idf):
            if search.checks and (search.checked or self._fulltext.search(wanted, 1, Within(ids)).rows):
                return telling.of_checks(query)
            if query.filters and not self._fulltext.search(wanted, 1, search.within).rows:
                others = len(self._fulltext.search(wanted, MOST_CHECKED).rows)
                if others:
                    return telling.of_filters(query, others, most=MOST_CHECKED)
        return telling.of_nothing(query, words, search.best_left, self._least if search.retriever == "vector" else None)


def _within(query: Query, ids: Ranges | None) -> Within:
    required = [term for phrase in query.phrases for term in _safe(phrase)]
    excluded = [found[0] for word in query.excluded if len(found := asked(word)) == 1]
    return Within(ids, tuple(dict.fromkeys(required)), tuple(dict.fromkeys(excluded)))


def _safe(phrase: str) -> list[str]:
    """Terms that every text with the phrase has.

    Not numbers joined of several, which at its edges can be part of a longer one (``3.11`` in ``3.11.2``), nor pairs of
    characters, which a line's end parts.
    """
    found = []
    for term in terms(phrase):
        joined = not term.isalnum() or (term.isdigit() and term not in phrase)
        alone = len(term) == 1 and unicodedata.name(term, "").startswith("CJK UNIFIED")
        if not joined and (alone or not _PAIRED.match(term)):
            found.append(term)
    return found


def _marks(row: Row, phrases: Sequence[str], loose: Sequence[str]) -> list[Mark]:
    """Phrases, and words that were asked for beside them, each as good as any other."""
    spans = [span for phrase in phrases for span in places(row.chunk.text, phrase)]
    spans.extend((word.start, word.end) for word in occurrences(row.chunk.text, loose))
    return [Mark(*span, term=str(number)) for number, span in enumerate(merged(spans))]


def _key(candidate: Candidate, value: float) -> tuple[float, str, int]:
    chunk = candidate.row.chunk if candidate.row else None
    return (-round(value, 5), chunk.path if chunk else "", chunk.index if chunk else 0)
