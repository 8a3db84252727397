"""A table's cell is judged as what its row's first cell and its column's name say of it, and as nothing else."""

import pytest

from lens_tui.answering.verify import judge_text

TABLE = """Tomatoes on the balcony.

| Variety     | Sown       | First ripe | Yield | Taste      |
|-------------|:----------:|------------|------:|------------|
| Black Krim  | 2026-03-10 | 2026-07-28 | 4 kg  | smoky      |
| Sungold     | 2026-03-10 | 2026-07-04 | 3 kg  | very sweet |
| San Marzano | 2026-03-15 | 2026-08-11 | 6 kg  | for sauce  |
"""


@pytest.mark.parametrize(
    "claim",
    [
        "Sungold was first ripe on 2026-07-04.",
        "Sungold was first ripe on 4 July 2026.",
        "San Marzano was sown in March.",
        "Sungold tastes very sweet.",
        "The Black Krim had a yield of 4 kg.",
    ],
)
def test_what_a_cell_says_is_supported_by_its_row(claim: str) -> None:
    found = judge_text(claim, TABLE)
    assert found.verdict == "supported"
    assert found.line is not None
    assert found.line.text.startswith("| ")


@pytest.mark.parametrize(
    ("claim", "instead"),
    [
        ("Sungold was first ripe on 2026-07-14.", "2026-07-04"),
        ("Sungold was sown on 2026-07-04.", "2026-03-10"),
        ("Sungold was sown on 15 March 2026.", "2026-03-10"),
        ("The Black Krim had a yield of 5 kg.", "4"),
    ],
)
def test_another_figure_in_the_same_cell_contradicts_and_is_shown(claim: str, instead: str) -> None:
    found = judge_text(claim, TABLE)
    assert found.verdict == "contradicted"
    assert found.line is not None
    assert found.found is not None
    assert found.line.text[slice(*found.found)] == instead


@pytest.mark.parametrize(
    "claim",
    [
        "Black Krim was watered on 2026-07-11.",
        "Cherry was sown on 2026-03-15.",
        "Cherry was sown on 2026-03-16.",
        "Sungold was sown in the greenhouse on 2026-05-01.",
        "Sungold and Black Krim were sown on 2026-04-10.",
        "Sungold was not sown on 2026-03-10.",
        "The balcony was sown on 2026-03-11.",
        "Sungold has a yield of 4 kg from 2027 on.",
        "Sungold was ripe on 2026-07-14.",
    ],
)
def test_a_claim_on_what_no_cell_is_on_is_left_open(claim: str) -> None:
    assert judge_text(claim, TABLE).verdict == "weak"


@pytest.mark.parametrize(
    "text",
    [
        TABLE + "| Sungold     | 2025-03-10 | 2025-07-04 | 2 kg | sweet |\n",
        TABLE + "\nSungold was first ripe on 2026-07-14 at the neighbours'.\n",
        TABLE + "\n" + TABLE.replace("2026-07-04", "2026-07-14").replace("Tomatoes", "At the neighbours'"),
        TABLE.replace("-------------|:----------:|------------|------:|------------", ""),
    ],
    ids=["two rows of one thing", "said elsewhere", "another table", "no rule"],
)
def test_no_cell_contradicts_what_may_be_meant_otherwise(text: str) -> None:
    assert judge_text("Sungold was first ripe on 2026-07-14.", text).verdict != "contradicted"


@pytest.mark.parametrize("row", ["|", "||", "| a", r"| a \| b | c", "|||||", "| |", "  | Sungold | 2 |"])
def test_rows_that_are_hardly_any_do_no_harm(row: str) -> None:
    for text in (row, f"| a | b |\n|---|---|\n{row}\n", f"{row}\n|---|\n{row}\n"):
        assert judge_text("Sungold is red.", text).verdict == "weak"
