"""The outline of a Markdown text: front matter, headings, tags, with exact offsets."""

import bisect
import datetime
import html
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from lens_tui.types import Heading, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

LONGEST_FRONT_MATTER = 65_536
"""Characters; what is longer is no front matter."""

MOST_VALUES = 10_000
"""Values in front matter: YAML's aliases can multiply a few lines to billions."""

LONGEST_TITLE = 2_000
"""Characters of a heading's line that its title is made of; a longer line is no title that anyone reads."""

_FRONT = re.compile(r"(?:(?P<yaml>---)|\+\+\+)[ \t]*\n")
_YAML_END = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_TOML_END = re.compile(r"^\+\+\+[ \t]*(?:\n|\Z)", re.MULTILINE)

_MAYBE_HEADING = re.compile(r"^ {0,3}(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)", re.MULTILINE)

_WORD = r"\w\u0300-\u036f\u0900-\u0963\u0966-\u0fff\u1ab0-\u1aff"
"""Letters, digits and the marks that belong to letters."""

_TAG = re.compile(
    rf"(?:(?<![^\s(（「『【［、。，,;；])(?<!\]\())[#＃]((?=[{_WORD}/:-]*[^\W\d_])[{_WORD}][{_WORD}/:-]*)"
)
_COLOUR = re.compile(r"(?=.*\d)(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
_TICKS = re.compile("`+")

_MARKUP = (
    (re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]"), r"\1"),
    (re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])"), r"\1"),
    (re.compile(r"<(?:https?://|mailto:)([^<>\s]+)>"), r"\1"),
    (re.compile(r"</?[A-Za-z][^<>]*>"), ""),
    (re.compile(r"(?<!\\)(\*{1,3}|~~)(?=\S)(.+?)(?<=[^\s\\])\1"), r"\2"),
    (re.compile(r"(?<![\w\\])(_{1,3})(?=\S)(.+?)(?<=[^\s\\])\1(?!\w)"), r"\2"),
    (re.compile(r"[ \t]*\{[#.:][^{}]*\}[ \t]*\Z"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
"""Inline markup → what is left of it, in order."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The data at the head of a file."""

    data: Mapping[str, object] = field(default_factory=dict)
    """Plain values: text, numbers, truth values, None, lists and mappings; dates as ISO text."""
    body_start: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Blocks:
    """What a text's blocks tell."""

    headings: tuple[Heading, ...] = ()
    without_tags: tuple[Span, ...] = ()
    """Spans in which ``#word`` is no tag, in order: code, raw HTML, headings."""


def front_matter(text: str) -> FrontMatter:
    """Parse the front matter between ``---`` (YAML) or ``+++`` (TOML) lines at the very beginning.

    What is no mapping is no front matter; what looks like one and cannot be parsed stays text, with a warning.
    """
    opening = _FRONT.match(text)
    if opening is None:
        return FrontMatter()
    is_yaml = opening["yaml"] is not None
    ending = (_YAML_END if is_yaml else _TOML_END).search(text, opening.end(), LONGEST_FRONT_MATTER)
    if ending is None:
        return FrontMatter()
    source = text[opening.end() : ending.start()]
    try:
        parsed = _yaml(source) if is_yaml else tomllib.loads(source)
        if parsed is None and is_yaml:
            parsed = {}
        if not isinstance(parsed, dict):
            return FrontMatter()
        data = _plain_mapping(parsed, _Budget(MOST_VALUES))
    except (ValueError, TypeError, RecursionError, OverflowError, AttributeError) as error:
        kind = "YAML" if is_yaml else "TOML"
        reason = " ".join(str(getattr(error, "problem", None) or error).split())[:200] or type(error).__name__
        return FrontMatter(warnings=(f"Its front matter is not {kind} and was read as text: {reason}.",))
    return FrontMatter(data, ending.end())


def tags_in(data: Mapping[str, object]) -> tuple[str, ...]:
    """Tags of front matter: ``tags`` or ``tag``, a list, or text with commas or spaces between."""
    found: list[str] = []
    for key, value in data.items():
        if key.lower() not in ("tags", "tag"):
            continue
        if isinstance(value, str):
            found += value.split(",") if "," in value else value.split()
        elif isinstance(value, list):
            found += [str(item) for item in value if isinstance(item, str | int | float)]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found.append(str(value))
    return tuple(dict.fromkeys(tag for tag in (part.strip().lstrip("#＃") for part in found) if tag))


def inline_tags(text: str, start: int = 0, without: Sequence[Span] = ()) -> tuple[str, ...]:
    """Every ``#tag`` from ``start`` on outside the spans ``without``, each once, in order.

    A tag follows a space or an opening bracket, holds a letter, and may hold ``/``, ``:`` and ``-``; ``#123`` and
    colours such as ``#3f51b5`` are none.
    """
    if "#" not in text and "＃" not in text:
        return ()
    found: dict[str, None] = {}
    spans = iter(without)
    span = next(spans, None)
    code = _CodeSpans(text)
    for match in _TAG.finditer(text, start):
        at = match.start()
        while span is not None and span[1] <= at:
            span = next(spans, None)
        if span is not None and span[0] <= at:
            continue
        tag = match[1].rstrip("/:-")
        if tag and not _COLOUR.match(tag) and not code.hold(at):
            found[tag] = None
    return tuple(found)


def blocks_of(text: str, start: int = 0) -> Blocks:
    """Find the headings of a Markdown text from ``start`` on, by CommonMark's rules, and the spans without tags.

    Headings inside quotes and lists are not part of the outline. Offsets count in ``text``.
    """
    if not _MAYBE_HEADING.search(text, start) and "#" not in text and "＃" not in text:
        return Blocks()
    body = text[start:]
    starts = [start, *(match.end() + start for match in re.finditer("\n", body)), len(text)]
    starts.append(len(text))
    headings: list[Heading] = []
    spans: list[Span] = []
    tokens = _parser().parse(body)
    for place, token in enumerate(tokens):
        if token.map is None or token.type not in ("heading_open", "fence", "code_block", "html_block"):
            continue
        first, last = token.map
        spans.append((starts[first], starts[last]))
        if token.type == "heading_open" and token.level == 0:
            title = plain_title(tokens[place + 1].content)
            headings.append(Heading(starts[first], int(token.tag[1]), title))
    return Blocks(tuple(headings), tuple(spans))


def plain_title(source: str) -> str:
    """A heading's words: links by their text, emphasis, code marks, HTML and attributes dropped, on one line."""
    source = source[:LONGEST_TITLE]
    pieces: list[str] = []
    at = 0
    for start, end in [*code_spans(source), (len(source), len(source))]:
        piece = source[at:start]
        for pattern, left in _MARKUP:
            piece = pattern.sub(left, piece)
        pieces += [html.unescape(piece), source[start:end].strip("`")]
        at = end
    return " ".join("".join(pieces).split())


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    """CommonMark's blocks alone: no inline rules, and no references, whose definitions would vanish from the text.

    Made once: that takes as long as parsing 5 kB. It keeps nothing of what it has parsed.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline"])
    parser.block.ruler.disable(["reference"])
    # It sorts its rules at its first use, and one thread must not see what another has sorted half.
    parser.parse("a")
    return parser


class _CodeSpans:
    """Whether a place lies between backticks in its own line; asked in rising order, so each line is read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = -1
        self._spans: list[Span] = []

    def hold(self, at: int) -> bool:
        if at > self._end:
            first = self._text.rfind("\n", 0, at) + 1
            end = self._text.find("\n", at)
            self._end = end if end >= 0 else len(self._text)
            self._spans = [(first + start, first + end) for start, end in code_spans(self._text[first : self._end])]
        place = bisect.bisect_right(self._spans, (at, at))
        return place > 0 and at < self._spans[place - 1][1]


def code_spans(line: str) -> list[Span]:
    """Spans of inline code in one line, backticks included: a run of them closes the next run of the same length."""
    runs = [match.span() for match in _TICKS.finditer(line)]
    by_length: dict[int, list[int]] = {}
    for place, (start, end) in enumerate(runs):
        by_length.setdefault(end - start, []).append(place)
    spans: list[Span] = []
    place = 0
    while place < len(runs):
        start, end = runs[place]
        same = by_length[end - start]
        following = bisect.bisect_right(same, place)
        if following < len(same):
            place = same[following]
            spans.append((start, runs[place][1]))
        place += 1
    return spans


def _yaml(source: str) -> object:
    import yaml

    try:
        return yaml.load(source, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise ValueError(str(getattr(error, "problem", None) or error)) from error


class _Budget:
    """How many values may still be copied."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise ValueError(f"it holds more than {MOST_VALUES:,} values")


def _plain_mapping(source: Mapping[object, object], budget: _Budget) -> dict[str, object]:
    return {str(key): _plain_value(value, budget) for key, value in source.items()}


def _plain_value(value: object, budget: _Budget) -> object:
    """Copy a parsed value as JSON could hold it."""
    budget.spend()
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, dict):
        return _plain_mapping(value, budget)
    if isinstance(value, list | tuple):
        return [_plain_value(item, budget) for item in value]
    if isinstance(value, set | frozenset):
        return [_plain_value(item, budget) for item in sorted(value, key=str)]
    return str(value)
