"""The movement die and the ghost cards (GH-2 to GH-9)."""

from collections.abc import Callable
from typing import Any

import pytest

from engines.ghost_hunters import rules
from engines.ghost_hunters.house import ROOMS

Table = Any
"""The table of conftest.py: a fixture makes it, so that no test module imports another."""
MakeTable = Callable[..., Table]
ALL_CARDS = (*ROOMS, "shuffle", "draw-2", "draw-3", "blue-doors", "blue-doors", "green-doors", "green-doors")


# --- GH-2: the movement die ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("die", range(1, 6))
def test_gh_2_a_ghost_face_asks_for_one_card(table: MakeTable, die: int) -> None:
    game = table()
    assert game.ok("roll", die=die) == [("GH-2", "rolled-ghost")]
    view = game.view
    assert (view["phase"], view["die"], view["draws_due"]) == ("card", die, 1)
    assert [one.as_json() for one in rules.expects(game.state)] == [{"input": "card"}]


def test_gh_2_a_six_asks_for_none(table: MakeTable) -> None:
    game = table()
    assert game.ok("roll", die=6) == [("GH-2", "rolled-six")]
    view = game.view
    assert (view["phase"], view["die"], view["draws_due"]) == ("move", 6, 0)


# --- GH-3 to GH-5: ghosts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ROOMS)
def test_gh_3_a_letter_brings_one_ghost(table: MakeTable, letter: str) -> None:
    game = table().ghosts()
    game.ok("roll", die=1)
    assert game.ok("card", card=letter) == [("GH-3", "ghost")]
    assert game.lone_ghosts == {letter: 1}
    assert game.view["out"] == [letter]
    assert game.view["phase"] == "move"


@pytest.mark.parametrize(
    ("red_rooms", "letter", "room"),
    [("A", "A", "B"), ("AB", "A", "C"), ("L", "L", "A"), ("KLAB", "K", "C"), ("AC", "A", "B"), ("B", "A", "A")],
)
def test_gh_4_a_ghost_goes_on_to_the_next_letter_without_a_red_ghost(
    table: MakeTable, red_rooms: str, letter: str, room: str
) -> None:
    game = table().ghosts(**dict.fromkeys(red_rooms, 3))
    game.ok("roll", die=1)
    told = game.ok("card", card=letter)
    assert told.clauses == ["GH-3" if room == letter else "GH-4"]
    assert game.lone_ghosts == {room: 1}
    assert game.view["out"] == [letter]


def test_gh_4_names_the_rooms_that_were_passed(table: MakeTable) -> None:
    game = table().ghosts(L=3, A=3)
    game.ok("roll", die=1)
    game.ok("card", card="L")
    assert game.facts("ghost-on") == {"card": "L", "skipped": ["L", "A"], "room": "B", "ghosts": 1}


def test_gh_5_the_third_ghost_becomes_a_red_one(table: MakeTable) -> None:
    game = table().ghosts(B=2)
    game.ok("roll", die=1)
    assert game.ok("card", card="B").clauses == ["GH-3", "GH-5"]
    assert game.view["rooms"]["B"] == {"ghosts": 0, "red": True, "jewel": False}
    assert game.view["reds"] == 1


def test_gh_5_a_ghost_that_was_moved_on_counts_as_any_other(table: MakeTable) -> None:
    game = table().ghosts(A=3, B=2)
    game.ok("roll", die=1)
    assert game.ok("card", card="A").clauses == ["GH-4", "GH-5"]
    assert game.reds == ["A", "B"]


# --- GH-6: the shuffle card ---------------------------------------------------------------------------------------


def test_gh_6_shuffle_brings_no_ghost_and_empties_the_discards(table: MakeTable) -> None:
    game = table().ghosts().put(out=("A", "B"))
    game.ok("roll", die=3)
    assert game.ok("card", card="shuffle") == [("GH-6", "shuffled")]
    assert game.facts("shuffled") == {"cards": 3}
    assert game.view["out"] == []
    assert game.lone_ghosts == {}
    assert game.view["phase"] == "move"


def test_gh_6_after_twelve_letters_only_shuffle_is_left(table: MakeTable) -> None:
    game = table().ghosts().put(out=tuple(ROOMS))
    game.ok("roll", die=3)
    assert {game.no("card", card=letter) for letter in ROOMS} == {"GH-9"}
    game.ok("card", card="shuffle")


@pytest.mark.parametrize("card", ["draw-2", "draw-3", "blue-doors", "green-doors"])
def test_cards_of_the_advanced_game_are_a_wrong_field_in_the_basic_game(table: MakeTable, card: str) -> None:
    game = table()
    game.ok("roll", die=3)
    assert game.no("card", card=card) is None


# --- GH-7: draw cards ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "more"), [("draw-2", 2), ("draw-3", 3)])
def test_gh_7_a_draw_card_asks_for_more_and_closes_with_a_shuffle(table: MakeTable, card: str, more: int) -> None:
    game = table(mode="advanced").ghosts().put(out=("L",))
    game.ok("roll", die=3)
    assert game.ok("card", card=card) == [("GH-7", "draw-more")]
    assert game.view["out"] == ["L", card]
    for due in range(more, 0, -1):
        assert game.view["draws_due"] == due
        assert game.view["phase"] == "card"
        told = game.ok("card", card=ROOMS[due])
    assert told[-1] == ("GH-7", "closing-shuffle")
    assert game.view["out"] == []
    assert (game.view["phase"], game.view["draws_due"]) == ("move", 0)
    assert len(game.lone_ghosts) == more


@pytest.mark.parametrize("card", ["shuffle", "draw-3"])
def test_gh_7_draw_and_shuffle_cards_among_the_extras_are_replaced(table: MakeTable, card: str) -> None:
    game = table(mode="advanced").put(locked="blue")
    game.ok("roll", die=3)
    game.ok("card", card="draw-2")
    assert game.ok("card", card=card) == [("GH-7", "ignored")]
    assert (game.view["draws_due"], game.view["out"]) == (2, ["draw-2", card])
    assert game.view["locked"] == "blue"
    assert game.no("card", card=card) == "GH-9"


def test_gh_7_the_ignored_card_goes_back_with_the_closing_shuffle(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts()
    game.ok("roll", die=3)
    for card in ("draw-2", "draw-3", "shuffle", "A", "B"):
        game.ok("card", card=card)
    assert game.view["out"] == []
    game.put(phase="card", draws=1)
    assert game.ok("card", card="draw-3").kinds == ["draw-more"]


def test_gh_7_door_cards_among_the_extras_count_and_work(table: MakeTable) -> None:
    game = table(mode="advanced")
    game.ok("roll", die=3)
    game.ok("card", card="draw-2")
    assert game.ok("card", card="blue-doors").clauses == ["GH-8", "GH-7"]
    assert (game.view["draws_due"], game.view["locked"]) == (1, "blue")
    assert game.ok("card", card="green-doors").kinds == ["doors-swap", "closing-shuffle", "doors-stay"]
    assert (game.view["locked"], game.view["out"]) == ("green", [])


# --- GH-8: doors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "card", "after", "kind"),
    [
        (None, "blue-doors", "blue", "doors-lock"),
        ("green", "blue-doors", "blue", "doors-swap"),
        ("blue", "blue-doors", "blue", "doors-same"),
        (None, "green-doors", "green", "doors-lock"),
        ("blue", "green-doors", "green", "doors-swap"),
        ("green", "green-doors", "green", "doors-same"),
    ],
)
def test_gh_8_a_door_card_locks_its_colour_and_opens_the_other(
    table: MakeTable, before: str | None, card: str, after: str | None, kind: str
) -> None:
    game = table(mode="advanced").put(locked=before)
    game.ok("roll", die=2)
    assert game.ok("card", card=card) == [("GH-8", kind)]
    assert (game.view["locked"], game.view["out"]) == (after, [card])


@pytest.mark.parametrize("locked", [None, "blue", "green"])
def test_gh_8_the_shuffle_card_opens_all_doors(table: MakeTable, locked: str | None) -> None:
    game = table(mode="advanced").put(locked=locked)
    game.ok("roll", die=2)
    assert game.ok("card", card="shuffle").clauses == (["GH-6"] if locked is None else ["GH-6", "GH-8"])
    assert game.view["locked"] is None


@pytest.mark.parametrize(("unlocks", "locked", "kind"), [(False, "blue", "doors-stay"), (True, None, "draw-opens")])
@pytest.mark.parametrize("extras", [("A", "B"), ("blue-doors", "A"), ("A", "blue-doors")])
def test_gh_8_a_draw_cards_shuffle_leaves_the_doors_unless_the_table_says_otherwise(
    table: MakeTable, unlocks: object, locked: str | None, kind: str, extras: tuple[str, str]
) -> None:
    game = table(mode="advanced", draw_unlocks=unlocks).ghosts().put(locked="blue")
    game.ok("roll", die=2)
    game.ok("card", card="draw-2")
    game.ok("card", card=extras[0])
    assert game.view["locked"] == "blue"
    assert game.ok("card", card=extras[1])[-1] == ("GH-8", kind)
    assert game.view["locked"] == locked


def test_gh_8_locked_doors_bar_the_way(table: MakeTable) -> None:
    game = table(mode="advanced").put(locked="blue").at(red="c2").moving(1)
    assert game.no("move", to="J") == "GH-8"
    assert game.no("move", to="c10") == "GH-10"
    game.ok("move", to="L")


def test_gh_8_a_longer_way_round_a_locked_door_is_a_way(table: MakeTable) -> None:
    game = table(mode="advanced").put(locked="green").at(red="c2").moving(6)
    assert game.no("move", to="L") == "GH-8"  # c3 ... c9 K L is too long
    game.at(red="c7").ok("move", to="L")


# --- GH-9: conservation of cards ----------------------------------------------------------------------------------


def test_gh_9_a_card_that_is_out_cannot_be_drawn(table: MakeTable) -> None:
    game = table().put(out=("A",))
    game.ok("roll", die=2)
    assert game.no("card", card="A") == "GH-9"
    game.ok("card", card="B")


def test_gh_9_two_door_cards_of_a_colour_are_two(table: MakeTable) -> None:
    game = table(mode="advanced").put(phase="card", die=2, draws=1, out=("blue-doors", "A"))
    game.ok("card", card="blue-doors")
    game.put(phase="card", die=2, draws=1)
    assert game.no("card", card="blue-doors") == "GH-9"
    game.ok("card", card="green-doors")


def test_gh_9_when_the_pile_runs_out_the_next_card_empties_the_discards_first(table: MakeTable) -> None:
    out = tuple(card for card in ALL_CARDS if card != "shuffle")
    game = table(mode="advanced").put(phase="card", die=2, draws=3, drawing="draw-3", out=out, locked="green")
    assert game.no("card", card="A") == "GH-9"
    game.ok("card", card="shuffle")
    assert len(game.view["out"]) == 19
    assert game.view["draws_due"] == 3
    assert game.ok("card", card="draw-3") == [("GH-9", "pile-empty"), ("GH-7", "ignored")]
    assert (game.view["out"], game.view["draws_due"], game.view["locked"]) == (["draw-3"], 3, "green")
    assert game.no("card", card="draw-3") == "GH-9"


@pytest.mark.parametrize("card", ["A", "blue-doors"])
def test_gh_9_after_the_pile_ran_out_a_card_counts_as_an_extra(table: MakeTable, card: str) -> None:
    game = table(mode="advanced", draw_unlocks=True).ghosts()
    game.put(phase="card", die=2, draws=2, drawing="draw-3", out=ALL_CARDS, locked="green")
    assert game.ok("card", card=card).clauses[0] == "GH-9"
    assert (game.view["out"], game.view["draws_due"]) == ([card], 1)
    assert game.view["locked"] == ("blue" if card == "blue-doors" else "green")


def test_gh_9_a_last_extra_that_is_the_last_card_is_followed_by_the_closing_shuffle(table: MakeTable) -> None:
    out = tuple(card for card in ALL_CARDS if card != "B")
    game = table(mode="advanced").ghosts().put(phase="card", die=2, draws=1, drawing="draw-3", out=out)
    assert game.ok("card", card="B").kinds == ["ghost", "closing-shuffle"]
    assert game.view["out"] == []
