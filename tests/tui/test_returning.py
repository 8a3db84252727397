"""What is seen of a folder that one comes back to, from the first paint until everything is there."""

from dataclasses import replace

from lens_tui.history import Conversation, Turn
from lens_tui.requests import FolderNews, LastTalk, Remember, Request, Talk, Watch
from lens_tui.tui.screens.files import FilesPage
from lens_tui.types import Failed
from tests.tui.fakes import ANSWERED, IDLE, NO_MODEL, QUESTION, QUOTED, RETRIEVED, ROWS, ScriptedCall, ScriptedEngine
from tests.tui.stage import make_app, opened, rows, settled, text

WELCOME = "Ask, and every sentence of the answer"
KEPT = Talk(conversation=Conversation(1, "Lease", (Turn(1, QUESTION, 0.0, RETRIEVED, ANSWERED),)))


class SlowEngine(ScriptedEngine):
    """Says nothing of the last conversation until the test does."""

    def start(self, request: Request) -> ScriptedCall:
        if not isinstance(request, LastTalk):
            return super().start(request)
        call = ScriptedCall(request)
        self.calls.append(call)
        return call


async def test_where_conversations_are_kept_nothing_stands_in_the_place_of_the_last_one_until_it_comes() -> None:
    engine = SlowEngine()
    async with opened(engine, returning=True) as (app, pilot):
        await settled(pilot, lambda: not app.main.chat._due)
        assert WELCOME not in text(app)
        assert "New conversation" not in rows(app)[0]
        engine.one(LastTalk).put(KEPT)
        await settled(pilot, lambda: "The lease ends on 13 March 2027 [1" in text(app))
        assert "Lease" in rows(app)[0]


async def test_a_folder_without_conversations_is_welcomed_at_once() -> None:
    async with opened(SlowEngine()) as (app, pilot):
        await settled(pilot, lambda: WELCOME in text(app))
        assert "New conversation" in rows(app)[0]


async def test_where_the_last_conversation_cannot_be_read_one_is_welcomed_and_told_why() -> None:
    engine = SlowEngine()
    async with opened(engine, returning=True) as (app, pilot):
        engine.one(LastTalk).put(Failed(message="The file is damaged."))
        await settled(pilot, lambda: WELCOME in text(app))
        assert "The conversation cannot be read: The file is damaged." in text(app)
        assert "New conversation" in rows(app)[0]


async def test_quotes_of_last_time_stay_where_they_are_once_it_is_known_that_there_is_no_model() -> None:
    note = "Nothing answers at http://127.0.0.1:11434. For a model: ollama serve, then: ollama pull qwen3:4b"
    quoted = replace(QUOTED, notes=(note,))
    talk = Talk(conversation=Conversation(1, "", (Turn(1, QUESTION, 0.0, RETRIEVED, quoted),)))
    engine = ScriptedEngine(news=(), talk=talk)
    app = make_app(engine, returning=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: "2 sentences from 8 excerpts" in text(app))
        before = rows(app)
        engine.one(Watch).put(FolderNews(state=IDLE, rows=ROWS, all=True, model=NO_MODEL))
        await settled(pilot, lambda: "for a model: ollama serve" in text(app))
        places = [place for place, row in enumerate(rows(app)[1:21]) if row != before[1:21][place]]
        assert len(places) == 1, "only the row that names the command may change"


async def test_the_folders_that_were_open_among_the_files_come_back() -> None:
    engine = ScriptedEngine()
    async with opened(engine) as (app, pilot):
        await pilot.press("f2", "home", "right")
        await settled(pilot, lambda: bool(engine.of(Remember)))
        state = engine.sent(Remember)[-1].state
        assert state["open"] == list(app.main.tree_view.opened) != []
    async with opened(ScriptedEngine(talk=replace(KEPT, state=state))) as (app, pilot):
        await settled(pilot, lambda: bool(app.main.talk.turns))
        assert list(app.main.tree_view.opened) == state["open"]
        await pilot.press("f2", "home", "left")
        assert app.main.tree_view.opened == ()


async def test_what_is_opened_on_the_page_of_files_is_open_there_the_next_time() -> None:
    engine = ScriptedEngine()
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await pilot.press("f2", "home", "right")
        await settled(pilot, lambda: bool(engine.of(Remember)))
        await pilot.press("escape", "f2")
        assert isinstance(app.screen, FilesPage)
        assert list(app.screen.files.opened) == engine.sent(Remember)[-1].state["open"] != []
        await pilot.press("home", "left", "escape", "f2")
        assert isinstance(app.screen, FilesPage)
        assert list(app.screen.files.opened) == []
