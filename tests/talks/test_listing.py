"""Conversations as a list: in order, searched, renamed, deleted and brought back, read on; and an older file."""

import itertools
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_tui import wire
from lens_tui.errors import UsageError
from lens_tui.talks.searching import MOST
from lens_tui.talks.store import Talks
from lens_tui.types import Answered


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    seconds = itertools.count(1000.0)
    opened = Talks(tmp_path / "notes.sqlite3", clock=lambda: next(seconds))
    yield opened
    opened.close()


def asked(talks: Talks, *turns: tuple[str, str]) -> int:
    """A conversation with these questions and answers; its id."""
    talk = talks.begin()
    for question, answer in turns:
        talks.finish_turn(talks.begin_turn(question, 1.0), answered=Answered(text=answer, model="m"))
    return talk.id


def titles(talks: Talks, query: str = "") -> list[str]:
    return [row.title for row in talks.list(query)[0]]


def test_the_conversation_with_the_newest_question_is_first(talks: Talks) -> None:
    one = asked(talks, ("one?", "1"))
    asked(talks, ("two?", "2"), ("and more?", "3"))
    assert titles(talks) == ["two", "one"]
    assert [row.turns for row in talks.list()[0]] == [2, 1]
    talks.open(one)
    talks.begin_turn("again?", 5.0)
    assert titles(talks) == ["one", "two"]
    assert talks.list()[0][0].asked_at == 5.0


def test_one_without_a_question_is_on_no_list(talks: Talks) -> None:
    asked(talks, ("one?", "1"))
    talks.begin()
    assert titles(talks) == ["one"]


def test_reading_on_makes_a_conversation_the_last_one(talks: Talks) -> None:
    one = asked(talks, ("one?", "1"))
    asked(talks, ("two?", "2"))
    assert talks.open(one).turns[0].question == "one?"
    assert talks.last().id == one
    assert talks.begin().turns == ()
    assert talks.last().turns == ()


def test_a_question_goes_into_the_conversation_that_it_names(talks: Talks) -> None:
    one = asked(talks, ("one?", "1"))
    asked(talks, ("two?", "2"))
    talks.begin_turn("more of the first?", 3.0, one)
    assert [turn.question for turn in talks.read(one).turns] == ["one?", "more of the first?"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ROOF", ["What of the roof"]),
        ("october roof", ["What of the roof"]),
        ("garden october", []),
        ("三か月", ["大家さんの返事は"]),
        ("cafe\u0301", ["Which café"]),
        ("nothing at all", []),
        ("  ", ["Which café", "大家さんの返事は", "A garden", "What of the roof"]),
    ],
)
def test_a_search_finds_words_of_one_turn_in_capitals_or_not(talks: Talks, query: str, found: list[str]) -> None:
    asked(talks, ("What of the roof?", "Before October [1]."))
    asked(talks, ("A garden?", "Yes."))
    asked(talks, ("大家さんの返事は？", "三か月前です。"))
    asked(talks, ("Which café?", "The one at the corner."))
    assert titles(talks, query) == found


def test_a_hit_shows_the_words_around_and_names_its_turn(talks: Talks) -> None:
    before, after = "word " * 30, " more" * 40
    talk = asked(talks, ("first?", "no"), ("second?", f"{before}the needle{after}"), ("third?", "no"))
    (row,), total = talks.list("needle")
    assert total == 1
    assert row.turn == talks.read(talk).turns[1].id
    assert row.snippet.startswith("…word ")
    assert "the needle more" in row.snippet
    assert row.snippet.endswith("more…")
    assert len(row.snippet) <= 130


def test_what_is_asked_while_one_searches_is_found(talks: Talks) -> None:
    assert titles(talks, "roof") == []
    turn = talks.begin_turn("the roof?", 1.0)
    assert titles(talks, "roof") == ["the roof"]
    talks.finish_turn(turn, answered=Answered(text="needle", model="m"))
    assert titles(talks, "needle") == ["the roof"]


def test_a_title_is_kept_and_an_empty_one_gives_the_first_question_back(talks: Talks) -> None:
    talk = asked(talks, ("one?", "1"))
    talks.rename(talk, "  Lease and\n notice ")
    assert titles(talks, "lease") == ["Lease and notice"]
    talks.begin_turn("more?", 2.0, talk)
    assert talks.read(talk).title == "Lease and notice"
    talks.rename(talk, " ")
    assert talks.read(talk).title == "one"


def test_a_deleted_one_can_be_brought_back_until_the_file_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "notes.sqlite3"
    talks = Talks(file)
    talk = asked(talks, ("a secret?", "the needle"))
    other = asked(talks, ("one?", "1"))
    talks.delete(talk)
    assert titles(talks) == ["one"]
    assert titles(talks, "needle") == []
    talks.delete(talk, undo=True)
    assert titles(talks, "needle") == ["a secret"]
    talks.delete(talk)
    talks.close()
    assert b"the needle" not in file.read_bytes()
    talks = Talks(file)
    with pytest.raises(UsageError, match="was deleted"):
        talks.open(talk)
    assert talks.last().id == other
    talks.close()


def test_a_question_to_a_deleted_conversation_goes_into_the_last_one(talks: Talks) -> None:
    talk = asked(talks, ("one?", "1"))
    talks.delete(talk)
    talks.begin_turn("two?", 2.0, talk)
    assert [turn.question for turn in talks.last().turns] == ["two?"]


def test_a_list_has_an_end_and_tells_how_many_there_are(talks: Talks) -> None:
    for number in range(MOST + 3):
        asked(talks, (f"question {number}?", "1"))
    rows, total = talks.list("question")
    assert (len(rows), total) == (MOST, MOST + 3)
    assert rows[0].title == f"question {MOST + 2}"


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "notes.sqlite3"
    db = sqlite3.connect(file)
    db.executescript(
        """
        CREATE TABLE conversation (id INTEGER PRIMARY KEY, title TEXT NOT NULL, begun_at REAL NOT NULL);
        CREATE TABLE turn (
            id INTEGER PRIMARY KEY AUTOINCREMENT, conversation INTEGER NOT NULL, question TEXT NOT NULL,
            asked_at REAL NOT NULL, retrieved TEXT, answered TEXT, failed TEXT
        );
        CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        INSERT INTO conversation VALUES (1, 'old', 1.0), (2, 'newer', 2.0);
        PRAGMA user_version = 1;
        """
    )
    with db:
        answered = wire.to_json(Answered(text="the needle", model="m"))
        db.execute("INSERT INTO turn VALUES (1, 1, 'old?', 1.0, NULL, ?, NULL)", (answered,))
        db.execute("INSERT INTO turn VALUES (2, 2, 'newer?', 2.0, NULL, NULL, NULL)")
    db.close()
    talks = Talks(file)
    assert talks.notes == ()
    assert talks.last().title == "newer"
    assert titles(talks, "needle") == ["old"]
    talks.close()
