"""Dark Horse by clause: the cards that move animals (DH-4 to DH-10)."""

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest

from engines.core import Json, Refused, Ruling
from engines.dark_horse import race
from engines.dark_horse.cards import CARDS

Maker = Callable[..., Any]
"""Makes a table of conftest.py: a fixture, so that no test module imports another."""
LINE = (1, 2, 3, 4, 5, 6, 7)


def kinds(rulings: tuple[Ruling, ...]) -> list[tuple[str | None, str]]:
    return [(one.rule, one.kind) for one in rulings]


def facts(rulings: tuple[Ruling, ...], kind: str) -> dict[str, Any]:
    return next(one.facts for one in rulings if one.kind == kind)


def moved(
    card: str, order: tuple[int, ...] = LINE, named: race.Direction | None = None, *, whole: bool = False
) -> Json:
    outcome = race.run(order, CARDS[card], named, whole=whole)
    return outcome if isinstance(outcome, Refused) else outcome[0]


# --- cards ------------------------------------------------------------------------------------------------------------


def test_there_are_317_cards() -> None:
    assert len(CARDS) == (7 + 21 + 7) * 9 + 2


@pytest.mark.parametrize(
    "card",
    [
        "rank:6,4:~2",
        "rank:4,4:+1",
        "rank:8:+1",
        "rank:0:+1",
        "rank:5:+4",
        "rank:5:1",
        "rank:5:+1\n",
        " fall",
        "Fall",
        "animal:2,3:+1",
        "animal:2:*1",
        "rank:1,2,3:+1",
        "joker",
        "",
        5,
        None,
        ["fall"],
        "rank:٣:+1",
    ],
)
def test_a_name_that_is_no_card_is_refused(table: Maker, card: Json) -> None:
    assert table().lined().refuses_card(card) == (None, "wrong-field")


def test_dh_4_exactly_one_card_a_turn(table: Maker) -> None:
    game = table(2).lined()
    told = game.play("fall")
    assert kinds(told)[0] == ("DH-4", "played")
    assert told[0].facts == {"player": "Ana", "card": "fall", "left": 7}
    assert game.refuses("play", player="Ana", card="fall") == (None, "not-your-turn")


def test_a_card_needs_its_phase_and_a_known_player(table: Maker) -> None:
    game = table(2)
    assert game.refuses("play", player="Ana", card="fall") == (None, "not-now")
    assert game.lined().refuses("play", player="Zoe", card="fall") == (None, "unknown-player")
    assert game.race_out().refuses("play", player="Ana", card="fall") == (None, "not-now")


def test_dh_5_clockwise_until_nobody_has_a_card(table: Maker) -> None:
    game = table(3, start_player="다은").lined()
    seen = []
    while game.view["phase"] == "play":
        seen.append(game.turn)
        told = game.play("fall")
    assert seen == ["다은", "민수", "Ana"] * 7
    assert kinds(told)[-1] == ("DH-5", "race-over")
    assert (game.view["phase"], game.turn) == ("reveal", None)


def test_dh_5_the_last_card_takes_effect(table: Maker) -> None:
    game = table(2).lined()
    for _ in range(15):
        game.play("rank:1,7:+1")
    game.play("animal:7:+3")
    assert game.view["line"] == [1, 2, 3, 7, 4, 5, 6]


@pytest.mark.parametrize(("rank", "sign", "distance"), list(product(range(1, 8), "+-", range(1, 4))))
def test_dh_6_each_animal_passed_gives_up_one_rank(rank: int, sign: str, distance: int) -> None:
    line = list(LINE)
    step = -1 if sign == "+" else 1
    if not 0 <= rank - 1 + step <= 6:
        step = -step  # DH-9
    at = rank - 1
    for _ in range(distance):
        if 0 <= at + step <= 6:
            line[at], line[at + step] = line[at + step], line[at]
            at += step
    assert moved(f"rank:{rank}:{sign}{distance}") == tuple(line)


def test_dh_6_tells_from_where_to_where_and_past_whom(table: Maker) -> None:
    told = table().lined().play("rank:5:+2")
    assert facts(told, "moved") == {"animal": 5, "from": 5, "to": 3, "passed": [3, 4], "direction": "forward"}


def test_dh_7_a_rank_card_looks_at_the_line_as_it_stands(table: Maker) -> None:
    game = table().lined(7, 6, 5, 4, 3, 2, 1)
    told = game.play("rank:5:+1")
    assert facts(told, "target-rank") == {"animal": 3, "at": 5}
    assert game.view["line"] == [7, 6, 5, 3, 4, 2, 1]
    told = game.play("rank:5:+1")
    assert facts(told, "target-rank") == {"animal": 4, "at": 5}


def test_dh_7_an_animal_card_moves_that_animal(table: Maker) -> None:
    game = table().lined(7, 6, 5, 4, 3, 2, 1)
    assert facts(game.play("animal:2:+1"), "target-animal") == {"animal": 2, "at": 6}
    assert game.view["line"] == [7, 6, 5, 4, 2, 3, 1]


@pytest.mark.parametrize(
    ("card", "after"),
    [
        ("rank:4,6:+1", (1, 2, 4, 3, 6, 5, 7)),
        ("rank:4,6:-1", (1, 2, 3, 5, 4, 7, 6)),
        ("rank:4,6:+2", (1, 4, 2, 6, 3, 5, 7)),
        ("rank:3,4:+1", (1, 3, 4, 2, 5, 6, 7)),
        ("rank:4,5:-1", (1, 2, 3, 6, 4, 5, 7)),
        ("rank:4,5:+3", (4, 5, 1, 2, 3, 6, 7)),
    ],
)
def test_dh_8_two_animals_the_foremost_or_rearmost_first(card: str, after: tuple[int, ...]) -> None:
    assert moved(card) == after


def test_dh_8_both_are_fixed_before_anything_moves(table: Maker) -> None:
    told = table().lined().play("rank:2,3:+1")
    assert facts(told, "targets") == {"animals": [2, 3], "ranks": [2, 3]}
    assert [one.facts["animal"] for one in told if one.kind == "moved"] == [2, 3]


@pytest.mark.parametrize(
    ("card", "after"),
    [
        ("rank:1:+1", (2, 1, 3, 4, 5, 6, 7)),
        ("rank:1:+3", (2, 3, 4, 1, 5, 6, 7)),
        ("rank:7:-2", (1, 2, 3, 4, 7, 5, 6)),
        ("animal:1:+2", (2, 3, 1, 4, 5, 6, 7)),
        ("rank:1,4:+1", (2, 1, 3, 5, 4, 6, 7)),
        ("rank:4,7:-1", (1, 2, 4, 3, 5, 7, 6)),
    ],
)
def test_dh_9_a_direction_without_room_turns_round(table: Maker, card: str, after: tuple[int, ...]) -> None:
    game = table().lined()
    assert ("DH-9", "turned-round") in kinds(game.play(card))
    assert tuple(game.view["line"]) == after


def test_dh_9_as_far_as_it_can(table: Maker) -> None:
    game = table().lined()
    told = game.play("rank:2:+3")
    assert facts(told, "cut-short") == {"animal": 2, "direction": "forward", "distance": 3, "steps": 1}
    assert game.view["line"] == [2, 1, 3, 4, 5, 6, 7]


def test_dh_9_the_second_may_pass_the_first() -> None:
    # 2 goes as far as it can (1 rank), 3 then its whole 2 ranks.
    assert moved("rank:2,3:+2") == (3, 2, 1, 4, 5, 6, 7)
    assert moved("rank:5,6:-2") == (1, 2, 3, 4, 7, 6, 5)


@pytest.mark.parametrize("card", ["rank:1,7:+1", "rank:1,7:-3", "rank:1,7:~2"])
def test_dh_9_nothing_moves_where_neither_fits(table: Maker, card: str) -> None:
    game = table().lined()
    told = game.play(card)
    assert kinds(told) == [("DH-4", "played"), ("DH-8", "targets"), ("DH-9", "stuck"), ("DH-5", "next")]
    assert game.view["line"] == list(LINE)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_dh_9_where_neither_fits_either_may_be_named(table: Maker, direction: str) -> None:
    game = table().lined()
    assert ("DH-9", "stuck") in kinds(game.play("rank:1,7:~2", direction=direction))


def test_dh_9_the_player_chooses_where_both_fit(table: Maker) -> None:
    game = table().lined()
    assert game.refuses_card("rank:4:~1") == ("DH-9", "direction-needed")
    assert ("DH-9", "chosen") in kinds(game.play("rank:4:~1", direction="backward"))
    assert game.view["line"] == [1, 2, 3, 5, 4, 6, 7]


@pytest.mark.parametrize(
    ("card", "only", "other"),
    [
        ("rank:1:~2", "backward", "forward"),
        ("rank:7:~2", "forward", "backward"),
        ("rank:1,5:~1", "backward", "forward"),
        ("animal:7:~3", "forward", "backward"),
    ],
)
def test_dh_9_the_only_direction_may_be_left_out(table: Maker, card: str, only: str, other: str) -> None:
    game = table().lined()
    assert game.refuses_card(card, direction=other) == ("DH-9", "direction-unfit")
    told = game.play(card)
    assert facts(told, "only-way")["direction"] == only
    named = table().lined()
    named.play(card, direction=only)
    assert named.view["line"] == game.view["line"]


@pytest.mark.parametrize(
    ("card", "after"),
    [
        ("rank:2:+2", (1, 3, 4, 2, 5, 6, 7)),
        ("rank:3:+2", (3, 1, 2, 4, 5, 6, 7)),
        ("rank:6:-2", (1, 2, 3, 6, 4, 5, 7)),
        ("rank:2,4:+2", (1, 3, 5, 2, 6, 4, 7)),
        ("rank:3,5:+3", LINE),
        ("rank:3,5:-3", LINE),
        ("rank:3,5:~3", LINE),
        ("rank:2,3:+2", (1, 4, 5, 2, 3, 6, 7)),
        ("rank:2:~2", (1, 3, 4, 2, 5, 6, 7)),
    ],
)
def test_dh_9_turn_asks_for_the_whole_distance(table: Maker, card: str, after: tuple[int, ...]) -> None:
    game = table(overrun="turn").lined()
    told = game.play(card)
    assert tuple(game.view["line"]) == after
    assert "cut-short" not in [one.kind for one in told]


@pytest.mark.parametrize(("whole", "distance"), list(product([False, True], range(1, 4))))
def test_dh_9_directions_are_judged_before_anything_moves(whole: bool, distance: int) -> None:  # noqa: FBT001
    needed = distance if whole else 1
    for ranks in [(rank,) for rank in range(1, 8)] + list(combinations(range(1, 8), 2)):
        forward = all(rank - 1 >= needed for rank in ranks)
        backward = all(7 - rank >= needed for rank in ranks)
        card = f"rank:{','.join(map(str, ranks))}:~{distance}"
        unfit = {
            "forward": isinstance(moved(card, named="forward", whole=whole), Refused),
            "backward": isinstance(moved(card, named="backward", whole=whole), Refused),
        }
        assert unfit == {"forward": backward and not forward, "backward": forward and not backward}
        assert isinstance(moved(card, whole=whole), Refused) == (forward and backward)
        assert (moved(card, whole=whole) == LINE) == (not forward and not backward)


@pytest.mark.parametrize("card", ["rank:4:+1", "animal:4:-1", "rank:1,7:+1", "fall", "exchange"])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_direction_belongs_to_free_cards_only(table: Maker, card: str, direction: str) -> None:
    more = {"target": "Ana", "discarded": 1} if card == "exchange" else {}
    assert table().lined().refuses_card(card, direction=direction, **more) == (None, "field-unused")


@pytest.mark.parametrize("direction", [None, "left", True, 1])
def test_a_direction_is_forward_or_backward(table: Maker, direction: Json) -> None:
    assert table().lined().refuses_card("rank:1:~1", direction=direction) == (None, "wrong-field")


@pytest.mark.parametrize("more", [{"target": "Ana"}, {"discarded": 1}, {"discarded": None}])
@pytest.mark.parametrize("card", ["fall", "rank:4:+1", "animal:1:~1"])
def test_target_and_discarded_belong_to_exchange_only(table: Maker, card: str, more: dict[str, Any]) -> None:
    assert table().lined().refuses_card(card, **more) == (None, "field-unused")


def test_dh_10_the_third_falls_to_the_rear(table: Maker) -> None:
    game = table().lined(7, 6, 5, 4, 3, 2, 1)
    told = game.play("fall")
    assert facts(told, "fell") == {"animal": 5, "from": 3, "to": 7, "closed": [4, 3, 2, 1]}
    assert game.view["line"] == [7, 6, 4, 3, 2, 1, 5]
