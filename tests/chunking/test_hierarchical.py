"""What is the hierarchical strategy's own."""

import pytest

from lens_tui.chunking.hierarchical import HierarchicalChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk, Document, Heading
from tests.chunking.documents import PROSE, document

BOOK = "Preface.\n\n# A\n\nOn A.\n\n## B\n\nOn B.\n\n### C\n\nOn C.\n\n#### D\n\nOn D.\n\n## E\n\nOn E.\n\n# F\n\nOn F."


def cut(source: str | Document, **options: object) -> tuple[Chunk, ...]:
    read = source if isinstance(source, Document) else document(source)
    return HierarchicalChunker(OfflineTokenizer(), ChunkOptions(**options)).chunk(read).chunks  # type: ignore[arg-type]


def by_title(chunks: tuple[Chunk, ...]) -> dict[str, Chunk]:
    return {chunk.heading[-1]: chunk for chunk in chunks if chunk.heading}


def test_each_sections_own_text_is_its_chunk() -> None:
    assert [chunk.text.split("\n")[-1] for chunk in cut(BOOK)] == [
        "Preface.",
        *(f"On {title}." for title in "ABCDEF"),
    ]


def test_a_chunk_knows_its_level_and_the_headings_above() -> None:
    chunks = cut(BOOK)
    assert [chunk.level for chunk in chunks] == [0, 1, 2, 3, 3, 2, 1]
    assert [chunk.heading for chunk in chunks[2:5]] == [("A", "B"), ("A", "B", "C"), ("A", "B", "D")]


def test_children_are_exactly_the_chunks_whose_parent_it_is() -> None:
    chunks = cut(BOOK.replace("On C.", PROSE * 40))
    ids = {chunk.id for chunk in chunks}
    assert len(chunks) > 9
    for chunk in chunks:
        assert set(chunk.children) == {other.id for other in chunks if other.parent == chunk.id}
        assert chunk.parent is None or chunk.parent in ids
    titled = by_title(chunks)
    assert titled["B"].parent == titled["E"].parent == titled["A"].id
    assert titled["A"].parent is None
    assert chunks[0].parent is None
    assert chunks[0].children == ()


def test_headings_below_the_depth_count_as_at_the_depth() -> None:
    chunks = cut(BOOK, depth=1)
    assert [chunk.level for chunk in chunks] == [0, 1, 1, 1, 1, 1, 1]
    assert {chunk.parent for chunk in chunks} == {None}
    assert [chunk.level for chunk in cut(BOOK, depth=6)] == [0, 1, 2, 3, 4, 2, 1]


@pytest.mark.parametrize("options", [{"depth": 0}, {"depth": 7}, {"size": 127}, {"size": 4097}])
def test_what_is_out_of_its_bounds_is_refused_with_the_range(options: dict[str, int]) -> None:
    with pytest.raises(ChunkingValueError, match=r"1 to 6|128 to 4096"):
        cut("", **options)


def test_a_section_over_the_target_is_cut_and_its_first_chunk_is_the_parent() -> None:
    chunks = cut(f"# A\n\n{PROSE * 40}\n\n## B\n\nOn B.")
    parts = [chunk for chunk in chunks if chunk.level == 1]
    assert len(parts) > 2
    assert max(chunk.tokens for chunk in parts) <= 512
    assert chunks[-1].parent == parts[0].id
    assert [chunk.children for chunk in parts[1:]] == [() for _ in parts[1:]]


def test_without_inheriting_a_chunk_has_its_own_heading_alone() -> None:
    chunks = cut(BOOK, inherit=False)
    assert [chunk.heading for chunk in chunks] == [(), *((title,) for title in "ABCDEF")]
    assert by_title(chunks)["B"].parent == by_title(chunks)["A"].id


def test_a_level_that_is_skipped_leaves_the_parent_the_next_one_above() -> None:
    chunks = by_title(cut("# A\n\nOn A.\n\n### C\n\nOn C.\n\n## B\n\nOn B."))
    assert chunks["C"].parent == chunks["B"].parent == chunks["A"].id


def test_headings_that_a_loader_found_make_the_tree_in_any_format() -> None:
    text = "Title\nWords.\nPart\nMore words."
    read = Document("a.html", text, "0" * 64, "html", headings=(Heading(0, 1, "Title"), Heading(13, 2, "Part")))
    assert [(chunk.level, chunk.heading) for chunk in cut(read)] == [(1, ("Title",)), (2, ("Title", "Part"))]


def test_a_pattern_finds_headings_in_the_place_of_the_documents_own() -> None:
    source = "Chapter 1: Sea\n\n# no heading\n\nOn the sea.\n\n1.2 Tides\n\nOn tides."
    chunks = cut(source, pattern=r"(?:Chapter )?(?P<level>[\d.]+):? (?P<title>[A-Z]\w+)$")
    assert [(chunk.level, chunk.heading) for chunk in chunks] == [(1, ("Sea",)), (2, ("Sea", "Tides"))]


def test_a_minimum_joins_short_sections_under_the_first_of_them() -> None:
    chunks = cut(f"# A\n\nOn A.\n\n## B\n\nOn B.\n\n## C\n\n{'word ' * 508}\n\n### D\n\nOn D.", minimum=15)
    assert [(chunk.level, chunk.heading) for chunk in chunks] == [(1, ("A",)), (2, ("A", "C")), (3, ("A", "C", "D"))]
    assert [chunk.parent for chunk in chunks] == [None, chunks[0].id, chunks[1].id]


def test_ten_thousand_headings_make_one_tree() -> None:
    source = "".join(f"{'#' * (1 + n % 7)} heading {n}\n\n" for n in range(10_000))
    chunks = cut(source)
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(source.split())
    assert max(chunk.level or 0 for chunk in chunks) == 3
