"""The plan of the board against the page's table of steps, and ways through it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.ghost_hunters.house import FAR, INDEX, OUTSIDE, ROOMS, SQUARES, WAYS, Bounds, path

OPEN = Bounds(None)


@pytest.mark.parametrize(
    ("to", "steps"),
    [
        *[("J", 3), ("L", 3), ("G", 4), ("K", 4), ("I", 6), ("F", 7), ("H", 7), ("C", 8), ("E", 8), ("B", 9), ("D", 9)],
        *[("A", 10), ("c8", 6), ("c9", 5), ("c13", 5), ("c23", 10), ("c1", 1), ("c2", 2), ("c3", 3), ("c10", 4)],
    ],
)
def test_gh_10_steps_from_outside_are_those_of_the_board(to: str, steps: int) -> None:
    assert path(OUTSIDE, to, FAR, OPEN).steps == steps
    assert path(OUTSIDE, to, steps, OPEN) is not None
    assert path(OUTSIDE, to, steps - 1, OPEN) is None


def test_gh_10_the_corridor_alone_is_15_steps_to_its_dead_end() -> None:
    assert path(OUTSIDE, "c23", FAR, Bounds(None, ends=ROOMS)).steps == 15
    assert WAYS[None]["c23"] == ("c22",)


def test_the_plan_has_every_place_and_every_way_back() -> None:
    for ways in WAYS.values():
        assert set(ways) == {OUTSIDE, *SQUARES, *ROOMS}
        assert all(place in ways[near] for place, nears in ways.items() for near in nears)
        assert all(len(set(nears)) == len(nears) for nears in ways.values())
    assert [len(SQUARES), len(ROOMS), len(INDEX), FAR] == [23, 12, 12, 36]


@pytest.mark.parametrize(
    ("locked", "shut"),
    [
        ("blue", {("c2", "J"), ("c5", "I"), ("c9", "K"), ("c12", "F"), ("c14", "D"), ("c19", "B"), ("c22", "E")}),
        ("green", {("c2", "L"), ("c8", "H"), ("c13", "G"), ("c15", "C"), ("c18", "F"), ("c22", "A")}),
    ],
)
def test_gh_8_a_colour_shuts_its_doors_and_no_other(locked: str | None, shut: set[tuple[str, str]]) -> None:
    gone = {(place, near) for place, nears in WAYS[None].items() for near in nears if near not in WAYS[locked][place]}
    assert gone == shut | {(room, square) for square, room in shut}


def test_every_place_can_be_reached_with_either_colour_locked() -> None:
    for locked in ("blue", "green"):
        assert all(path(OUTSIDE, to, FAR, Bounds(locked)) for to in WAYS[None] if to != OUTSIDE)


def test_gh_11_held_squares_cost_nothing_where_the_table_says_so() -> None:
    held = ("c2", "c3")
    assert path("c1", "c10", FAR, Bounds(None, held=held)).steps == 3
    assert path("c1", "c10", FAR, Bounds(None, held=held, free=True)).steps == 1
    assert path("c1", "c10", FAR, Bounds(None, held=held, free=True)).places == ("c1", "c2", "c3", "c10")


def test_gh_12_a_move_goes_into_a_closed_room_but_not_through_it() -> None:
    assert path("E", "I", FAR, Bounds(None, ends=("I", "F"))).places == ("E", "H", "I")
    assert path("A", "B", 1, Bounds(None, ends=("B",))).places == ("A", "B")
    assert path("A", "C", 2, Bounds(None, ends=("B",))) is None


PLACES = sorted(WAYS[None])


def slowly(start: str, bounds: Bounds) -> dict[str, int]:
    """Steps to every place, by going on until nothing gets nearer."""
    steps = {start: 0}
    for _ in range(FAR):
        for place, so_far in list(steps.items()):
            if place in bounds.ends and place != start:
                continue
            for near in WAYS[bounds.locked][place]:
                cost = 0 if bounds.free and near in bounds.held else 1
                steps[near] = min(steps.get(near, FAR), so_far + cost)
    return steps


@settings(max_examples=40, deadline=None)
@given(
    start=st.sampled_from(PLACES),
    held=st.sets(st.sampled_from(sorted(SQUARES)), max_size=3),
    ends=st.sets(st.sampled_from(ROOMS), max_size=5),
    locked=st.sampled_from((None, "blue", "green")),
    free=st.booleans(),
)
def test_ways_are_the_shortest(start: str, held: set[str], ends: set[str], locked: str | None, free: object) -> None:
    bounds = Bounds(locked, held=tuple(held - {start}), free=bool(free), ends=tuple(ends - {start}))
    steps = slowly(start, bounds)
    for to in PLACES:
        if to != start and to not in held:
            way = path(start, to, FAR, bounds)
            assert (way.steps if way else None) == steps.get(to)
            if way:
                assert way.steps == sum(not (bounds.free and place in bounds.held) for place in way.places[1:])
