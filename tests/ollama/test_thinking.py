"""Thinking inside an answer, however the stream is cut."""

import itertools

import pytest

from lens_tui.ollama.thinking import Thinking


def split(pieces: list[str]) -> tuple[str, str]:
    parser = Thinking()
    parts = [*map(parser.feed, pieces), parser.end()]
    return "".join(thinking for thinking, _ in parts), "".join(text for _, text in parts)


CASES = [
    ("<think>Hm.</think>Yes [1].", "Hm.", "Yes [1]."),
    ("\n<think>\nHm\n</think>\n\nYes.", "\nHm\n", "Yes."),
    ("<thinking>a</thinking>b", "a", "b"),
    ("<think>a</think> <think>b</think>c", "ab", "c"),
    ("<think></think>c", "", "c"),
    ("<think>never closed", "never closed", ""),
    ("<think>a </thi b</think>c", "a </thi b", "c"),
    ("No thinking here.", "", "No thinking here."),
    ("The tag <think>x</think> opens it.", "", "The tag <think>x</think> opens it."),
    ("<thin ice", "", "<thin ice"),
    ("<", "", "<"),
    ("", "", ""),
]


@pytest.mark.parametrize(("whole", "thinking", "text"), CASES)
def test_thinking_is_told_from_text_at_every_cut(whole: str, thinking: str, text: str) -> None:
    assert split([whole]) == (thinking, text)
    assert split(list(whole)) == (thinking, text)
    for first, second in itertools.combinations(range(len(whole) + 1), 2):
        assert split([whole[:first], whole[first:second], whole[second:]]) == (thinking, text)


def test_text_is_passed_on_as_soon_as_it_is_certain() -> None:
    parser = Thinking()
    assert parser.feed("<th") == ("", "")
    assert parser.feed("ree mice") == ("", "<three mice")
    assert parser.feed(" run") == ("", " run")
