"""Late chunking against a plain computation: whole documents, windows, and every way to pool."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lens_tui.chunking.late import LateText, Pooling, late_vectors
from lens_tui.onnx import ModelDirectory
from lens_tui.types import Span
from tests.token_models import VOCABULARY, make_onnx

TEXT = "the lease runs until march, and the rent is paid in may. the term is two years."
SPANS = ((0, 27), (27, 56), (50, len(TEXT)))

Array = NDArray[np.float32]


def pooled(vectors: Array, pooling: Pooling) -> Array:
    mean = vectors.mean(axis=0)
    if pooling == "cls":
        made = vectors[0]
    elif pooling == "mean":
        made = mean
    else:
        weights = np.exp(vectors @ mean / np.sqrt(vectors.shape[1]))
        made = (vectors * (weights / weights.sum())[:, None]).sum(axis=0)
    return np.asarray(made / np.linalg.norm(made), np.float32)


@pytest.mark.parametrize("pooling", ["mean", "cls", "attention"])
def test_a_chunks_vector_is_pooled_from_tokens_that_have_seen_the_whole_document(
    tmp_path: Path, pooling: Pooling
) -> None:
    codes = make_onnx(tmp_path)
    model = ModelDirectory(tmp_path)
    tokens = model.tokens(TEXT)
    whole = codes[[VOCABULARY["[CLS]"], *tokens.ids, VOCABULARY["[SEP]"]]].mean(axis=0)
    expected = []
    for start, end in SPANS:
        inside = [at for at, (a, b) in enumerate(tokens.spans) if a < end and b > start]
        expected.append(pooled(codes[[tokens.ids[at] for at in inside]] + 0.5 * whole, pooling))
    made = late_vectors(model, TEXT, SPANS, pooling)
    assert np.allclose(made, expected, atol=1e-5)
    assert np.allclose(np.linalg.norm(made, axis=1), 1)


def test_late_vectors_are_not_those_of_chunks_that_stand_alone(tmp_path: Path) -> None:
    make_onnx(tmp_path)
    model = ModelDirectory(tmp_path)
    late = late_vectors(model, TEXT, SPANS)
    alone = [late_vectors(model, TEXT[start:end], [(0, end - start)])[0] for start, end in SPANS]
    assert not np.allclose(late, alone, atol=1e-3)


@dataclass
class Numbered:
    """A model whose vector of a token says which token it is and which window it was computed in."""

    room: int = 8
    name: str = "numbered"
    dimensions: int = 2
    windows: list[int] = field(default_factory=list)

    @dataclass
    class Tokens:
        ids: list[int]
        spans: list[Span]

    def tokens(self, text: str) -> "Numbered.Tokens":
        return self.Tokens(list(range(len(text))), [(at, at + 1) for at in range(len(text))])

    def vectors(self, ids: Sequence[int]) -> Array:
        assert len(ids) <= self.room
        self.windows.append(ids[0])
        return np.array([(number, ids[0]) for number in ids], np.float32)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 14, 15, 200])
def test_a_long_document_is_read_in_windows_and_each_token_comes_from_where_most_stands_around_it(size: int) -> None:
    model = Numbered()
    late = LateText(model, "x" * size, "cls")
    for token in range(size):
        number, window = late._tokens(token, token + 1)[0]
        assert number == token
        assert window <= token < window + model.room
        if window:
            assert token - window >= 1
        if window + model.room < size:
            assert window + model.room - token > 1


def test_one_pass_over_a_long_document_computes_each_window_once() -> None:
    model = Numbered()
    late_vectors(model, "x" * 1_000, [(at, at + 10) for at in range(0, 1_000, 10)])
    assert len(model.windows) == len(set(model.windows)) == -(-(1_000 - 8) // 6) + 1


def test_a_span_without_a_token_takes_the_nearest_and_a_text_without_any_is_a_vector_too(tmp_path: Path) -> None:
    make_onnx(tmp_path)
    model = ModelDirectory(tmp_path)
    text = "the lease\n\n\n\nruns"
    blank = late_vectors(model, text, [(10, 12)])
    assert np.allclose(blank, late_vectors(model, text, [(13, 17)]))
    assert np.linalg.norm(late_vectors(model, "  ", [(0, 1)])) == 1
    assert late_vectors(model, text, []).shape == (0, model.dimensions)
