"""The set of claims: how often verdicts must be right, and that no unmodified text is ever contradicted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_tui.answering.citations import cite
from lens_tui.answering.verify import judge_text
from lens_tui.text.sentences import sentences
from tests.answering.evidence_fakes import excerpt_of
from tests.benchmarks.verdicts import CLAIMS, Claim, ours, read, score

DEVELOPMENT = read(CLAIMS / "development.jsonl")
BY_HAND = read(CLAIMS / "by_hand.jsonl")
TEXTS = Path(__file__).parents[2]


def test_the_development_half_holds_its_floors() -> None:
    told = score(DEVELOPMENT, ours)
    assert told.precision["supported"] >= 0.97
    assert told.recall["supported"] >= 0.92
    assert told.precision["contradicted"] >= 0.97
    assert told.recall["contradicted"] >= 0.9
    assert told.carried >= 0.99
    assert told.answered >= 0.99


def test_what_people_would_write_is_seldom_called_wrongly() -> None:
    told = score(BY_HAND, ours)
    assert told.precision["supported"] >= 0.85
    assert told.precision["contradicted"] >= 0.9


def test_every_language_and_rule_is_in_the_set() -> None:
    pairs = {(claim.language, claim.rule) for claim in DEVELOPMENT}
    assert {language for language, _ in pairs} == {"en", "de", "ru", "zh", "ja"}
    assert len({rule for _, rule in pairs}) == 11


def excerpts() -> Iterator[tuple[str, str]]:
    seen = dict.fromkeys((claim.language, claim.excerpt) for claim in DEVELOPMENT)
    yield from seen


@pytest.mark.parametrize("language", ["en", "de", "ru", "zh", "ja"])
def test_no_sentence_of_a_text_is_contradicted_by_it(language: str) -> None:
    wrong = []
    for held, excerpt in excerpts():
        if held == language:
            for start, end in sentences(excerpt):
                judged = judge_text(excerpt[start:end], excerpt)
                if judged.verdict != "supported":
                    wrong.append((excerpt[start:end], judged.why))
    assert wrong == []


def test_no_part_of_a_sentence_is_contradicted_by_it() -> None:
    wrong = []
    for _, excerpt in list(excerpts())[::3]:
        for start, end in sentences(excerpt)[:4]:
            words = excerpt[start:end].split(" ")
            for part in (words[: len(words) * 2 // 3], words[len(words) // 3 :]):
                claim = " ".join(part)
                if judge_text(claim, excerpt).verdict == "contradicted":
                    wrong.append(claim)
    assert wrong == []


def test_no_sentence_of_the_readme_is_contradicted_by_it() -> None:
    excerpt = (TEXTS / "README.md").read_text("utf-8")[:12_000]
    verdicts = [judge_text(excerpt[a:b], excerpt).verdict for a, b in sentences(excerpt) if b - a > 30][:60]
    assert "contradicted" not in verdicts


def test_a_quoted_answer_is_supported_through_marks_and_all() -> None:
    claims: list[Claim] = [claim for claim in DEVELOPMENT if claim.rule == "verbatim"]
    for claim in claims:
        stop = claim.claim[-1]
        citations, _ = cite(f"{claim.claim[:-1]} [1]{stop}", [excerpt_of(claim.excerpt)])
        assert [citation.verdict for citation in citations] == ["supported"], claim.claim
