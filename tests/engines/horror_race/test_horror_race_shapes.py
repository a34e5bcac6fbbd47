"""What horror-race refuses before any clause is asked: shape, phase, turn and options."""

from typing import Any, TypeAlias

import pytest

from engines.core import Json, Refused
from engines.record import Header, RecordError, Replay

Kit: TypeAlias = Any  # what conftest.py gives

# 18 tokens: what six players lay.
SIX = {"1": {"gumiho": 5}, "2": {"mummy": 5}, "4": {"vampire": 4, "jiangshi": 3, "zombie": 1}}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("guess", {"player": "Bo", "guesses": {"다은": "mummy", "민수": "mummy"}}),
        ("reveal", {"player": "Bo", "picks": ["mummy", "mummy"]}),
        ("start", {"player": "Bo", "chosen_by": "Bo"}),
    ],
)
def test_other_phases_inputs_are_refused_in_a_round(kit: Kit, name: str, fields: Json) -> None:
    assert kit.broken(kit.give(kit.seat(3), name, **fields)) == (None, "not-now")


def test_a_round_is_refused_when_tokens_are_shown(kit: Kit) -> None:
    assert kit.broken(kit.give(kit.shown(3), "round", zones=SIX, passed=None)) == (None, "not-now")


ROUND = {"input": "round", "zones": SIX, "passed": None}
MISSHAPEN = [
    ROUND | {"zones": {"1": {}, "2": {}}},
    ROUND | {"zones": SIX | {"3": {}}},
    ROUND | {"zones": SIX | {"1": {"werewolf": 5}}},
    ROUND | {"zones": SIX | {"1": {"joker": 5}}},
    ROUND | {"zones": SIX | {"1": {"joker:joker": 5}}},
    ROUND | {"zones": SIX | {"1": {"gumiho": 0, "mummy": 5}}},
    ROUND | {"zones": SIX | {"1": {"gumiho": 5.0}}},
    ROUND | {"zones": SIX | {"1": {"gumiho": True}}},
    ROUND | {"zones": SIX | {"1": None}},
    ROUND | {"zones": SIX | {"1": ["gumiho"]}},
    ROUND | {"zones": None},
    ROUND | {"passed": "nobody"},
    ROUND | {"passed": False},
    ROUND | {"player": "Bo"},
    {"input": "round", "zones": SIX},
    {"input": "reveal", "player": "Bo", "picks": ["mummy"]},
    {"input": "reveal", "player": "Bo", "picks": ["mummy", "zombie", "gumiho"]},
    {"input": "reveal", "player": "Bo", "picks": ["mummy", "joker:mummy"]},
    {"input": "guess", "player": "Bo", "guesses": {"다은": None}},
    {"input": "guess", "player": "Bo", "guesses": []},
    {"input": "start", "player": "Bo", "chosen_by": None},
    {"input": "start", "player": "Bo"},
    {"input": "draw", "player": "Bo"},
]


@pytest.mark.parametrize("found", MISSHAPEN, ids=str)
def test_wrong_shapes_have_no_clause(kit: Kit, found: Json) -> None:
    replay = Replay(Header("horror-race", kit.names[:6], {}))
    outcome = replay.carry_out(2, found)
    assert type(outcome) is Refused
    assert outcome.ruling.rule is None
    assert replay.steps == []


@pytest.mark.parametrize(
    "options",
    [
        {"steps": 4},
        {"steps": 41},
        {"steps": 13.0},
        {"steps": True},
        {"jokers": 1},
        {"passing": None},
        {"deduction": "true"},
        {"start_player": None},
        {"start_player": "nobody"},
        {"second_tie": "both"},
        {"laps": 2},
    ],
    ids=str,
)
def test_wrong_options_are_refused(kit: Kit, options: Json) -> None:
    with pytest.raises(RecordError):
        Replay(Header("horror-race", kit.names[:6], options))


@pytest.mark.parametrize("number", [2, 13])
def test_three_to_twelve_players(number: int) -> None:
    with pytest.raises(RecordError):
        Replay(Header("horror-race", tuple(f"P{n}" for n in range(number)), {}))
