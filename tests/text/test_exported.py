"""A text's answers are read with the list of sources that each rests on, and without what an export writes itself."""

import time
from dataclasses import replace

import pytest

from lens_tui.errors import UsageError
from lens_tui.history import Conversation, Turn
from lens_tui.talks.exporting import as_markdown
from lens_tui.text.exported import read_answers
from lens_tui.types import Answered, Failed
from tests.fakes import lease_answered, lease_retrieved


def read(text: str) -> list[tuple[str, list[str]]]:
    """What each answer says, and the paths that it rests on."""
    return [(text[slice(*each.span)].strip(), [row.path for row in each.sources]) for each in read_answers(text)]


def test_each_answer_rests_on_the_list_that_follows_it() -> None:
    text = "A [1].\n\nSources:\n[1] a.md:1-2\n\n## More\n\nB [1].\n\nSources:\n\n- [1] b.md\n\n# End\n\nC.\n"
    assert read(text) == [("A [1].", ["a.md"]), ("## More\n\nB [1].", ["b.md"]), ("# End\n\nC.", [])]


def test_answers_that_are_appended_to_each_other_keep_their_lists() -> None:
    text = "A [1].\n\nSources:\n\n[1] a.md:1-2\nB [1].\n\nSources:\n\n[1] b.md:3-4\n"
    assert read(text) == [("A [1].", ["a.md"]), ("B [1].", ["b.md"])]


def test_of_lists_with_nothing_between_them_the_last_counts() -> None:
    model_wrote = "It ends [1].\n\nSources:\n[1] the lease"
    assert read(f"{model_wrote}\n\nSources:\n\n[1] lease.md:1-2\n") == [(model_wrote, ["lease.md"])]


def test_a_line_that_only_calls_itself_sources_is_text() -> None:
    assert read("Sources:\nnone were given.\n\nA [1].\n\nSources:\n\n[1] a.md\n") == [
        ("Sources:\nnone were given.\n\nA [1].", ["a.md"])
    ]


@pytest.mark.parametrize(
    ("text", "line"), [("A [1].\n\nSources:\n\na.md\n", 5), ("A [1].\n\nSources:\n[1] a.md:1-2\n[2]b.md\n", 5)]
)
def test_a_line_of_the_last_list_that_is_no_source_is_named(text: str, line: int) -> None:
    with pytest.raises(UsageError, match=f"Line {line} of the text is not a source"):
        read_answers(text)


def test_what_a_model_calls_sources_in_a_conversation_is_text() -> None:
    said = "Nobody knows.\n\nSources:\nnone."
    turns = (
        Turn(1, "Why?", 0.0, lease_retrieved(), Answered(text=said, model="m")),
        Turn(2, "When?", 60.0, lease_retrieved(), lease_answered()),
    )
    assert read(as_markdown(Conversation(1, "Why?", turns), local=time.gmtime)) == [
        (said, []),
        ("It ends on 31 March 2027 [1].", ["house/lease.md"]),
    ]


def test_what_a_conversation_s_export_writes_around_its_answers_is_no_part_of_them() -> None:
    good = lease_answered()
    bad = replace(good.citations[0], verdict="contradicted", why="the source says 31 March, the answer 13 March")
    judged = replace(good, citations=(bad, replace(bad, verdict="supported")), uncited=((0, 2),))
    other = lease_retrieved("other.md")
    failed = Failed(message="Nothing answers.", hint="ollama serve")
    turns = (
        Turn(1, "Is [1] right?\n\nAnd [2]?", 0.0, lease_retrieved(), judged),
        Turn(2, "Why?", 60.0, lease_retrieved(), Answered(text="Nobody knows [9].", model=None)),
        Turn(3, "Really?", 60.0, other, replace(good, stopped=True), failed),
        Turn(4, "And then?", 120.0, None, None, failed),
    )
    assert read(as_markdown(Conversation(1, "Is [1] right?", turns), local=time.gmtime)) == [
        ("It ends on 31 March 2027 [1].", ["house/lease.md"]),
        ("Nobody knows [9].", []),
        ("It ends on 31 March 2027 [1].", ["other.md"]),
    ]
