"""Notes behind everything else: a file at a time, resumable, with failures counted and a model that comes and goes."""

from dataclasses import dataclass, field, replace

from lens_tui.cancel import CancelToken
from lens_tui.errors import ChunkModelError, LensError, ModelUnreachable
from lens_tui.noting import RETRY_SECONDS, Noting
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Cancel
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk, Document, Span
from tests.folder_fakes import Shelf

OPTIONS = ChunkOptions(strategy="paragraph", contextual=True)


@dataclass
class Pen:
    """Writes notes that name their chunk; fails at some."""

    faults: dict[str, LensError] = field(default_factory=dict)
    wrote: list[str] = field(default_factory=list)

    def note(self, document: Document, chunk: Chunk, section: Span | None, cancel: Cancel) -> str:
        if chunk.text in self.faults:
            raise self.faults[chunk.text]
        self.wrote.append(chunk.text)
        return f"{document.path} on {document.text[slice(*section)] if section else chunk.text}"


class Desk:
    """A folder in memory with chunks of one word, and the noting over it."""

    def __init__(self, **files: str) -> None:
        self.shelf = Shelf()
        self.files: dict[str, str] = {}
        self.pen = Pen()
        self.now = 0.0
        self.options = OPTIONS
        for path, text in files.items():
            self.put(path, text)
        self.noting = Noting(
            self.shelf, self.read, lambda: self.options, OfflineTokenizer(), lambda _: self.pen, clock=lambda: self.now
        )

    def read(self, path: str) -> Document:
        return Document(path, self.files[path], self.files[path])

    def put(self, path: str, text: str) -> None:
        self.files[path] = text
        words = text.split()
        made = [
            Chunk(path, text, at, text.index(word), text.index(word) + len(word), word, (1, 1), 1)
            for at, word in enumerate(words)
        ]
        self.shelf.replace(self.read(path), made)

    def all(self) -> int:
        done = 0
        while step := self.noting.step(CancelToken()):
            done += step
        return done

    def notes(self, path: str) -> list[str | None]:
        return [chunk.context for chunk in self.shelf.chunks_of(path)]


def test_every_chunk_gets_its_note_a_file_at_a_time() -> None:
    desk = Desk(a="one two", b="three")
    assert desk.noting.left == 1, "not known yet, and more than none"
    assert desk.all() == 3
    assert desk.notes("a") == ["a on one", "a on two"]
    assert desk.notes("b") == ["b on three"]
    assert (desk.noting.left, desk.noting.failed, desk.noting.problem) == (0, 0, "")


def test_nothing_is_written_where_nobody_asked_for_notes() -> None:
    desk = Desk(a="one")
    desk.options = replace(OPTIONS, contextual=None)
    assert (desk.all(), desk.noting.left, desk.notes("a")) == (0, 0, [None])


def test_a_chunk_at_which_the_model_fails_is_indexed_without_a_note_and_counted_until_it_is_cut_anew() -> None:
    desk = Desk(a="one two", b="three")
    desk.pen.faults["two"] = ChunkModelError("The model fell silent.")
    desk.all()
    assert desk.notes("a") == ["a on one", None]
    assert (desk.noting.failed, desk.noting.left) == (1, 0)
    wrote = len(desk.pen.wrote)
    desk.noting.look()
    assert desk.all() == 0
    assert len(desk.pen.wrote) == wrote, "it is not asked for again and again"
    desk.pen.faults.clear()
    desk.options = replace(OPTIONS, context_tokens=50)
    desk.noting.look()
    desk.all()
    assert desk.notes("a") == ["a on one", "a on two"]
    assert desk.noting.failed == 0


def test_a_file_that_changes_is_noted_anew_and_its_failures_are_forgotten() -> None:
    desk = Desk(a="one two")
    desk.pen.faults["two"] = ChunkModelError("The model fell silent.")
    desk.all()
    desk.put("a", "one four")
    desk.noting.look()
    desk.all()
    assert desk.notes("a") == ["a on one", "a on four"]
    assert desk.noting.failed == 0


def test_a_file_that_changed_while_its_notes_were_written_does_not_get_them() -> None:
    desk = Desk(a="one")
    desk.noting.step(CancelToken())
    desk = Desk(a="one two")
    desk.now = 0.0
    clock = iter(range(0, 1000, 2))
    noting = Noting(
        desk.shelf, desk.read, lambda: OPTIONS, OfflineTokenizer(), lambda _: desk.pen, clock=lambda: float(next(clock))
    )
    assert noting.step(CancelToken()) == 1
    desk.files["a"] = "other words"
    assert noting.step(CancelToken()) == 1
    assert desk.notes("a") == [None, None]


def test_a_model_that_is_away_is_a_problem_that_is_tried_again_later_and_nothing_is_lost() -> None:
    desk = Desk(a="one two")
    desk.pen.faults["two"] = ModelUnreachable("Nothing answers.", hint="Start it with: ollama serve")
    assert desk.noting.step(CancelToken()) == 0
    assert desk.noting.problem == "Nothing answers. Start it with: ollama serve"
    desk.pen.faults.clear()
    assert desk.noting.step(CancelToken()) == 0, "it is not asked again at once"
    desk.now += RETRY_SECONDS
    desk.all()
    assert desk.noting.problem == ""
    assert desk.pen.wrote == ["one", "two"], "what was written is not written again"
    assert desk.notes("a") == ["a on one", "a on two"]


def test_a_wish_to_stop_ends_a_step() -> None:
    desk = Desk(a="one")
    cancel = CancelToken()
    cancel.cancel()
    assert desk.noting.step(cancel) == 0
    assert desk.notes("a") == [None]


def test_where_only_summaries_are_wanted_sections_with_others_below_them_are_summed_up() -> None:
    desk = Desk(a="top below other")
    top, below, other = desk.shelf.chunks["a"]
    desk.shelf.chunks["a"] = (
        replace(top, heading=("Top",), children=(below.id,)),
        replace(below, heading=("Top", "Below")),
        replace(other, heading=("Other",)),
    )
    desk.options = ChunkOptions(strategy="hierarchical", summaries=True)
    assert desk.all() == 3
    assert desk.notes("a") == ["a on top below", None, None]
    assert (desk.noting.left, desk.noting.failed) == (0, 0)
    desk.noting.look()
    assert desk.all() == 0
