"""How a game of Ghost Hunters is set up (GH-1), whose turn it is (GH-23), and what has no right shape."""

from collections.abc import Callable
from typing import Any

import pytest

from engines import shelf
from engines.ghost_hunters import rules
from engines.ghost_hunters.house import ROOMS
from engines.record import Header, RecordError, Replay

Table = Any
"""The table of conftest.py: a fixture makes it, so that no test module imports another."""
MakeTable = Callable[..., Table]


# --- GH-1: the house at the start, and the header -----------------------------------------------------------------


def test_gh_1_ghosts_jewels_and_hunters_at_the_start(table: MakeTable) -> None:
    view = table().view
    assert {room for room, what in view["rooms"].items() if what["ghosts"] == 1} == set("CFIL")
    assert {room for room, what in view["rooms"].items() if what["jewel"]} == set("ACDEGIJL")
    assert all(one["at"] == "outside" and one["jewel"] is None for one in view["hunters"].values())
    assert (view["reds"], view["saved"], view["locked"], view["out"]) == (0, 0, None, [])
    assert (view["phase"], view["die"], view["draws_due"]) == ("roll", None, 0)
    assert list(view["rooms"]) == list(ROOMS)


def test_gh_1_the_opening_tells_where_things_lie(table: MakeTable) -> None:
    told = rules.opening(table(2, mode="advanced", start_player="Bo").state)
    assert [ruling.rule for ruling in told] == ["GH-1", "GH-15", "GH-23"]
    assert told[2].facts["hunters"] == ["yellow", "blue", "green", "red"]
    assert [ruling.rule for ruling in rules.opening(table().state)] == ["GH-1", "GH-23"]


@pytest.mark.parametrize(
    ("players", "hunters"),
    [(3, ["red", "yellow", "blue"]), (4, ["red", "yellow", "blue", "green"])],
)
def test_hunters_by_default_follow_the_seats(table: MakeTable, players: int, hunters: object) -> None:
    view = table(players).view
    assert list(view["hunters"]) == hunters
    assert [one["player"] for one in view["hunters"].values()] == ["다은", "Bo", "민수7", "Eve"][:players]


def test_two_players_have_two_hunters_each(table: MakeTable) -> None:
    owners = {hunter: one["player"] for hunter, one in table(2).view["hunters"].items()}
    assert owners == {"red": "다은", "blue": "다은", "yellow": "Bo", "green": "Bo"}


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "expert"},
        {"mode": None},
        {"jump_costs": 1},
        {"jump_costs": None},
        {"draw_unlocks": "no"},
        {"start_player": "Nobody"},
        {"start_player": None},
        {"hunters": {}},
        {"hunters": {"다은": ["red"], "Bo": ["blue"]}},
        {"hunters": {"다은": ["red"], "Bo": ["blue"], "Nobody": ["green"]}},
        {"hunters": {"다은": ["red"], "Bo": ["blue"], "민수7": ["red"]}},
        {"hunters": {"다은": ["red", "yellow"], "Bo": ["blue"], "민수7": ["green"]}},
        {"hunters": {"다은": [], "Bo": ["blue"], "민수7": ["green"]}},
        {"hunters": {"다은": ["pink"], "Bo": ["blue"], "민수7": ["green"]}},
        {"hunters": {"다은": "red", "Bo": "blue", "민수7": "green"}},
        {"hunters": [["red"], ["blue"], ["green"]]},
        {"hunter": {}},
    ],
)
def test_an_option_that_does_not_fit_is_an_error_of_the_header(table: MakeTable, options: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as error:
        table(3, **options)
    assert error.value.line == 1
    assert error.value.ruling.rule is None


@pytest.mark.parametrize(
    "hunters",
    [
        {"다은": ["red"], "Bo": ["blue"]},
        {"다은": ["red", "blue"], "Bo": ["green", "blue"]},
        {"다은": ["red", "red"], "Bo": ["green", "blue"]},
        {"다은": ["red", "yellow", "blue"], "Bo": ["green"]},
    ],
)
def test_two_players_name_two_different_hunters_each(table: MakeTable, hunters: object) -> None:
    with pytest.raises(RecordError):
        table(2, hunters=hunters)


@pytest.mark.parametrize("names", [("Solo",), ("a", "b", "c", "d", "e")])
def test_two_to_four_may_play(names: tuple[str, ...]) -> None:
    with pytest.raises(RecordError):
        Replay(Header("ghost-hunters", names, {}))


# --- GH-23: turns -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "options", "order"),
    [
        (2, {}, ["red", "yellow", "blue", "green"]),
        (2, {"start_player": "Bo"}, ["yellow", "blue", "green", "red"]),
        (2, {"hunters": {"Bo": ["red", "green"], "다은": ["blue", "yellow"]}}, ["blue", "red", "yellow", "green"]),
        (3, {}, ["red", "yellow", "blue"]),
        (3, {"start_player": "민수7"}, ["blue", "red", "yellow"]),
        (4, {"start_player": "Bo"}, ["yellow", "blue", "green", "red"]),
    ],
)
def test_gh_23_turns_go_over_all_hunters(
    table: MakeTable, players: int, options: dict[str, Any], order: list[str]
) -> None:
    game = table(players, **options)
    seen = []
    for _ in range(2 * len(order)):
        seen.append(game.view["turn"])
        assert game.view["player"] == game.view["hunters"][seen[-1]]["player"]
        game.ok("roll", die=6)
        assert game.ok("move", to="outside")[-1] == ("GH-23", "next")
    assert seen == order * 2


# --- shape, phase and turn ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("roll", {"die": 0}),
        ("roll", {"die": 7}),
        ("roll", {"die": True}),
        ("roll", {"die": 1.0}),
        ("roll", {"die": "1"}),
        ("roll", {}),
        ("roll", {"die": 1, "hunter": "pink"}),
        ("roll", {"die": 1, "hunter": "blue"}),
        ("roll", {"die": 1, "extra": 1}),
        ("card", {"card": "A"}),
        ("card", {"card": "M"}),
        ("move", {"to": "outside"}),
        ("move", {"to": "c24"}),
        ("move", {"to": "c01"}),
        ("take", {}),
        ("fight", {"dice": ["ghost"]}),
        ("end", {}),
        ("leap", {}),
    ],
)
def test_shape_phase_and_turn_name_no_clause(table: MakeTable, name: str, fields: dict[str, Any]) -> None:
    assert table().no(name, **fields) is None


@pytest.mark.parametrize("name", ["take", "end", "fight"])
def test_another_hunter_may_not_act(table: MakeTable, name: str) -> None:
    game = table(3).ghosts().at(red="J").moving(1)
    game.ok("move", to="J")
    fields = {"dice": ["ghost"]} if name == "fight" else {}
    assert game.no(name, hunter="yellow", **fields) is None
    assert game.no(name, hunter="green", **fields) is None


def test_every_clause_has_words_and_the_pages_lines() -> None:
    clauses_toml = shelf.game("ghost-hunters").table("clauses")
    assert list(clauses_toml) == [f"GH-{number}" for number in range(1, 24)]
    assert all(set(clause) == {"en", "ko", "page"} for clause in clauses_toml.values())
