"""Conversations: kept as they were, also when the engine is killed, the file damaged or a newer program's."""

import sqlite3
import threading
from pathlib import Path

import pytest

from lens_tui.errors import StoreError
from lens_tui.talks.store import Talks
from lens_tui.types import Answered, AskRetrieved, Citation, Excerpt, Failed, Reason, SearchHit

HIT = SearchHit(
    1, 0.9, "a.md", "abc-0", 0, 0, 4, (1, 1), None, ("T",), (), "text", "text", ((0, 4),), {"lexical": Reason(1, 2.5)}
)
RETRIEVED = AskRetrieved(hits=(HIT,), excerpts=(Excerpt(1, "a.md", 0, 4, (1, 1), (1,), "text", (0, 0)),), notes=("n",))
ANSWERED = Answered(
    text="It is so [1].", model="qwen3", citations=(Citation(10, 13, 1, (0, 14), "a.md", (0, 4), (1, 1)),), uncited=()
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "notes.sqlite3"


def test_a_conversation_comes_back_as_it_was(file: Path) -> None:
    talks = Talks(file)
    turn = talks.begin_turn("Why is it so?\nReally?", 123.5)
    talks.finish_turn(turn, retrieved=RETRIEVED, answered=ANSWERED)
    other = talks.begin_turn("And then?", 124.5)
    talks.finish_turn(other, failed=Failed(message="Gone.", kind="ModelUnreachable"))
    before = talks.last()
    talks.close()
    talks = Talks(file)
    after = talks.last()
    assert after == before
    assert after.title == "Why is it so"
    assert [t.question for t in after.turns] == ["Why is it so?\nReally?", "And then?"]
    assert (after.turns[0].retrieved, after.turns[0].answered, after.turns[0].failed) == (RETRIEVED, ANSWERED, None)
    assert after.turns[1].failed == Failed(message="Gone.", kind="ModelUnreachable")
    assert talks.notes == ()
    talks.close()


def test_the_first_conversation_is_begun_by_looking_for_it(file: Path) -> None:
    talks = Talks(file)
    assert talks.last() == talks.last()
    assert talks.last().turns == ()
    talks.close()


def test_a_new_conversation_keeps_the_old_one_and_empty_ones_do_not_pile_up(file: Path) -> None:
    talks = Talks(file)
    first = talks.last()
    assert talks.begin() == first
    talks.finish_turn(talks.begin_turn("one", 1.0), answered=ANSWERED)
    second = talks.begin()
    assert second.id != first.id
    assert talks.begin() == second
    talks.close()
    db = sqlite3.connect(file)
    assert db.execute("SELECT question FROM turn WHERE conversation = ?", (first.id,)).fetchall() == [("one",)]
    db.close()


def test_a_question_whose_engine_was_killed_is_kept_and_says_so(file: Path) -> None:
    killed = Talks(file)
    killed.begin_turn("lost?", 1.0)
    talks = Talks(file)
    turn = talks.last().turns[0]
    assert turn.question == "lost?"
    assert turn.failed is not None
    assert "ended before it had answered" in turn.failed.message
    talks.close()
    killed.close()


def test_what_the_app_remembers_is_merged_by_key_and_none_takes_a_key_away(file: Path) -> None:
    talks = Talks(file)
    talks.remember({"draft": "half a question", "panels": {"tree": 30}, "caf\udce9": [1]})
    talks.remember({"draft": "more", "panels": None})
    assert talks.state() == {"draft": "more", "caf?": [1]}
    talks.close()
    talks = Talks(file)
    assert talks.state()["draft"] == "more"
    talks.close()


def test_text_that_is_no_utf8_is_kept_all_the_same(file: Path) -> None:
    talks = Talks(file)
    turn = talks.begin_turn("caf\udce9", 1.0)
    talks.finish_turn(turn, answered=Answered(text="see caf\udce9.md", model=None))
    kept = talks.last().turns[0]
    assert kept.question == "caf?"
    assert kept.answered is not None
    assert kept.answered.text == "see caf\udce9.md"
    talks.close()


@pytest.mark.parametrize("damage", ["no database", "torn", "other tables"])
def test_a_damaged_file_is_set_aside_and_a_new_one_begun(file: Path, damage: str) -> None:
    if damage == "no database":
        file.write_bytes(b"this is not a database, but long enough to be one" * 100)
    elif damage == "torn":
        talks = Talks(file)
        for n in range(200):
            talks.begin_turn(f"{n} " * 200, 1.0)
        talks.close()
        data = bytearray(file.read_bytes())
        data[8192:60_000] = b"\xff" * (60_000 - 8192)
        file.write_bytes(data)
    else:
        db = sqlite3.connect(file)
        db.executescript("CREATE TABLE turn (id, conversation); PRAGMA user_version = 1;")
        db.close()
    talks = Talks(file)
    assert talks.last().turns == ()
    talks.begin_turn("a new one", 1.0)
    talks.close()
    assert file.with_name("notes.sqlite3.broken-1").exists()
    assert "notes.sqlite3.broken-1" in talks.notes[0]
    file.write_bytes(b"again" * 1000)
    again = Talks(file)
    again.close()
    assert file.with_name("notes.sqlite3.broken-2").exists()


def test_a_newer_programs_file_is_refused_and_left_alone(file: Path) -> None:
    db = sqlite3.connect(file)
    db.execute("PRAGMA user_version = 99")
    db.close()
    before = file.read_bytes()
    with pytest.raises(StoreError, match="newer lens-tui") as caught:
        Talks(file)
    assert caught.value.hint
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_file_that_cannot_be_opened_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "directory").mkdir()
    with pytest.raises(StoreError, match="cannot be used"):
        Talks(tmp_path / "directory")


def test_an_answer_that_cannot_be_read_does_not_cost_the_conversation(file: Path) -> None:
    talks = Talks(file)
    talks.finish_turn(talks.begin_turn("one", 1.0), answered=ANSWERED)
    talks.finish_turn(talks.begin_turn("two", 2.0), answered=ANSWERED)
    talks.close()
    db = sqlite3.connect(file)
    with db:
        db.execute("""UPDATE turn SET answered = '{"text": 5}' WHERE question = 'one'""")
    db.close()
    talks = Talks(file)
    one, two = talks.last().turns
    assert one.failed is not None
    assert "cannot be read" in one.failed.message
    assert two.answered == ANSWERED
    talks.close()


def test_many_threads_can_write_at_once(file: Path) -> None:
    talks = Talks(file)
    done: list[int] = []

    def write(n: int) -> None:
        for m in range(20):
            talks.finish_turn(talks.begin_turn(f"{n} {m}", 1.0), answered=ANSWERED)
            talks.remember({f"{n}": m})
            talks.last()
        done.append(n)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [0, 1, 2, 3]
    assert len(talks.last().turns) == 80
    talks.close()
