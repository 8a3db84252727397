"""What cuts which file where nobody chose."""

import pytest

from lens_tui.chunking.auto import AutoChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.files.reading import document_of
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Document, Heading

HEADED = "# A\n\nOn A.\n\n## B\n\nOn B."
SOURCE = "def tide(hour):\n    return hour * 2\n"


def read(path: str, text: str, kind: str = "") -> Document:
    document = document_of(path, text.encode(), kind=kind)
    assert isinstance(document, Document)
    return document


def auto(**options: object) -> AutoChunker:
    return AutoChunker(OfflineTokenizer(), ChunkOptions(strategy="auto", **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "text", "strategy"),
    [
        ("a.md", HEADED, "markdown"),
        ("a.md", "No heading here.", "paragraph"),
        ("a.txt", HEADED, "paragraph"),
        ("a.py", SOURCE, "code"),
        ("run", f"#!/usr/bin/env python3\n{SOURCE}", "code"),
        ("a.md", SOURCE, "paragraph"),
    ],
)
def test_a_file_is_cut_as_its_kind_asks_and_its_chunks_and_what_is_told_name_that(
    path: str, text: str, strategy: str
) -> None:
    document = read(path, text)
    assert auto().told(document).startswith(f"{strategy} ")
    assert {chunk.strategy for chunk in auto().chunk(document).chunks} == {strategy}


def test_headings_of_any_format_are_cut_at() -> None:
    document = Document("a.html", "Title\nOn it.", "0" * 64, "html", headings=(Heading(0, 1, "Title"),))
    assert auto().told(document) == "markdown 256/0"


def test_tiny_sections_beside_each_other_go_together_under_the_heading_above_them() -> None:
    versions = "".join(f"## 1.{minor}\n\nFixed a leak in the valve of pump {minor}.\n\n" for minor in range(30))
    document = read(
        "CHANGELOG.md", f"# Changes\n\n{versions}## 0.9\n\n{'A longer story about it. ' * 20}\n\n## 0.8\n\nFirst."
    )
    found = auto().chunk(document).chunks
    small = [chunk for chunk in found if "pump" in chunk.text]
    assert len(small) < 10
    assert all(64 <= chunk.tokens < 128 for chunk in small[:-1])
    assert {chunk.heading for chunk in small} == {("Changes",)}
    assert [chunk.heading for chunk in found[len(small) :]] == [("Changes", "0.9"), ("Changes", "0.8")]
    assert len(auto(minimum=0).chunk(document).chunks) == 32
    assert len({chunk.heading for chunk in auto(minimum=0).chunk(document).chunks}) == 32


@pytest.mark.parametrize(
    ("marks", "told"),
    [("#", ""), ("# ##", ""), ("## ###", ""), ("# ### ####", " at H1, H3"), ("####", " at H1, H4")],
)
def test_the_next_lower_level_stands_for_a_second_one_that_is_left_out(marks: str, told: str) -> None:
    document = read("a.md", "\n\n".join(f"{mark} {mark}\n\n{'On it. ' * 40}" for mark in marks.split(" ")))
    assert auto().told(document) == f"markdown 256/0{told}"
    assert auto(levels=(2,)).told(document) == "markdown 256/0 at H2"


def test_what_a_file_is_taken_for_can_be_said() -> None:
    assert auto(type="code").told(read("a.txt", SOURCE, "code")).startswith(("code", "paragraph 384"))
    assert auto(language="python").told(read("a.txt", SOURCE)).startswith("code ")
    assert auto(type="text").told(read("a.py", SOURCE, "text")) == "paragraph 256/0"
    assert auto(type="markdown").told(read("a.txt", HEADED, "markdown")) == "markdown 256/0"


def test_sizes_hold_for_whatever_cuts() -> None:
    chosen = auto(size=100, overlap="10", levels=(3,))
    assert chosen.told(read("a.md", HEADED)) == "markdown 100/10 at H3"
    assert chosen.told(read("a.txt", HEADED)) == "paragraph 100/10"
    assert chosen.told(read("a.py", SOURCE)).startswith("code 100/10")
    assert auto(size=100).told(read("a.txt", HEADED)) == "paragraph 100/0"
    assert auto(overlap="10%").told(read("a.txt", HEADED)) == "paragraph 256/25"
    assert auto(overlap_both=8).told(read("a.txt", HEADED)) == "paragraph 256/8+8"


@pytest.mark.parametrize("overlap", ["120%", "307", "400"])
def test_an_overlap_that_is_too_large_is_told_with_the_smallest_size_that_it_must_be_under(overlap: str) -> None:
    with pytest.raises(ChunkingValueError, match="the size 256 tokens"):
        auto(overlap=overlap)


def test_what_is_out_of_its_bounds_for_one_of_them_is_refused() -> None:
    with pytest.raises(ChunkingValueError, match="1 to 6"):
        auto(levels=(7,))
