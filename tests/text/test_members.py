"""Members of JSON that can be read alone, in whole files and in parts of them."""

import json

import pytest

from lens_tui.text.members import LONGEST, members_of


def texts(source: str) -> list[str]:
    return [source[member.start : member.end] for member in members_of(source)]


def test_a_value_comes_with_its_key_under_the_keys_above_it() -> None:
    source = '{"mail": {"from": "a@b.c", "retry": {"times": 3}}, "port": 8443}'
    found = [(source[one.start : one.end], one.above) for one in members_of(source)]
    assert found == [
        ('"from": "a@b.c"', '"mail"'),
        ('"times": 3', '"mail" "retry"'),
        ('"port": 8443', ""),
    ]


def test_an_object_in_a_list_is_one_member_with_all_that_is_in_it() -> None:
    source = '{"boats": [{"name": "Aurora", "crew": {"master": "Voss"}}, {"name": "Boreas"}]}'
    assert texts(source) == ['{"name": "Aurora", "crew": {"master": "Voss"}}', '{"name": "Boreas"}']
    assert texts('{"ship": "Aurora"}\n{"ship": "Boreas"}\n') == ['{"ship": "Aurora"}', '{"ship": "Boreas"}']


def test_a_longer_one_is_its_members() -> None:
    row = {"name": "Aurora", "note": "long " * LONGEST}
    assert [text[:7] for text in texts(json.dumps([row, {"name": "Boreas"}]))] == ['"name":', '"note":', '{"name"']


def test_a_list_of_plain_values_comes_with_its_key() -> None:
    assert texts('{"tags": ["sea", "tide"], "n": 1}') == ['"tags": ["sea", "tide"]', '"n": 1']
    assert texts('["sea", "tide"]') == ['"sea"', '"tide"']


def test_a_part_of_a_file_has_the_members_that_are_in_it() -> None:
    assert texts('"b": 2}, {"name": "Aurora"}, {"name": "Bor') == ['"b": 2', '{"name": "Aurora"}', '"name": "Bor']
    assert texts('}], "end": {"port": 1') == ['"port": 1']


@pytest.mark.parametrize(
    "source", ["", "[]", "{}", "]]]", '"', "{" * 5_000, "[" * 5_000 + "]" * 5_000, '{"a":' * 2_000]
)
def test_any_text_has_members_or_none(source: str) -> None:
    assert all(0 <= one.start < one.end <= len(source) for one in members_of(source))
