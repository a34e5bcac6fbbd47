"""Rounds of horror-race, clause by clause: the pool, the zones, the track, the order."""

from typing import Any, TypeAlias

import msgspec
import pytest

from engines.core import Refused, Ruling, SetupError
from engines.horror_race import pool, rules, track

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


def test_hr_1_opening_hides_two_and_pools_three(kit: Kit) -> None:
    opening = rules.opening(kit.seat(7))
    assert next(one.facts for one in opening if one.kind == "hide") == {"players": 7, "pool": 21}


@pytest.mark.parametrize(("number", "extra", "laps"), [(3, 2, 2), (4, 3, 2), (5, 3, 2), (6, 0, 1), (12, 0, 1)])
def test_hr_2_and_hr_5_few_players(kit: Kit, number: int, extra: int, laps: int) -> None:
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
    assert kit.facts(outcome, "joker-stands") == {"zone": 1, "character": "zombie", "tokens": 1}
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
def test_hr_6_anybody_may_pass_the_last_player_too(kit: Kit, passed: str) -> None:
    outcome = kit.give(kit.seat(4), "round", zones=FOUR_PASSED, passed=passed)
    assert kit.facts(outcome, "passed") == {"player": passed}
    assert kit.facts(outcome, "laid")["turns"] == 7


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
def test_hr_8_hr_9_shared_counts_are_set_aside(
    tokens: tuple[int, ...], mover: str | None, level: list[tuple[int, list[str]]]
) -> None:
    told: list[Ruling] = []
    after = track.run((0,) * 5, (counts(), tokens, counts()), 13, told)
    moved = [one.facts["character"] for one in told if one.kind == "moved"]
    assert moved == ([mover] if mover else [])
    assert sum(after) == (2 if mover else 0)
    assert [(one.facts["tokens"], one.facts["characters"]) for one in told if one.rule == "HR-8"] == level
    still = [(one.kind, one.facts["zone"]) for one in told if one.rule == "HR-9"]
    zone_2 = [] if mover else [("nobody-level" if level else "zone-empty", 2)]
    assert still == [("zone-empty", 1), *zone_2, ("zone-empty", 4)]


@pytest.mark.parametrize("seed", range(5))
def test_hr_8_hr_9_as_a_person_would_look_at_it(kit: Kit, seed: int) -> None:
    dice = kit.dice(seed)
    for _ in range(300):
        tokens = tuple(dice.randrange(dice.choice((2, 4, 8))) for _ in kit.characters)
        after = track.run((0,) * 5, (counts(), counts(), tokens), 13, [])
        alone = [number for number in tokens if number > 0 and tokens.count(number) == 1]
        moved = tuple(4 if alone and number == max(alone) else 0 for number in tokens)
        assert after == moved


def test_hr_9_no_token_no_move(kit: Kit) -> None:
    zones = {"1": {}, "2": {}, "4": {"gumiho": 6, "mummy": 6, "vampire": 6}}
    outcome = kit.give(kit.seat(6), "round", zones=zones, passed=None)
    assert outcome.state.track == (0, 0, 0, 0, 0)
    assert ("HR-9", "nobody-level") in kit.kinds(outcome)


def test_hr_10_tokens_go_back(kit: Kit) -> None:
    assert ("HR-10", "tokens-back") in kit.kinds(kit.give(kit.seat(6), "round", zones=SIX, passed=None))


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
def test_hr_12_whoever_passed_is_last(kit: Kit, passed: str, order: list[str]) -> None:
    outcome = kit.give(kit.seat(4), "round", zones=FOUR_PASSED, passed=passed)
    assert rules.view(outcome.state)["order"] == order
    assert outcome.rulings[-1].rule == "HR-12"


def test_hr_13_without_passing_the_start_turns(kit: Kit) -> None:
    state = kit.seat(4, passing=False)
    outcome = kit.give(state, "round", zones=FOUR, passed=None)
    assert rules.view(outcome.state)["order"][0] == "Bo"
    assert outcome.rulings[-1].rule == "HR-13"
    assert kit.broken(kit.give(state, "round", zones=FOUR_PASSED, passed="Bo")) == ("HR-13", "no-passing")
    assert kit.broken(kit.give(state, "round", zones=FOUR_PASSED, passed="nobody")) == (None, "unknown-player")


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
def test_hr_22_one_round(
    kit: Kit, number: int, zones: dict[str, dict[str, int]], passed: str | None, kind: str
) -> None:
    outcome = kit.give(kit.seat(number), "round", zones=zones, passed=passed)
    if kind:
        assert kit.broken(outcome) == ("HR-22", kind)
    else:
        assert type(outcome) is not Refused


@pytest.mark.parametrize(("number", "most"), [(3, 5), (4, 7), (5, 8), (6, 6), (12, 12)])
def test_hr_22_of_one_character(kit: Kit, number: int, most: int) -> None:
    state = kit.seat(number)
    assert state.setup.most == most
    for tokens, kind in ((most, "tokens-missing"), (most + 1, "character-many")):
        laid = pool.count(pool.Tokens(zombie=tokens), pool.Tokens(), pool.Tokens())
        assert pool.impossible_round(state, laid, laid.characters, 12).ruling.kind == kind


@pytest.mark.parametrize(("jokers", "refused"), [(3, False), (4, True)])
def test_hr_22_at_most_three_jokers(kit: Kit, jokers: int, *, refused: bool) -> None:
    zones = {"1": {"gumiho": 5, "joker:mummy": jokers - 1}, "2": {"joker:zombie": 1}, "4": {"vampire": 5}}
    zones["4"]["jiangshi"] = 18 - 10 - jokers
    outcome = kit.give(kit.seat(6, jokers=True), "round", zones=zones, passed=None)
    assert (type(outcome) is Refused) == refused
    if refused:
        assert kit.broken(outcome) == ("HR-22", "jokers-many")


def test_hr_22_over_a_race_no_more_than_the_pool(kit: Kit) -> None:
    after = kit.give(kit.seat(6), "round", zones=SIX, passed=None).state
    again = SIX | {"4": {"vampire": 4, "jiangshi": 2, "zombie": 2}}
    outcome = kit.give(after, "round", zones=again, passed=None)
    assert kit.broken(outcome) == ("HR-22", "race-many")
    assert outcome.ruling.facts["known"] == [5, 5, 4, 3, 2]
    assert kit.give(after, "round", zones=SIX, passed=None).state.round == 3
