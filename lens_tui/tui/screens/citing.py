"""Walking the citations of a conversation: which is current, and the file that it leads to."""

from typing import TYPE_CHECKING

from lens_tui.text.display import one_line
from lens_tui.tui.messages import EditWish, OpenFileWish

if TYPE_CHECKING:
    from lens_tui.tui.screens.main import MainScreen

SECOND_DIGIT_SECONDS = 0.5
"""A digit that follows within this time belongs to the number before it."""
CHOOSE_FIRST = "Choose a citation first: n goes to the next one."


def choose(screen: "MainScreen", chosen: tuple[int, int] | None) -> None:
    """Make a citation current: in the answer, in the sources, and in the sheet where there is no column."""
    if chosen is None:
        screen.say("Nothing is cited yet.")
        return
    screen.talk.chosen = chosen
    if screen.has_class("-narrow"):
        turn = screen.talk.turns[chosen[0]]
        known = turn.excerpt(turn.citations[chosen[1]].number) is not None
        screen.set_class(known, "-sheet")
        # The sheet takes rows from the chat: look again once it has.
        screen.call_after_refresh(screen.chat.choose, chosen)
    screen.chat.choose(chosen)
    screen.show_sources()
    screen.show_heads()


def walk(screen: "MainScreen", by: int) -> None:
    """Go on by one citation; at the last one say so, and bring it back into sight."""
    wanted, here = screen.talk.step(by), screen.talk.chosen
    if wanted is None and here is not None:
        choose(screen, here)
        screen.say("This is the last citation." if by > 0 else "This is the first citation.")
    else:
        choose(screen, wanted)


def digit(screen: "MainScreen", typed: str) -> None:
    """Go to the citation of the number that was typed."""
    wanted = screen.talk.numbered(int(typed)) if int(typed) else None
    if wanted is not None:
        choose(screen, wanted)
    elif len(typed) == 1:
        screen.say(f"Nothing here cites [{typed}].")


def open_current(screen: "MainScreen") -> None:
    """Open the file of the current citation at its line; without one unfold what the model thought."""
    talk = screen.talk
    citation, shown = talk.citation(), talk.shown
    if citation is not None:
        open_excerpt(screen, citation.number)
    elif shown is not None and talk.turns[shown].thinking:
        screen.chat.unfold(shown)
    else:
        screen.say("Nothing is cited here that could be opened.")


def open_excerpt(screen: "MainScreen", number: int) -> None:
    """Wish a file opened at an excerpt, and at its carrying sentence where one is known."""
    talk = screen.talk
    excerpt = talk.turns[talk.shown].excerpt(number) if talk.shown is not None else None
    if excerpt is None:
        screen.say(f"There is no excerpt {number} to open.")
        return
    citation = talk.citation()
    carried = citation if citation is not None and citation.number == number else None
    span, lines = (carried.span, carried.lines) if carried is not None else (None, None)
    fate = talk.turns[talk.shown or 0].fates_by_number(talk.chosen[1] if talk.chosen else None).get(number)
    if fate is not None and fate.line is not None:
        here = (fate.start, fate.end)
        screen.post_message(OpenFileWish(fate.path, fate.line, here, here))
    elif fate is not None and fate.file_gone:
        screen.say(f"{one_line(excerpt.path)} is gone; the source shows its text as it was.")
    else:
        whole = (excerpt.start, excerpt.end)
        screen.post_message(OpenFileWish(excerpt.path, (lines or excerpt.lines)[0], whole, span))


def place_of_current(screen: "MainScreen") -> tuple[str, int] | None:
    """Path and line of the current citation, as they are now; None where there is none."""
    talk = screen.talk
    citation, shown = talk.citation(), talk.shown
    if citation is None or shown is None or (excerpt := talk.turns[shown].excerpt(citation.number)) is None:
        return None
    fate = talk.turns[shown].fates.get(talk.chosen[1]) if talk.chosen is not None else None
    if fate is not None and fate.line is not None:
        return fate.path, fate.line
    return excerpt.path, (citation.lines or excerpt.lines)[0]


def edit_current(screen: "MainScreen") -> None:
    """Wish the file of the current citation opened in the editor."""
    place = place_of_current(screen)
    if place is None:
        screen.say(CHOOSE_FIRST)
        return
    screen.post_message(EditWish(*place))
