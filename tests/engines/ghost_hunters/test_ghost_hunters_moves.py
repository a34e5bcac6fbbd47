"""Moves through the house (GH-10 to GH-12), and which clause a refused one names."""

from collections.abc import Callable
from typing import Any

import pytest

Table = Any
"""The table of conftest.py: a fixture makes it, so that no test module imports another."""
MakeTable = Callable[..., Table]


# --- GH-10, GH-11: moves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "to"), [(3, "J"), (3, "c3"), (2, "c1"), (4, "G"), (6, "I"), (1, "outside")])
def test_gh_10_moves_up_to_the_number_rolled(table: MakeTable, die: int, to: str) -> None:
    game = table().ghosts().moving(die)
    told = game.ok("move", to=to)
    assert told[0] == ("GH-10", "stayed" if to == "outside" else "moved")
    assert game.view["hunters"]["red"]["at"] == to


@pytest.mark.parametrize(("die", "to"), [(2, "J"), (3, "G"), (1, "c2"), (5, "I"), (6, "A"), (6, "c23")])
def test_gh_10_not_beyond_it(table: MakeTable, die: int, to: str) -> None:
    assert table().moving(die).no("move", to=to) == "GH-10"


def test_gh_10_no_way_at_all_is_told_apart(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts(L=3, c2=0, J=3, G=3).at(red="K").bags(red=5).put(locked="blue").moving(2)
    outcome = game.do("move", to="c9")
    assert (outcome.ruling.rule, outcome.ruling.kind) == ("GH-8", "doors-locked")
    assert game.do("move", to="c13").ruling.kind == "no-way"


def test_gh_11_a_held_square_is_passed_at_a_step_and_never_stopped_on(table: MakeTable) -> None:
    game = table().at(yellow="c1", blue="c2").moving(3)
    assert game.no("move", to="c1") == "GH-11"
    assert game.no("move", to="c2") == "GH-11"
    assert game.no("move", to="c10") == "GH-10"
    assert game.ok("move", to="c3")[0] == ("GH-11", "moved-over")
    assert game.facts("moved-over")["over"] == ["yellow", "blue"]


def test_gh_11_a_held_square_far_away_is_refused_as_held(table: MakeTable) -> None:
    assert table().at(yellow="c23").moving(1).no("move", to="c23") == "GH-11"


def test_gh_11_without_jump_costs_held_squares_are_free(table: MakeTable) -> None:
    game = table(jump_costs=False).at(yellow="c1", blue="c2", green="c3").moving(1)
    assert game.no("move", to="c11") == "GH-10"
    assert game.ok("move", to="c10")[0] == ("GH-11", "moved-over-free")
    assert game.facts("moved-over-free")["steps"] == 1


def test_gh_11_without_jump_costs_no_square_may_be_stopped_on_either(table: MakeTable) -> None:
    game = table(jump_costs=False).at(yellow="c1", blue="c2").moving(1)
    assert game.no("move", to="c2") == "GH-11"
    game.ok("move", to="J")


def test_gh_11_without_jump_costs_a_room_behind_a_held_square_costs_its_own_step(table: MakeTable) -> None:
    game = table(jump_costs=False).at(red="c10", yellow="c11", blue="c12").moving(1)
    game.ok("move", to="F")


def test_gh_11_rooms_and_outside_hold_any_number(table: MakeTable) -> None:
    game = table().ghosts().at(red="c2", yellow="J", blue="J", green="J").moving(1)
    game.ok("move", to="J")
    game = table().at(red="c1", yellow="outside").moving(1)
    game.ok("move", to="outside")


# --- GH-12: red ghosts hold jewels --------------------------------------------------------------------------------


def test_gh_12_with_a_jewel_nobody_leaves_a_red_ghosts_room(table: MakeTable) -> None:
    game = table().ghosts(J=3).at(red="J").bags(red=0).moving(6)
    assert {game.no("move", to=to) for to in ("c2", "G", "outside", "c23")} == {"GH-12"}
    assert game.ok("move", to="J").kinds[:2] == ["held-fast", "bag-full"]


def test_gh_12_without_a_jewel_it_may(table: MakeTable) -> None:
    table().ghosts(J=3).at(red="J").moving(2).ok("move", to="c1")


def test_gh_12_entering_with_a_jewel_ends_the_move(table: MakeTable) -> None:
    game = table().ghosts(B=3).at(red="A").bags(red=0).moving(2)
    assert game.no("move", to="C") == "GH-12"
    assert game.ok("move", to="B").kinds == ["moved", "caught", "alone-with-red", "next"]


def test_gh_12_without_a_jewel_the_way_leads_through(table: MakeTable) -> None:
    table().ghosts(B=3).at(red="A").moving(2).ok("move", to="C")


def test_gh_12_a_way_round_the_red_ghost_is_a_way(table: MakeTable) -> None:
    game = table().ghosts(B=3).at(red="F").bags(red=0).moving(4)
    assert game.no("move", to="C") == "GH-12"  # F E B C
    assert game.moving(2).no("move", to="C") == "GH-10"
    game.moving(5).ok("move", to="C")  # F c18 c17 c16 c15 C


# --- which clause a refusal names ---------------------------------------------------------------------------------


def test_refusal_order_gh_12_before_gh_11(table: MakeTable) -> None:
    game = table().ghosts(J=3).at(red="J", yellow="c2").bags(red=0).moving(1)
    assert game.no("move", to="c2") == "GH-12"


def test_refusal_order_gh_15_before_distance_and_doors(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts().at(red="c23").bags(red=2).put(locked="blue").moving(1)
    assert game.no("move", to="outside") == "GH-15"


def test_refusal_order_gh_12_before_gh_15(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts(J=3).at(red="J").bags(red=2).moving(6)
    assert game.no("move", to="outside") == "GH-12"


def test_refusal_order_gh_8_before_gh_12(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts(B=3).at(red="A").bags(red=1).put(locked="green").moving(2)
    assert game.no("move", to="C") == "GH-12"
    assert game.no("move", to="c22") == "GH-8"


def test_refusal_gh_10_where_neither_open_doors_nor_no_red_ghost_alone_would_do(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts(B=3).at(red="A").bags(red=1).put(locked="blue").moving(2)
    assert game.no("move", to="c19") == "GH-10"  # through the red ghost's room and then a locked door
    game.put(locked=None)
    assert game.no("move", to="c19") == "GH-12"
    game.ghosts().put(locked="blue")
    assert game.no("move", to="c19") == "GH-8"
