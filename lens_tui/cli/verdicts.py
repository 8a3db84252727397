"""What became of an answer's citations, in sentences for a person: the doubtful ones first, then how many hold."""

from collections.abc import Iterator, Sequence

from lens_tui.cli.hits import place
from lens_tui.cli.wording import counted
from lens_tui.text.listing import listed
from lens_tui.types import Citation, Excerpt, Span, Verdict

SHOWN = 10
"""Doubtful citations that are told one by one, and then how many more there are; JSON has every one."""

_WORST_FIRST: tuple[Verdict, ...] = ("contradicted", "invented", "weak")


def told(citations: Sequence[Citation], uncited: Sequence[Span]) -> Iterator[str]:
    """Say what is doubtful, worst first and each once, then one sentence on all that were judged."""
    doubtful = {_doubt(citation): None for verdict in _WORST_FIRST for citation in _of(citations, verdict)}
    yield from list(doubtful)[:SHOWN]
    if len(doubtful) > SHOWN:
        yield f"And {len(doubtful) - SHOWN:,} more; --json has every one."
    judged = [citation for citation in citations if citation.verdict is not None]
    parts = []
    if judged:
        supported = len(_of(judged, "supported"))
        parts.append(f"{supported:,} of {counted(len(judged), 'citation')} supported")
    if uncited:
        parts.append(f"{counted(len(uncited), 'sentence')} without a citation")
    if parts:
        yield ", ".join(parts) + "."


def carrying(citations: Sequence[Citation], excerpts: Sequence[Excerpt]) -> str:
    """Say at which lines the sentences stand that carry an answer; empty where its list of sources says as much.

    Doubtful citations are left to ``told``, which names their lines too.
    """
    lines_of = {excerpt.number: excerpt.lines for excerpt in excerpts}
    places: dict[str, None] = {}
    for citation in (one for one in citations if one.verdict in ("supported", None)):
        if citation.path and citation.lines and citation.lines != lines_of.get(citation.number):
            places[f"{place(citation.path, citation.lines)} [{citation.number}]"] = None
    return f"It says so at {listed([*places], SHOWN)}." if places else ""


def _of(citations: Sequence[Citation], verdict: Verdict) -> list[Citation]:
    return [citation for citation in citations if citation.verdict == verdict]


def _doubt(citation: Citation) -> str:
    where = f" ({place(citation.path, citation.lines)})" if citation.path and citation.lines else ""
    why = f": {citation.why.rstrip('.')}" if citation.why else ""
    return f"[{citation.number}]{where} is {citation.verdict}{why}."
