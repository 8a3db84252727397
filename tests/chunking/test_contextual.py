"""Notes that place chunks in their documents: what the model is asked, what is kept, what failures do."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.chunking.contextual import SECONDS, TEMPLATE, ContextualChunker, NoteOptions, Noter
from lens_tui.chunking.hierarchical import HierarchicalChunker
from lens_tui.chunking.note_cache import NoteFile
from lens_tui.chunking.paragraph import ParagraphChunker
from lens_tui.errors import AnswerCutShort, ChunkModelError, LensError, ModelUnreachable, PromptTooLong, Stopped
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Cancel
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import ChatPiece, Chunk, Document, Prompt
from tests.chunking.documents import document

TOKENIZER = OfflineTokenizer()
TEXT = "\n\n".join(f"Paragraph number {number} tells of the lease and of rent {number}." for number in range(40))


@dataclass
class Scripted:
    """A model that says one thing, or fails at prompts that hold a word."""

    says: str = "It stands in the middle of the lease."
    name: str = "scripted"
    faults: dict[str, LensError] = field(default_factory=dict)
    reads: int = 100_000
    """Characters of a prompt that it can take."""
    asked: list[tuple[Prompt, int]] = field(default_factory=list)

    def context(self) -> int:
        return 8_192

    def prepare(self) -> None:
        """Nothing is to be found out."""

    def loaded_context(self) -> int | None:
        return None

    def stream(self, prompt: Prompt, *, num_ctx: int, cancel: Cancel) -> Iterator[ChatPiece]:
        self.asked.append((prompt, num_ctx))
        for word, fault in self.faults.items():
            if word in prompt.user.partition("<chunk>")[2]:
                raise fault
        if len(prompt.user) > self.reads:
            raise PromptTooLong("The text is too long.")
        for word in self.says.split(" "):
            if cancel.cancelled:
                return
            yield ChatPiece(text=word + " ")


def chunks_of(read: Document) -> tuple[Chunk, ...]:
    return ParagraphChunker(TOKENIZER, ChunkOptions(size=60, overlap="0")).chunk(read).chunks


def noter(model: Scripted, options: NoteOptions | None = None, cache: NoteFile | None = None) -> Noter:
    return Noter(model, TOKENIZER, options or NoteOptions(), cache)


def test_the_model_sees_the_document_and_the_chunk_and_its_note_is_kept_apart_from_the_text() -> None:
    read, model = document(TEXT), Scripted()
    cut = ContextualChunker(ParagraphChunker(TOKENIZER), lambda: noter(model), TOKENIZER).chunk(read)
    for chunk, (prompt, num_ctx) in zip(cut.chunks, model.asked, strict=True):
        assert (chunk.context, chunk.contextualized) == (model.says, True)
        assert chunk.context_tokens == TOKENIZER.count(model.says)
        assert read.text[chunk.start : chunk.end] == chunk.text
        assert f"<document>\n{TEXT}\n</document>" in prompt.user
        assert f"<chunk>\n{chunk.text}\n</chunk>" in prompt.user
        assert num_ctx % 1024 == 0 or num_ctx == model.context()
        assert num_ctx > prompt.tokens


def test_of_a_long_document_it_sees_a_window_with_the_chunk_in_the_middle() -> None:
    read, model = document(TEXT), Scripted()
    chunks = chunks_of(read)
    middle = chunks[len(chunks) // 2]
    noter(model, NoteOptions(window=200)).note(read, middle, None, CancelToken())
    seen = model.asked[0][0].user.partition("<document>\n")[2].partition("\n</document>")[0]
    assert TOKENIZER.count(seen) <= 201
    at = seen.index(middle.text)
    assert abs(at - (len(seen) - at - len(middle.text))) < 60
    noter(model, NoteOptions(window=200)).note(read, chunks[0], None, CancelToken())
    assert "<document>\n" + TEXT[:200] in model.asked[1][0].user


def test_what_a_document_says_of_templates_is_only_text() -> None:
    read, model = document("Write {{CHUNK_CONTENT}} or {{WHOLE_DOCUMENT}} there.\n\nAnd so on."), Scripted()
    (chunk,) = ParagraphChunker(TOKENIZER).chunk(read).chunks
    noter(model, NoteOptions("{{WHOLE_DOCUMENT}}|{{CHUNK_CONTENT}}")).note(read, chunk, None, CancelToken())
    assert model.asked[0][0].user == f"{read.text}|{chunk.text}"


def test_a_note_has_no_more_tokens_than_it_may() -> None:
    read, model = document(TEXT), Scripted(says="word " * 500)
    note = noter(model, NoteOptions(longest=20)).note(read, chunks_of(read)[0], None, CancelToken())
    assert 15 < TOKENIZER.count(note) <= 20


def test_a_model_that_reads_less_than_we_counted_is_shown_less_of_the_document() -> None:
    read, model = document(TEXT), Scripted(reads=1_500)
    chunk = chunks_of(read)[4]
    assert noter(model).note(read, chunk, None, CancelToken()) == model.says
    assert chunk.text in model.asked[-1][0].user
    sizes = [len(prompt.user) for prompt, _ in model.asked]
    assert sizes[-1] <= 1_500 < sizes[0]
    with pytest.raises(ChunkModelError, match="too long"):
        noter(Scripted(reads=10)).note(read, chunk, None, CancelToken())


def test_a_chunk_at_which_the_model_fails_stays_without_a_note_and_that_is_told() -> None:
    read = document(TEXT)
    model = Scripted(faults={"number 7 ": AnswerCutShort("The stream broke off.")})
    cut = ContextualChunker(
        ParagraphChunker(TOKENIZER, ChunkOptions(size=60, overlap="0")), lambda: noter(model), TOKENIZER
    ).chunk(read)
    bare = [chunk for chunk in cut.chunks if not chunk.contextualized]
    assert len(bare) == 1
    assert bare[0].context is None
    assert cut.warnings == (f"1 of {len(cut.chunks)} excerpts have no note: The stream broke off.",)


def test_where_nothing_answers_no_second_chunk_is_asked_for() -> None:
    read = document(TEXT)
    model = Scripted(faults={"": ModelUnreachable("Nothing answers.", hint="Start it with: ollama serve")})
    chunker = ContextualChunker(
        ParagraphChunker(TOKENIZER, ChunkOptions(size=60, overlap="0")), lambda: noter(model), TOKENIZER
    )
    with pytest.raises(ChunkModelError, match="Nothing answers") as caught:
        chunker.chunk(read)
    assert isinstance(caught.value.__cause__, ModelUnreachable)
    assert caught.value.hint == "Start it with: ollama serve"
    assert len(model.asked) == 1


def test_an_empty_note_is_a_failure_and_a_wish_to_stop_is_none() -> None:
    read = document(TEXT)
    with pytest.raises(ChunkModelError, match="empty"):
        noter(Scripted(says="  ")).note(read, chunks_of(read)[0], None, CancelToken())
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Stopped):
        noter(Scripted()).note(read, chunks_of(read)[0], None, cancel)


def test_a_note_that_takes_too_long_is_given_up() -> None:
    read = document(TEXT)
    times = iter((0.0, 1.0, SECONDS + 1))
    slow = Noter(Scripted(), TOKENIZER, NoteOptions(), None, clock=lambda: next(times))
    with pytest.raises(ChunkModelError, match="longer than 60 s"):
        slow.note(read, chunks_of(read)[0], None, CancelToken())


def test_a_note_is_kept_by_document_chunk_model_and_template(tmp_path: Path) -> None:
    read, model = document(TEXT), Scripted()
    cache = NoteFile(tmp_path / "notes.sqlite3")
    first, second = chunks_of(read)[:2]
    for _ in range(2):
        noter(model, cache=cache).note(read, first, None, CancelToken())
    assert len(model.asked) == 1
    noter(model, cache=cache).note(read, second, None, CancelToken())
    noter(model, NoteOptions(TEMPLATE + " Be short."), cache).note(read, first, None, CancelToken())
    other = document(TEXT + "!")
    noter(model, cache=cache).note(other, chunks_of(other)[0], None, CancelToken())
    noter(Scripted(name="another"), cache=cache).note(read, first, None, CancelToken())
    assert len(model.asked) == 4
    cache.close()
    again = NoteFile(tmp_path / "notes.sqlite3")
    assert noter(Scripted(says="Never asked."), cache=again).note(read, first, None, CancelToken()) == model.says
    again.close()


def test_a_section_with_others_below_it_is_summed_up_whole_where_that_is_wanted() -> None:
    read = document("# Lease\n\nOf a house.\n\n## Term\n\nTwo years.\n\n## Rent\n\nPaid in May.\n\n# Other\n\nWords.\n")
    model = Scripted(says="It is about a lease.")
    options = ChunkOptions(strategy="hierarchical", summaries=True)
    chunker = HierarchicalChunker(TOKENIZER, options)
    cut = ContextualChunker(chunker, lambda: noter(model, NoteOptions.of(options)), TOKENIZER).chunk(read)
    assert [chunk.context for chunk in cut.chunks] == [model.says, None, None, None]
    (prompt, _), *others = model.asked
    assert others == []
    assert "Paid in May." in prompt.user
    assert "Words." not in prompt.user
