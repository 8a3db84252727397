"""The fusion rule and the absolute score, on numbers that can be checked by hand."""

import pytest

from lens_tui.index import ranking
from lens_tui.index.ranking import Candidate
from lens_tui.index.sought import Sought
from lens_tui.index.store import Row
from lens_tui.types import Reason
from tests.index.making import chunks, document


def candidate(id_: int, lexical: float | None = None, vector: float | None = None) -> Candidate:
    why = {}
    if lexical is not None:
        why["lexical"] = Reason(1, lexical)
    if vector is not None:
        why["vector"] = Reason(1, vector)
    return Candidate(id_, why)


def row(text: str, title: str = "", path: str = "a.md") -> Row:
    (chunk,) = chunks(document(path, text))
    return Row(1, chunk, title, 1, (1, 0))


def fused(found: list[Candidate], coverage: float) -> dict[int, float]:
    ranking.fuse(found, coverage)
    return {one.id: ranking.fused_with_own(one) for one in found}


def test_candidates_of_both_retrievers_are_one_with_both_reasons() -> None:
    found = ranking.candidates({"lexical": [(7, 3.0), (8, 2.0)], "vector": [(8, 0.9)]})
    assert list(found) == [7, 8]
    assert found[8].why == {"lexical": Reason(2, 2.0), "vector": Reason(1, 0.9)}


def test_words_lead_where_they_hold_the_whole_question_and_vectors_where_they_hold_none() -> None:
    found = [candidate(1, 10.0, 0.2), candidate(2, 4.0, 0.9), candidate(3, None, 0.8), candidate(4, 1.0)]
    whole = fused(found, 1.0)
    assert max(whole, key=lambda id_: whole[id_]) == 1
    assert whole[1] == pytest.approx(2.0 + 0.0)
    assert whole[2] == pytest.approx(1.0 + 2.0 * 3 / 9)
    none = fused(found, 0.0)
    assert sorted(none, key=lambda id_: -none[id_])[:2] == [2, 3]


def test_one_candidate_alone_has_the_best_value() -> None:
    assert fused([candidate(1, 2.0, 0.5)], 0.5) == {1: pytest.approx(1.0 + 2 * 0.25)}


def test_of_chunks_that_are_as_near_the_one_leads_that_holds_more_of_the_question() -> None:
    found = [candidate(1, 8.0, 0.5), candidate(2, 8.0, 0.5), candidate(3, 2.0, 0.1)]
    found[1].coverage = 0.5
    values = fused(found, 0.5)
    assert values[2] - values[1] == pytest.approx(2 * 0.25)


def test_the_figures_of_a_fusion_are_told_and_add_up() -> None:
    found = [candidate(1, 8.0, 0.5), candidate(2, 5.0, 0.4), candidate(3, 2.0, 0.1)]
    found[1].coverage = 0.5
    value = fused(found, 0.9)[2]
    told = ranking.order_told(found[1], "hybrid", value)
    assert told.startswith(f"0.75 + 2 · 0.90² · 0.50 + 2 · 0.50² = {value:.3f}: ")
    assert pytest.approx(value) == 0.75 + 2 * 0.9**2 * 0.5 + 2 * 0.5**2


def test_coverage_counts_text_title_name_and_heading() -> None:
    idf = {"lease": 2.0, "winter": 1.0, "roof": 1.0}
    for one, expected in (
        (row("The lease of winter."), 0.75),
        (row("Nothing.", title="A lease"), 0.5),
        (row("Nothing.", path="notes/roof.md"), 0.25),
        (row("Roof, winter, lease."), 1.0),
        (row("Nothing."), 0.0),
    ):
        found = Candidate(1, {}, one)
        ranking.read(found, Sought(idf))
        assert found.coverage == pytest.approx(expected)


def test_the_score_is_one_only_where_all_that_was_asked_for_is_there() -> None:
    one = candidate(1, lexical=40.0)
    one.coverage, one.held = 0.75, 3.0
    assert ranking.score(one) == 0.75
    one.coverage, one.held = 1.0, 4.0
    assert ranking.score(one) == 1.0
    one = candidate(1, lexical=2.0)
    one.coverage, one.held = 1.0, 4.0
    assert ranking.score(one) == 0.5


@pytest.mark.parametrize(("cosine", "expected"), [(0.7, 0.7), (-0.3, 0.0), (1.0000001, 1.0)])
def test_a_cosine_is_a_score_within_its_bounds(cosine: float, expected: float) -> None:
    assert ranking.score(candidate(1, vector=cosine)) == expected


def test_both_scores_give_the_larger() -> None:
    one = candidate(1, lexical=2.0, vector=0.3)
    one.coverage, one.held = 1.0, 4.0
    assert ranking.score(one) == 0.5
