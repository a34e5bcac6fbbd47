"""From what lies on a mat to the input of a game: every input that pieces give, and when it is asked or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.entry import trial
from companion.judge import Ask, Fill, Judged, Rule, judge
from companion.readings import Trouble
from companion.reads import backs, pieces, reads
from companion.scene import Lain
from engines import shelf
from engines.core import Allowed, Expectation, Json
from engines.record import Header, Replay
from vision.mat.layout import layouts
from vision.observation import Complaint, Observation, Sighting

Line = dict[str, Json]
NAMES = ("Ana", "Bo", "Cem", "Dee", "Eva", "Fay", "Gus", "Hal", "Ida", "Joy", "Kim", "Lou")


def game(name: str, lines: Sequence[Line] = (), *, players: int = 2, **options: Json) -> Replay:
    """A game in the making: its header, and the inputs that led here."""
    found = Replay(Header(name, NAMES[:players], options))
    for number, line in enumerate(lines, 2):
        assert isinstance(found.carry_out(number, line), Allowed), line
    return found


def piece(
    kind: str, name: str | None, region: str | None, *others: tuple[str, float], sure: float = 0.999, at: int = 0
) -> Sighting:
    """A piece on a mat, number ``at`` of its region in reading order."""
    place = (30.0 + 25 * (at % 12), 60.0 + 40 * (at // 12))
    face = "down" if name is None else "up"
    return Sighting(kind, name, sure, others, face, region, place, place, 0.0, (*place, 9.0, 9.0))  # type: ignore[arg-type]


def row(kind: str, region: str | None, *names: str, start: int = 0) -> list[Sighting]:
    return [piece(kind, name, region, at=start + at) for at, name in enumerate(names)]


def mat(
    found: Replay | str | None, *seen: Sighting, sure: bool = True, complaints: Sequence[Complaint] = ()
) -> Observation:
    name = found.game.table("table")["mat"] if isinstance(found, Replay) else found
    corners = None if name is None else ((0.0, 0.0), (420.0, 0.0), (420.0, 297.0), (0.0, 297.0))
    return Observation((1280, 720), name, corners, seen, tuple(complaints), sure)


def expected(found: Replay, name: str | None = None) -> Expectation:
    return next(one for one in found.game.rules.expects(found.state) if name in (None, one.input))


def verdict(found: Replay, scene: Observation, name: str | None = None, **more: Any) -> Judged:  # noqa: ANN401
    return judge(found, expected(found, name), scene, **more)


def ruled(found: Replay, scene: Observation, name: str | None = None, **more: Any) -> Line:  # noqa: ANN401
    """The input that a scene gives, which the rules allow."""
    judged = verdict(found, scene, name, **more)
    assert isinstance(judged, Rule), judged
    fields = dict(judged.fields)
    assert isinstance(trial(found, expected(found, name).input, fields), Allowed)
    return fields


def trouble(found: Replay, scene: Observation, name: str | None = None, **more: Any) -> Trouble:  # noqa: ANN401
    judged = verdict(found, scene, name, **more)
    assert isinstance(judged, Trouble), judged
    return judged


def ask(found: Replay, scene: Observation, name: str | None = None, **more: Any) -> Ask:  # noqa: ANN401
    judged = verdict(found, scene, name, **more)
    assert isinstance(judged, Ask), judged
    return judged


# --- games that stand where an input is read --------------------------------------------------------------------------

ROLL = {"input": "roll", "player": "Ana", "die": 3}
MOVE = {"input": "move", "player": "Ana", "from": 0}
LINE = {"input": "line", "order": [1, 2, 3, 4, 5, 6, 7]}
SIGN = {"input": "tile", "clan": "storm", "face": "sign"}


def at_tile() -> Replay:
    return game("witch-race", [ROLL, MOVE])


def at_decide() -> Replay:
    return game("witch-race", [ROLL, MOVE, SIGN])


def at_ghost_card(**options: Json) -> Replay:
    return game("ghost-hunters", [{"input": "roll", "hunter": "red", "die": 4}], **options)


def at_fight() -> Replay:
    """Red stands in the room J, where a ghost is."""
    lines: list[Line] = [{"input": "roll", "hunter": "red", "die": 3}, {"input": "card", "card": "J"}]
    return game("ghost-hunters", [*lines, {"input": "move", "hunter": "red", "to": "J"}])


def at_play(*lines: Line, players: int = 2) -> Replay:
    return game("dark-horse", [LINE, *lines], players=players)


def dark_horse_over(players: int = 3) -> Replay:
    found = game("dark-horse", [LINE], players=players)
    while (wanted := found.game.rules.expects(found.state))[-1].input == "play":
        line = {"input": "play", "player": wanted[-1].who, "card": "fall"}
        assert isinstance(found.carry_out(2, line), Allowed)
    return found


def hares(*plays: Sequence[str]) -> Replay:
    names = ("Ana", "Bo")
    lines = [{"input": "play", "player": names[at % 2], "cards": list(cards)} for at, cards in enumerate(plays)]
    return game("hare-tortoise", lines, streams=[4, 8])


def hares_over() -> Replay:
    found = game("hare-tortoise", players=3, streams=[4, 8])
    while (wanted := found.game.rules.expects(found.state))[0].input == "play":
        animal = "fox" if "fox" in found.game.rules.view(found.state)["track"] else None
        cards = [animal or ("wolf" if "wolf" in found.game.rules.view(found.state)["track"] else "lamb")] * 4
        assert isinstance(found.carry_out(2, {"input": "play", "player": wanted[0].who, "cards": cards}), Allowed)
    return found


def tokens(zones: dict[str, dict[str, int]]) -> list[Sighting]:
    laid = [(zone, name) for zone, lie in zones.items() for name, number in lie.items() for _ in range(number)]
    return [piece("token", name, f"zone-{zone}", at=at) for at, (zone, name) in enumerate(laid)]


TWELVE_TURNS = {"1": {"gumiho": 7, "mummy": 5}, "2": {"vampire": 8, "mummy": 4}, "4": {"zombie": 7, "jiangshi": 5}}


def horror_over(players: int = 6) -> Replay:
    found = game("horror-race", players=players, steps=5)
    zones = {"1": {"gumiho": 6}, "2": {"mummy": 6}, "4": {"vampire": 6}}
    while expected(found).input == "round":
        assert isinstance(found.carry_out(2, {"input": "round", "zones": zones, "passed": None}), Allowed)
    return found


# --- every input that pieces give -------------------------------------------------------------------------------------

DICE = {"witch-race": "6", "ghost-hunters": "move-6"}

CASES = [
    ("witch roll", game("witch-race"), row("die", "dice", "6"), {"player": "Ana", "die": 6}),
    ("witch tile", at_tile(), row("tile", "tile", "ice-5"), {"clan": "ice", "face": 5}),
    ("witch sign tile", at_tile(), row("tile", "tile", "cloud-sign"), {"clan": "cloud", "face": "sign"}),
    ("witch card", at_decide(), row("card", "cards", "storm-card-10"), {"clan": "storm", "card": 10}),
    ("ghost roll", game("ghost-hunters"), row("die", "dice", "move-4"), {"hunter": "red", "die": 4}),
    (
        "ghost roll beside fighting dice",
        game("ghost-hunters"),
        row("die", "dice", "ghost", "move-4", "red"),
        {"hunter": "red", "die": 4},
    ),
    ("ghost card", at_ghost_card(), row("card", "cards", "K"), {"card": "K"}),
    ("ghost shuffle", at_ghost_card(), row("card", "cards", "shuffle"), {"card": "shuffle"}),
    ("ghost doors", at_ghost_card(mode="advanced"), row("card", "cards", "blue-doors"), {"card": "blue-doors"}),
    ("ghost fight", at_fight(), row("die", "dice", "blank"), {"hunter": "red", "dice": ["blank"]}),
    (
        "ghost fight beside the movement die",
        at_fight(),
        row("die", "dice", "move-3", "ghost"),
        {"hunter": "red", "dice": ["ghost"]},
    ),
    ("horse card", at_play(), row("card", "action", "animal:4:+1"), {"player": "Ana", "card": "animal:4:+1"}),
    ("horse two ranks", at_play(), row("card", "action", "rank:4,6:-2"), {"player": "Ana", "card": "rank:4,6:-2"}),
    (
        "horse card that fits one way only",
        at_play(),
        row("card", "action", "rank:1:-2"),
        {"player": "Ana", "card": "rank:1:-2"},
    ),
    ("horse tickets", dark_horse_over(), row("card", "tickets", "ticket-3", "ticket-7"), {"tickets": [3, 7]}),
    ("hare cards", hares(), row("card", "cards", "hare", "hare"), {"player": "Ana", "cards": ["hare", "hare"]}),
    ("hare howl", hares(), row("card", "cards", "wolf", "howl"), {"player": "Ana", "cards": ["wolf", "howl"]}),
    (
        "hare cards beside those that lie there",
        hares(("hare",), ("fox", "fox")),
        row("card", "cards", "hare", "fox", "lamb", "fox"),
        {"player": "Ana", "cards": ["lamb"]},
    ),
    (
        "hare more of the same",
        hares(("hare",), ("hare", "hare")),
        row("card", "cards", "hare", "hare", "hare", "hare"),
        {"player": "Ana", "cards": ["hare"]},
    ),
    ("hare bets", hares_over(), row("card", "cards", "fox", "howl"), {"player": "Ana", "bets": ["fox", "wolf"]}),
    ("horror round", game("horror-race", players=12), tokens(TWELVE_TURNS), {"zones": TWELVE_TURNS, "passed": None}),
    ("horror picks", horror_over(), row("token", "zone-2", "zombie", "jiangshi"), {"picks": ["zombie", "jiangshi"]}),
]


@pytest.mark.parametrize(("found", "seen", "fields"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_lies_on_the_mat_becomes_the_input_that_the_rules_allow(
    found: Replay, seen: list[Sighting], fields: Line
) -> None:
    read = ruled(found, mat(found, *seen), expected(found, _input(found, fields)).input)
    assert read == {**read, **fields}


@pytest.mark.parametrize(("found", "seen", "fields"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
@given(dice=st.integers(0, 2**32 - 1).map(Random))
@settings(max_examples=3, deadline=None)
def test_in_whatever_order_the_pieces_are_found_the_input_is_the_same(
    found: Replay, seen: list[Sighting], fields: Line, dice: Random
) -> None:
    name = expected(found, _input(found, fields)).input
    shuffled = dice.sample(seen, len(seen))
    assert ruled(found, mat(found, *shuffled), name) == ruled(found, mat(found, *seen), name)


def _input(found: Replay, fields: Line) -> str:
    return next(name for name, read in reads(found.game).items() if set(read.fields) <= set(fields))


def test_every_input_that_a_table_names_is_covered_here() -> None:
    covered = {(found.game.id, _input(found, fields)) for _, found, _, fields in CASES}
    assert covered == {(name, one) for name in shelf.ids() for one in reads(shelf.game(name))}


@pytest.mark.parametrize("name", ["witch-race"])
def test_dice_of_any_game_are_read_in_the_tray_and_off_every_mat(name: str) -> None:
    found = game(name)
    assert ruled(found, mat("dice-tray", *row("die", "dice", DICE[name])))["die"] == 6
    assert ruled(found, mat(None, *row("die", None, DICE[name])))["die"] == 6


def test_fighting_dice_are_read_in_the_tray() -> None:
    found = at_fight()
    assert ruled(found, mat("dice-tray", *row("die", "dice", "ghost")), "fight")["dice"] == ["ghost"]


# --- what else has to be said -----------------------------------------------------------------------------------------


def test_dh_9_which_way_is_asked_by_hand_only_where_both_ways_fit() -> None:
    found = at_play()
    both = verdict(found, mat(found, *row("card", "action", "animal:4:~1")), "play")
    assert isinstance(both, Fill)
    assert both.fields == {"player": "Ana", "card": "animal:4:~1"}
    whole = game("dark-horse", [LINE], overrun="turn")
    one_way = ruled(whole, mat(whole, *row("card", "action", "animal:1:~2")), "play")
    assert one_way == {"player": "Ana", "card": "animal:1:~2"}


def test_dh_11_an_exchange_leaves_the_rest_to_be_asked() -> None:
    found = at_play()
    assert isinstance(verdict(found, mat(found, *row("card", "action", "exchange")), "play"), Fill)


def test_hr_22_who_passed_is_asked_where_three_tokens_fewer_lie_there() -> None:
    found = game("horror-race", players=12)
    fewer = {**TWELVE_TURNS, "1": {"gumiho": 5, "mummy": 4}}
    judged = verdict(found, mat(found, *tokens(fewer)))
    assert isinstance(judged, Fill)
    assert judged.fields == {"zones": fewer}


def test_hr_3_jokers_are_asked_one_by_one_in_reading_order() -> None:
    found = game("horror-race", players=6, jokers=True)
    zones = {"1": {"gumiho": 5, "joker": 1}, "2": {"mummy": 6}, "4": {"zombie": 5, "joker": 1}}
    scene = mat(found, *tokens(zones))
    first = ask(found, scene)
    assert first.choice == "stands-for"
    assert (first.number, len(first.names)) == (6, 5)
    second = ask(found, scene, answers=((6, "joker:mummy"),))
    assert (second.number, second.choice) == (18, "stands-for")
    read = ruled(found, scene, answers=((6, "joker:mummy"), (18, "joker:zombie")))
    assert read["zones"]["1"] == {"gumiho": 5, "joker:mummy": 1}
    assert read["zones"]["4"] == {"zombie": 5, "joker:zombie": 1}


def test_hr_22_jokers_that_are_not_in_the_game_are_refused_before_anything_is_asked() -> None:
    found = game("horror-race", players=6)
    zones = {"1": {"gumiho": 5, "joker": 1}, "2": {"mummy": 6}, "4": {"zombie": 6}}
    said = trouble(found, mat(found, *tokens(zones)))
    assert said.ruling is not None
    assert (said.ruling.rule, said.ruling.kind) == ("HR-22", "jokers-out")


# --- what can't be ----------------------------------------------------------------------------------------------------

IMPOSSIBLE = [
    (
        game("horror-race", players=6),
        tokens({"1": {"gumiho": 10}, "2": {"mummy": 4}, "4": {"zombie": 4}}),
        ("HR-22", "character-many"),
    ),
    (
        game("horror-race", players=12),
        tokens({**TWELVE_TURNS, "1": {"gumiho": 8, "mummy": 5}}),
        ("HR-22", "tokens-many"),
    ),
    (horror_over(), row("token", "zone-1", "gumiho", "gumiho"), ("HR-1", "pick-twice")),
    (hares(), row("card", "cards", "hare", "fox"), ("HT-2", "mixed")),
    (hares(("hare", "hare", "hare")), row("card", "cards", *["hare"] * 5), ("HT-4", "fifth-of-one")),
    (
        hares(("howl", "howl")),
        row("card", "cards", "howl", "howl", "howl", "howl"),
        ("HT-4", "fourth-howl"),
    ),
    (
        game(
            "witch-race",
            [
                ROLL,
                MOVE,
                {"input": "tile", "clan": "ice", "face": 5},
                {**ROLL, "player": "Bo"},
                {**MOVE, "player": "Bo"},
            ],
        ),
        row("tile", "tile", "ice-5"),
        ("WR-20", "twin-tile"),
    ),
    (at_decide(), row("card", "cards", "ice-card-5"), (None, "not-deciding")),
    (at_fight(), row("die", "dice", "ghost", "red"), ("GH-16", "one-die")),
    (at_ghost_card(), row("card", "cards", "draw-2"), (None, "advanced-card")),
    (dark_horse_over(), row("card", "tickets", "ticket-1", "ticket-1", "ticket-1"), (None, "ticket-count")),
]


@pytest.mark.parametrize(("found", "seen", "refusal"), IMPOSSIBLE, ids=[str(case[2][1]) for case in IMPOSSIBLE])
def test_what_cannot_be_is_refused_with_its_clause_and_what_was_read(
    found: Replay, seen: list[Sighting], refusal: tuple[str | None, str]
) -> None:
    said = trouble(found, mat(found, *seen), next(iter(_of_kind(found, seen))))
    assert said.ruling is not None
    assert (said.ruling.rule, said.ruling.kind) == refusal
    assert said.fields


def _of_kind(found: Replay, seen: Sequence[Sighting]) -> list[str]:
    wanted = {one.input for one in found.game.rules.expects(found.state)}
    return [name for name, read in reads(found.game).items() if name in wanted and read.kind == seen[0].kind]


def test_dh_15_a_third_ticket_of_an_animal_is_refused() -> None:
    found = dark_horse_over()
    assert isinstance(found.carry_out(9, {"input": "reveal", "player": "Ana", "tickets": [3, 3]}), Allowed)
    said = trouble(found, mat(found, *row("card", "tickets", "ticket-3", "ticket-5")), "reveal")
    assert said.ruling is not None
    assert said.ruling.rule == "DH-15"


def test_gh_9_a_card_that_is_out_cannot_be_drawn() -> None:
    found = at_fight()
    for line in (
        {"input": "fight", "hunter": "red", "dice": ["blank"]},
        {"input": "roll", "hunter": "yellow", "die": 2},
    ):
        assert isinstance(found.carry_out(9, line), Allowed)
    said = trouble(found, mat(found, *row("card", "cards", "J")))
    assert said.ruling is not None
    assert said.ruling.rule == "GH-9"


# --- what is in the way -----------------------------------------------------------------------------------------------

LOCATED = (90.0, 100.0)
"""A place in the first region of every mat."""

TROUBLES = [
    ("nothing", hares(), [], {}),
    ("nothing-new", hares(("hare",)), row("card", "cards", "hare"), {}),
    ("vanished", hares(("hare",), ("fox",)), row("card", "cards", "hare", "lamb"), {"names": ["fox"]}),
    ("too-many", at_tile(), row("tile", "tile", "ice-5", "ice-6"), {"count": 2}),
    ("too-many-of", at_fight(), row("die", "dice", "ghost", "red", "blank"), {"count": 3, "most": 2, "least": 1}),
    ("too-few", horror_over(), row("token", "zone-1", "gumiho"), {"count": 1, "most": 2, "least": 2}),
    ("other-piece", at_fight(), row("die", "dice", "move-3"), {"names": ["move-3"]}),
    ("other-piece", at_play(), row("card", "action", "ticket-3"), {"names": ["ticket-3"]}),
    ("elsewhere", at_play(), row("card", "tickets", "fall"), None),
    ("face-down", at_tile(), [piece("tile", None, "tile")], {}),
    ("face-down", hares(), [*row("card", "cards", "hare"), piece("card", None, "cards", at=5)], {}),
]


@pytest.mark.parametrize(
    ("reason", "found", "seen", "facts"), TROUBLES, ids=lambda one: one if isinstance(one, str) else ""
)
def test_what_is_in_the_way_is_named(reason: str, found: Replay, seen: list[Sighting], facts: Line | None) -> None:
    name = next(iter(_of_kind(found, seen)), None) if seen else None
    said = trouble(found, mat(found, *seen), name)
    assert said.reason == reason
    assert facts is None or said.facts == facts


def test_pieces_without_a_mat_and_on_another_games_mat_are_not_read() -> None:
    found = hares()
    seen = row("card", "cards", "hare")
    assert trouble(found, mat("horror-race", *seen)).reason == "wrong-mat"
    assert trouble(found, mat(None, *seen)).reason == "no-mat"
    assert trouble(found, mat("dice-tray", *seen)).reason == "no-mat"


@pytest.mark.parametrize("kind", ["touching", "covered", "outside", "unknown-piece", "glare", "mat-partly-covered"])
def test_a_complaint_behind_which_a_piece_may_hide_comes_first_where_all_are_counted(kind: Any) -> None:  # noqa: ANN401
    found = hares()
    complaint = Complaint(kind, LOCATED)
    said = trouble(found, mat(found, *row("card", "cards", "hare"), sure=False, complaints=[complaint]))
    assert said.complaint == complaint


def test_a_complaint_about_another_region_is_in_nobodys_way() -> None:
    found = at_tile()
    over_the_dice = Complaint("covered", (340.0, 150.0))
    scene = mat(found, *row("tile", "tile", "ice-5"), sure=False, complaints=[over_the_dice])
    assert ruled(found, scene) == {"clan": "ice", "face": 5}
    over_the_tile = Complaint("covered", LOCATED)
    assert trouble(found, mat(found, *scene.pieces, sure=False, complaints=[over_the_tile])).complaint == over_the_tile


def test_an_unsure_piece_elsewhere_asks_nothing() -> None:
    found = at_tile()
    leaning = piece("die", None, "dice", sure=0.0, at=9)
    scene = mat(
        found, *row("tile", "tile", "ice-5"), leaning, sure=False, complaints=[Complaint("cocked-die", (340.0, 150.0))]
    )
    assert ruled(found, scene)["face"] == 5


def test_where_nothing_says_why_the_reader_is_unsure_the_least_certain_piece_is_confirmed() -> None:
    found = hares()
    seen = [piece("card", "hare", "cards"), piece("card", "hare", "cards", sure=0.99, at=1)]
    asked = ask(found, mat(found, *seen, sure=False))
    assert (asked.number, asked.names) == (2, ("hare",))
    assert ruled(found, mat(found, *seen, sure=False), answers=((2, "hare"),))["cards"] == ["hare", "hare"]


# --- asking only where it matters -------------------------------------------------------------------------------------


def test_two_candidates_that_rule_differently_are_asked_with_number_and_crop() -> None:
    found = hares()
    seen = [piece("card", "fox", "cards"), piece("card", "fox", "cards", ("lamb", 0.2), sure=0.8, at=1)]
    asked = ask(found, mat(found, *seen, sure=False))
    assert (asked.number, asked.count, asked.names) == (2, 2, ("fox",))  # fox and lamb together: HT-2 rules that out
    assert asked.piece is seen[1]


def test_the_rules_rule_a_reading_out_but_never_in() -> None:
    found = hares(("fox",))
    seen = [*row("card", "cards", "fox", "wolf"), piece("card", "wolf", "cards", ("hare", 0.45), sure=0.55, at=2)]
    scene = mat(found, *seen, sure=False)
    assert ask(found, scene).names == ("wolf",)  # a wolf and a hare can't be laid together, yet it is asked
    assert ruled(found, scene, answers=((3, "wolf"),))["cards"] == ["wolf", "wolf"]


def test_an_unsure_token_that_changes_no_ruling_is_not_asked() -> None:
    found = game("horror-race", players=6)
    laid = {"1": {"gumiho": 5}, "2": {"mummy": 3, "zombie": 2, "jiangshi": 1}, "4": {"vampire": 6, "zombie": 1}}
    seen = tokens(laid)
    doubtful = next(at for at, one in enumerate(seen) if one.name == "jiangshi")
    unsure = replace(seen[doubtful], confidence=0.6, alternatives=(("zombie", 0.4),))
    scene = mat(found, *seen[:doubtful], unsure, *seen[doubtful + 1 :], sure=False)
    asked = ask(found, scene)  # zombies would be level with the mummies
    assert asked.names == ("jiangshi", "zombie")
    more = replace(unsure, alternatives=(("gumiho", 0.4),))
    scene = mat(found, *seen[:doubtful], more, *seen[doubtful + 1 :], sure=False)
    assert ruled(found, scene)["zones"]["2"]["jiangshi"] == 1


def test_a_complaint_about_the_whole_picture_is_asked_about_even_where_no_name_matters() -> None:
    found = hares(("hare",))
    old = piece("card", "hare", "cards")
    seen = [old, piece("card", "hare", "cards", at=1)]
    blurred = mat(found, *seen, sure=False, complaints=[Complaint("blurred")])
    assert ask(found, blurred).names == ("hare",)
    doubtful = [replace(old, confidence=0.6, alternatives=(("lamb", 0.4),)), seen[1]]
    lain = (Lain("hare", old.center_px, old.center_mm),)
    assert isinstance(verdict(found, mat(found, *doubtful, sure=False), lain=lain), Rule)
    blurred = mat(found, *doubtful, sure=False, complaints=[Complaint("blurred")])
    assert isinstance(verdict(found, blurred, lain=lain), Ask)


def test_an_unsure_fighting_die_that_takes_no_ghost_off_either_way_is_not_asked() -> None:
    found = at_fight()
    seen = piece("die", "blank", "dice", ("red", 0.4), sure=0.6)
    assert ruled(found, mat(found, seen, sure=False), "fight")["dice"] == ["blank"]
    other = mat(found, replace(seen, alternatives=(("ghost", 0.4),)), sure=False)
    assert ask(found, other, "fight").names == ("blank", "ghost")


def test_of_two_unsure_pieces_the_one_that_decides_is_asked_and_the_other_only_if_it_still_matters() -> None:
    found = game("horror-race", players=6)
    seen = tokens({"1": {"gumiho": 4, "mummy": 2}, "2": {"mummy": 3, "zombie": 2, "jiangshi": 1}, "4": {"vampire": 6}})
    harmless = replace(seen[5], confidence=0.5, alternatives=(("zombie", 0.5),))
    deciding = replace(seen[11], confidence=0.9, alternatives=(("zombie", 0.1),))
    scene = mat(found, *seen[:5], harmless, *seen[6:11], deciding, *seen[12:], sure=False)
    asked = ask(found, scene)
    assert (asked.number, asked.names) == (12, ("jiangshi", "zombie"))
    assert ruled(found, scene, answers=((12, "jiangshi"),))["zones"]["2"]["jiangshi"] == 1


def test_with_too_many_questions_somebody_goes_over_the_reading_by_hand() -> None:
    found = game("horror-race", players=6)
    seen = tokens({"1": {"gumiho": 6}, "2": {"mummy": 6}, "4": {"vampire": 6}})
    scene = mat(found, *(replace(one, confidence=0.6, alternatives=()) for one in seen), sure=False)
    said = trouble(found, scene)
    assert (said.reason, said.facts["count"]) == ("unsure-many", 18)
    assert said.fields["zones"]["1"] == {"gumiho": 6}


@given(dice=st.integers(0, 2**32 - 1).map(Random), which=st.sampled_from(CASES))
@settings(max_examples=150, deadline=None)
def test_it_is_never_ruled_where_two_plausible_readings_rule_differently(dice: Random, which: Any) -> None:  # noqa: ANN401
    """Whatever it rules, each other reading of the unsure pieces gives the same ruling, told by other means here."""
    _, found, seen, fields = which
    name = _input(found, fields)
    names = pieces(found.game)[seen[0].kind]
    doubtful = set(dice.sample(range(len(seen)), dice.randint(1, min(2, len(seen)))))
    unsure = [
        replace(one, confidence=0.7, alternatives=((dice.choice([n for n in names if n != one.name]), 0.3),))
        if at in doubtful
        else one
        for at, one in enumerate(seen)
    ]
    judged = verdict(found, mat(found, *unsure, sure=False), name)
    if not isinstance(judged, Rule):
        return
    told = {str(_rulings(found, name, judged.fields))}
    for swap in product(*([one.name, one.alternatives[0][0]] if one.alternatives else [one.name] for one in unsure)):
        scene = mat(found, *(replace(one, name=new) for one, new in zip(unsure, swap, strict=True)))
        other = verdict(found, scene, name)
        assert isinstance(other, Rule), other
        told.add(str(_rulings(found, name, other.fields)))
    assert len(told) == 1


def _rulings(found: Replay, name: str, fields: Any) -> object:  # noqa: ANN401
    outcome = trial(found, name, dict(fields))
    assert isinstance(outcome, Allowed)
    own = set(reads(found.game)[name].fields)
    told = [(one.rule, one.kind, {k: v for k, v in one.facts.items() if k not in own}) for one in outcome.rulings]
    return told, found.game.rules.view(outcome.state)


# --- what lay there before --------------------------------------------------------------------------------------------


def test_what_was_ruled_on_and_was_not_moved_is_not_read_again() -> None:
    found = hares_over()
    seen = mat(found, *row("card", "cards", "fox", "wolf"))
    first = verdict(found, seen)
    assert isinstance(first, Rule)
    assert isinstance(found.carry_out(9, {"input": "reveal", **first.fields}), Allowed)
    assert trouble(found, seen, lain=first.lain).reason == "unmoved"
    moved = mat(found, *row("card", "cards", "fox", "wolf", start=5))
    assert isinstance(verdict(found, moved, lain=first.lain), Rule)


def test_a_card_that_was_ruled_on_may_lie_beside_the_one_that_is_played_now() -> None:
    found = at_play()
    old, new = piece("card", "fall", "action"), piece("card", "animal:4:+1", "action", at=1)
    lain = (Lain("fall", old.center_px, old.center_mm),)
    assert ruled(found, mat(found, old, new), "play", lain=lain)["card"] == "animal:4:+1"
    assert trouble(found, mat(found, old, new), "play").reason == "too-many"
    moved = replace(old, center_mm=(300.0, 200.0))
    assert trouble(found, mat(found, moved, new), "play", lain=lain).reason == "too-many"


def test_a_card_that_lies_where_it_was_ruled_on_keeps_its_name() -> None:
    found = hares(("hare",))
    old = piece("card", "hare", "cards", ("lamb", 0.4), sure=0.6)
    new = piece("card", "fox", "cards", at=3)
    lain = (Lain("hare", old.center_px, old.center_mm),)
    assert ruled(found, mat(found, old, new, sure=False), lain=lain)["cards"] == ["fox"]
    assert isinstance(verdict(found, mat(found, old, new, sure=False)), Ask)


def test_cards_that_are_laid_anew_do_not_take_the_names_of_those_that_lay_in_their_places() -> None:
    found = hares_over()
    old = row("card", "cards", "fox", "wolf")
    first = verdict(found, mat(found, *old))
    assert isinstance(first, Rule)
    assert isinstance(found.carry_out(9, {"input": "reveal", **first.fields}), Allowed)
    there = piece("card", "lamb", "cards", ("fox", 0.45), sure=0.55)
    asked = ask(found, mat(found, there, piece("card", "hare", "cards", at=5), sure=False), lain=first.lain)
    assert asked.names == ("lamb", "fox")


def test_a_single_piece_in_its_old_place_that_may_be_the_old_one_is_not_ruled_on_again() -> None:
    found = game("witch-race")
    first = verdict(found, mat(found, *row("die", "dice", "6")))
    assert isinstance(first, Rule)
    again = mat(found, piece("die", "5", "dice", ("6", 0.3), sure=0.7), sure=False)
    assert trouble(found, again, lain=first.lain).reason == "unmoved"


def test_of_equal_cards_the_one_that_came_is_the_one_at_a_new_place() -> None:
    found = hares(("hare",))
    old, new = piece("card", "hare", "cards", at=7), piece("card", "hare", "cards", at=2)
    judged = verdict(found, mat(found, old, new), lain=(Lain("hare", old.center_px, old.center_mm),))
    assert isinstance(judged, Rule)
    assert judged.pieces == (new,)


def test_ht_17_after_a_race_the_table_is_clear_and_what_was_left_lying_is_noticed() -> None:
    found = hares(("fox",) * 4)
    left = row("card", "cards", *["fox"] * 4)
    lain = tuple(Lain("fox", one.center_px, one.center_mm) for one in left)
    assert trouble(found, mat(found, *left), lain=lain).reason == "unmoved"
    assert ruled(found, mat(found, *row("card", "cards", "hare")))["cards"] == ["hare"]


def test_gh_7_the_extra_cards_are_those_that_were_not_there_before() -> None:
    found = at_ghost_card(mode="advanced")
    assert isinstance(found.carry_out(3, {"input": "card", "card": "draw-2"}), Allowed)
    assert ruled(found, mat(found, *row("card", "cards", "draw-2", "B")))["card"] == "B"
    assert trouble(found, mat(found, *row("card", "cards", "B"))).facts == {"names": ["draw-2"]}


def test_gh_7_of_several_cards_that_came_at_once_it_is_asked_which_came_first() -> None:
    found = at_ghost_card(mode="advanced")
    assert isinstance(found.carry_out(3, {"input": "card", "card": "draw-2"}), Allowed)
    assert trouble(found, mat(found, *row("card", "cards", "B", "draw-2", "K", "D"))).reason == "too-many"
    scene = mat(found, *row("card", "cards", "B", "draw-2", "K"))
    asked = ask(found, scene)
    assert (asked.choice, asked.number, asked.names) == ("first", 0, ("B", "K"))
    assert ruled(found, scene, answers=((0, "K"),)) == {"card": "K"}
    assert isinstance(found.carry_out(4, {"input": "card", "card": "K"}), Allowed)
    assert ruled(found, scene) == {"card": "B"}


def test_gh_7_a_draw_card_and_its_extras_that_came_at_once_can_only_begin_with_the_draw_card() -> None:
    found = at_ghost_card(mode="advanced")
    scene = mat(found, *row("card", "cards", "B", "draw-2", "K"))
    assert ruled(found, scene) == {"card": "draw-2"}
    assert trouble(found, mat(found, *row("card", "cards", "B", "K"))).facts == {"count": 2}


def test_gh_8_two_equal_cards_that_came_at_once_need_no_question() -> None:
    found = at_ghost_card(mode="advanced")
    assert isinstance(found.carry_out(3, {"input": "card", "card": "draw-2"}), Allowed)
    assert ruled(found, mat(found, *row("card", "cards", "draw-2", "blue-doors", "blue-doors"))) == {
        "card": "blue-doors"
    }


def test_hr_22_missing_tokens_are_told_for_a_round_in_which_nobody_passed() -> None:
    found = game("horror-race", players=12)
    said = trouble(found, mat(found, *tokens({"1": {"gumiho": 7}})))
    assert said.ruling is not None
    assert (said.ruling.kind, said.ruling.facts["turns"]) == ("tokens-missing", 12)


def test_pieces_are_numbered_row_by_row_from_the_left() -> None:
    found = hares()
    crooked = [
        replace(piece("card", "hare", "cards"), center_mm=place)
        for place in ((200.0, 70.0), (60.0, 80.0), (60.0, 150.0), (130.0, 62.0))
    ]
    judged = verdict(found, mat(found, *crooked))
    assert isinstance(judged, Rule)
    assert [crooked.index(one) for one in judged.pieces] == [1, 3, 0, 2]  # type: ignore[arg-type]


# --- the pieces of a game ---------------------------------------------------------------------------------------------

CLANS = ("storm", "cloud", "ice", "forest")
FACES = (*map(str, range(2, 11)), "sign")
KNOWN = {
    "horror-race": {"token": {"gumiho", "mummy", "vampire", "jiangshi", "zombie", "joker"}},
    "ghost-hunters": {
        "card": {*"ABCDEFGHIJKL", "shuffle", "draw-2", "draw-3", "blue-doors", "green-doors"},
        "die": {*(f"move-{n}" for n in range(1, 7)), "ghost", "red", "blank"},
    },
    "witch-race": {
        "tile": {f"{clan}-{face}" for clan in CLANS for face in FACES},
        "card": {f"{clan}-card-{face}" for clan in CLANS for face in FACES},
        "die": set("123456"),
    },
    "hare-tortoise": {"card": {"hare", "tortoise", "wolf", "howl", "fox", "lamb"}},
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_names_of_a_games_pieces_are_those_of_the_contract(name: str) -> None:
    assert {kind: set(names) for kind, names in pieces(shelf.game(name)).items()} == KNOWN[name]


def test_the_names_of_dark_horses_cards_are_the_records_and_its_tickets() -> None:
    names = pieces(shelf.game("dark-horse"))["card"]
    assert len(names) == len(set(names)) == 317 + 7
    assert {"rank:5:+1", "rank:4,6:~2", "animal:2:-3", "fall", "exchange", "ticket-1", "ticket-7"} <= set(names)
    assert {"rank:6,4:+1", "rank:4,4:+1", "ticket-8", "animal:8:+1"}.isdisjoint(names)


def test_face_down_looks_are_told_apart_where_a_game_has_several() -> None:
    assert {name: [one for many in backs(shelf.game(name)).values() for one in many] for name in shelf.ids()} == {
        "dark-horse": ["card-back", "ticket-back"],
        "ghost-hunters": ["back"],
        "hare-tortoise": ["back"],
        "horror-race": ["back"],
        "witch-race": ["tile-back", "card-back"],
    }


@pytest.mark.parametrize("name", shelf.ids())
def test_what_a_table_says_fits_the_mat_and_the_rules(name: str) -> None:
    found = shelf.game(name)
    (layout,) = [one for one in layouts() if one.name == found.table("table")["mat"]]
    regions = {one.name for one in layout.regions}
    for read in reads(found).values():
        assert set(read.regions) <= regions
        assert set(read.keys) <= set(read.regions)
        assert set(read.counts_as.values()) <= set(read.names())
        assert all(read.values(one) for many in read.stands_for.values() for one in many)
        assert read.since is None or read.since in found.table("text")["rulings"]
