"""The one table of keys: what each does and where; bindings, hints, the Keys page and the README are made of it.

A key is remapped by its id in the settings file (``keys."cite.next" = "n,f9"``). Nothing of what is wrong with a
remapping is passed over: ``problems`` names it, and ``usable`` is what is left to apply.
"""

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from textual.binding import Binding, Keymap
from textual.keys import KEY_NAME_REPLACEMENTS, KEY_TO_UNICODE_NAME, REPLACED_KEYS, Keys

LISTS = ("keys", "commands", "talks", "models")
"""The lists to choose from. ``commands`` is the list of commands, not a kind of key."""
ANYWHERE = ("question", "answer", "sources", "files", "file", "search", "hits", "status", "sent", *LISTS)
"""Every part of the screen that can have the focus. ``search`` is its field, ``hits`` its list; ``sent`` is the page of
what a model was sent."""
MAIN = ("question", "answer", "sources", "files")
"""The parts of the main screen."""
OUTSIDE_TEXT = tuple(part for part in ANYWHERE if part not in ("question", "search"))
"""Where a letter is a command."""
LETTERS_IN_MAIN = ("answer", "sources", "files")


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that keys do."""

    id: str
    """What the settings file calls it."""
    keys: tuple[str, ...]
    """Textual's names, the letter first where there is one."""
    does: str
    """Its line on the Keys page."""
    where: tuple[str, ...]
    """Parts of the screen in which it works (see ``ANYWHERE``)."""
    action: str = ""
    """The action that it runs; by default its id with ``_`` for ``.``."""

    @property
    def runs(self) -> str:
        """The action's name as Textual writes it, without ``action_``."""
        return self.action or self.id.replace(".", "_")


KEYMAP: tuple[Key, ...] = (
    Key("cite.next", ("n", "f8"), "next citation", ("answer", "sources", "file", "question")),
    Key("cite.previous", ("p", "f7"), "previous citation", ("answer", "sources", "file", "question")),
    Key("cite.number", tuple("123456789"), "the citation of that number", ("answer", "sources")),
    Key("open.file", ("enter",), "open the file at the line", ("answer", "sources", "files", "search", "hits")),
    Key("open.editor", ("e",), "open it in $EDITOR", ("answer", "sources", "files", "file", "hits")),
    Key("open.related", ("l",), "passages like this one", ("answer", "sources", "hits"), "app.open_related"),
    Key("explain", ("x",), "what was sent, why it ranks", ("answer", "sources", "hits")),
    Key("copy", ("y",), "copy…", ("answer", "sources", "file", "hits", "sent")),
    Key("search.open", ("slash",), "search", ("question", "answer", "sources", "hits"), "app.search_open"),
    Key("search.ranking", ("ctrl+r",), "rank by words, meaning, both", ("search", "hits")),
    Key("search.sections", ("w",), "whole sections, or excerpts", ("hits",)),
    Key("ask.send", ("enter",), "ask", ("question",)),
    Key("ask.newline", ("ctrl+j", "shift+enter"), "a new line", ("question",)),
    Key("ask.earlier", ("up",), "an earlier question", ("question",)),
    Key("ask.later", ("down",), "a later question", ("question",)),
    Key("ask.again", ("r",), "ask again", ("answer",)),
    Key("file.find", ("slash",), "find in the file", ("file",)),
    Key("file.line", ("g",), "go to a line", ("file",)),
    Key("file.chunks", ("c",), "show or hide chunks", ("file",)),
    Key("file.strategy", ("s",), "try the next way to cut", ("file",)),
    Key("file.recut", ("t",), "take it over for the folder", ("file",)),
    Key("files.filter", ("slash",), "filter the files", ("files",)),
    Key("talk.list", ("o",), "other conversations", LETTERS_IN_MAIN, "app.talk_list"),
    Key("talk.new", ("n",), "begin a new one", ("talks",)),
    Key("talk.rename", ("r",), "rename it", ("talks",)),
    Key("talk.delete", ("delete",), "delete it", ("talks",)),
    Key("talk.undo", ("z",), "bring back what was deleted", ("talks",)),
    Key("talk.write", ("w",), "write it to a file", ("talks",)),
    Key("model.pick", ("m",), "models", LETTERS_IN_MAIN, "app.model_pick"),
    Key("pull.stop", ("delete",), "stop the download", ("models",)),
    Key("index.pause", ("space",), "pause, go on", ("status",)),
    Key("index.stop", ("delete",), "stop the run in hand", ("status",)),
    Key("index.again", ("r",), "read failed files again", ("status",)),
    Key("index.copy", ("y",), "copy the list", ("status",)),
    Key("list.choose", ("enter",), "do it", LISTS),
    Key(
        "move",
        ("up", "down", "j", "k", "pageup", "pagedown", "home", "end"),
        "move and scroll",
        ("sources", "files", "file", "search", "hits", "status", "sent", *LISTS),
    ),
    Key("app.back", ("escape",), "back, stop, to the question", ANYWHERE),
    Key("app.stop", ("ctrl+c",), "stop; twice: quit", ANYWHERE),
    Key("app.quit", ("ctrl+q", "ctrl+d"), "quit", ANYWHERE),
    Key("app.suspend", ("ctrl+z",), "to the shell for a while", ANYWHERE),
    Key("app.redraw", ("ctrl+l",), "draw the screen anew", ANYWHERE),
    Key("app.commands", ("ctrl+p", "colon"), "commands", ANYWHERE),
    Key("app.keys", ("f1", "question_mark"), "these keys", ANYWHERE),
    Key("focus.next", ("tab",), "next part of the screen", (*MAIN, "search", "hits", *LISTS)),
    Key("focus.previous", ("shift+tab",), "part of the screen before", (*MAIN, "search", "hits", *LISTS)),
    Key("focus.ask", ("i",), "write a question", LETTERS_IN_MAIN),
    Key("panel.files", ("f2", "f"), "files", MAIN),
    Key("panel.sources", ("f3", "s"), "sources", MAIN),
    Key("panel.status", ("f4", "t"), "status of the index", MAIN),
    Key("panel.zoom", ("z",), "the focused part alone", LETTERS_IN_MAIN),
    Key("chat.up", ("pageup",), "scroll the conversation up", ("question", "answer")),
    Key("chat.down", ("pagedown",), "scroll the conversation down", ("question", "answer")),
)
"""Only what works: a key whose feature is not there yet is in no list and no hint."""

BY_ID: Mapping[str, Key] = {key.id: key for key in KEYMAP}

_NAMES = {
    "question_mark": "?",
    "colon": ":",
    "slash": "/",
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "delete": "Del",
    "space": "space",
}


def shown(key: str) -> str:
    """Textual's name of a key as a person reads it: ``ctrl+p`` → ``Ctrl+P``, ``question_mark`` → ``?``."""
    *modifiers, last = key.split("+") if key != "+" else ["+"]
    name = _NAMES.get(last) or _character(last) or last
    if len(last) == 1 and modifiers:
        name = last.upper()
    elif len(name) > 1 and last not in _NAMES:
        name = name.capitalize()
    return "+".join([*(part.capitalize() for part in modifiers), name])


def _character(name: str) -> str:
    """The sign that a key name spells (``comma`` → ``,``); empty where it names none."""
    name = REPLACED_KEYS.get(name, name)
    try:
        sign = unicodedata.lookup(KEY_TO_UNICODE_NAME.get(name, name.replace("_", " ").upper()))
    except KeyError:
        return ""
    return sign if sign.isprintable() and not sign.isspace() else ""


def plain_key(key: str, character: str | None) -> str:
    """Name a key by its ASCII sign where an input method sent the wide one: ``１？／：`` count as ``1 ? / :``.

    Returns Textual's name, ``key`` itself where nothing is to be changed.
    """
    if character is None or len(character) != 1 or not 0xFF01 <= ord(character) <= 0xFF5E:
        return key
    sign = chr(ord(character) - 0xFEE0)
    return sign if sign.isalnum() else _name_of(sign)


def _name_of(sign: str) -> str:
    """Textual's name of a sign that is no letter and no digit."""
    name = unicodedata.name(sign, sign).lower().replace(" ", "_").replace("-", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def parse_keys(text: str) -> tuple[str, ...]:
    """Split a remapping as the settings file writes it: ``n, f9, ctrl+o, ?`` → Textual's names, in order."""
    names: list[str] = []
    for part in text.split(","):
        name = part.strip()
        if name:
            names.append(_named(name))
    return tuple(names)


def _named(name: str) -> str:
    *modifiers, last = name.split("+") if name != "+" else ["+"]
    if len(last) == 1 and not last.isalnum():
        last = _name_of(last)
    elif modifiers and len(last) == 1:
        last = last.lower()
    elif len(last) > 1:
        last = last.lower()
        last = {"esc": "escape", "pgup": "pageup", "pgdn": "pagedown", "del": "delete", "return": "enter"}.get(
            last, last
        )
    return "+".join([*(part.lower() for part in modifiers), last])


def keys_of(identity: str, overrides: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Textual's names of the keys that do this now; ``overrides`` should have passed ``usable``."""
    if overrides and identity in overrides:
        return parse_keys(overrides[identity])
    return BY_ID[identity].keys


def bindings_for(where: str, overrides: Mapping[str, str] | None = None) -> list[Binding]:
    """The bindings of one part of the screen, in the table's order, with ids.

    The class variable BINDINGS takes them without overrides; ``App.set_keymap(keymap(usable(overrides)))`` remaps
    them by id while the app runs.
    """
    return [
        Binding(",".join(keys_of(key.id, overrides)), key.runs, key.does, show=False, id=key.id)
        for key in KEYMAP
        if where in key.where and key.id != "cite.number" and key.id != "move"
    ] + _numbers(where)


def bindings_by_id(*identities: str) -> list[Binding]:
    """The bindings of these ids, for a screen or widget that answers some of its part's keys itself."""
    return [
        Binding(",".join(BY_ID[name].keys), BY_ID[name].runs, BY_ID[name].does, show=False, id=name)
        for name in identities
    ]


def _numbers(where: str) -> list[Binding]:
    if where not in BY_ID["cite.number"].where:
        return []
    return [Binding(digit, f"cite_number({digit})", "", show=False) for digit in BY_ID["cite.number"].keys]


def keymap(overrides: Mapping[str, str]) -> Keymap:
    """Overrides in the form that Textual's ``App.set_keymap`` takes: id → its keys, joined by commas."""
    return {identity: ",".join(parse_keys(keys)) for identity, keys in overrides.items()}


def problems(overrides: Mapping[str, str]) -> list[str]:
    """What cannot be applied of a person's remapping, a sentence each: unknown ids, unknown keys, clashes."""
    return [sentence for _, sentence in _judged(overrides)]


def usable(overrides: Mapping[str, str]) -> dict[str, str]:
    """The overrides that nothing is wrong with; the others keep their own keys."""
    wrong = {identity for identity, _ in _judged(overrides)}
    return {identity: keys for identity, keys in overrides.items() if identity not in wrong}


def _judged(overrides: Mapping[str, str]) -> list[tuple[str, str]]:
    """(id, sentence) for everything wrong, in the order of the overrides."""
    found: list[tuple[str, str]] = []
    for identity, keys in overrides.items():
        if identity not in BY_ID:
            near = difflib.get_close_matches(identity, BY_ID, 1, 0.5)
            hint = f"; the nearest is {near[0]}" if near else ""
            found.append((identity, f"keys.{identity}: there is nothing of that name to put on a key{hint}"))
        elif identity in ("move", "cite.number"):
            found.append((identity, f"keys.{identity}: these keys cannot be changed"))
        elif not parse_keys(keys):
            found.append((identity, f"keys.{identity} names no key; it stays on {_spoken(BY_ID[identity].keys)}"))
        elif strange := [key for key in parse_keys(keys) if not _known(key)]:
            found.append((identity, f"keys.{identity}: no keyboard has a key {strange[0]!r}"))
    wrong = {identity for identity, _ in found}
    applied = {identity: keys for identity, keys in overrides.items() if identity not in wrong}
    for identity in applied:
        found.extend((identity, sentence) for sentence in _clashes(identity, applied))
    return found


def _known(key: str) -> bool:
    *modifiers, last = key.split("+")
    if any(modifier not in ("ctrl", "shift", "alt", "super", "meta", "hyper") for modifier in modifiers):
        return False
    named = {member.value for member in Keys}
    return len(last) == 1 or last in named or key in named or bool(_character(last))


def _clashes(identity: str, overrides: Mapping[str, str]) -> Iterable[str]:
    mine = BY_ID[identity]
    for other in KEYMAP:
        if other.id == identity or not set(other.where) & set(mine.where):
            continue
        for key in keys_of(identity, overrides):
            # What the table itself shares between two ids is meant so.
            if key in keys_of(other.id, overrides) and not (key in mine.keys and key in other.keys):
                yield f"keys.{identity}: {shown(key)} is already {other.id} ({other.does}) in the same place"


def _spoken(keys: Sequence[str]) -> str:
    return " ".join(shown(key) for key in keys)
