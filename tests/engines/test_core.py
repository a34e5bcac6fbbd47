"""The core's values: what every game is made of."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines import core, shelf
from engines.core import Allowed, Expectation, Refused, Ruling, SetupError
from engines.record import Header, Replay


def begun(game: str) -> Replay:
    return Replay(Header(game, ("Ana", "Bo", "Cid"), {"streams": [4, 8]} if game == "hare-tortoise" else {}))


def test_a_ruling_is_flat_in_json() -> None:
    ruling = core.ruled("WR-8", "stays", at=3, clan="ice")
    assert ruling.as_json() == {"rule": "WR-8", "kind": "stays", "at": 3, "clan": "ice"}


@pytest.mark.parametrize(
    ("one", "flat"),
    [
        (Expectation("line"), {"input": "line"}),
        (Expectation("roll", "player", "Ana"), {"input": "roll", "player": "Ana"}),
        (Expectation("decide", "clan", "ice"), {"input": "decide", "clan": "ice"}),
    ],
)
def test_an_expectation_names_who_may_give_it_only_where_somebody_must(one: Expectation, flat: dict[str, str]) -> None:
    assert one.as_json() == flat


@pytest.mark.parametrize(
    "refusal",
    [core.unknown_player("Cid"), core.not_now("roll", "move"), core.not_your_turn("Bo", "Ana")],
    ids=lambda one: one.ruling.kind,
)
def test_refusals_of_phase_and_turn_name_no_clause_and_carry_no_state(refusal: Refused) -> None:
    assert refusal.ruling.rule is None
    assert refusal.__struct_fields__ == ("ruling",)


def test_a_misfit_names_the_option() -> None:
    with pytest.raises(SetupError) as caught:
        core.misfit("streams", "option-different", at=3)
    assert caught.value.ruling == Ruling(None, "option-different", {"option": "streams", "at": 3})


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"a": 1, "b": 3, "c": 3}, ["b", "c"]),
        ({"a": -1, "b": -2, "c": -5}, ["a"]),
        ({"a": 0, "b": 0, "c": 0}, list("abc")),
    ],
)
def test_winners_have_the_most_points_and_stand_in_seat_order(scores: dict[str, int], expected: list[str]) -> None:
    assert core.winners(tuple("abc"), dict(reversed(scores.items()))) == expected


@pytest.mark.parametrize("value", [core.ruled("A-1", "x"), Expectation("roll"), core.not_now("a", "b"), Allowed(1, ())])
def test_values_of_the_core_are_frozen(value: Any) -> None:  # noqa: ANN401 - any of them
    with pytest.raises(AttributeError):
        setattr(value, value.__struct_fields__[0], None)


@pytest.mark.parametrize("game", shelf.ids())
def test_states_are_frozen_hashable_and_equal_when_they_are_the_same(game: str) -> None:
    one, other = begun(game).state, begun(game).state
    assert one is not other
    assert one == other
    assert hash(one) == hash(other)
    with pytest.raises(AttributeError):
        setattr(one, one.__struct_fields__[0], None)


@pytest.mark.parametrize("game", shelf.ids())
def test_the_functions_of_a_game_do_not_change_the_state_and_give_the_same_again(game: str) -> None:
    played = begun(game)
    rules, before = played.game.rules, hash(played.state)
    for function in (rules.expects, rules.view, rules.result, rules.opening):
        assert function(played.state) == function(played.state)
    assert hash(played.state) == before


@pytest.mark.parametrize("game", shelf.ids())
def test_what_is_expected_is_an_input_of_the_game_and_its_role_a_field_of_it(game: str) -> None:
    played = begun(game)
    wanted = played.game.rules.expects(played.state)
    assert wanted
    for one in wanted:
        assert one.role is None or one.role in played.game.rules.INPUTS[one.input].__struct_encode_fields__


@pytest.mark.parametrize("game", shelf.ids())
def test_the_opening_and_the_view_are_json_and_cite_clauses_that_there_are(game: str) -> None:
    played = begun(game)
    rules, clauses = played.game.rules, played.game.table("clauses")
    assert rules.opening(played.state)
    for one in rules.opening(played.state):
        assert one.rule in clauses
        msgspec.json.encode(one.as_json())
    assert msgspec.json.decode(msgspec.json.encode(rules.view(played.state))) == rules.view(played.state)
