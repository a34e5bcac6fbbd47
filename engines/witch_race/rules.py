"""Witch Race (마녀들의 경주): four clans of witches, 48 tiles, dice and magic cards; clauses WR-1 to WR-20."""

from typing import Annotated, Literal

import msgspec

from engines.core import (
    Expectation,
    Input,
    Json,
    Refused,
    Seat,
    misfit,
    not_now,
    not_your_turn,
    ruled,
    unknown_player,
    winners,
)
from engines.witch_race import cards, endings, moves, tiles
from engines.witch_race.state import CLANS, LAST_TILE, ClanName, Outcome, Rulings, Setup, State

PLAYERS = range(2, 5)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header's options; what is left out follows the seats."""

    clans: dict[str, ClanName] | msgspec.UnsetType = msgspec.UNSET
    start_player: str | msgspec.UnsetType = msgspec.UNSET
    foreign_sign: Literal["nearest", "backward"] = "nearest"


class Roll(Input, frozen=True):
    """The die of the player on turn."""

    player: str
    die: Annotated[int, msgspec.Meta(ge=1, le=6)]


class Move(Input, frozen=True, rename={"source": "from"}):
    """Which witch moves: the space where it stands, 0 the start line."""

    player: str
    source: Annotated[int, msgspec.Meta(ge=0, le=LAST_TILE)]


class Tile(Input, frozen=True):
    """The face of the tile that was turned over."""

    clan: ClanName
    face: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, "sign"]


class Decide(Input, frozen=True):
    """The card that the clan's player uses, or null for none; for a neutral clan the card drawn."""

    clan: ClanName
    card: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, "sign"] | None


INPUTS: dict[str, type[Input]] = {"roll": Roll, "move": Move, "tile": Tile, "decide": Decide}


# --- before the first turn --------------------------------------------------------------------------------------------


def start(players: tuple[str, ...], options: Options) -> State:
    """Seat the clans; everybody stands on the start line."""
    clans = CLANS[: len(players)]
    if options.clans is not msgspec.UNSET:
        chosen = options.clans
        if set(chosen) != set(players):
            misfit("clans", "option-every-player")
        if len(set(chosen.values())) != len(players):
            misfit("clans", "option-different")
        clans = tuple(chosen[name] for name in players)
    first = players[0] if options.start_player is msgspec.UNSET else options.start_player
    if first not in players:
        misfit("start_player", "option-player", player=first)
    setup = Setup(players, clans, options.foreign_sign == "backward")
    return State(setup, Seat(players.index(first)), "roll", ((0, 0, 0),) * len(players))


def opening(state: State) -> Rulings:
    """Say how the track is laid (WR-1)."""
    neutral = [clan for clan in CLANS if clan not in state.setup.clans]
    clans = dict(zip(state.setup.players, state.setup.clans, strict=True))
    return (ruled("WR-1", "lay-track", clans=clans, neutral=neutral, player=state.player),)


# --- inputs -----------------------------------------------------------------------------------------------------------


def apply(state: State, data: Input) -> Outcome:
    """Carry out one input."""
    if type(data) is Roll:
        return _refuse_turn(state, "roll", data.player) or moves.roll(state, data.die)
    if type(data) is Move:
        return _refuse_turn(state, "move", data.player) or moves.move(state, data.source)
    if type(data) is Tile:
        return not_now("tile", state.phase) if state.phase != "tile" else tiles.turn_over(state, data.clan, data.face)
    if type(data) is Decide:
        return not_now("decide", state.phase) if state.phase != "decide" else cards.decide(state, data.clan, data.card)
    raise TypeError(f"no input of this game: {data!r}")


def _refuse_turn(state: State, phase: str, player: str) -> Refused | None:
    if player not in state.setup.players:
        return unknown_player(player)
    if state.phase != phase:
        return not_now(phase, state.phase)
    if state.player != player:
        return not_your_turn(player, state.player)
    return None


# --- what can be asked ------------------------------------------------------------------------------------------------


def expects(state: State) -> tuple[Expectation, ...]:
    """List what may come next: one input at a time in this game."""
    if state.phase == "over":
        return ()
    if state.phase == "tile":
        return (Expectation("tile"),)
    if state.phase == "decide":
        return (Expectation("decide", "clan", state.deciding),)
    return (Expectation(state.phase, "player", state.player),)


def view(state: State) -> dict[str, Json]:
    """Show the state as the page lays it down."""
    setup = state.setup
    return {
        "phase": state.phase,
        "turn": state.player,
        "die": state.die,
        "witches": {clan: list(three) for clan, three in zip(setup.clans, state.witches, strict=True)},
        "tiles": {str(space): list(tile) for space, tile in enumerate(state.tiles, 1) if tile is not None},
        "cards": {
            clan: {"numbers": list(hand.numbers), "signs": hand.signs}
            for clan, hand in zip(CLANS, state.hands, strict=True)
        },
        "deciding": state.deciding,
        "at": state.at,
    }


def result(state: State) -> dict[str, Json] | None:
    """WR-19: points of the witches on the finish board."""
    if state.phase != "over":
        return None
    scores = endings.scores(state)
    return {"scores": scores, "winners": winners(state.setup.players, scores)}
