"""Ghost Hunters played by chance: what holds in every game, in words too."""

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.text import LANGS, Speaker
from engines import shelf
from engines.core import Allowed, Refused, Ruling
from engines.ghost_hunters import cards, rules
from engines.ghost_hunters.house import OUTSIDE, ROOMS, SQUARES
from engines.ghost_hunters.state import State
from engines.record import Header, Replay

Played = list[dict[str, Any]]
Play = Callable[..., Played]
Whole = Any
"""The checks of every whole game, of conftest.py."""
MakeTable = Callable[..., Any]
Told = tuple[dict[str, Ruling], dict[str, Ruling]]

NAMES = ("다은", "Bo", "민수7", "Eve")
FIRST_JEWELS = 8

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(("basic", "advanced")),
        "jump_costs": st.booleans(),
        "draw_unlocks": st.booleans(),
        "start_player": st.sampled_from(NAMES[:2]),
    },
)
GAMES = {"seed": st.integers(0, 9999), "players": st.integers(2, 4), "options": OPTIONS, "sense": st.floats(0, 1)}


def replay(inputs: list[dict[str, Any]], players: int, options: dict[str, Any]) -> Replay:
    game = Replay(Header("ghost-hunters", NAMES[:players], options))
    for number, one in enumerate(inputs, 2):
        assert isinstance(game.carry_out(number, one), Allowed)
    return game


def play_out(
    played: Play, seed: int, players: int, options: dict[str, Any], sense: float
) -> tuple[Replay, list[dict[str, Any]]]:
    inputs = played(seed, players, options, sense=sense, most=120)
    return replay(inputs, players, options), inputs


def check_conservation(state: State) -> None:
    view = rules.view(state)
    bags = [bag for bag in state.bags if bag is not None]
    assert len(state.jewels) + len(bags) + state.saved == FIRST_JEWELS
    assert all(0 <= room["ghosts"] <= 2 and not (room["red"] and room["ghosts"]) for room in view["rooms"].values())
    assert view["reds"] == sum(room["red"] for room in view["rooms"].values()) <= 6
    assert (view["reds"] == 6) <= (state.outcome == "lost")
    for card in set(state.out):
        assert state.out.count(card) <= (2 if card in cards.DOORS else 1)
    squares = [place for place in state.at if place in SQUARES]
    assert len(set(squares)) == len(squares)
    if state.setup.advanced:
        assert len(set(bags)) == len(bags)
        assert all(bag > state.saved for bag in bags)
    else:
        assert view["locked"] is None
        assert set(state.out) <= set(ROOMS)
    assert all(bag is None for bag, place in zip(state.bags, state.at, strict=True) if place == OUTSIDE)


@settings(max_examples=25, deadline=None)
@given(**GAMES)
def test_what_holds_in_every_game(played: Play, seed: int, players: int, options: dict[str, Any], sense: float) -> None:
    inputs = played(seed, players, options, sense=sense, most=250)
    game = replay(inputs, players, options)
    states = [*(step.before for step in game.steps), game.state]
    for state in states:
        check_conservation(state)
    over = [rules.result(state) is not None for state in states]
    assert over == sorted(over)
    assert over[-1] or len(inputs) == 250
    if over[-1]:
        assert rules.expects(game.state) == ()
    for before, after in pairwise(states):
        assert after.saved in (before.saved, before.saved + 1)


@settings(max_examples=10, deadline=None)
@given(chosen=st.fixed_dictionaries(GAMES))
def test_undo_equals_replay_without_it(whole: Whole, played: Play, chosen: dict[str, Any]) -> None:
    game, inputs = play_out(played, **chosen)
    dice = random.Random(chosen["seed"])  # noqa: S311 - a game, not a secret
    whole.can_be_undone(game, inputs, dice)


@settings(max_examples=10, deadline=None)
@given(chosen=st.fixed_dictionaries(GAMES))
def test_json_there_and_back(whole: Whole, played: Play, chosen: dict[str, Any]) -> None:
    game, inputs = play_out(played, **chosen)
    whole.goes_there_and_back(game, inputs)


@settings(max_examples=10, deadline=None)
@given(chosen=st.fixed_dictionaries(GAMES))
def test_states_are_hashable_and_equal_by_value(whole: Whole, played: Play, chosen: dict[str, Any]) -> None:
    game, inputs = play_out(played, **chosen)
    whole.is_equal_by_value(game, inputs)


def tries(state: State, chance: random.Random) -> list[dict[str, Any]]:
    """One try of every input by the hunter on turn, some fields by chance."""
    hunter = state.hunter
    pile = [*ROOMS, "shuffle", *(("draw-2", "draw-3", "blue-doors", "green-doors") if state.setup.advanced else ())]
    number = {"number": chance.randint(1, 8)} if state.setup.advanced else {}
    places = (OUTSIDE, *sorted(SQUARES), *ROOMS)
    return [
        {"input": "roll", "hunter": hunter, "die": chance.randint(1, 6)},
        *({"input": "card", "card": card} for card in pile),
        *({"input": "move", "hunter": hunter, "to": to} for to in places),
        {"input": "take", "hunter": hunter, **number},
        *({"input": "fight", "hunter": hunter, "dice": dice} for dice in (["red"], ["ghost", "red"], ["blank"])),
        {"input": "end", "hunter": hunter},
    ]


@settings(max_examples=10, deadline=None)
@given(**GAMES)
def test_expects_is_exact_and_a_refusal_changes_nothing(
    played: Play, seed: int, players: int, options: dict[str, Any], sense: float
) -> None:
    inputs = played(seed, players, options, sense=sense, most=60)
    game = Replay(Header("ghost-hunters", NAMES[:players], options))
    chance = random.Random(seed)  # noqa: S311 - a game, not a secret
    for number, one in enumerate(inputs, 2):
        state = game.state
        expected = {(wanted.input, wanted.who) for wanted in rules.expects(state)}
        taken = set()
        for attempt in tries(state, chance):
            outcome = game.carry_out(number, attempt)
            if isinstance(outcome, Allowed):
                taken.add((attempt["input"], attempt.get("hunter")))
                game.undo()
            assert game.state == state
        # A number of a jewel that is taken already is no sign against `take`.
        assert taken == expected or expected - taken == {("take", state.hunter)}
        others = [hunter for hunter in state.setup.hunters if hunter != state.hunter]
        for name in ("roll", "move", "take", "fight", "end"):
            fields = {"roll": {"die": 1}, "move": {"to": OUTSIDE}, "fight": {"dice": ["ghost"]}}.get(name, {})
            outcome = game.carry_out(number, {"input": name, "hunter": others[0], **fields})
            assert isinstance(outcome, Refused)
            assert outcome.ruling.rule is None
        game.carry_out(number, one)


# --- words --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def speakers() -> list[Speaker]:
    return [Speaker(shelf.game("ghost-hunters"), lang) for lang in LANGS]


@pytest.fixture(scope="module")
def told(played: Play) -> Told:
    """Rulings and refusals of many games, one of each set of facts' names."""
    rulings: dict[str, Ruling] = {}
    refusals: dict[str, Ruling] = {}
    for seed in range(60):
        players = 2 + seed % 3
        options = {"mode": ("basic", "advanced")[seed % 2], "jump_costs": seed % 4 < 2, "draw_unlocks": seed % 5 == 0}
        game = Replay(Header("ghost-hunters", NAMES[:players], options))
        chance = random.Random(seed)  # noqa: S311 - a game, not a secret
        rulings.update({one.kind: one for one in rules.opening(game.state)})
        for number, one in enumerate(played(seed, players, options, sense=(0, 0.6, 0.9, 1)[seed % 4], most=150), 2):
            if number % 5 == 0:
                for attempt in tries(game.state, chance):
                    outcome = rules.apply(game.state, rules.INPUTS[attempt["input"]](*list(attempt.values())[1:]))
                    if isinstance(outcome, Refused):
                        refusals[outcome.ruling.kind] = outcome.ruling
            outcome = game.carry_out(number, one)
            rulings.update({ruling.kind: ruling for ruling in outcome.rulings})
    return rulings, refusals


def test_every_ruling_that_comes_up_has_words_in_both_languages(told: Told, speakers: list[Speaker]) -> None:
    rulings = told[0]
    for speaker in speakers:
        for ruling in rulings.values():
            for text in (speaker.long(ruling), speaker.short(ruling)):
                assert text is None or (
                    text and "{" not in text and "/" not in text.replace("/6", "").replace("/8", "")
                )
            assert ruling.rule in shelf.game("ghost-hunters").table("clauses")
    rare = {"pile-empty", "lost-held", "none-is-next", "lost-overrun-drawing", "must-fight-red", "red-off", "red-stays"}
    assert set(shelf.game("ghost-hunters").table("text")["rulings"]) - set(rulings) <= rare


def test_every_refusal_that_comes_up_has_words_in_both_languages(told: Told, speakers: list[Speaker]) -> None:
    refusals = told[1]
    assert len(refusals) > 8
    for speaker in speakers:
        for ruling in refusals.values():
            text = speaker.refusal(ruling)
            assert text
            assert "{" not in text


def test_every_prompt_has_words_in_both_languages(table: MakeTable, speakers: list[Speaker]) -> None:
    view = table().view
    for speaker in speakers:
        for name in rules.INPUTS:
            assert speaker.prompt(name, {**view, "hunter": "red"})


def test_every_name_has_a_word_in_both_languages(speakers: list[Speaker]) -> None:
    words = shelf.game("ghost-hunters").table("text")["words"]
    names = {*ROOMS, *SQUARES, OUTSIDE, *cards.ADVANCED, "shuffle", "ghost", "red", "blank", "yellow", "blue", "green"}
    assert names <= set(words)


def test_short_lines_fit_the_screen(told: Told, speakers: list[Speaker]) -> None:
    for speaker, most in zip(speakers, (15, 20), strict=True):  # ko, en; Korean moves name two squares
        for ruling in told[0].values():
            text = speaker.short(ruling)
            assert text is None or len(text) <= most, text
