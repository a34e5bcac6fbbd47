"""What the referee says in horror-race: every ruling, refusal and prompt, in both languages."""

from typing import Any, TypeAlias

import msgspec
import pytest

from companion.text import LANGS, Lang, Speaker
from engines import shelf
from engines.core import Refused, Ruling
from engines.horror_race import rules
from engines.record import Replay

Kit: TypeAlias = Any  # what conftest.py gives
Whole: TypeAlias = Any  # the checks of every whole game, of conftest.py
GAME = shelf.game("horror-race")
SHORT = {"en": 40, "ko": 24}
"""Two lines of the screen."""


@pytest.fixture(scope="module")
def said(kit: Kit) -> list[Ruling | Refused]:
    """All that is said in some random games, and when they are spoiled."""
    found: list[Ruling | Refused] = []
    for seed in range(60):
        rng = kit.dice(seed)
        game = kit.game(rng)
        found += rules.opening(Replay(game.header).state)
        replay = Replay(game.header)
        for number, one in enumerate(game.inputs, 2):
            for _ in range(2):
                outcome = replay.carry_out(number, kit.spoil(rng, one))
                if type(outcome) is Refused:
                    found.append(outcome)
                else:
                    replay.undo()
            again = replay.carry_out(number, one)
            found += again.rulings
            twice = replay.carry_out(number, one)
            if type(twice) is Refused:
                found.append(twice)
            else:
                replay.undo()
    return found + tight(kit)


def tight(kit: Kit) -> list[Ruling | Refused]:
    """What needs a rare table."""
    state = msgspec.structs.replace(kit.seat(3), phase="reveal", seen=(4, 4, 4, 2, 5))
    empty: dict[str, dict[str, int]] = {"1": {}, "2": {}, "4": {"gumiho": 6, "mummy": 6, "vampire": 6}}
    four = {"1": {"joker:mummy": 4}, "2": {}, "4": {}}
    return [
        kit.give(state, "reveal", player="Bo", picks=["gumiho", "mummy"]),
        kit.give(kit.seat(3, jokers=True), "round", zones=four, passed=None),
        *kit.give(kit.seat(6), "round", zones=empty, passed=None).rulings,
    ]


@pytest.mark.parametrize("lang", LANGS)
def test_everything_can_be_said(said: list[Ruling | Refused], lang: Lang) -> None:
    speaker = Speaker(GAME, lang)
    for one in said:
        if type(one) is Refused:
            words = [speaker.refusal(one.ruling)]
        else:
            words = [speaker.long(one), speaker.short(one) or "-"]
        for text in words:
            assert text
            assert "{" not in text
            assert "None" not in text
        if type(one) is Ruling and "player" in one.facts and len(one.facts["player"]) <= 3:
            assert len(words[-1]) <= SHORT[lang]


def test_every_clause_is_cited_and_every_kind_comes_up_and_no_other(whole: Whole, said: list[Ruling | Refused]) -> None:
    rulings = [one for one in said if type(one) is Ruling]
    whole.cite_and_say_all(GAME, rulings, [one.ruling for one in said if type(one) is Refused])
    assert len(GAME.table("clauses")) == 23


@pytest.mark.parametrize("lang", LANGS)
def test_prompts_have_words(kit: Kit, lang: Lang) -> None:
    speaker = Speaker(GAME, lang)
    game = kit.game(kit.dice(4), 4, {"steps": 5, "deduction": True})
    asked = set()
    for step in game.replay.steps:
        for one in rules.expects(step.before):
            facts = rules.view(step.before) | ({one.role: one.who} if one.role else {})
            assert "{" not in speaker.prompt(one.input, facts)
            asked.add(one.input)
    assert asked == set(rules.INPUTS)
    assert all(speaker.word(name) != name for name in kit.characters) == (lang == "ko")


def test_a_misread_count_is_named_exactly(kit: Kit) -> None:
    outcome = kit.give(kit.seat(6), "round", zones={"1": {"gumiho": 37}, "2": {}, "4": {}}, passed=None)
    assert Speaker(GAME, "en").refusal(outcome.ruling).startswith("37 gumiho tokens can't be: there are at most 6.")
