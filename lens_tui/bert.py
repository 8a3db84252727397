"""BERT's forward pass over weights in safetensors: small enough to be read, and no framework of gigabytes for it.

Devlin et al., BERT, NAACL 2019; names of the weights are those that Hugging Face's BertModel stores.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]
    Ids = NDArray[np.int64]

NORM_EPSILON = 1e-12
"""Of layer normalisation, where config.json gives none: BERT's own."""


def load_bert(weights: Path, config: Mapping[str, Any]) -> "Callable[[Ids], Array]":
    """Load weights, and give what computes the last layer: ids of shape (1, tokens) → (1, tokens, dimensions).

    Raises:
        KeyError: A weight, or a number of config.json, is missing.
        ValueError: It is no BERT: another activation than GELU, or relative positions.
        OSError: The file cannot be read.
    """
    import numpy as np
    from safetensors.numpy import load_file

    if config.get("hidden_act", "gelu") not in ("gelu", "gelu_new", "gelu_pytorch_tanh"):
        raise ValueError(f"its activation is {config['hidden_act']}")
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise ValueError(f"its positions are {config['position_embedding_type']}")
    try:
        stored = load_file(weights)
    except Exception as error:  # the library's own error has no base but Exception
        raise ValueError(str(error)) from error
    before = next((name.partition("embeddings.")[0] for name in stored if "embeddings.word_embeddings" in name), None)
    if before is None:
        raise KeyError("embeddings.word_embeddings.weight")
    named = {name.removeprefix(before): value.astype(np.float32) for name, value in stored.items()}
    layers, heads = int(config["num_hidden_layers"]), int(config["num_attention_heads"])
    bert = _Bert(named, heads, float(config.get("layer_norm_eps", NORM_EPSILON)), config.get("hidden_act") == "gelu")

    def run(ids: "Ids") -> "Array":
        hidden = bert.embedded(ids[0])
        for layer in range(layers):
            hidden = bert.layer(f"encoder.layer.{layer}.", hidden)
        return hidden[None, :, :]

    return run


class _Bert:
    """The parts of one model, each over the vectors of one sequence."""

    def __init__(self, named: "Mapping[str, Array]", heads: int, epsilon: float, exact: bool) -> None:
        self._named, self._heads, self._epsilon, self._exact = named, heads, epsilon, exact

    def embedded(self, ids: "NDArray[np.int64]") -> "Array":
        words = self._named["embeddings.word_embeddings.weight"][ids]
        positions = self._named["embeddings.position_embeddings.weight"][: len(ids)]
        kind = self._named["embeddings.token_type_embeddings.weight"][0]
        return self._normed("embeddings.LayerNorm", words + positions + kind)

    def layer(self, name: str, hidden: "Array") -> "Array":
        attended = self._linear(name + "attention.output.dense", self._attended(name + "attention.self.", hidden))
        hidden = self._normed(name + "attention.output.LayerNorm", hidden + attended)
        inner = self._gelu(self._linear(name + "intermediate.dense", hidden))
        return self._normed(name + "output.LayerNorm", hidden + self._linear(name + "output.dense", inner))

    def _attended(self, name: str, hidden: "Array") -> "Array":
        import numpy as np

        tokens, width = hidden.shape

        def by_head(part: str) -> "Array":
            parted = self._linear(name + part, hidden).reshape(tokens, self._heads, width // self._heads)
            return parted.transpose(1, 0, 2)

        query, key, value = by_head("query"), by_head("key"), by_head("value")
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(width / self._heads))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed: Array = (scores @ value).transpose(1, 0, 2).reshape(tokens, width)
        return mixed

    def _linear(self, name: str, hidden: "Array") -> "Array":
        made: Array = hidden @ self._named[name + ".weight"].T + self._named[name + ".bias"]
        return made

    def _normed(self, name: str, hidden: "Array") -> "Array":
        import numpy as np

        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(self._epsilon))
        made: Array = centred / spread * self._named[name + ".weight"] + self._named[name + ".bias"]
        return made

    def _gelu(self, hidden: "Array") -> "Array":
        import numpy as np

        if self._exact:
            made: Array = hidden * np.float32(0.5) * (1 + _erf(hidden / np.float32(np.sqrt(2))))
            return made
        cubed = hidden + np.float32(0.044715) * hidden**3
        near: Array = hidden * np.float32(0.5) * (1 + np.tanh(np.float32(np.sqrt(2 / np.pi)) * cubed))
        return near


def _erf(values: "Array") -> "Array":
    """The error function to 1.5e-7: Abramowitz and Stegun, 7.1.26."""
    import numpy as np

    size = np.abs(values)
    part = 1 / (1 + np.float32(0.3275911) * size)
    poly = part * (
        0.254829592 + part * (-0.284496736 + part * (1.421413741 + part * (-1.453152027 + part * 1.061405429)))
    )
    found: Array = (np.sign(values) * (1 - poly * np.exp(-size * size))).astype(np.float32)
    return found
