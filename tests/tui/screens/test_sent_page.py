"""What a model was sent: both messages word for word, tokens beside each excerpt, or why there is nothing."""

from pathlib import Path

from lens_tui.requests import Ask
from lens_tui.tui.screens.sent import SentPage
from tests.tui.fakes import ANSWERED, QUESTION, QUOTED, RETRIEVED, ScriptedEngine
from tests.tui.kept import SENT, SYSTEM, USER, KeptEngine
from tests.tui.stage import answered, ask, opened, rows, settled, text
from tests.tui.tiny import TinyApp, row_text


async def test_both_messages_stand_word_for_word_with_the_tokens_of_each_excerpt() -> None:
    app = TinyApp(page=lambda: SentPage(SENT, ANSWERED))
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        shown = [row_text(app, y).rstrip() for y in range(40)]
        body = shown[3 : 3 + len(SYSTEM.split("\n"))]
        assert [row[3:] for row in body] == SYSTEM.split("\n")
        start = 3 + len(SYSTEM.split("\n")) + 3
        lines = [row[3:].removesuffix("14 tokens").removesuffix("17 tokens").rstrip() for row in shown[start:]]
        assert lines[: len(USER.split("\n"))] == USER.split("\n")
        assert [row.split()[-2:] for row in shown if "#chunk-" in row] == [["14", "tokens"], ["17", "tokens"]]
        assert "1,850 tokens read by the model · context of 4,096" in shown[38]


async def test_a_long_line_wraps_and_nothing_in_it_steers_the_terminal() -> None:
    odd = "[1] a.md#chunk-0\n" + "word " * 40 + "\x1b[31m\ttab"
    sent = SENT.__class__(model="m", system="s", user=odd, excerpts=SENT.excerpts[:0])
    app = TinyApp(page=lambda: SentPage(sent, None))
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        assert [strip.cell_length for strip in strips] == [60] * 30
        assert "\x1b" not in "".join(row_text(app, y) for y in range(30))


async def test_it_can_be_seen_while_the_answer_comes_and_after_the_app_was_closed(tmp_path: Path) -> None:
    engine = KeptEngine(tmp_path / "talks.sqlite3", answer=None)
    engine.keep((QUESTION, ANSWERED))
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await settled(pilot, lambda: bool(app.main.talk.turns))
        await pilot.press("tab", "x")
        await settled(pilot, lambda: isinstance(app.screen, SentPage))
        assert "[1] house/lease.md#chunk-3" in text(app)
        await pilot.press("escape", "i")
        await ask(app, pilot, "And now?")
        call = engine.one(Ask)
        call.put(RETRIEVED, SENT)
        await settled(pilot, lambda: app.main.talk.turns[-1].sent is not None)
        app.main.action_explain()
        await settled(pilot, lambda: isinstance(app.screen, SentPage))
        assert "about 76 tokens" in rows(app)[22]
        call.end()
    engine.talks.close()


async def test_of_quotes_nothing_was_sent() -> None:
    async with opened(ScriptedEngine(answer=(RETRIEVED, QUOTED)), size=(80, 24)) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "x")
        await pilot.pause()
        assert "No model was asked" in rows(app)[23]
