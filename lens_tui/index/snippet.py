"""The part of an excerpt that a list shows: around what matched, ending at a sentence or a line."""

import re
from collections import Counter
from collections.abc import Sequence

from lens_tui.text.graphemes import border_before, is_border
from lens_tui.text.sentences import each_sentence
from lens_tui.text.stretches import ALMOST, Mark, stretches
from lens_tui.types import Span

ABOUT = 120
"""Characters of a snippet in a list."""

ROOM = 1.2
"""Times as long as asked that a snippet of several sentences may be."""

AT_MOST = 200
"""Characters of a sentence that is shown whole; of a longer one, the part around the match."""

NEARBY = 200
"""Characters on each side of the match that are looked at: a snippet never reaches further."""


SLACK = 24
"""Characters in which a cut looks for the end of a word or clause; a longer word is cut between two characters."""


_HEADING = re.compile(r"#{1,6}[ \t]")

_GAP = re.compile(r"\s+|[、，；：。]\s*")


def merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Spans in order, those that touch or overlap joined."""
    found: list[Span] = []
    begun, ended = -1, -1
    for start, end in sorted(spans):
        if start > ended:
            if ended >= 0:
                found.append((begun, ended))
            begun, ended = start, end
        elif end > ended:
            ended = end
    return (*found, (begun, ended)) if ended >= 0 else ()


def snippet(text: str, marks: Sequence[Mark], about: int = ABOUT) -> str:
    """About ``about`` characters of ``text``, where most of the marks stand together; its beginning without any.

    Made of whole sentences or lines. A sentence longer than AT_MOST is cut between words, with an ellipsis there.

    Args:
        text: What it is a part of.
        marks: What matched, in order.
        about: Characters.
    """
    start, end = centre(marks, about)
    most = int(about * ROOM)
    # A paragraph that ends further before it than a snippet is long has no part in it.
    begin = max(start - NEARBY, 0)
    begin = max(text.rfind("\n\n", begin, max(start - most, begin)) + 1, begin)
    pieces = _pieces(text, begin, min(end + NEARBY, len(text)), end + most)
    if not pieces:
        return text.strip()
    first = max((at for at, piece in enumerate(pieces) if piece[0] <= start), default=0)
    last = max(first, max((at for at, piece in enumerate(pieces) if piece[0] < end), default=0))
    while first < last and pieces[first][1] <= start and pieces[last][1] - pieces[first][0] > AT_MOST:
        first += 1
    begin, stop = pieces[first][0], pieces[last][1]
    if stop - begin > AT_MOST:
        return _cut(text, (begin, stop), (start, min(end, stop)), about)
    while True:
        # The shorter neighbour first, as long as the whole stays about as long as asked; no heading over nothing.
        sides = []
        if last + 1 < len(pieces) and not _HEADING.match(text, pieces[last + 1][0]):
            sides.append((pieces[last + 1][1] - begin, first, last + 1))
        if first > 0:
            sides.append((stop - pieces[first - 1][0], first - 1, last))
        if not sides or min(sides)[0] > most:
            return text[_whole_line(text, begin, stop) : stop]
        _, first, last = min(sides)
        begin, stop = pieces[first][0], pieces[last][1]


def centre(marks: Sequence[Mark], about: int = ABOUT) -> Span:
    """The stretch of at most ``about`` characters that holds what is worth most, each term once.

    Args:
        marks: In order.
        about: Characters.

    Returns:
        Of several stretches that of most marks, then the first, without what it holds twice at its ends; of one term
        all of them. The beginning without marks.
    """
    first, last, most = 0, 0, 0.0
    for at, past, value in stretches(marks, about):
        if value > most + ALMOST or (value > most - ALMOST and past - at > last - first):
            first, last, most = at, past, value
        if past == len(marks):
            break  # those that follow are parts of this one
    return _tight(marks[first:last] or marks[:1])


def _tight(marks: Sequence[Mark]) -> Span:
    """From the first to the last mark, those at the ends left out that stand between them too."""
    if not marks:
        return 0, 0
    held = Counter(mark.term for mark in marks)
    first, last = 0, len(marks) - 1
    while len(held) > 1 and held[marks[first].term] > 1:
        held[marks[first].term] -= 1
        first += 1
    while len(held) > 1 and held[marks[last].term] > 1:
        held[marks[last].term] -= 1
        last -= 1
    return marks[first].start, marks[last].end


def _pieces(text: str, begin: int, stop: int, far: int) -> list[Span]:
    """Sentences about ``text[begin:stop]`` that begin up to ``far``, long ones over several lines cut at the lines.

    Only whole lines are looked at; where one is so long that it is cut here, its first piece begins inside a sentence,
    far enough from the match to be never shown.
    """
    begin = text.rfind("\n", max(begin - NEARBY, 0), begin) + 1 or max(begin - NEARBY, 0)
    line_end = text.find("\n", stop, stop + NEARBY)
    stop = line_end if line_end >= 0 else min(stop + NEARBY, len(text))
    pieces: list[Span] = []
    for first, last in each_sentence(text[begin:stop]):
        start, end = begin + first, begin + last
        if start > far:
            break
        if end - start <= AT_MOST:
            pieces.append((start, end))
            continue
        pieces.extend((start + line.start(), start + line.end()) for line in re.finditer(r"\S.*", text[start:end]))
    return pieces


def _cut(text: str, whole: Span, match: Span, about: int) -> str:
    """About ``about`` characters around the match, of one long sentence."""
    room = max(about - (match[1] - match[0]), 0)
    begin = max(whole[0], match[0] - room // 2)
    stop = min(whole[1], max(match[1], begin + about))
    begin = max(whole[0], min(begin, stop - about))
    if begin > whole[0]:
        begin = _after_gap(text, begin, match[0])
    if stop < whole[1]:
        stop = _before_gap(text, stop, match[1])
    return ("…" if begin > whole[0] else "") + text[begin:stop].strip() + ("…" if stop < whole[1] else "")


def _after_gap(text: str, at: int, limit: int) -> int:
    """Where a word or clause begins, at ``at`` or soon after; a character's beginning where none does."""
    if text[at - 1].isspace():
        return at
    if gap := _GAP.search(text, at, min(at + SLACK, limit)):
        return gap.end()
    while at < limit and not is_border(text, at):
        at += 1
    return at


def _before_gap(text: str, at: int, limit: int) -> int:
    """Where a word or clause ends, at ``at`` or not long before; a character's end where none does."""
    if text[at].isspace():
        return at
    gaps = list(_GAP.finditer(text, max(at - SLACK, limit), at))
    return gaps[-1].start() + len(gaps[-1][0].rstrip()) if gaps else border_before(text, at, limit)


def _whole_line(text: str, begin: int, stop: int) -> int:
    """Where the first of several lines begins with its indent, so that code keeps its shape."""
    line = text.rfind("\n", 0, begin) + 1
    return line if "\n" in text[begin:stop] and text[line:begin].isspace() else begin
