"""Every clause of Ghost Hunters, its edges and its refusals."""

from collections.abc import Callable
from typing import Any

import pytest

from engines import shelf
from engines.ghost_hunters import rules
from engines.ghost_hunters.house import ROOMS
from engines.record import Header, RecordError, Replay

Table = Any
"""The table of conftest.py: a fixture makes it, so that no test module imports another."""
MakeTable = Callable[..., Table]

FIVE_REDS = {"A": 3, "B": 3, "C": 3, "D": 3, "E": 3}
ALL_CARDS = (*ROOMS, "shuffle", "draw-2", "draw-3", "blue-doors", "blue-doors", "green-doors", "green-doors")


def kinds(told: list[tuple[str, str]]) -> list[str]:
    return [kind for _, kind in told]


def clauses(told: list[tuple[str, str]]) -> list[str]:
    return [clause for clause, _ in told]


def ghosts(table: Table) -> dict[str, int]:
    return {room: what["ghosts"] for room, what in table.view["rooms"].items() if what["ghosts"]}


def reds(table: Table) -> list[str]:
    return [room for room, what in table.view["rooms"].items() if what["red"]]


def facts(table: Table, kind: str) -> dict[str, Any]:
    (found,) = [ruling.facts for ruling in table.replay.steps[-1].rulings if ruling.kind == kind]
    return found


# --- GH-1: the house at the start, and the header -----------------------------------------------------------------


def test_gh_1_ghosts_jewels_and_hunters_at_the_start(table: MakeTable) -> None:
    view = table().view
    assert {room for room, what in view["rooms"].items() if what["ghosts"] == 1} == set("CFIL")
    assert {room for room, what in view["rooms"].items() if what["jewel"]} == set("ACDEGIJL")
    assert all(one["at"] == "outside" and one["jewel"] is None for one in view["hunters"].values())
    assert (view["reds"], view["saved"], view["locked"], view["out"]) == (0, 0, None, [])
    assert (view["phase"], view["die"], view["draws_due"]) == ("roll", None, 0)
    assert list(view["rooms"]) == list(ROOMS)


def test_gh_1_the_opening_tells_where_things_lie(table: MakeTable) -> None:
    told = rules.opening(table(2, mode="advanced", start_player="Bo").state)
    assert [ruling.rule for ruling in told] == ["GH-1", "GH-15", "GH-23"]
    assert told[2].facts["hunters"] == ["yellow", "blue", "green", "red"]
    assert [ruling.rule for ruling in rules.opening(table().state)] == ["GH-1", "GH-23"]


@pytest.mark.parametrize(
    ("players", "hunters"),
    [(3, ["red", "yellow", "blue"]), (4, ["red", "yellow", "blue", "green"])],
)
def test_hunters_by_default_follow_the_seats(table: MakeTable, players: int, hunters: object) -> None:
    view = table(players).view
    assert list(view["hunters"]) == hunters
    assert [one["player"] for one in view["hunters"].values()] == ["다은", "Bo", "민수7", "Eve"][:players]


def test_two_players_have_two_hunters_each(table: MakeTable) -> None:
    owners = {hunter: one["player"] for hunter, one in table(2).view["hunters"].items()}
    assert owners == {"red": "다은", "blue": "다은", "yellow": "Bo", "green": "Bo"}


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "expert"},
        {"mode": None},
        {"jump_costs": 1},
        {"jump_costs": None},
        {"draw_unlocks": "no"},
        {"start_player": "Nobody"},
        {"start_player": None},
        {"hunters": {}},
        {"hunters": {"다은": ["red"], "Bo": ["blue"]}},
        {"hunters": {"다은": ["red"], "Bo": ["blue"], "Nobody": ["green"]}},
        {"hunters": {"다은": ["red"], "Bo": ["blue"], "민수7": ["red"]}},
        {"hunters": {"다은": ["red", "yellow"], "Bo": ["blue"], "민수7": ["green"]}},
        {"hunters": {"다은": [], "Bo": ["blue"], "민수7": ["green"]}},
        {"hunters": {"다은": ["pink"], "Bo": ["blue"], "민수7": ["green"]}},
        {"hunters": {"다은": "red", "Bo": "blue", "민수7": "green"}},
        {"hunters": [["red"], ["blue"], ["green"]]},
        {"hunter": {}},
    ],
)
def test_an_option_that_does_not_fit_is_an_error_of_the_header(table: MakeTable, options: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as error:
        table(3, **options)
    assert error.value.line == 1
    assert error.value.ruling.rule is None


@pytest.mark.parametrize(
    "hunters",
    [
        {"다은": ["red"], "Bo": ["blue"]},
        {"다은": ["red", "blue"], "Bo": ["green", "blue"]},
        {"다은": ["red", "red"], "Bo": ["green", "blue"]},
        {"다은": ["red", "yellow", "blue"], "Bo": ["green"]},
    ],
)
def test_two_players_name_two_different_hunters_each(table: MakeTable, hunters: object) -> None:
    with pytest.raises(RecordError):
        table(2, hunters=hunters)


@pytest.mark.parametrize("names", [("Solo",), ("a", "b", "c", "d", "e")])
def test_two_to_four_may_play(names: tuple[str, ...]) -> None:
    with pytest.raises(RecordError):
        Replay(Header("ghost-hunters", names, {}))


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
    assert ghosts(game) == {letter: 1}
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
    assert clauses(told) == ["GH-3" if room == letter else "GH-4"]
    assert ghosts(game) == {room: 1}
    assert game.view["out"] == [letter]


def test_gh_4_names_the_rooms_that_were_passed(table: MakeTable) -> None:
    game = table().ghosts(L=3, A=3)
    game.ok("roll", die=1)
    game.ok("card", card="L")
    assert facts(game, "ghost-on") == {"card": "L", "skipped": ["L", "A"], "room": "B", "ghosts": 1}


def test_gh_5_the_third_ghost_becomes_a_red_one(table: MakeTable) -> None:
    game = table().ghosts(B=2)
    game.ok("roll", die=1)
    assert clauses(game.ok("card", card="B")) == ["GH-3", "GH-5"]
    assert game.view["rooms"]["B"] == {"ghosts": 0, "red": True, "jewel": False}
    assert game.view["reds"] == 1


def test_gh_5_a_ghost_that_was_moved_on_counts_as_any_other(table: MakeTable) -> None:
    game = table().ghosts(A=3, B=2)
    game.ok("roll", die=1)
    assert clauses(game.ok("card", card="A")) == ["GH-4", "GH-5"]
    assert reds(game) == ["A", "B"]


# --- GH-6: the shuffle card ---------------------------------------------------------------------------------------


def test_gh_6_shuffle_brings_no_ghost_and_empties_the_discards(table: MakeTable) -> None:
    game = table().ghosts().put(out=("A", "B"))
    game.ok("roll", die=3)
    assert game.ok("card", card="shuffle") == [("GH-6", "shuffled")]
    assert facts(game, "shuffled") == {"cards": 3}
    assert game.view["out"] == []
    assert ghosts(game) == {}
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
    assert len(ghosts(game)) == more


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
    assert kinds(game.ok("card", card="draw-3")) == ["draw-more"]


def test_gh_7_door_cards_among_the_extras_count_and_work(table: MakeTable) -> None:
    game = table(mode="advanced")
    game.ok("roll", die=3)
    game.ok("card", card="draw-2")
    assert clauses(game.ok("card", card="blue-doors")) == ["GH-8", "GH-7"]
    assert (game.view["draws_due"], game.view["locked"]) == (1, "blue")
    assert kinds(game.ok("card", card="green-doors")) == ["doors-swap", "closing-shuffle", "doors-stay"]
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
    assert clauses(game.ok("card", card="shuffle")) == (["GH-6"] if locked is None else ["GH-6", "GH-8"])
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
    assert clauses(game.ok("card", card=card))[0] == "GH-9"
    assert (game.view["out"], game.view["draws_due"]) == ([card], 1)
    assert game.view["locked"] == ("blue" if card == "blue-doors" else "green")


def test_gh_9_a_last_extra_that_is_the_last_card_is_followed_by_the_closing_shuffle(table: MakeTable) -> None:
    out = tuple(card for card in ALL_CARDS if card != "B")
    game = table(mode="advanced").ghosts().put(phase="card", die=2, draws=1, drawing="draw-3", out=out)
    assert kinds(game.ok("card", card="B")) == ["ghost", "closing-shuffle"]
    assert game.view["out"] == []


# --- GH-10, GH-11: moves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "to"), [(3, "J"), (3, "c3"), (2, "c1"), (4, "G"), (6, "I"), (1, "outside")])
def test_gh_10_moves_up_to_the_number_rolled(table: MakeTable, die: int, to: str) -> None:
    game = table().ghosts().moving(die)
    told = game.ok("move", to=to)
    assert told[0] == ("GH-10", "stayed" if to == "outside" else "moved")
    assert game.view["hunters"]["red"]["at"] == to


@pytest.mark.parametrize(("die", "to"), [(2, "J"), (3, "G"), (1, "c2"), (5, "I"), (6, "A"), (6, "c23")])
def test_gh_10_not_beyond_it(table: MakeTable, die: int, to: str) -> None:
    assert table().moving(die).no("move", to=to) == "GH-10"


def test_gh_10_no_way_at_all_is_told_apart(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts(L=3, c2=0, J=3, G=3).at(red="K").bags(red=5).put(locked="blue").moving(2)
    outcome = game.do("move", to="c9")
    assert (outcome.ruling.rule, outcome.ruling.kind) == ("GH-8", "doors-locked")
    assert game.do("move", to="c13").ruling.kind == "no-way"


def test_gh_11_a_held_square_is_passed_at_a_step_and_never_stopped_on(table: MakeTable) -> None:
    game = table().at(yellow="c1", blue="c2").moving(3)
    assert game.no("move", to="c1") == "GH-11"
    assert game.no("move", to="c2") == "GH-11"
    assert game.no("move", to="c10") == "GH-10"
    assert game.ok("move", to="c3")[0] == ("GH-11", "moved-over")
    assert facts(game, "moved-over")["over"] == ["yellow", "blue"]


def test_gh_11_a_held_square_far_away_is_refused_as_held(table: MakeTable) -> None:
    assert table().at(yellow="c23").moving(1).no("move", to="c23") == "GH-11"


def test_gh_11_without_jump_costs_held_squares_are_free(table: MakeTable) -> None:
    game = table(jump_costs=False).at(yellow="c1", blue="c2", green="c3").moving(1)
    assert game.no("move", to="c11") == "GH-10"
    assert game.ok("move", to="c10")[0] == ("GH-11", "moved-over-free")
    assert facts(game, "moved-over-free")["steps"] == 1


def test_gh_11_without_jump_costs_no_square_may_be_stopped_on_either(table: MakeTable) -> None:
    game = table(jump_costs=False).at(yellow="c1", blue="c2").moving(1)
    assert game.no("move", to="c2") == "GH-11"
    game.ok("move", to="J")


def test_gh_11_without_jump_costs_a_room_behind_a_held_square_costs_its_own_step(table: MakeTable) -> None:
    game = table(jump_costs=False).at(red="c10", yellow="c11", blue="c12").moving(1)
    game.ok("move", to="F")


def test_gh_11_rooms_and_outside_hold_any_number(table: MakeTable) -> None:
    game = table().ghosts().at(red="c2", yellow="J", blue="J", green="J").moving(1)
    game.ok("move", to="J")
    game = table().at(red="c1", yellow="outside").moving(1)
    game.ok("move", to="outside")


# --- GH-12: red ghosts hold jewels --------------------------------------------------------------------------------


def test_gh_12_with_a_jewel_nobody_leaves_a_red_ghosts_room(table: MakeTable) -> None:
    game = table().ghosts(J=3).at(red="J").bags(red=0).moving(6)
    assert {game.no("move", to=to) for to in ("c2", "G", "outside", "c23")} == {"GH-12"}
    assert kinds(game.ok("move", to="J"))[:2] == ["held-fast", "bag-full"]


def test_gh_12_without_a_jewel_it_may(table: MakeTable) -> None:
    table().ghosts(J=3).at(red="J").moving(2).ok("move", to="c1")


def test_gh_12_entering_with_a_jewel_ends_the_move(table: MakeTable) -> None:
    game = table().ghosts(B=3).at(red="A").bags(red=0).moving(2)
    assert game.no("move", to="C") == "GH-12"
    assert kinds(game.ok("move", to="B")) == ["moved", "caught", "alone-with-red", "next"]


def test_gh_12_without_a_jewel_the_way_leads_through(table: MakeTable) -> None:
    table().ghosts(B=3).at(red="A").moving(2).ok("move", to="C")


def test_gh_12_a_way_round_the_red_ghost_is_a_way(table: MakeTable) -> None:
    game = table().ghosts(B=3).at(red="F").bags(red=0).moving(4)
    assert game.no("move", to="C") == "GH-12"  # F E B C
    assert game.moving(2).no("move", to="C") == "GH-10"
    game.moving(5).ok("move", to="C")  # F c18 c17 c16 c15 C


# --- which clause a refusal names ---------------------------------------------------------------------------------


def test_refusal_order_gh_12_before_gh_11(table: MakeTable) -> None:
    game = table().ghosts(J=3).at(red="J", yellow="c2").bags(red=0).moving(1)
    assert game.no("move", to="c2") == "GH-12"


def test_refusal_order_gh_15_before_distance_and_doors(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts().at(red="c23").bags(red=2).put(locked="blue").moving(1)
    assert game.no("move", to="outside") == "GH-15"


def test_refusal_order_gh_12_before_gh_15(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts(J=3).at(red="J").bags(red=2).moving(6)
    assert game.no("move", to="outside") == "GH-12"


def test_refusal_order_gh_8_before_gh_12(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts(B=3).at(red="A").bags(red=1).put(locked="green").moving(2)
    assert game.no("move", to="C") == "GH-12"
    assert game.no("move", to="c22") == "GH-8"


def test_refusal_gh_10_where_neither_open_doors_nor_no_red_ghost_alone_would_do(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts(B=3).at(red="A").bags(red=1).put(locked="blue").moving(2)
    assert game.no("move", to="c19") == "GH-10"  # through the red ghost's room and then a locked door
    game.put(locked=None)
    assert game.no("move", to="c19") == "GH-12"
    game.ghosts().put(locked="blue")
    assert game.no("move", to="c19") == "GH-8"


# --- GH-13: jewels ------------------------------------------------------------------------------------------------


def test_gh_13_a_jewel_may_be_taken_after_moving(table: MakeTable) -> None:
    game = table().ghosts().moving(3)
    assert kinds(game.ok("move", to="J")) == ["moved", "may-take"]
    assert game.expected == {"take", "end"}
    assert kinds(game.ok("take")) == ["took", "next"]
    assert game.view["hunters"]["red"]["jewel"] is True
    assert game.view["rooms"]["J"]["jewel"] is False
    assert game.view["turn"] == "yellow"


def test_gh_13_after_staying_too(table: MakeTable) -> None:
    game = table().ghosts().at(red="J").moving(3)
    game.ok("move", to="J")
    assert game.expected == {"take", "end"}


def test_gh_13_it_may_be_declined(table: MakeTable) -> None:
    game = table().ghosts().at(red="J").moving(3)
    game.ok("move", to="J")
    assert game.ok("end") == [("GH-13", "declined"), ("GH-23", "next")]
    assert game.view["rooms"]["J"]["jewel"] is True


def test_gh_13_a_full_bag_takes_nothing_and_the_turn_is_over(table: MakeTable) -> None:
    game = table().ghosts().at(red="c2").bags(red=0).moving(3)
    assert kinds(game.ok("move", to="J")) == ["moved", "bag-full", "next"]


def test_gh_13_a_full_bag_or_nothing_to_take_is_refused(table: MakeTable) -> None:
    game = table().ghosts(J=1).at(red="J").bags(red=0).moving(3)
    game.ok("move", to="J")
    assert game.expected == {"fight"}
    assert game.no("take") == "GH-13"
    game = table().ghosts(K=1).at(red="K").moving(3)
    game.ok("move", to="K")
    assert game.no("take") == "GH-13"


def test_gh_13_take_before_the_fight_not_after(table: MakeTable) -> None:
    game = table().ghosts(J=2).at(red="c2").moving(3)
    assert kinds(game.ok("move", to="J")) == ["moved", "may-take", "must-fight"]
    assert game.expected == {"take", "fight"}
    assert game.no("end") == "GH-16"
    assert kinds(game.ok("take")) == ["took", "must-fight"]
    assert game.expected == {"fight"}
    assert game.view["phase"] == "act"
    assert kinds(game.ok("fight", dice=["ghost"])) == ["ghosts-off", "next"]


def test_gh_13_fighting_first_leaves_the_jewel(table: MakeTable) -> None:
    game = table().ghosts(J=2).at(red="c2").moving(3)
    game.ok("move", to="J")
    game.ok("fight", dice=["ghost"])
    assert game.view["phase"] == "roll"
    assert game.view["rooms"]["J"] == {"ghosts": 1, "red": False, "jewel": True}


# --- GH-14, GH-15: outside with a jewel ---------------------------------------------------------------------------


def test_gh_14_outside_the_jewel_is_put_down(table: MakeTable) -> None:
    game = table().at(red="c1").bags(red=0).put(jewels=frozenset("ACDEGIL")).moving(1)
    assert kinds(game.ok("move", to="outside")) == ["moved", "put-down", "next"]
    assert (game.view["saved"], game.view["hunters"]["red"]["jewel"]) == (1, None)


def test_gh_15_the_number_is_learned_at_take(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts().at(red="J").moving(1)
    game.ok("move", to="J")
    assert game.ok("take", number=7)[0] == ("GH-15", "took-number")
    assert game.view["hunters"]["red"]["jewel"] == 7


def test_gh_15_each_number_is_there_once(table: MakeTable) -> None:
    game = table(mode="advanced").ghosts().at(red="J").bags(yellow=5).put(saved=2).moving(1)
    game.ok("move", to="J")
    assert [game.no("take", number=number) for number in (1, 2, 5)] == ["GH-15"] * 3
    game.ok("take", number=3)


def test_gh_15_only_the_next_number_leaves_the_house(table: MakeTable) -> None:
    game = table(mode="advanced").at(red="c1").bags(red=4).put(saved=2).moving(1)
    assert game.no("move", to="outside") == "GH-15"
    assert game.bags(red=3).ok("move", to="outside")[1] == ("GH-14", "put-down-number")
    assert game.view["saved"] == 3


def test_gh_15_numbers_do_not_bind_the_basic_game(table: MakeTable) -> None:
    table().at(red="c1").bags(red=0).put(saved=2).moving(1).ok("move", to="outside")


@pytest.mark.parametrize(
    ("mode", "fields"), [("basic", {"number": 3}), ("advanced", {}), ("advanced", {"number": None})]
)
def test_take_has_a_number_in_the_advanced_game_only(table: MakeTable, mode: str, fields: dict[str, Any]) -> None:
    game = table(mode=mode).ghosts().at(red="J").moving(1)
    game.ok("move", to="J")
    assert game.no("take", **fields) is None


# --- GH-16 to GH-18: fights ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("here", "dice", "left"), [(1, 1, 0), (2, 1, 1)])
def test_gh_16_alone_one_die(table: MakeTable, here: int, dice: object, left: int) -> None:
    game = table().ghosts(K=here).at(red="K").moving(1)
    assert kinds(game.ok("move", to="K")) == ["stayed", "must-fight"]
    assert game.no("fight", dice=["ghost", "ghost"]) == "GH-16"
    assert game.ok("fight", dice=["ghost"] * dice)[0] == ("GH-17", "ghosts-off")
    assert game.view["rooms"]["K"]["ghosts"] == left


@pytest.mark.parametrize(
    ("dice", "left"),
    [
        (["ghost"], 1),
        (["ghost", "ghost"], 0),
        (["ghost", "red"], 1),
        (["blank", "ghost"], 1),
        (["red"], 2),
        (["blank"], 2),
        (["red", "red"], 2),
        (["red", "blank"], 2),
    ],
)
@pytest.mark.parametrize("company", [("yellow",), ("yellow", "blue", "green")])
def test_gh_17_together_one_or_two_dice_each_ghost_face_takes_one_off(
    table: MakeTable, dice: object, left: int, company: tuple[str, ...]
) -> None:
    game = table().ghosts(K=2).at(red="K", **dict.fromkeys(company, "K")).moving(1)
    assert kinds(game.ok("move", to="K")) == ["stayed", "must-fight-together"]
    assert game.ok("fight", dice=dice)[0] == ("GH-17", "ghosts-stay" if left == 2 else "ghosts-off")
    assert game.view["rooms"]["K"]["ghosts"] == left


def test_gh_17_surplus_ghost_faces_do_nothing(table: MakeTable) -> None:
    game = table().ghosts(K=1).at(red="K", yellow="K").moving(1)
    game.ok("move", to="K")
    game.ok("fight", dice=["ghost", "ghost"])
    assert game.view["rooms"]["K"]["ghosts"] == 0
    assert facts(game, "ghosts-off")["off"] == 1


@pytest.mark.parametrize("dice", [[], ["ghost"] * 3, "ghost", ["skull"], None, [1]])
def test_dice_of_a_wrong_shape_name_no_clause(table: MakeTable, dice: object) -> None:
    game = table().ghosts(K=1).at(red="K", yellow="K").moving(1)
    game.ok("move", to="K")
    assert game.no("fight", dice=dice) is None


@pytest.mark.parametrize(
    ("dice", "off"),
    [
        (["red", "red"], True),
        (["red", "blank"], True),
        (["ghost", "red"], True),
        (["ghost", "ghost"], False),
        (["blank", "ghost"], False),
    ],
)
def test_gh_18_two_hunters_fight_a_red_ghost_with_two_dice(table: MakeTable, dice: object, off: object) -> None:
    game = table().ghosts(K=3, A=3).at(red="K", yellow="K").bags(red=0).moving(1)
    assert kinds(game.ok("move", to="K")) == ["held-fast", "must-fight-red"]
    assert game.expected == {"fight"}
    assert game.no("end") == "GH-18"
    assert game.no("fight", dice=["red"]) == "GH-18"
    assert game.ok("fight", dice=dice)[0] == ("GH-18", "red-off" if off else "red-stays")
    assert reds(game) == (["A"] if off else ["A", "K"])
    assert game.view["turn"] == "yellow"


def test_gh_18_alone_with_a_red_ghost_nobody_rolls(table: MakeTable) -> None:
    game = table().ghosts(K=3).at(red="K").moving(1)
    assert kinds(game.ok("move", to="K")) == ["stayed", "alone-with-red", "next"]


def test_gh_18_a_jewel_beside_a_red_ghost_may_be_taken_or_left(table: MakeTable) -> None:
    game = table().ghosts(J=3).at(red="J").moving(1)
    game.ok("move", to="J")
    assert game.expected == {"take", "end"}
    assert game.no("fight", dice=["red", "red"]) == "GH-18"
    assert game.no("fight", dice=["red"]) == "GH-18"
    game.ok("take")
    assert game.view["turn"] == "yellow"


def test_gh_18_two_hunters_of_one_player_count_as_two(table: MakeTable) -> None:
    game = table(2).ghosts(K=3).at(red="K", blue="K").moving(1)
    game.ok("move", to="K")
    game.ok("fight", dice=["red", "blank"])
    assert reds(game) == []


def test_gh_16_a_fight_that_is_not_due_is_refused(table: MakeTable) -> None:
    game = table().ghosts().at(red="J").moving(1)
    game.ok("move", to="J")
    assert game.no("fight", dice=["ghost"]) == "GH-16"


# --- GH-19 to GH-22: ends -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["basic", "advanced"])
def test_gh_19_won_when_the_last_jewel_comes_out_with_everybody_outside(table: MakeTable, mode: str) -> None:
    game = table(mode=mode).ghosts().at(red="c1").put(saved=7, jewels=frozenset()).moving(6)
    game.bags(red=8 if mode == "advanced" else 0)
    assert kinds(game.ok("move", to="outside")) == [
        "moved",
        f"put-down{'-number' if mode == 'advanced' else ''}",
        "won",
    ]
    assert rules.result(game.state) == {"outcome": "won", "winners": ["다은", "Bo", "민수7", "Eve"], "scores": {}}
    view = game.view
    assert (view["phase"], view["turn"], view["player"], view["die"], view["saved"]) == ("over", None, None, None, 8)
    assert rules.expects(game.state) == ()


def test_gh_19_a_hunter_still_inside_keeps_the_game_going(table: MakeTable) -> None:
    game = table().ghosts().at(red="c1", blue="c5").bags(red=0).put(saved=7, jewels=frozenset()).moving(6)
    assert kinds(game.ok("move", to="outside")) == ["moved", "put-down", "all-jewels-out", "next"]
    game.put(turn=2).moving(6)
    assert game.ok("move", to="outside")[-1] == ("GH-19", "won")


def test_gh_19_everybody_outside_with_jewels_left_is_no_win(table: MakeTable) -> None:
    game = table().ghosts().at(red="c1").bags(red=0).put(saved=6).moving(6)
    game.ok("move", to="outside")
    assert rules.result(game.state) is None


def test_gh_20_the_sixth_red_ghost_loses_at_once(table: MakeTable) -> None:
    game = table().ghosts(**FIVE_REDS, K=2)
    game.ok("roll", die=3)
    assert clauses(game.ok("card", card="K")) == ["GH-3", "GH-5", "GH-20"]
    view = game.view
    assert (view["reds"], view["out"], view["phase"], view["draws_due"]) == (6, ["K"], "over", 0)
    assert (view["turn"], view["player"], view["die"]) == (None, None, None)
    assert rules.result(game.state) == {"outcome": "lost", "winners": [], "scores": {}}


@pytest.mark.parametrize("draws", [1, 2, 3])
def test_gh_20_even_in_the_middle_of_drawing(table: MakeTable, draws: int) -> None:
    game = table(mode="advanced", draw_unlocks=True).ghosts(**FIVE_REDS, F=2)
    game.put(phase="card", die=3, draws=draws, drawing="draw-3", out=("draw-3",), locked="blue")
    assert game.ok("card", card="A")[-1][0] == "GH-20"
    view = game.view
    assert (view["out"], view["draws_due"], view["locked"]) == (["draw-3", "A"], 0, "blue")
    assert game.no("card", card="B") is None


def test_gh_20_five_red_ghosts_are_not_six(table: MakeTable) -> None:
    game = table().ghosts(A=3, B=3, C=3, D=3, K=2)
    game.ok("roll", die=3)
    game.ok("card", card="K")
    assert game.view["phase"] == "move"


def held(game: Table) -> Table:
    """Three of four held fast in A, B and C, all bags full; D not red yet."""
    return game.ghosts(A=3, B=3, C=3, D=2).at(red="A", yellow="B", blue="C", green="D").bags(red=0, yellow=0, blue=0)


def test_gh_21_lost_when_a_card_holds_the_last_hunter(table: MakeTable) -> None:
    game = held(table())
    game.put(bags=(0, 0, 0, 0))
    game.ok("roll", die=3)
    assert clauses(game.ok("card", card="D")) == ["GH-3", "GH-5", "GH-21"]
    assert game.view["out"] == ["D"]
    assert rules.result(game.state)["outcome"] == "lost"


def test_gh_21_lost_in_the_middle_of_drawing(table: MakeTable) -> None:
    game = held(table(mode="advanced")).bags(red=1, yellow=2, blue=3, green=4)
    game.put(phase="card", die=3, draws=2, drawing="draw-2", out=("draw-2",))
    assert clauses(game.ok("card", card="A"))[-1] == "GH-21"
    view = game.view
    assert (view["phase"], view["draws_due"], view["out"]) == ("over", 0, ["draw-2", "A"])


def test_gh_21_looked_at_after_the_last_extra_was_carried_out(table: MakeTable) -> None:
    game = held(table(mode="advanced")).bags(red=1, yellow=2, blue=3, green=4)
    game.put(phase="card", die=3, draws=1, drawing="draw-2", out=("draw-2",))
    assert clauses(game.ok("card", card="D"))[-2:] == ["GH-7", "GH-21"]
    assert game.view["out"] == []


def test_gh_21_lost_by_taking_a_jewel_among_red_ghosts(table: MakeTable) -> None:
    game = held(table()).ghosts(A=3, B=3, C=3, D=3).put(turn=3).moving(2)
    game.ok("move", to="D")
    assert clauses(game.ok("take")) == ["GH-13", "GH-21"]
    assert game.view["turn"] is None


def test_gh_21_lost_by_moving_in(table: MakeTable) -> None:
    game = held(table()).ghosts(A=3, B=3, C=3, E=3).at(green="F").put(bags=(0, 0, 0, 0), turn=3).moving(2)
    assert clauses(game.ok("move", to="E"))[-1] == "GH-21"


@pytest.mark.parametrize(
    "change", [{"bags": (0, 0, 0, None)}, {"at": ("A", "B", "C", "C")}, {"at": ("A", "B", "C", "c1")}]
)
def test_gh_21_not_with_an_empty_bag_nor_with_two_in_a_room(table: MakeTable, change: dict[str, Any]) -> None:
    game = held(table()).put(bags=(0, 0, 0, 0)).put(**change)
    game.ok("roll", die=3)
    game.ok("card", card="D")
    assert game.view["phase"] == "move"


def test_gh_22_the_referee_warns_when_nobody_has_the_next_number(table: MakeTable) -> None:
    game = table(3, mode="advanced").ghosts().at(red="J").bags(yellow=3, blue=4).put(saved=1).moving(1)
    game.ok("move", to="J")
    assert game.ok("take", number=5) == [("GH-15", "took-number"), ("GH-22", "none-is-next"), ("GH-23", "next")]
    assert facts(game, "none-is-next") == {"next": 2, "numbers": [5, 3, 4]}
    assert rules.result(game.state) is None


def test_gh_22_before_a_fight_too(table: MakeTable) -> None:
    game = table(3, mode="advanced").ghosts(J=1).at(red="J").bags(yellow=3, blue=4).put(saved=1).moving(1)
    game.ok("move", to="J")
    assert clauses(game.ok("take", number=5)) == ["GH-15", "GH-22", "GH-16"]


@pytest.mark.parametrize(("mode", "bags"), [("advanced", {"yellow": 2, "blue": 4}), ("advanced", {"yellow": 3})])
def test_gh_22_no_warning_where_somebody_has_it_or_a_bag_is_empty(
    table: MakeTable, mode: str, bags: dict[str, int]
) -> None:
    game = table(3, mode=mode).ghosts().at(red="J").bags(**bags).put(saved=1).moving(1)
    game.ok("move", to="J")
    assert "GH-22" not in clauses(game.ok("take", number=5))


def test_gh_22_not_in_the_basic_game(table: MakeTable) -> None:
    game = table(3).ghosts().at(red="J").bags(yellow=0, blue=0).moving(1)
    game.ok("move", to="J")
    assert "GH-22" not in clauses(game.ok("take"))


# --- GH-23: turns -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "options", "order"),
    [
        (2, {}, ["red", "yellow", "blue", "green"]),
        (2, {"start_player": "Bo"}, ["yellow", "blue", "green", "red"]),
        (2, {"hunters": {"Bo": ["red", "green"], "다은": ["blue", "yellow"]}}, ["blue", "red", "yellow", "green"]),
        (3, {}, ["red", "yellow", "blue"]),
        (3, {"start_player": "민수7"}, ["blue", "red", "yellow"]),
        (4, {"start_player": "Bo"}, ["yellow", "blue", "green", "red"]),
    ],
)
def test_gh_23_turns_go_over_all_hunters(
    table: MakeTable, players: int, options: dict[str, Any], order: list[str]
) -> None:
    game = table(players, **options)
    seen = []
    for _ in range(2 * len(order)):
        seen.append(game.view["turn"])
        assert game.view["player"] == game.view["hunters"][seen[-1]]["player"]
        game.ok("roll", die=6)
        assert game.ok("move", to="outside")[-1] == ("GH-23", "next")
    assert seen == order * 2


# --- shape, phase and turn ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("roll", {"die": 0}),
        ("roll", {"die": 7}),
        ("roll", {"die": True}),
        ("roll", {"die": 1.0}),
        ("roll", {"die": "1"}),
        ("roll", {}),
        ("roll", {"die": 1, "hunter": "pink"}),
        ("roll", {"die": 1, "hunter": "blue"}),
        ("roll", {"die": 1, "extra": 1}),
        ("card", {"card": "A"}),
        ("card", {"card": "M"}),
        ("move", {"to": "outside"}),
        ("move", {"to": "c24"}),
        ("move", {"to": "c01"}),
        ("take", {}),
        ("fight", {"dice": ["ghost"]}),
        ("end", {}),
        ("leap", {}),
    ],
)
def test_shape_phase_and_turn_name_no_clause(table: MakeTable, name: str, fields: dict[str, Any]) -> None:
    assert table().no(name, **fields) is None


@pytest.mark.parametrize("name", ["take", "end", "fight"])
def test_another_hunter_may_not_act(table: MakeTable, name: str) -> None:
    game = table(3).ghosts().at(red="J").moving(1)
    game.ok("move", to="J")
    fields = {"dice": ["ghost"]} if name == "fight" else {}
    assert game.no(name, hunter="yellow", **fields) is None
    assert game.no(name, hunter="green", **fields) is None


def test_every_clause_has_words_and_the_pages_lines() -> None:
    clauses_toml = shelf.game("ghost-hunters").table("clauses")
    assert list(clauses_toml) == [f"GH-{number}" for number in range(1, 24)]
    assert all(set(clause) == {"en", "ko", "page"} for clause in clauses_toml.values())
