"""What a Horror Race is made of: the five characters, the table's settings, and the state of the race."""

from typing import Literal, TypeAlias

import msgspec

from engines.core import Ruling, Seat

Character = Literal["gumiho", "mummy", "vampire", "jiangshi", "zombie"]
Picks: TypeAlias = tuple[Character, Character]
Five: TypeAlias = tuple[int, int, int, int, int]
"""One number a character, in the order of CHARACTERS."""
Rulings: TypeAlias = tuple[Ruling, ...]

CHARACTERS: tuple[Character, ...] = ("gumiho", "mummy", "vampire", "jiangshi", "zombie")
INDEX: dict[str, int] = {name: index for index, name in enumerate(CHARACTERS)}
PLAYERS = range(3, 13)
DRAWN = 3
"""Tokens that one turn lays."""
HIDDEN = 2
"""Tokens that a player keeps."""
JOKERS = 3
EXTRA = {3: 2, 4: 3, 5: 3}
"""HR-2: tokens of each character that few players add to the pool."""
FEW = 5
"""HR-5: up to so many players go round twice."""
LONG_MATCH, LONG, SHORT = 6, 3, 2
"""HR-20: up to six players run three races, more players two."""
NONE: Five = (0, 0, 0, 0, 0)


class Setup(msgspec.Struct, frozen=True, gc=False):
    """What stays the same all game."""

    players: tuple[str, ...]
    steps: int
    jokers: bool
    passing: bool
    deduction: bool
    once: bool
    """HR-18: a shared second place pays once a player, not once a token."""
    extra: int
    laps: int
    races: int
    most: int
    """HR-1, HR-2: how many tokens of one character are in the game."""
    pool: int
    """HR-1, HR-2: how many tokens the pool holds, jokers not counted."""
    floor: Five
    """HR-2: how many of each character are surely in the pool: the extra ones."""


class State(msgspec.Struct, frozen=True, gc=False):
    """One moment of the game. ``guesses`` and ``shown`` are by seat; the rest by character."""

    setup: Setup
    first: Seat
    """Who starts the round to be played, or started the last one."""
    guesses: tuple[tuple[Character | None, ...] | None, ...]
    """By seat of the guesser, then by seat of the opponent (None: oneself)."""
    shown: tuple[Picks | None, ...]
    garnets: tuple[int, ...]
    """By seat."""
    phase: Literal["round", "guess", "reveal", "start", "over"] = "round"
    race: int = 1
    round: int = 1
    track: Five = NONE
    seen: Five = NONE
    """HR-22: the most tokens of a character in any round of this race."""
    hidden: Five = NONE
    """HR-23: the tokens of a character among those shown."""
    placing: tuple[tuple[Character, ...], ...] | None = None


def set_up(players: tuple[str, ...], first: Seat, setup: Setup) -> State:
    """Give the state before the first round of the first race."""
    nobody = (None,) * len(players)
    return State(setup, first, guesses=nobody, shown=nobody, garnets=(0,) * len(players))


def order(state: State) -> tuple[str, ...]:
    """HR-4: the players of a round, first to last."""
    players = state.setup.players
    return players[state.first :] + players[: state.first]


def fewest(state: State) -> tuple[str, ...]:
    """HR-21: those with the fewest garnets, in seat order."""
    least = min(state.garnets)
    return tuple(name for name, sum_ in zip(state.setup.players, state.garnets, strict=True) if sum_ == least)
