"""What stands around the conversation: the rule, the top row of each column, the sources of the turn that is read."""

from typing import TYPE_CHECKING

from lens_tui.text.titles import title_of
from lens_tui.tui.cells import cut_middle
from lens_tui.tui.ink import signs_of
from lens_tui.tui.layout.facts import count
from lens_tui.tui.layout.lines import shortened_path
from lens_tui.tui.layout.working import QUIET_SECONDS, answering, busy, found, indexing, standing
from lens_tui.tui.screens import room
from lens_tui.tui.screens.room import FILES_WIDTH
from lens_tui.tui.widgets.header import Header

if TYPE_CHECKING:
    from lens_tui.requests import Talk
    from lens_tui.tui.screens.main import MainScreen


def show_work(screen: "MainScreen", *, below: int, busy_since: float | None, now: float, wanted: str) -> None:
    """The rule: what runs, how far it has come, who answers.

    Args:
        screen: Whose rule.
        below: Rows of the conversation under those that are seen.
        busy_since: When the indexer began what it does.
        now: By the same clock.
        wanted: The model that settings name.
    """
    asking = answering(screen.running, now)
    words, share = indexing(screen.state)
    if busy(screen.state) and now - (now if busy_since is None else busy_since) < QUIET_SECONDS:
        words, share = "", None
    right = standing(
        screen.state, screen.choice, below=below, engine=screen.engine, is_answering=bool(asking), wanted=wanted
    )
    if screen.pull is not None and not screen.pull.over and not asking:
        words, share = screen.pull.words(), screen.pull.share
    screen.rule.show(asking or words, share, right)


def show_talk(screen: "MainScreen", talk: "Talk", *, first: bool, turn: int | None) -> None:
    """Show another conversation.

    Args:
        screen: Where.
        talk: The conversation, and what the app had asked to remember.
        first: Whether it is the one of last time: place, panels and what was not sent come back with it.
        turn: Id of the turn to stand at; None for the end.
    """
    screen.talk.load(talk.conversation)
    screen.chat.choose(None)
    screen.set_class(False, "-sheet")
    screen.chat.show(screen.talk)
    screen.question.remember([live.question for live in screen.talk.turns])
    if first:
        room.restore(screen, talk.state)
    for place, live in enumerate(screen.talk.turns):
        if turn is not None and live.kept_id == turn:
            screen.call_after_refresh(screen.chat.stand_at, (place, 0, 0))
    screen.show_all()


def show_heads(screen: "MainScreen", folder: str) -> None:
    """The top row of each column; the one with the focus is bold. ``folder`` is its name as a person writes it."""
    part, state = screen.part, screen.state
    files = count(max(state.files, state.total), "file") if state is not None else ""
    tail = f" · {files}" if files else ""
    room, ellipsis = FILES_WIDTH - 2 - len(tail), signs_of(screen).ellipsis
    words = cut_middle(shortened_path(folder, room, ellipsis), room, ellipsis) + tail
    screen.query_one("#files-head", Header).show([(words, "bold" if part == "files" else "muted")])
    talk = screen.talk
    new = "" if talk.expected else "New conversation"
    title = talk.title or (title_of(talk.turns[0].question) if talk.turns else new)
    tally = found(talk.turns[talk.shown]) if talk.shown is not None else ""
    ink = "muted" if part in ("sources", "files") else "bold"
    if screen.has_class("-wide"):
        left, right = [(title, ink)], []
    else:
        name = shortened_path(folder, max(screen.size.width // 4, 12), signs_of(screen).ellipsis)
        left = [(name, "muted"), (title, ink)]
        right = [(tally or files, "muted")] if screen.has_class("-narrow") else [(files, "muted")]
    screen.query_one("#chat-head", Header).show(left, right)
    screen.query_one("#sources-head", Header).show([(tally, "bold" if part == "sources" else "muted")])


def show_sources(screen: "MainScreen") -> None:
    """The excerpts of the turn that is read now, in the column and in the sheet."""
    talk = screen.talk
    if talk.shown is None:
        screen.sources.show((), (), None)
        return
    turn, citation = talk.turns[talk.shown], talk.citation()
    left_out = turn.answered.left_out if turn.answered is not None else 0
    coming = turn.answered is None
    index = talk.chosen[1] if talk.chosen is not None else None
    fates = turn.fates_by_number(index)
    screen.sources.show(turn.excerpts, turn.citations, citation, streaming=coming, left_out=left_out, fates=fates)
    if citation is not None and screen.has_class("-sheet"):
        cited = list(dict.fromkeys(c.number for c in turn.citations if turn.source(c)))
        tally = f"{cited.index(citation.number) + 1} of {len(cited)} cited" if citation.number in cited else ""
        screen.sheet.show(turn.source(citation), citation, tally, fates.get(citation.number))
