"""What is said of chunks that are longer than what makes their vectors reads at once."""

import pytest

from lens_tui.embedder_window import in_parts, too_large
from lens_tui.options import ChunkOptions

NAME = "ollama/all-minilm:latest@1b226e2802db"


def test_chunks_that_can_be_too_long_are_told_with_the_flags_that_make_them_fit() -> None:
    said, step = too_large(ChunkOptions(strategy="code"), 384, NAME, 256)
    assert said == (
        "Chunks can have 384 tokens, and all-minilm:latest reads 256 at once: what is longer is embedded in parts, and"
        " their vectors are averaged."
    )
    assert step == "To have each embedded whole: lens-tui index FOLDER --size 256"
    _, step = too_large(ChunkOptions(strategy="semantic"), 1024, NAME, 512)
    assert step.endswith("--size 256 --maximum 512")


@pytest.mark.parametrize(("largest", "window"), [(256, 256), (8192, None)])
def test_nothing_is_said_where_they_fit_or_nobody_knows(largest: int, window: int | None) -> None:
    assert too_large(ChunkOptions(), largest, NAME, window) == ("", "")


def test_what_was_embedded_in_parts_is_counted() -> None:
    assert in_parts(0, NAME) == ""
    assert in_parts(1, NAME) == (
        "1 text was longer than all-minilm:latest reads at once: embedded in parts, and averaged."
    )
    assert in_parts(1200, "directory/minilm@12").startswith("1,200 texts were longer than minilm reads")
