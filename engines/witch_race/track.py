"""The track: how far the die takes a witch, and what keeps it from a space (WR-3 to WR-6)."""

from collections.abc import Set as AbstractSet

from engines.witch_race.state import LAST_SPACE, LAST_TILE


def destination(taken: AbstractSet[int], source: int, die: int) -> int:
    """Where the die takes a witch: straight on (WR-4), from the start line to the n-th free tile (WR-5)."""
    if source:
        return source + die
    free = (space for space in range(1, LAST_TILE + 1) if space not in taken)
    for _ in range(die - 1):
        next(free)
    return next(free)


def obstacle(taken: AbstractSet[int], space: int) -> tuple[str, str] | None:
    """Tell the clause and kind that keep a witch from a space, or None."""
    if space > LAST_SPACE:
        return "WR-6", "beyond"
    if space in taken:
        return "WR-3", "occupied"
    return None
