"""What must hold of any whole game, whichever it is; the games' own tests play them."""

import json
from collections.abc import Callable
from random import Random

import pytest

from engines import record, shelf
from engines.core import Allowed, Json, Refused, Ruling
from engines.record import Replay
from engines.shelf import Game

Line = dict[str, Json]


class Whole:
    """Checks of a game that was played: the replay, and the inputs that made it."""

    @staticmethod
    def is_equal_by_value(game: Replay, lines: list[Line]) -> None:
        again = Replay(game.header)
        for step, line in zip(game.steps, lines, strict=True):
            assert hash(again.state) == hash(step.before)
            assert again.state == step.before
            again.carry_out(step.line, line)
        assert again.state == game.state
        assert hash(again.state) == hash(game.state)

    @staticmethod
    def goes_there_and_back(game: Replay, lines: list[Line]) -> None:
        """JSON brings back the header, the inputs, the rulings and the view."""
        head = {"record": 1, "game": game.header.game, "players": game.header.players, "options": game.header.options}
        again = Replay(record.header(json.dumps(head, ensure_ascii=False).encode()))
        for number, line in enumerate(lines, 2):
            again.line(number, json.dumps({"at": "2026-01-01T00:00:00Z", **line, "by": "file"}).encode())
        assert again.state == game.state
        assert [step.rulings for step in again.steps] == [step.rulings for step in game.steps]
        view = game.game.rules.view(game.state)
        assert json.loads(json.dumps(view)) == view == again.game.rules.view(again.state)
        for step in again.steps:
            for ruling in step.rulings:
                assert json.loads(json.dumps(ruling.as_json())) == ruling.as_json()
                assert not {"line", "rule", "kind"} & set(ruling.facts)

    @staticmethod
    def can_be_undone(game: Replay, lines: list[Line], dice: Random) -> None:
        """Taking back up to nine inputs now and then, and giving them again, leads to the same game."""
        again = Replay(game.header)
        for number, line in enumerate(lines, 2):
            if dice.random() < 0.2:
                left = len(again.steps) - dice.randint(0, min(9, len(again.steps)))
                undone = lines[left : len(again.steps)]
                for _ in undone:
                    assert isinstance(again.carry_out(number, {"undo": True}), Allowed)
                assert again.state == game.steps[left].before
                for one in undone:
                    again.carry_out(number, one)
            again.carry_out(number, line)
        assert again.state == game.state
        for _ in lines:
            again.undo()
        assert again.state == Replay(game.header).state

    @staticmethod
    def is_not_changed_by_refusals(game: Replay, lines: list[Line], wrong: Callable[[Line], Line]) -> None:
        """``wrong`` gives an input in place of the right one; it may be legal too, and is then taken back."""
        again = Replay(game.header)
        for number, line in enumerate(lines, 2):
            before, view = again.state, again.game.rules.view(again.state)
            outcome = again.carry_out(number, wrong(line))
            if isinstance(outcome, Refused):
                assert again.state is before
            else:
                again.undo()
            assert again.game.rules.view(again.state) == view
            again.carry_out(number, line)
        assert again.state == game.state

    @staticmethod
    def cite_and_say_all(game: Game, rulings: list[Ruling], refusals: list[Ruling]) -> None:
        """What many games and wrong tries gave has every clause and every kind of the game, and no other."""
        text = game.table("text")
        assert {one.rule for one in (*rulings, *refusals)} - {None} == set(game.table("clauses"))
        assert {one.kind for one in rulings} == set(text["rulings"])
        assert {one.kind for one in refusals} - set(shelf.shared_text()["refusals"]) == set(text["refusals"])


@pytest.fixture(scope="session")
def whole() -> type[Whole]:
    return Whole
