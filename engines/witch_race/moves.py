"""The die, and the witch that it moves (WR-2 to WR-6)."""

from msgspec.structs import replace

from engines.core import Allowed, Ruling, refused, ruled
from engines.witch_race import endings, tiles
from engines.witch_race.state import LAST_TILE, Outcome, State
from engines.witch_race.track import destination, obstacle


def roll(state: State, die: int) -> Outcome:
    """WR-2: roll; where no witch can move the turn is over without another roll."""
    rolled = ruled("WR-2", "rolled", player=state.player, die=die)
    sources = set(state.witches[state.turn])
    if any(source <= LAST_TILE and obstacle(state, destination(state, source, die)) is None for source in sources):
        return Allowed(replace(state, phase="move", die=die), (rolled,))
    stuck = tuple(_why_not(state, source, die) for source in sorted(sources))
    return endings.next_turn(state, (rolled, *stuck, ruled("WR-2", "no-move", player=state.player, die=die)))


def _why_not(state: State, source: int, die: int) -> Ruling:
    if source > LAST_TILE:
        return ruled("WR-6", "home", at=source)
    to = destination(state, source, die)
    clause, kind = obstacle(state, to) or ("WR-3", "occupied")
    return ruled(clause, kind, **{"from": source, "to": to, "die": die})


def move(state: State, source: int) -> Outcome:
    """WR-2 to WR-6: move one of one's own witches exactly as far as was rolled."""
    die = state.die or 0
    if source not in state.witches[state.turn]:
        return refused("WR-2", "no-witch", at=source, clan=state.clan)
    to = destination(state, source, die)
    no = obstacle(state, to)
    if no is not None:
        return refused(no[0], no[1], **{"from": source, "to": to, "die": die})
    return tiles.arrive(state, source, to, (_moved(state, source, to),))


def _moved(state: State, source: int, to: int) -> Ruling:
    facts = {"clan": state.clan, "from": source, "to": to, "die": state.die}
    if source:
        passed = sum(source < space < to <= LAST_TILE for three in state.witches for space in three)
        return Ruling("WR-4" if passed else "WR-2", "moved-over" if passed else "moved", facts | {"passed": passed})
    skipped = sorted([space for three in state.witches for space in three if 0 < space < to])
    return Ruling("WR-5", "set-off-over" if skipped else "set-off", facts | {"skipped": skipped})
