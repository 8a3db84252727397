"""Sentences put into groups."""

from lens_tui.chunking.joints import Joints, grouped


def joints(tokens: list[int], likeness: list[float], fixed: frozenset[int] = frozenset()) -> Joints:
    starts = [sum(tokens[:place]) for place in range(len(tokens) + 1)]
    return Joints(starts, likeness, fixed)


def test_it_cuts_at_each_joint_under_the_threshold_and_at_fixed_ones() -> None:
    units = joints([10] * 5, [0.9, 0.2, 0.9, 0.9], frozenset({4}))
    assert grouped(units, 0.7, target=100, minimum=0, maximum=200) == [(0, 2), (2, 4), (4, 5)]


def test_a_group_over_the_target_is_cut_at_its_weakest_joint() -> None:
    units = joints([10] * 6, [0.9, 0.8, 0.9, 0.75, 0.9])
    assert grouped(units, 0.7, target=40, minimum=0, maximum=80) == [(0, 4), (4, 6)]
    assert grouped(units, 0.7, target=30, minimum=0, maximum=80) == [(0, 2), (2, 4), (4, 6)]


def test_the_weakest_joint_leaves_both_sides_the_minimum() -> None:
    units = joints([10] * 6, [0.71, 0.9, 0.8, 0.9, 0.72])
    assert grouped(units, 0.7, target=50, minimum=20, maximum=100) == [(0, 3), (3, 6)]


def test_where_no_joint_does_the_group_stays_whole_up_to_the_maximum() -> None:
    units = joints([10, 45, 10], [0.71, 0.9])
    assert grouped(units, 0.7, target=50, minimum=20, maximum=70) == [(0, 3)]
    assert grouped(units, 0.7, target=50, minimum=20, maximum=60) == [(0, 1), (1, 3)]


def test_a_group_under_the_minimum_joins_the_neighbour_that_is_more_like_it() -> None:
    units = joints([30, 10, 30], [0.3, 0.2])
    assert grouped(units, 0.7, target=100, minimum=20, maximum=200) == [(0, 2), (2, 3)]
    units = joints([30, 10, 30], [0.2, 0.3])
    assert grouped(units, 0.7, target=100, minimum=20, maximum=200) == [(0, 1), (1, 3)]


def test_it_joins_the_other_one_where_the_two_would_not_fit_and_none_over_a_fixed_joint() -> None:
    units = joints([95, 10, 30], [0.3, 0.2])
    assert grouped(units, 0.7, target=100, minimum=20, maximum=100) == [(0, 1), (1, 3)]
    units = joints([95, 10, 30], [0.3, 0.2], frozenset({2}))
    assert grouped(units, 0.7, target=100, minimum=20, maximum=100) == [(0, 1), (1, 2), (2, 3)]
    assert grouped(units, 0.7, target=100, minimum=20, maximum=110) == [(0, 2), (2, 3)]


def test_joints_that_are_all_alike_are_cut_into_like_parts() -> None:
    groups = grouped(joints([10] * 64, [0.9] * 63), 0.7, target=200, minimum=20, maximum=400)
    assert {last - first for first, last in groups} == {16}


def test_no_units_make_no_groups_and_one_makes_one() -> None:
    assert grouped(joints([], []), 0.7, target=10, minimum=5, maximum=20) == []
    assert grouped(joints([99], []), 0.7, target=10, minimum=5, maximum=20) == [(0, 1)]
