from dataclasses import replace

import pytest

from lens_tui.agents.quotes import file_line, quoted, quoted_hit, ref_of, ref_parts, well_formed
from lens_tui.errors import UsageError
from lens_tui.text.display import one_line
from lens_tui.types import FileRow
from tests.fakes import lease_hit


def test_a_ref_is_path_heading_chunk_and_checksum() -> None:
    assert ref_of(lease_hit()) == "house/lease.md::House > 4 Term::chunk-0@0123456789ab"


@pytest.mark.parametrize(
    "path",
    ["a.md", "日記/屋根.md", "std::vector.md", "a:", "::", "a`b.md", "100%.md", "a%41.md", "%25%41", "\x1b[31m\n\t.md"],
)
@pytest.mark.parametrize("heading", [(), ("A::B", "C"), ("::",), (":x",), ("a`b\x1b",), ("x::chunk-9@000000000000",)])
def test_a_ref_is_one_printable_line_and_leads_back_to_its_place(path: str, heading: tuple[str, ...]) -> None:
    ref = ref_of(replace(lease_hit(path=path), heading=heading, chunk=12))
    assert ref_parts(ref) == (path, 12, "0123456789ab")
    assert one_line(ref) == ref
    assert "`" not in ref


@pytest.mark.parametrize(
    "ref",
    ["", "house/lease.md", "::h::chunk-0@0123456789ab", "a::h::chunk-x@0123456789ab", "a::h::chunk-0@0123", "chunk-0@"],
)
def test_what_is_no_ref_is_told(ref: str) -> None:
    with pytest.raises(UsageError) as error:
        ref_parts(ref)
    assert "search_rag" in error.value.hint


def test_every_line_of_a_file_is_marked_as_a_quote_and_cannot_steer_a_terminal() -> None:
    assert quoted("one\n\n1. id: `x`\r\n\x1b[31mred\u2028\x85") == "> one\n>\n> 1. id: `x`␍\n> ␛[31mred\ufffd\ufffd"


def test_a_hit_is_shown_with_all_that_dialogoi_shows() -> None:
    hit = replace(lease_hit(), page=3)
    assert quoted_hit(hit, ref_of(hit)) == (
        "1. id: `house/lease.md::House > 4 Term::chunk-0@0123456789ab`\n"
        "   score: 0.83; file: house/lease.md; start: 100; end: 165; lines: 9-10; page: 3; tags: home\n\n"
        "> The lease ends on 31 March 2027."
    )


def test_a_file_is_one_line_whatever_it_is_called() -> None:
    assert file_line(FileRow("a\nb\x1b.md", "indexed", 1)) == "- a␊b␛.md (indexed, 1 chunk)"
    assert file_line(FileRow("b.bin", "left_out", 0, "binary")) == "- b.bin (left_out: binary)"


def test_lone_surrogates_are_replaced_one_for_one_everywhere() -> None:
    value = {"a\ud800": ["\udfffb", {"c": ("d", 1, None)}]}
    assert well_formed(value) == {"a\ufffd": ["\ufffdb", {"c": ["d", 1, None]}]}
