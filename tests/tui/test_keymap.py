"""The table of keys: what it promises the screen, the hints and a person who remaps."""

import pytest
from textual.binding import BindingsMap

from lens_tui.tui.hinting import HINTS, hint_width, hints_for
from lens_tui.tui.keymap import (
    ANYWHERE,
    BY_ID,
    KEYMAP,
    bindings_by_id,
    bindings_for,
    keymap,
    keys_of,
    plain_key,
    problems,
    shown,
    usable,
)


def test_no_id_stands_twice() -> None:
    assert len(BY_ID) == len(KEYMAP)


@pytest.mark.parametrize("part", ANYWHERE)
def test_in_one_part_of_the_screen_a_key_does_one_thing(part: str) -> None:
    seen: dict[str, str] = {}
    for key in KEYMAP:
        if part in key.where:
            for name in key.keys:
                assert name not in seen, f"{name}: {seen[name]} and {key.id}"
                seen[name] = key.id


def test_no_single_letter_quits_or_deletes() -> None:
    for key in KEYMAP:
        if key.id in ("app.quit", "app.stop", "index.stop"):
            assert all(len(name) > 1 for name in key.keys)


def test_nothing_lies_on_alt_or_on_what_terminals_take() -> None:
    taken = {"ctrl+s", "ctrl+b", "ctrl+a", "ctrl+w", "ctrl+t", "ctrl+n", "left_square_bracket", "right_square_bracket"}
    for key in KEYMAP:
        assert not taken & set(key.keys)
        assert not any(name.startswith("alt+") for name in key.keys)


def test_every_hint_names_a_key_that_works_there() -> None:
    parts = {"finding": "file", "field": "commands", "filtering": "commands", "paused": "status"}
    parts |= {"hit": "file", "cited": "file", "tried": "file", "related": "hits"}
    parts |= {"talk field": "talks", "naming": "talks", "deleted": "talks", "no talk": "talks", "all deleted": "talks"}
    parts |= {"pulling": "models"}
    for part, entries in HINTS.items():
        for ids, _, _ in entries:
            for identity in ids.split():
                assert parts.get(part, part) in BY_ID[identity.partition(":")[0]].where or part == "finding"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("ctrl+p", "Ctrl+P"),
        ("question_mark", "?"),
        ("f8", "F8"),
        ("shift+tab", "Shift+Tab"),
        ("pageup", "PgUp"),
        ("space", "space"),
        ("n", "n"),
        ("ctrl+underscore", "Ctrl+_"),
        ("delete", "Del"),
        ("comma", ","),
        ("tab", "Tab"),
    ],
)
def test_keys_are_named_as_people_read_them(key: str, words: str) -> None:
    assert shown(key) == words


def test_wide_signs_of_an_input_method_count_as_ascii() -> None:
    assert [plain_key("?", sign) for sign in "１？／："] == ["1", "question_mark", "slash", "colon"]
    assert plain_key("n", "n") == "n"
    assert plain_key("f8", None) == "f8"
    assert plain_key("x", "漢") == "x"


def test_the_hints_of_an_answer_are_those_of_the_picture_at_80_columns() -> None:
    row = "   ".join(f"{hint.keys} {hint.word}" for hint in hints_for("answer", 80))
    assert row == "n p citation   Enter open   y copy   x sent   r ask again   i ask   ? keys"


@pytest.mark.parametrize("part", HINTS)
def test_a_narrow_row_loses_whole_entries_and_keeps_the_way_back(part: str) -> None:
    whole = hints_for(part, 200)
    for width in range(200, 12, -1):
        fitting = hints_for(part, width)
        assert hint_width(fitting) <= width
        assert set(fitting) <= set(whole)
    back = [hint for hint in whole if hint.id == "app.back"]
    assert set(back) <= set(hints_for(part, hint_width(back) or 1))


def test_in_the_question_hints_name_no_letter_that_would_be_typed() -> None:
    assert [hint.keys for hint in hints_for("question", 80)] == ["Enter", "/", "Tab", ":", "?"]
    assert [hint.keys for hint in hints_for("search", 90)] == ["Up Down", "Enter", "Ctrl+R", "Tab", "Esc"]


def test_bindings_carry_the_ids_that_a_person_remaps_by() -> None:
    ids = {binding.id for binding in bindings_for("answer")}
    assert {"cite.next", "ask.again", "app.quit", "panel.files"} <= ids
    assert [binding.action for binding in bindings_for("answer") if binding.key == "7"] == ["cite_number(7)"]


def test_textual_itself_takes_a_remapping() -> None:
    bindings = BindingsMap(bindings_by_id("cite.next", "cite.previous"))
    result = bindings.apply_keymap(keymap(usable({"cite.next": "n, ctrl+o"})))
    assert not result.clashed_bindings
    assert set(bindings.key_to_bindings) == {"n", "ctrl+o", "p", "f7"}


def test_a_remapped_key_is_in_the_hints() -> None:
    assert hints_for("answer", 120, {"ask.again": "ctrl+r"})[5].keys == "Ctrl+R"
    assert keys_of("copy", {"copy": "c"}) == ("c",)


def test_signs_and_short_names_are_taken_as_people_write_them() -> None:
    assert keys_of("copy", {"copy": "?, Esc, PgUp, Ctrl+O, +"}) == (
        "question_mark",
        "escape",
        "pageup",
        "ctrl+o",
        "plus",
    )


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        ({"cite.nxt": "n"}, "the nearest is cite.next"),
        ({"ask.again": "n"}, "already cite.next"),
        ({"ask.again": "hyperspace"}, "no keyboard has a key 'hyperspace'"),
        ({"ask.again": " , "}, "names no key"),
        ({"move": "w"}, "cannot be changed"),
        ({"copy": "f4"}, "already panel.status"),
        ({"cite.next": "p"}, "already cite.previous"),
    ],
)
def test_what_cannot_be_used_is_named_and_left_out(overrides: dict[str, str], named: str) -> None:
    assert any(named in sentence for sentence in problems(overrides))
    assert usable(overrides) == {}


def test_two_ids_may_change_their_keys() -> None:
    swapped = {"cite.next": "p,f8", "cite.previous": "n,f7"}
    assert problems(swapped) == []
    assert usable(swapped) == swapped


def test_a_clash_of_two_overrides_is_named_for_both() -> None:
    assert len(problems({"copy": "v", "ask.again": "v"})) == 2


def test_the_same_key_in_two_places_that_never_meet_is_no_clash() -> None:
    assert problems({"file.find": "f3", "index.again": "f3"}) == []
