"""The track: how far the die takes a witch, and what keeps it from a space (WR-3 to WR-6)."""

from engines.witch_race.state import LAST_SPACE, LAST_TILE, State


def destination(state: State, source: int, die: int) -> int:
    """Where the die takes a witch: straight on (WR-4), from the start line to the n-th free tile (WR-5)."""
    if source:
        return source + die
    free = (space for space in range(1, LAST_TILE + 1) if not state.is_taken(space))
    for _ in range(die - 1):
        next(free)
    return next(free)


def obstacle(state: State, space: int) -> tuple[str, str] | None:
    """Tell the clause and kind that keep a witch from a space, or None."""
    if space > LAST_SPACE:
        return "WR-6", "beyond"
    if state.is_taken(space):
        return "WR-3", "occupied"
    return None
