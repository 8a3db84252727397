from lens_tui.text.titles import title_of


def test_a_title_is_the_first_clause_of_the_first_line() -> None:
    assert title_of("\n  short  \nsecond") == "short"
    assert title_of("When does the lease end, and what notice do I owe?") == "When does the lease end"
    assert title_of("大家さんの返事は？ いつまで待つ？") == "大家さんの返事は"
    assert title_of("") == ""
    assert title_of("?!") == "?!"


def test_a_long_title_is_cut_at_a_word() -> None:
    long = title_of("word " * 40)
    assert len(long) <= 60
    assert long.endswith("word…")
    assert title_of("あ" * 100) == "あ" * 59 + "…"


def test_nothing_in_a_title_steers_a_terminal() -> None:
    assert title_of("\x1b[31mred") == "␛[31mred"
