"""After a race of horror-race, clause by clause: guesses, the showing, garnets, the next start."""

from typing import Any, TypeAlias

import pytest

from engines.horror_race import garnets, rules, track

Kit: TypeAlias = Any  # what conftest.py gives


def test_hr_1_the_two_hidden_are_different(kit: Kit) -> None:
    assert kit.broken(kit.give(kit.shown(6), "reveal", player="Bo", picks=["zombie", "zombie"])) == (
        "HR-1",
        "pick-twice",
    )


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
def test_hr_16_hr_17_hr_18_what_a_token_is_worth(spaces: tuple[int, ...], paid: tuple[int, ...]) -> None:
    assert tuple(garnets.worth(track.places(spaces, [])).values()) == paid


def test_hr_16_first_and_second_add_up_to_five(kit: Kit) -> None:
    picks = [["gumiho", "mummy"], ["zombie", "vampire"], ["mummy", "vampire"], *[["jiangshi", "zombie"]] * 3]
    outcome = kit.reveal_all(kit.shown(6), *picks)
    assert outcome.state.garnets == (5, 1, 3, 0, 0, 0)
    assert kit.facts(outcome, "paid") == {"player": "다은", "picks": ["gumiho", "mummy"], "each": [3, 2], "sum": 5}


def test_hr_17_third_shared_is_told(kit: Kit) -> None:
    placing = (("gumiho",), ("mummy",), ("vampire", "zombie"), ("jiangshi",))
    outcome = kit.reveal_all(kit.shown(6, placing=placing), *[["vampire", "zombie"]] * 6)
    assert outcome.state.garnets == (0,) * 6
    assert ("HR-17", "third-shared") in kit.kinds(outcome)


@pytest.mark.parametrize(("second_tie", "sums"), [("token", (2, 4, 1, 0, 0, 0)), ("player", (1, 4, 1, 0, 0, 0))])
def test_hr_18_second_shared_by_token_or_by_player(kit: Kit, second_tie: str, sums: tuple[int, ...]) -> None:
    placing = (("gumiho",), ("mummy", "vampire"), ("zombie",), ("jiangshi",))
    state = kit.shown(6, placing=placing, options={"second_tie": second_tie})
    picks = [["vampire", "mummy"], ["gumiho", "mummy"], ["zombie", "mummy"], *[["jiangshi", "zombie"]] * 3]
    outcome = kit.reveal_all(state, *picks)
    assert outcome.state.garnets == sums
    assert (("HR-18", "paid-once") in kit.kinds(outcome)) == (second_tie == "player")


def test_hr_19_a_garnet_for_each_opponent_guessed_right(kit: Kit) -> None:
    state = kit.shown(3, phase="guess", options={"deduction": True})
    assert [one.who for one in rules.expects(state)] == ["다은", "Bo", "민수"]
    guessed = kit.guess_all(state, "zombie")
    assert (guessed.state.phase, rules.view(guessed.state)["guessed"]) == ("reveal", ["다은", "Bo", "민수"])
    outcome = kit.reveal_all(guessed.state, ["zombie", "jiangshi"], ["jiangshi", "zombie"], ["vampire", "jiangshi"])
    assert outcome.state.garnets == (1, 1, 1 + 2)
    assert kit.facts(outcome, "guesses-right") == {"player": "다은", "opponents": ["Bo"], "sum": 1}


def test_hr_19_nobody_guessed_right_is_told(kit: Kit) -> None:
    guessed = kit.guess_all(kit.shown(3, phase="guess", options={"deduction": True}), "mummy")
    outcome = kit.reveal_all(guessed.state, *[["zombie", "jiangshi"]] * 3)
    assert ("HR-19", "guesses-wrong") in kit.kinds(outcome)


@pytest.mark.parametrize(
    ("guesses", "kind"),
    [
        ({"Bo": "zombie"}, "guess-missing"),
        ({"Bo": "zombie", "nobody": "zombie"}, "unknown-player"),
        ({"Bo": "zombie", "민수": "zombie", "다은": "zombie"}, "guess-self"),
    ],
)
def test_hr_19_guesses_name_every_opponent_and_nobody_else(kit: Kit, guesses: dict[str, str], kind: str) -> None:
    state = kit.shown(3, phase="guess", options={"deduction": True})
    assert kit.broken(kit.give(state, "guess", player="다은", guesses=guesses)) == (None, kind)


def test_hr_19_nobody_guesses_twice(kit: Kit) -> None:
    state = kit.shown(3, phase="guess", options={"deduction": True})
    guesses = {"Bo": "zombie", "민수": "mummy"}
    after = kit.give(state, "guess", player="다은", guesses=guesses).state
    assert kit.broken(kit.give(after, "guess", player="다은", guesses=guesses)) == (None, "guessed-already")
    assert kit.broken(kit.give(after, "reveal", player="Bo", picks=["mummy", "zombie"])) == (None, "not-now")


@pytest.mark.parametrize(("number", "races"), [(3, 3), (6, 3), (7, 2), (12, 2)])
def test_hr_20_how_many_races(kit: Kit, number: int, races: int) -> None:
    assert rules.view(kit.seat(number))["races"] == races
    over = kit.reveal_all(kit.shown(number, race=races), *[["zombie", "jiangshi"]] * number)
    assert over.state.phase == "over"
    assert rules.result(over.state) == {
        "scores": dict.fromkeys(kit.names[:number], 0),
        "winners": list(kit.names[:number]),
    }
    assert rules.expects(over.state) == ()
    going_on = kit.reveal_all(kit.shown(number, race=races - 1), *[["zombie", "jiangshi"]] * number)
    assert (going_on.state.phase, rules.result(going_on.state)) == ("start", None)


def test_hr_20_most_garnets_win(kit: Kit) -> None:
    state = kit.shown(3, race=3, garnets=(4, 0, 1))
    outcome = kit.reveal_all(state, ["zombie", "jiangshi"], ["gumiho", "mummy"], ["zombie", "vampire"])
    assert rules.result(outcome.state) == {"scores": {"다은": 4, "Bo": 5, "민수": 2}, "winners": ["Bo"]}
    assert outcome.rulings[-1].kind == "wins"


def test_hr_21_the_fewest_name_the_start_and_all_is_set_up_afresh(kit: Kit) -> None:
    state = kit.shown(4, seen=(4, 4, 4, 4, 2), track=(13, 9, 5, 2, 1), garnets=(1, 0, 3, 0), round=5)
    paid = kit.reveal_all(state, *[["zombie", "jiangshi"]] * 3, ["zombie", "mummy"]).state
    assert rules.view(paid)["garnets"] == {"다은": 1, "Bo": 0, "민수": 3, "Ana L": 2}
    assert [(one.input, one.role, one.who) for one in rules.expects(paid)] == [("start", "player", "Bo")]
    assert kit.broken(kit.give(paid, "start", player="Bo", chosen_by="다은")) == ("HR-21", "not-fewest")
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
    assert ("HR-1", "hide") in kit.kinds(outcome)


def test_hr_21_several_with_the_fewest_may_each_name(kit: Kit) -> None:
    state = kit.reveal_all(kit.shown(3), ["zombie", "jiangshi"], ["zombie", "jiangshi"], ["zombie", "mummy"]).state
    assert [one.who for one in rules.expects(state)] == ["다은", "Bo"]
    for chooser in ("다은", "Bo"):
        assert kit.give(state, "start", player="민수", chosen_by=chooser).state.first == 2


@pytest.mark.parametrize("fields", [{"player": "nobody", "chosen_by": "Bo"}, {"player": "Bo", "chosen_by": "nobody"}])
def test_hr_21_unknown_names(kit: Kit, fields: dict[str, str]) -> None:
    state = kit.reveal_all(kit.shown(3), *[["zombie", "jiangshi"]] * 3).state
    assert kit.broken(kit.give(state, "start", **fields)) == (None, "unknown-player")


def test_hr_21_race_just_paid_is_still_shown(kit: Kit) -> None:
    state = kit.shown(3, track=(13, 9, 5, 2, 1))
    found = rules.view(kit.reveal_all(state, ["zombie", "jiangshi"], *[["jiangshi", "zombie"]] * 2).state)
    assert found["phase"] == "start"
    assert found["placing"] == [["gumiho"], ["mummy"], ["vampire"], ["jiangshi"], ["zombie"]]
    assert found["revealed"] == {
        "다은": ["zombie", "jiangshi"],
        "Bo": ["jiangshi", "zombie"],
        "민수": ["jiangshi", "zombie"],
    }
    assert found["track"]["gumiho"] == 13


def test_hr_23_what_lay_in_the_zones_was_not_hidden(kit: Kit) -> None:
    state = kit.shown(6, seen=(5, 5, 4, 3, 1))
    after = kit.give(state, "reveal", player="Bo", picks=["zombie", "gumiho"]).state
    assert kit.broken(kit.give(after, "reveal", player="Kim", picks=["zombie", "gumiho"])) == ("HR-23", "pick-laid")


def test_hr_23_nobody_is_left_without_two_tokens(kit: Kit) -> None:
    # Three players, five of each at most: hidden can be 1 gumiho, 1 mummy, 1 vampire, 3 jiangshi (seen 2), 0 zombie.
    state = kit.shown(3, seen=(4, 4, 4, 2, 5))
    outcome = kit.give(state, "reveal", player="Bo", picks=["gumiho", "mummy"])
    assert kit.broken(outcome) == ("HR-23", "none-left")
    assert outcome.ruling.facts["free"] == 3
    assert kit.give(state, "reveal", player="Bo", picks=["gumiho", "jiangshi"]).state.hidden == (1, 0, 0, 1, 0)


def test_hr_23_every_player_shows_once(kit: Kit) -> None:
    state = kit.give(kit.shown(6), "reveal", player="Bo", picks=["zombie", "gumiho"]).state
    assert kit.broken(kit.give(state, "reveal", player="Bo", picks=["zombie", "mummy"])) == (None, "shown-already")
    assert kit.broken(kit.give(state, "reveal", player="nobody", picks=["zombie", "mummy"])) == (None, "unknown-player")
