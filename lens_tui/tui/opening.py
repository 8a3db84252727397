"""Pages over the main screen: each is imported when it is first opened, and returns to where it was opened from."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from lens_tui.tui import messages as news
from lens_tui.tui.landing import Landing
from lens_tui.tui.layout.staleness import told

if TYPE_CHECKING:
    from lens_tui.tui.app import LensApp


def show_file(app: "LensApp", opened: news.FileOpened) -> None:
    """Show a file at a line, on the file page that is open or on a new one."""
    from lens_tui.tui.screens.file import FilePage

    landing = _told_of(app, opened)
    page = app.screen
    if isinstance(page, FilePage):
        page.show_file(opened.file, landing)
    else:
        app.push_screen(FilePage(opened.file, landing, borders=app.borders))


def _told_of(app: "LensApp", opened: news.FileOpened) -> Landing:
    """Where the file is opened, and what the page says of the hit or citation that it was opened from, if from one."""
    landing = Landing(line=opened.place.line, excerpt=opened.excerpt, sentence=opened.sentence)
    found = app.found_page()
    if found is not None:
        return found.landing(opened.file, landing) if opened.excerpt is not None else landing
    talk = app.main.talk
    citation, shown = talk.citation(), talk.shown
    if citation is None or shown is None or opened.excerpt is None:
        return landing
    turn = talk.turns[shown]
    fate = turn.fates.get(talk.chosen[1]) if talk.chosen is not None else None
    if opened.file.path != (fate.path if fate is not None else citation.path):
        return landing
    excerpt, words, changed = turn.source(citation), "", ""
    if fate is not None and fate.line is not None:
        changed = told(citation, fate, time.time())
    elif excerpt is not None and opened.sentence is not None:
        words = excerpt.text[opened.sentence[0] - excerpt.start : opened.sentence[1] - excerpt.start]
        changed = "changed after the answer" if excerpt.checksum not in ("", opened.file.checksum) else ""
    return replace(
        landing,
        words=words,
        mark=f"[{citation.number}{app.signs.of_verdict(citation.verdict)}{app.signs.stale if fate else ''}]",
        why=citation.why or "",
        position=f"{(talk.chosen or (0, 0))[1] + 1} of {len(turn.citations)}",
        changed=changed,
        hints="cited",
    )


INDEX_ACTIONS = {"index.stop": "stop", "index.again": "reread", "index.rebuild": "rebuild"}
"""Commands that steer the indexer → what it is told."""


TALK_COMMANDS = {"talk.rename": "rename", "talk.write": "write"}
"""Commands on the conversation on the screen → what the list of conversations does with it at once."""


def do_command(app: "LensApp", id_: str) -> None:
    """Do what a key does, by its id: as the focused part would, else the screen, else the app."""
    if id_.startswith("theme."):
        app.pick_theme(id_.removeprefix("theme."))
        return
    if id_ in INDEX_ACTIONS:
        app.link.control(INDEX_ACTIONS[id_], None)
        return
    if id_ == "index.pause":
        app.link.control("resume" if app.state.phase == "paused" else "pause", None)
        return
    if id_ in TALK_COMMANDS:
        show_talks(app, doing=TALK_COMMANDS[id_])
        return
    if id_ == "talk.new":
        app.on_talk_wish(news.TalkWish(None))
        return
    name = "action_" + id_.replace(".", "_")
    for owner in (app.screen.focused, app.screen, app.main.chat, app.main, app):
        if (act := getattr(owner, name, None)) is not None:
            act()
            return
    app.tell(f"There is no command {id_!r} here.")


def show_files(app: "LensApp", *, filtering: bool = False) -> None:
    """The files as a page, its filter open where ``filtering``."""
    from lens_tui.tui.screens.files import FilesPage

    page = FilesPage(
        tuple(app.rows.values()),
        app.state,
        app.folder_name,
        choice=app.choice,
        opened=app.main.tree_view.opened,
        question=app.main.question.text,
        filtering=filtering,
    )
    app.push_screen(page)


def show_status(app: "LensApp") -> None:
    """The status of the index."""
    from lens_tui.tui.screens.status import StatusPage

    app.push_screen(StatusPage(app.state, tuple(app.rows.values()), app.choice, tuple(app.notices), app.folder_name))


def show_search(app: "LensApp", *, typing: bool = False) -> None:
    """The search page as it was left: the one that is open below what stands over it, else a new one.

    Args:
        app: Where it is shown.
        typing: Whether what the question box holds was typed for it.
    """
    from lens_tui.tui.screens.search import SearchPage, settings_wanted

    if any(isinstance(screen, SearchPage) for screen in app.screen_stack):
        while not isinstance(app.screen, SearchPage):
            app.pop_screen()
        app.screen.action_search_open()
        return

    def early() -> str:
        # The box was empty when it took the key, so what stands in it came before the page was there.
        typed = app.main.question.text if typing else ""
        if typed:
            app.main.question.write("")
        return typed

    settings = app.settings
    page = SearchPage(
        app.sought,
        app.state,
        wanted=settings_wanted(settings.search_retriever),
        most=settings.search_max_k,
        vectors=settings.vector != "none",
        early=early,
    )
    app.push_screen(page)


def show_related(app: "LensApp", path: str, line: int | None) -> None:
    """Passages like the one at a line."""
    from lens_tui.tui.screens.related import RelatedPage

    app.push_screen(RelatedPage(path, line, app.state, most=min(app.settings.search_max_k, 20)))


def relate(app: "LensApp") -> None:
    """Show passages like the current hit or citation."""
    from lens_tui.tui.screens.citing import CHOOSE_FIRST

    found = app.found_page()
    if found is not None and app.screen is found:
        place, without = found.related_place(), "There is no excerpt to find others like it."
    elif app.screen is app.main:
        place, without = app.main.place_of_current(), CHOOSE_FIRST
    else:
        place, without = None, "From a citation or a hit, l finds passages like it."
    if place is None:
        app.tell(without)
    else:
        show_related(app, *place)


def show_talks(app: "LensApp", *, doing: str = "") -> None:
    """The conversations; ``doing`` is what is to be done at once with the one on the screen (see ``TalksPage``)."""
    from lens_tui.tui.screens.talks import TalksPage

    main = app.main
    page = TalksPage(main.talk.id, app.folder_name, answering=main.running is not None, doing=doing)
    app.push_screen(page)


def show_models(app: "LensApp") -> None:
    """The models that there are."""
    from lens_tui.tui.screens.models import ModelsPage

    app.push_screen(ModelsPage(app.link.host, app.link.wanted, app.choice, app.pulling))


def show_sent(app: "LensApp") -> None:
    """What the model was sent for the turn that is read now."""
    from lens_tui.tui.screens.sent import SentPage

    talk = app.main.talk
    turn = talk.turns[talk.shown] if talk.shown is not None else None
    if turn is None:
        app.tell("Nothing was asked here yet.")
    elif turn.sent is not None:
        app.push_screen(SentPage(turn.sent, turn.answered))
    elif turn.quoted:
        app.tell("No model was asked: these sentences are quoted, and nothing was sent.")
    elif turn.running:
        app.tell("Nothing was sent yet.")
    else:
        app.tell("What was sent for this answer was not kept.")


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
