"""Which scripts a text is in, and whether a model that nobody knows can read them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lens_tui.index.reads import PROBES, RIGHT, finds_its_own, is_english, scripts, to_ask

if TYPE_CHECKING:
    from numpy.typing import NDArray


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("when does the lease end", {"latin"}),
        ("Wann endet der Mietvertrag? Ça va", {"latin"}),
        ("1,000 + 1 = ?", set()),
        ("賃貸の期限", {"kana"}),
        ("経済学", {"han"}),
        ("Pythonの使い方", {"latin", "kana"}),
        ("ﾃﾞｰﾀ", {"kana"}),
        ("what did the company 東 say about all of its leases", {"latin"}),
        ("Что такое HTTP?", {"latin", "cyrillic"}),
        ("한국어 검색", {"hangul"}),
        ("μ and σ of the samples", {"latin"}),
        ("ไทย", {"thai"}),
    ],
)
def test_a_script_counts_where_a_quarter_of_a_text_is_in_it(text: str, found: set[str]) -> None:
    assert scripts(text) == found


def test_a_script_is_told_by_its_own_questions_and_one_without_any_by_all() -> None:
    assert to_ask("cyrillic") == (("cyrillic",),)
    assert to_ask("han") == (("han",), ("kana",))
    assert to_ask("thai") == (tuple(PROBES),)


@pytest.mark.parametrize("script", PROBES)
def test_the_questions_of_a_script_are_in_it_and_share_no_longer_word_with_their_passages(script: str) -> None:
    assert len(PROBES[script]) == 5
    for question, passage in PROBES[script]:
        assert script in scripts(question)
        assert script in scripts(passage)
        assert not {word for word in question.split() if len(word) > 4} & set(passage.split())


@pytest.mark.parametrize(("right", "reads"), [(5, True), (RIGHT, True), (RIGHT - 1, False), (1, False)])
def test_a_model_reads_that_finds_four_of_five(right: int, reads: bool) -> None:
    passages = np.eye(5, dtype=np.float32)
    order = [*range(right), *((at + 1) % 5 for at in range(right, 5))]

    def queries(texts: Sequence[str]) -> "NDArray[np.float32]":
        assert list(texts) == [question for question, _ in PROBES["kana"]]
        return passages[order]

    assert finds_its_own(queries, passages, "kana") is reads


@pytest.mark.parametrize(
    "text",
    [
        "When does the lease end?",
        "lease",
        "python du",
        "de la Cruz and the lease of the roof",
        "naïve Bayes",
        "賃貸",
        "",
    ],
)
def test_what_is_not_plainly_of_another_language_is_taken_for_english(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Wann endet der Mietvertrag?",
        "Où est la clé du toit ?",
        "¿Cuándo es el fin del contrato?",
        "Hvor er det og når?",
    ],
)
def test_another_language_in_latin_script_is_known_by_its_little_words(text: str) -> None:
    assert not is_english(text)
