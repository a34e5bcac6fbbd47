"""The five animals of The Hare and the Tortoise, their cards, and where they can stand."""

from itertools import product
from typing import Literal, TypeAlias

import msgspec

Animal = Literal["hare", "tortoise", "wolf", "fox", "lamb"]
Card = Literal["hare", "tortoise", "wolf", "howl", "fox", "lamb"]

ANIMALS: tuple[Animal, ...] = ("hare", "tortoise", "wolf", "fox", "lamb")
"""In the order in which they move (HT-6)."""
HARE, TORTOISE, WOLF, FOX, LAMB = range(5)
CARDS: tuple[Card, ...] = ("hare", "tortoise", "wolf", "howl", "fox", "lamb")

LAST_TILE = 11
FINISH = 12
"""The step over the finish line; on the track it stands for an animal that is on the podium."""
PODIUM = 3
"""Places on the podium; the third animal on it ends the game."""

MOST_CARDS = 8
MOST_OF_ONE = 4
MOST_HOWLS = 3

Track: TypeAlias = tuple[int, ...]
"""By animal: the space, 0 (start tile) to 11, or FINISH."""
Laid: TypeAlias = tuple[int, ...]
"""By animal: race cards on the table, howl cards counted as wolf cards."""


class Lay(msgspec.Struct, frozen=True):
    """What one player lays: cards of one animal, and how many of them bear a howl."""

    animal: int
    cards: int
    howls: int


def _lays() -> dict[tuple[str, ...], Lay]:
    """HT-2: every row of 1 to 4 cards of one animal; a howl card is a wolf card."""
    found: dict[tuple[str, ...], Lay] = {}
    for cards in range(1, MOST_OF_ONE + 1):
        for index, animal in enumerate(ANIMALS):
            found[(animal,) * cards] = Lay(index, cards, 0)
        for row in product(("wolf", "howl"), repeat=cards):
            found[row] = Lay(WOLF, cards, row.count("howl"))
    return found


LAYS = _lays()
"""Cards as laid -> what they are; rows that are not here mix animals."""
