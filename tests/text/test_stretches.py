"""Windows over what was found: each from one mark on, each term counted once."""

from lens_tui.text.stretches import Mark, stretches


def test_each_begins_at_a_mark_and_counts_a_term_once() -> None:
    marks = [Mark(0, 4, "rent", 2.0), Mark(5, 9, "rent", 2.0), Mark(10, 15, "lease", 3.0), Mark(90, 94, "rent", 2.0)]
    assert list(stretches(marks, 20)) == [(0, 3, 5.0), (1, 3, 5.0), (2, 3, 3.0), (3, 4, 2.0)]


def test_what_is_longer_than_a_stretch_begins_none() -> None:
    assert list(stretches([Mark(0, 50, "long"), Mark(60, 64, "rent")], 20)) == [(1, 2, 1.0)]
    assert list(stretches([], 20)) == []
