"""An engine that finds what a test gives it, and hits to be found."""

from collections.abc import Sequence

from textual.pilot import Pilot

from lens_tui.requests import Event, FileText, FolderNews, Found, IndexState, Related, Request, Search
from lens_tui.tui.app import LensApp
from lens_tui.tui.screens.search import SearchPage
from lens_tui.types import Reason, SearchHit
from tests.tui.fakes import MODEL, ROWS, ScriptedCall, ScriptedEngine
from tests.tui.stage import settled

QUERY = "three months notice"

LETTER = (
    "Dear Ms Okafor,\n\nWe confirm three months' notice, in writing, as agreed on the telephone.\n"
    "The keys are left with the agent.\n"
)
CODE = 'def sort_dict(values, key=None):\n    """Sort by notice."""\n    return sorted(values, key=key)\n'
DIARY = "大家さんに三か月前のnoticeを書面で送ること。返事は四月まで待つ。"
LEXICAL = IndexState(phase="idle", files=412, total=412, chunks=4120, embedder="builtin-3", vectors_total=4120)
SEMANTIC = IndexState(
    phase="idle", files=412, total=412, chunks=4120, embedder="embeddinggemma", vectors=4120, vectors_total=4120
)


def hit(
    rank: int, path: str, text: str, line: int, words: Sequence[str] = (), snippet: str = "", **why: int
) -> SearchHit:
    """A hit whose text begins at a line; every ``words`` in it is matched; ``why`` is the rank in each retriever."""
    marks = sorted((at, at + len(word)) for word in words for at in range(len(text)) if text.startswith(word, at))
    return SearchHit(
        rank=rank, score=1 / rank, path=path, id=f"c0ffee-{rank}", chunk=rank, start=0, end=len(text),
        lines=(line, line + text.count("\n")), page=None, heading=("Letters",), tags=(), text=text,
        snippet=snippet or text, marks=tuple(marks), why={name: Reason(at, 10.0 / at) for name, at in why.items()},
    )  # fmt: skip


CONFIRM = "We confirm three months' notice, in writing, as agreed on the telephone."
WANTED = ("three", "months'", "notice")
HITS = (
    hit(1, "house/letters/2024.md", LETTER, 1, WANTED, CONFIRM, lexical=1, vector=4),
    hit(
        2,
        "house/lease.md",
        "…unless either party gives notice in writing at least three months before the end.",
        12,
        ("notice", "three", "months"),
        lexical=2,
    ),
    hit(3, "日記/2024-03.md", DIARY, 7, ("notice",), lexical=5),
    hit(4, "work/flat/offers.md", "Flat 3: notice of one month, deposit of two.", 112, ("notice",), vector=1),
    hit(5, "work/sort.py", CODE, 1, ("notice",), lexical=6),
)
FILES = {
    "house/letters/2024.md": FileText(path="house/letters/2024.md", text=LETTER, checksum="", kind="markdown"),
    "house/lease.md": FileText(path="house/lease.md", text="\n" * 11 + HITS[1].text + "\n", checksum=""),
}


def found(
    query: str, hits: Sequence[SearchHit] = HITS, *, retriever: str = "hybrid", notes: Sequence[str] = ()
) -> Found:
    return Found(query=query, k=50, retriever=retriever, hits=tuple(hits), notes=tuple(notes), milliseconds=3.2)  # type: ignore[arg-type]


class SearchingEngine(ScriptedEngine):
    """Answers searches with the same hits, or with what ``by_query`` says; a test those for ``held`` hits or more."""

    def __init__(
        self,
        *,
        state: IndexState = SEMANTIC,
        by_query: dict[str, Event] | None = None,
        held: int = 0,
        like: Found | None = None,
        **scripted: object,
    ) -> None:
        super().__init__(
            news=(FolderNews(state=state, rows=ROWS, all=True, model=MODEL),),
            files=FILES,
            **scripted,  # type: ignore[arg-type]
        )
        self._by_query = by_query or {}
        self._held = held
        self._like = like
        self._state = state

    def start(self, request: Request) -> ScriptedCall:
        if isinstance(request, Search) and 0 < self._held <= request.k:
            call = ScriptedCall(request)
            self.calls.append(call)
            return call
        return super().start(request)

    def _replies(self, request: Request) -> Sequence[Event]:
        if isinstance(request, Search):
            retriever = request.retriever or ("lexical" if self._state is LEXICAL else "hybrid")
            return (self._by_query.get(request.query) or found(request.query, retriever=retriever),)
        if isinstance(request, Related):
            return (self._like or found(f"{request.path}:{request.line}", HITS[1:3], retriever="hybrid"),)
        return super()._replies(request)


async def open_page(app: LensApp, pilot: Pilot[int]) -> SearchPage:
    """Open the page from the question box."""
    await pilot.press("slash")
    await settled(pilot, lambda: isinstance(app.screen, SearchPage) and app.screen.is_mounted)
    page = app.screen
    assert isinstance(page, SearchPage)
    return page


async def search(app: LensApp, pilot: Pilot[int], query: str = QUERY) -> SearchPage:
    """Open the page from the question box, type, and wait until the newest query is answered."""
    page = await open_page(app, pilot)
    await pilot.press(*("space" if sign == " " else sign for sign in query))
    await settled(pilot, lambda: not page.waiting and page.sought.found is not None and page._later is None)
    await pilot.pause(0.05)
    return page
