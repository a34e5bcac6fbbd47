"""The Hare and the Tortoise (토끼와 거북이): race cards, five animals, secret bets; clauses HT-1 to HT-24."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from engines.core import (
    Allowed,
    Expectation,
    Input,
    Json,
    Refused,
    Ruling,
    Seat,
    misfit,
    not_now,
    not_your_turn,
    refused,
    ruled,
    unknown_player,
)
from engines.hare_tortoise import bets, race
from engines.hare_tortoise.animals import (
    ANIMALS,
    CARDS,
    FINISH,
    LAST_TILE,
    LAYS,
    MOST_CARDS,
    MOST_HOWLS,
    MOST_OF_ONE,
    PODIUM,
    Card,
    Laid,
    Lay,
)
from engines.hare_tortoise.bets import Bets
from engines.hare_tortoise.race import Course, Standing

PLAYERS = range(2, 6)
DEALT = 7
"""Race cards each at the start; one of them becomes a bet."""
NOTHING: Laid = (0,) * len(ANIMALS)

Tile = Annotated[int, msgspec.Meta(ge=1, le=LAST_TILE)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header's options: where the streams lie, who begins, and whether the podium keeps the hare awake."""

    streams: tuple[Tile, Tile]
    first_player: str | msgspec.UnsetType = msgspec.UNSET
    podium_leads: bool = True


class Play(Input, frozen=True):
    """The race cards that the player on turn lays."""

    player: str
    cards: Annotated[tuple[Card, ...], msgspec.Meta(min_length=1, max_length=MOST_OF_ONE)]


class Reveal(Input, frozen=True):
    """One player's bets, shown at the end: two, or three with two players."""

    player: str
    bets: Annotated[Bets, msgspec.Meta(min_length=2, max_length=3)]


INPUTS: dict[str, type[Input]] = {"play": Play, "reveal": Reveal}


class Setup(msgspec.Struct, frozen=True):
    """What stays the same all game; ``starting`` bets a player, and one race card more."""

    players: tuple[str, ...]
    course: Course
    starting: int


class State(msgspec.Struct, frozen=True):
    """One moment of the game. ``turn`` is the seat that lays next; ``marker`` holds the first-player marker."""

    setup: Setup
    turn: Seat
    marker: Seat
    phase: Literal["play", "reveal", "over"] = "play"
    races: int = 0
    standing: Standing = Standing()
    laid: Laid = NOTHING
    howls: int = 0
    shown: tuple[Bets | None, ...] = ()
    """By seat, in the phases reveal and over."""


Outcome: TypeAlias = Allowed[State] | Refused
Rulings: TypeAlias = tuple[Ruling, ...]


def start(players: tuple[str, ...], options: Options) -> State:
    """Put all animals on the start tile and give the marker to the first player."""
    if options.streams[0] >= options.streams[1]:
        misfit("streams", "streams-order", streams=list(options.streams))
    first = players[0] if options.first_player is msgspec.UNSET else options.first_player
    if first not in players:
        misfit("first_player", "option-player", player=first)
    seat = Seat(players.index(first))
    setup = Setup(players, Course(options.streams, options.podium_leads), 2 if len(players) == 2 else 1)
    return State(setup, turn=seat, marker=seat)


def opening(state: State) -> Rulings:
    """HT-1, HT-23, HT-24: say what is dealt and laid out."""
    setup = state.setup
    player = setup.players[state.marker]
    return (
        ruled("HT-24", "lay-track", streams=list(setup.course.streams), player=player),
        ruled("HT-24", "deal", cards=DEALT, hand=DEALT - 1),
        ruled("HT-1", "place-bets", starting=setup.starting, bets=setup.starting + 1),
        ruled("HT-23", "no-tokens"),
    )


def apply(state: State, data: Input) -> Outcome:
    """Carry out one input."""
    if type(data) is Play:
        return _refuse_turn(state, data.player) or _play(state, data.player, data.cards)
    if type(data) is Reveal:
        return _refuse_reveal(state, data.player, data.bets) or _reveal(state, data.player, data.bets)
    raise TypeError(f"no input of this game: {data!r}")


# --- laying cards -----------------------------------------------------------------------------------------------------


def _refuse_turn(state: State, player: str) -> Refused | None:
    players = state.setup.players
    if player not in players:
        return unknown_player(player)
    if state.phase != "play":
        return not_now("play", state.phase)
    if players[state.turn] != player:
        return not_your_turn(player, players[state.turn])
    return None


def _play(state: State, player: str, cards: tuple[Card, ...]) -> Outcome:
    """HT-2 to HT-5: lay cards of one animal; with eight on the table or four of one animal the race is run."""
    lay = LAYS.get(cards)
    if lay is None:
        return refused("HT-2", "mixed", player=player, cards=list(cards))
    animal = ANIMALS[lay.animal]
    of_one = state.laid[lay.animal] + lay.cards
    total = sum(state.laid) + lay.cards
    refusal = _refuse_heap(state, lay, of_one, total)
    if refusal is not None:
        return refusal
    laid = (*state.laid[: lay.animal], of_one, *state.laid[lay.animal + 1 :])
    facts = {"player": player, "cards": list(cards), "animal": animal, "of_one": of_one, "total": total}
    told = [Ruling("HT-2", "laid", facts)]
    if animal in state.standing.podium:
        place = state.standing.podium.index(animal) + 1
        told.append(ruled("HT-3", "laid-podium", animal=animal, place=place))
    howls = state.howls + lay.howls
    if total < MOST_CARDS and of_one < MOST_OF_ONE:
        turn = _clockwise(state, state.turn)
        facts = {"player": state.setup.players[turn], "animal": animal, "of_one": of_one, "total": total}
        told.append(Ruling("HT-5", "next", facts))
        return Allowed(msgspec.structs.replace(state, turn=turn, laid=laid, howls=howls), tuple(told))
    kind = "race-four" if of_one == MOST_OF_ONE else "race-eight"
    told.append(Ruling("HT-5", kind, {"animal": animal, "of_one": of_one, "total": total}))
    return _race(state, laid, howls, told)


def _refuse_heap(state: State, lay: Lay, of_one: int, total: int) -> Refused | None:
    """HT-4: eight cards on the table, four of one animal, three howls, and no more."""
    if of_one > MOST_OF_ONE:
        lies = of_one - lay.cards
        facts = {"animal": ANIMALS[lay.animal], "cards": lay.cards, "lies": lies, "free": MOST_OF_ONE - lies}
        return refused("HT-4", "fifth-of-one", **facts)
    if total > MOST_CARDS:
        lies = total - lay.cards
        return refused("HT-4", "ninth-card", cards=lay.cards, lies=lies, free=MOST_CARDS - lies)
    if state.howls + lay.howls > MOST_HOWLS:
        return refused("HT-4", "fourth-howl", howls=state.howls + lay.howls, lies=state.howls)
    return None


def _clockwise(state: State, seat: Seat) -> Seat:
    return Seat((seat + 1) % len(state.setup.players))


def _race(state: State, laid: Laid, howls: int, told: list[Ruling]) -> Outcome:
    """HT-6 to HT-18: run the race, clear the table, hand the marker on, or ask for the bets."""
    setup = state.setup
    standing, moves = race.run(setup.course, state.standing, laid, howls)
    told += moves
    told.append(Ruling("HT-17", "discarded", {"cards": sum(laid)}))
    races = state.races + 1
    if len(standing.podium) == PODIUM:
        told.append(ruled("HT-19", "show-bets", bets=setup.starting + 1))
        hidden = (None,) * len(setup.players)
        return Allowed(State(setup, state.turn, state.marker, "reveal", races, standing, shown=hidden), tuple(told))
    marker = _clockwise(state, state.marker)
    told.append(Ruling("HT-18", "marker", {"from": setup.players[state.marker], "player": setup.players[marker]}))
    return Allowed(State(setup, marker, marker, "play", races, standing), tuple(told))


# --- showing the bets -------------------------------------------------------------------------------------------------


def _refuse_reveal(state: State, player: str, shown: Bets) -> Refused | None:
    players = state.setup.players
    if player not in players:
        return unknown_player(player)
    needed = state.setup.starting + 1
    if len(shown) != needed:
        return refused(None, "bets-count", player=player, bets=len(shown), needed=needed)
    if state.phase != "reveal":
        return not_now("reveal", state.phase)
    if state.shown[players.index(player)] is not None:
        return refused(None, "already-shown", player=player)
    return None


def _shown(state: State) -> dict[str, Bets]:
    """Give the bets shown so far, in seat order."""
    return {player: shown for player, shown in zip(state.setup.players, state.shown, strict=False) if shown is not None}


def _reveal(state: State, player: str, shown: Bets) -> Outcome:
    """HT-1, HT-19 to HT-22: one player's bets and their points; the last ones decide."""
    seat = state.setup.players.index(player)
    after = msgspec.structs.replace(state, shown=(*state.shown[:seat], shown, *state.shown[seat + 1 :]))
    table = _shown(after)
    starting = state.setup.starting
    misfits = bets.impossible(table, player, starting)
    if misfits is not None:
        names, animals = misfits
        return refused("HT-22", "bets-impossible", players=names, animals=animals, needed=starting * len(names))
    podium = state.standing.podium
    points = bets.points(shown, podium)
    told = [ruled("HT-19", "bets", player=player, bets=list(shown), points=points, sum=sum(points))]
    if None in after.shown:
        return Allowed(after, tuple(told))
    told.append(ruled("HT-22", "bets-add-up", needed=starting * len(table)))
    told += bets.verdict(table, podium)
    return Allowed(msgspec.structs.replace(after, phase="over"), tuple(told))


# --- looking at the game ----------------------------------------------------------------------------------------------


def expects(state: State) -> tuple[Expectation, ...]:
    """List what may come next: the player on turn lays cards; at the end everybody shows the bets once."""
    if state.phase == "play":
        return (Expectation("play", "player", state.setup.players[state.turn]),)
    return tuple(
        Expectation("reveal", "player", player)
        for player, shown in zip(state.setup.players, state.shown, strict=False)
        if shown is None
    )


def view(state: State) -> dict[str, Json]:
    """Show the state as the page lays it down."""
    setup = state.setup
    laid = dict(zip(ANIMALS, state.laid, strict=True))
    return {
        "phase": state.phase,
        "turn": setup.players[state.turn] if state.phase == "play" else None,
        "first": setup.players[state.marker],
        "races": state.races,
        "track": {
            animal: space for animal, space in zip(ANIMALS, state.standing.track, strict=True) if space != FINISH
        },
        "podium": list(state.standing.podium),
        "table": {card: state.howls if card == "howl" else laid[card] for card in CARDS},
        "revealed": {player: list(shown) for player, shown in _shown(state).items()},
    }


def result(state: State) -> dict[str, Json] | None:
    """HT-19 to HT-21: the points of all bets, and who wins."""
    if state.phase != "over":
        return None
    shown = _shown(state)
    podium = state.standing.podium
    return {"scores": bets.scores(shown, podium), "winners": bets.winners(shown, podium)}
