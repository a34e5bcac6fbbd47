"""Whole games of The Hare and the Tortoise, at random: what must hold in every one of them."""

import re
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.text import LANGS, Speaker
from engines import shelf
from engines.core import Allowed, Refused, Ruling, SetupError
from engines.hare_tortoise import rules
from engines.hare_tortoise.animals import ANIMALS, FINISH, LAYS
from engines.record import Header, Replay

NAMES = ("Ana", "민수", "Cid 7", "다은", "Eve")
GAME = shelf.game("hare-tortoise")
MOST_INPUTS = 500
"""Ten times a usual game. No rule bounds a game: with the wolf on the podium a howl keeps everybody in place."""

Whole = Any
"""The checks of every whole game, of conftest.py."""
games = given(dice=st.integers(0, 2**32 - 1).map(Random))
few = settings(max_examples=30, deadline=None)


def random_header(dice: Random) -> Header:
    names = NAMES[: dice.randint(2, 5)]
    options: dict[str, Any] = {"streams": sorted(dice.sample(range(1, 12), 2))}
    if dice.random() < 0.5:
        options["first_player"] = dice.choice(names)
    if dice.random() < 0.5:
        options["podium_leads"] = dice.random() < 0.5
    return Header("hare-tortoise", names, options)


def lay(dice: Random, state: rules.State) -> list[str]:
    """Choose cards that may be laid; one animal is liked best, so that some games see its four cards often."""
    animal = dice.choice((*range(5), 0))
    most = min(4 - state.laid[animal], 8 - sum(state.laid))
    cards: list[str] = [ANIMALS[animal]] * dice.choice((1, most, dice.randint(1, most)))
    if ANIMALS[animal] == "wolf" and dice.random() < 0.4:
        howls = min(3 - state.howls, len(cards), dice.randint(0, 2))
        cards[:howls] = ["howl"] * howls
    return cards


def next_line(dice: Random, game: Replay) -> dict[str, Any]:
    """Choose a next input, of those whose turn it is; its bets may still be impossible."""
    who = dice.choice(rules.expects(game.state))
    if who.input == "play":
        return {"input": "play", "player": who.who, "cards": lay(dice, game.state)}
    count = game.state.setup.starting + 1
    return {"input": "reveal", "player": who.who, "bets": [dice.choice(ANIMALS) for _ in range(count)]}


def wrong_line(dice: Random) -> dict[str, Any]:
    """Choose an input without looking at the game: mostly wrong, always of a right shape or nearly so."""
    cards = [dice.choice(("hare", "wolf", "howl", "fox")) for _ in range(dice.randint(0, 5))]
    bets = [dice.choice(ANIMALS) for _ in range(dice.randint(1, 4))]
    player = dice.choice((*NAMES, "Zoe"))
    return dice.choice(
        [
            {"input": "play", "player": player, "cards": cards},
            {"input": "play", "player": player, "cards": cards[:1] * dice.randint(1, 4)},
            {"input": "reveal", "player": player, "bets": bets},
            {"input": "reveal", "player": player, "bets": bets, "cards": []},
            {"input": "race"},
        ]
    )


def play_out(dice: Random) -> tuple[Replay, list[dict[str, Any]], list[Ruling]]:
    """Play a whole game, trying wrong inputs on the way. Gives it, its lines, and the refusals."""
    game = Replay(random_header(dice))
    lines: list[dict[str, Any]] = []
    refusals = []
    while rules.expects(game.state):
        assert len(lines) < MOST_INPUTS
        line = wrong_line(dice) if dice.random() < 0.3 else next_line(dice, game)
        before = game.state
        outcome = game.carry_out(len(lines) + 2, line)
        if isinstance(outcome, Refused):
            assert game.state is before
            refusals.append(outcome.ruling)
        else:
            lines.append(line)
    return game, lines, refusals


@few
@games
def test_a_game_ends_with_a_result(dice: Random) -> None:
    game, _, _ = play_out(dice)
    view, result = rules.view(game.state), rules.result(game.state)
    assert (view["phase"], view["turn"], len(view["podium"])) == ("over", None, 3)
    assert result is not None
    assert list(result["scores"]) == list(game.header.players)
    best = max(result["scores"].values())
    assert result["winners"]
    assert all(result["scores"][player] == best for player in result["winners"])


@few
@games
def test_conservation_in_every_state(dice: Random) -> None:
    game, _, _ = play_out(dice)
    for step in game.steps:
        state = step.before
        view = rules.view(state)
        assert sorted([*view["track"], *view["podium"]]) == sorted(ANIMALS)
        assert all(0 <= space <= 11 for space in view["track"].values())
        cards = view["table"]
        assert cards["howl"] <= min(3, cards["wolf"])
        assert sum(cards.values()) - cards["howl"] < 8
        assert max(cards.values()) < 4
        assert (view["phase"] == "play") == (view["turn"] is not None) == (len(view["podium"]) < 3)
        assert rules.result(state) is None


@few
@games
def test_animals_never_go_back_and_never_leave_the_podium(dice: Random) -> None:
    game, _, _ = play_out(dice)
    states = [step.before for step in game.steps] + [game.state]
    for before, after in pairwise(states):
        assert after.standing.podium[: len(before.standing.podium)] == before.standing.podium
        gone = [to - at for at, to in zip(before.standing.track, after.standing.track, strict=True)]
        assert all(0 <= steps <= 5 for steps in gone)
        assert any(gone) <= (after.races == before.races + 1)


@few
@games
def test_states_are_hashable_and_equal_by_value(whole: Whole, dice: Random) -> None:
    game, lines, _ = play_out(dice)
    whole.is_equal_by_value(game, lines)


@few
@games
def test_json_there_and_back(whole: Whole, dice: Random) -> None:
    game, lines, _ = play_out(dice)
    whole.goes_there_and_back(game, lines)


@few
@games
def test_undo_equals_the_replay_without_it(whole: Whole, dice: Random) -> None:
    game, lines, _ = play_out(dice)
    whole.can_be_undone(game, lines, dice)


def every_input(state: rules.State, who: str) -> list[Any]:
    """List inputs of ``who`` that cover all there is: every lay, and bets of every pair of animals."""
    third = state.setup.starting - 1
    bets = [(one, two) + (ANIMALS[0],) * third for one in ANIMALS for two in ANIMALS]
    return [rules.Play(who, cards) for cards in LAYS] + [rules.Reveal(who, one) for one in bets]


@settings(max_examples=15, deadline=None)
@games
def test_expects_is_exact(dice: Random) -> None:
    game, _, _ = play_out(dice)
    states = [step.before for step in game.steps] + [game.state]
    for state in dice.sample(states[:-6], 5) + states[-6:]:
        listed = {(one.input, one.role, one.who) for one in rules.expects(state)}
        accepted = set()
        for who in (*state.setup.players, "Zoe"):
            for data in every_input(state, who):
                if isinstance(rules.apply(state, data), Allowed):
                    accepted.add(("play" if isinstance(data, rules.Play) else "reveal", "player", who))
        assert accepted == listed


@few
@games
def test_a_refused_input_changes_nothing(whole: Whole, dice: Random) -> None:
    game, lines, _ = play_out(dice)
    whole.is_not_changed_by_refusals(game, lines, lambda _: wrong_line(dice))


# --- what is said in all of them --------------------------------------------------------------------------------------


@cache
def everything_said() -> tuple[list[tuple[rules.State, Ruling]], list[Ruling]]:
    """Play many games once: the rulings, and the refusals, an awkward header's too."""
    rulings: list[tuple[rules.State, Ruling]] = []
    refusals: list[Ruling] = []
    dice = Random(2026)  # noqa: S311 - a game, no secret
    for _ in range(150):
        game, _, refused = play_out(dice)
        start = game.steps[0].before
        rulings += [(start, one) for one in rules.opening(start)]
        rulings += [(step.before, one) for step in game.steps for one in step.rulings]
        refusals += refused
    for options in ({"streams": (8, 4)}, {"streams": (4, 8), "first_player": "Zoe"}):
        with pytest.raises(SetupError) as error:
            rules.start(NAMES, rules.Options(**options))
        refusals.append(error.value.ruling)
    state = rules.start(NAMES, rules.Options(streams=(4, 8)))
    for cards in (("howl",) * 4, ("fox", "lamb"), ("wolf",) * 4):
        crowded = msgspec.structs.replace(state, laid=(2, 2, 2, 0, 0) if cards[0] == "wolf" else state.laid)
        outcome = rules.apply(crowded, rules.Play(NAMES[0], cards))
        assert isinstance(outcome, Refused)
        refusals.append(outcome.ruling)
    return rulings, refusals


@pytest.mark.parametrize("lang", LANGS)
def test_every_ruling_and_refusal_can_be_said(lang: Any) -> None:  # noqa: ANN401 - the speaker's own literal
    speaker = Speaker(GAME, lang)
    rulings, refusals = everything_said()
    for _, ruling in rulings:
        said = (speaker.long(ruling), speaker.short(ruling))
        assert not re.search(r"[{}]|\(\)|: [.;)]", " ".join(one or "" for one in said)), (ruling, said)
    for ruling in refusals:
        said_no = speaker.refusal(ruling)
        assert "{" not in said_no


@pytest.mark.parametrize("lang", LANGS)
def test_every_prompt_can_be_said(lang: Any) -> None:  # noqa: ANN401 - the speaker's own literal
    speaker = Speaker(GAME, lang)
    game, _, _ = play_out(Random(7))  # noqa: S311 - a game, no secret
    for step in game.steps:
        for one in rules.expects(step.before):
            assert str(one.who) in speaker.prompt(one.input, {**rules.view(step.before), str(one.role): one.who})


@pytest.mark.parametrize("lang", LANGS)
def test_short_lines_fit_the_screen(lang: Any) -> None:  # noqa: ANN401 - the speaker's own literal
    most = {"en": 20, "ko": 14}[lang]
    speaker = Speaker(GAME, lang)
    for _, ruling in everything_said()[0]:
        facts = {key: "Ana" if value in NAMES else value for key, value in ruling.facts.items()}
        if "winners" not in facts:
            assert len(speaker.short(Ruling(ruling.rule, ruling.kind, facts)) or "") <= most, ruling


def test_every_clause_is_cited_and_every_kind_comes_up_and_no_other(whole: Whole) -> None:
    rulings, refusals = everything_said()
    whole.cite_and_say_all(GAME, [one for _, one in rulings], refusals)
    assert len(GAME.table("clauses")) == 24


def test_moves_say_from_and_to() -> None:
    for state, ruling in everything_said()[0]:
        if "steps" in ruling.facts:
            facts = ruling.facts
            assert facts["from"] == state.standing.track[ANIMALS.index(facts["animal"])]
            assert facts["from"] < facts["to"] <= min(FINISH, facts["from"] + facts["steps"])
