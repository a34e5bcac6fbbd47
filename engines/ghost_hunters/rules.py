"""Ghost Fightin' Treasure Hunters (고스트 헌터): all together against the house; clauses GH-1 to GH-23."""

from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from engines.core import (
    Expectation,
    Input,
    Json,
    Refused,
    misfit,
    not_now,
    refused,
    ruled,
)
from engines.ghost_hunters import cards, deeds, endings, moves
from engines.ghost_hunters.house import OUTSIDE, ROOMS, Place
from engines.ghost_hunters.state import HUNTERS, RED_GHOST, Card, Face, Hunter, Outcome, Rulings, Setup, State

PLAYERS = range(2, 5)
FIRST_GHOSTS = ("C", "F", "I", "L")
FIRST_JEWELS: tuple[Place, ...] = ("A", "C", "D", "E", "G", "I", "J", "L")
SIX = 6
"""The only face of the movement die without a ghost."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header's options; ``hunters`` left out follows the seats."""

    mode: Literal["basic", "advanced"] = "basic"
    start_player: str | msgspec.UnsetType = msgspec.UNSET
    jump_costs: bool = True
    draw_unlocks: bool = False
    hunters: dict[str, tuple[Hunter, ...]] | msgspec.UnsetType = msgspec.UNSET


class Roll(Input, frozen=True):
    """The movement die of the hunter on turn."""

    hunter: Hunter
    die: Annotated[int, msgspec.Meta(ge=1, le=6)]


class CardDrawn(Input, frozen=True):
    """The top card of the pile."""

    card: Card


class Move(Input, frozen=True):
    """Where the hunter goes; its own place to stay."""

    hunter: Hunter
    to: Place


class Take(Input, frozen=True):
    """A jewel is taken; its number in the advanced game only."""

    hunter: Hunter
    number: Annotated[int, msgspec.Meta(ge=1, le=8)] | msgspec.UnsetType = msgspec.UNSET


class Fight(Input, frozen=True):
    """The fighting dice."""

    hunter: Hunter
    dice: Annotated[tuple[Face, ...], msgspec.Meta(min_length=1, max_length=2)]


class End(Input, frozen=True):
    """The jewel is left where it lies."""

    hunter: Hunter


INPUTS: dict[str, type[Input]] = {
    "roll": Roll,
    "card": CardDrawn,
    "move": Move,
    "take": Take,
    "fight": Fight,
    "end": End,
}


# --- before the first turn --------------------------------------------------------------------------------------------


def start(players: tuple[str, ...], options: Options) -> State:
    """GH-1: set up the house; all hunters stand outside."""
    teams = _teams(players, options)
    first = players[0] if options.start_player is msgspec.UNSET else options.start_player
    if first not in players:
        misfit("start_player", "option-player", player=first)
    order = [(team[rank], name) for rank in range(len(teams[0])) for name, team in zip(players, teams, strict=True)]
    setup = Setup(
        players,
        tuple(hunter for hunter, _ in order),
        tuple(name for _, name in order),
        options.mode == "advanced",
        options.jump_costs,
        options.draw_unlocks,
    )
    ghosts = tuple(int(room in FIRST_GHOSTS) for room in ROOMS)
    turn, hunters = players.index(first), len(order)
    return State(setup, turn, "roll", (OUTSIDE,) * hunters, (None,) * hunters, ghosts, frozenset(FIRST_JEWELS))


def _teams(players: tuple[str, ...], options: Options) -> list[tuple[Hunter, ...]]:
    """Give each player's hunters: two each with two players, else one."""
    each = 2 if len(players) == 2 else 1
    if options.hunters is msgspec.UNSET:
        return [HUNTERS[seat :: len(players)][:each] for seat in range(len(players))]
    chosen = options.hunters
    if set(chosen) != set(players):
        misfit("hunters", "option-every-player")
    for name, team in chosen.items():
        if len(team) != each:
            misfit("hunters", "option-hunters", player=name, each=each, hunters=len(team))
    if len({hunter for team in chosen.values() for hunter in team}) != each * len(players):
        misfit("hunters", "option-different")
    return [chosen[name] for name in players]


def opening(state: State) -> Rulings:
    """Say what lies where (GH-1), whose turns come in which order (GH-23) and, advanced, how jewels lie (GH-15)."""
    setup = state.setup
    prepared = ruled("GH-1", "set-up", ghosts=list(FIRST_GHOSTS), jewels=list(FIRST_JEWELS))
    cycle = (*setup.hunters[state.turn :], *setup.hunters[: state.turn])
    order = ruled("GH-23", "order", hunters=list(cycle), hunter=state.hunter, player=state.player)
    if setup.advanced:
        return (prepared, ruled("GH-15", "face-down", jewels=list(FIRST_JEWELS)), order)
    return (prepared, order)


# --- inputs -----------------------------------------------------------------------------------------------------------


def apply(state: State, data: Input) -> Outcome:
    """Carry out one input."""
    if type(data) is Roll:
        return _refuse_turn(state, "roll", "roll", data.hunter) or _roll(state, data.die)
    if type(data) is CardDrawn:
        return _refuse_card(state, data.card) or cards.draw(state, data.card)
    if type(data) is Move:
        return _refuse_turn(state, "move", "move", data.hunter) or moves.move(state, data.to)
    if type(data) is Take:
        return _take(state, data)
    if type(data) is Fight:
        return _refuse_turn(state, "fight", "act", data.hunter) or deeds.fight(state, data.dice)
    if type(data) is End:
        return _refuse_turn(state, "end", "act", data.hunter) or deeds.end(state)
    raise TypeError(f"no input of this game: {data!r}")


def _refuse_turn(state: State, name: str, phase: str, hunter: Hunter) -> Refused | None:
    if hunter not in state.setup.hunters:
        return refused(None, "not-in-play", hunter=hunter, hunters=list(state.setup.hunters))
    if state.phase != phase:
        return not_now(name, state.phase)
    if hunter != state.hunter:
        return refused(None, "not-on-turn", hunter=hunter, turn=state.hunter)
    return None


def _refuse_card(state: State, card: Card) -> Refused | None:
    if card in cards.ADVANCED and not state.setup.advanced:
        return refused(None, "advanced-card", card=card)
    return None if state.phase == "card" else not_now("card", state.phase)


def _take(state: State, data: Take) -> Outcome:
    numbered = data.number is not msgspec.UNSET
    if numbered != state.setup.advanced:
        return refused(None, "unknown-field" if numbered else "missing-field", input="take", field="number")
    number = 0 if data.number is msgspec.UNSET else data.number
    return _refuse_turn(state, "take", "act", data.hunter) or deeds.take(state, number)


def _roll(state: State, die: int) -> Outcome:
    """GH-2: the die says how far to move, and whether a ghost card comes first."""
    facts = {"hunter": state.hunter, "player": state.player, "die": die}
    if die == SIX:
        return endings.checked(replace(state, phase="move", die=die), (ruled("GH-2", "rolled-six", **facts),))
    return endings.checked(replace(state, phase="card", die=die, draws=1), (ruled("GH-2", "rolled-ghost", **facts),))


# --- what can be asked ------------------------------------------------------------------------------------------------


def expects(state: State) -> tuple[Expectation, ...]:
    """List what may come next."""
    if state.phase == "over":
        return ()
    if state.phase == "card":
        return (Expectation("card"),)
    if state.phase != "act":
        return (Expectation(state.phase, "hunter", state.hunter),)
    names = ["take"] if deeds.may_take(state) else []
    names.append("fight" if deeds.fight_due(state) else "end")
    return tuple(Expectation(name, "hunter", state.hunter) for name in names)


def view(state: State) -> dict[str, Json]:
    """Show the state as the page lays it down."""
    setup = state.setup
    over = state.phase == "over"
    return {
        "phase": state.phase,
        "turn": None if over else state.hunter,
        "player": None if over else state.player,
        "die": state.die,
        "draws_due": state.draws,
        "hunters": {
            hunter: {"player": owner, "at": place, "jewel": True if bag == 0 else bag}
            for hunter, owner, place, bag in zip(setup.hunters, setup.owners, state.at, state.bags, strict=True)
        },
        "rooms": {
            room: {
                "ghosts": 0 if ghosts == RED_GHOST else ghosts,
                "red": ghosts == RED_GHOST,
                "jewel": room in state.jewels,
            }
            for room, ghosts in zip(ROOMS, state.ghosts, strict=True)
        },
        "reds": state.reds,
        "saved": state.saved,
        "locked": state.locked,
        "out": list(state.out),
    }


def result(state: State) -> dict[str, Json] | None:
    """GH-19 to GH-21: all win or all lose; there are no scores."""
    if state.outcome is None:
        return None
    winners = list(state.setup.players) if state.outcome == "won" else []
    return {"outcome": state.outcome, "winners": winners, "scores": {}}
