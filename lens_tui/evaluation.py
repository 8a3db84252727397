"""How well a search finds what it should: questions with known answers, and the measures over the hits they get.

Every measure is a mean over the questions, from 0 to 1, over the first 50 hits (``DEPTH``). A relevant item is a whole
file or an excerpt of one. A hit touches an excerpt when they share a character, and a whole file when it is any chunk
of it. A question's shares:

- ``recall@k``: mean over its items of how much the first k hits found: 1 for a whole file that is touched, for an
  excerpt the share of its characters that lie in the hits, overlap counted once.
- ``precision@k``: the first k hits that touch an item, over k (hits that are not there touch nothing).
- ``mrr@10``: one over the rank of the first hit that touches an item, 0 where none of the first ten does.
- ``ndcg@10``: each item counts once, at the best rank that touches it, with the discount 1 / log2(rank + 1). The ideal
  puts the hits that first touched something on top, and one more for each item that no hit touched.
- ``char_recall@4000``: hits are read in order until 4,000 characters are spent, the last one cut, overlap paid twice;
  the relevant characters that were read, each once, over all relevant characters.
- ``iou@5``: of the first five hits and the relevant characters, those in both over those in either, each once.

An item whose file is not indexed, or whose quote is not in its file, is missed. Where its length is unknown too, it is
taken to be as long as the question's other items are on average.
"""

import json
import math
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lens_tui.errors import UsageError
from lens_tui.text.listing import listed
from lens_tui.types import SearchHit, Span

DEPTH = 50
"""Hits of a question that are looked at: the most that a search gives."""

CUTS = (1, 5, 10)
"""Ranks at which recall and precision are taken."""

RANKED = 10
"""Hits that ``mrr@10`` and ``ndcg@10`` look at."""

READ = 4000
"""Characters that ``char_recall@4000`` reads: about what a small model's prompt holds."""

COMPARED = 5
"""Hits that ``iou@5`` looks at."""

MEASURES = (
    *(f"recall@{cut}" for cut in CUTS),
    *(f"precision@{cut}" for cut in CUTS),
    f"mrr@{RANKED}",
    f"ndcg@{RANKED}",
    f"char_recall@{READ}",
    f"iou@{COMPARED}",
)
"""Names of the measures, in the order in which they are shown."""

TIMES = ("p50_ms", "p99_ms")

SHAPE = '{"question": "…", "relevant": [{"path": "notes/a.md", "start": 10, "end": 80}]}'
LISTED = 5
"""Line numbers that an error names beside the first."""


@dataclass(frozen=True, slots=True)
class Relevant:
    """Where an answer stands, as the questions' file tells it; the whole file with neither span nor quote."""

    path: str
    span: Span | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One line of the questions' file."""

    line: int
    """From 1."""
    text: str
    relevant: tuple[Relevant, ...]
    """At least one, each once."""


@dataclass(frozen=True, slots=True)
class Target:
    """A relevant item as the indexed text has it."""

    path: str
    whole: bool
    span: Span | None
    """Its characters; None where they are not known, so that no hit can cover them."""
    size: int | None
    """How many characters it has; None where the file is not indexed and nothing tells."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One question, asked."""

    question: Question
    targets: tuple[Target, ...]
    hits: tuple[SearchHit, ...]
    """Best first; those beyond the 50th are left alone."""
    milliseconds: float


def parse_questions(lines: Iterable[str], name: str) -> tuple[Question, ...]:
    """Read JSON lines of questions; blank lines are passed over, unknown fields too.

    Offsets stand over a quote where an item has both.

    Args:
        lines: With or without their line ends.
        name: Of the file, for the message.

    Raises:
        UsageError: A line cannot be used (all such lines are named, with what is wrong with the first), or there is
            no question at all.
    """
    questions: list[Question] = []
    wrong: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        written = line.strip().removeprefix("\ufeff")
        if not written:
            continue
        try:
            questions.append(_question(number, written))
        except ValueError as error:
            wrong.append((number, str(error)))
    hint = f"Write one question a line, such as {SHAPE}"
    if wrong:
        first, why = wrong[0]
        raise UsageError(f"{name}, line {first}: {why}.{_others([at for at, _ in wrong[1:]])}", hint=hint)
    if not questions:
        raise UsageError(f"{name} holds no question.", hint=hint)
    return tuple(questions)


def place(question: Question, text_of: Callable[[str], str | None]) -> tuple[tuple[Target, ...], tuple[str, ...]]:
    """Find a question's items in the indexed texts.

    A quote is looked for as it stands, then with any white space where it has some; the first of several places is
    taken.

    Args:
        question: As parsed.
        text_of: A file's text as the index has it, None where it is not indexed.

    Returns:
        The items in order, and sentences on those that are not where the question says.
    """
    targets: list[Target] = []
    notes: list[str] = []
    for item in question.relevant:
        text = text_of(item.path)
        target, note = _placed(item, text)
        targets.append(target)
        if note:
            notes.append(f"Line {question.line}: {note}")
    return tuple(targets), tuple(notes)


def touched(trial: Trial, k: int) -> bool:
    """Whether one of the first ``k`` hits touches something relevant: a question has failed where none does."""
    return any(_touches(hit, target) for hit in trial.hits[:k] for target in trial.targets)


def failed(trials: Iterable[Trial], k: int) -> tuple[Question, ...]:
    """The questions for which nothing relevant is among the first ``k`` hits, in order."""
    return tuple(trial.question for trial in trials if not touched(trial, k))


def figures(trials: Sequence[Trial]) -> dict[str, float]:
    """Every measure over one retriever's trials, and its times; all 0 where there are none."""
    judged = [measures(trial.targets, trial.hits) for trial in trials]
    means = {name: sum(one[name] for one in judged) / len(judged) if judged else 0.0 for name in MEASURES}
    times = [trial.milliseconds for trial in trials]
    return means | {"p50_ms": percentile(times, 50), "p99_ms": percentile(times, 99)}


def measures(targets: Sequence[Target], hits: Sequence[SearchHit]) -> dict[str, float]:
    """One question's measures by name (see the module's docstring)."""
    hits = hits[:DEPTH]
    right = [any(_touches(hit, target) for target in targets) for hit in hits]
    found = {f"recall@{cut}": _recall(targets, hits[:cut]) for cut in CUTS}
    found |= {f"precision@{cut}": sum(right[:cut]) / cut for cut in CUTS}
    first = next((rank for rank, is_right in enumerate(right[:RANKED], 1) if is_right), None)
    found[f"mrr@{RANKED}"] = 0.0 if first is None else 1 / first
    found[f"ndcg@{RANKED}"] = _gain(targets, hits)
    found[f"char_recall@{READ}"] = _share_read(targets, hits)
    found[f"iou@{COMPARED}"] = _overlap(targets, hits[:COMPARED])
    return found


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that ``percent`` of all do not exceed (nearest rank); 0 where there are none."""
    if not values:
        return 0.0
    return sorted(values)[max(0, math.ceil(percent / 100 * len(values)) - 1)]


def _question(number: int, line: str) -> Question:
    """Raises ValueError with what is wrong, as the rest of a sentence."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        # The decoder's own words say at which column; a number of 5,000 digits has none.
        why = f" ({error.msg} at column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise ValueError(f"this is not JSON{why}") from error
    if not isinstance(row, Mapping):
        raise ValueError("this is not an object with question and relevant")
    text, items = row.get("question"), row.get("relevant")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("question is empty" if isinstance(text, str) else "question is missing or is no text")
    if not isinstance(items, list) or not items:
        raise ValueError("relevant must be a list of at least one file or excerpt")
    return Question(number, text, tuple(dict.fromkeys(_relevant(item) for item in items)))


def _relevant(item: Any) -> Relevant:
    if not isinstance(item, Mapping):
        raise ValueError("each entry of relevant must be an object with a path")
    path = item.get("path")
    if not isinstance(path, str) or not path.strip():
        raise ValueError("an entry of relevant has no path")
    inside = posixpath.normpath(path)
    if inside.startswith("/") or inside.split("/")[0] == ".." or inside == ".":
        raise ValueError(f"path {path} is not that of a file in the folder, relative to it")
    start, end, quote = item.get("start"), item.get("end"), item.get("quote")
    if start is not None or end is not None:
        return Relevant(inside, _span(start, end))
    if quote is None:
        return Relevant(inside)
    if not isinstance(quote, str) or not quote.strip():
        raise ValueError("quote must be some words of the file")
    return Relevant(inside, quote=quote)


def _span(start: object, end: object) -> Span:
    # type() and not isinstance(): true and false are numbers to Python, and no offsets.
    if type(start) is not int or type(end) is not int or start < 0 or end < 0:
        raise ValueError("start and end must both be whole numbers from 0")
    if start >= end:
        raise ValueError(f"start {start} is not before end {end}")
    return start, end


def _others(lines: Sequence[int]) -> str:
    if not lines:
        return ""
    return f" Neither can line{'s' if len(lines) > 1 else ''} {listed([*map(str, lines)], LISTED)} be used."


def _placed(item: Relevant, text: str | None) -> tuple[Target, str]:
    if text is None:
        size = item.span[1] - item.span[0] if item.span else len(item.quote) or None
        whole = item.span is None and not item.quote
        return Target(item.path, whole, item.span, size), f"{item.path} is not indexed, so it counts as missed."
    if item.span is not None:
        beyond = item.span[1] > len(text)
        note = f"{item.path} has {len(text):,} characters, fewer than its end says." if beyond else ""
        return Target(item.path, False, item.span, item.span[1] - item.span[0]), note
    if not item.quote:
        return Target(item.path, True, (0, len(text)), len(text)), ""
    span, times = _find(item.quote, text)
    if span is None:
        return Target(item.path, False, None, len(item.quote)), f"its quote is not in {item.path}: it counts as missed."
    note = f"its quote is in {item.path} {times} times; the first one is taken." if times > 1 else ""
    return Target(item.path, False, span, span[1] - span[0]), note


def _find(quote: str, text: str) -> tuple[Span | None, int]:
    at = text.find(quote)
    if at >= 0:
        return (at, at + len(quote)), text.count(quote)
    loose = re.compile(r"\s+".join(re.escape(word) for word in quote.split()))
    places = [match.span() for match in loose.finditer(text)]
    return (places[0] if places else None), len(places)


def _touches(hit: SearchHit, target: Target) -> bool:
    if hit.path != target.path:
        return False
    return target.whole or (target.span is not None and hit.start < target.span[1] and target.span[0] < hit.end)


def _recall(targets: Sequence[Target], hits: Sequence[SearchHit]) -> float:
    shares = 0.0
    for target in targets:
        if target.whole:
            shares += any(_touches(hit, target) for hit in hits)
        elif target.span is not None:
            found = _common([target.span], [(hit.start, hit.end) for hit in hits if hit.path == target.path])
            shares += found / (target.span[1] - target.span[0])
    return shares / len(targets)


def _gain(targets: Sequence[Target], hits: Sequence[SearchHit]) -> float:
    waiting = list(targets)
    ranks: list[int] = []
    for rank, hit in enumerate(hits, 1):
        left = [target for target in waiting if not _touches(hit, target)]
        if len(left) < len(waiting):
            ranks.append(rank)
        waiting = left
    ideal = range(1, min(RANKED, len(ranks) + len(waiting)) + 1)
    return sum(_discount(rank) for rank in ranks if rank <= RANKED) / sum(_discount(rank) for rank in ideal)


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def _share_read(targets: Sequence[Target], hits: Sequence[SearchHit]) -> float:
    left = READ
    spans: dict[str, list[Span]] = {}
    for hit in hits:
        if left <= 0:
            break
        end = min(hit.end, hit.start + left)
        spans.setdefault(hit.path, []).append((hit.start, end))
        left -= end - hit.start
    relevant, unplaced = _relevant_characters(targets)
    total = sum(_length(of_file) for of_file in relevant.values()) + unplaced
    return sum(_common(of_file, spans.get(path, [])) for path, of_file in relevant.items()) / total if total else 0.0


def _overlap(targets: Sequence[Target], hits: Sequence[SearchHit]) -> float:
    spans: dict[str, list[Span]] = {}
    for hit in hits:
        spans.setdefault(hit.path, []).append((hit.start, hit.end))
    relevant, unplaced = _relevant_characters(targets)
    both = sum(_common(of_file, spans.get(path, [])) for path, of_file in relevant.items())
    either = sum(_length(of_file) for of_file in (*relevant.values(), *spans.values())) + unplaced - both
    return both / either if either else 0.0


def _relevant_characters(targets: Sequence[Target]) -> tuple[dict[str, list[Span]], float]:
    """Spans by path, and the number of characters whose place is not known."""
    spans: dict[str, list[Span]] = {}
    known = [target.size for target in targets if target.size is not None]
    usual = sum(known) / len(known) if known else 1.0
    unplaced = 0.0
    for target in targets:
        if target.span is not None:
            spans.setdefault(target.path, []).append(target.span)
        else:
            unplaced += usual if target.size is None else target.size
    return spans, unplaced


def _merged(spans: Iterable[Span]) -> list[Span]:
    """The same characters in spans that neither touch nor overlap, in order."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


def _length(spans: Iterable[Span]) -> int:
    return sum(end - start for start, end in _merged(spans))


def _common(some: Iterable[Span], others: Iterable[Span]) -> int:
    """Characters that are in both, each once."""
    theirs = _merged(others)
    return sum(max(0, min(end, last) - max(start, first)) for start, end in _merged(some) for first, last in theirs)
