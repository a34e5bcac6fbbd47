"""Whole games of horror-race, played with real tokens: what holds in every one of them."""

import itertools
from typing import Any, TypeAlias

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core import Allowed, Json, State
from engines.horror_race import rules
from engines.record import Header, Replay

Kit: TypeAlias = Any  # what conftest.py gives
Whole: TypeAlias = Any  # the checks of every whole game, of conftest.py
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=15, deadline=None)
FEWER = settings(max_examples=6, deadline=None)


def as_line(found: dict[str, Json]) -> bytes:
    return msgspec.json.encode(found)


@given(seed=SEEDS)
@FEW
def test_a_game_ends_and_every_real_table_is_accepted(kit: Kit, seed: int) -> None:
    game = kit.game(kit.dice(seed))
    found = rules.result(game.replay.state)
    assert found is not None
    view = rules.view(game.replay.state)
    assert found["scores"] == view["garnets"]
    best = max(found["scores"].values())
    assert found["winners"] == [name for name in game.header.players if found["scores"][name] == best]
    assert (view["race"], rules.expects(game.replay.state)) == (view["races"], ())


@given(seed=SEEDS)
@FEW
def test_tokens_figures_and_garnets_are_conserved(kit: Kit, seed: int) -> None:
    game = kit.game(kit.dice(seed))
    players, steps = len(game.header.players), game.options["steps"]
    most = players * (players - 1) * game.options.get("deduction", False) + 5 * players
    for step, after in zip(game.replay.steps, [*game.replay.steps[1:], None], strict=True):
        state = game.replay.state if after is None else after.before
        assert sum(state.seen) <= state.setup.pool
        assert max(state.track) <= steps
        assert (max(state.track) == steps) == (state.placing is not None)
        assert sorted(rules.view(state)["order"]) == sorted(game.header.players)
        gained = sum(state.garnets) - sum(step.before.garnets)
        assert 0 <= gained <= most
        assert gained == 0 or state.phase in ("start", "over")
        assert state.hidden == tuple(
            sum(character in (picks or ()) for picks in state.shown) for character in kit.characters
        )


@given(seed=SEEDS)
@FEW
def test_states_and_inputs_are_hashable_and_equal_by_value(kit: Kit, whole: Whole, seed: int) -> None:
    game = kit.game(kit.dice(seed))
    whole.is_equal_by_value(game.replay, game.inputs)
    whole.goes_there_and_back(game.replay, game.inputs)
    again = Replay(game.header)
    for number, found in enumerate(game.inputs, 2):
        again.line(number, as_line(found))
    assert [hash(one.data) for one in again.steps] == [hash(one.data) for one in game.replay.steps]
    assert len({hash(one.before) for one in again.steps}) > 1


@given(seed=SEEDS)
@FEW
def test_undo_equals_never_having_been_there(kit: Kit, whole: Whole, seed: int) -> None:
    rng = kit.dice(seed)
    game = kit.game(rng, rng.randint(3, 6))
    whole.can_be_undone(game.replay, game.inputs, rng)


@given(seed=SEEDS)
@FEW
def test_json_there_and_back(kit: Kit, seed: int) -> None:
    game = kit.game(kit.dice(seed), options={"steps": 6, "jokers": True, "deduction": True})
    for step, found in zip(game.replay.steps, game.inputs, strict=True):
        back = msgspec.json.decode(as_line(msgspec.to_builtins(step.data)))
        assert {"input": step.input, **back} == found
        assert msgspec.convert(back, type(step.data)) == step.data
        told = [one.as_json() for one in step.rulings]
        assert msgspec.json.decode(msgspec.json.encode(told)) == told
        assert not {"line"} & {key for one in step.rulings for key in one.facts}
        assert not {"rule", "kind"} & {key for one in step.rulings for key in one.facts}
        view = rules.view(step.before)
        assert msgspec.json.decode(msgspec.json.encode(view)) == view


@given(seed=SEEDS)
@FEW
def test_a_refused_input_changes_nothing(kit: Kit, whole: Whole, seed: int) -> None:
    rng = kit.dice(seed)
    game = kit.game(rng)
    whole.is_not_changed_by_refusals(game.replay, game.inputs, lambda found: kit.spoil(rng, found))


@given(seed=SEEDS)
@FEWER
def test_expects_is_exact(kit: Kit, seed: int) -> None:
    rng = kit.dice(seed)
    game = kit.game(rng, rng.randint(3, 7))
    players = game.header.players
    starts = [{"player": a, "chosen_by": b} for a in players for b in players]
    guesses = [{"player": a, "guesses": {b: rng.choice(kit.characters) for b in players if b != a}} for a in players]
    picks = [{"player": a, "picks": two} for a in players for two in kit.pairs]
    for step in game.replay.steps:
        state = step.before
        listed = {(one.input, one.who) for one in rules.expects(state)}
        assert (step.input == "round") == (("round", None) in listed)
        done = {
            (name, fields["chosen_by" if name == "start" else "player"])
            for name, tries in (("start", starts), ("guess", guesses), ("reveal", picks))
            for fields in tries
            if type(kit.give(state, name, **fields)) is Allowed
        }
        if step.input == "round":
            done.add(("round", None))
        assert done == listed


def feasible(state: State, left: int) -> bool:
    """By trying all: can ``left`` more players each show two different tokens?"""
    free = [state.setup.most - a - b for a, b in zip(state.seen, state.hidden, strict=True)]
    if min(free) < 0:
        return False
    for all_picks in itertools.combinations_with_replacement(list(itertools.combinations(range(5), 2)), left):
        if all(sum(index in two for two in all_picks) <= free[index] for index in range(5)):
            return True
    return False


@given(seed=SEEDS)
@FEW
def test_hr_23_refuses_exactly_what_leaves_somebody_without_tokens(kit: Kit, seed: int) -> None:
    rng = kit.dice(seed)
    game = kit.game(rng, rng.randint(3, 6), {"steps": 9})
    for step in game.replay.steps:
        if step.input != "reveal":
            continue
        state = step.before
        for two in itertools.combinations(kit.characters, 2):
            hidden = tuple(n + (c in two) for n, c in zip(state.hidden, kit.characters, strict=True))
            possible = feasible(msgspec.structs.replace(state, hidden=hidden), state.shown.count(None) - 1)
            outcome = kit.give(state, "reveal", player=step.data.player, picks=list(two))
            assert (type(outcome) is Allowed) == possible


@pytest.mark.parametrize("number", range(3, 13))
def test_every_number_of_players(kit: Kit, number: int) -> None:
    game = kit.game(kit.dice(number), number, {"steps": 13, "jokers": True, "deduction": True})
    assert game.replay.state.race == (3 if number <= 6 else 2)


@pytest.mark.parametrize("number", range(3, 13))
def test_the_longest_track(kit: Kit, number: int) -> None:
    assert kit.game(kit.dice(number), number, {"steps": 40}).replay.state.phase == "over"


def test_a_name_like_an_input_is_only_a_name(kit: Kit) -> None:
    header = Header("horror-race", ("round", "null", "1"), {"start_player": "null"})
    assert rules.view(Replay(header).state)["order"] == ["null", "1", "round"]
