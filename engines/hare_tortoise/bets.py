"""The bets of The Hare and the Tortoise: HT-19 to HT-22."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from engines.core import Ruling, ruled
from engines.hare_tortoise.animals import ANIMALS, Animal

POINTS = (5, 3, 2)
"""By place on the podium."""

Bets: TypeAlias = tuple[Animal, ...]
"""One player's bets, as shown."""


def points(bets: Bets, podium: Sequence[Animal]) -> list[int]:
    """HT-19: give the points of each bet, in the order shown; equal bets both score."""
    return [POINTS[podium.index(bet)] if bet in podium else 0 for bet in bets]


def _best_first(bets: Bets, podium: Sequence[Animal]) -> list[int]:
    return sorted(points(bets, podium), reverse=True)


def scores(shown: Mapping[str, Bets], podium: Sequence[Animal]) -> dict[str, int]:
    """HT-19: add every player's points up."""
    return {player: sum(points(bets, podium)) for player, bets in shown.items()}


def winners(shown: Mapping[str, Bets], podium: Sequence[Animal]) -> list[str]:
    """HT-19 to HT-21: the most points; of those level the best bet, then the next best; else several."""
    ranks = {player: (sum(best), best) for player, best in _ranked(shown, podium).items()}
    highest = max(ranks.values())
    return [player for player, rank in ranks.items() if rank == highest]


def _ranked(shown: Mapping[str, Bets], podium: Sequence[Animal]) -> dict[str, list[int]]:
    return {player: _best_first(bets, podium) for player, bets in shown.items()}


def verdict(shown: Mapping[str, Bets], podium: Sequence[Animal]) -> list[Ruling]:
    """HT-19 to HT-21: say who wins, and how a tie was broken or not."""
    sums = scores(shown, podium)
    most = max(sums.values())
    level = [player for player, total in sums.items() if total == most]
    best = winners(shown, podium)
    if len(level) == 1:
        return [ruled("HT-19", "wins", winners=best, points=most)]
    told = []
    ranked = _ranked(shown, podium)
    beaten = [player for player in level if player not in best]
    if beaten:
        runner_up = max(ranked[player] for player in beaten)
        facts = {"winners": best, "level": level, "beaten": beaten, "points": most}
        told.append(ruled("HT-20", "tie-broken", **facts, best=ranked[best[0]], second=runner_up))
    if len(best) > 1:
        told.append(ruled("HT-21", "win-shared", winners=best, points=most, best=ranked[best[0]]))
    return told


def impossible(shown: Mapping[str, Bets], player: str, starting: int) -> tuple[list[str], list[Animal]] | None:
    """HT-22: find players, the newest among them, whose bets name too few animals for their starting bets.

    The starting bets are one of each animal, so any group of players must have bet on at least ``starting`` animals
    a head. By Hall's theorem that is also enough: where no group falls short, every player's starting bets can be
    picked. ``shown`` holds the newest player's bets too; groups without them were looked at before.
    """
    others = [name for name in shown if name != player]
    for size in range(len(others) + 1):
        for group in combinations(others, size):
            names = (player, *group)
            named = {bet for name in names for bet in shown[name]}
            if len(named) < starting * len(names):
                return [name for name in shown if name in names], [one for one in ANIMALS if one in named]
    return None
