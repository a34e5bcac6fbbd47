"""Random legal games of Dark Horse: they end, add up, go there and back; every ruling has its words."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.text import LANGS, Speaker
from engines import shelf
from engines.core import Allowed, Expectation, Json, Refused, Ruling
from engines.dark_horse.cards import CARDS
from engines.dark_horse.scoring import Finish, told

Game = Callable[[int], Iterator[tuple[Any, dict[str, Json]]]]
"""Random games of conftest.py, by seed."""
Whole = Any
"""The checks of every whole game, of conftest.py."""
SEEDS = st.integers(min_value=0, max_value=2**32)
FEW = settings(max_examples=25, deadline=None)
DARK_HORSE = shelf.game("dark-horse")
RULES = DARK_HORSE.rules


@FEW
@given(seed=SEEDS)
def test_a_game_ends_and_adds_up(game: Game, seed: int) -> None:
    count = 0
    for table, _ in game(seed):
        count += 1
        view = table.view
        if view["line"] is not None:
            assert sorted(view["line"]) == list(range(1, 8))
        each = 3 if len(table.players) == 2 else 2
        assert view["pile"] + len(view["discarded"]) + each * len(table.players) == 14
        assert view["tokens_left"] + len(view["tokens"]) == {2: 1, 3: 2, 4: 2, 5: 3, 6: 3}[len(table.players)]
        assert (table.result is None) == bool(table.expects)
        json.dumps(view)
    assert count <= 1 + 36 + 3 + 6 + 1
    assert sum(view["cards_left"].values()) == 0
    best = max(table.result["scores"].values())
    assert all(table.result["scores"][player] == best for player in table.result["winners"])


@FEW
@given(seed=SEEDS)
def test_undo_equals_replay_without_it(whole: Whole, game: Game, seed: int) -> None:
    *played, (table, _) = game(seed)
    dice = random.Random(seed)  # noqa: S311 - a game by chance, no secret
    whole.can_be_undone(table.replay, [line for _, line in played], dice)


@FEW
@given(seed=SEEDS)
def test_json_there_and_back(whole: Whole, game: Game, seed: int) -> None:
    *played, (table, _) = game(seed)
    whole.goes_there_and_back(table.replay, [line for _, line in played])


@FEW
@given(seed=SEEDS)
def test_states_are_hashable_and_equal_by_value(whole: Whole, game: Game, seed: int) -> None:
    *played, (table, _) = game(seed)
    whole.is_equal_by_value(table.replay, [line for _, line in played])


def _tries(dice: random.Random, table: Any) -> Iterator[dict[str, Json]]:  # noqa: ANN401
    """Offer inputs of every name by everybody, right and wrong ones."""
    yield {"input": "line", "order": dice.sample(range(1, 8), 7)}
    yield {"input": "line", "order": [dice.randint(1, 7) for _ in range(7)]}
    for player in (*table.players, "Zoe"):
        yield {"input": "token", "player": player}
        yield {"input": "play", "player": player, "card": "fall"}
        for _ in range(4):
            card = dice.choice(list(CARDS.values()))
            yield {"input": "play", "player": player, "card": card.name}
            yield {
                "input": "play",
                "player": player,
                "card": card.name,
                "direction": dice.choice(["forward", "backward"]),
            }
        target = dice.choice((*table.players, "Zoe"))
        for thrown in (None, *range(1, 8)):
            yield {"input": "play", "player": player, "card": "exchange", "target": target, "discarded": thrown}
        for many in (2, 3):
            for _ in range(6):
                yield {"input": "reveal", "player": player, "tickets": [dice.randint(1, 7) for _ in range(many)]}


@settings(max_examples=8, deadline=None)
@given(seed=SEEDS)
def test_expects_is_exact_and_a_refusal_changes_nothing(game: Game, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - a game by chance, no secret
    for table, legal in game(seed):
        state = table.replay.state
        expected = set(RULES.expects(state))
        accepted = set()
        for line in (*_tries(dice, table), *([legal] if legal else [])):
            outcome = table.replay.carry_out(0, line)
            if isinstance(outcome, Allowed):
                accepted.add(_expectation(line))
                table.replay.undo()
            assert table.replay.state is state
        # Random tickets may all clash with those shown before: what is accepted is expected, the rest must be reveals.
        assert accepted <= expected
        assert {one.input for one in expected - accepted} <= {"reveal"}


def _expectation(line: dict[str, Json]) -> Expectation:
    return Expectation(line["input"], "player", line["player"]) if "player" in line else Expectation(line["input"])


def _say(speakers: list[Speaker], outcome: Allowed[Any] | Refused) -> tuple[Ruling, ...]:
    rulings = (outcome.ruling,) if isinstance(outcome, Refused) else outcome.rulings
    for ruling in rulings:
        assert not {"line", "rule", "kind"} & set(ruling.facts)
        json.dumps(ruling.as_json())
        for speaker in speakers:
            if isinstance(outcome, Refused):
                texts = [speaker.refusal(ruling)]
            else:
                texts = [speaker.long(ruling), speaker.short(ruling) or "-"]
            assert all(text and "{" not in text for text in texts), ruling
    return rulings


@pytest.fixture(scope="module")
def heard(game: Game) -> list[tuple[Ruling, bool]]:
    """All rulings and refusals of many random games, each put into words in both languages; True: a refusal."""
    speakers = [Speaker(DARK_HORSE, lang) for lang in LANGS]
    found: list[tuple[Ruling, bool]] = []
    for seed in range(60):
        dice = random.Random(seed)  # noqa: S311 - a game by chance, no secret
        for table, legal in game(seed):
            if not table.replay.steps:
                found += [(one, False) for one in _say(speakers, Allowed(None, RULES.opening(table.replay.state)))]
            tries = list(_tries(dice, table))
            for line in (*dice.sample(tries, 20), *([legal] if legal else [])):
                outcome = table.replay.carry_out(0, line)
                found += [(one, isinstance(outcome, Refused)) for one in _say(speakers, outcome)]
                if isinstance(outcome, Allowed):
                    table.replay.undo()
            facts = table.view
            for one in RULES.expects(table.replay.state):
                assert all(speaker.prompt(one.input, {**facts, "player": one.who}) for speaker in speakers)
    # The token breaks a tie too seldom to wait for it.
    tie = Finish(("다은", "Bo"), (10, 7, 7, 7, 7, 4, 0), (1, 2, 3, 4, 5, 6, 7), 7, ((1, 6), (1, 2)), (False, True))
    return found + [(one, False) for one in _say(speakers, Allowed(None, told(tie)))]


def test_every_clause_is_cited_and_every_cited_clause_exists(heard: list[tuple[Ruling, bool]]) -> None:
    assert {ruling.rule for ruling, _ in heard} - {None} == set(DARK_HORSE.table("clauses"))


def test_every_ruling_has_words_and_all_words_are_used(heard: list[tuple[Ruling, bool]]) -> None:
    assert set(DARK_HORSE.table("text")["rulings"]) <= {one.kind for one, refusal in heard if not refusal}
    never_by_chance = {"option-rising"}
    assert set(DARK_HORSE.table("text")["refusals"]) - never_by_chance <= {one.kind for one, no in heard if no}


def test_every_card_has_a_word() -> None:
    assert set(CARDS) <= set(DARK_HORSE.table("text")["words"])
