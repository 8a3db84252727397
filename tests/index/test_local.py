"""Vectors from a model directory in the index: ordinary ones, and late ones that rest on the whole document."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import Stopped
from lens_tui.index.local import LateEmbedder, LocalEmbedder
from lens_tui.index.store import Store
from lens_tui.index.vectors import VectorShelf
from lens_tui.onnx import ModelDirectory
from lens_tui.protocols import TokenEmbedder
from lens_tui.types import Place, Query, Span
from tests.index.making import embed_all, opened, put
from tests.token_models import VOCABULARY, WIDTH, make_onnx

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Row = NDArray[np.float32]

TEXT = "the lease runs until march.\n\nthe rent is paid in may.\n\n\n\nthe term is two years."


@pytest.fixture
def model(tmp_path: Path) -> ModelDirectory:
    make_onnx(tmp_path / "tiny", longest=32)
    return ModelDirectory(tmp_path / "tiny")


def first_and_length(model: TokenEmbedder, text: str) -> "Callable[[Span], Row]":
    """A document's vectors that tell which span they are of, and how long the document is."""

    def vector(span: Span) -> "Row":
        row = np.array([span[0] + 1, span[1] + 1, len(text), *[0] * (WIDTH - 3)], np.float32)
        return np.asarray(row / np.linalg.norm(row), np.float32)

    return vector


def test_a_text_is_the_mean_of_its_tokens_and_a_longer_one_than_the_model_reads_of_its_parts(
    model: ModelDirectory, tmp_path: Path
) -> None:
    codes = make_onnx(tmp_path / "tiny", longest=32)
    ids = list(model.tokens(TEXT * 4).ids)
    sums = np.zeros(WIDTH, np.float32)
    for at in range(0, len(ids), 30):
        part = ids[at : at + 30]
        whole = codes[[VOCABULARY["[CLS]"], *part, VOCABULARY["[SEP]"]]].mean(axis=0)
        sums += (codes[part] + 0.5 * whole).sum(axis=0)
    embedder = LocalEmbedder(model)
    rows = embedder.passages([TEXT * 4, "the rent"])
    assert np.allclose(rows[0], sums / np.linalg.norm(sums), atol=1e-5)
    assert (embedder.window, embedder.averaged) == (30, 1)
    assert LocalEmbedder(model).passages([]).shape == (0, WIDTH)
    assert LateEmbedder(model, first_and_length, "mean").window is None


def test_a_blank_text_has_a_vector_too_and_a_wish_to_stop_is_heard(model: ModelDirectory) -> None:
    assert np.linalg.norm(LocalEmbedder(model).passages([" "])[0]) == 1
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Stopped):
        LocalEmbedder(model).passages([TEXT], cancel)


def test_a_model_that_knows_no_word_of_a_script_does_not_vote_in_it(model: ModelDirectory) -> None:
    embedder = LocalEmbedder(model)
    assert embedder.knows("the lease")
    assert not embedder.knows("賃貸の期限はいつまでですか")


def test_late_vectors_are_kept_by_document_and_span_and_rest_on_the_whole_text(
    model: ModelDirectory, tmp_path: Path
) -> None:
    embedder = LateEmbedder(model, first_and_length, "mean")
    with closing(opened(tmp_path / "index", embedder)) as backend:
        made = put(backend, "a.md", TEXT)
        put(backend, "copy.md", TEXT)
        put(backend, "other.md", "the rent is paid in may.")
        embed_all(backend)
        store = Store(tmp_path / "index" / "store.sqlite3")
        shelf = VectorShelf(store, embedder.name, embedder.frame)
        ids = [row.id for path in ("a.md", "copy.md", "other.md") for row in store.chunks_of(path)]
        rows = [np.frombuffer(shelf.of([id_])[id_], "<f4") for id_ in ids]
        spans = [(row.chunk.start, row.chunk.end) for row in store.chunks_of("a.md")]
        store.close()
    expected = [first_and_length(model, made.text)(span) for span in spans]
    assert np.allclose(rows[:3], expected)
    assert np.allclose(rows[3:6], expected), "identical files share their vectors"
    assert not np.allclose(rows[6], rows[1]), "the same text in another document has another vector"


def test_late_and_ordinary_vectors_never_share_a_collection(model: ModelDirectory, tmp_path: Path) -> None:
    late, plain = LateEmbedder(model, first_and_length, "mean"), LocalEmbedder(model)
    assert late.name != plain.name
    with closing(opened(tmp_path / "index", late)) as backend:
        put(backend, "a.md", TEXT)
        embed_all(backend)
        assert backend.counts()[2:] == (3, 0)
    with closing(opened(tmp_path / "index", plain)) as backend:
        assert backend.counts()[2:] == (0, 3)
        embed_all(backend)
        found = backend.search(Query("the rent is paid in may.", retriever="vector"), 3)
        assert found.hits[0].text == "the rent is paid in may."


def test_a_question_and_a_place_find_their_way_among_late_vectors(model: ModelDirectory, tmp_path: Path) -> None:
    from lens_tui.chunking.late import LateText

    embedder = LateEmbedder(model, lambda model, text: LateText(model, text).vector, "mean")
    with closing(opened(tmp_path / "index", embedder)) as backend:
        put(backend, "a.md", TEXT)
        assert backend.related(Place("a.md", chunk=0), 2).hits is not None
        embed_all(backend)
        assert backend.search(Query("the rent is paid in may.", retriever="vector"), 1).hits[0].chunk == 1


def test_what_is_cancelled_keeps_the_vectors_that_were_made(model: ModelDirectory) -> None:
    cancel = CancelToken()

    def stopping(model: TokenEmbedder, text: str) -> "Callable[[Span], Row]":
        def vector(span: Span) -> "Row":
            cancel.cancel()
            return first_and_length(model, text)(span)

        return vector

    made = LateEmbedder(model, stopping, "mean").of_spans(TEXT, [(0, 27), (29, 53)], cancel)
    assert made.shape == (1, WIDTH)
    with pytest.raises(Stopped):
        LateEmbedder(model, stopping, "mean").of_spans(TEXT, [(0, 27)], cancel)
