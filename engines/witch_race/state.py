"""One moment of a game of Witch Race, and what can be read off it at a glance."""

from typing import Literal, TypeAlias

import msgspec

from engines.core import Allowed, Refused, Ruling, Seat

ClanName = Literal["storm", "cloud", "ice", "forest"]
Face: TypeAlias = int | str
"""A tile's face or a card: a number 2-10, or "sign"."""

CLANS: tuple[ClanName, ...] = ("storm", "cloud", "ice", "forest")
NUMBERS = range(2, 11)
SIGNS = 3
LAST_TILE = 48
LAST_SPACE = 51
"""Spaces: 0 the start line, 1-48 the tiles, 49-51 the finish board."""


class Hand(msgspec.Struct, frozen=True):
    """The cards that a clan still has: numbers ascending, and how many signs."""

    numbers: tuple[int, ...] = tuple(NUMBERS)
    signs: int = SIGNS

    def holds(self, card: Face) -> bool:
        """Tell whether the card is still there."""
        return self.signs > 0 if card == "sign" else card in self.numbers

    def without(self, card: Face) -> "Hand":
        """Give the hand after a card was used."""
        if card == "sign":
            return Hand(self.numbers, self.signs - 1)
        return Hand(tuple(number for number in self.numbers if number != card), self.signs)


class Setup(msgspec.Struct, frozen=True):
    """What stays the same all game: ``clans`` beside ``players``, by seat."""

    players: tuple[str, ...]
    clans: tuple[ClanName, ...]
    backward_only: bool


class State(msgspec.Struct, frozen=True):
    """One moment of the game. ``tiles[space - 1]`` is a face-up tile or None; ``forced`` is WR-14's duty at ``at``."""

    setup: Setup
    turn: Seat
    phase: Literal["roll", "move", "tile", "decide", "over"]
    witches: tuple[tuple[int, ...], ...]
    """By seat: three spaces, ascending."""
    tiles: tuple[tuple[ClanName, Face] | None, ...] = (None,) * LAST_TILE
    hands: tuple[Hand, ...] = (Hand(),) * len(CLANS)
    die: int | None = None
    at: int | None = None
    deciding: ClanName | None = None
    forced: bool = False

    @property
    def player(self) -> str:
        """The player on turn."""
        return self.setup.players[self.turn]

    @property
    def clan(self) -> ClanName:
        """The clan on turn."""
        return self.setup.clans[self.turn]

    @property
    def here(self) -> int:
        """The space of the witch that is carried out; only asked while there is one."""
        return self.at if self.at is not None else 0

    def is_taken(self, space: int) -> bool:
        """WR-3: a tile holds one witch; the start line and the finish spaces hold any number."""
        if 0 < space <= LAST_TILE:
            for three in self.witches:
                if space in three:
                    return True
        return False

    def hand(self, clan: ClanName) -> Hand:
        """Give the cards of a clan, played or neutral."""
        return self.hands[CLANS.index(clan)]


Outcome: TypeAlias = Allowed[State] | Refused
Rulings: TypeAlias = tuple[Ruling, ...]
