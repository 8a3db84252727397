"""Text in cells: cutting never splits a wide character, wrapping loses none."""

import pytest
from rich.cells import cell_len

from lens_tui.tui.cells import cut_end, cut_middle, cut_name, cut_path, wrapped

TEXTS = ["", "a", "lease.md", "日記の一日目.md", "a日b記c", "👩‍🚀 rocket", "a" * 300, "日" * 100]


@pytest.mark.parametrize("text", TEXTS)
def test_cut_text_fits_and_is_whole_where_there_is_room(text: str) -> None:
    for width in range(0, 40):
        for cut in (cut_end, cut_middle, cut_name, cut_path):
            assert cell_len(cut(text, width)) <= width
            assert cell_len(cut(text, width, "...")) <= width
            if cell_len(text) <= width:
                assert cut(text, width) == text
            elif width:
                assert "…" in cut(text, width)


def test_a_name_keeps_its_ending() -> None:
    assert cut_name("the-very-long-correspondence-with-the-agent.md", 20).endswith(".md")


def test_a_path_loses_its_folders_before_its_name() -> None:
    assert cut_path("house/letters/correspondence/agent.md", 25) == "…/correspondence/agent.md"
    assert cut_path("house/letters/correspondence/agent.md", 12) == "…/agent.md"


@pytest.mark.parametrize("width", [1, 2, 3, 8, 17, 40])
@pytest.mark.parametrize(
    "text",
    [
        *TEXTS,
        "The rent may be raised once in each period.",
        "大家さんに三か月前のnoticeを書面で送ること。返事は四月。",
        " " * 50,
    ],
)
def test_rows_hold_every_character_once_and_fit(text: str, width: int) -> None:
    rows = list(wrapped(text, width))
    assert "".join(text[start:end] for start, end in rows) == text
    for start, end in rows:
        row = text[start:end].rstrip(" ")
        assert cell_len(row) <= max(width, 2) or len(row) == 1


def test_words_stay_whole_where_they_fit() -> None:
    text = "The rent may be raised once"
    assert [text[start:end] for start, end in wrapped(text, 10)] == ["The rent ", "may be ", "raised ", "once"]


def test_no_row_begins_with_a_full_stop_of_cjk() -> None:
    text = "返事は四月まで待つ。返事は四月まで待つ。"
    for width in range(6, 30):
        assert not any(text[start:end].startswith("。") for start, end in wrapped(text, width))
