"""What is the markdown strategy's own."""

import pytest

from lens_tui.chunking.markdown import MarkdownChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk
from tests.chunking.documents import PROSE, document


def cut(source: str, **options: object) -> tuple[Chunk, ...]:
    return MarkdownChunker(OfflineTokenizer(), ChunkOptions(**options)).chunk(document(source)).chunks  # type: ignore[arg-type]


def texts(source: str, **options: object) -> list[str]:
    return [chunk.text for chunk in cut(source, **options)]


def test_it_cuts_before_each_h1_and_h2_and_no_lower_heading() -> None:
    source = "Before.\n\n# A\n\nText.\n\n## B\n\nText.\n\n### C\n\nText.\n\n## D\n\nText.\n\n# E\n\nText."
    assert texts(source) == [
        "Before.",
        "# A\n\nText.",
        "## B\n\nText.\n\n### C\n\nText.",
        "## D\n\nText.",
        "# E\n\nText.",
    ]
    assert [chunk.heading for chunk in cut(source)] == [(), ("A",), ("A", "B"), ("A", "D"), ("E",)]


def test_the_levels_at_which_it_cuts_can_be_set() -> None:
    source = "# A\n\nText.\n\n## B\n\nText.\n\n### C\n\nText."
    assert texts(source, levels=(3,)) == ["# A\n\nText.\n\n## B\n\nText.", "### C\n\nText."]
    assert texts(source, levels=(1,)) == [source]


@pytest.mark.parametrize("level", [0, 7])
def test_a_level_that_headings_do_not_have_is_refused_with_the_range(level: int) -> None:
    with pytest.raises(ChunkingValueError, match="1 to 6"):
        MarkdownChunker(OfflineTokenizer(), ChunkOptions(levels=(1, level)))


def test_a_setext_heading_cuts_like_any_other() -> None:
    assert texts("A\n=\n\nText.\n\nB\n-\n\nText.") == ["A\n=\n\nText.", "B\n-\n\nText."]


def test_what_looks_like_a_heading_in_code_cuts_nothing() -> None:
    source = "# A\n\n```sh\n# a comment\n\n## another\n```\n\nText."
    assert texts(source) == [source]


def test_a_section_over_384_tokens_is_cut_again_and_each_part_knows_its_headings() -> None:
    chunks = cut(f"# A\n\n## B\n\n{PROSE * 20}")
    assert len(chunks) > 2
    assert max(chunk.tokens for chunk in chunks) <= 384
    assert {chunk.heading for chunk in chunks[1:]} == {("A", "B")}
    assert all(chunk.overlap_before == 0 for chunk in chunks)


def test_a_heading_without_text_goes_with_what_follows() -> None:
    assert texts("# A\n\n## B\n\nText.\n\n## C\n\n# D\n\nText.") == [
        "# A\n\n## B\n\nText.",
        "## C\n\n# D\n\nText.",
    ]


def test_short_sections_stand_alone_unless_a_minimum_joins_them_with_what_is_beside_or_below() -> None:
    source = "# A\n\nText.\n\n## B\n\nText.\n\n## C\n\nText.\n\n## D\n\n" + "word " * 375
    assert len(texts(source)) == 4
    assert [text.split("\n")[0] for text in texts(source, minimum=20)] == ["# A", "## D"]


def test_a_chunk_of_several_sections_has_the_heading_that_is_above_all_of_them() -> None:
    source = (
        f"# A\n\nText.\n\n## B\n\nText.\n\n## C\n\nText.\n\n# D\n\n{'word ' * 375}\n\n## E\n\nText.\n\n## F\n\nText."
    )
    found = cut(source, minimum=20)
    assert [chunk.text.split("\n")[0] for chunk in found] == ["# A", "# D", "## E"]
    assert [chunk.heading for chunk in found] == [("A",), ("D",), ("D",)]


def test_a_chapters_opening_never_joins_a_section_of_the_chapter_before() -> None:
    source = f"# A\n\n{'word ' * 375}\n\n## B\n\nText.\n\n# C\n\nText.\n\n## D\n\nText."
    assert [text.split("\n")[0] for text in texts(source, minimum=40)] == ["# A", "## B", "# C"]


def test_what_is_shared_is_shared_within_a_section() -> None:
    chunks = cut(f"# A\n\n{PROSE * 20}\n\n# B\n\n{PROSE * 20}", overlap="40")
    assert sum(chunk.overlap_before > 0 for chunk in chunks) == len(chunks) - 2
    assert [chunk.overlap_before for chunk in chunks if chunk.text.startswith("#")] == [0, 0]


def test_front_matter_and_tags_are_apart_from_the_chunks() -> None:
    chunks = cut("---\ntitle: T\ntags: [sea]\n---\n# A\n\nText with a #log tag.")
    assert [chunk.text for chunk in chunks] == ["# A\n\nText with a #log tag."]
    assert chunks[0].tags == ("sea", "log")


def test_a_fence_and_the_rows_of_a_table_stay_whole_where_they_fit() -> None:
    fence = "```py\n" + "".join(f"value_{n} = compute(alpha)\n\n" for n in range(30)) + "```"
    rows = [f"| row {n} | {'word ' * 30}|" for n in range(40)]
    chunks = texts(f"# A\n\n{PROSE * 5}\n\n{fence}\n\n{PROSE * 5}\n\n| a | b |\n|---|---|\n" + "\n".join(rows))
    assert any(fence in text for text in chunks)
    assert all(any(row in text for text in chunks) for row in rows)


def test_a_wikilink_is_never_torn() -> None:
    chunks = texts("# A\n\n" + "[[a page with a long name|and another]] " * 200)
    assert len(chunks) > 3
    assert all(text.count("[[") == text.count("]]") for text in chunks)


def test_ten_thousand_headings_are_cut_in_reading_order() -> None:
    source = "".join(f"{'#' * (1 + n % 8)} heading {n}\n\n{'text ' * (n % 3)}\n\n" for n in range(10_000))
    chunks = cut(source)
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(source.split())
    assert max(chunk.tokens for chunk in chunks) <= 384


def test_it_tells_its_sizes_and_the_levels_that_were_asked_for() -> None:
    assert MarkdownChunker(OfflineTokenizer()).told(document("")) == "markdown 384/0"
    asked = ChunkOptions(size=200, overlap="10%", levels=(3, 2))
    assert MarkdownChunker(OfflineTokenizer(), asked).told(document("")) == "markdown 200/20 at H2, H3"
