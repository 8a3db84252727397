"""A model directory: its tokens, its vectors against a plain computation, and what is no model directory."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lens_tui.errors import ModelUnfit
from lens_tui.onnx import ModelDirectory
from tests.token_models import HEADS, LAYERS, VOCABULARY, WIDTH, Weights, make_bert, make_onnx, write_tokenizer

TEXT = "the lease runs until march, and the rent is paid in may."


def plain_bert(weights: Weights, ids: list[int]) -> list[list[float]]:
    """BERT in loops over numbers, as the paper writes it."""

    def linear(name: str, row: list[float]) -> list[float]:
        matrix, bias = weights[name + ".weight"], weights[name + ".bias"]
        return [
            sum(float(a) * b for a, b in zip(line, row, strict=True)) + float(c)
            for line, c in zip(matrix, bias, strict=True)
        ]

    def normed(name: str, row: list[float]) -> list[float]:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((value - mean) ** 2 for value in row) / len(row) + 1e-12)
        scale, shift = weights[name + ".weight"], weights[name + ".bias"]
        return [(value - mean) / spread * float(a) + float(b) for value, a, b in zip(row, scale, shift, strict=True)]

    def added(one: list[float], other: list[float]) -> list[float]:
        return [a + b for a, b in zip(one, other, strict=True)]

    words, places = weights["embeddings.word_embeddings.weight"], weights["embeddings.position_embeddings.weight"]
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    rows = [
        normed(
            "embeddings.LayerNorm", [float(a + b + c) for a, b, c in zip(words[word], places[at], kind, strict=True)]
        )
        for at, word in enumerate(ids)
    ]
    size = WIDTH // HEADS
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        query, key, value = (
            [linear(f"{name}attention.self.{part}", row) for row in rows] for part in ("query", "key", "value")
        )
        mixed = [[0.0] * WIDTH for _ in rows]
        for head in range(HEADS):
            part = range(head * size, (head + 1) * size)
            for at in range(len(rows)):
                scores = [math.exp(sum(query[at][i] * other[i] for i in part) / math.sqrt(size)) for other in key]
                for i in part:
                    mixed[at][i] = sum(score * other[i] for score, other in zip(scores, value, strict=True)) / sum(
                        scores
                    )
        for at, row in enumerate(rows):
            attended = linear(f"{name}attention.output.dense", mixed[at])
            row = normed(f"{name}attention.output.LayerNorm", added(row, attended))
            inner = [v * (1 + math.erf(v / math.sqrt(2))) / 2 for v in linear(f"{name}intermediate.dense", row)]
            rows[at] = normed(f"{name}output.LayerNorm", added(row, linear(f"{name}output.dense", inner)))
    return rows


def close(one: NDArray[np.float32], other: object) -> bool:
    return bool(np.allclose(one, np.array(other), atol=1e-4))


def test_tokens_stand_at_their_places_in_the_text_whatever_is_in_it(tmp_path: Path) -> None:
    make_onnx(tmp_path)
    model = ModelDirectory(tmp_path)
    text = "the 𠮷 lease\ud800 runs"
    tokens = model.tokens(text)
    assert next(text[start:end] for start, end in tokens.spans) == "the"
    assert text[slice(*tokens.spans[-1])] == "runs"


def test_vectors_of_an_onnx_model_are_those_of_a_plain_computation(tmp_path: Path) -> None:
    codes = make_onnx(tmp_path)
    model = ModelDirectory(tmp_path)
    ids = list(model.tokens(TEXT).ids)
    sequence = codes[[VOCABULARY["[CLS]"], *ids, VOCABULARY["[SEP]"]]]
    assert close(model.vectors(ids), codes[ids] + 0.5 * sequence.mean(axis=0))
    assert model.dimensions == WIDTH


def test_vectors_of_a_bert_in_safetensors_are_those_of_a_plain_computation(tmp_path: Path) -> None:
    weights = make_bert(tmp_path)
    model = ModelDirectory(tmp_path)
    ids = list(model.tokens(TEXT).ids)
    plain = plain_bert(weights, [VOCABULARY["[CLS]"], *ids, VOCABULARY["[SEP]"]])
    assert close(model.vectors(ids), plain[1:-1])


def test_a_sequence_is_as_long_as_the_model_was_made_for_or_as_is_asked(tmp_path: Path) -> None:
    make_onnx(tmp_path, longest=32)
    assert (ModelDirectory(tmp_path).longest, ModelDirectory(tmp_path).room) == (32, 30)
    assert ModelDirectory(tmp_path, longest=16).room == 14
    for longest in (4, 33):
        with pytest.raises(ModelUnfit, match="8 to 32"):
            ModelDirectory(tmp_path, longest=longest)


def test_another_model_has_another_name(tmp_path: Path) -> None:
    make_onnx(tmp_path / "one" / "tiny")
    make_bert(tmp_path / "two" / "tiny")
    first, second = (ModelDirectory(tmp_path / each / "tiny").name for each in ("one", "two"))
    assert first != second
    assert first.startswith("tiny@")
    assert first == ModelDirectory(tmp_path / "one" / "tiny").name


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "has no tokenizer.json"),
        ({"tokenizer.json": None}, "has neither model.onnx nor model.safetensors"),
        ({"tokenizer.json": "{", "model.onnx": "x"}, "cannot be read"),
    ],
)
def test_what_is_no_model_directory_is_refused_with_what_it_lacks(
    tmp_path: Path, files: dict[str, str | None], said: str
) -> None:
    for name, text in files.items():
        if text is None:
            write_tokenizer(tmp_path)
        else:
            (tmp_path / name).write_text(text)
    with pytest.raises(ModelUnfit, match=said) as caught:
        ModelDirectory(tmp_path)
    assert "tokenizer.json and model.onnx" in caught.value.hint


@pytest.mark.parametrize("name", ["model.onnx", "model.safetensors"])
def test_damaged_weights_are_refused_when_they_are_needed(tmp_path: Path, name: str) -> None:
    write_tokenizer(tmp_path)
    (tmp_path / name).write_bytes(b"\x08\x00 no weights")
    model = ModelDirectory(tmp_path)
    with pytest.raises(ModelUnfit):
        model.vectors([4, 5])


def test_a_bert_of_another_kind_is_refused(tmp_path: Path) -> None:
    make_bert(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"hidden_act": "silu"}))
    with pytest.raises(ModelUnfit, match="silu"):
        ModelDirectory(tmp_path).vectors([4])
