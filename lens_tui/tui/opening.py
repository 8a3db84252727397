"""Pages over the main screen: each is imported when it is first opened, and returns to where it was opened from."""

from typing import TYPE_CHECKING

from lens_tui.tui import messages as news

if TYPE_CHECKING:
    from lens_tui.tui.app import LensApp


def show_file(app: "LensApp", opened: news.FileOpened) -> None:
    """Show a file at a line, on the file page that is open or on a new one."""
    from lens_tui.tui.screens.file import FilePage

    marks = _marks(app, opened)
    page = app.screen
    if isinstance(page, FilePage):
        page.show_file(opened.file, line=opened.place.line, excerpt=opened.excerpt, sentence=opened.sentence, **marks)
    else:
        app.push_screen(
            FilePage(opened.file, line=opened.place.line, excerpt=opened.excerpt, sentence=opened.sentence, **marks)
        )


def _marks(app: "LensApp", opened: news.FileOpened) -> dict[str, str]:
    """What the page says of the citation that it was opened from; nothing where it was opened otherwise."""
    talk = app.main.talk
    citation, shown = talk.citation(), talk.shown
    if citation is None or shown is None or opened.excerpt is None or citation.path != opened.file.path:
        return {}
    turn = talk.turns[shown]
    excerpt, words = turn.excerpt(citation.number), ""
    if excerpt is not None and opened.sentence is not None:
        words = excerpt.text[opened.sentence[0] - excerpt.start : opened.sentence[1] - excerpt.start]
    changed = excerpt is not None and excerpt.checksum not in ("", opened.file.checksum)
    return {
        "words": words,
        "mark": f"[{citation.number}{app.signs.of_verdict(citation.verdict)}]",
        "why": citation.why or "",
        "position": f"{(talk.chosen or (0, 0))[1] + 1} of {len(turn.citations)}",
        "changed": "changed after the answer" if changed else "",
    }


INDEX_ACTIONS = {"index.stop": "stop", "index.again": "reread", "index.rebuild": "rebuild"}
"""Commands that steer the indexer → what it is told."""


def do_command(app: "LensApp", id_: str) -> None:
    """Do what a key does, by its id: as the focused part would, else the screen, else the app."""
    if id_.startswith("theme."):
        app.use_theme(id_.removeprefix("theme."))
        return
    if id_ in INDEX_ACTIONS:
        app.link.control(INDEX_ACTIONS[id_], None)
        return
    if id_ == "index.pause":
        app.link.control("resume" if app.state.phase == "paused" else "pause", None)
        return
    if id_ == "talk.new":
        app.new_talk()
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

    page = FilesPage(
        tuple(app.rows.values()),
        app.state,
        app.folder_name,
        choice=app.choice,
        opened=app.main.tree_view.opened,
        question=app.main.question.text,
    )
    app.push_screen(page)


def show_status(app: "LensApp") -> None:
    """The status of the index."""
    from lens_tui.tui.screens.status import StatusPage

    app.push_screen(StatusPage(app.state, tuple(app.rows.values()), app.choice, tuple(app.notices), app.folder_name))


def show_keys(app: "LensApp") -> None:
    """The keys of the part that has the focus, and those that work everywhere."""
    from lens_tui.tui.screens.keys import KeysPage

    where = app.main.part if app.screen is app.main else str(getattr(app.screen, "part", "answer"))
    app.push_screen(KeysPage(where))


def show_commands(app: "LensApp") -> None:
    """Every command, to be picked by a few letters."""
    from lens_tui.tui.screens.commands import CommandsPage

    app.push_screen(CommandsPage(sorted(app.themes), app.look.name))


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
