"""Where a text may be cut."""

import pytest

from lens_tui.text.graphemes import is_border


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",
        "a\u0300\u0323\u0302",
        "👩‍👩‍👧‍👦",
        "👍🏽",
        "❤️‍🔥",
        "🇯🇵",
        "🏴\U000e0067\U000e0062\U000e007f",
        "क्षि",
        "กำ",
        "각",
        "\u1100\u1161\u11a8",
        "가\u11a8",
        "1\ufe0f\u20e3",
        "ｶﾞ",
        "\r\n",
    ],
)
def test_a_cluster_is_whole_and_its_edges_are_borders(cluster: str) -> None:
    text = f"x{cluster}x"
    borders = [at for at in range(len(text) + 1) if is_border(text, at)]
    assert borders == [0, 1, len(text) - 1, len(text)]


@pytest.mark.parametrize("text", ["ab", "漢字", "あい", "a b", "가나", "x\u200d y", "\n\u0301", "नम"])
def test_separate_characters_may_be_parted(text: str) -> None:
    assert is_border(text, 1) or text[1] == "\u200d"
    assert is_border(text, len(text) - 1)


def test_flags_are_parted_in_pairs_however_many_stand_in_a_row() -> None:
    text = "🇯🇵🇺🇸🇫🇷"
    assert [at for at in range(7) if is_border(text, at)] == [0, 2, 4, 6]
    assert [at for at in range(3, 7) if is_border(text, at, 2)] == [4, 6]
