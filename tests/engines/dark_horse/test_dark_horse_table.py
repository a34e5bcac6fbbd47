"""Dark Horse by clause: header, start line, tokens and exchange (DH-1 to DH-3, DH-11)."""

from collections.abc import Callable
from typing import Any

import pytest

from engines.core import Ruling
from engines.record import Header, RecordError, Replay

Maker = Callable[..., Any]
"""Makes a table of conftest.py: a fixture, so that no test module imports another."""
LINE = (1, 2, 3, 4, 5, 6, 7)


def kinds(rulings: tuple[Ruling, ...]) -> list[tuple[str | None, str]]:
    return [(one.rule, one.kind) for one in rulings]


def facts(rulings: tuple[Ruling, ...], kind: str) -> dict[str, Any]:
    return next(one.facts for one in rulings if one.kind == kind)


# --- the header -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "cards", "tokens", "pile"),
    [(2, 8, 1, 8), (3, 7, 2, 8), (4, 6, 2, 6), (5, 6, 3, 4), (6, 5, 3, 2)],
)
def test_setup_follows_the_table_of_player_counts(table: Maker, count: int, cards: int, tokens: int, pile: int) -> None:
    game = table(count)
    assert game.view == {
        "phase": "line",
        "turn": None,
        "line": None,
        "dark_horse": None,
        "tokens_left": tokens,
        "tokens": [],
        "cards_left": dict.fromkeys(game.players, cards),
        "pile": pile,
        "discarded": [],
        "revealed": {},
    }
    assert game.expects == {("line", None)}
    assert game.result is None


@pytest.mark.parametrize("count", [1, 7])
def test_only_two_to_six_play(count: int) -> None:
    with pytest.raises(RecordError) as error:
        Replay(Header("dark-horse", tuple("abcdefg"[:count]), {}))
    assert (error.value.line, error.value.ruling.rule) == (1, None)


@pytest.mark.parametrize(
    "options",
    [
        {"scores": [1, 2, 3, 4, 5, 6, 7]},
        {"scores": [10, 8, 6, 4, 3, 1, 2]},
        {"scores": [10, 8, 6, 4, 3, 2]},
        {"scores": [10, 8, 6, 4, 3, 2, 1, 0]},
        {"scores": [21, 8, 6, 4, 3, 2, 1]},
        {"scores": [10, 8, 6, 4, 3, 2, -1]},
        {"scores": [10, 8, 6, 4, 3, 2, 1.0]},
        {"scores": [10, 8, 6, 4, 3, 2, True]},
        {"scores": None},
        {"start_player": "Zoe"},
        {"start_player": None},
        {"overrun": "round"},
        {"no_token_on_last_card": 1},
        {"no_token_on_last_card": None},
        {"mat": 1},
    ],
)
def test_an_option_that_does_not_fit_is_refused(table: Maker, options: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as error:
        table(2, **options)
    assert (error.value.line, error.value.ruling.rule) == (1, None)


def test_scores_may_be_level_and_zero(table: Maker) -> None:
    assert table(2, scores=[20, 20, 5, 5, 0, 0, 0]).view["phase"] == "line"


# --- the start line ---------------------------------------------------------------------------------------------------


def test_dh_1_the_line_is_given_whole(table: Maker) -> None:
    game = table(3)
    told = game.does("line", order=[3, 1, 2, 7, 6, 5, 4])
    assert kinds(told) == [("DH-1", "lined-up"), ("DH-2", "dark-horse"), ("DH-5", "begins")]
    assert game.view["line"] == [3, 1, 2, 7, 6, 5, 4]
    assert game.view["phase"] == "play"
    assert game.refuses("line", order=list(LINE)) == (None, "not-now")


def test_dh_1_an_animal_stands_once(table: Maker) -> None:
    game = table()
    outcome = game.give("line", order=[3, 1, 2, 7, 3, 5, 4])
    assert (outcome.ruling.rule, outcome.ruling.facts) == ("DH-1", {"twins": [3], "missing": [6]})


@pytest.mark.parametrize("order", [[1, 2, 3, 4, 5, 6], [*LINE, 1], [0, *LINE[1:]], [8, *LINE[1:]], ["1", *LINE[1:]]])
def test_a_line_has_seven_animals(table: Maker, order: list[Any]) -> None:
    assert table().refuses("line", order=order) == (None, "wrong-field")


def test_dh_2_the_rearmost_is_the_dark_horse_and_stays_it(table: Maker) -> None:
    game = table().lined(7, 6, 5, 4, 3, 2, 1)
    assert game.view["dark_horse"] == 1
    game.play("animal:1:+3")
    assert (game.view["dark_horse"], game.view["line"]) == (1, [7, 6, 5, 1, 4, 3, 2])


def test_the_start_player_begins(table: Maker) -> None:
    assert table(3, start_player="민수").lined().turn == "민수"


# --- tokens -----------------------------------------------------------------------------------------------------------


def test_dh_3_a_token_before_the_card(table: Maker) -> None:
    game = table(3).lined()
    assert game.expects == {("token", "Ana"), ("play", "Ana")}
    assert kinds(game.does("token", player="Ana")) == [("DH-3", "token-taken")]
    assert (game.view["tokens"], game.view["tokens_left"], game.turn) == (["Ana"], 1, "Ana")
    assert game.expects == {("play", "Ana")}
    assert game.refuses("token", player="Ana") == ("DH-3", "token-twice")


def test_dh_3_one_a_player_on_later_turns_too(table: Maker) -> None:
    game = table(3).lined()
    game.does("token", player="Ana")
    for _ in range(3):
        game.play("fall")
    assert game.refuses("token", player="Ana") == ("DH-3", "token-twice")


def test_dh_3_none_left(table: Maker) -> None:
    game = table(2).lined()
    game.does("token", player="Ana")
    game.play("fall")
    assert game.refuses("token", player="다은") == ("DH-3", "token-gone")
    assert game.expects == {("play", "다은")}


@pytest.mark.parametrize("option", [False, True])
def test_dh_3_no_token_on_the_last_card_by_option(table: Maker, option: bool) -> None:  # noqa: FBT001
    game = table(2, no_token_on_last_card=option).lined()
    for _ in range(14):
        assert ("token", game.turn) in game.expects
        game.play("fall")
    assert game.view["cards_left"] == {"Ana": 1, "다은": 1}
    if option:
        assert game.expects == {("play", "Ana")}
        assert game.refuses("token", player="Ana") == ("DH-3", "token-last-card")
    else:
        game.does("token", player="Ana")


def test_dh_3_holders_stand_in_seat_order(table: Maker) -> None:
    game = table(3, start_player="민수").lined()
    game.does("token", player="민수")
    game.play("fall")
    game.does("token", player="Ana")
    assert game.view["tokens"] == ["Ana", "민수"]


def test_a_token_needs_its_phase_and_turn(table: Maker) -> None:
    game = table(2)
    assert game.refuses("token", player="Ana") == (None, "not-now")
    game.lined()
    assert game.refuses("token", player="다은") == (None, "not-your-turn")
    assert game.refuses("token", player="Zoe") == (None, "unknown-player")
    game.race_out()
    assert game.refuses("token", player="Ana") == (None, "not-now")


# --- exchange ---------------------------------------------------------------------------------------------------------


def test_dh_11_oneself_or_another_throws_and_draws(table: Maker) -> None:
    game = table(3).lined()
    assert ("DH-11", "exchanged-own") in kinds(game.play("exchange", target="Ana", discarded=4))
    told = game.play("exchange", target="민수", discarded=2)
    assert facts(told, "exchanged") == {"player": "민수", "by": "다은", "animal": 2, "pile": 6}
    assert (game.view["pile"], game.view["discarded"], game.view["line"]) == (6, [4, 2], list(LINE))


def test_dh_11_needs_target_and_discarded(table: Maker) -> None:
    game = table().lined()
    assert game.refuses_card("exchange") == (None, "missing-field")
    assert game.refuses_card("exchange", target="Ana") == (None, "missing-field")
    assert game.refuses_card("exchange", discarded=1) == (None, "missing-field")
    assert game.refuses_card("exchange", target="Zoe", discarded=1) == (None, "unknown-player")
    assert game.refuses_card("exchange", target="Ana", discarded=None) == ("DH-11", "ticket-needed")
    assert game.refuses_card("exchange", target="Ana", discarded=8) == (None, "wrong-field")
    assert game.refuses_card("exchange", target=None, discarded=1) == (None, "wrong-field")


def test_dh_11_nothing_happens_with_an_empty_pile(table: Maker) -> None:
    game = table(6).lined()
    game.play("exchange", target="Ana", discarded=1)
    game.play("exchange", target="Ana", discarded=1)
    assert game.view["pile"] == 0
    assert game.refuses_card("exchange", target="Ana", discarded=2) == ("DH-11", "pile-is-empty")
    assert game.refuses_card("exchange", target="Ana", discarded=1) == ("DH-11", "pile-is-empty")
    assert game.refuses_card("exchange", discarded=None) == (None, "missing-field")
    assert ("DH-11", "pile-empty") in kinds(game.play("exchange", target="Ana", discarded=None))
    assert (game.view["pile"], game.view["discarded"]) == (0, [1, 1])


def test_shape_comes_before_turn_and_turn_before_clauses(table: Maker) -> None:
    game = table(2)
    assert game.refuses("play", player="Ana", card="exchange") == (None, "missing-field")
    game.lined()
    assert game.refuses("play", player="다은", card="fall", direction="forward") == (None, "field-unused")
    assert game.refuses("play", player="다은", card="rank:4:~1") == (None, "not-your-turn")
