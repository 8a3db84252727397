"""The folder as lines: what is open, in which order, and how many files are done."""

import random

import pytest

from lens_tui.tui.forest import FOLD_ABOVE, GROUP, Forest
from lens_tui.types import FileRow, FileState


def names(forest: Forest) -> list[str]:
    return ["  " * line.depth + line.name for line in forest.lines]


def forest_of(*paths: str, state: FileState = "indexed") -> Forest:
    forest = Forest()
    forest.show(FileRow(path, state) for path in paths)
    return forest


def test_folders_stand_before_files_and_what_was_left_out_last() -> None:
    forest = forest_of("b.md", "A.md", "z/x.md")
    forest.apply([FileRow("Aa.zip", "left_out")], ())
    assert names(forest) == ["z", "A.md", "b.md", "Aa.zip"]


def test_an_open_folder_shows_what_is_in_it() -> None:
    forest = forest_of("house/lease.md", "house/letters/2024.md", "ideas.md")
    forest.toggle(forest.lines[0])
    assert names(forest) == ["house", "  letters", "  lease.md", "ideas.md"]
    forest.toggle(forest.lines[0])
    assert names(forest) == ["house", "ideas.md"]


def test_what_is_open_stays_open_when_the_folder_is_shown_anew() -> None:
    forest = forest_of("house/lease.md")
    forest.toggle(forest.lines[0])
    forest.show([FileRow("house/new.md", "waiting"), FileRow("house/lease.md", "indexed")])
    assert names(forest) == ["house", "  lease.md", "  new.md"]
    again = Forest()
    again.open_all(forest.opened)
    again.show([FileRow("house/lease.md", "indexed")])
    assert names(again) == ["house", "  lease.md"]


def test_a_folder_goes_with_its_last_file_and_those_above_it_too() -> None:
    forest = forest_of("a/b/c/d.md", "x.md")
    forest.apply((), ["a/b/c/d.md"])
    assert names(forest) == ["x.md"]
    assert forest.counts("a") == (0, 0)


def test_a_left_out_folder_is_one_line_that_keeps_its_slash() -> None:
    forest = Forest()
    forest.show([FileRow("web/node_modules/", "left_out", 0, "vendored folder"), FileRow("web/app.js", "indexed")])
    forest.reveal("web/app.js")
    assert names(forest) == ["web", "  app.js", "  node_modules/"]
    assert forest.counts("web") == (1, 1)


def test_a_changed_state_moves_nothing_and_names_every_line_that_says_so() -> None:
    forest = forest_of("a/b/c.md", "a/d.md", state="waiting")
    moved, touched = forest.apply([FileRow("a/b/c.md", "indexed", 3)], ())
    assert not moved
    assert touched == {"a/b/c.md", "a/b/", "a/", "/"}
    assert forest.counts("a") == (1, 2)


def test_the_same_row_again_touches_nothing() -> None:
    forest = forest_of("a.md")
    assert forest.apply([FileRow("a.md", "indexed")], ["never.md"]) == (False, set())


def test_counts_hold_whatever_comes_and_goes() -> None:
    dice = random.Random(7)
    forest, kept = Forest(), dict[str, FileRow]()
    states: tuple[FileState, ...] = ("indexed", "waiting", "reading", "changed", "left_out", "failed")
    for _ in range(600):
        path = "/".join(dice.choice("abc") for _ in range(dice.randint(0, 3))) + f"/{dice.randint(0, 9)}.md"
        path = path.lstrip("/")
        if dice.random() < 0.3:
            forest.apply((), [path])
            kept.pop(path, None)
        else:
            row = FileRow(path, dice.choice(states))
            forest.apply([row], ())
            kept[path] = row
        for folder in ("", "a", "a/b", "c"):
            below = [
                row
                for row in kept.values()
                if (row.path.startswith(folder + "/") or not folder) and row.state != "left_out"
            ]
            done = sum(row.state not in ("waiting", "reading") for row in below)
            assert forest.counts(folder) == (done, len(below))
    fresh = Forest()
    fresh.show(kept.values())
    every = [f"{folder}/" for folder in ("a", "b", "c")]
    for each in (forest, fresh):
        each.open_all(every)
    assert names(forest) == names(fresh)


def test_a_filter_shows_matches_below_their_folders_whatever_is_closed() -> None:
    forest = forest_of("house/lease.md", "house/letters/lease-2024.md", "ideas.md")
    forest.filter("LEASE md")
    assert names(forest) == ["house", "  lease.md", "  letters", "    lease-2024.md"]
    forest.filter("")
    assert names(forest) == ["house", "ideas.md"]


def test_a_huge_folder_is_folded_in_groups_that_hold_every_entry() -> None:
    forest = forest_of(*(f"logs/{number:05}.txt" for number in range(FOLD_ABOVE + 1)))
    forest.toggle(forest.lines[0])
    groups = list(forest.lines[1:])
    assert all(line.kind == "group" for line in groups)
    assert sum(forest.group_size(line) for line in groups) == FOLD_ABOVE + 1
    assert groups[0].name == f"00000.txt … {GROUP - 1:05}.txt"
    for line in groups:
        forest.toggle(line)
    assert sum(line.kind == "file" for line in forest.lines) == FOLD_ABOVE + 1


def test_every_line_is_found_by_its_key() -> None:
    forest = forest_of("house/lease.md", "a.md", "house/x/y.md")
    forest.reveal("house/x/y.md")
    assert [forest.place(line.key) for line in forest.lines] == list(range(len(forest.lines)))
    assert forest.place("gone.md") is None


@pytest.mark.parametrize("name", ["[red]x.md", "a\nb.md", "\x1b[31m.md", "-", " ", "日本\u3000語.md"])
def test_odd_names_are_names(name: str) -> None:
    forest = forest_of(f"f/{name}")
    forest.toggle(forest.lines[0])
    assert forest.lines[1].name == name
