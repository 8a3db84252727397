"""Models of a few megabytes whose every word is known beforehand, written as GGUF for a real Ollama.

A script model is a language model whose one layer does nothing, so that each token depends on the one before it
alone: its output row for the next token of the script is the code of the one that comes before. It says its pieces in
order whatever it was asked. A word model is an embedding model of the same kind: a text's vector is the mean of its
words' codes, so that two texts are as near as the words they share are many.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH = 256
"""Values in a code. Random signs this many are nearly at right angles to each other."""

SEED = 20_270_331
ANSWER = "<|answer|>"
"""The token that a prompt's template ends in, and that the script follows."""

CHAT_TEMPLATE = "{{ .System }}{{ .Prompt }}" + ANSWER
THINKING_TEMPLATE = (
    "{{ .System }}{{ range .Messages }}{{ .Content }}"
    "{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ end }}" + ANSWER
)
"""Mentions ``.Thinking``, from which Ollama concludes that the model can think."""

_BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
_LAYER = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_up", "ffn_down")


def write_script_model(out: Path, pieces: Sequence[str], *, loop: bool = False, context: int = 4096) -> None:
    """Write a chat model that says ``pieces``, one token each, then stops or, with ``loop``, begins again.

    Raises:
        ValueError: Two pieces are the same: what comes after a token is looked up by that token alone.
    """
    import gguf

    if len(set(pieces)) != len(pieces):
        raise ValueError("each piece may occur once; join a repeated one with its neighbour")
    tokens = ["<unk>", "<s>", "</s>", ANSWER, *_BYTES, *(piece.replace(" ", "\u2581") for piece in pieces)]
    kind = gguf.TokenType
    kinds = [kind.UNKNOWN, *[kind.CONTROL] * 3, *[kind.BYTE] * len(_BYTES), *[kind.NORMAL] * len(pieces)]
    codes = _codes(len(tokens))
    output = np.zeros_like(codes)
    script = list(range(len(tokens) - len(pieces), len(tokens)))
    for token, after in zip([3, *script], [*script, script[0] if loop else 2], strict=True):
        output[after] += 3 * codes[token]
    writer = _writer(out, "llama", context)
    writer.add_head_count_kv(4)
    writer.add_rope_dimension_count(WIDTH // 4)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([-1000.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    tensors = {"token_embd": codes, "output": output, "output_norm": np.ones(WIDTH, np.float32)}
    tensors |= {f"blk.0.{name}": np.ones(WIDTH, np.float32) for name in ("attn_norm", "ffn_norm")}
    tensors |= {f"blk.0.{name}": np.zeros((WIDTH, WIDTH), np.float32) for name in (*_LAYER, "ffn_gate")}
    _write(writer, {f"{name}.weight": values for name, values in tensors.items()})


def write_word_model(out: Path, vocabulary: Sequence[str], *, context: int = 512) -> None:
    """Write an embedding model that knows the words given, in lower case; others share one code of little weight."""
    import gguf

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokens = [*special, *("\u2581" + word for word in sorted({word.lower() for word in vocabulary}))]
    codes = _codes(len(tokens))
    codes[: len(special)] *= 0.01
    writer = _writer(out, "bert", context)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_bool("bert.normalize_embeddings", True)
    writer.add_tokenizer_model("bert")
    writer.add_token_type_count(2)
    writer.add_token_list(tokens)
    writer.add_pad_token_id(0)
    writer.add_unk_token_id(1)
    writer.add_bos_token_id(2)
    writer.add_sep_token_id(3)
    writer.add_mask_token_id(4)
    one, zero = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    tensors = {
        "token_embd.weight": codes,
        "position_embd.weight": np.zeros((context, WIDTH), np.float32),
        "token_types.weight": np.zeros((2, WIDTH), np.float32),
    }
    for name in ("token_embd_norm", "blk.0.attn_output_norm", "blk.0.layer_output_norm"):
        tensors |= {f"{name}.weight": one, f"{name}.bias": zero}
    for name in _LAYER:
        tensors |= {f"blk.0.{name}.weight": np.zeros((WIDTH, WIDTH), np.float32), f"blk.0.{name}.bias": zero}
    _write(writer, tensors)


def _writer(out: Path, family: str, context: int) -> Any:
    import gguf

    writer = gguf.GGUFWriter(out, family)
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(4)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    return writer


def _write(writer: Any, tensors: dict[str, NDArray[np.float32]]) -> None:
    for name, values in tensors.items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _codes(count: int) -> NDArray[np.float32]:
    """Rows of random signs, the same on every machine."""
    signs = np.array([-1, 1], np.float32)
    return np.random.default_rng(SEED).choice(signs, (count, WIDTH))
