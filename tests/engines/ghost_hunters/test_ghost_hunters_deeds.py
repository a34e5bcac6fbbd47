"""Jewels and fights (GH-13 to GH-18)."""

from collections.abc import Callable
from typing import Any

import pytest

Table = Any
"""The table of conftest.py: a fixture makes it, so that no test module imports another."""
MakeTable = Callable[..., Table]


# --- GH-13: jewels ------------------------------------------------------------------------------------------------


def test_gh_13_a_jewel_may_be_taken_after_moving(table: MakeTable) -> None:
    game = table().ghosts().moving(3)
    assert game.ok("move", to="J").kinds == ["moved", "may-take"]
    assert game.expected == {"take", "end"}
    assert game.ok("take").kinds == ["took", "next"]
    assert game.view["hunters"]["red"]["jewel"] is True
    assert game.view["rooms"]["J"]["jewel"] is False
    assert game.view["turn"] == "yellow"


def test_gh_13_after_staying_too(table: MakeTable) -> None:
    game = table().ghosts().at(red="J").moving(3)
    game.ok("move", to="J")
    assert game.expected == {"take", "end"}


def test_gh_13_it_may_be_declined(table: MakeTable) -> None:
    game = table().ghosts().at(red="J").moving(3)
    game.ok("move", to="J")
    assert game.ok("end") == [("GH-13", "declined"), ("GH-23", "next")]
    assert game.view["rooms"]["J"]["jewel"] is True


def test_gh_13_a_full_bag_takes_nothing_and_the_turn_is_over(table: MakeTable) -> None:
    game = table().ghosts().at(red="c2").bags(red=0).moving(3)
    assert game.ok("move", to="J").kinds == ["moved", "bag-full", "next"]


def test_gh_13_a_full_bag_or_nothing_to_take_is_refused(table: MakeTable) -> None:
    game = table().ghosts(J=1).at(red="J").bags(red=0).moving(3)
    game.ok("move", to="J")
    assert game.expected == {"fight"}
    assert game.no("take") == "GH-13"
    game = table().ghosts(K=1).at(red="K").moving(3)
    game.ok("move", to="K")
    assert game.no("take") == "GH-13"


def test_gh_13_take_before_the_fight_not_after(table: MakeTable) -> None:
    game = table().ghosts(J=2).at(red="c2").moving(3)
    assert game.ok("move", to="J").kinds == ["moved", "may-take", "must-fight"]
    assert game.expected == {"take", "fight"}
    assert game.no("end") == "GH-16"
    assert game.ok("take").kinds == ["took", "must-fight"]
    assert game.expected == {"fight"}
    assert game.view["phase"] == "act"
    assert game.ok("fight", dice=["ghost"]).kinds == ["ghosts-off", "next"]


def test_gh_13_fighting_first_leaves_the_jewel(table: MakeTable) -> None:
    game = table().ghosts(J=2).at(red="c2").moving(3)
    game.ok("move", to="J")
    game.ok("fight", dice=["ghost"])
    assert game.view["phase"] == "roll"
    assert game.view["rooms"]["J"] == {"ghosts": 1, "red": False, "jewel": True}


# --- GH-14, GH-15: outside with a jewel ---------------------------------------------------------------------------


def test_gh_14_outside_the_jewel_is_put_down(table: MakeTable) -> None:
    game = table().at(red="c1").bags(red=0).put(jewels=frozenset("ACDEGIL")).moving(1)
    assert game.ok("move", to="outside").kinds == ["moved", "put-down", "next"]
    assert (game.view["saved"], game.view["hunters"]["red"]["jewel"]) == (1, None)


def test_gh_15_the_number_is_learned_at_take(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts().at(red="J").moving(1)
    game.ok("move", to="J")
    assert game.ok("take", number=7)[0] == ("GH-15", "took-number")
    assert game.view["hunters"]["red"]["jewel"] == 7


def test_gh_15_each_number_is_there_once(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts().at(red="J").bags(yellow=5).put(saved=2).moving(1)
    game.ok("move", to="J")
    assert [game.no("take", number=number) for number in (1, 2, 5)] == ["GH-15"] * 3
    game.ok("take", number=3)


def test_gh_15_only_the_next_number_leaves_the_house(table: MakeTable) -> None:
    game = table(mode="advanced").at(red="c1").bags(red=4).put(saved=2).moving(1)
    assert game.no("move", to="outside") == "GH-15"
    assert game.bags(red=3).ok("move", to="outside")[1] == ("GH-14", "put-down-number")
    assert game.view["saved"] == 3


def test_gh_15_numbers_do_not_bind_the_basic_game(table: MakeTable) -> None:
    table().at(red="c1").bags(red=0).put(saved=2).moving(1).ok("move", to="outside")


@pytest.mark.parametrize(
    ("mode", "fields"), [("basic", {"number": 3}), ("advanced", {}), ("advanced", {"number": None})]
)
def test_take_has_a_number_in_the_advanced_game_only(table: MakeTable, mode: str, fields: dict[str, Any]) -> None:
    game = table(mode=mode).ghosts().at(red="J").moving(1)
    game.ok("move", to="J")
    assert game.no("take", **fields) is None


# --- GH-16 to GH-18: fights ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("here", "dice", "left"), [(1, 1, 0), (2, 1, 1)])
def test_gh_16_alone_one_die(table: MakeTable, here: int, dice: object, left: int) -> None:
    game = table().ghosts(K=here).at(red="K").moving(1)
    assert game.ok("move", to="K").kinds == ["stayed", "must-fight"]
    assert game.no("fight", dice=["ghost", "ghost"]) == "GH-16"
    assert game.ok("fight", dice=["ghost"] * dice)[0] == ("GH-17", "ghosts-off")
    assert game.view["rooms"]["K"]["ghosts"] == left


@pytest.mark.parametrize(
    ("dice", "left"),
    [
        (["ghost"], 1),
        (["ghost", "ghost"], 0),
        (["ghost", "red"], 1),
        (["blank", "ghost"], 1),
        (["red"], 2),
        (["blank"], 2),
        (["red", "red"], 2),
        (["red", "blank"], 2),
    ],
)
@pytest.mark.parametrize("company", [("yellow",), ("yellow", "blue", "green")])
def test_gh_17_together_one_or_two_dice_each_ghost_face_takes_one_off(
    table: MakeTable, dice: object, left: int, company: tuple[str, ...]
) -> None:
    game = table().ghosts(K=2).at(red="K", **dict.fromkeys(company, "K")).moving(1)
    assert game.ok("move", to="K").kinds == ["stayed", "must-fight-together"]
    assert game.ok("fight", dice=dice)[0] == ("GH-17", "ghosts-stay" if left == 2 else "ghosts-off")
    assert game.view["rooms"]["K"]["ghosts"] == left


def test_gh_17_surplus_ghost_faces_do_nothing(table: MakeTable) -> None:
    game = table().ghosts(K=1).at(red="K", yellow="K").moving(1)
    game.ok("move", to="K")
    game.ok("fight", dice=["ghost", "ghost"])
    assert game.view["rooms"]["K"]["ghosts"] == 0
    assert game.facts("ghosts-off")["off"] == 1


@pytest.mark.parametrize("dice", [[], ["ghost"] * 3, "ghost", ["skull"], None, [1]])
def test_dice_of_a_wrong_shape_name_no_clause(table: MakeTable, dice: object) -> None:
    game = table().ghosts(K=1).at(red="K", yellow="K").moving(1)
    game.ok("move", to="K")
    assert game.no("fight", dice=dice) is None


@pytest.mark.parametrize(
    ("dice", "off"),
    [
        (["red", "red"], True),
        (["red", "blank"], True),
        (["ghost", "red"], True),
        (["ghost", "ghost"], False),
        (["blank", "ghost"], False),
    ],
)
def test_gh_18_two_hunters_fight_a_red_ghost_with_two_dice(table: MakeTable, dice: object, off: object) -> None:
    game = table().ghosts(K=3, A=3).at(red="K", yellow="K").bags(red=0).moving(1)
    assert game.ok("move", to="K").kinds == ["held-fast", "must-fight-red"]
    assert game.expected == {"fight"}
    assert game.no("end") == "GH-18"
    assert game.no("fight", dice=["red"]) == "GH-18"
    assert game.ok("fight", dice=dice)[0] == ("GH-18", "red-off" if off else "red-stays")
    assert game.reds == (["A"] if off else ["A", "K"])
    assert game.view["turn"] == "yellow"


def test_gh_18_alone_with_a_red_ghost_nobody_rolls(table: MakeTable) -> None:
    game = table().ghosts(K=3).at(red="K").moving(1)
    assert game.ok("move", to="K").kinds == ["stayed", "alone-with-red", "next"]


def test_gh_18_a_jewel_beside_a_red_ghost_may_be_taken_or_left(table: MakeTable) -> None:
    game = table().ghosts(J=3).at(red="J").moving(1)
    game.ok("move", to="J")
    assert game.expected == {"take", "end"}
    assert game.no("fight", dice=["red", "red"]) == "GH-18"
    assert game.no("fight", dice=["red"]) == "GH-18"
    game.ok("take")
    assert game.view["turn"] == "yellow"


def test_gh_18_two_hunters_of_one_player_count_as_two(table: MakeTable) -> None:
    game = table(2).ghosts(K=3).at(red="K", blue="K").moving(1)
    game.ok("move", to="K")
    game.ok("fight", dice=["red", "blank"])
    assert game.reds == []


def test_gh_16_a_fight_that_is_not_due_is_refused(table: MakeTable) -> None:
    game = table().ghosts().at(red="J").moving(1)
    game.ok("move", to="J")
    assert game.no("fight", dice=["ghost"]) == "GH-16"
