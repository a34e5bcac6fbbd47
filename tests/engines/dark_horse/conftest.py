import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from engines import record
from engines.core import Allowed, Json, Refused, Ruling
from engines.dark_horse.cards import CARDS
from engines.record import Replay

NAMES = ("Ana", "다은", "민수", "Bo", "Ivo", "9")


class Table:
    """A game of Dark Horse, played through its record."""

    def __init__(self, count: int = 2, **options: Json) -> None:
        self.players = NAMES[:count]
        head = {"record": 1, "game": "dark-horse", "players": list(self.players), "options": options}
        self.replay = Replay(record.header(json.dumps(head).encode()))

    @property
    def view(self) -> dict[str, Json]:
        return self.replay.game.rules.view(self.replay.state)

    @property
    def result(self) -> dict[str, Json] | None:
        return self.replay.game.rules.result(self.replay.state)

    @property
    def expects(self) -> set[tuple[str, str | None]]:
        return {(one.input, one.who) for one in self.replay.game.rules.expects(self.replay.state)}

    @property
    def turn(self) -> str:
        return self.view["turn"]

    def give(self, name: str, **fields: Json) -> Allowed[Any] | Refused:
        line = json.dumps({"input": name, **fields})
        return self.replay.carry_out(len(self.replay.steps) + 2, json.loads(line))

    def does(self, name: str, **fields: Json) -> tuple[Ruling, ...]:
        outcome = self.give(name, **fields)
        assert isinstance(outcome, Allowed), outcome
        return outcome.rulings

    def refuses(self, name: str, **fields: Json) -> tuple[str | None, str]:
        before = self.replay.state
        outcome = self.give(name, **fields)
        assert isinstance(outcome, Refused), outcome
        assert self.replay.state is before
        return outcome.ruling.rule, outcome.ruling.kind

    def lined(self, *order: int) -> "Table":
        self.does("line", order=list(order or range(1, 8)))
        return self

    def play(self, card: str, **fields: Json) -> tuple[Ruling, ...]:
        return self.does("play", player=self.turn, card=card, **fields)

    def refuses_card(self, card: str, **fields: Json) -> tuple[str | None, str]:
        return self.refuses("play", player=self.turn, card=card, **fields)

    def race_out(self) -> "Table":
        """Play all cards without moving anything: two ranks, neither way open."""
        while self.view["phase"] == "play":
            self.play("rank:1,7:~1")
        return self


@pytest.fixture
def table() -> Callable[..., Table]:
    """Give a maker of tables: ``table(3, overrun="turn")``."""
    return Table


def _options(dice: random.Random, players: tuple[str, ...]) -> dict[str, Json]:
    flat = dice.random() < 0.6  # for ties
    some = {
        "scores": [5] * 7 if flat else sorted((dice.randint(0, 20) for _ in range(7)), reverse=True),
        "start_player": dice.choice(players),
        "overrun": dice.choice(["stop", "turn"]),
        "no_token_on_last_card": dice.choice([False, True]),
    }
    return {key: value for key, value in some.items() if dice.random() < 0.5}


def _next(dice: random.Random, table: Table, tickets: dict[str, list[int]], pile: list[int]) -> dict[str, Json]:
    """Choose one legal input; ``tickets`` and ``pile`` are the real ones, which the referee never sees."""
    expected = sorted(table.expects, key=str)
    shy = table.view["dark_horse"] in {1, 2}  # whole games without a token, too
    name, who = dice.choice([one for one in expected if not (shy and one[0] == "token")])
    if name == "line":
        return {"input": "line", "order": dice.sample(range(1, 8), 7)}
    if name == "token":
        return {"input": "token", "player": who}
    if name == "reveal":
        return {"input": "reveal", "player": who, "tickets": tickets[who]}
    if dice.random() < 0.25:
        target = dice.choice(table.players)
        thrown = _throw(dice, tickets[target], pile)
        return {"input": "play", "player": who, "card": "exchange", "target": target, "discarded": thrown}
    card = CARDS[dice.choice(sorted(set(CARDS) - {"exchange"}))]
    play: dict[str, Json] = {"input": "play", "player": who, "card": card.name}
    if card.sign == "~":
        play["direction"] = dice.choice(["forward", "backward"])
        if isinstance(table.replay.game.rules.apply(table.replay.state, _typed(table, play)), Refused):
            play.pop("direction")
    return play


def _throw(dice: random.Random, hand: list[int], pile: list[int]) -> int | None:
    if not pile:
        return None
    animal = hand.pop(dice.randrange(len(hand)))
    hand.append(pile.pop())
    return animal


def _typed(table: Table, line: dict[str, Json]) -> Json:
    fields = {key: value for key, value in line.items() if key != "input"}
    return msgspec.convert(fields, table.replay.game.rules.INPUTS[line["input"]])


@pytest.fixture(scope="session")
def game() -> Callable[[int], Iterator[tuple[Table, dict[str, Json]]]]:
    """Give a maker of random legal games: by seed, each table before an input together with that input."""

    def play(seed: int) -> Iterator[tuple[Table, dict[str, Json]]]:
        dice = random.Random(seed)  # noqa: S311 - a game by chance, no secret
        players = NAMES[: dice.randint(2, 6)]
        table = Table(len(players), **_options(dice, players))
        deck = [*range(1, 8), *range(1, 8)]
        dice.shuffle(deck)
        each = 3 if len(players) == 2 else 2
        tickets = {player: [deck.pop() for _ in range(each)] for player in players}
        while table.expects:
            line = _next(dice, table, tickets, deck)
            yield table, line
            table.does(line["input"], **{key: value for key, value in line.items() if key != "input"})
        yield table, {}

    return play
