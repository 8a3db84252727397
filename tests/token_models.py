"""Model directories that tests make: tiny, with weights drawn from a seed, computed again in plain Python."""

import json
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = ("the", "lease", "runs", "until", "march", "rent", "is", "paid", "in", "may", "and", "term", "two", "years")
VOCABULARY = {word: number for number, word in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, ".", ","))}
WIDTH, HEADS, LAYERS, INNER = 8, 2, 2, 12

Weights = dict[str, NDArray[np.float32]]


def write_tokenizer(directory: Path) -> None:
    """A word a token, ``[CLS]`` before and ``[SEP]`` after."""
    directory.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(directory / "tokenizer.json"))


def make_onnx(directory: Path, longest: int = 512) -> NDArray[np.float32]:
    """A model whose vector of a token is its own code and half the mean of its sequence's codes. Returns the codes."""
    write_tokenizer(directory)
    codes = np.random.default_rng(1).standard_normal((len(VOCABULARY), WIDTH)).astype(np.float32)
    nodes = [
        helper.make_node("Gather", ["codes", "input_ids"], ["own"], axis=0),
        helper.make_node("ReduceMean", ["own", "axis"], ["mean"], keepdims=1),
        helper.make_node("Mul", ["mean", "half"], ["shared"]),
        helper.make_node("Add", ["own", "shared"], ["last_hidden_state"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [1, "tokens", WIDTH])],
        [
            numpy_helper.from_array(codes, "codes"),
            numpy_helper.from_array(np.array([1], np.int64), "axis"),
            numpy_helper.from_array(np.array(0.5, np.float32), "half"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, str(directory / "model.onnx"))
    (directory / "config.json").write_text(json.dumps({"max_position_embeddings": longest}))
    return codes


def make_bert(directory: Path) -> Weights:
    """A BERT of two layers. Returns its weights by name."""
    write_tokenizer(directory)
    draw = np.random.default_rng(2)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(VOCABULARY), WIDTH),
        "embeddings.position_embeddings.weight": (64, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes |= {f"{name}attention.{part}.weight": (WIDTH, WIDTH), f"{name}attention.{part}.bias": (WIDTH,)}
        shapes |= {f"{name}intermediate.dense.weight": (INNER, WIDTH), f"{name}intermediate.dense.bias": (INNER,)}
        shapes |= {f"{name}output.dense.weight": (WIDTH, INNER), f"{name}output.dense.bias": (WIDTH,)}
        norms += [f"{name}attention.output.LayerNorm", f"{name}output.LayerNorm"]
    for norm in norms:
        shapes |= {f"{norm}.weight": (WIDTH,), f"{norm}.bias": (WIDTH,)}
    weights = {name: draw.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    save_file({f"bert.{name}": value for name, value in weights.items()}, str(directory / "model.safetensors"))
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": 64,
    }
    (directory / "config.json").write_text(json.dumps(config))
    return weights
