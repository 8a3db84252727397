"""Full-text ranking over what is on disk and what is in memory, as if they were one index.

A word counts .65 as it was typed and .35 by its beginning, where all its forms are one; pairs of characters have no
beginning and count whole, and so do words whose beginning is theirs alone. As it was typed it can be meant in several
forms: longer words while it is being typed, and the words of the index that are most alike to it, which finds typing
errors and word forms in any language. The best form that a chunk holds counts, weighed by how good it is, and tells no
more than the word itself where that is known.
A chunk that defines a name gains by it, the more that name is all that was asked for.
Last, a chunk gains by what stands around it: a share of the better of its two neighbours, or of the mean of its file's
candidates over all the file's chunks, whichever is more.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lens_tui.index.filtering import Within
from lens_tui.index.fresh import BEGINNINGS, WORDS, Fresh, idf
from lens_tui.index.lexical import Reading
from lens_tui.index.vocabulary import MOST_ALIKE, Vocabulary
from lens_tui.text.words import DEFINES, LITTLE, beginning, parts_of, weights

AS_TYPED = 0.65
"""Of a word's weight, what counts as it was typed; the rest counts by its beginning. .5 and .7 find as much in fifteen
sets, the three of eval among them (XQuAD, manuals, package descriptions, functions by their docstrings)."""

CANDIDATES = 200
"""Best chunks that can gain by what stands around them, and give."""

FILE_WEIGHT = 0.25
"""Of what a chunk gains by its file: .25 to .5 pay in books and manuals, and .5 costs where files are short."""

NEIGHBOUR_WEIGHT = 0.2
"""Of the better neighbour's score: a question's words can stand on both sides of a cut. ``char_recall@4000`` of long
texts in five languages .919 → .929, in four others .965 → .968, with headings .945 → .947; source code, .15 to .25 and
the better of both words by words give the same to .005. Added to the file's share, and not in its stead, it would put
files of two chunks before those of one (R@1 on JSQuAD .937 → .932)."""

WIDENED, WIDENED_SHARE = 500, 0.01
"""A word in more chunks than both of these is spelled right, and its forms are found by its beginning: it is not
widened to similar ones, which would take half of the time that is spent on a question at 50,000 chunks."""

DEFINED = 2.0
"""What a definition weighs beside its name, times the square of the name's share of all that was asked for. For names
of functions and classes of four Python packages the definition is first .734 → .850; CoSQA's questions .359 → .360, two
sets of docstrings .360 → .362 and .353 → .357. 1 and 3 give the same to .01; by the share itself, not its square,
CoSQA's R@5 falls .496 → .476."""

COMMON_SHARE = 0.5
"""A term in more than this share of the chunks is left out of the retrieval where a rarer one is asked for."""

COMMON_FROM = 1_000
"""Chunks from which on COMMON_SHARE holds: in a small folder a common word is still what somebody looks for."""

MOST_PUSHED = 24
"""Ranges of ids that tantivy is given; more are looked up for each chunk that it names, which is faster then."""

Forms = Mapping[str, Sequence[tuple[str, float]]]
"""Term asked for → other terms that are meant by it, each with its weight against the term's own 1."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a full-text search found."""

    rows: tuple[tuple[int, float], ...]
    """(chunk id, BM25), best first; the same score by id."""
    idf: dict[str, float]
    """What each term asked for is worth: what a chunk of average length that holds it once gets for it."""
    unknown: tuple[str, ...]
    """Terms that are nowhere in the index, in no form."""
    alike: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Another form → the term asked for, and the weight with which it stands for that."""
    respelled: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Words that are not in the index → those that were searched instead, the likest first."""


class Matcher:
    """One search's view of the index: what was there when it began."""

    def __init__(
        self,
        reading: Reading,
        layers: Sequence[Fresh],
        gone: set[int],
        averages: Sequence[float],
        vocabulary: Vocabulary | None,
    ) -> None:
        """Take the files, the chunks in memory, ids to pass over, mean lengths of the fields; and words, to widen."""
        self._reading, self._layers, self._gone = reading, layers, gone
        self._averages, self._vocabulary = averages, vocabulary
        self._on_disk = reading.documents
        # One more on disk: tantivy counts the document that holds the state.
        self._documents = self._on_disk + 1 if self._on_disk else sum(len(layer) for layer in layers)
        self._chunks: dict[tuple[int, str], tuple[int, int]] = {}

    def search(self, asked: Sequence[str], limit: int, within: Within, forms: Forms) -> Ranked:
        """The ``limit`` best chunks that pass ``within`` and hold any of the terms (each given once), in any form."""
        weighed = weights(asked)
        respelled: dict[str, tuple[str, ...]] = {}
        meant: dict[str, list[tuple[str, float]]] = {}
        for term, weight in weighed.items():
            meant[term] = [(term, 1.0), *forms.get(term, ())]
            if self._vocabulary is not None and weight > LITTLE and len(meant[term]) == 1 and self._is_rare(term):
                known = self._held(WORDS, term)
                likest = self._likest(self._vocabulary, term, known=known)
                meant[term] += [(word, share**2) for word, share in likest]
                if likest and not known:
                    respelled[term] = tuple(word for word, _ in likest)
        worth = {term: self._worth(term, weighed[term], forms.get(term, ())) for term in weighed}
        there = [term for term in weighed if self._known(meant[term])]
        wanted = there
        if self._documents >= COMMON_FROM:
            common = COMMON_SHARE * self._documents
            wanted = [term for term in there if self._holding(WORDS, term) <= common] or there
        words = [*self._words(wanted, weighed, meant, forms), *self._definitions(wanted, weighed, worth)]
        found = self._from_disk(words, max(limit, CANDIDATES), within)
        for layer in self._layers:
            found.update(self._from_memory(layer, words, within))
        alike: dict[str, tuple[str, float]] = {}
        for term in set(there) & set(asked):
            for form, weight in meant[term][1:]:
                # A form's weight in ranking is the square of how alike it is.
                share = weight if term in forms else weight**0.5
                alike[form] = max(alike.get(form, (term, 0.0)), (term, share), key=lambda one: one[1])
        return Ranked(
            self._ranked(found, limit),
            {term: worth[term] for term in asked},
            tuple(term for term in asked if term not in there),
            alike,
            respelled,
        )

    def beginning(self, start: str, limit: int) -> list[tuple[str, int]]:
        """(term, chunks) of the text's commonest terms that begin so, ``start`` itself left out, commonest first."""
        found = dict(self._reading.beginning(WORDS, start, limit + 1)) if self._on_disk else {}
        for layer in self._layers:
            for term, count in layer.beginning(WORDS, start):
                found[term] = found.get(term, 0) + count
        found.pop(start, None)
        return sorted(found.items(), key=lambda one: (-one[1], one[0]))[:limit]

    def _likest(self, words: Vocabulary, term: str, *, known: bool) -> list[tuple[str, float]]:
        """(Word, how alike) of the words most alike to a term.

        What is a word itself is spelled right, and only its forms are meant (MRR over nine sets the same to .001). What
        is none can be wrong in its first letter too, or a part of longer ones.
        """
        found = dict(words.forms(term) if known else words.similar(term))
        if not known and len(found) < MOST_ALIKE:
            found = dict(words.longer(term)[: MOST_ALIKE - len(found)]) | found
        return [(word, share) for word, share in sorted(found.items(), key=_by_share) if self._held(WORDS, word)]

    def _look_up(self, at: int, term: str) -> tuple[int, int]:
        """Chunks that hold a term, on disk and in memory."""
        found = self._chunks.get((at, term))
        if found is None:
            disk = self._reading.holding(at, term) if self._on_disk else 0
            fresh = sum(layer.holding(at, term) for layer in self._layers) if self._layers else 0
            found = self._chunks[at, term] = disk, fresh
        return found

    def _is_rare(self, term: str) -> bool:
        return sum(self._look_up(WORDS, term)) <= max(WIDENED, self._documents * WIDENED_SHARE)

    def _held(self, at: int, term: str) -> bool:
        disk, fresh = self._look_up(at, term)
        return disk > 0 or fresh > 0

    def _known(self, forms: Sequence[tuple[str, float]]) -> bool:
        start = beginning(forms[0][0])
        return any(self._held(WORDS, form) for form, _ in forms) or bool(start and self._held(BEGINNINGS, start))

    def _holding(self, at: int, term: str) -> int:
        disk, fresh = self._look_up(at, term)
        return min(disk if self._on_disk else fresh, self._documents)

    def _tells(self, at: int, term: str) -> float:
        return idf(self._documents, self._holding(at, term))

    def _as_typed(self, term: str, longer: Sequence[tuple[str, float]]) -> float:
        """How much a term tells; one that is nowhere, as much as all the longer words together that it begins."""
        if self._holding(WORDS, term) or not longer:
            return self._tells(WORDS, term)
        together = sum(self._holding(WORDS, form) for form, _ in longer)
        return idf(self._documents, min(together, self._documents))

    def _worth(self, term: str, weight: float, longer: Sequence[tuple[str, float]]) -> float:
        tells = self._as_typed(term, longer)
        start = beginning(term)
        if start:
            tells = AS_TYPED * tells + (1 - AS_TYPED) * self._tells(BEGINNINGS, start)
        return weight * tells

    def _words(
        self,
        wanted: Sequence[str],
        weighed: Mapping[str, float],
        meant: Mapping[str, Sequence[tuple[str, float]]],
        forms: Forms,
    ) -> list[list[list[tuple[int, str, float]]]]:
        """What is searched for: of each term its forms, and its beginning, of several terms with the same one once."""
        found = []
        starts: dict[str, float] = {}
        for term in wanted:
            start = beginning(term)
            # Where no other word begins so, as of short ones, its beginning finds what it finds itself.
            is_all = len(meant[term]) == 1 and self._look_up(WORDS, term) == self._look_up(BEGINNINGS, start)
            share = 1.0 if is_all or not start else AS_TYPED
            tells = self._as_typed(term, forms.get(term, ()))
            each = []
            for form, weight in meant[term]:
                own = self._tells(WORDS, form)
                # Another form, rare as it may be, tells no more than the word.
                capped = weight if form == term or own <= tells else weight * tells / own
                each.append([(WORDS, form, weighed[term] * share * capped)])
            found.append(each)
            if start and not is_all:
                starts[start] = max(starts.get(start, 0.0), weighed[term] * (1 - share))
        return found + [[[(BEGINNINGS, start, weight)]] for start, weight in starts.items()]

    def _definitions(
        self, wanted: Collection[str], weighed: Mapping[str, float], worth: Mapping[str, float]
    ) -> list[list[list[tuple[int, str, float]]]]:
        """What is searched for beside words: the definitions of names, each worth its name times DEFINED."""
        asked, total = list(weighed), sum(worth[term] for term in wanted) or 1.0
        found = []
        for at, term in enumerate(asked):
            name = DEFINES + term
            if term not in wanted or not self._held(WORDS, name):
                continue
            itself = (term, *parts_of(term, asked[at + 1 :]))
            share = sum(worth[one] for one in itself if one in wanted) / total
            alone = min(1.0, self._tells(WORDS, term) / self._tells(WORDS, name))
            found.append([[(WORDS, name, DEFINED * share**2 * alone)]])
        return found

    def _ranked(self, found: Mapping[int, tuple[float, int, int]], limit: int) -> tuple[tuple[int, float], ...]:
        """The best, with what they gain by what stands around them."""
        gone = self._gone
        there = [(-score, id_, first, many) for id_, (score, first, many) in found.items() if id_ not in gone]
        best = sorted(there)[: max(limit, CANDIDATES)]
        sums: dict[int, float] = {}
        own: dict[int, float] = {}
        for score, id_, first, _ in best:
            sums[first] = sums.get(first, 0.0) - score
            own[id_] = -score
        of = own.get
        gained = []
        for score, id_, first, many in best:
            before = of(id_ - 1, 0.0) if id_ > first else 0.0
            after = of(id_ + 1, 0.0) if id_ + 1 < first + many else 0.0
            beside = NEIGHBOUR_WEIGHT * (before if before > after else after)
            around = FILE_WEIGHT * sums[first] / many
            gained.append((score - (around if around > beside else beside), id_))
        gained.sort()
        return tuple((id_, -score) for score, id_ in gained[:limit])

    def _from_disk(
        self, words: Sequence[Sequence[Sequence[tuple[int, str, float]]]], limit: int, within: Within
    ) -> dict[int, tuple[float, int, int]]:
        """The ``limit`` best chunks in the files that may be found: more are asked for until they suffice."""
        parts = []
        for forms in words:
            kept = [form for form in forms if any(self._look_up(at, term)[0] for at, term, _ in form)]
            if kept:
                parts.append(kept)
        if not parts:
            return {}
        ids = within.ids
        if ids is not None and not ids.spans:
            return {}
        pushed = ids is None or len(ids.spans) <= MOST_PUSHED
        ask = limit + min(len(self._gone), limit)
        if ids is not None and not pushed:
            ask = max(ask, min(limit * self._on_disk // max(len(ids), 1), 2_000))
        while True:
            hits = self._reading.search(parts, ask, within, push_ids=pushed)
            found = {id_: one for id_, one in hits if id_ not in self._gone and (pushed or ids is None or id_ in ids)}
            if len(found) >= limit or len(hits) < ask:
                return found
            ask *= 4

    def _from_memory(
        self, layer: Fresh, words: Sequence[Sequence[Sequence[tuple[int, str, float]]]], within: Within
    ) -> dict[int, tuple[float, int, int]]:
        found = layer.scores(words, self._averages, self._tells)
        if within == ANYTHING:
            return found
        return {
            id_: one
            for id_, one in found.items()
            if (entry := layer.entries.get(id_)) is not None and within.takes(id_, (entry.terms[WORDS],))
        }


def _by_share(one: tuple[str, float]) -> tuple[float, str]:
    return -one[1], one[0]


ANYTHING = Within()
