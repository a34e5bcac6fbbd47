"""One moment of a game of Ghost Hunters, and what can be read off it at a glance."""

from typing import Literal, TypeAlias

import msgspec

from engines.core import Allowed, Refused, Ruling
from engines.ghost_hunters.house import INDEX, OUTSIDE, ROOMS, SQUARES, Colour, Place, Room

Hunter = Literal["red", "yellow", "blue", "green"]
Face = Literal["ghost", "red", "blank"]
Card: TypeAlias = Room | Literal["shuffle", "draw-2", "draw-3", "blue-doors", "green-doors"]

HUNTERS: tuple[Hunter, ...] = ("red", "yellow", "blue", "green")
RED_GHOST = 3
"""What a third ghost in a room becomes (GH-5); a room with a red ghost holds no other."""
JEWELS = 8
LAST_RED = 6


class Setup(msgspec.Struct, frozen=True):
    """What stays the same all game: ``hunters`` in the order of turns (GH-23), ``owners`` beside them."""

    players: tuple[str, ...]
    hunters: tuple[Hunter, ...]
    owners: tuple[str, ...]
    advanced: bool
    jump_costs: bool
    draw_unlocks: bool


class State(msgspec.Struct, frozen=True):
    """One moment of the game; ``turn``, ``at`` and ``bags`` follow ``setup.hunters``."""

    setup: Setup
    turn: int
    phase: Literal["roll", "card", "move", "act", "over"]
    at: tuple[Place, ...]
    bags: tuple[int | None, ...]
    """The jewel in each bag: its number, 0 in the basic game; None for none."""
    ghosts: tuple[int, ...]
    """By room: 0 to 2 ghosts, or RED_GHOST."""
    jewels: frozenset[Place]
    """Rooms where a jewel still lies."""
    saved: int = 0
    die: int | None = None
    draws: int = 0
    """Cards still to be drawn."""
    drawing: Card | None = None
    """The draw card that is being carried out."""
    locked: Colour | None = None
    out: tuple[Card, ...] = ()
    """Cards out since the last shuffle, in order."""
    outcome: Literal["won", "lost"] | None = None

    @property
    def hunter(self) -> Hunter:
        """The hunter on turn."""
        return self.setup.hunters[self.turn]

    @property
    def player(self) -> str:
        """The player on turn."""
        return self.setup.owners[self.turn]

    @property
    def place(self) -> Place:
        """Where the hunter on turn stands."""
        return self.at[self.turn]

    @property
    def bag(self) -> int | None:
        """The jewel of the hunter on turn."""
        return self.bags[self.turn]

    @property
    def reds(self) -> int:
        """Red ghosts on the board."""
        return self.ghosts.count(RED_GHOST)

    def ghosts_at(self, place: Place) -> int:
        """Ghosts in a place: 0 to 2, or RED_GHOST."""
        index = INDEX.get(place)
        return 0 if index is None else self.ghosts[index]

    def inside(self) -> list[Hunter]:
        """Hunters that are not outside."""
        return [hunter for hunter, place in zip(self.setup.hunters, self.at, strict=True) if place != OUTSIDE]

    def company(self) -> list[Hunter]:
        """Hunters in the same place as the one on turn, that one among them."""
        here = self.place
        return [hunter for hunter, place in zip(self.setup.hunters, self.at, strict=True) if place == here]

    def held(self) -> tuple[Place, ...]:
        """Corridor squares where other hunters stand."""
        turn = self.turn
        return tuple(place for index, place in enumerate(self.at) if index != turn and place in SQUARES)

    def red_rooms(self) -> tuple[Room, ...]:
        """Rooms that hold a red ghost."""
        return tuple(room for room, ghosts in zip(ROOMS, self.ghosts, strict=True) if ghosts == RED_GHOST)

    def with_ghosts(self, place: Place, ghosts: int) -> tuple[int, ...]:
        """Give the ghosts of all rooms after those of one changed."""
        index = INDEX[place]
        return (*self.ghosts[:index], ghosts, *self.ghosts[index + 1 :])

    def with_bag(self, jewel: int | None) -> tuple[int | None, ...]:
        """Give all bags after that of the hunter on turn changed."""
        return (*self.bags[: self.turn], jewel, *self.bags[self.turn + 1 :])


Rulings: TypeAlias = tuple[Ruling, ...]
Outcome: TypeAlias = Allowed[State] | Refused
