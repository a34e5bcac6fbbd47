"""How the game is won, lost or stuck (GH-19 to GH-22)."""

from collections.abc import Callable
from typing import Any

import pytest

from engines.ghost_hunters import rules

Table = Any
"""The table of conftest.py: a fixture makes it, so that no test module imports another."""
MakeTable = Callable[..., Table]
FIVE_REDS = {"A": 3, "B": 3, "C": 3, "D": 3, "E": 3}


# --- GH-19 to GH-22: ends -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["basic", "advanced"])
def test_gh_19_won_when_the_last_jewel_comes_out_with_everybody_outside(table: MakeTable, mode: str) -> None:
    game = table(mode=mode).ghosts().at(red="c1").put(saved=7, jewels=frozenset()).moving(6)
    game.bags(red=8 if mode == "advanced" else 0)
    assert game.ok("move", to="outside").kinds == [
        "moved",
        f"put-down{'-number' if mode == 'advanced' else ''}",
        "won",
    ]
    assert rules.result(game.state) == {"outcome": "won", "winners": ["다은", "Bo", "민수7", "Eve"], "scores": {}}
    view = game.view
    assert (view["phase"], view["turn"], view["player"], view["die"], view["saved"]) == ("over", None, None, None, 8)
    assert rules.expects(game.state) == ()


def test_gh_19_a_hunter_still_inside_keeps_the_game_going(table: MakeTable) -> None:
    game = table().ghosts().at(red="c1", blue="c5").bags(red=0).put(saved=7, jewels=frozenset()).moving(6)
    assert game.ok("move", to="outside").kinds == ["moved", "put-down", "all-jewels-out", "next"]
    game.put(turn=2).moving(6)
    assert game.ok("move", to="outside")[-1] == ("GH-19", "won")


def test_gh_19_everybody_outside_with_jewels_left_is_no_win(table: MakeTable) -> None:
    game = table().ghosts().at(red="c1").bags(red=0).put(saved=6).moving(6)
    game.ok("move", to="outside")
    assert rules.result(game.state) is None


def test_gh_20_the_sixth_red_ghost_loses_at_once(table: MakeTable) -> None:
    game = table().ghosts(**FIVE_REDS, K=2)
    game.ok("roll", die=3)
    assert game.ok("card", card="K").clauses == ["GH-3", "GH-5", "GH-20"]
    view = game.view
    assert (view["reds"], view["out"], view["phase"], view["draws_due"]) == (6, ["K"], "over", 0)
    assert (view["turn"], view["player"], view["die"]) == (None, None, None)
    assert rules.result(game.state) == {"outcome": "lost", "winners": [], "scores": {}}


@pytest.mark.parametrize("draws", [1, 2, 3])
def test_gh_20_even_in_the_middle_of_drawing(table: MakeTable, draws: int) -> None:
    game = table(mode="advanced", draw_unlocks=True).ghosts(**FIVE_REDS, F=2)
    game.put(phase="card", die=3, draws=draws, drawing="draw-3", out=("draw-3",), locked="blue")
    assert game.ok("card", card="A")[-1][0] == "GH-20"
    view = game.view
    assert (view["out"], view["draws_due"], view["locked"]) == (["draw-3", "A"], 0, "blue")
    assert game.no("card", card="B") is None


def test_gh_20_five_red_ghosts_are_not_six(table: MakeTable) -> None:
    game = table().ghosts(A=3, B=3, C=3, D=3, K=2)
    game.ok("roll", die=3)
    game.ok("card", card="K")
    assert game.view["phase"] == "move"


def held(game: Table) -> Table:
    """Three of four held fast in A, B and C, all bags full; D not red yet."""
    return game.ghosts(A=3, B=3, C=3, D=2).at(red="A", yellow="B", blue="C", green="D").bags(red=0, yellow=0, blue=0)


def test_gh_21_lost_when_a_card_holds_the_last_hunter(table: MakeTable) -> None:
    game = held(table())
    game.put(bags=(0, 0, 0, 0))
    game.ok("roll", die=3)
    assert game.ok("card", card="D").clauses == ["GH-3", "GH-5", "GH-21"]
    assert game.view["out"] == ["D"]
    assert rules.result(game.state)["outcome"] == "lost"


def test_gh_21_lost_in_the_middle_of_drawing(table: MakeTable) -> None:
    game = held(table(mode="advanced")).bags(red=1, yellow=2, blue=3, green=4)
    game.put(phase="card", die=3, draws=2, drawing="draw-2", out=("draw-2",))
    assert game.ok("card", card="A").clauses[-1] == "GH-21"
    view = game.view
    assert (view["phase"], view["draws_due"], view["out"]) == ("over", 0, ["draw-2", "A"])


def test_gh_21_looked_at_after_the_last_extra_was_carried_out(table: MakeTable) -> None:
    game = held(table(mode="advanced")).bags(red=1, yellow=2, blue=3, green=4)
    game.put(phase="card", die=3, draws=1, drawing="draw-2", out=("draw-2",))
    assert game.ok("card", card="D").clauses[-2:] == ["GH-7", "GH-21"]
    assert game.view["out"] == []


def test_gh_21_lost_by_taking_a_jewel_among_red_ghosts(table: MakeTable) -> None:
    game = held(table()).ghosts(A=3, B=3, C=3, D=3).put(turn=3).moving(2)
    game.ok("move", to="D")
    assert game.ok("take").clauses == ["GH-13", "GH-21"]
    assert game.view["turn"] is None


def test_gh_21_lost_by_moving_in(table: MakeTable) -> None:
    game = held(table()).ghosts(A=3, B=3, C=3, E=3).at(green="F").put(bags=(0, 0, 0, 0), turn=3).moving(2)
    assert game.ok("move", to="E").clauses[-1] == "GH-21"


@pytest.mark.parametrize(
    "change", [{"bags": (0, 0, 0, None)}, {"at": ("A", "B", "C", "C")}, {"at": ("A", "B", "C", "c1")}]
)
def test_gh_21_not_with_an_empty_bag_nor_with_two_in_a_room(table: MakeTable, change: dict[str, Any]) -> None:
    game = held(table()).put(bags=(0, 0, 0, 0)).put(**change)
    game.ok("roll", die=3)
    game.ok("card", card="D")
    assert game.view["phase"] == "move"


def test_gh_22_the_referee_warns_when_nobody_has_the_next_number(table: MakeTable) -> None:
    game = table(3, mode="advanced").ghosts().at(red="J").bags(yellow=3, blue=4).put(saved=1).moving(1)
    game.ok("move", to="J")
    assert game.ok("take", number=5) == [("GH-15", "took-number"), ("GH-22", "none-is-next"), ("GH-23", "next")]
    assert game.facts("none-is-next") == {"next": 2, "numbers": [5, 3, 4]}
    assert rules.result(game.state) is None


def test_gh_22_before_a_fight_too(table: MakeTable) -> None:
    game = table(3, mode="advanced").ghosts(J=1).at(red="J").bags(yellow=3, blue=4).put(saved=1).moving(1)
    game.ok("move", to="J")
    assert game.ok("take", number=5).clauses == ["GH-15", "GH-22", "GH-16"]


@pytest.mark.parametrize(("mode", "bags"), [("advanced", {"yellow": 2, "blue": 4}), ("advanced", {"yellow": 3})])
def test_gh_22_no_warning_where_somebody_has_it_or_a_bag_is_empty(
    table: MakeTable, mode: str, bags: dict[str, int]
) -> None:
    game = table(3, mode=mode).ghosts().at(red="J").bags(**bags).put(saved=1).moving(1)
    game.ok("move", to="J")
    assert "GH-22" not in game.ok("take", number=5).clauses


def test_gh_22_not_in_the_basic_game(table: MakeTable) -> None:
    game = table(3).ghosts().at(red="J").bags(yellow=0, blue=0).moving(1)
    game.ok("move", to="J")
    assert "GH-22" not in game.ok("take").clauses
