"""Whole games of Witch Race, at random: what must hold in every one of them."""

from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.text import LANGS, Speaker
from engines import shelf
from engines.core import Allowed, Refused, Ruling, SetupError
from engines.record import Header, Replay
from engines.witch_race import rules
from engines.witch_race.state import CLANS

NAMES = ("Ana", "민수", "Cid 7", "다은")
GAME = shelf.game("witch-race")
MOST_INPUTS = 3000
FACES: tuple[int | str, ...] = (*range(2, 11), "sign")

Whole = Any
"""The checks of every whole game, of conftest.py."""
games = given(dice=st.integers(0, 2**32 - 1).map(Random))
few = settings(max_examples=15, deadline=None)
Board = dict[int, tuple[str, int | str]]


def random_header(dice: Random) -> Header:
    names = NAMES[: dice.randint(2, 4)]
    options: dict[str, Any] = {}
    if dice.random() < 0.5:
        options["clans"] = dict(zip(names, dice.sample(CLANS, len(names)), strict=True))
    if dice.random() < 0.5:
        options["start_player"] = dice.choice(names)
    if dice.random() < 0.5:
        options["foreign_sign"] = dice.choice(("nearest", "backward"))
    return Header("witch-race", names, options)


def lay_track(dice: Random) -> Board:
    """WR-1: four tiles of each clan in each section, one of them its sign."""
    numbers: dict[str, list[int]] = {clan: dice.sample(range(2, 11), 9) for clan in CLANS}
    board: Board = {}
    for section in range(3):
        tiles: list[tuple[str, int | str]] = [(clan, "sign") for clan in CLANS]
        tiles += [(clan, number) for clan in CLANS for number in numbers[clan][3 * section : 3 * section + 3]]
        dice.shuffle(tiles)
        board.update(enumerate(tiles, 16 * section + 1))
    return board


def next_line(dice: Random, game: Replay, board: Board) -> dict[str, Any]:
    """Choose a next input of the right kind; the witch or the card may still be one that cannot move."""
    (one,) = rules.expects(game.state)
    view = rules.view(game.state)
    if one.input == "roll":
        return {"input": "roll", "player": one.who, "die": dice.randint(1, 6)}
    if one.input == "move":
        witches = view["witches"][game.state.setup.clans[game.state.turn]]
        return {"input": "move", "player": one.who, "from": dice.choice([space for space in witches if space < 49])}
    if one.input == "tile":
        clan, face = board[view["at"]]
        return {"input": "tile", "clan": clan, "face": face}
    cards = view["cards"][one.who]
    held = [*cards["numbers"], *["sign"] * cards["signs"]]
    return {"input": "decide", "clan": one.who, "card": dice.choice([*held, None])}


def wrong_line(dice: Random) -> dict[str, Any]:
    """Choose an input without looking at the game: mostly wrong."""
    player, clan = dice.choice((*NAMES, "Zoe")), dice.choice(CLANS)
    return dice.choice(
        [
            {"input": "roll", "player": player, "die": dice.randint(0, 7)},
            {"input": "move", "player": player, "from": dice.randint(0, 50)},
            {"input": "tile", "clan": clan, "face": dice.choice(FACES)},
            {"input": "decide", "clan": clan, "card": dice.choice((*FACES, None))},
            {"input": "decide", "clan": clan},
        ]
    )


def play_out(dice: Random) -> tuple[Replay, list[dict[str, Any]], list[Ruling]]:
    """Play a whole game, trying wrong inputs on the way. Gives it, its lines, and the refusals."""
    game = Replay(random_header(dice))
    board = lay_track(dice)
    lines: list[dict[str, Any]] = []
    refusals = []
    while rules.expects(game.state):
        assert len(lines) < MOST_INPUTS
        line = wrong_line(dice) if dice.random() < 0.2 else next_line(dice, game, board)
        before = game.state
        outcome = game.carry_out(len(lines) + 2, line)
        if isinstance(outcome, Refused):
            assert game.state is before
            refusals.append(outcome.ruling)
        elif line["input"] == "tile" and board[before.at] != (line["clan"], line["face"]):
            game.undo()  # a tile that could lie there, but does not
        else:
            lines.append(line)
    return game, lines, refusals


@few
@games
def test_a_game_ends_with_a_result(dice: Random) -> None:
    game, _, _ = play_out(dice)
    view, result = rules.view(game.state), rules.result(game.state)
    assert (view["phase"], view["die"], view["at"]) == ("over", None, None)
    home = [clan for clan, spaces in view["witches"].items() if min(spaces) > 48]
    assert home == [game.state.setup.clans[game.state.turn]]
    assert result is not None
    best = max(result["scores"].values())
    assert result["winners"] == [player for player, points in result["scores"].items() if points == best]


@few
@games
def test_conservation_in_every_state(dice: Random) -> None:
    game, _, _ = play_out(dice)
    for step in game.steps:
        view = rules.view(step.before)
        standing = Counter(space for spaces in view["witches"].values() for space in spaces if 1 <= space <= 48)
        assert set(standing.values()) <= {1}
        assert all(spaces == sorted(spaces) and len(spaces) == 3 for spaces in view["witches"].values())
        for clan in CLANS:
            tiles = [(int(space), face) for space, (owner, face) in view["tiles"].items() if owner == clan]
            numbers = [face for _, face in tiles if face != "sign"]
            assert len(numbers) == len(set(numbers))
            for section in range(3):
                near = [face for space, face in tiles if (space - 1) // 16 == section]
                assert near.count("sign") <= 1
                assert len(near) - near.count("sign") <= 3
        assert (view["phase"] in {"tile", "decide"}) == (view["at"] is not None)
        assert (view["phase"] == "decide") == (view["deciding"] is not None)
        assert (view["phase"] == "roll") == (view["die"] is None)
        assert rules.result(step.before) is None


def cards_left(view: dict[str, Any]) -> int:
    return sum(len(cards["numbers"]) + cards["signs"] for cards in view["cards"].values())


@few
@games
def test_cards_and_tiles_only_ever_go_one_way(dice: Random) -> None:
    game, _, _ = play_out(dice)
    for before, after in pairwise([rules.view(step.before) for step in game.steps] + [rules.view(game.state)]):
        assert before["tiles"].items() <= after["tiles"].items()
        left = [
            sum(len(cards["numbers"]) + cards["signs"] for cards in one["cards"].values()) for one in (before, after)
        ]
        assert 0 <= left[0] - left[1] <= 1


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


def every_input(state: rules.State) -> list[Any]:
    players = (*state.setup.players, "Zoe")
    return [
        *(rules.Roll(player, die) for player in players for die in range(1, 7)),
        *(rules.Move(player, space) for player in players for space in range(49)),
        *(rules.Tile(clan, face) for clan in CLANS for face in FACES),
        *(rules.Decide(clan, card) for clan in CLANS for card in (*FACES, None)),
    ]


@settings(max_examples=8, deadline=None)
@games
def test_expects_is_exact(dice: Random) -> None:
    game, _, _ = play_out(dice)
    states = [step.before for step in game.steps]
    for state in [*dice.sample(states, 12), game.state]:
        accepted = set()
        for data in every_input(state):
            if isinstance(rules.apply(state, data), Allowed):
                name = type(data).__name__.lower()
                role = {"tile": None, "decide": "clan"}.get(name, "player")
                accepted.add((name, role, getattr(data, role) if role else None))
        assert accepted == {(one.input, one.role, one.who) for one in rules.expects(state)}


@few
@games
def test_a_refused_input_changes_nothing(whole: Whole, dice: Random) -> None:
    game, lines, _ = play_out(dice)
    whole.is_not_changed_by_refusals(game, lines, lambda _: wrong_line(dice))


# --- what is said in all of them --------------------------------------------------------------------------------------


@cache
def everything_said() -> tuple[list[tuple[rules.State, Ruling]], list[Ruling]]:
    """Play many games once: the rulings and the refusals, a wrong header's too."""
    rulings: list[tuple[rules.State, Ruling]] = []
    refusals: list[Ruling] = []
    dice = Random(2026)  # noqa: S311 - a game, no secret
    for _ in range(70):
        game, _, refused = play_out(dice)
        start = game.steps[0].before
        rulings += [(start, one) for one in rules.opening(start)]
        rulings += [(step.before, one) for step in game.steps for one in step.rulings]
        refusals += refused
    wrong: tuple[dict[str, Any], ...] = (
        {"clans": {"Ana": "ice"}},
        {"clans": dict.fromkeys(NAMES, "ice")},
        {"start_player": "Zoe"},
    )
    for options in wrong:
        with pytest.raises(SetupError) as error:
            rules.start(NAMES, rules.Options(**options))
        refusals.append(error.value.ruling)
    return rulings, refusals


@pytest.mark.parametrize("lang", LANGS)
def test_every_ruling_and_refusal_can_be_said(lang: Any) -> None:  # noqa: ANN401 - the speaker's own literal
    speaker = Speaker(GAME, lang)
    rulings, refusals = everything_said()
    for _, ruling in rulings:
        said = f"{speaker.long(ruling)} {speaker.short(ruling) or ''}"
        assert "{" not in said
        assert "}" not in said
    for ruling in refusals:
        assert "{" not in speaker.refusal(ruling)


@pytest.mark.parametrize("lang", LANGS)
def test_every_prompt_can_be_said(lang: Any) -> None:  # noqa: ANN401 - the speaker's own literal
    speaker = Speaker(GAME, lang)
    game, _, _ = play_out(Random(7))  # noqa: S311 - a game, no secret
    for step in game.steps:
        for one in rules.expects(step.before):
            facts = {**rules.view(step.before), **({one.role: one.who} if one.role else {})}
            assert speaker.prompt(one.input, facts)


def test_every_clause_is_cited_and_every_kind_comes_up_and_no_other(whole: Whole) -> None:
    rulings, refusals = everything_said()
    whole.cite_and_say_all(GAME, [one for _, one in rulings], refusals)
    assert len(GAME.table("clauses")) == 20
