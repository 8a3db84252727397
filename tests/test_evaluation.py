"""The measures against hand-computed examples, and the reading of a questions' file."""

import json
import math
from collections.abc import Sequence

import pytest

from lens_tui.errors import UsageError
from lens_tui.evaluation import (
    DEPTH,
    MEASURES,
    TIMES,
    Question,
    Relevant,
    Target,
    Trial,
    failed,
    figures,
    measures,
    parse_questions,
    percentile,
    place,
)
from lens_tui.types import SearchHit


def hit(path: str, start: int, end: int) -> SearchHit:
    return SearchHit(1, 1.0, path, "id", 0, start, end, (1, 1), None, (), (), "", "", (), {})


def excerpt(path: str, start: int, end: int) -> Target:
    return Target(path, False, (start, end), end - start)


def whole(path: str, length: int) -> Target:
    return Target(path, True, (0, length), length)


def rest(count: int, path: str = "other.md") -> list[SearchHit]:
    return [hit(path, at * 100, at * 100 + 100) for at in range(count)]


def one(row: object) -> Question:
    return parse_questions([json.dumps(row)], "q.jsonl")[0]


def trial(targets: Sequence[Target], hits: Sequence[SearchHit], milliseconds: float = 1.0, text: str = "why") -> Trial:
    return Trial(Question(1, text, ()), tuple(targets), tuple(hits), milliseconds)


def test_a_whole_file_is_found_by_any_of_its_chunks() -> None:
    got = measures([whole("a.md", 900)], [*rest(3), hit("a.md", 600, 900)])
    assert (got["recall@1"], got["recall@5"], got["recall@10"]) == (0, 1, 1)
    assert got["mrr@10"] == 1 / 4
    assert got["ndcg@10"] == pytest.approx(1 / math.log2(5))


def test_several_chunks_of_a_whole_file_count_once_at_the_best_rank() -> None:
    got = measures([whole("a.md", 900)], [*rest(1), hit("a.md", 0, 300), hit("a.md", 300, 600), hit("a.md", 600, 900)])
    assert got["recall@5"] == 1
    assert got["mrr@10"] == 1 / 2
    assert got["ndcg@10"] == pytest.approx(1 / math.log2(3))


def test_precision_is_the_share_of_the_first_hits_that_touch_something() -> None:
    got = measures([whole("a.md", 900)], [hit("a.md", 0, 300), *rest(2), hit("a.md", 300, 600)])
    assert (got["precision@1"], got["precision@5"], got["precision@10"]) == (1, 2 / 5, 2 / 10)


def test_an_excerpt_is_found_by_the_share_of_its_characters_that_hits_cover() -> None:
    target = excerpt("a.md", 100, 200)
    got = measures([target], [hit("a.md", 0, 130), hit("a.md", 120, 150), hit("b.md", 100, 200)])
    assert got["recall@1"] == pytest.approx(0.3)
    assert got["recall@5"] == pytest.approx(0.5)
    assert got["precision@5"] == 2 / 5


def test_recall_is_the_mean_over_the_items_whatever_their_lengths() -> None:
    got = measures([excerpt("a.md", 0, 10), excerpt("a.md", 500, 1500)], [hit("a.md", 0, 100)])
    assert got["recall@1"] == pytest.approx(0.5)


def test_a_hit_that_only_borders_on_an_excerpt_does_not_touch_it() -> None:
    got = measures([excerpt("a.md", 100, 200)], [hit("a.md", 0, 100), hit("a.md", 200, 300)])
    assert set(got.values()) == {0.0}


def test_recall_and_rank_stop_where_they_say() -> None:
    target = whole("a.md", 10)
    assert measures([target], [*rest(9), hit("a.md", 0, 10)])["mrr@10"] == pytest.approx(0.1)
    late = measures([target], [*rest(10), hit("a.md", 0, 10)])
    assert (late["mrr@10"], late["ndcg@10"], late["recall@10"], late["precision@10"]) == (0, 0, 0, 0)


def test_ndcg_counts_each_item_once_and_what_was_never_found_against_it() -> None:
    targets = [whole("a.md", 10), whole("b.md", 10)]
    both = measures(targets, [hit("a.md", 0, 10), *rest(1), hit("b.md", 0, 10)])
    assert both["ndcg@10"] == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))
    half = measures(targets, [hit("a.md", 0, 10)])
    assert half["ndcg@10"] == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_one_hit_that_holds_every_item_is_the_best_there_can_be() -> None:
    got = measures([excerpt("a.md", 0, 10), excerpt("a.md", 50, 60)], [hit("a.md", 0, 100)])
    assert got["ndcg@10"] == 1
    assert got["recall@1"] == 1


def test_an_item_found_below_the_tenth_hit_still_stands_in_the_ideal() -> None:
    got = measures([whole("a.md", 10), whole("b.md", 10)], [hit("a.md", 0, 10), *rest(20), hit("b.md", 0, 10)])
    assert got["ndcg@10"] == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_ndcg_of_more_than_ten_items_can_be_whole() -> None:
    targets = [whole(f"{at}.md", 10) for at in range(12)]
    assert measures(targets, [hit(f"{at}.md", 0, 10) for at in range(12)])["ndcg@10"] == pytest.approx(1)


def test_characters_are_read_until_four_thousand_are_spent_and_the_last_hit_is_cut() -> None:
    target = excerpt("a.md", 0, 1000)
    got = measures([target], [hit("z.md", 0, 3500), hit("a.md", 0, 1000)])
    assert got["char_recall@4000"] == pytest.approx(0.5)
    assert measures([target], [hit("z.md", 0, 4000), hit("a.md", 0, 1000)])["char_recall@4000"] == 0


def test_overlap_is_paid_twice_and_read_once() -> None:
    targets = [excerpt("a.md", 0, 2000), excerpt("b.md", 0, 2000)]
    got = measures(targets, [hit("a.md", 0, 2000), hit("a.md", 0, 1500), hit("b.md", 0, 2000)])
    assert got["char_recall@4000"] == pytest.approx((2000 + 500) / 4000)


def test_relevant_characters_that_two_items_share_count_once() -> None:
    targets = [excerpt("a.md", 0, 100), excerpt("a.md", 50, 150)]
    got = measures(targets, [hit("a.md", 0, 75)])
    assert got["char_recall@4000"] == pytest.approx(75 / 150)
    assert got["iou@5"] == pytest.approx(75 / 150)
    assert got["recall@1"] == pytest.approx((0.75 + 0.25) / 2)


def test_intersection_over_union_takes_the_first_five_hits_each_character_once() -> None:
    hits = [hit("a.md", 50, 150), hit("a.md", 100, 200), *rest(3), hit("a.md", 0, 50)]
    got = measures([excerpt("a.md", 0, 100)], hits)
    assert got["iou@5"] == pytest.approx(50 / (200 + 300))


def test_the_same_offsets_in_another_file_are_other_characters() -> None:
    got = measures([excerpt("a.md", 0, 100)], [hit("b.md", 0, 100)])
    assert (got["iou@5"], got["char_recall@4000"]) == (0, 0)


def test_hits_beyond_the_fiftieth_are_not_looked_at() -> None:
    tiny = [hit("z.md", at, at + 1) for at in range(DEPTH)]
    assert measures([excerpt("a.md", 0, 10)], [*tiny, hit("a.md", 0, 10)])["char_recall@4000"] == 0
    assert measures([excerpt("a.md", 0, 10)], [*tiny[1:], hit("a.md", 0, 10)])["char_recall@4000"] == 1


def test_no_hits_are_zero_everywhere() -> None:
    assert measures([whole("a.md", 5)], []) == dict.fromkeys(MEASURES, 0.0)


def test_a_file_that_is_not_indexed_counts_as_missed() -> None:
    question = one({"question": "q", "relevant": [{"path": "a.md"}, {"path": "gone.md"}]})
    targets, notes = place(question, {"a.md": "x" * 100}.get)
    got = measures(targets, [hit("a.md", 0, 100)])
    assert (got["recall@10"], got["char_recall@4000"], got["iou@5"]) == (0.5, 0.5, 0.5)
    assert got["ndcg@10"] < 1
    assert notes == ("Line 1: gone.md is not indexed, so it counts as missed.",)


def test_a_question_whose_only_file_is_not_indexed_is_a_failed_zero() -> None:
    question = one({"question": "q", "relevant": [{"path": "gone.md"}]})
    targets, _ = place(question, lambda path: None)
    assert measures(targets, rest(3)) == dict.fromkeys(MEASURES, 0.0)
    assert failed([trial(targets, rest(3))], 10)


def test_an_excerpt_of_a_file_that_is_not_indexed_keeps_its_length() -> None:
    question = one({"question": "q", "relevant": [{"path": "a.md"}, {"path": "b.md", "start": 5, "end": 305}]})
    targets, _ = place(question, {"a.md": "x" * 100}.get)
    assert measures(targets, [hit("a.md", 0, 100)])["char_recall@4000"] == pytest.approx(0.25)


def test_an_empty_relevant_file_is_missed_and_divides_nothing() -> None:
    targets, _ = place(one({"question": "q", "relevant": [{"path": "a.md"}]}), {"a.md": ""}.get)
    assert measures(targets, []) == dict.fromkeys(MEASURES, 0.0)


def test_a_quote_stands_for_its_offsets() -> None:
    question = one({"question": "q", "relevant": [{"path": "a.md", "quote": "the lease ends"}]})
    targets, notes = place(question, {"a.md": "First, the lease ends in May."}.get)
    assert targets == (excerpt("a.md", 7, 21),)
    assert notes == ()


def test_a_quote_is_found_across_other_white_space() -> None:
    question = one({"question": "q", "relevant": [{"path": "a.md", "quote": "the lease\nends "}]})
    targets, _ = place(question, {"a.md": "First, the  lease ends in May."}.get)
    assert targets == (excerpt("a.md", 7, 22),)


def test_a_quote_that_is_not_there_is_missed_and_named() -> None:
    question = one({"question": "q", "relevant": [{"path": "a.md", "quote": "nowhere"}]})
    targets, notes = place(question, {"a.md": "x" * 50}.get)
    assert measures(targets, [hit("a.md", 0, 50)]) == dict.fromkeys(MEASURES, 0.0)
    assert notes == ("Line 1: its quote is not in a.md: it counts as missed.",)


def test_the_first_of_several_places_of_a_quote_is_taken_and_told() -> None:
    question = one({"question": "q", "relevant": [{"path": "a.md", "quote": "May"}]})
    targets, notes = place(question, {"a.md": "May or May"}.get)
    assert targets == (excerpt("a.md", 0, 3),)
    assert notes == ("Line 1: its quote is in a.md 2 times; the first one is taken.",)


def test_offsets_beyond_the_text_are_told_and_cannot_be_found() -> None:
    question = one({"question": "q", "relevant": [{"path": "a.md", "start": 0, "end": 200}]})
    targets, notes = place(question, {"a.md": "x" * 100}.get)
    assert measures(targets, [hit("a.md", 0, 100)])["recall@1"] == pytest.approx(0.5)
    assert notes == ("Line 1: a.md has 100 characters, fewer than its end says.",)


def test_figures_are_means_over_the_questions_with_their_times() -> None:
    target = whole("a.md", 10)
    trials = [trial([target], [hit("a.md", 0, 10)], 4.0), trial([target], [*rest(1), hit("a.md", 0, 10)], 8.0)]
    got = figures(trials)
    assert tuple(got) == (*MEASURES, *TIMES)
    assert got["recall@1"] == 0.5
    assert got["mrr@10"] == 0.75
    assert (got["p50_ms"], got["p99_ms"]) == (4.0, 8.0)


def test_no_trials_give_zeros() -> None:
    assert figures([]) == dict.fromkeys((*MEASURES, *TIMES), 0.0)


def test_percentiles_are_values_that_were_measured() -> None:
    values = [float(at) for at in range(200, 0, -1)]
    assert percentile(values, 50) == 100
    assert percentile(values, 99) == 198
    assert percentile([7.0], 99) == 7


def test_a_question_fails_where_nothing_relevant_is_among_the_first_k() -> None:
    late = trial([whole("a.md", 10)], [*rest(5), hit("a.md", 0, 10)], text="late")
    soon = trial([excerpt("a.md", 5, 6)], [hit("a.md", 0, 10)], text="soon")
    assert [question.text for question in failed([late, soon], 5)] == ["late"]
    assert failed([late, soon], 6) == ()


def test_questions_are_read_with_files_excerpts_and_quotes() -> None:
    lines = [
        '\ufeff{"question": "a", "relevant": [{"path": "./x/a.md"}]}\r\n',
        "\n",
        '{"question": "b", "id": 7, "relevant": [{"path": "b.md", "start": 0, "end": 4, "quote": "no"}]}',
        '{"question": "c", "relevant": [{"path": "c.md", "quote": "words"}, {"path": "c.md", "quote": "words"}]}',
        '{"question": "d", "relevant": [{"path": "d.md", "start": null, "end": null}]}',
    ]
    assert parse_questions(lines, "q.jsonl") == (
        Question(1, "a", (Relevant("x/a.md"),)),
        Question(3, "b", (Relevant("b.md", (0, 4)),)),
        Question(4, "c", (Relevant("c.md", quote="words"),)),
        Question(5, "d", (Relevant("d.md"),)),
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ('{"question": ' + "9" * 5000 + "}", "this is not JSON"),
        ("[1]", "this is not an object with question and relevant"),
        ('{"relevant": [{"path": "a"}]}', "question is missing or is no text"),
        ('{"question": 5, "relevant": [{"path": "a"}]}', "question is missing or is no text"),
        ('{"question": " ", "relevant": [{"path": "a"}]}', "question is empty"),
        ('{"question": "q"}', "relevant must be a list"),
        ('{"question": "q", "relevant": []}', "relevant must be a list"),
        ('{"question": "q", "relevant": ["a.md"]}', "each entry of relevant must be an object with a path"),
        ('{"question": "q", "relevant": [{"start": 1, "end": 2}]}', "an entry of relevant has no path"),
        ('{"question": "q", "relevant": [{"path": "/etc/a"}]}', "path /etc/a is not that of a file in the folder"),
        ('{"question": "q", "relevant": [{"path": "a/../../b"}]}', "path a/../../b is not that of a file"),
        ('{"question": "q", "relevant": [{"path": "a", "start": 1}]}', "start and end must both be whole numbers"),
        ('{"question": "q", "relevant": [{"path": "a", "start": -1, "end": 4}]}', "start and end must both be"),
        ('{"question": "q", "relevant": [{"path": "a", "start": 1.5, "end": 4}]}', "start and end must both be"),
        ('{"question": "q", "relevant": [{"path": "a", "start": true, "end": 4}]}', "start and end must both be"),
        ('{"question": "q", "relevant": [{"path": "a", "start": 4, "end": 4}]}', "start 4 is not before end 4"),
        ('{"question": "q", "relevant": [{"path": "a", "quote": " "}]}', "quote must be some words of the file"),
    ],
)
def test_a_bad_line_is_named_with_what_is_wrong(line: str, why: str) -> None:
    good = '{"question": "q", "relevant": [{"path": "a.md"}]}'
    with pytest.raises(UsageError) as caught:
        parse_questions([good, "", line], "q.jsonl")
    assert caught.value.message.startswith(f"q.jsonl, line 3: {why}")
    assert caught.value.hint.startswith("Write one question a line")


def test_every_other_bad_line_is_named_too() -> None:
    with pytest.raises(UsageError) as caught:
        parse_questions(["{}", "{", "{"], "q.jsonl")
    assert caught.value.message.endswith(" Neither can lines 2, 3 be used.")
    with pytest.raises(UsageError) as caught:
        parse_questions(["{"] * 9, "q.jsonl")
    assert caught.value.message.endswith(" Neither can lines 2, 3, 4, 5, 6 and 3 more be used.")


def test_a_file_without_questions_is_told() -> None:
    with pytest.raises(UsageError, match=r"^q\.jsonl holds no question\.$"):
        parse_questions(["", "  \n"], "q.jsonl")
