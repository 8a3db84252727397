"""Pages over the main screen: each is imported when it is first opened, and returns to where it was opened from."""

from typing import TYPE_CHECKING

from lens_tui.tui import messages as news
from lens_tui.types import Excerpt

if TYPE_CHECKING:
    from lens_tui.tui.app import LensApp


def show_file(app: "LensApp", opened: news.FileOpened) -> None:
    """Show a file at a line, on the file page that is open or on a new one."""
    from lens_tui.tui.screens.file import FilePage

    talk = app.main.talk
    citation, shown = talk.citation(), talk.shown
    excerpt = None
    if citation is not None and shown is not None and opened.excerpt is not None:
        excerpt = talk.turns[shown].excerpt(citation.number)
    span, sentence, line, changed = opened.excerpt, opened.sentence, opened.place.line, ""
    if excerpt is not None and excerpt.checksum and excerpt.checksum != opened.file.checksum:
        span, sentence, line, changed = moved(excerpt, opened)
    mark = position = ""
    if citation is not None and excerpt is not None and shown is not None:
        citations = talk.turns[shown].citations
        mark = f"[{citation.number}{app.signs.of_verdict(citation.verdict)}]"
        position = f"{(talk.chosen or (0, 0))[1] + 1} of {len(citations)}"
    why = (citation.why or "") if citation is not None and excerpt is not None else ""
    marks = {"mark": mark, "why": why, "position": position, "changed": changed}
    if isinstance(app.screen, FilePage):
        app.screen.show_file(opened.file, line=line, excerpt=span, sentence=sentence, **marks)
    else:
        app.push_screen(FilePage(opened.file, line=line, excerpt=span, sentence=sentence, **marks))


def moved(
    excerpt: Excerpt, opened: news.FileOpened
) -> tuple[tuple[int, int] | None, tuple[int, int] | None, int | None, str]:
    """Find an excerpt again in a file that changed after the answer.

    Returns:
        Spans of the excerpt and of its carrying sentence in the file as it is, the line to stand at, and a sentence
        on what happened. A span is None where its words are gone.
    """
    text, line = opened.file.text, opened.place.line
    words = excerpt.text
    if opened.sentence is not None:
        words = excerpt.text[opened.sentence[0] - excerpt.start : opened.sentence[1] - excerpt.start]
    at = text.find(words) if words.strip() else -1
    if at < 0:
        return None, None, line, "changed after the answer; the sentence is gone"
    here = text.count("\n", 0, at) + 1
    whole = text.find(excerpt.text)
    span = (whole, whole + len(excerpt.text)) if whole >= 0 else (at, at + len(words))
    sentence = (at, at + len(words)) if opened.sentence is not None else None
    if here == line:
        return span, sentence, here, "changed after the answer; the sentence is still here"
    return span, sentence, here, f"changed after the answer; the sentence moved from line {line} to {here}"


def do_command(app: "LensApp", id_: str) -> None:
    """Do what a key does, by its id: as the focused part would, else the screen, else the app."""
    if id_.startswith("theme."):
        app.use_theme(id_.removeprefix("theme."))
        return
    if id_ == "panel.files.page":
        show_files(app)
        return
    name = "action_" + id_.replace(".", "_")
    for owner in (app.screen.focused, app.screen, app.main.chat, app.main, app):
        if (act := getattr(owner, name, None)) is not None:
            act()
            return
    app.tell(f"There is no command {id_!r} here.")


def show_files(app: "LensApp") -> None:
    """The files as a page."""
    from lens_tui.tui.screens.files import FilesPage

    app.push_screen(FilesPage(tuple(app.rows.values()), app.state, app.folder))


def show_status(app: "LensApp") -> None:
    """The status of the index."""
    from lens_tui.tui.screens.status import StatusPage

    app.push_screen(StatusPage(tuple(app.rows.values()), app.state, app.choice, tuple(app.notices), app.folder))


def show_keys(app: "LensApp") -> None:
    """The keys of the part that has the focus, and those that work everywhere."""
    from lens_tui.tui.screens.keys import KeysPage

    where = app.main.part if app.screen is app.main else str(getattr(app.screen, "part", "answer"))
    app.push_screen(KeysPage(where))


def show_commands(app: "LensApp") -> None:
    """Every command, to be picked by a few letters."""
    from lens_tui.tui.screens.commands import CommandsPage

    app.push_screen(CommandsPage())


def choose_copy(app: "LensApp") -> None:
    """Offer what can be copied of the answer, then copy it."""
    from lens_tui.tui.screens.choice import Choice
    from lens_tui.tui.taking import CHOICES, take, wanted

    choices = {key: word for key, word in CHOICES.items() if wanted(app.main.talk, key)}

    def chosen(key: str | None) -> None:
        if key:
            app.tell(take(app, wanted(app.main.talk, key)))

    if choices:
        app.push_screen(Choice(choices), chosen)
    else:
        app.tell("There is no answer to copy yet.")
