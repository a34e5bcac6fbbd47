"""Each clause of horror-race, and what breaks it."""

from typing import Any, TypeAlias

import msgspec
import pytest

from engines.core import Json, Refused, Ruling, SetupError
from engines.horror_race import garnets, pool, rules, track
from engines.record import Header, RecordError, Replay

Kit: TypeAlias = Any  # what conftest.py gives

# 24 tokens: what four players lay in a round. gumiho moves 1, mummy 2, vampire 4.
FOUR = {
    "1": {"gumiho": 6, "mummy": 2, "zombie": 1},
    "2": {"mummy": 3, "vampire": 2},
    "4": {"vampire": 4, "jiangshi": 3, "zombie": 3},
}
FOUR_PASSED = FOUR | {"4": {"vampire": 4, "jiangshi": 3}}  # a turn less
# 18 tokens: what six players lay.
SIX = {"1": {"gumiho": 5}, "2": {"mummy": 5}, "4": {"vampire": 4, "jiangshi": 3, "zombie": 1}}


def counts(**tokens: int) -> tuple[int, ...]:
    return tuple(tokens.get(name, 0) for name in ("gumiho", "mummy", "vampire", "jiangshi", "zombie"))


def kinds(outcome: Json) -> list[tuple[str, str]]:
    return [(one.rule, one.kind) for one in outcome.rulings]


def facts(outcome: Json, kind: str) -> dict[str, Json]:
    return next(one.facts for one in outcome.rulings if one.kind == kind)


def broken(outcome: Json) -> tuple[str | None, str]:
    assert type(outcome) is Refused
    return outcome.ruling.rule, outcome.ruling.kind


def shown(kit: Kit, number: int, seen: tuple[int, ...] = (0,) * 5, **fields: Json) -> Json:
    """A state in which the tokens are to be shown."""
    placing = (("gumiho",), ("mummy",), ("vampire",), ("jiangshi",), ("zombie",))
    state = kit.seat(number, **fields.pop("options", {}))
    return msgspec.structs.replace(state, **{"phase": "reveal", "seen": seen, "placing": placing, **fields})


def reveal_all(kit: Kit, state: Json, *picks: list[str]) -> Json:
    for name, two in zip(kit.names, picks, strict=False):
        outcome = kit.give(state, "reveal", player=name, picks=two)
        state = outcome.state
    return outcome


def test_hr_1_opening_hides_two_and_pools_three(kit: Kit) -> None:
    opening = rules.opening(kit.seat(7))
    assert next(one.facts for one in opening if one.kind == "hide") == {"players": 7, "pool": 21}


def test_hr_1_the_two_hidden_are_different(kit: Kit) -> None:
    assert broken(kit.give(shown(kit, 6), "reveal", player="Bo", picks=["zombie", "zombie"])) == ("HR-1", "pick-twice")


@pytest.mark.parametrize(("number", "extra", "laps"), [(3, 2, 2), (4, 3, 2), (5, 3, 2), (6, 0, 1), (12, 0, 1)])
def test_hr_2_and_hr_5_few_players(kit: Kit, number: int, extra: Json, laps: Json) -> None:
    state = kit.seat(number)
    assert (state.setup.extra, state.setup.laps) == (extra, laps)
    told = [(one.rule, one.kind) for one in rules.opening(state)]
    assert (("HR-2", "extra") in told) == (extra > 0)
    assert (("HR-5", "laps-pass") in told) == (laps > 1)


def test_hr_5_without_passing_says_nothing_of_it(kit: Kit) -> None:
    assert "laps" in [one.kind for one in rules.opening(kit.seat(3, passing=False))]


def test_hr_3_a_joker_counts_as_its_character(kit: Kit) -> None:
    zones = {"1": {"gumiho": 3, "joker:zombie": 1, "zombie": 3}, "2": {"mummy": 5}, "4": {"vampire": 4, "jiangshi": 2}}
    outcome = kit.give(kit.seat(6, jokers=True), "round", zones=zones, passed=None)
    assert facts(outcome, "joker-stands") == {"zone": 1, "character": "zombie", "tokens": 1}
    assert outcome.state.track == (0, 2, 4, 0, 1)
    assert outcome.state.seen == (3, 5, 4, 2, 3)


def test_hr_4_start_player_begins(kit: Kit) -> None:
    state = kit.seat(4, start_player="민수")
    assert rules.view(state)["order"] == ["민수", "Ana L", "다은", "Bo"]
    assert rules.opening(state)[-1].facts["player"] == "민수"


def test_hr_4_start_player_must_play(kit: Kit) -> None:
    with pytest.raises(SetupError):
        kit.seat(3, start_player="nobody")


@pytest.mark.parametrize("passed", ["다은", "Bo", "민수", "Ana L"])
def test_hr_6_anybody_may_pass_the_last_player_too(kit: Kit, passed: Json) -> None:
    outcome = kit.give(kit.seat(4), "round", zones=FOUR_PASSED, passed=passed)
    assert facts(outcome, "passed") == {"player": passed}
    assert facts(outcome, "laid")["turns"] == 7


def test_hr_7_zone_1_moves_one_then_zone_2_two_then_zone_4_four(kit: Kit) -> None:
    outcome = kit.give(kit.seat(4), "round", zones=FOUR, passed=None)
    moves = [one.facts for one in outcome.rulings if one.kind == "moved"]
    assert [(one["zone"], one["character"], one["from"], one["to"]) for one in moves] == [
        (1, "gumiho", 0, 1),
        (2, "mummy", 0, 2),
        (4, "vampire", 0, 4),
    ]


@pytest.mark.parametrize(
    ("tokens", "mover", "level"),
    [
        (counts(gumiho=3, mummy=3, zombie=3, jiangshi=2), "jiangshi", [(3, ["gumiho", "mummy", "zombie"])]),
        (
            counts(gumiho=3, mummy=3, zombie=3, jiangshi=2, vampire=2),
            None,
            [(3, ["gumiho", "mummy", "zombie"]), (2, ["vampire", "jiangshi"])],
        ),
        (
            counts(gumiho=2, mummy=2, zombie=1, jiangshi=5, vampire=5),
            "zombie",
            [(5, ["vampire", "jiangshi"]), (2, ["gumiho", "mummy"])],
        ),
        (counts(gumiho=2, mummy=2), None, [(2, ["gumiho", "mummy"])]),
        (counts(gumiho=2, mummy=1, zombie=1), "gumiho", []),
        (counts(zombie=1), "zombie", []),
        (counts(), None, []),
    ],
)
def test_hr_8_hr_9_shared_counts_are_set_aside(tokens: Json, mover: Json, level: Json) -> None:
    told: list[Ruling] = []
    after = track.run((0,) * 5, (counts(), tokens, counts()), 13, told)
    moved = [one.facts["character"] for one in told if one.kind == "moved"]
    assert moved == ([mover] if mover else [])
    assert sum(after) == (2 if mover else 0)
    assert [(one.facts["tokens"], one.facts["characters"]) for one in told if one.rule == "HR-8"] == level
    still = [(one.kind, one.facts["zone"]) for one in told if one.rule == "HR-9"]
    zone_2 = [] if mover else [("nobody-level" if level else "zone-empty", 2)]
    assert still == [("zone-empty", 1), *zone_2, ("zone-empty", 4)]


def test_hr_9_no_token_no_move(kit: Kit) -> None:
    zones = {"1": {}, "2": {}, "4": {"gumiho": 6, "mummy": 6, "vampire": 6}}
    outcome = kit.give(kit.seat(6), "round", zones=zones, passed=None)
    assert outcome.state.track == (0, 0, 0, 0, 0)
    assert ("HR-9", "nobody-level") in kinds(outcome)


def test_hr_10_tokens_go_back(kit: Kit) -> None:
    assert ("HR-10", "tokens-back") in kinds(kit.give(kit.seat(6), "round", zones=SIX, passed=None))


def test_hr_11_nobody_passed_start_moves_one_seat(kit: Kit) -> None:
    outcome = kit.give(kit.seat(6, start_player="Kim"), "round", zones=SIX, passed=None)
    assert rules.view(outcome.state)["order"] == ["다은", "Bo", "민수", "Ana L", "P7", "Kim"]
    assert outcome.rulings[-1].rule == "HR-11"
    assert outcome.rulings[-1].facts == {"player": "다은", "last": "Kim", "round": 2}


@pytest.mark.parametrize(
    ("passed", "order"),
    [
        ("다은", ["Bo", "민수", "Ana L", "다은"]),
        ("민수", ["Ana L", "다은", "Bo", "민수"]),
        ("Ana L", ["다은", "Bo", "민수", "Ana L"]),
    ],
)
def test_hr_12_whoever_passed_is_last(kit: Kit, passed: Json, order: Json) -> None:
    outcome = kit.give(kit.seat(4), "round", zones=FOUR_PASSED, passed=passed)
    assert rules.view(outcome.state)["order"] == order
    assert outcome.rulings[-1].rule == "HR-12"


def test_hr_13_without_passing_the_start_turns(kit: Kit) -> None:
    state = kit.seat(4, passing=False)
    outcome = kit.give(state, "round", zones=FOUR, passed=None)
    assert rules.view(outcome.state)["order"][0] == "Bo"
    assert outcome.rulings[-1].rule == "HR-13"
    assert broken(kit.give(state, "round", zones=FOUR_PASSED, passed="Bo")) == ("HR-13", "no-passing")
    assert broken(kit.give(state, "round", zones=FOUR_PASSED, passed="nobody")) == (None, "unknown-player")


def test_hr_14_goal_in_zone_1_stops_the_others() -> None:
    told: list[Ruling] = []
    after = track.run((4, 3, 2, 0, 0), (counts(gumiho=1), counts(mummy=1), counts(vampire=1)), 5, told)
    assert after == (5, 3, 2, 0, 0)
    assert [(one.rule, one.kind) for one in told] == [
        ("HR-7", "moved"),
        ("HR-14", "goal"),
        ("HR-14", "zones-skipped"),
    ]
    assert told[-1].facts["zones"] == [2, 4]


def test_hr_14_surplus_steps_are_lost() -> None:
    told: list[Ruling] = []
    assert track.run((0, 0, 12, 0, 0), (counts(), counts(), counts(vampire=1)), 13, told) == (0, 0, 13, 0, 0)
    assert told[-1].facts == {"character": "vampire", "zone": 4, "lost": 3, "to": 13}


def test_hr_14_order_and_round_stay_at_the_end(kit: Kit) -> None:
    state = msgspec.structs.replace(kit.seat(4, steps=5), track=(4, 0, 0, 0, 0), first=2, round=4)
    found = rules.view(kit.give(state, "round", zones=FOUR_PASSED, passed="Bo").state)
    assert (found["phase"], found["round"], found["order"][0]) == ("reveal", 4, "민수")
    assert found["track"] == {"gumiho": 5, "mummy": 0, "vampire": 0, "jiangshi": 0, "zombie": 0}


def test_hr_15_equal_spaces_share_a_place() -> None:
    told: list[Ruling] = []
    assert track.places((4, 13, 0, 4, 7), told) == (("mummy",), ("zombie",), ("gumiho", "jiangshi"), ("vampire",))
    assert [(one.kind, one.facts["place"], one.facts["at"]) for one in told] == [
        ("place", 1, 13),
        ("place", 2, 7),
        ("place-shared", 3, 4),
        ("place", 4, 0),
    ]


@pytest.mark.parametrize(
    ("spaces", "paid"),
    [
        ((13, 9, 5, 2, 1), (3, 2, 1, 0, 0)),
        ((13, 9, 5, 5, 1), (3, 2, 0, 0, 0)),  # HR-17
        ((13, 9, 5, 5, 5), (3, 2, 0, 0, 0)),
        ((13, 9, 9, 5, 1), (3, 1, 1, 0, 0)),  # HR-18
        ((13, 9, 9, 5, 5), (3, 1, 1, 0, 0)),
        ((13, 0, 0, 0, 0), (3, 1, 1, 1, 1)),
    ],
)
def test_hr_16_hr_17_hr_18_what_a_token_is_worth(spaces: Json, paid: Json) -> None:
    assert tuple(garnets.worth(track.places(spaces, [])).values()) == paid


def test_hr_16_first_and_second_add_up_to_five(kit: Kit) -> None:
    picks = [["gumiho", "mummy"], ["zombie", "vampire"], ["mummy", "vampire"], *[["jiangshi", "zombie"]] * 3]
    outcome = reveal_all(kit, shown(kit, 6), *picks)
    assert outcome.state.garnets == (5, 1, 3, 0, 0, 0)
    assert facts(outcome, "paid") == {"player": "다은", "picks": ["gumiho", "mummy"], "each": [3, 2], "sum": 5}


def test_hr_17_third_shared_is_told(kit: Kit) -> None:
    placing = (("gumiho",), ("mummy",), ("vampire", "zombie"), ("jiangshi",))
    outcome = reveal_all(kit, shown(kit, 6, placing=placing), *[["vampire", "zombie"]] * 6)
    assert outcome.state.garnets == (0,) * 6
    assert ("HR-17", "third-shared") in kinds(outcome)


@pytest.mark.parametrize(("second_tie", "sums"), [("token", (2, 4, 1, 0, 0, 0)), ("player", (1, 4, 1, 0, 0, 0))])
def test_hr_18_second_shared_by_token_or_by_player(kit: Kit, second_tie: Json, sums: Json) -> None:
    placing = (("gumiho",), ("mummy", "vampire"), ("zombie",), ("jiangshi",))
    state = shown(kit, 6, placing=placing, options={"second_tie": second_tie})
    picks = [["vampire", "mummy"], ["gumiho", "mummy"], ["zombie", "mummy"], *[["jiangshi", "zombie"]] * 3]
    outcome = reveal_all(kit, state, *picks)
    assert outcome.state.garnets == sums
    assert (("HR-18", "paid-once") in kinds(outcome)) == (second_tie == "player")


def guess_all(kit: Kit, state: Json, character: str) -> Json:
    players = state.setup.players
    for name in reversed(players):
        guesses = dict.fromkeys([other for other in players if other != name], character)
        outcome = kit.give(state, "guess", player=name, guesses=guesses)
        state = outcome.state
    return outcome


def test_hr_19_a_garnet_for_each_opponent_guessed_right(kit: Kit) -> None:
    state = shown(kit, 3, phase="guess", options={"deduction": True})
    assert [one.who for one in rules.expects(state)] == ["다은", "Bo", "민수"]
    guessed = guess_all(kit, state, "zombie")
    assert (guessed.state.phase, rules.view(guessed.state)["guessed"]) == ("reveal", ["다은", "Bo", "민수"])
    outcome = reveal_all(kit, guessed.state, ["zombie", "jiangshi"], ["jiangshi", "zombie"], ["vampire", "jiangshi"])
    assert outcome.state.garnets == (1, 1, 1 + 2)
    assert facts(outcome, "guesses-right") == {"player": "다은", "opponents": ["Bo"], "sum": 1}


def test_hr_19_nobody_guessed_right_is_told(kit: Kit) -> None:
    guessed = guess_all(kit, shown(kit, 3, phase="guess", options={"deduction": True}), "mummy")
    outcome = reveal_all(kit, guessed.state, *[["zombie", "jiangshi"]] * 3)
    assert ("HR-19", "guesses-wrong") in kinds(outcome)


@pytest.mark.parametrize(
    ("guesses", "kind"),
    [
        ({"Bo": "zombie"}, "guess-missing"),
        ({"Bo": "zombie", "nobody": "zombie"}, "unknown-player"),
        ({"Bo": "zombie", "민수": "zombie", "다은": "zombie"}, "guess-self"),
    ],
)
def test_hr_19_guesses_name_every_opponent_and_nobody_else(kit: Kit, guesses: Json, kind: Json) -> None:
    state = shown(kit, 3, phase="guess", options={"deduction": True})
    assert broken(kit.give(state, "guess", player="다은", guesses=guesses)) == (None, kind)


def test_hr_19_nobody_guesses_twice(kit: Kit) -> None:
    state = shown(kit, 3, phase="guess", options={"deduction": True})
    guesses = {"Bo": "zombie", "민수": "mummy"}
    after = kit.give(state, "guess", player="다은", guesses=guesses).state
    assert broken(kit.give(after, "guess", player="다은", guesses=guesses)) == (None, "guessed-already")
    assert broken(kit.give(after, "reveal", player="Bo", picks=["mummy", "zombie"])) == (None, "not-now")


@pytest.mark.parametrize(("number", "races"), [(3, 3), (6, 3), (7, 2), (12, 2)])
def test_hr_20_how_many_races(kit: Kit, number: int, races: Json) -> None:
    assert rules.view(kit.seat(number))["races"] == races
    over = reveal_all(kit, shown(kit, number, race=races), *[["zombie", "jiangshi"]] * number)
    assert over.state.phase == "over"
    assert rules.result(over.state) == {
        "scores": dict.fromkeys(kit.names[:number], 0),
        "winners": list(kit.names[:number]),
    }
    assert rules.expects(over.state) == ()
    going_on = reveal_all(kit, shown(kit, number, race=races - 1), *[["zombie", "jiangshi"]] * number)
    assert (going_on.state.phase, rules.result(going_on.state)) == ("start", None)


def test_hr_20_most_garnets_win(kit: Kit) -> None:
    state = shown(kit, 3, race=3, garnets=(4, 0, 1))
    outcome = reveal_all(kit, state, ["zombie", "jiangshi"], ["gumiho", "mummy"], ["zombie", "vampire"])
    assert rules.result(outcome.state) == {"scores": {"다은": 4, "Bo": 5, "민수": 2}, "winners": ["Bo"]}
    assert outcome.rulings[-1].kind == "wins"


def test_hr_21_the_fewest_name_the_start_and_all_is_set_up_afresh(kit: Kit) -> None:
    state = shown(kit, 4, seen=(4, 4, 4, 4, 2), track=(13, 9, 5, 2, 1), garnets=(1, 0, 3, 0), round=5)
    paid = reveal_all(kit, state, *[["zombie", "jiangshi"]] * 3, ["zombie", "mummy"]).state
    assert rules.view(paid)["garnets"] == {"다은": 1, "Bo": 0, "민수": 3, "Ana L": 2}
    assert [(one.input, one.role, one.who) for one in rules.expects(paid)] == [("start", "player", "Bo")]
    assert broken(kit.give(paid, "start", player="Bo", chosen_by="다은")) == ("HR-21", "not-fewest")
    outcome = kit.give(paid, "start", player="민수", chosen_by="Bo")
    assert rules.view(outcome.state) == {
        "phase": "round",
        "race": 2,
        "races": 3,
        "round": 1,
        "order": ["민수", "Ana L", "다은", "Bo"],
        "track": dict.fromkeys(kit.characters, 0),
        "placing": None,
        "guessed": [],
        "revealed": {},
        "garnets": {"다은": 1, "Bo": 0, "민수": 3, "Ana L": 2},
    }
    assert outcome.state.seen == outcome.state.hidden == (0, 0, 0, 0, 0)
    assert ("HR-1", "hide") in kinds(outcome)


def test_hr_21_several_with_the_fewest_may_each_name(kit: Kit) -> None:
    state = reveal_all(kit, shown(kit, 3), ["zombie", "jiangshi"], ["zombie", "jiangshi"], ["zombie", "mummy"]).state
    assert [one.who for one in rules.expects(state)] == ["다은", "Bo"]
    for chooser in ("다은", "Bo"):
        assert kit.give(state, "start", player="민수", chosen_by=chooser).state.first == 2


@pytest.mark.parametrize("fields", [{"player": "nobody", "chosen_by": "Bo"}, {"player": "Bo", "chosen_by": "nobody"}])
def test_hr_21_unknown_names(kit: Kit, fields: Json) -> None:
    state = reveal_all(kit, shown(kit, 3), *[["zombie", "jiangshi"]] * 3).state
    assert broken(kit.give(state, "start", **fields)) == (None, "unknown-player")


def test_hr_21_race_just_paid_is_still_shown(kit: Kit) -> None:
    state = shown(kit, 3, track=(13, 9, 5, 2, 1))
    found = rules.view(reveal_all(kit, state, ["zombie", "jiangshi"], *[["jiangshi", "zombie"]] * 2).state)
    assert found["phase"] == "start"
    assert found["placing"] == [["gumiho"], ["mummy"], ["vampire"], ["jiangshi"], ["zombie"]]
    assert found["revealed"] == {
        "다은": ["zombie", "jiangshi"],
        "Bo": ["jiangshi", "zombie"],
        "민수": ["jiangshi", "zombie"],
    }
    assert found["track"]["gumiho"] == 13


@pytest.mark.parametrize(
    ("number", "zones", "passed", "kind"),
    [
        (4, FOUR, "Bo", "tokens-many"),
        (4, FOUR_PASSED, None, "tokens-missing"),
        (6, {"1": {}, "2": {}, "4": {}}, None, "tokens-missing"),
        (6, SIX | {"1": {"gumiho": 7}, "4": {"vampire": 4, "jiangshi": 1, "zombie": 1}}, None, "character-many"),
        (6, SIX | {"1": {"gumiho": 10**30}}, None, "character-many"),
        (6, SIX | {"1": {"gumiho": 4, "joker:gumiho": 1}}, None, "jokers-out"),
        # three players hold 3 x 3 + 5 x 2 = 19: 5 + 5 + 5 + 1 + 2, but two of each are surely there
        (
            3,
            {"1": {"gumiho": 5}, "2": {"mummy": 5}, "4": {"vampire": 5, "jiangshi": 1, "zombie": 2}},
            None,
            "",
        ),
        (3, {"1": {"gumiho": 5}, "2": {"mummy": 5}, "4": {"vampire": 5, "jiangshi": 3}}, None, "race-many"),
    ],
)
def test_hr_22_one_round(kit: Kit, number: int, zones: Json, passed: Json, kind: Json) -> None:
    outcome = kit.give(kit.seat(number), "round", zones=zones, passed=passed)
    if kind:
        assert broken(outcome) == ("HR-22", kind)
    else:
        assert type(outcome) is not Refused


@pytest.mark.parametrize(("number", "most"), [(3, 5), (4, 7), (5, 8), (6, 6), (12, 12)])
def test_hr_22_of_one_character(kit: Kit, number: int, most: Json) -> None:
    state = kit.seat(number)
    assert state.setup.most == most
    for tokens, kind in ((most, "tokens-missing"), (most + 1, "character-many")):
        laid = pool.count(pool.Tokens(zombie=tokens), pool.Tokens(), pool.Tokens())
        assert pool.impossible_round(state, laid, laid.characters, 12).ruling.kind == kind


@pytest.mark.parametrize(("jokers", "refused"), [(3, False), (4, True)])
def test_hr_22_at_most_three_jokers(kit: Kit, jokers: Json, refused: Json) -> None:
    zones = {"1": {"gumiho": 5, "joker:mummy": jokers - 1}, "2": {"joker:zombie": 1}, "4": {"vampire": 5}}
    zones["4"]["jiangshi"] = 18 - 10 - jokers
    outcome = kit.give(kit.seat(6, jokers=True), "round", zones=zones, passed=None)
    assert (type(outcome) is Refused) == refused
    if refused:
        assert broken(outcome) == ("HR-22", "jokers-many")


def test_hr_22_over_a_race_no_more_than_the_pool(kit: Kit) -> None:
    after = kit.give(kit.seat(6), "round", zones=SIX, passed=None).state
    again = SIX | {"4": {"vampire": 4, "jiangshi": 2, "zombie": 2}}
    outcome = kit.give(after, "round", zones=again, passed=None)
    assert broken(outcome) == ("HR-22", "race-many")
    assert outcome.ruling.facts["known"] == [5, 5, 4, 3, 2]
    assert kit.give(after, "round", zones=SIX, passed=None).state.round == 3


def test_hr_23_what_lay_in_the_zones_was_not_hidden(kit: Kit) -> None:
    state = shown(kit, 6, seen=(5, 5, 4, 3, 1))
    after = kit.give(state, "reveal", player="Bo", picks=["zombie", "gumiho"]).state
    assert broken(kit.give(after, "reveal", player="Kim", picks=["zombie", "gumiho"])) == ("HR-23", "pick-laid")


def test_hr_23_nobody_is_left_without_two_tokens(kit: Kit) -> None:
    # Three players, five of each at most: hidden can be 1 gumiho, 1 mummy, 1 vampire, 3 jiangshi (seen 2), 0 zombie.
    state = shown(kit, 3, seen=(4, 4, 4, 2, 5))
    outcome = kit.give(state, "reveal", player="Bo", picks=["gumiho", "mummy"])
    assert broken(outcome) == ("HR-23", "none-left")
    assert outcome.ruling.facts["free"] == 3
    assert kit.give(state, "reveal", player="Bo", picks=["gumiho", "jiangshi"]).state.hidden == (1, 0, 0, 1, 0)


def test_hr_23_every_player_shows_once(kit: Kit) -> None:
    state = kit.give(shown(kit, 6), "reveal", player="Bo", picks=["zombie", "gumiho"]).state
    assert broken(kit.give(state, "reveal", player="Bo", picks=["zombie", "mummy"])) == (None, "shown-already")
    assert broken(kit.give(state, "reveal", player="nobody", picks=["zombie", "mummy"])) == (None, "unknown-player")


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("guess", {"player": "Bo", "guesses": {"다은": "mummy", "민수": "mummy"}}),
        ("reveal", {"player": "Bo", "picks": ["mummy", "mummy"]}),
        ("start", {"player": "Bo", "chosen_by": "Bo"}),
    ],
)
def test_other_phases_inputs_are_refused_in_a_round(kit: Kit, name: str, fields: Json) -> None:
    assert broken(kit.give(kit.seat(3), name, **fields)) == (None, "not-now")


def test_a_round_is_refused_when_tokens_are_shown(kit: Kit) -> None:
    assert broken(kit.give(shown(kit, 3), "round", zones=FOUR, passed=None)) == (None, "not-now")


ROUND = {"input": "round", "zones": SIX, "passed": None}
MISSHAPEN = [
    ROUND | {"zones": {"1": {}, "2": {}}},
    ROUND | {"zones": SIX | {"3": {}}},
    ROUND | {"zones": SIX | {"1": {"werewolf": 5}}},
    ROUND | {"zones": SIX | {"1": {"joker": 5}}},
    ROUND | {"zones": SIX | {"1": {"joker:joker": 5}}},
    ROUND | {"zones": SIX | {"1": {"gumiho": 0, "mummy": 5}}},
    ROUND | {"zones": SIX | {"1": {"gumiho": 5.0}}},
    ROUND | {"zones": SIX | {"1": {"gumiho": True}}},
    ROUND | {"zones": SIX | {"1": None}},
    ROUND | {"zones": SIX | {"1": ["gumiho"]}},
    ROUND | {"zones": None},
    ROUND | {"passed": "nobody"},
    ROUND | {"passed": False},
    ROUND | {"player": "Bo"},
    {"input": "round", "zones": SIX},
    {"input": "reveal", "player": "Bo", "picks": ["mummy"]},
    {"input": "reveal", "player": "Bo", "picks": ["mummy", "zombie", "gumiho"]},
    {"input": "reveal", "player": "Bo", "picks": ["mummy", "joker:mummy"]},
    {"input": "guess", "player": "Bo", "guesses": {"다은": None}},
    {"input": "guess", "player": "Bo", "guesses": []},
    {"input": "start", "player": "Bo", "chosen_by": None},
    {"input": "start", "player": "Bo"},
    {"input": "draw", "player": "Bo"},
]


@pytest.mark.parametrize("found", MISSHAPEN, ids=str)
def test_wrong_shapes_have_no_clause(kit: Kit, found: Json) -> None:
    replay = Replay(Header("horror-race", kit.names[:6], {}))
    outcome = replay.carry_out(2, found)
    assert type(outcome) is Refused
    assert outcome.ruling.rule is None
    assert replay.steps == []


@pytest.mark.parametrize(
    "options",
    [
        {"steps": 4},
        {"steps": 41},
        {"steps": 13.0},
        {"steps": True},
        {"jokers": 1},
        {"passing": None},
        {"deduction": "true"},
        {"start_player": None},
        {"start_player": "nobody"},
        {"second_tie": "both"},
        {"laps": 2},
    ],
    ids=str,
)
def test_wrong_options_are_refused(kit: Kit, options: Json) -> None:
    with pytest.raises(RecordError):
        Replay(Header("horror-race", kit.names[:6], options))


@pytest.mark.parametrize("number", [2, 13])
def test_three_to_twelve_players(number: int) -> None:
    with pytest.raises(RecordError):
        Replay(Header("horror-race", tuple(f"P{n}" for n in range(number)), {}))
