"""One question answered, from what was found to the last word, whatever the model does."""

from collections.abc import Sequence

import pytest

from lens_tui.answering.budget import Gauge
from lens_tui.answering.chat import HOW_TO_START, NO_MODEL, NO_MODEL_NOTHING, AnswerEvent, answer
from lens_tui.answering.quoting import NOTHING, UNCLEAR
from lens_tui.cancel import CancelToken
from lens_tui.errors import AnswerCutShort, ModelError, ModelUnreachable, PromptTooLong
from lens_tui.history import PromptSent
from lens_tui.protocols import ChatModel
from lens_tui.text.tokens import open_tokenizer
from lens_tui.types import Answered, AnswerStep, AnswerText, AskRetrieved, ChatPiece, Failed, Retrieved
from tests.answering.evidence_fakes import LEASE, LETTER, PlayedModel, found, hit_of, says

QUESTION = "When does the lease end, and what notice do I owe?"
HITS = found(hit_of(LEASE), hit_of(LETTER, rank=2, path="letter.md"))
TOKENIZER = open_tokenizer("offline")


def run(
    model: ChatModel | None,
    retrieved: Retrieved = HITS,
    *,
    cancel: CancelToken | None = None,
    notes: Sequence[str] = (),
    gauge: Gauge | None = None,
    quote_instead: bool = False,
) -> list[AnswerEvent]:
    return list(
        answer(
            QUESTION,
            retrieved,
            model=model,
            tokenizer=TOKENIZER,
            cancel=cancel or CancelToken(),
            notes=notes,
            gauge=gauge,
            quote_instead=quote_instead,
        )
    )


def text_of(events: Sequence[AnswerEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, AnswerText))


def answered(events: Sequence[AnswerEvent]) -> Answered:
    last = events[-1]
    assert isinstance(last, Answered)
    return last


def test_what_was_found_comes_before_the_model_is_asked_anything() -> None:
    class Untouchable(PlayedModel):
        def context(self) -> int:
            raise AssertionError("asked too early")

    stream = answer(QUESTION, HITS, model=Untouchable(), tokenizer=TOKENIZER, cancel=CancelToken())
    first = next(stream)
    assert isinstance(first, AskRetrieved)
    assert first.hits == HITS.hits
    assert [excerpt.path for excerpt in first.excerpts] == ["lease.md", "letter.md"]
    assert first.notes == HITS.notes


def test_an_answer_streams_and_ends_with_its_citations() -> None:
    events = run(PlayedModel(says("The lease ends on ", "31 March 2027 [", "1", "]. Bye.\n"), loaded=8192))
    assert [type(event) for event in events[:4]] == [AskRetrieved, PromptSent, AnswerStep, AnswerStep]
    assert [event.step for event in events if isinstance(event, AnswerStep)] == ["reading 400 tokens", "answering"]
    last = answered(events)
    assert last.text == text_of(events) == "The lease ends on 31 March 2027 [1]. Bye."
    assert [citation.number for citation in last.citations] == [1]
    assert [last.text[start:end] for start, end in last.uncited] == ["Bye."]
    assert (last.model, last.prompt_tokens, last.answer_tokens, last.context_tokens) == ("qwen3:4b", 400, 20, 8192)
    assert (last.stopped, last.left_out, last.notes) == (False, 0, ())


def test_no_piece_ends_in_half_a_mark() -> None:
    events = run(PlayedModel(says("ends [", "1", ", 2", "] now")))
    assert [event.text for event in events if isinstance(event, AnswerText)] == ["ends", " [1, 2] now"]


def test_the_model_gets_exactly_the_two_messages() -> None:
    model = PlayedModel(says("Yes."))
    run(model)
    ((prompt, num_ctx),) = model.asked
    assert prompt.user.startswith("Source excerpts:\n\n[1] lease.md#chunk-0\n## 4 Term")
    assert prompt.user.endswith(f"\n\nQuestion:\n{QUESTION}")
    assert num_ctx == 2048


def test_thinking_is_folded_away() -> None:
    pieces = [ChatPiece(thinking="Let me "), ChatPiece(thinking="look."), *says("Yes [1].")]
    events = run(PlayedModel(pieces))
    last = answered(events)
    assert last.text == "Yes [1]."
    assert last.thinking == "Let me look."
    assert last.thinking_seconds >= 0
    assert [event.thinking for event in events if isinstance(event, AnswerStep) and event.thinking] == [
        "Let me ",
        "look.",
    ]


def test_a_stopped_answer_keeps_what_arrived() -> None:
    cancel = CancelToken()
    pieces: list[ChatPiece | ModelError] = [ChatPiece(text="The lease ends [1]. And ["), ChatPiece(text="2")]
    events = run(PlayedModel([*pieces, cancel.cancel, ChatPiece(text="never")]), cancel=cancel)
    last = answered(events)
    assert last.stopped
    assert last.text == text_of(events) == "The lease ends [1]. And [2"
    assert [citation.number for citation in last.citations] == [1]


def test_a_failed_answer_keeps_what_arrived_and_ends_with_the_error() -> None:
    error = AnswerCutShort("Ollama closed the connection after 11 s.", hint="Start it with: ollama serve")
    events = run(PlayedModel([ChatPiece(text="The lease ends [1"), error]))
    assert text_of(events) == "The lease ends [1"
    assert events[-1] == Failed(message=error.message, hint=error.hint, kind="AnswerCutShort")
    assert not any(isinstance(event, Answered) for event in events)


def test_a_model_that_cannot_be_reached_fails_after_what_was_found() -> None:
    events = run(PlayedModel([ChatPiece(step="loading"), ModelUnreachable("Nothing answers.", hint="ollama serve")]))
    assert [type(event) for event in events] == [AskRetrieved, PromptSent, AnswerStep, Failed]


GONE = ModelUnreachable("Nothing answers.", hint="Start it with: ollama serve")


def test_a_model_nobody_named_that_is_gone_before_its_first_word_is_stood_in_for_by_quotes() -> None:
    events = run(PlayedModel([ChatPiece(step="loading"), GONE]), quote_instead=True, notes=("Known before.",))
    last = answered(events)
    assert last.model is None
    assert last.text == text_of(events)
    assert last.text.startswith("The lease runs until 31 March 2027")
    assert last.notes == (NO_MODEL, "Known before.", "Nothing answers. Start it with: ollama serve")


def test_a_model_that_goes_in_mid_answer_is_not_followed_by_quotes() -> None:
    events = run(PlayedModel([ChatPiece(text="The lease"), GONE]), quote_instead=True)
    assert text_of(events) == "The lease"
    assert isinstance(events[-1], Failed)


def test_an_error_while_asking_for_the_context_is_told_too() -> None:
    class Gone(PlayedModel):
        def context(self) -> int:
            raise ModelUnreachable("Nothing answers.", hint="ollama serve")

    assert [type(event) for event in run(Gone())] == [AskRetrieved, Failed]


TOO_LONG = PromptTooLong("too long", hint="shorter")


def test_a_prompt_that_is_too_long_after_all_is_made_to_fit() -> None:
    model = PlayedModel(says("Yes [1]."), longest=8192, retold=[[TOO_LONG], [TOO_LONG]])
    last = answered(run(model))
    assert last.text == "Yes [1]."
    assert len(model.asked) == 3
    assert model.asked[0][0].tokens < model.asked[1][0].tokens < model.asked[2][0].tokens
    assert model.asked[0][1] <= model.asked[2][1]


CUT = says("The lease ", "ends [", reason="length", read=1900)


def test_an_answer_that_the_context_cut_off_goes_on_in_a_larger_one() -> None:
    model = PlayedModel(says("The lease ends", " [1].", read=1900), retold=[CUT])
    events = run(model)
    last = answered(events)
    assert last.text == text_of(events) == "The lease ends [1]."
    assert [num_ctx for _, num_ctx in model.asked] == [2048, 6144]
    assert model.asked[0][0] == model.asked[1][0]
    assert last.context_tokens == 6144
    assert last.notes == ()


def test_thinking_that_filled_the_context_is_told_once() -> None:
    thought = [ChatPiece(thinking="Let me "), ChatPiece(thinking="look", prompt_tokens=1900, done_reason="length")]
    whole = [ChatPiece(thinking="Let me look"), ChatPiece(thinking="."), *says("Yes [1].")]
    last = answered(run(PlayedModel(whole, retold=[thought])))
    assert (last.thinking, last.text) == ("Let me look.", "Yes [1].")


@pytest.mark.parametrize(
    ("again", "note"),
    [
        (says("It ends", " [1]."), "cut off"),
        ([ModelError("No memory.")], "A larger context could not be had: No memory."),
    ],
)
def test_a_second_try_that_goes_wrong_leaves_the_first_answer(again: list[ChatPiece | ModelError], note: str) -> None:
    events = run(PlayedModel(again, retold=[CUT]))
    last = answered(events)
    assert last.text == text_of(events) == "The lease ends ["
    assert last.context_tokens == 2048
    assert any(note in told for told in last.notes)
    assert "cut off after 20 tokens" in last.notes[-1]


def test_a_second_try_can_be_stopped() -> None:
    cancel = CancelToken()
    last = answered(run(PlayedModel([cancel.cancel, ChatPiece(text="The")], retold=[CUT]), cancel=cancel))
    assert last.stopped
    assert last.text == "The lease ends ["


def test_an_answer_of_a_million_characters_is_passed_on_in_time_that_grows_with_it() -> None:
    piece = "x" * 50
    text = text_of(run(PlayedModel(says(*[piece] * 20_000))))
    assert text == piece * 20_000


def test_excerpts_that_do_not_fit_are_left_out_and_told() -> None:
    many = found(*(hit_of(LEASE * 3, rank=rank, path=f"{rank}.md") for rank in range(1, 9)))
    last = answered(run(PlayedModel(says("Yes [1] [8]."), longest=1024), many))
    assert last.left_out > 0
    kept = 8 - last.left_out
    assert f"{kept} of 8 excerpts fit" in last.notes[0]
    assert last.citations[1].why == f"there is no excerpt 8; the model had {kept}"


def test_a_server_that_always_says_too_long_is_believed_in_the_end() -> None:
    model = PlayedModel([TOO_LONG], longest=131_072)
    events = run(model)
    assert isinstance(events[-1], Failed)
    assert events[-1].kind == "PromptTooLong"
    assert len(model.asked) < 10


def test_a_tokenizer_that_was_learnt_is_reckoned_with_at_once() -> None:
    gauge = Gauge()
    run(PlayedModel(says("Yes [1].", read=1500)), gauge=gauge)
    model = PlayedModel(says("Yes [1]."))
    run(model, gauge=gauge)
    assert model.asked[0][0].tokens > 1500


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (says(), "gave no answer: it ended at once"),
        (says("  \n"), "gave no answer: it ended at once"),
        ([ChatPiece(thinking="Hm"), ChatPiece(done_reason="stop")], "gave no answer: it only thought"),
        (says("The lease", reason="length", wrote=1024), "cut off after 1,024 tokens"),
        (says("The lease ends [1].", read=2048), "Ollama may have cut it"),
        (says("The lease ends [1].", read=40), "Ollama may have cut it"),
    ],
)
def test_what_an_answer_does_not_show_by_itself_is_noted(pieces: list[ChatPiece], words: str) -> None:
    last = answered(run(PlayedModel(pieces)))
    assert any(words in note for note in last.notes)


def test_nothing_found_is_asked_of_the_model_all_the_same() -> None:
    model = PlayedModel(says("The files do not say."))
    last = answered(run(model, found()))
    assert "No matching chunks were found." in model.asked[0][0].user
    assert (last.text, last.citations, last.uncited) == ("The files do not say.", (), ())


def test_without_a_model_sentences_are_quoted_and_it_is_said() -> None:
    events = run(None, notes=("Nothing answers at http://localhost:11434.", "ollama serve"))
    last = answered(events)
    assert last.model is None
    assert last.text == text_of(events)
    assert last.text.startswith("The lease runs until 31 March 2027")
    assert [citation.number for citation in last.citations] == [1, 2]
    assert last.notes == (NO_MODEL, "Nothing answers at http://localhost:11434.", "ollama serve")
    assert (last.prompt_tokens, last.uncited, last.stopped) == (None, (), False)


def test_how_to_get_a_model_is_said_where_nobody_else_says_it() -> None:
    assert answered(run(None)).notes == (NO_MODEL, HOW_TO_START)


def test_nothing_found_without_a_model_is_said_plainly() -> None:
    last = answered(run(None, found()))
    assert (last.text, last.model, last.citations) == (NOTHING, None, ())
    assert last.notes == (NO_MODEL_NOTHING, HOW_TO_START)


def test_quotes_that_answer_nothing_clearly_are_said_to() -> None:
    last = answered(run(None, found(hit_of("Kind regards from the mountains."))))
    assert [citation.number for citation in last.citations] == [1]
    assert last.notes == (NO_MODEL, UNCLEAR, HOW_TO_START)
