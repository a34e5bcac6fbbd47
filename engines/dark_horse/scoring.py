"""What tickets and tokens are worth at the end, and who wins: DH-12 to DH-14."""

from collections.abc import Sequence

import msgspec

from engines.core import Ruling, ruled, winners
from engines.dark_horse.race import Order

PODIUM = 3
BONUS, PENALTY = 5, -3


class Finish(msgspec.Struct, frozen=True):
    """The end of the race; ``tickets`` and ``tokens`` by seat."""

    players: tuple[str, ...]
    points: tuple[int, ...]
    """By final rank."""
    order: Order
    dark_horse: int
    tickets: tuple[tuple[int, ...], ...]
    tokens: tuple[bool, ...]


def shown(player: str, tickets: tuple[int, ...], order: Order, points: tuple[int, ...]) -> Ruling:
    """DH-12: what one player's tickets are worth."""
    ranks = [order.index(animal) + 1 for animal in tickets]
    worth = [points[rank - 1] for rank in ranks]
    facts = {"player": player, "tickets": list(tickets), "ranks": ranks, "points": worth, "sum": sum(worth)}
    return Ruling("DH-12", "shown", facts)


def token_points(end: Finish) -> int:
    """DH-13: what a dark-horse token is worth, for good or ill."""
    return BONUS if end.dark_horse in end.order[:PODIUM] else PENALTY


def ticket_points(end: Finish) -> list[int]:
    """DH-12: the points of all tickets, by seat."""
    worth = dict(zip(end.order, end.points, strict=True))
    return [sum(worth[animal] for animal in tickets) for tickets in end.tickets]


def scores(end: Finish) -> dict[str, int]:
    """DH-12, DH-13: tickets and token of each player."""
    token = token_points(end)
    return {
        player: points + (token if holds else 0)
        for player, points, holds in zip(end.players, ticket_points(end), end.tokens, strict=True)
    }


def decide(end: Finish) -> tuple[list[str], tuple[Ruling, ...]]:
    """DH-14: who wins, in seat order, and how a tie was broken."""
    total = scores(end)
    level = winners(end.players, total)
    points = total[level[0]]
    if len(level) == 1:
        return level, (ruled("DH-12", "wins", player=level[0], points=points),)
    level, by_rank = _best_rank(end, level, points)
    if len(level) == 1:
        return level, (by_rank,)
    level, by_token = _token(end, level)
    if len(level) == 1:
        return level, (by_rank, by_token)
    return level, (by_rank, by_token, ruled("DH-14", "win-shared", winners=level, points=points))


def _best_rank(end: Finish, level: Sequence[str], points: int) -> tuple[list[str], Ruling]:
    rank_of = {animal: rank for rank, animal in enumerate(end.order, 1)}
    best_of = {
        player: min(rank_of[animal] for animal in tickets)
        for player, tickets in zip(end.players, end.tickets, strict=True)
    }
    best = min(best_of[player] for player in level)
    left = [player for player in level if best_of[player] == best]
    kind = "tie-rank-wins" if len(left) == 1 else "tie-rank-level"
    ranks = [best_of[player] for player in level]
    return left, ruled("DH-14", kind, players=list(level), points=points, ranks=ranks, best=best, left=left)


def _token(end: Finish, level: list[str]) -> tuple[list[str], Ruling]:
    holders = [player for player, holds in zip(end.players, end.tokens, strict=True) if holds and player in level]
    if 0 < len(holders) < len(level):
        # Two tickets an animal: two at most are level here, so this leaves one.
        return holders, ruled("DH-14", "tie-token-wins", players=level, left=holders)
    return level, ruled("DH-14", "tie-token-all" if holders else "tie-token-none", players=level)


def told(end: Finish) -> tuple[Ruling, ...]:
    """Tell the end: what the tokens did, each player's sum, the winners."""
    token = token_points(end)
    at = end.order.index(end.dark_horse) + 1
    holders = [player for player, holds in zip(end.players, end.tokens, strict=True) if holds]
    kind = "tokens-unused" if not holders else "tokens-pay" if token > 0 else "tokens-cost"
    tokens = ruled("DH-13", kind, animal=end.dark_horse, at=at, points=token, holders=holders)
    sums = tuple(
        ruled("DH-13", "sum-token", player=player, tickets=points, token=token, sum=points + token)
        if holds
        else ruled("DH-12", "sum", player=player, sum=points)
        for player, points, holds in zip(end.players, ticket_points(end), end.tokens, strict=True)
    )
    return (tokens, *sums, *decide(end)[1])
