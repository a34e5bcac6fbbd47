"""Dark Horse by clause: tickets, tokens and ties at the end (DH-12 to DH-15)."""

from collections.abc import Callable
from typing import Any

import pytest

from engines.core import Json, Ruling

Maker = Callable[..., Any]
"""Makes a table of conftest.py: a fixture, so that no test module imports another."""
LINE = (1, 2, 3, 4, 5, 6, 7)


def kinds(rulings: tuple[Ruling, ...]) -> list[tuple[str | None, str]]:
    return [(one.rule, one.kind) for one in rulings]


def facts(rulings: tuple[Ruling, ...], kind: str) -> dict[str, Any]:
    return next(one.facts for one in rulings if one.kind == kind)


# --- the end ----------------------------------------------------------------------------------------------------------


def test_dh_12_tickets_are_shown_in_any_order_each_once(table: Maker) -> None:
    game = table(3).lined().race_out()
    assert game.expects == {("reveal", player) for player in game.players}
    told = game.does("reveal", player="민수", tickets=[5, 1])
    assert told[0].facts == {"player": "민수", "tickets": [5, 1], "ranks": [5, 1], "points": [3, 10], "sum": 13}
    assert game.expects == {("reveal", "Ana"), ("reveal", "다은")}
    assert game.refuses("reveal", player="민수", tickets=[5, 1]) == (None, "shown-already")
    assert game.view["revealed"] == {"민수": [5, 1]}
    assert game.result is None
    game.does("reveal", player="Ana", tickets=[7, 7])
    game.does("reveal", player="다은", tickets=[2, 6])
    assert game.result == {"scores": {"Ana": 2, "다은": 10, "민수": 13}, "winners": ["민수"]}
    assert (game.view["phase"], game.expects) == ("over", set())
    assert game.refuses("reveal", player="Ana", tickets=[7, 7]) == (None, "not-now")


def test_dh_12_all_three_count_with_two_players_and_the_option_gives_the_points(table: Maker) -> None:
    game = table(2, scores=[20, 15, 9, 7, 5, 1, 0]).lined().race_out()
    game.does("reveal", player="Ana", tickets=[1, 1, 4])
    game.does("reveal", player="다은", tickets=[2, 3, 7])
    assert game.result == {"scores": {"Ana": 47, "다은": 24}, "winners": ["Ana"]}


@pytest.mark.parametrize(("count", "tickets"), [(2, [1, 2]), (3, [1, 2, 3]), (3, [1]), (2, []), (6, [1, 2, 3])])
def test_dh_12_the_number_of_tickets_is_shape(table: Maker, count: int, tickets: list[int]) -> None:
    game = table(count).lined()
    rule, kind = game.refuses("reveal", player="Ana", tickets=tickets)
    assert (rule, kind) in {(None, "ticket-count"), (None, "wrong-field")}
    rule, kind = game.race_out().refuses("reveal", player="Ana", tickets=tickets)
    assert (rule, kind) in {(None, "ticket-count"), (None, "wrong-field")}


def test_a_reveal_needs_its_phase_and_a_known_player(table: Maker) -> None:
    game = table(3).lined()
    assert game.refuses("reveal", player="Ana", tickets=[1, 2]) == (None, "not-now")
    assert game.race_out().refuses("reveal", player="Zoe", tickets=[1, 2]) == (None, "unknown-player")


@pytest.mark.parametrize(
    ("rank", "points", "kind"),
    [(1, 5, "tokens-pay"), (3, 5, "tokens-pay"), (4, -3, "tokens-cost"), (7, -3, "tokens-cost")],
)
def test_dh_13_the_dark_horse_pays_on_the_first_three_ranks(table: Maker, rank: int, points: int, kind: str) -> None:
    game = table(3).lined()
    game.does("token", player="Ana")
    for step in (3, 2, 1):
        if game.view["line"].index(7) + 1 - step >= rank:
            game.play(f"animal:7:+{step}")
    while game.view["line"].index(7) + 1 > rank:
        game.play("animal:7:+1")
    order = game.race_out().view["line"]
    assert order[rank - 1] == 7
    game.does("reveal", player="Ana", tickets=[order[5], order[5]])
    game.does("reveal", player="다은", tickets=[order[0], order[1]])
    told = game.does("reveal", player="민수", tickets=[order[2], order[3]])
    assert facts(told, kind)["points"] == points
    assert game.result["scores"] == {"Ana": 4 + points, "다은": 18, "민수": 10}


def test_dh_13_three_off_may_leave_less_than_nothing(table: Maker) -> None:
    game = table(3, scores=[1, 0, 0, 0, 0, 0, 0]).lined()
    game.does("token", player="Ana")
    game.race_out()
    for player, tickets in zip(game.players, ([2, 2], [3, 3], [4, 4]), strict=True):
        game.does("reveal", player=player, tickets=tickets)
    assert game.result == {"scores": {"Ana": -3, "다은": 0, "민수": 0}, "winners": ["다은"]}


FLAT = [5, 5, 5, 5, 5, 5, 5]


def finish(game: Json, holders: tuple[int, ...], tickets: list[list[int]]) -> tuple[Ruling, ...]:
    """Race with ``holders`` (by seat) taking tokens, nothing moving, then show the tickets."""
    game.lined()
    for seat in range(len(game.players)):
        if seat in holders:
            game.does("token", player=game.turn)
        game.play("rank:1,7:+1")
    game.race_out()
    told: tuple[Ruling, ...] = ()
    for player, shown in zip(game.players, tickets, strict=True):
        told = game.does("reveal", player=player, tickets=shown)
    return told


def test_dh_14_the_best_rank_of_the_tied_wins(table: Maker) -> None:
    game = table(3, scores=FLAT)
    told = finish(game, (), [[3, 4], [2, 7], [5, 6]])
    assert game.result["winners"] == ["다은"]
    assert facts(told, "tie-rank-wins")["ranks"] == [3, 2, 5]


def test_dh_14_only_the_tied_are_compared(table: Maker) -> None:
    game = table(3, scores=[5, 5, 5, 5, 5, 5, 0])
    finish(game, (), [[1, 7], [3, 4], [5, 2]])
    assert game.result == {"scores": {"Ana": 5, "다은": 10, "민수": 10}, "winners": ["민수"]}


def test_dh_14_then_the_token(table: Maker) -> None:
    game = table(3, scores=[10, 7, 7, 7, 7, 4, 0])
    told = finish(game, (1,), [[1, 6], [1, 2], [5, 5]])
    assert game.result["scores"] == {"Ana": 14, "다은": 14, "민수": 14}
    assert game.result["winners"] == ["다은"]
    assert kinds(told)[-2:] == [("DH-14", "tie-rank-level"), ("DH-14", "tie-token-wins")]


def test_dh_14_a_token_counts_only_among_those_of_equal_best_rank(table: Maker) -> None:
    # Bo is level on points and holds a token, but falls out by rank; then nobody left holds one.
    game = table(4, scores=[10, 10, 10, 10, 7, 7, 7])
    told = finish(game, (3,), [[1, 5], [1, 6], [7, 7], [2, 3]])
    assert game.result["scores"] == {"Ana": 17, "다은": 17, "민수": 14, "Bo": 17}
    assert game.result["winners"] == ["Ana", "다은"]
    assert kinds(told)[-2:] == [("DH-14", "tie-token-none"), ("DH-14", "win-shared")]


def test_dh_14_shared_where_all_hold_a_token(table: Maker) -> None:
    game = table(3, scores=[9, 9, 5, 5, 5, 5, 5])
    told = finish(game, (0, 1), [[1, 2], [1, 2], [7, 7]])
    assert game.result == {"scores": {"Ana": 15, "다은": 15, "민수": 10}, "winners": ["Ana", "다은"]}
    assert kinds(told)[-2:] == [("DH-14", "tie-token-all"), ("DH-14", "win-shared")]


def test_dh_15_no_third_ticket_of_an_animal_is_thrown(table: Maker) -> None:
    game = table(2).lined()
    game.play("exchange", target="Ana", discarded=4)
    game.play("exchange", target="Ana", discarded=4)
    assert game.refuses_card("exchange", target="Ana", discarded=4) == ("DH-15", "third-thrown")
    game.play("exchange", target="Ana", discarded=5)


def test_dh_15_thrown_and_shown_are_two_at_most(table: Maker) -> None:
    game = table(3).lined()
    game.play("exchange", target="Ana", discarded=4)
    game.race_out()
    assert game.refuses("reveal", player="Ana", tickets=[4, 4]) == ("DH-15", "third-shown")
    game.does("reveal", player="Ana", tickets=[4, 5])
    assert game.refuses("reveal", player="다은", tickets=[1, 4]) == ("DH-15", "third-shown")
    outcome = game.give("reveal", player="다은", tickets=[5, 5])
    assert outcome.ruling.facts == {
        "player": "다은", "animal": 5, "here": 2, "thrown": 0, "before": 1, "sum": 3, "most": 2,
    }  # fmt: skip
    game.does("reveal", player="다은", tickets=[5, 1])


def test_dh_15_three_alike_in_one_hand(table: Maker) -> None:
    game = table(2).lined().race_out()
    assert game.refuses("reveal", player="Ana", tickets=[4, 4, 4]) == ("DH-15", "third-shown")
