"""Sources that change while a conversation is read: asked after when they rest, drawn at once, followed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from lens_tui.history import Fate
from lens_tui.requests import FileText, FolderNews, OpenFile, Trace, Watch
from lens_tui.tui.app import LensApp
from lens_tui.tui.screens.file import FilePage
from lens_tui.types import FileRow
from tests.tui.fakes import EXCERPTS, IDLE, QUESTION, RUNS
from tests.tui.kept import CALM, KeptEngine
from tests.tui.stage import answered, opened, rows, settled, text

LETTER = "house/letters/2024.md"
MOVED = Fate("moved", "archive/letters.md", 6, 78, line=3, file_gone=True)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[KeptEngine]:
    engine = KeptEngine(
        tmp_path / "talks.sqlite3", files={MOVED.path: FileText(path=MOVED.path, text="x" * 90, checksum="b")}
    )
    engine.keep((QUESTION, CALM))
    yield engine
    engine.talks.close()


def changed(engine: KeptEngine, *rows: FileRow, gone: tuple[str, ...] = ()) -> None:
    engine.one(Watch).put(FolderNews(state=IDLE, rows=rows, gone=gone))


async def loaded(app: LensApp, pilot: Pilot[int], engine: KeptEngine) -> None:
    """Wait for the conversation, and for what the first news of the folder, which names every file, has asked after."""
    await settled(pilot, lambda: bool(app.main.talk.turns) and bool(engine.sent(Trace)))
    await settled(pilot, lambda: bool(app.rows) and not app.tracing._touched)


async def test_a_conversation_that_is_opened_asks_after_each_passage_once(engine: KeptEngine) -> None:
    async with opened(engine) as (app, pilot):
        await loaded(app, pilot, engine)
        asked = engine.sent(Trace)[0]
        assert [passage.path for passage in asked.passages] == ["house/lease.md", LETTER, "house/deposit.md"]
        lease = asked.passages[0]
        assert (lease.text, lease.checksum) == (RUNS, "c0ffee")
        assert EXCERPTS[0].text[lease.start - 400 : lease.end - 400] == RUNS
        assert "~" not in text(app).replace("~/notes", "").replace("~ todo.md", "")


async def test_a_file_that_changes_is_said_at_its_citation_while_one_reads(engine: KeptEngine) -> None:
    async with opened(engine) as (app, pilot):
        await loaded(app, pilot, engine)
        engine.fate = lambda passage: MOVED if passage.path == LETTER else Fate()
        changed(engine, gone=(LETTER,))
        await settled(pilot, lambda: "[3~]" in text(app))
        await settled(pilot, lambda: [passage.path for passage in engine.sent(Trace)[-1].passages] == [LETTER])
        assert "house/letters/2024.md is gone; the sentence is" in text(app)
        assert "now in archive/letters.md:3" in text(app)


async def test_a_file_that_nothing_is_cited_from_is_not_asked_after(engine: KeptEngine) -> None:
    async with opened(engine) as (app, pilot):
        await loaded(app, pilot, engine)
        before = len(engine.sent(Trace))
        changed(engine, FileRow("ideas.md", "indexed", 5), FileRow("house/lease.md", "reading"))
        await settled(pilot, lambda: app.rows["ideas.md"].chunks == 5)
        await pilot.pause(0.5)
        assert len(engine.sent(Trace)) == before


async def test_a_lost_text_is_looked_for_again_when_any_file_comes(engine: KeptEngine) -> None:
    engine.fate = lambda passage: Fate("gone", LETTER, file_gone=True) if passage.path == LETTER else Fate()
    async with opened(engine) as (app, pilot):
        await settled(pilot, lambda: "[3~]" in text(app))
        assert "as it was when answered" in text(app)
        engine.fate = lambda passage: MOVED if passage.path == LETTER else Fate()
        changed(engine, FileRow("archive/letters.md", "indexed", 2))
        await settled(pilot, lambda: "now in archive/letters.md:3" in text(app))


async def test_a_file_that_is_as_it_was_again_has_no_sign_any_more(engine: KeptEngine) -> None:
    engine.fate = lambda passage: Fate("changed", passage.path, passage.start, passage.end, line=10)
    async with opened(engine) as (app, pilot):
        await settled(pilot, lambda: "[1~]" in text(app))
        engine.fate = lambda passage: Fate()
        changed(engine, FileRow("house/lease.md", "indexed", 11))
        await settled(pilot, lambda: "[1~]" not in text(app))
        assert "[3~]" in text(app)


async def test_such_a_citation_opens_where_its_sentence_is_now(engine: KeptEngine) -> None:
    engine.fate = lambda passage: MOVED if passage.path == LETTER else Fate()
    async with opened(engine) as (app, pilot):
        await settled(pilot, lambda: "[3~]" in text(app))
        await pilot.press("tab", "3", "enter")
        await settled(pilot, lambda: isinstance(app.screen, FilePage))
        assert [wish.path for wish in engine.sent(OpenFile)] == [MOVED.path]
        assert rows(app)[1].startswith(" ~ house/letters/2024.md is gone; the sentence is now in archive/letters.md:3")
        assert "[3~]" in text(app)


async def test_a_source_that_is_gone_says_so_and_stays_as_it_was(engine: KeptEngine) -> None:
    engine.fate = lambda passage: Fate("gone", passage.path, file_gone=True)
    async with opened(engine) as (app, pilot):
        await settled(pilot, lambda: "[1~]" in text(app))
        await pilot.press("tab", "enter")
        await pilot.pause()
        assert "house/lease.md is gone; the source shows its text as it was." in rows(app)[35]
        assert "The lease" in text(app)


async def test_a_new_answer_is_followed_too(engine: KeptEngine) -> None:
    async with opened(engine) as (app, pilot):
        await loaded(app, pilot, engine)
        await answered(app, pilot)
        await settled(pilot, lambda: len(engine.sent(Trace)) == 2)
        engine.fate = lambda passage: Fate("changed", passage.path, passage.start, passage.end, line=12)
        changed(engine, FileRow("house/lease.md", "indexed", 11))
        await settled(pilot, lambda: all(turn.fates for turn in app.main.talk.turns))
