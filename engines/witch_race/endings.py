"""How a turn and the game end, and what a witch is worth at home (WR-6, WR-17 to WR-19)."""

from msgspec.structs import replace

from engines.core import Allowed, Seat, ruled, winners
from engines.witch_race.state import LAST_TILE, Rulings, State

POINTS = {49: 2, 50: 3, 51: 4}


def next_turn(state: State, told: Rulings) -> Allowed[State]:
    """WR-17: the witch rests; the next player clockwise rolls."""
    turn = Seat((state.turn + 1) % len(state.setup.players))
    after = replace(state, turn=turn, phase="roll", die=None, at=None, deciding=None, forced=False)
    return Allowed(after, (*told, ruled("WR-17", "next", player=after.player)))


def home(state: State, to: int, told: Rulings) -> Allowed[State]:
    """WR-6, WR-18, WR-19: a witch on a finish space is home; the third one ends the game."""
    clan = state.clan
    here = ruled("WR-6", "home-now", clan=clan, at=to, points=POINTS[to])
    if state.witches[state.turn][0] <= LAST_TILE:
        return next_turn(state, (*told, here))
    over = replace(state, phase="over", die=None, at=None, deciding=None, forced=False)
    points = scores(over)
    ends = ruled("WR-18", "third-home", clan=clan, player=state.player)
    sums = tuple(
        ruled("WR-19", "points", player=player, at=[space for space in three if space > LAST_TILE], sum=points[player])
        for player, three in zip(state.setup.players, state.witches, strict=True)
    )
    best = winners(state.setup.players, points)
    won = ruled("WR-19", "wins" if len(best) == 1 else "win-shared", winners=best, points=points[best[0]])
    return Allowed(over, (*told, here, ends, *sums, won))


def scores(state: State) -> dict[str, int]:
    """WR-19: the points of each player's witches on the finish board."""
    return {
        player: sum(POINTS.get(space, 0) for space in three)
        for player, three in zip(state.setup.players, state.witches, strict=True)
    }
