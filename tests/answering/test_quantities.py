"""Numbers and dates are read as people write them, and compared by what they say."""

import re

import pytest

from lens_tui.answering import dates, quantities
from lens_tui.answering.dates import Day
from lens_tui.answering.quantities import Quantity


def number(text: str) -> Quantity:
    found = re.search(quantities.PATTERN, text)
    assert found is not None
    return quantities.quantity_of(found, text)[0]


def day(text: str) -> Day | None:
    found = re.search(dates.PATTERN, text)
    return dates.day_of(found) if found else None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000", "1000"),
        ("1.000 stück", "1000"),
        ("1 000 рублей", "1000 рублей"),
        ("1'000", "1000"),
        ("1.5 million", "1500000"),
        ("1,5 mio.", "1500000"),
        ("3万5000人", "35000人"),
        ("1億2000万", "120000000"),
        ("二十五年", "25"),
        ("三千人", "3000"),
        ("50 percent", "50%"),
        ("50 prozent", "50 %"),
        ("50パーセント", "50%"),
        ("$5", "5 dollars"),
        ("€5", "5 euro"),
        ("3rd", "第3"),
    ],
)
def test_the_same_number_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert quantities.related(number(one), number(other)) == "same"


@pytest.mark.parametrize(
    ("claimed", "source", "relation"),
    [
        ("5", "6", "apart"),
        ("1,000", "2,000", "apart"),
        ("about 500", "512", "open"),
        ("about 500", "900", "apart"),
        ("more than 90", "93", "within"),
        ("more than 100", "93", "apart"),
        ("less than 100", "93", "within"),
        ("at least 3", "at most 3", "apart"),
        ("93", "more than 90", "open"),
        ("80", "more than 90", "apart"),
        ("3人以上", "3人以下", "apart"),
        ("at least 4", "at least 3", "open"),
        ("3.14", "3.142", "open"),
    ],
)
def test_what_a_source_number_is_to_a_claimed_one(claimed: str, source: str, relation: str) -> None:
    assert quantities.related(number(claimed), number(source)) == relation


@pytest.mark.parametrize(
    "text",
    [
        "31 march 2027", "march 31, 2027", "31st of march 2027", "2027-03-31", "31.3.2027", "31. märz 2027",
        "31 марта 2027", "2027年3月31日", "3/31/2027",
    ],
)  # fmt: skip
def test_a_date_is_one_however_it_is_written(text: str) -> None:
    assert day(text) == Day(2027, 3, 31)


@pytest.mark.parametrize(
    ("claimed", "source", "relation"),
    [
        (Day(2027, 3, 31), Day(2027, 3, 31), "same"),
        (Day(2027), Day(2027, 3, 31), "same"),
        (Day(None, 3, 31), Day(2027, 3, 31), "same"),
        (Day(2027, 3, 13), Day(2027, 3, 31), "apart"),
        (Day(2026), Day(2027, 3, 31), "apart"),
        (Day(2027, 3, 31), Day(2027), "open"),
        (Day(2027), Day(None, 3, 31), "open"),
    ],
)
def test_what_a_source_date_is_to_a_claimed_one(claimed: Day, source: Day, relation: str) -> None:
    assert dates.related(claimed, source) == relation


@pytest.mark.parametrize("text", ["no date here", "version 1.2.3", "may be"])
def test_what_is_no_date_is_none(text: str) -> None:
    assert day(text) is None
