"""Which excerpts fit a model's context, and how large that context is asked to be."""

import pytest

from lens_tui.answering.budget import ANSWER_TOKENS, LONG_ANSWER_TOKENS, SAFETY, STEP, STRANGE, Gauge, Ratio, Room, fit
from lens_tui.answering.counting import Counting
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
    made = fit("When?", excerpts(8), Room("m", 131_072, None), Counting(TOKENIZER), Ratio())
    assert made.num_ctx % STEP == 0
    assert made.prompt.tokens + ANSWER_TOKENS <= made.num_ctx < made.prompt.tokens + ANSWER_TOKENS + STEP
    assert made.prompt.left_out == 0
    assert made.notes == ()


def test_a_context_that_is_loaded_is_never_made_smaller() -> None:
    assert fit("When?", excerpts(1), Room("m", 131_072, 16_384), Counting(TOKENIZER), Ratio()).num_ctx == 16_384


def test_the_models_own_context_is_never_exceeded() -> None:
    assert fit("When?", excerpts(1), Room("m", 1500, None), Counting(TOKENIZER), Ratio()).num_ctx == 1500


def test_the_lowest_excerpts_are_left_out_whole_and_it_is_said() -> None:
    given = excerpts(8)
    made = fit("When?", given, Room("m", 2048, None), Counting(TOKENIZER), Ratio())
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
    made = fit("When?", (whole,), Room("m", 1600, None), Counting(TOKENIZER), Ratio(), hits=parts)
    (kept,) = made.prompt.excerpts
    assert kept.number == 1
    assert 1 in kept.hits
    assert kept.text == document[kept.start : kept.end]
    assert len(kept.hits) < 8
    assert "lowest-ranked chunks" in made.notes[0]


def test_an_excerpt_that_fits_nowhere_is_not_cut_but_told() -> None:
    with pytest.raises(PromptTooLong, match="best excerpt") as caught:
        fit("When?", excerpts(2, 5000), Room("m", 2048, None), Counting(TOKENIZER), Ratio())
    assert caught.value.hint


def test_a_question_that_fits_nowhere_is_told() -> None:
    with pytest.raises(PromptTooLong) as caught:
        fit("why " * 25_000, excerpts(2), Room("m", 4096, None), Counting(TOKENIZER), Ratio())
    assert "shorter question" in caught.value.hint
    with pytest.raises(PromptTooLong, match="The question needs"):
        fit("why " * 25_000, (), Room("m", 4096, None), Counting(TOKENIZER), Ratio())


def test_a_models_own_tokenizer_is_learnt_from_its_answers() -> None:
    gauge = Gauge()
    assert gauge.of("m", "lease") == Ratio(SAFETY, SAFETY)
    gauge.learn("m", "lease", 1000, 4524)
    assert gauge.of("m", "rent").likely == gauge.of("m", "rent").most == pytest.approx(4.95)
    assert gauge.of("other", "lease") == Ratio()
    gauge.learn("m", "lease", 1000, 0)
    assert gauge.of("m", "lease").most == pytest.approx(4.95)


def test_what_was_learnt_of_one_script_says_nothing_of_another() -> None:
    gauge = Gauge()
    gauge.learn("m", "The lease ends.", 1000, 1024)
    assert gauge.of("m", "契約は三月に終わります。").most == pytest.approx(SAFETY + STRANGE)
    gauge.learn("m", "契約は三月に終わります。", 1000, 2024)
    assert gauge.of("m", "家賃は毎月払います。").most == pytest.approx(2.2)
    assert gauge.of("m", "The rent.").most == pytest.approx(1.1)


def test_a_script_that_models_cut_small_gets_a_larger_context_and_loses_no_excerpt() -> None:
    given = excerpts_of(tuple(hit_of("契約は三月に終わります。" * 40, rank=n, path=f"{n}.md") for n in range(1, 5)))
    room = Room("m", 131_072, None)
    plain = fit("いつ？", given, room, Counting(TOKENIZER), Ratio())
    cautious = fit("いつ？", given, room, Counting(TOKENIZER), Gauge().of("m", given[0].text))
    assert cautious.prompt == plain.prompt
    assert cautious.num_ctx >= plain.num_ctx + STEP


def test_a_longer_answer_gets_room_beside_what_was_really_read() -> None:
    made = fit("When?", excerpts(4), Room("m", 131_072, None), Counting(TOKENIZER), Ratio())
    wider = made.wider(Room("m", 131_072, None), 3000)
    assert wider.prompt == made.prompt
    assert 3000 + LONG_ANSWER_TOKENS <= wider.num_ctx < 3000 + LONG_ANSWER_TOKENS + STEP
    assert made.wider(Room("m", made.num_ctx, None), 3000).num_ctx == made.num_ctx
