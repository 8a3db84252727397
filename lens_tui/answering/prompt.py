"""From hits to numbered excerpts, and from those to the two messages that a model is sent."""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lens_tui.text.display import one_line
from lens_tui.types import Excerpt, SearchHit

TextOf = Callable[[str, int, int], str | None]
"""``text_of(path, start, end)``: a file's text between two offsets, None where it cannot be had."""

NOTHING_FOUND = "No matching chunks were found."
"""Stands in the place of the excerpts where a search found none."""

BETWEEN = "\n\n---\n\n"

SYSTEM = "\n".join(
    (
        "You help a person to find out what their own files say. All that you know of the files is the numbered "
        "source excerpts in the message.",
        "Rules:",
        "1. State only what the excerpts state. Where the answer is not in them, say plainly that it is not there.",
        "2. After each statement, name the excerpt that it comes from by its number in brackets, like this: [1], "
        "or [1] [2] for two. Use no number that is not among the excerpts.",
        "3. Write in the language in which the question is asked.",
        "4. Be short and concrete: no introduction, no repetition, no advice that was not asked for.",
        "5. Give the answer alone: no hidden reasoning, no thinking out loud, no thinking tags.",
    )
)

GAP = 64
"""Characters between two neighbouring chunks that may be blank lines; what is longer is text that neither holds."""

_LINE_END = re.compile(r"(\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])")
_STRUCTURE = re.compile(
    r"-(?:\s*-){2,}\Z|[*_#\s]*(?:\[\s*\d+\s*\]|(?:question|source\s*excerpts)[*_\s]*:)"
    r"|#+\s*(?:system|user|human|assistant|instructions?|input|response)\s*:",
    re.IGNORECASE,
)
"""A line that begins like the prompt's own, or like a turn of the models whose turns are words (Alpaca's)."""
_CONTROL = re.compile(
    r"<(?=[|｜][^\s<>|｜]{1,40}[|｜]>|/?(?:start|end)_of_\w{1,20}>|/?(?:s|bos|eos|pad|unk|sop|eop)>|/?think(?:ing)?>"
    r"|/?tool_(?:call|response)s?>|fim_\w{1,10}>|</?SYS>>)"
    r"|\[(?=/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT|[gs]?MASK)\]|\|[^\s\[\]|]{1,40}\|\])"
)
"""Where a control token begins (ChatML, Llama, Phi, DeepSeek, Gemma, Mistral, Qwen, GLM, EXAONE). Ollama 0.24.0 reads
one that stands in a message as the token itself, so that a file could end the message and begin one of its own: a
space takes its power.
"""
_INVISIBLE = frozenset(("Cc", "Cf", "Mn", "Me"))
"""Categories of characters that show nothing of their own; accents are among them."""
_LIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−─━⎯⸺⸻ー", "-"),
        **dict.fromkeys("【〔⟦❲〖〘〚⁅", "["),
        **dict.fromkeys("】〕⟧❳〗〙〛⁆", "]"),
        **dict.fromkeys("∶꞉ː׃", ":"),
        **dict.fromkeys("\u115f\u1160\u17b4\u17b5\u2800"),
        **dict(zip("сеіорԛѕтхип", "ceiopqstxun", strict=True)),
        **dict(zip("ειορτχυνη", "eioptxunn", strict=True)),
    }
)
"""Characters that look like the structure's own, by the sign that they look like; Cyrillic and Greek in lower case."""


def excerpts_of(hits: Sequence[SearchHit], text_of: TextOf | None = None) -> tuple[Excerpt, ...]:
    """Number the evidence: neighbouring chunks of one file become one excerpt, the best hit's excerpt is the first.

    Chunks are joined where they overlap or touch, and where nothing but blank lines lies between two whose indexes
    follow each other: how many there are is known from offsets and lines, and other white space from ``text_of``.
    ``text == document.text[start:end]`` holds for every excerpt, the overlap of two chunks counted once.
    """
    runs: list[_Run] = []
    for hit in sorted(hits, key=lambda hit: (hit.path, hit.checksum, hit.start, hit.end)):
        joined = _joined(runs[-1], hit, text_of) if runs else None
        if joined is None:
            runs.append(_Run(hit.text, (hit,)))
        else:
            runs[-1] = joined
    runs.sort(key=lambda run: min(hit.rank for hit in run.hits))
    return tuple(_excerpt(number, run) for number, run in enumerate(runs, 1))


def user_message(question: str, excerpts: Sequence[Excerpt]) -> str:
    """The second message: the excerpts, numbered, and the question."""
    found = BETWEEN.join(map(shown, excerpts))
    return f"Source excerpts:\n\n{found or NOTHING_FOUND}\n\nQuestion:\n{_disarmed(question.strip())}"


@functools.lru_cache(maxsize=64)
def shown(excerpt: Excerpt) -> str:
    """An excerpt as it stands in the message: its heading, what stands above its text where there is such, its text."""
    above = f"{quoted(excerpt.above)}\n" if excerpt.above else ""
    return f"{heading(excerpt)}\n{above}{quoted(excerpt.text)}"


def heading(excerpt: Excerpt) -> str:
    """``[N] path#chunk-I``, or ``#chunk-I-J`` for joined ones, on one line whatever the path holds."""
    first, last = excerpt.chunks
    chunks = f"{first}" if first == last else f"{first}-{last}"
    return f"[{excerpt.number}] {_disarmed(one_line(excerpt.path))}#chunk-{chunks}"


def quoted(text: str) -> str:
    """Put ``> `` before every line that could be taken for the prompt's own structure.

    Compared without white space around it, invisible characters, accents and the width of its signs, with letters of
    other scripts taken for those that they look like; whatever sign a model may take for a line end counts as one.
    Control tokens of chat templates get a space inside.
    """
    pieces = _LINE_END.split(_disarmed(text))
    lines = (f"> {line}" if _looks_alike(line) else line for line in pieces[::2])
    return "".join(part for pair in zip(lines, (*pieces[1::2], ""), strict=True) for part in pair)


def _disarmed(text: str) -> str:
    return _CONTROL.sub(lambda match: f"{match[0]} ", text)


@dataclass(frozen=True, slots=True)
class _Run:
    """Hits that lie next to each other, in the order of the file, and their text."""

    text: str
    hits: tuple[SearchHit, ...]

    @property
    def end(self) -> int:
        return self.hits[0].start + len(self.text)


def _looks_alike(line: str) -> bool:
    if not (line.isascii() and line.isprintable()):
        signs = unicodedata.normalize("NFKD", line).casefold()
        line = "".join(char for char in signs if char == "\t" or unicodedata.category(char) not in _INVISIBLE)
        line = line.translate(_LIKE)
    return _STRUCTURE.match(line.strip()) is not None


def _joined(run: _Run, hit: SearchHit, text_of: TextOf | None) -> _Run | None:
    """The run with the next hit of its file, None where they do not lie next to each other or do not agree."""
    before = run.hits[-1]
    if (hit.path, hit.checksum) != (before.path, before.checksum):
        return None
    start, end = run.hits[0].start, run.end
    shared = end - hit.start
    if shared >= 0:
        agrees = run.text[hit.start - start : hit.end - start] == hit.text[:shared]
        return _Run(run.text + hit.text[shared:], (*run.hits, hit)) if agrees else None
    if hit.chunk != before.chunk + 1 or -shared > GAP:
        return None
    gap = _gap(run, hit, text_of)
    return None if gap is None else _Run(run.text + gap + hit.text, (*run.hits, hit))


def _gap(run: _Run, hit: SearchHit, text_of: TextOf | None) -> str | None:
    """The white space between a run and the next hit, None where it is not known to be that."""
    size = hit.start - run.end
    first = run.hits[0]
    line_ends = hit.lines[0] - first.lines[0] - run.text.count("\n")
    if line_ends == size:
        return "\n" * size
    whole = text_of(hit.path, first.start, hit.end) if text_of is not None else None
    if whole is None or not whole.startswith(run.text) or not whole.endswith(hit.text):
        return None
    gap = whole[len(run.text) : len(run.text) + size]
    fits = not gap.strip() and len(whole) == hit.end - first.start
    return gap if fits else None


def _excerpt(number: int, run: _Run) -> Excerpt:
    first = run.hits[0]
    chunks = [hit.chunk for hit in run.hits]
    return Excerpt(
        number=number,
        path=first.path,
        start=first.start,
        end=run.end,
        lines=(first.lines[0], max(hit.lines[1] for hit in run.hits)),
        hits=tuple(sorted(hit.rank for hit in run.hits)),
        text=run.text,
        chunks=(min(chunks), max(chunks)),
        checksum=first.checksum,
        above=first.above,
    )


def hits_of(excerpt: Excerpt, hits: Iterable[SearchHit]) -> list[SearchHit]:
    """The hits that an excerpt was made of, best first."""
    return sorted((hit for hit in hits if hit.rank in excerpt.hits), key=lambda hit: hit.rank)
