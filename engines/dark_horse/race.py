"""How a card moves the line of animals: DH-6 to DH-10."""

from typing import Literal, TypeAlias

from engines.core import Refused, Ruling, refused, ruled
from engines.dark_horse.cards import Card

Direction = Literal["forward", "backward"]
Order: TypeAlias = tuple[int, ...]
"""The seven animals, front (rank 1) to rear (rank 7)."""

LAST_RANK = 7
FALL_FROM = 3
OTHER: dict[Direction, Direction] = {"forward": "backward", "backward": "forward"}
SIGNED: dict[str, Direction] = {"+": "forward", "-": "backward"}

Moved: TypeAlias = tuple[Order, tuple[Ruling, ...]]


def run(order: Order, card: Card, named: Direction | None, *, whole: bool) -> Moved | Refused:
    """Move what the card moves. ``named``: the player's choice with ``~``; ``whole``: DH-9's option ``turn``."""
    if card.form == "fall":
        return _fall(order)
    ranks, told = _targets(order, card)
    needed = card.distance if whole else 1
    direction = _direction(order, ranks, card, named, needed)
    if isinstance(direction, Refused):
        return direction
    told = (*told, *_why(order, ranks, card, direction, needed))
    if direction is None:
        return order, told
    # DH-8: who moves is fixed now; forward the foremost begins, backward the rearmost.
    animals = [order[rank - 1] for rank in (ranks if direction == "forward" else reversed(ranks))]
    for animal in animals:
        order, moved = _pass(order, animal, direction, card.distance)
        told = (*told, *moved)
    return order, told


def _pass(order: Order, animal: int, direction: Direction, distance: int) -> Moved:
    """DH-6, DH-9: pass ``distance`` animals, or as many as there are; each of those passed gives up one rank."""
    at = order.index(animal)
    if direction == "forward":
        to = max(at - distance, 0)
        passed = order[to:at]
        after = (*order[:to], animal, *passed, *order[at + 1 :])
    else:
        to = min(at + distance, LAST_RANK - 1)
        passed = order[at + 1 : to + 1]
        after = (*order[:at], *passed, animal, *order[to + 1 :])
    facts = {"animal": animal, "from": at + 1, "to": to + 1, "passed": list(passed), "direction": direction}
    moved = Ruling("DH-6", "moved", facts)
    steps = abs(to - at)
    if steps == distance:
        return after, (moved,)
    short = ruled("DH-9", "cut-short", animal=animal, direction=direction, distance=distance, steps=steps)
    return after, (short, moved)


def _targets(order: Order, card: Card) -> tuple[tuple[int, ...], tuple[Ruling, ...]]:
    """DH-7, DH-8: the ranks of those who move, ascending, as the line stands when the card is played."""
    if card.form == "animal":
        animal = card.numbers[0]
        at = order.index(animal) + 1
        return (at,), (ruled("DH-7", "target-animal", animal=animal, at=at),)
    ranks = card.numbers
    if len(ranks) == 1:
        return ranks, (ruled("DH-7", "target-rank", animal=order[ranks[0] - 1], at=ranks[0]),)
    animals = [order[rank - 1] for rank in ranks]
    return ranks, (ruled("DH-8", "targets", animals=animals, ranks=list(ranks)),)


def _tightest(ranks: tuple[int, ...], direction: Direction) -> int:
    """Give the rank of the target with the fewest animals to pass on that side."""
    return ranks[0] if direction == "forward" else ranks[-1]


def _room(ranks: tuple[int, ...], direction: Direction) -> int:
    """Count the animals that every target has to pass on that side, as the line stands now."""
    return ranks[0] - 1 if direction == "forward" else LAST_RANK - ranks[-1]


def _direction(
    order: Order, ranks: tuple[int, ...], card: Card, named: Direction | None, needed: int
) -> Direction | Refused | None:
    """DH-9: which way the move goes, None where neither way fits."""
    forward = _room(ranks, "forward") >= needed
    backward = _room(ranks, "backward") >= needed
    if not (forward or backward):
        return None
    if forward and backward:
        way = SIGNED.get(card.sign, named)
        return way if way is not None else refused("DH-9", "direction-needed", card=card.name)
    only: Direction = "forward" if forward else "backward"
    if named is not None and named != only:
        return refused("DH-9", "direction-unfit", direction=named, **_block(order, ranks, named, needed), other=only)
    return only


def _block(order: Order, ranks: tuple[int, ...], direction: Direction, needed: int) -> dict[str, int]:
    """Tell why a direction does not fit: the target in the way, its rank, what it has to pass and would need."""
    at = _tightest(ranks, direction)
    return {"animal": order[at - 1], "at": at, "room": _room(ranks, direction), "needed": needed}


def _why(
    order: Order, ranks: tuple[int, ...], card: Card, direction: Direction | None, needed: int
) -> tuple[Ruling, ...]:
    """DH-9: why the move goes this way, or not at all; nothing where it goes as the card says."""
    if direction is None:
        ahead, behind = _block(order, ranks, "forward", needed), _block(order, ranks, "backward", needed)
        facts = {"animal": ahead["animal"], "at": ahead["at"], "room": ahead["room"], "needed": needed}
        facts |= {"other": behind["animal"], "other_at": behind["at"], "other_room": behind["room"]}
        return (Ruling("DH-9", "stuck", facts),)
    if SIGNED.get(card.sign) == direction:
        return ()
    other = OTHER[direction]
    if _room(ranks, other) >= needed:
        return (ruled("DH-9", "chosen", direction=direction),)
    kind = "only-way" if card.sign == "~" else "turned-round"
    blocked = _block(order, ranks, other, needed)
    return (ruled("DH-9", kind, direction=direction, blocked=other, **blocked),)


def _fall(order: Order) -> Moved:
    """DH-10: the third goes to the rear; ranks 4 to 7 close up."""
    at = FALL_FROM - 1
    closed = order[at + 1 :]
    facts = {"animal": order[at], "from": FALL_FROM, "to": LAST_RANK, "closed": list(closed)}
    return (*order[:at], *closed, order[at]), (Ruling("DH-10", "fell", facts),)
