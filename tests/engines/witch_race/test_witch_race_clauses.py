"""Clauses WR-1 to WR-20, each with its edge cases."""

from typing import Any

import msgspec
import pytest

from engines.core import Allowed, Refused, Ruling, State
from engines.record import Header, RecordError, Replay
from engines.witch_race import rules
from engines.witch_race.state import CLANS, Hand

NAMES = ("Ana", "Bo", "Cid", "Dee")
FULL = tuple(range(2, 11))
Tiles = dict[int, tuple[str, Any]]


def table(
    players: int = 3,
    *,
    witches: dict[int, tuple[int, int, int]] | None = None,
    tiles: Tiles | None = None,
    hands: dict[str, Hand] | None = None,
    turn: int = 0,
    **options: Any,  # noqa: ANN401 - options of any shape
) -> State:
    """Lay a table: witches by seat, face-up tiles by space, cards by clan; clans storm, cloud, ice, forest by seat."""
    state = rules.start(NAMES[:players], rules.Options(**options))
    return msgspec.structs.replace(
        state,
        turn=turn,
        witches=tuple((witches or {}).get(seat, (0, 0, 0)) for seat in range(players)),
        tiles=tuple((tiles or {}).get(space) for space in range(1, 49)),
        hands=tuple((hands or {}).get(clan, Hand()) for clan in CLANS),
    )


def allowed(outcome: Allowed[State] | Refused) -> Allowed[State]:
    assert isinstance(outcome, Allowed), outcome
    return outcome


def rule_of(outcome: Allowed[State] | Refused) -> str | None:
    assert isinstance(outcome, Refused), outcome
    return outcome.ruling.rule


def roll(state: State, die: int) -> Allowed[State] | Refused:
    return rules.apply(state, rules.Roll(state.setup.players[state.turn], die))


def move(state: State, source: int) -> Allowed[State] | Refused:
    return rules.apply(state, rules.Move(state.setup.players[state.turn], source))


def tile(state: State, clan: Any, face: Any) -> Allowed[State] | Refused:  # noqa: ANN401 - literals
    return rules.apply(state, rules.Tile(clan, face))


def decide(state: State, clan: Any, card: Any) -> Allowed[State] | Refused:  # noqa: ANN401 - literals
    return rules.apply(state, rules.Decide(clan, card))


def go(state: State, die: int, source: int) -> Allowed[State]:
    """Roll and move, which must both be allowed."""
    return allowed(move(allowed(roll(state, die)).state, source))


def told(rulings: tuple[Ruling, ...], rule: str) -> list[str]:
    return [one.kind for one in rulings if one.rule == rule]


def where(state: State, clan: str = "storm") -> list[int]:
    places: list[int] = rules.view(state)["witches"][clan]
    return places


def phase(state: State) -> str:
    return str(rules.view(state)["phase"])


def hand(*numbers: int, signs: int = 0) -> Hand:
    return Hand(numbers, signs)


# --- header and shapes ------------------------------------------------------------------------------------------------


def replay(count: int = 3, **options: Any) -> Replay:  # noqa: ANN401 - options of any shape
    return Replay(Header("witch-race", NAMES[:count], options))


def test_the_view_after_the_header() -> None:
    full = {"numbers": list(FULL), "signs": 3}
    assert rules.view(table(2)) == {
        "phase": "roll",
        "turn": "Ana",
        "die": None,
        "witches": {"storm": [0, 0, 0], "cloud": [0, 0, 0]},
        "tiles": {},
        "cards": dict.fromkeys(CLANS, full),
        "deciding": None,
        "at": None,
    }


@pytest.mark.parametrize("count", [1, 5])
def test_players_two_to_four(count: int) -> None:
    with pytest.raises(RecordError):
        Replay(Header("witch-race", tuple("abcde"[:count]), {}))


def test_option_clans_seats_the_clans() -> None:
    state = replay(2, clans={"Bo": "forest", "Ana": "ice"}).state
    assert state.setup.clans == ("ice", "forest")
    assert list(rules.view(state)["witches"]) == ["ice", "forest"]


def test_option_start_player() -> None:
    assert rules.view(replay(start_player="Cid").state)["turn"] == "Cid"


@pytest.mark.parametrize(
    "options",
    [
        {"clans": {"Ana": "ice", "Bo": "storm"}},
        {"clans": {"Ana": "ice", "Bo": "storm", "Cid": "cloud", "Dee": "forest"}},
        {"clans": {"Ana": "ice", "Bo": "storm", "Zoe": "cloud"}},
        {"clans": {"Ana": "ice", "Bo": "storm", "Cid": "ice"}},
        {"clans": {"Ana": "ice", "Bo": "storm", "Cid": "fire"}},
        {"clans": None},
        {"clans": ["storm", "ice", "cloud"]},
        {"start_player": "Zoe"},
        {"start_player": None},
        {"start_player": 1},
        {"foreign_sign": "forward"},
        {"foreign_sign": None},
        {"foreign": "nearest"},
    ],
)
def test_options_that_do_not_fit_are_errors_of_the_header(options: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as error:
        replay(**options)
    assert (error.value.line, error.value.ruling.rule) == (1, None)


@pytest.mark.parametrize(
    "line",
    [
        {"input": "roll", "player": "Ana", "die": 0},
        {"input": "roll", "player": "Ana", "die": 7},
        {"input": "roll", "player": "Ana", "die": 1.0},
        {"input": "roll", "player": "Ana", "die": True},
        {"input": "roll", "player": "Ana"},
        {"input": "roll", "die": 3},
        {"input": "roll", "player": "Ana", "die": 3, "from": 0},
        {"input": "roll", "player": "Zoe", "die": 3},
        {"input": "roll", "player": "Bo", "die": 3},
        {"input": "move", "player": "Ana", "from": 0},
        {"input": "tile", "clan": "storm", "face": 2},
        {"input": "decide", "clan": "storm", "card": None},
        {"input": "fly"},
    ],
)
def test_shape_name_phase_and_turn_are_refused_without_a_clause(line: dict[str, Any]) -> None:
    game = replay()
    assert rule_of(game.carry_out(2, line)) is None
    assert game.steps == []


@pytest.mark.parametrize("source", [-1, 49, 50, 51, 0.0, None, "0", False])
def test_shape_of_move_from(source: Any) -> None:  # noqa: ANN401 - wrong shapes
    game = replay()
    game.carry_out(2, {"input": "roll", "player": "Ana", "die": 2})
    assert rule_of(game.carry_out(3, {"input": "move", "player": "Ana", "from": source})) is None
    assert rule_of(game.carry_out(3, {"input": "move", "player": "Ana", "source": 0})) is None


@pytest.mark.parametrize("face", [1, 11, 2.0, True, None, "2", "Sign", [2]])
def test_shape_of_tiles_and_cards(face: Any) -> None:  # noqa: ANN401 - wrong shapes
    game = replay()
    game.carry_out(2, {"input": "roll", "player": "Ana", "die": 2})
    game.carry_out(3, {"input": "move", "player": "Ana", "from": 0})
    assert rule_of(game.carry_out(4, {"input": "tile", "clan": "storm", "face": face})) is None
    assert rule_of(game.carry_out(4, {"input": "tile", "clan": "fire", "face": 2})) is None
    if face is not None:
        assert rule_of(game.carry_out(4, {"input": "decide", "clan": "storm", "card": face})) is None


# --- WR-1 to WR-6: rolling and moving ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_wr_1_neutral_clans_lay_their_tiles_too(players: int) -> None:
    (laid,) = rules.opening(table(players))
    assert laid.rule == "WR-1"
    assert laid.facts["neutral"] == list(CLANS[players:])
    assert list(laid.facts["clans"].values()) == list(CLANS[:players])


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_wr_2_a_witch_moves_exactly_as_far_as_rolled(die: int) -> None:
    outcome = go(table(witches={0: (10, 20, 30)}), die, 20)
    assert where(outcome.state) == sorted([10, 20 + die, 30])
    assert rules.view(outcome.state)["die"] == die


def test_wr_2_only_an_own_witch_of_that_space() -> None:
    state = allowed(roll(table(witches={0: (0, 5, 9), 1: (0, 0, 7)}), 1)).state
    assert rule_of(move(state, 7)) == "WR-2"
    assert rule_of(move(state, 6)) == "WR-2"
    assert phase(allowed(move(state, 9)).state) == "tile"


def test_wr_2_no_own_witch_on_the_start_line() -> None:
    assert rule_of(move(allowed(roll(table(witches={0: (3, 5, 9)}), 1)).state, 0)) == "WR-2"


def test_wr_2_without_a_move_the_turn_is_over() -> None:
    state = table(witches={0: (47, 48, 49), 1: (0, 0, 0)})
    outcome = allowed(roll(state, 6))
    assert (phase(outcome.state), rules.view(outcome.state)["turn"], rules.view(outcome.state)["die"]) == (
        "roll",
        "Bo",
        None,
    )
    assert told(outcome.rulings, "WR-2") == ["rolled", "no-move"]
    assert told(outcome.rulings, "WR-6") == ["beyond", "beyond", "home"]


def test_wr_2_move_is_asked_even_with_one_witch_that_can() -> None:
    assert phase(allowed(roll(table(witches={0: (45, 48, 49)}), 6)).state) == "move"


def test_wr_3_no_move_ends_on_an_occupied_tile() -> None:
    state = allowed(roll(table(witches={0: (5, 9, 30), 1: (0, 0, 33)}), 3)).state
    assert rule_of(move(state, 30)) == "WR-3"
    assert where(allowed(move(state, 5)).state) == [8, 9, 30]


def test_wr_3_own_witches_block_too() -> None:
    assert rule_of(move(allowed(roll(table(witches={0: (5, 8, 30)}), 3)).state, 5)) == "WR-3"


def test_wr_3_blocked_everywhere_the_turn_is_over() -> None:
    outcome = allowed(roll(table(witches={0: (46, 47, 51), 1: (47, 48, 0)}), 1))
    assert phase(outcome.state) == "roll"
    assert told(outcome.rulings, "WR-3") == ["occupied", "occupied"]


@pytest.mark.parametrize("space", [49, 50, 51])
def test_wr_3_finish_spaces_hold_any_number(space: int) -> None:
    state = table(witches={0: (1, space - 3, space), 1: (0, 49, 51)})
    outcome = go(state, 3, space - 3)
    assert where(outcome.state) == [1, space, space]


def test_wr_4_witches_passed_over_count_as_steps() -> None:
    outcome = go(table(witches={0: (10, 12, 0), 1: (11, 13, 0)}), 4, 10)
    assert where(outcome.state) == [0, 12, 14]
    assert told(outcome.rulings, "WR-4") == ["moved-over"]
    assert next(one for one in outcome.rulings if one.rule == "WR-4").facts["passed"] == 3


@pytest.mark.parametrize(("die", "to"), [(1, 2), (2, 4), (3, 5), (4, 7), (6, 9)])
def test_wr_5_from_the_start_line_occupied_tiles_are_not_counted(die: int, to: int) -> None:
    outcome = go(table(witches={0: (0, 0, 6), 1: (1, 3, 0), 2: (0, 20, 30)}), die, 0)
    assert to in where(outcome.state)
    assert told(outcome.rulings, "WR-5") == ["set-off-over"]


def test_wr_5_with_free_tiles_it_is_a_plain_move() -> None:
    outcome = go(table(), 4, 0)
    assert where(outcome.state) == [0, 0, 4]
    assert told(outcome.rulings, "WR-5") == ["set-off"]


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_wr_5_is_never_blocked(die: int) -> None:
    crowd = {0: (0, 1, 2), 1: (3, 4, 5), 2: (6, 7, 8), 3: (9, 10, 11)}
    assert 11 + die in where(go(table(4, witches=crowd), die, 0).state)


@pytest.mark.parametrize(("source", "die"), [(46, 6), (48, 4), (47, 5)])
def test_wr_6_nothing_goes_beyond_51(source: int, die: int) -> None:
    assert rule_of(move(allowed(roll(table(witches={0: (0, 1, source)}), die)).state, source)) == "WR-6"


def test_wr_6_a_witch_that_is_home_ends_the_turn_and_stays() -> None:
    outcome = go(table(witches={0: (0, 1, 48)}), 1, 48)
    assert told(outcome.rulings, "WR-6") == ["home-now"]
    assert rules.view(outcome.state)["turn"] == "Bo"
    assert rules.view(outcome.state)["at"] is None


# --- WR-7 to WR-9: tiles ----------------------------------------------------------------------------------------------


def test_wr_7_a_face_down_tile_is_asked_for() -> None:
    outcome = go(table(), 3, 0)
    view = rules.view(outcome.state)
    assert (view["phase"], view["at"], view["deciding"], view["tiles"], view["turn"]) == ("tile", 3, None, {}, "Ana")
    assert told(outcome.rulings, "WR-7") == ["turn-over"]
    assert rule_of(roll(outcome.state, 1)) is None
    assert rule_of(move(outcome.state, 3)) is None


def test_wr_7_it_stays_face_up_and_is_not_asked_for_again() -> None:
    state = allowed(tile(go(table(), 3, 0).state, "ice", 7)).state
    assert rules.view(state)["tiles"] == {"3": ["ice", 7]}
    state = msgspec.structs.replace(state, witches=((0, 0, 30), (0, 0, 1), (0, 0, 0)))
    outcome = go(state, 2, 1)
    assert rules.view(outcome.state)["turn"] == "Cid"
    assert told(outcome.rulings, "WR-9") == ["foreign-number"]


def test_wr_8_own_number_moves_on_at_once() -> None:
    outcome = allowed(tile(go(table(), 3, 0).state, "storm", 7))
    assert where(outcome.state) == [0, 0, 10]
    view = rules.view(outcome.state)
    assert (view["phase"], view["at"], view["tiles"]) == ("tile", 10, {"3": ["storm", 7]})


def test_wr_8_the_new_tile_is_carried_out_too() -> None:
    outcome = go(table(tiles={3: ("storm", 7), 10: ("storm", 2), 12: ("ice", 5)}), 3, 0)
    assert where(outcome.state) == [0, 0, 12]
    assert told(outcome.rulings, "WR-8") == ["on", "on"]
    assert told(outcome.rulings, "WR-9") == ["foreign-number"]


@pytest.mark.parametrize(("number", "end"), [(3, 49), (4, 50), (5, 51), (6, 46)])
def test_wr_8_onto_a_finish_space_but_not_beyond(number: int, end: int) -> None:
    outcome = go(table(witches={0: (0, 0, 45)}, tiles={46: ("storm", number)}), 1, 45)
    assert where(outcome.state) == [0, 0, end]
    assert told(outcome.rulings, "WR-8") == ["on" if end > 46 else "stays-beyond"]
    assert rules.view(outcome.state)["turn"] == "Bo"


def test_wr_8_an_occupied_place_keeps_the_witch() -> None:
    outcome = go(table(witches={1: (0, 0, 10)}, tiles={3: ("storm", 7)}), 3, 0)
    assert where(outcome.state) == [0, 0, 3]
    assert told(outcome.rulings, "WR-8") == ["stays-occupied"]


@pytest.mark.parametrize("clan", ["cloud", "forest"])
def test_wr_9_the_number_of_another_clan_does_nothing(clan: str) -> None:
    outcome = allowed(tile(go(table(), 3, 0).state, clan, 7))
    assert (where(outcome.state), phase(outcome.state)) == ([0, 0, 3], "roll")
    assert told(outcome.rulings, "WR-9") == ["foreign-number"]


# --- WR-10 to WR-16: signs --------------------------------------------------------------------------------------------


def on_sign(clan: str, *, at: int = 20, players: int = 3, **laid: Any) -> State:  # noqa: ANN401 - as table
    """Bring a storm witch by a roll of 1 onto a face-up sign of a clan."""
    tiles = {at: (clan, "sign"), **laid.pop("tiles", {})}
    witches = {0: (0, 0, at - 1), **laid.pop("witches", {})}
    return go(table(players, witches=witches, tiles=tiles, **laid), 1, at - 1).state


def test_wr_10_own_sign_the_owner_decides() -> None:
    view = rules.view(on_sign("storm"))
    assert (view["phase"], view["deciding"], view["at"], view["turn"]) == ("decide", "storm", 20, "Ana")


def test_wr_10_the_owner_may_stop() -> None:
    outcome = allowed(decide(on_sign("storm"), "storm", None))
    assert (where(outcome.state)[-1], phase(outcome.state)) == (20, "roll")
    assert told(outcome.rulings, "WR-10") == ["left-alone"]


@pytest.mark.parametrize("number", FULL)
def test_wr_10_a_number_card_moves_forward(number: int) -> None:
    outcome = allowed(decide(on_sign("storm"), "storm", number))
    assert where(outcome.state)[-1] == 20 + number
    assert told(outcome.rulings, "WR-10") == ["card-number"]


def test_wr_10_a_number_card_needs_a_free_place() -> None:
    assert rule_of(decide(on_sign("storm", witches={1: (0, 0, 25)}), "storm", 5)) == "WR-10"
    assert rule_of(decide(on_sign("storm", at=45), "storm", 7)) == "WR-10"
    assert where(allowed(decide(on_sign("storm", at=45), "storm", 6)).state)[-1] == 51


def test_wr_10_the_sign_card_goes_to_the_nearest_free_sign_ahead() -> None:
    signs = {4: ("storm", "sign"), 34: ("storm", "sign")}
    outcome = allowed(decide(on_sign("storm", tiles=signs), "storm", "sign"))
    assert where(outcome.state)[-1] == 34
    assert phase(outcome.state) == "decide"  # the sign there is carried out, too


@pytest.mark.parametrize(
    ("tiles", "witches"),
    [
        ({}, {}),
        ({4: ("storm", "sign")}, {}),
        ({34: ("storm", "sign")}, {1: (0, 0, 34)}),
        ({34: ("ice", "sign")}, {}),
    ],
)
def test_wr_10_the_sign_card_needs_such_a_tile(tiles: Tiles, witches: dict[int, tuple[int, int, int]]) -> None:
    assert rule_of(decide(on_sign("storm", tiles=tiles, witches=witches), "storm", "sign")) == "WR-10"


def test_wr_11_the_clan_of_the_sign_decides() -> None:
    state = on_sign("cloud")
    view = rules.view(state)
    assert (view["phase"], view["deciding"], view["turn"]) == ("decide", "cloud", "Ana")
    assert rule_of(decide(state, "storm", None)) is None
    outcome = allowed(decide(state, "cloud", None))
    assert told(outcome.rulings, "WR-11") == ["left-alone"]
    assert rules.view(outcome.state)["turn"] == "Bo"


@pytest.mark.parametrize("number", FULL)
def test_wr_11_a_number_card_moves_backward(number: int) -> None:
    outcome = allowed(decide(on_sign("cloud"), "cloud", number))
    assert where(outcome.state)[-1] == 20 - number
    assert where(outcome.state, "cloud") == [0, 0, 0]


def test_wr_11_not_behind_tile_1_and_not_onto_a_witch() -> None:
    assert where(allowed(decide(on_sign("cloud", at=5), "cloud", 4)).state)[-1] == 1
    assert rule_of(decide(on_sign("cloud", at=5), "cloud", 5)) == "WR-11"
    assert rule_of(decide(on_sign("cloud", at=5), "cloud", 6)) == "WR-11"
    assert rule_of(decide(on_sign("cloud", witches={2: (0, 0, 12)}), "cloud", 8)) == "WR-11"


@pytest.mark.parametrize(
    ("behind", "ahead", "option", "to"),
    [
        (10, 33, "nearest", 10),
        (5, 33, "nearest", 33),
        (7, 33, "nearest", 7),  # equally near: the one behind
        (None, 33, "nearest", 33),
        (5, None, "nearest", 5),
        (5, 33, "backward", 5),
        (None, 33, "backward", None),
        (None, None, "nearest", None),
    ],
)
def test_wr_12_the_sign_card_of_another_clan(
    behind: int | None, ahead: int | None, option: str, to: int | None
) -> None:
    tiles: Tiles = {space: ("cloud", "sign") for space in (behind, ahead) if space is not None}
    outcome = decide(on_sign("cloud", tiles=tiles, foreign_sign=option), "cloud", "sign")
    if to is None:
        assert rule_of(outcome) == "WR-12"
        return
    assert where(allowed(outcome).state)[-1] == to
    assert told(allowed(outcome).rulings, "WR-12") == ["card-sign"]


def test_wr_12_occupied_signs_are_passed_by() -> None:
    tiles: Tiles = {10: ("cloud", "sign"), 34: ("cloud", "sign")}
    state = on_sign("cloud", tiles=tiles, witches={2: (0, 0, 10)})
    assert where(allowed(decide(state, "cloud", "sign")).state)[-1] == 34


def test_wr_12_neutral_cards_follow_it_too() -> None:
    tiles: Tiles = {10: ("forest", "sign"), 33: ("forest", "sign")}
    state = on_sign("forest", tiles=tiles, foreign_sign="nearest")
    assert where(allowed(decide(state, "forest", "sign")).state)[-1] == 10
    ignored = on_sign("forest", tiles={33: ("forest", "sign")}, foreign_sign="backward")
    assert where(allowed(decide(ignored, "forest", "sign")).state)[-1] == 20


@pytest.mark.parametrize("card", [2, 10, "sign"])
def test_wr_13_a_used_card_is_out(card: Any) -> None:  # noqa: ANN401 - a literal
    outcome = allowed(decide(on_sign("storm", tiles={34: ("storm", "sign")}), "storm", card))
    cards = rules.view(outcome.state)["cards"]["storm"]
    assert card not in cards["numbers"]
    assert cards["signs"] == (2 if card == "sign" else 3)
    assert len(cards["numbers"]) == (9 if card == "sign" else 8)
    assert told(outcome.rulings, "WR-13") == ["card-out"]


def test_wr_13_no_card_used_no_card_out() -> None:
    assert rules.view(allowed(decide(on_sign("storm"), "storm", None)).state)["cards"]["storm"]["numbers"] == list(FULL)


@pytest.mark.parametrize("clan", ["cloud", "ice"])
def test_wr_14_brought_back_by_a_number_card_one_must_be_used(clan: str) -> None:
    state = on_sign("cloud", tiles={12: (clan, "sign")})
    after = allowed(decide(state, "cloud", 8))
    assert told(after.rulings, "WR-14") == ["must-use"]
    assert rule_of(decide(after.state, clan, None)) == "WR-14"
    assert isinstance(decide(after.state, clan, 3), Allowed)


def test_wr_14_the_own_sign_counts_as_well_and_leads_forward() -> None:
    state = allowed(decide(on_sign("cloud", tiles={12: ("storm", "sign")}), "cloud", 8)).state
    assert rule_of(decide(state, "storm", None)) == "WR-14"
    assert where(allowed(decide(state, "storm", 3)).state)[-1] == 15


def test_wr_14_a_tile_just_turned_over_counts_as_well() -> None:
    state = allowed(decide(on_sign("cloud"), "cloud", 8)).state
    after = allowed(tile(state, "ice", "sign"))
    assert told(after.rulings, "WR-14") == ["must-use"]
    assert rule_of(decide(after.state, "ice", None)) == "WR-14"


def test_wr_14_a_neutral_number_counts_as_well() -> None:
    state = allowed(decide(on_sign("forest", tiles={12: ("ice", "sign")}), "forest", 8)).state
    assert rule_of(decide(state, "ice", None)) == "WR-14"


def test_wr_14_not_after_an_own_number_in_between() -> None:
    for tiles in ({12: ("storm", 3), 15: ("ice", "sign")}, {15: ("ice", "sign")}):
        after = allowed(decide(on_sign("cloud", tiles=tiles), "cloud", 8))
        if 12 not in tiles:
            after = allowed(tile(after.state, "storm", 3))
        assert told(after.rulings, "WR-14") == []
        assert isinstance(decide(after.state, "ice", None), Allowed)


def test_wr_14_not_after_a_sign_card_nor_forward() -> None:
    state = allowed(decide(on_sign("cloud", tiles={10: ("cloud", "sign")}), "cloud", "sign")).state
    assert isinstance(decide(state, "cloud", None), Allowed)
    state = allowed(decide(on_sign("storm", tiles={28: ("ice", "sign")}), "storm", 8)).state
    assert isinstance(decide(state, "ice", None), Allowed)


@pytest.mark.parametrize(("back", "asked"), [(8, True), (10, False)])
def test_wr_14_only_if_a_card_can_be_used(back: int, asked: bool) -> None:  # noqa: FBT001 - a parameter of the test
    hands = {"ice": hand(10, signs=3)}  # the ten leads from 12 to tile 2, but from 10 to no tile
    state = on_sign("cloud", tiles={20 - back: ("ice", "sign")}, hands=hands)
    after = allowed(decide(state, "cloud", back))
    assert phase(after.state) == ("decide" if asked else "roll")
    assert told(after.rulings, "WR-14" if asked else "WR-15") == ["must-use" if asked else "no-card"]


def test_wr_14_the_duty_ends_with_the_turn() -> None:
    state = allowed(decide(on_sign("cloud"), "cloud", 8)).state
    state = allowed(tile(state, "ice", 9)).state
    assert not state.forced


@pytest.mark.parametrize(
    ("clan", "hands"),
    [
        ("storm", {"storm": hand()}),
        ("storm", {"storm": hand(signs=3)}),
        ("cloud", {"cloud": hand()}),
        ("cloud", {"cloud": hand(signs=3)}),
        ("cloud", {"cloud": hand(6, 10, signs=1)}),
    ],
)
def test_wr_15_without_a_usable_card_nobody_is_asked(clan: str, hands: dict[str, Hand]) -> None:
    state = table(witches={0: (0, 0, 19), 1: (0, 10, 14)}, tiles={20: (clan, "sign")}, hands=hands)
    outcome = go(state, 1, 19)
    assert told(outcome.rulings, "WR-15") == ["no-card"]
    assert (where(outcome.state)[-1], phase(outcome.state)) == (20, "roll")


def test_wr_15_one_usable_card_is_asked_for() -> None:
    assert phase(on_sign("storm", hands={"storm": hand(10)})) == "decide"
    assert phase(on_sign("storm", hands={"storm": hand(signs=1)}, tiles={40: ("storm", "sign")})) == "decide"


def test_wr_16_the_top_card_of_the_neutral_pile_is_drawn() -> None:
    state = on_sign("forest")
    view = rules.view(state)
    assert (view["phase"], view["deciding"]) == ("decide", "forest")
    assert rule_of(decide(state, "forest", None)) == "WR-16"
    outcome = allowed(decide(state, "forest", 7))
    assert where(outcome.state)[-1] == 13
    assert 7 not in rules.view(outcome.state)["cards"]["forest"]["numbers"]
    assert 7 in rules.view(outcome.state)["cards"]["storm"]["numbers"]


@pytest.mark.parametrize(("at", "card"), [(5, 5), (5, 9), (20, "sign"), (20, 8)])
def test_wr_16_what_cannot_be_done_is_ignored_and_out(at: int, card: Any) -> None:  # noqa: ANN401 - a literal
    state = on_sign("forest", at=at, witches={1: (0, 0, 12)})
    outcome = allowed(decide(state, "forest", card))
    assert told(outcome.rulings, "WR-16") == ["draw-ignored"]
    assert (where(outcome.state)[-1], phase(outcome.state)) == (at, "roll")
    cards = rules.view(outcome.state)["cards"]["forest"]
    assert len(cards["numbers"]) + cards["signs"] == 11


def test_wr_16_it_is_drawn_even_if_none_could_be_used() -> None:
    assert phase(on_sign("forest", hands={"forest": hand(signs=1)})) == "decide"


def test_wr_16_an_empty_pile_leaves_the_witch_alone() -> None:
    state = table(witches={0: (0, 0, 19)}, tiles={20: ("forest", "sign")}, hands={"forest": hand()})
    outcome = go(state, 1, 19)
    assert told(outcome.rulings, "WR-16") == ["pile-empty"]
    assert phase(outcome.state) == "roll"


def test_wr_16_brought_back_onto_a_neutral_sign_it_draws_again() -> None:
    state = allowed(decide(on_sign("forest", tiles={12: ("forest", "sign")}), "forest", 8)).state
    assert (phase(state), rules.view(state)["at"]) == ("decide", 12)
    assert rule_of(decide(state, "forest", None)) == "WR-16"
    assert rule_of(decide(state, "forest", 8)) == "WR-20"


# --- WR-17 to WR-19: the ends -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "turn", "following"), [(2, 1, "Ana"), (3, 1, "Cid"), (4, 3, "Ana")])
def test_wr_17_the_next_player_clockwise_rolls(players: int, turn: int, following: str) -> None:
    state = go(table(players, turn=turn), 2, 0).state
    outcome = allowed(tile(state, CLANS[(turn + 1) % players], 7))
    assert rules.view(outcome.state)["turn"] == following
    assert told(outcome.rulings, "WR-17") == ["next"]


def test_wr_18_the_third_witch_home_ends_the_game() -> None:
    outcome = go(table(witches={0: (48, 49, 51), 1: (0, 50, 50)}), 2, 48)
    view = rules.view(outcome.state)
    assert (view["phase"], view["turn"], view["die"], view["at"]) == ("over", "Ana", None, None)
    assert told(outcome.rulings, "WR-18") == ["third-home"]
    assert rules.expects(outcome.state) == ()
    assert rule_of(roll(outcome.state, 1)) is None


def test_wr_18_two_home_are_not_enough() -> None:
    assert phase(go(table(witches={0: (47, 48, 49)}), 2, 48).state) == "roll"


@pytest.mark.parametrize("way", ["number", "card"])
def test_wr_18_however_it_got_there(way: str) -> None:
    face: Any = 3 if way == "number" else "sign"
    state = table(witches={0: (45, 49, 49)}, tiles={46: ("storm", face)})
    outcome = go(state, 1, 45)
    if way == "card":
        outcome = allowed(decide(outcome.state, "storm", 3))
    assert phase(outcome.state) == "over"


def test_wr_19_points_of_the_finish_board() -> None:
    outcome = go(table(witches={0: (48, 49, 51), 1: (0, 50, 51), 2: (0, 46, 47)}), 2, 48)
    assert rules.result(outcome.state) == {"scores": {"Ana": 9, "Bo": 7, "Cid": 0}, "winners": ["Ana"]}
    assert told(outcome.rulings, "WR-19") == ["points", "points", "points", "wins"]


def test_wr_19_who_ends_it_need_not_win() -> None:
    outcome = go(table(witches={0: (48, 49, 49), 1: (0, 51, 51)}), 1, 48)
    assert rules.result(outcome.state) == {"scores": {"Ana": 6, "Bo": 8, "Cid": 0}, "winners": ["Bo"]}


def test_wr_19_a_tie_is_shared() -> None:
    outcome = go(table(witches={0: (48, 49, 49), 1: (0, 49, 51)}), 1, 48)
    result = rules.result(outcome.state)
    assert result == {"scores": {"Ana": 6, "Bo": 6, "Cid": 0}, "winners": ["Ana", "Bo"]}
    assert told(outcome.rulings, "WR-19")[-1] == "win-shared"


# --- WR-20: what does not add up --------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [1, 16, 17, 48])
def test_wr_20_a_number_lies_once(other: int) -> None:
    state = go(table(tiles={other: ("ice", 7)}), 3, 0).state
    assert rule_of(tile(state, "ice", 7)) == "WR-20"
    assert isinstance(tile(state, "cloud", 7), Allowed)


@pytest.mark.parametrize(("other", "refuses"), [(1, True), (16, True), (17, False), (48, False)])
def test_wr_20_one_sign_a_section(other: int, refuses: bool) -> None:  # noqa: FBT001 - a parameter of the test
    state = go(table(tiles={other: ("ice", "sign")}), 3, 0).state
    outcome = tile(state, "ice", "sign")
    assert isinstance(outcome, Refused) == refuses
    if refuses:
        assert rule_of(outcome) == "WR-20"


@pytest.mark.parametrize(("spaces", "refuses"), [((1, 2, 16), True), ((1, 2, 17), False), ((17, 18, 19), False)])
def test_wr_20_three_numbers_a_section(spaces: tuple[int, ...], refuses: bool) -> None:  # noqa: FBT001 - as above
    tiles: Tiles = {space: ("ice", number) for number, space in enumerate(spaces, 2)}
    state = go(table(tiles=tiles, witches={0: (0, 0, 9)}), 4, 9).state
    outcome = tile(state, "ice", 9)
    assert isinstance(outcome, Refused) == refuses
    if refuses:
        assert rule_of(outcome) == "WR-20"
        assert isinstance(tile(state, "ice", "sign"), Allowed)


def test_wr_20_sections_end_at_16_and_32() -> None:
    for space, section in ((16, 1), (17, 2), (32, 2), (33, 3)):
        near = {1: 2, 2: 18, 3: 34}[section]
        state = go(table(tiles={near: ("ice", "sign")}, witches={0: (0, 0, space - 1)}), 1, space - 1).state
        assert rule_of(tile(state, "ice", "sign")) == "WR-20"


@pytest.mark.parametrize("card", [5, "sign"])
@pytest.mark.parametrize("clan", ["storm", "cloud", "forest"])
def test_wr_20_a_card_is_used_once(clan: str, card: Any) -> None:  # noqa: ANN401 - a literal
    state = on_sign(clan, hands={clan: hand(2, 3)}, tiles={10: (clan, "sign"), 34: (clan, "sign")})
    assert rule_of(decide(state, clan, card)) == "WR-20"


def test_apply_knows_its_inputs_only() -> None:
    with pytest.raises(TypeError):
        rules.apply(table(), object())
