"""Which excerpts fit a model's context, and how large that context is asked to be."""

import pytest

from lens_tui.answering.budget import ANSWER_TOKENS, SAFETY, STEP, Gauge, Room, fit
from lens_tui.answering.prompt import excerpts_of
from lens_tui.errors import PromptTooLong
from lens_tui.text.tokens import open_tokenizer
from lens_tui.types import Excerpt, SearchHit
from tests.answering.evidence_fakes import hit_of, piece_of

TOKENIZER = open_tokenizer("offline")


def hits(count: int, words: int = 150) -> tuple[SearchHit, ...]:
    return tuple(hit_of("lease " * words, rank=rank, path=f"{rank}.md") for rank in range(1, count + 1))


def excerpts(count: int, words: int = 150) -> tuple[Excerpt, ...]:
    return excerpts_of(hits(count, words))


def test_the_context_is_what_prompt_and_answer_need_in_steps() -> None:
    made = fit("When?", excerpts(8), Room("m", 131_072, None), TOKENIZER, SAFETY)
    assert made.num_ctx % STEP == 0
    assert made.prompt.tokens + ANSWER_TOKENS <= made.num_ctx < made.prompt.tokens + ANSWER_TOKENS + STEP
    assert made.prompt.left_out == 0
    assert made.notes == ()


def test_a_context_that_is_loaded_is_never_made_smaller() -> None:
    assert fit("When?", excerpts(1), Room("m", 131_072, 16_384), TOKENIZER, SAFETY).num_ctx == 16_384


def test_the_models_own_context_is_never_exceeded() -> None:
    assert fit("When?", excerpts(1), Room("m", 1500, None), TOKENIZER, SAFETY).num_ctx == 1500


def test_the_lowest_excerpts_are_left_out_whole_and_it_is_said() -> None:
    given = excerpts(8)
    made = fit("When?", given, Room("m", 2048, None), TOKENIZER, SAFETY)
    kept = made.prompt.excerpts
    assert 0 < len(kept) < 8
    assert kept == given[: len(kept)]
    assert made.prompt.left_out == 8 - len(kept)
    assert made.notes == (f"{len(kept)} of 8 excerpts fit m's context of 2,048 tokens.",)
    assert made.prompt.tokens + 512 <= made.num_ctx == 2048
    assert all(excerpt.text in made.prompt.user for excerpt in kept)


def test_of_joined_chunks_the_lowest_are_left_out_where_nothing_else_helps() -> None:
    document = "".join(f"Sentence {number} of the lease is here. " for number in range(200))
    size = len(document) // 8
    order = [4, 3, 5, 2, 6, 1, 7, 8]
    parts = tuple(piece_of(document, at * size, (at + 1) * size, rank=order[at], chunk=at) for at in range(8))
    (whole,) = excerpts_of(parts)
    made = fit("When?", (whole,), Room("m", 1600, None), TOKENIZER, SAFETY, hits=parts)
    (kept,) = made.prompt.excerpts
    assert kept.number == 1
    assert 1 in kept.hits
    assert kept.text == document[kept.start : kept.end]
    assert len(kept.hits) < 8
    assert "lowest-ranked chunks" in made.notes[0]


def test_an_excerpt_that_fits_nowhere_is_not_cut_but_told() -> None:
    with pytest.raises(PromptTooLong, match="best excerpt") as caught:
        fit("When?", excerpts(2, 5000), Room("m", 2048, None), TOKENIZER, SAFETY)
    assert caught.value.hint


def test_a_question_that_fits_nowhere_is_told() -> None:
    with pytest.raises(PromptTooLong) as caught:
        fit("why " * 25_000, excerpts(2), Room("m", 4096, None), TOKENIZER, SAFETY)
    assert "shorter question" in caught.value.hint
    with pytest.raises(PromptTooLong, match="The question needs"):
        fit("why " * 25_000, (), Room("m", 4096, None), TOKENIZER, SAFETY)


def test_a_models_own_tokenizer_is_learnt_from_its_answers() -> None:
    gauge = Gauge()
    assert gauge.of("m") == SAFETY
    gauge.learn("m", 1000, 4524)
    assert gauge.of("m") == pytest.approx(4.95)
    assert gauge.of("other") == SAFETY
    gauge.learn("m", 1000, 0)
    assert gauge.of("m") == pytest.approx(4.95)
