"""What is a block, and that no strategy tears one that fits."""

import time

import pytest

from lens_tui.chunking.blocks import Blocks
from lens_tui.chunking.paragraph import ParagraphChunker
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from tests.chunking.documents import PROSE, document


def block_at(text: str, inside: str) -> str | None:
    span = Blocks(text).holding(text.index(inside))
    return text[slice(*span)] if span else None


def test_a_fence_reaches_to_the_line_that_closes_it() -> None:
    text = "Before.\n\n````py\nx = 1\n```\n\ny = 2\n````\n\nAfter."
    assert block_at(text, "y = 2") == "````py\nx = 1\n```\n\ny = 2\n````"
    assert block_at(text, "After") is None
    assert Blocks(text).fences == [(9, 37)]


def test_a_fence_in_a_list_or_a_quote_is_one_too() -> None:
    assert block_at("- ~~~\n  x\n\n  ~~~\n", "x") == "- ~~~\n  x\n\n  ~~~"
    assert block_at("> ```\n> x\n> ```\n", "x") == "> ```\n> x\n> ```"


def test_a_fence_that_is_never_closed_holds_nothing() -> None:
    assert block_at("```\nx = 1\n\nmore\n\n~~~\ny\n~~~\n", "more") is None
    assert block_at("```\nx = 1\n\nmore\n\n~~~\ny\n~~~\n", "y") == "~~~\ny\n~~~"


def test_a_row_of_a_table_and_a_wikilink_are_blocks() -> None:
    assert block_at("| a | b |\n|---|---|\n| one | two |\n", "two") == "| one | two |"
    assert block_at("See [[The long name|of it]] there.", "name") == "[[The long name|of it]]"
    assert block_at("See [[The long\n\nname]] there.", "name") is None


def test_a_cut_at_either_border_of_a_block_tears_nothing() -> None:
    text = "a [[b c]] d"
    assert [at for at in range(len(text)) if Blocks(text).holding(at)] == list(range(3, 9))


@pytest.mark.parametrize("before", [1, 3, 8, 20])
def test_a_fence_that_fits_a_piece_is_in_one_of_them_whole(before: int) -> None:
    fence = "```python\n" + "".join(f"value_{n} = compute(alpha)\n\n" for n in range(9)) + "```"
    chunks = ParagraphChunker(OfflineTokenizer(), ChunkOptions(size=95, overlap="20")).chunk(
        document("One. Two words. " * before + "\n\n" + fence + "\n\n" + PROSE * 4)
    )
    assert OfflineTokenizer().count(fence) in range(80, 96)
    assert any(fence in chunk.text for chunk in chunks.chunks)


def test_a_wikilink_is_not_torn_in_a_line_without_other_borders() -> None:
    link = "[[a name of some words]]"
    chunks = ParagraphChunker(OfflineTokenizer(), ChunkOptions(size=25, overlap="0")).chunk(document(f"{link} " * 40))
    assert len(chunks.chunks) > 5
    assert all(chunk.text.count("[[") == chunk.text.count("]]") for chunk in chunks.chunks)


def test_a_fence_that_fits_no_piece_is_cut_between_lines() -> None:
    fence = "```\n" + "".join(f"value_{n} = compute(alpha)\n" for n in range(80)) + "```"
    chunks = ParagraphChunker(OfflineTokenizer(), ChunkOptions(size=100, overlap="0")).chunk(document(fence)).chunks
    assert len(chunks) > 5
    assert all(chunk.text.endswith((")", "```")) for chunk in chunks)


@pytest.mark.parametrize("unit", ["```\n", "~~~~x\n", "`" * 9, "| a |\n", "[[", "[[a\n", "> ", " - ", "~~~ a\n```\n"])
def test_blocks_are_found_in_linear_time(unit: str) -> None:
    small, large = (unit * (count // len(unit)) for count in (60_000, 480_000))
    begun = time.process_time()
    Blocks(small)
    middle = time.process_time()
    Blocks(large)
    assert time.process_time() - middle < 20 * (middle - begun) + 0.5
