"""Clauses HT-1 to HT-24, each with its edge cases."""

from itertools import product
from typing import Any

import msgspec
import pytest

from engines.core import Allowed, Refused, Ruling, SetupError, State
from engines.hare_tortoise import bets, race, rules
from engines.hare_tortoise.animals import ANIMALS, FINISH
from engines.record import Header, RecordError, Replay

NAMES = ("Ana", "Bo", "Cid", "Dee", "Eve")


def table(players: int = 3, **options: Any) -> State:  # noqa: ANN401 - options of any shape
    return rules.start(NAMES[:players], rules.Options(**{"streams": (4, 8), **options}))


def standing(podium: tuple[str, ...] = (), **spaces: int) -> race.Standing:
    track = tuple(FINISH if animal in podium else spaces.get(animal, 0) for animal in ANIMALS)
    return race.Standing(track, podium)


def run(
    stands: race.Standing, howls: int = 0, *, streams: tuple[int, int] = (4, 8), podium_leads: bool = True, **laid: int
) -> tuple[dict[str, int], race.Standing, list[Ruling]]:
    counts = tuple(laid.get(animal, 0) for animal in ANIMALS)
    after, told = race.run(race.Course(streams, podium_leads), stands, counts, howls)
    return dict(zip(ANIMALS, after.track, strict=True)), after, told


def play(state: State, *cards: str, player: str | None = None) -> Allowed[State] | Refused:
    return rules.apply(state, rules.Play(player or state.setup.players[state.turn], cards))


def after_play(state: State, *cards: str) -> State:
    outcome = play(state, *cards)
    assert isinstance(outcome, Allowed), outcome
    return outcome.state


def at_the_bets(players: int = 3, podium: tuple[str, ...] = ("fox", "lamb", "hare")) -> State:
    state = table(players)
    return msgspec.structs.replace(state, phase="reveal", standing=standing(podium), shown=(None,) * players)


def show(state: State, player: str, *shown: str) -> Allowed[State] | Refused:
    return rules.apply(state, rules.Reveal(player, shown))


def show_all(state: State, *shown: tuple[str, ...]) -> Allowed[State]:
    outcome: Any = None
    for player, one in zip(state.setup.players, shown, strict=True):
        outcome = show(state, player, *one)
        assert isinstance(outcome, Allowed), outcome
        state = outcome.state
    return outcome


def told(rulings: Any, rule: str) -> list[Ruling]:  # noqa: ANN401 - list or tuple
    return [one for one in rulings if one.rule == rule]


def kinds(rulings: Any, rule: str) -> list[str]:  # noqa: ANN401 - list or tuple
    return [one.kind for one in told(rulings, rule)]


def rule_of(outcome: Allowed[State] | Refused) -> str | None:
    assert isinstance(outcome, Refused), outcome
    return outcome.ruling.rule


# --- header -----------------------------------------------------------------------------------------------------------


def replay(players: tuple[str, ...] = NAMES[:3], **options: Any) -> Replay:  # noqa: ANN401 - options of any shape
    return Replay(Header("hare-tortoise", players, options))


@pytest.mark.parametrize("streams", [[1, 2], [1, 11], [10, 11]])
def test_option_streams_two_ascending_tiles(streams: list[int]) -> None:
    assert replay(streams=streams).state.setup.course.streams == tuple(streams)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"streams": [8, 4]},
        {"streams": [4, 4]},
        {"streams": [0, 4]},
        {"streams": [4, 12]},
        {"streams": [4]},
        {"streams": [2, 4, 6]},
        {"streams": [4, 8.0]},
        {"streams": [True, 8]},
        {"streams": ["4", "8"]},
        {"streams": None},
        {"streams": {"4": 8}},
        {"streams": [4, 8], "first_player": "Zoe"},
        {"streams": [4, 8], "first_player": None},
        {"streams": [4, 8], "first_player": 0},
        {"streams": [4, 8], "podium_leads": 1},
        {"streams": [4, 8], "podium_leads": None},
        {"streams": [4, 8], "podium_lead": True},
    ],
)
def test_options_that_do_not_fit_are_errors_of_the_header(options: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as error:
        replay(**options)
    assert (error.value.line, error.value.ruling.rule) == (1, None)


def test_option_error_names_the_option() -> None:
    with pytest.raises(SetupError) as error:
        table(streams=(8, 4))
    assert error.value.ruling.facts["option"] == "streams"


@pytest.mark.parametrize("count", [1, 6])
def test_players_two_to_five(count: int) -> None:
    with pytest.raises(RecordError):
        replay(tuple("abcdef"[:count]), streams=[4, 8])


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_the_view_after_the_header(count: int) -> None:
    assert rules.view(table(count)) == {
        "phase": "play",
        "turn": "Ana",
        "first": "Ana",
        "races": 0,
        "track": dict.fromkeys(ANIMALS, 0),
        "podium": [],
        "table": {"hare": 0, "tortoise": 0, "wolf": 0, "howl": 0, "fox": 0, "lamb": 0},
        "revealed": {},
    }


def test_option_first_player_begins_and_holds_the_marker() -> None:
    view = rules.view(table(first_player="Cid"))
    assert (view["turn"], view["first"]) == ("Cid", "Cid")


# --- laying cards -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "needed"), [(2, 3), (3, 2), (4, 2), (5, 2)])
def test_ht_1_two_bets_three_with_two_players(players: int, needed: int) -> None:
    state = at_the_bets(players)
    assert told(rules.opening(state), "HT-1")[0].facts == {"starting": needed - 1, "bets": needed}
    animals = ("hare", "fox", "lamb", "wolf")
    assert isinstance(show(state, "Bo", *animals[:needed]), Allowed)
    for wrong in {2, 3} - {needed}:
        assert rule_of(show(state, "Bo", *animals[:wrong])) is None


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("animal", ANIMALS)
def test_ht_2_one_to_four_cards_of_one_animal(animal: str, count: int) -> None:
    outcome = play(table(), *[animal] * count)
    assert isinstance(outcome, Allowed)
    assert told(outcome.rulings, "HT-2")[0].facts["of_one"] == count


@pytest.mark.parametrize("cards", [("wolf", "howl"), ("howl", "wolf", "howl"), ("howl",), ("wolf", "howl", "wolf")])
def test_ht_2_a_howl_card_is_a_wolf_card(cards: tuple[str, ...]) -> None:
    view = rules.view(after_play(table(), *cards))
    assert (view["table"]["wolf"], view["table"]["howl"]) == (len(cards), cards.count("howl"))


@pytest.mark.parametrize(
    "cards",
    [("hare", "fox"), ("hare", "hare", "lamb"), ("howl", "fox"), ("wolf", "tortoise"), ("fox",) * 3 + ("lamb",)],
)
def test_ht_2_cards_of_several_animals_are_refused(cards: tuple[str, ...]) -> None:
    assert rule_of(play(table(), *cards)) == "HT-2"


@pytest.mark.parametrize("cards", [[], ["hare"] * 5, "hare", ["rabbit"], [None], None, [["hare"]], {"hare": 1}, [1]])
def test_shape_of_cards(cards: Any) -> None:  # noqa: ANN401 - wrong shapes
    game = replay(streams=[4, 8])
    assert rule_of(game.carry_out(2, {"input": "play", "player": "Ana", "cards": cards})) is None
    assert game.steps == []


@pytest.mark.parametrize(
    "line",
    [
        {"input": "play", "player": "Ana"},
        {"input": "play", "cards": ["hare"]},
        {"input": "play", "player": 1, "cards": ["hare"]},
        {"input": "play", "player": "Ana", "cards": ["hare"], "die": 1},
        {"input": "play", "player": "Zoe", "cards": ["hare"]},
        {"input": "play", "player": "ana", "cards": ["hare"]},
        {"input": "play", "player": "Bo", "cards": ["hare"]},
        {"input": "race"},
        {"input": "reveal", "player": "Ana", "bets": ["hare", "fox"]},
        {"input": "reveal", "player": "Zoe", "bets": ["hare", "fox"]},
    ],
)
def test_shape_name_phase_and_turn_are_refused_without_a_clause(line: dict[str, Any]) -> None:
    assert rule_of(replay(streams=[4, 8]).carry_out(2, line)) is None


def test_turn_comes_before_the_clauses() -> None:
    assert rule_of(play(table(), "hare", "fox", player="Bo")) is None


def test_ht_3_cards_of_an_animal_on_the_podium_count() -> None:
    state = msgspec.structs.replace(table(), standing=standing(("lamb",), hare=3), laid=(0, 0, 0, 0, 3))
    outcome = play(state, "lamb")
    assert isinstance(outcome, Allowed)
    assert kinds(outcome.rulings, "HT-3") == ["laid-podium"]
    assert kinds(outcome.rulings, "HT-5") == ["race-four"]
    assert outcome.state.races == 1


def test_ht_3_is_not_told_of_an_animal_on_the_track() -> None:
    state = msgspec.structs.replace(table(), standing=standing(("lamb",)))
    outcome = play(state, "fox")
    assert isinstance(outcome, Allowed)
    assert told(outcome.rulings, "HT-3") == []


@pytest.mark.parametrize(("lies", "cards"), [(1, 4), (2, 3), (3, 2), (3, 4)])
def test_ht_4_never_five_of_one_animal(lies: int, cards: int) -> None:
    state = msgspec.structs.replace(table(), laid=(0, 0, 0, lies, 0))
    outcome = play(state, *["fox"] * cards)
    assert rule_of(outcome) == "HT-4"
    assert isinstance(outcome, Refused)
    assert outcome.ruling.facts == {"animal": "fox", "cards": cards, "lies": lies, "free": 4 - lies}


@pytest.mark.parametrize(("lies", "cards"), [(5, 4), (6, 3), (7, 2)])
def test_ht_4_never_nine_cards(lies: int, cards: int) -> None:
    state = msgspec.structs.replace(table(), laid=(3, 2, 0, lies - 5, 0))
    outcome = play(state, *["lamb"] * cards)
    assert rule_of(outcome) == "HT-4"
    assert isinstance(outcome, Refused)
    assert outcome.ruling.facts == {"cards": cards, "lies": lies, "free": 8 - lies}


@pytest.mark.parametrize(
    ("before", "cards"), [((), ("howl",) * 4), (("howl",), ("howl",) * 3), (("howl",) * 3, ("howl",))]
)
def test_ht_4_never_a_fourth_howl(before: tuple[str, ...], cards: tuple[str, ...]) -> None:
    state = after_play(table(), *before) if before else table()
    assert rule_of(play(state, *cards)) == "HT-4"


def test_ht_4_a_wolf_may_join_three_howls() -> None:
    outcome = play(after_play(table(), "howl", "howl", "howl"), "wolf")
    assert isinstance(outcome, Allowed)
    assert outcome.state.races == 1


def test_ht_5_exactly_eight_cards_set_the_race_off() -> None:
    state = msgspec.structs.replace(table(), laid=(2, 2, 1, 0, 0))
    outcome = play(state, "lamb", "lamb", "lamb")
    assert isinstance(outcome, Allowed)
    assert kinds(outcome.rulings, "HT-5") == ["race-eight"]
    assert outcome.state.races == 1


@pytest.mark.parametrize(("lies", "cards"), [(0, 4), (1, 3), (2, 2), (3, 1)])
def test_ht_5_exactly_four_of_one_animal_set_the_race_off(lies: int, cards: int) -> None:
    outcome = play(msgspec.structs.replace(table(), laid=(lies, 0, 0, 0, 0)), *["hare"] * cards)
    assert isinstance(outcome, Allowed)
    assert kinds(outcome.rulings, "HT-5") == ["race-four"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_ht_5_otherwise_the_next_player_clockwise(players: int) -> None:
    state = table(players, first_player=NAMES[players - 1])
    state = after_play(state, "hare", "hare", "hare")
    assert rules.view(state)["turn"] == "Ana"
    state = after_play(state, "fox", "fox", "fox")
    assert rules.view(state)["turn"] == "Bo"
    outcome = play(state, "lamb")  # seven cards, three of one animal at most
    assert isinstance(outcome, Allowed)
    assert kinds(outcome.rulings, "HT-5") == ["next"]
    assert outcome.state.races == 0


# --- the race ---------------------------------------------------------------------------------------------------------


def test_ht_6_order_of_the_race() -> None:
    _, _, rulings = run(standing(), hare=2, tortoise=1, wolf=2, fox=1, lamb=2)
    assert [one.facts["animal"] for one in rulings if "steps" in one.facts] == list(ANIMALS)


def test_ht_6_the_order_decides_about_places() -> None:
    _, after, _ = run(standing(hare=10, tortoise=11), hare=1, fox=0)
    assert after.podium == ("hare", "tortoise")


@pytest.mark.parametrize("animal", ANIMALS)
def test_ht_6_an_animal_on_the_podium_does_not_move(animal: str) -> None:
    places, after, rulings = run(standing((animal,)), **{animal: 4})
    assert (places[animal], after.podium) == (FINISH, (animal,))
    assert told(rulings, "HT-6")[0].facts == {"animal": animal, "place": 1}


@pytest.mark.parametrize(("cards", "steps"), [(0, 0), (1, 2), (2, 2), (3, 2), (4, 2)])
def test_ht_7_hare(cards: int, steps: int) -> None:
    places, _, rulings = run(standing(hare=3, fox=5), hare=cards)
    assert places["hare"] == 3 + steps
    assert kinds(rulings, "HT-7") == ["hare-moves" if steps else "hare-stays"]


@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_ht_8_a_leading_hare_naps_with_four_cards_only(cards: int) -> None:
    places, _, rulings = run(standing(hare=5, tortoise=4), hare=cards)
    assert places["hare"] == (5 if cards == 4 else 7)
    assert kinds(rulings, "HT-8") == (["nap"] if cards == 4 else [])


def test_ht_8_hare_naps_when_level_in_front() -> None:
    places, _, rulings = run(standing(hare=5, wolf=5, fox=5), hare=4)
    assert places["hare"] == 5
    assert told(rulings, "HT-8")[0].facts["level"] == ["wolf", "fox"]


def test_ht_8_no_nap_behind_another() -> None:
    places, _, rulings = run(standing(hare=5, lamb=6), hare=4)
    assert places["hare"] == 7
    assert told(rulings, "HT-8")[0].facts["ahead"] == ["lamb"]


def test_ht_8_no_nap_on_the_start_tile() -> None:
    places, _, rulings = run(standing(), hare=4)
    assert places["hare"] == 2
    assert kinds(rulings, "HT-8") == ["no-nap-start"]


@pytest.mark.parametrize("podium", [("wolf",), ("wolf", "fox")])
def test_ht_8_podium_leads_keeps_the_hare_awake(podium: tuple[str, ...]) -> None:
    places, _, rulings = run(standing(podium, hare=5), hare=4)
    assert places["hare"] == 7
    assert told(rulings, "HT-8")[0].facts["ahead"] == list(podium)


def test_ht_8_without_podium_leads_only_the_track_is_compared() -> None:
    assert run(standing(("wolf",), hare=5, lamb=5), podium_leads=False, hare=4)[0]["hare"] == 5
    assert run(standing(("wolf",), hare=5, lamb=6), podium_leads=False, hare=4)[0]["hare"] == 7
    assert run(standing(("wolf",)), podium_leads=False, hare=4)[0]["hare"] == 2


def test_ht_8_option_podium_leads_reaches_the_race() -> None:
    for podium_leads, space in ((True, 7), (False, 5)):
        state = msgspec.structs.replace(table(podium_leads=podium_leads), standing=standing(("wolf",), hare=5))
        assert rules.view(after_play(state, *["hare"] * 4))["track"]["hare"] == space


@pytest.mark.parametrize(("cards", "steps"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2)])
def test_ht_9_tortoise(cards: int, steps: int) -> None:
    places, _, rulings = run(standing(tortoise=3), tortoise=cards)
    assert places["tortoise"] == 3 + steps
    assert told(rulings, "HT-9")[0].facts["to"] == 3 + steps


@pytest.mark.parametrize(("cards", "steps"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3)])
def test_ht_10_wolf(cards: int, steps: int) -> None:
    places, _, rulings = run(standing(wolf=3), wolf=cards)
    assert places["wolf"] == 3 + steps
    assert len(told(rulings, "HT-10")) == 1


@pytest.mark.parametrize(("cards", "steps"), [(1, 1), (2, 1), (3, 2), (4, 3)])
def test_ht_10_howl_cards_are_counted(cards: int, steps: int) -> None:
    assert run(standing(wolf=3), howls=1, wolf=cards)[0]["wolf"] == 3 + steps


@pytest.mark.parametrize("howls", [1, 2, 3])
def test_ht_11_only_the_wolf_moves(howls: int) -> None:
    places, _, rulings = run(standing(), howls=howls, hare=4, wolf=3, lamb=1)
    assert places == {"hare": 0, "tortoise": 0, "wolf": 2, "fox": 0, "lamb": 0}
    assert told(rulings, "HT-11")[0].facts == {"howls": howls, "held": ["hare", "tortoise", "fox", "lamb"]}


def test_ht_11_nobody_moves_when_the_wolf_is_on_the_podium() -> None:
    before = standing(("wolf",), hare=3, lamb=2)
    _, after, rulings = run(before, howls=1, hare=2, wolf=2, fox=2, lamb=2)
    assert after == before
    assert kinds(rulings, "HT-11") == ["howl-nobody"]


def test_ht_11_the_wolf_may_end_the_game_alone() -> None:
    _, after, rulings = run(standing(("fox", "hare"), wolf=11, tortoise=11), howls=1, wolf=1)
    assert after.podium == ("fox", "hare", "wolf")
    assert told(rulings, "HT-16")[0].facts["held"] == []


@pytest.mark.parametrize("cards", range(5))
def test_ht_12_fox(cards: int) -> None:
    places, _, rulings = run(standing(fox=3), fox=cards)
    assert places["fox"] == 3 + cards
    assert len(told(rulings, "HT-12")) == 1


@pytest.mark.parametrize(("cards", "steps"), [(0, 0), (1, 2), (2, 3), (3, 4), (4, 5)])
def test_ht_13_lamb(cards: int, steps: int) -> None:
    places, _, rulings = run(standing(lamb=1), streams=(10, 11), lamb=cards)
    assert places["lamb"] == 1 + steps
    assert len(told(rulings, "HT-13")) == 1


@pytest.mark.parametrize(
    ("at", "cards", "to"),
    [
        (0, 4, 4),
        (0, 3, 4),
        (3, 4, 4),
        (4, 4, 8),
        (4, 3, 8),
        (7, 1, 8),
        (4, 2, 7),
        (8, 2, 11),
        (8, 3, FINISH),
        (3, 0, 3),
    ],
)
def test_ht_14_the_lamb_stops_on_the_first_stream(at: int, cards: int, to: int) -> None:
    assert run(standing(lamb=at), lamb=cards)[0]["lamb"] == to


def test_ht_14_two_streams_side_by_side() -> None:
    places, after, _ = run(standing(lamb=2), streams=(3, 4), lamb=4)
    assert places["lamb"] == 3
    assert run(after, streams=(3, 4), lamb=4)[0]["lamb"] == 4


def test_ht_14_tells_the_steps_lost_and_the_stream_left() -> None:
    _, _, rulings = run(standing(lamb=4), lamb=4)
    assert [(one.kind, one.facts.get("lost")) for one in told(rulings, "HT-14")] == [
        ("leaves-stream", None),
        ("stream", 1),
    ]


def test_ht_14_a_stream_on_the_last_tile_keeps_the_lamb_from_the_line() -> None:
    assert run(standing(lamb=9), streams=(2, 11), lamb=4)[0]["lamb"] == 11


@pytest.mark.parametrize("animal", ["hare", "tortoise", "wolf", "fox"])
def test_ht_14_streams_hold_nobody_else(animal: str) -> None:
    assert run(standing(**{animal: 3}), streams=(4, 5), **{animal: 3})[0][animal] > 3
    assert run(standing(fox=3), streams=(4, 5), fox=4)[0]["fox"] == 7


@pytest.mark.parametrize(("at", "lost"), [(11, 3), (10, 2), (9, 1), (8, 0)])
def test_ht_15_surplus_steps_are_lost(at: int, lost: int) -> None:
    _, after, rulings = run(standing(fox=at), fox=4)
    assert after.podium == ("fox",)
    assert told(rulings, "HT-15")[0].facts == {"animal": "fox", "place": 1, "lost": lost}


def test_ht_15_tile_eleven_is_not_the_podium() -> None:
    places, after, _ = run(standing(fox=8), fox=3)
    assert (places["fox"], after.podium) == (11, ())


def test_ht_15_the_next_free_place() -> None:
    _, after, _ = run(standing(("wolf",), fox=11), fox=1)
    assert after.podium == ("wolf", "fox")


def test_ht_16_the_third_animal_ends_the_game_at_once() -> None:
    state = msgspec.structs.replace(
        table(), standing=standing(("wolf",), hare=10, tortoise=11, fox=11, lamb=11), laid=(1, 0, 0, 2, 3)
    )
    outcome = play(state, "fox", "fox")
    assert isinstance(outcome, Allowed)
    view = rules.view(outcome.state)
    assert view["podium"] == ["wolf", "hare", "tortoise"]
    assert view["track"] == {"fox": 11, "lamb": 11}
    assert told(outcome.rulings, "HT-16")[0].facts["held"] == ["fox", "lamb"]
    assert (view["phase"], view["turn"], view["first"], view["races"]) == ("reveal", None, "Ana", 1)
    assert told(outcome.rulings, "HT-18") == []


def test_ht_16_two_on_the_podium_do_not_end_it() -> None:
    state = msgspec.structs.replace(table(), standing=standing(("wolf",), fox=11))
    assert after_play(state, *["fox"] * 4).phase == "play"


def test_ht_17_the_table_is_cleared_after_every_race() -> None:
    empty = dict.fromkeys(rules.view(table())["table"], 0)
    after = after_play(after_play(table(), "howl"), *["hare"] * 4)
    assert rules.view(after)["table"] == empty
    last = msgspec.structs.replace(table(), standing=standing(("wolf", "hare"), fox=11), laid=(3, 0, 2, 0, 0), howls=1)
    outcome = play(last, "fox", "fox", "fox")
    assert isinstance(outcome, Allowed)
    assert told(outcome.rulings, "HT-17")[0].facts == {"cards": 8}
    assert rules.view(outcome.state)["table"] == empty


@pytest.mark.parametrize("setter", [0, 1, 2])
def test_ht_18_the_marker_decides_whose_turn_it_is(setter: int) -> None:
    state = table(first_player="Cid")
    for card in ("hare", "fox")[:setter]:
        state = after_play(state, card)
    state = after_play(state, *["lamb"] * 4)
    assert (rules.view(state)["first"], rules.view(state)["turn"]) == ("Ana", "Ana")


# --- the bets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "points"),
    [
        (("fox", "fox"), [5, 5]),
        (("lamb", "hare"), [3, 2]),
        (("wolf", "fox"), [0, 5]),
        (("tortoise", "wolf"), [0, 0]),
        (("hare", "hare"), [2, 2]),
    ],
)
def test_ht_19_points_of_the_bets(shown: tuple[str, ...], points: list[int]) -> None:
    outcome = show(at_the_bets(), "Ana", *shown)
    assert isinstance(outcome, Allowed)
    assert told(outcome.rulings, "HT-19")[0].facts == {
        "player": "Ana",
        "bets": list(shown),
        "points": points,
        "sum": sum(points),
    }
    assert rules.view(outcome.state)["revealed"] == {"Ana": list(shown)}


def test_ht_19_the_most_points_win() -> None:
    outcome = show_all(at_the_bets(), ("fox", "hare"), ("lamb", "lamb"), ("wolf", "fox"))
    assert rules.result(outcome.state) == {"scores": {"Ana": 7, "Bo": 6, "Cid": 5}, "winners": ["Ana"]}
    assert kinds(outcome.rulings, "HT-19") == ["bets", "wins"]
    assert rules.view(outcome.state)["phase"] == "over"


def test_ht_19_any_order_each_once() -> None:
    state = at_the_bets()
    for player, left in (("Cid", ["Ana", "Bo"]), ("Ana", ["Bo"]), ("Bo", [])):
        outcome = show(state, player, "hare", {"Ana": "fox", "Bo": "lamb", "Cid": "wolf"}[player])
        assert isinstance(outcome, Allowed)
        assert rule_of(show(outcome.state, player, "fox", "lamb")) is None
        assert rules.result(outcome.state) is None or not left
        state = outcome.state
        assert [one.who for one in rules.expects(state)] == left
    assert list(rules.view(state)["revealed"]) == ["Ana", "Bo", "Cid"]


def test_ht_19_no_cards_after_the_third_animal() -> None:
    assert rule_of(play(at_the_bets(), "hare")) is None


@pytest.mark.parametrize(
    ("ana", "bo", "winner"),
    [
        (("fox", "wolf", "tortoise"), ("lamb", "hare", "wolf"), "Ana"),  # 5 0 0 before 3 2 0
        (("lamb", "lamb", "wolf"), ("hare", "hare", "hare"), None),  # hare thrice holds one starting bet only
        (("fox", "hare", "lamb"), ("fox", "fox", "tortoise"), "Bo"),  # 5 3 2 behind 5 5 0
        (("lamb", "lamb", "wolf"), ("hare", "hare", "fox"), "Bo"),  # 6 behind 9: no tie
    ],
)
def test_ht_20_a_tie_goes_to_the_better_bet(ana: tuple[str, ...], bo: tuple[str, ...], winner: str | None) -> None:
    state = at_the_bets(2)
    first = show(state, "Ana", *ana)
    assert isinstance(first, Allowed)
    second = show(first.state, "Bo", *bo)
    if winner is None:
        assert rule_of(second) == "HT-22"
        return
    assert isinstance(second, Allowed)
    result = rules.result(second.state)
    assert result is not None
    assert result["winners"] == [winner]
    level = len(set(result["scores"].values())) == 1
    assert kinds(second.rulings, "HT-20") == (["tie-broken"] if level else [])


def test_ht_20_tells_the_bets_compared() -> None:
    outcome = show_all(at_the_bets(), ("lamb", "hare"), ("fox", "wolf"), ("wolf", "tortoise"))
    facts = told(outcome.rulings, "HT-20")[0].facts
    assert facts == {
        "winners": ["Bo"],
        "level": ["Ana", "Bo"],
        "beaten": ["Ana"],
        "points": 5,
        "best": [5, 0],
        "second": [3, 2],
    }


def test_ht_20_places_off_the_podium_are_all_alike() -> None:
    outcome = show_all(at_the_bets(), ("fox", "wolf"), ("tortoise", "fox"), ("hare", "lamb"))
    result = rules.result(outcome.state)
    assert result is not None
    assert result["winners"] == ["Ana", "Bo"]
    assert kinds(outcome.rulings, "HT-20") == ["tie-broken"]
    assert kinds(outcome.rulings, "HT-21") == ["win-shared"]


def test_ht_21_still_tied_they_share_the_win_and_a_rematch_decides() -> None:
    outcome = show_all(at_the_bets(), ("fox", "lamb"), ("lamb", "fox"), ("wolf", "wolf"))
    assert rules.result(outcome.state) == {"scores": {"Ana": 8, "Bo": 8, "Cid": 0}, "winners": ["Ana", "Bo"]}
    assert kinds(outcome.rulings, "HT-20") == []
    assert told(outcome.rulings, "HT-21")[0].facts == {"winners": ["Ana", "Bo"], "points": 8, "best": [5, 3]}


def test_ht_22_two_players_with_one_starting_animal() -> None:
    first = show(at_the_bets(), "Cid", "fox", "fox")
    assert isinstance(first, Allowed)
    outcome = show(first.state, "Ana", "fox", "fox")
    assert rule_of(outcome) == "HT-22"
    assert isinstance(outcome, Refused)
    assert outcome.ruling.facts == {"players": ["Ana", "Cid"], "animals": ["fox"], "needed": 2}
    assert isinstance(show(first.state, "Ana", "fox", "hare"), Allowed)


def test_ht_22_three_players_with_two_starting_animals() -> None:
    state = at_the_bets(5)
    for player in ("Ana", "Bo"):
        outcome = show(state, player, "fox", "hare")
        assert isinstance(outcome, Allowed)
        state = outcome.state
    assert rule_of(show(state, "Eve", "hare", "fox")) == "HT-22"
    assert isinstance(show(state, "Eve", "hare", "lamb"), Allowed)


@pytest.mark.parametrize("animal", ANIMALS)
def test_ht_22_two_starting_bets_of_one_player_differ(animal: str) -> None:
    state = at_the_bets(2)
    assert rule_of(show(state, "Ana", animal, animal, animal)) == "HT-22"
    other = next(one for one in ANIMALS if one != animal)
    assert isinstance(show(state, "Ana", animal, animal, other), Allowed)


def pickable(all_bets: list[tuple[str, ...]], starting: int) -> bool:
    """Say whether starting bets can be picked, by trying every pick."""
    picks = [list(product(range(len(one)), repeat=starting)) for one in all_bets]
    for pick in product(*picks):
        chosen = [one[index] for one, indices in zip(all_bets, pick, strict=True) for index in indices]
        if len(set(chosen)) == len(chosen):
            return True
    return False


def test_ht_22_agrees_with_trying_every_pick_of_three() -> None:
    pairs = [(one, two) for index, one in enumerate(ANIMALS[:4]) for two in ANIMALS[index:4]]
    for all_bets in product(pairs, repeat=3):
        shown = dict(zip(NAMES, all_bets, strict=False))
        possible = all(
            bets.impossible(dict(list(shown.items())[:count]), NAMES[count - 1], 1) is None for count in (1, 2, 3)
        )
        assert possible == pickable(list(all_bets), 1), all_bets


def test_ht_22_agrees_with_trying_every_pick_of_two_players() -> None:
    triples = list(product(ANIMALS[:4], repeat=3))[::3]
    for ana, bo in product(triples, repeat=2):
        possible = bets.impossible({"Ana": ana}, "Ana", 2) is None
        possible = possible and bets.impossible({"Ana": ana, "Bo": bo}, "Bo", 2) is None
        assert possible == pickable([ana, bo], 2), (ana, bo)


@pytest.mark.parametrize(
    "shown", [["hare"], ["hare"] * 4, ["howl", "hare"], "hare", None, ["hare", None], [], ["hare", "rabbit"]]
)
def test_shape_of_bets(shown: Any) -> None:  # noqa: ANN401 - wrong shapes
    game = replay(streams=[4, 8])
    game.state = at_the_bets()
    assert rule_of(game.carry_out(2, {"input": "reveal", "player": "Ana", "bets": shown})) is None


def test_ht_23_and_ht_24_are_told_before_the_first_turn() -> None:
    opening = rules.opening(table(streams=(2, 9), first_player="Bo"))
    assert kinds(opening, "HT-23") == ["no-tokens"]
    assert kinds(opening, "HT-24") == ["lay-track", "deal"]
    assert told(opening, "HT-24")[0].facts == {"streams": [2, 9], "player": "Bo"}
    assert told(opening, "HT-24")[1].facts == {"cards": 7, "hand": 6}


def test_apply_knows_its_inputs_only() -> None:
    with pytest.raises(TypeError):
        rules.apply(table(), object())
