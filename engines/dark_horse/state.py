"""One moment of a game of Dark Horse, and what can be read off it at a glance."""

from typing import Literal, TypeAlias

import msgspec

from engines.core import Allowed, Refused, Ruling, Seat
from engines.dark_horse.race import Order

CARDS_EACH = {2: 8, 3: 7, 4: 6, 5: 6, 6: 5}
TOKENS = {2: 1, 3: 2, 4: 2, 5: 3, 6: 3}
TICKETS_EACH = {2: 3, 3: 2, 4: 2, 5: 2, 6: 2}
TICKETS = 14
TICKETS_ALIKE = 2


class Setup(msgspec.Struct, frozen=True):
    """What stays the same all game."""

    players: tuple[str, ...]
    start: Seat
    points: tuple[int, ...]
    """By final rank."""
    whole: bool
    """DH-9's option ``turn``: a direction fits only for the whole distance."""
    spare_last: bool
    """DH-3's option: no token with one card left."""


class State(msgspec.Struct, frozen=True):
    """One moment of the game; what players have is by seat. ``order`` is empty until the line is built."""

    setup: Setup
    phase: Literal["line", "play", "reveal", "over"]
    turn: Seat
    cards: tuple[int, ...]
    tokens: tuple[bool, ...]
    pile: int
    order: Order = ()
    dark_horse: int = 0
    """0: none yet."""
    discarded: tuple[int, ...] = ()
    shown: tuple[tuple[int, ...], ...] = ()
    """Empty where a player has not shown."""

    @property
    def player(self) -> str:
        """The player on turn."""
        return self.setup.players[self.turn]

    def tokens_left(self) -> int:
        """Count the dark-horse tokens that nobody has taken."""
        return TOKENS[len(self.tokens)] - sum(self.tokens)

    def holders(self) -> list[str]:
        """Give those who took a token, in seat order."""
        return [player for player, holds in zip(self.setup.players, self.tokens, strict=True) if holds]


Outcome: TypeAlias = Allowed[State] | Refused
Rulings: TypeAlias = tuple[Ruling, ...]
