"""The house: rooms, corridor squares, doors, and the way from one place to another (GH-8, GH-10 to GH-12)."""

from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias, get_args

import msgspec

Colour = Literal["blue", "green"]
Room = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"]
# fmt: off
Square = Literal[
    "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12",
    "c13", "c14", "c15", "c16", "c17", "c18", "c19", "c20", "c21", "c22", "c23",
]
# fmt: on
Place: TypeAlias = Literal["outside"] | Square | Room

OUTSIDE: Place = "outside"
ROOMS: tuple[Room, ...] = get_args(Room)
SQUARES: frozenset[Place] = frozenset(get_args(Square))
INDEX: Mapping[str, int] = {room: index for index, room in enumerate(ROOMS)}
"""Where a room stands in a tuple by room."""

# The board's plan, from outside knowledge: the printed rules have lost its picture. Neighbours stand side by side.
_CORRIDOR = (
    "outside c1 c2 c3 c10 c11 c12 c13 c16 c17 c18 c19 c20 c21 c22 c23",
    "c3 c4 c5 c6 c7 c8 c9",
    "c16 c15 c14",
)
_DOORS: Mapping[Colour | None, str] = {
    "blue": "c2-J c5-I c9-K c12-F c14-D c19-B c22-E",
    "green": "c2-L c8-H c13-G c15-C c18-F c22-A",
    None: "A-B B-C C-D E-F F-I I-H H-E G-J K-L",
}

Ways: TypeAlias = Mapping[Place, tuple[Place, ...]]


def _plan(locked: Colour | None) -> Ways:
    """Tell each place's neighbours while the doors of one colour, or none, are locked."""
    pairs = [pair for arm in _CORRIDOR for pair in zip(arm.split()[:-1], arm.split()[1:], strict=True)]
    for colour, doors in _DOORS.items():
        if colour is None or colour != locked:
            pairs.extend((door.partition("-")[0], door.partition("-")[2]) for door in doors.split())
    near: dict[str, tuple[str, ...]] = {}
    for one, other in pairs:
        near[one] = (*near.get(one, ()), other)
        near[other] = (*near.get(other, ()), one)
    return near  # type: ignore[return-value] # the names of the plan are places, as a test holds


WAYS: Mapping[Colour | None, Ways] = {locked: _plan(locked) for locked in (None, "blue", "green")}
"""Which doors are locked -> place -> its neighbours."""
FAR = len(WAYS[None])
"""More steps than any way has."""


class Path(msgspec.Struct, frozen=True):
    """A shortest way: what it costs, and every place on it from the first to the last."""

    steps: int
    places: tuple[Place, ...]


class Bounds(msgspec.Struct, frozen=True):
    """What bounds one hunter's move.

    ``held``: corridor squares of other hunters; they may be passed, at no cost where ``free`` (GH-11).
    ``ends``: rooms where the move ends (GH-12).
    """

    locked: Colour | None
    held: Collection[Place] = ()
    free: bool = False
    ends: Collection[Place] = ()


def path(start: Place, to: Place, steps: int, bounds: Bounds) -> Path | None:
    """Find a shortest way of at most ``steps`` steps, or None: each square and room costs one (GH-10).

    ``to`` is another place than ``start`` and none that is held.
    """
    ways, ends = WAYS[bounds.locked], bounds.ends
    free = bounds.held if bounds.free else ()
    came: dict[Place, Place] = {start: start}
    layer = [start]
    for cost in range(1, steps + 1):
        following: list[Place] = []
        for place in layer:  # grows while it is walked over: squares that cost nothing
            if place in ends:
                continue
            for near in ways[place]:
                if near not in came:
                    came[near] = place
                    if near == to:
                        return Path(cost, _trace(came, start, to))
                    (layer if near in free else following).append(near)
        layer = following
    return None


def _trace(came: Mapping[Place, Place], start: Place, to: Place) -> tuple[Place, ...]:
    places = [to]
    while places[-1] != start:
        places.append(came[places[-1]])
    return tuple(reversed(places))
