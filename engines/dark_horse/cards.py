"""The action cards: every name that the record knows, read once (``rank:4,6:~2`` -> ranks 4 and 6, two either way)."""

from itertools import combinations
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

ANIMALS = range(1, 8)
RANKS = range(1, 8)
SIGNS = ("+", "-", "~")
DISTANCES = range(1, 4)


class Card(msgspec.Struct, frozen=True):
    """One action card: ``numbers`` are its ranks (ascending) or its animal, ``sign`` and ``distance`` its move."""

    name: str
    form: Literal["rank", "animal", "fall", "exchange"]
    numbers: tuple[int, ...] = ()
    sign: str = ""
    distance: int = 0


def _moves() -> tuple[Card, ...]:
    pairs = tuple(combinations(RANKS, 2))
    aims: list[tuple[Literal["rank", "animal"], tuple[int, ...]]] = [
        *(("rank", (rank,)) for rank in RANKS),
        *(("rank", pair) for pair in pairs),
        *(("animal", (animal,)) for animal in ANIMALS),
    ]
    return tuple(
        Card(f"{form}:{','.join(map(str, numbers))}:{sign}{distance}", form, numbers, sign, distance)
        for form, numbers in aims
        for sign in SIGNS
        for distance in DISTANCES
    )


CARDS: dict[str, Card] = {card.name: card for card in (*_moves(), Card("fall", "fall"), Card("exchange", "exchange"))}
"""Name -> card."""

if TYPE_CHECKING:
    CardName: TypeAlias = str
else:
    CardName = Literal[tuple(CARDS)]  # 317 names: shape that the record demands, so that no clause is asked
