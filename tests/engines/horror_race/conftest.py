"""A table where horror-race is really played: tokens are dealt, hidden, drawn and laid, so every record it gives is
legal; and ways to spoil a record."""

import random
from typing import TypeAlias

import msgspec
import pytest

from engines.core import Allowed, Json, Refused, State
from engines.horror_race import rules
from engines.record import Header, Replay

Tokens: TypeAlias = dict[str, dict[str, int]]
CHARACTERS = ("gumiho", "mummy", "vampire", "jiangshi", "zombie")
NAMES = ("다은", "Bo", "민수", "Ana L", "P7", "Kim", "준", "Mia", "X1", "하루", "Zoë", "R2")
PAIRS = tuple([a, b] for a in CHARACTERS for b in CHARACTERS if a != b)


class Table:
    """One real box and its players: what they hide, what lies in the pool, and what they do next."""

    def __init__(self, rng: random.Random, number: int, options: dict[str, Json]) -> None:
        self.rng = rng
        self.players = NAMES[:number]
        self.options = options
        self.extra = {3: 2, 4: 3, 5: 3}.get(number, 0)
        self.turns = number * (2 if number <= 5 else 1)
        self.deal()

    def deal(self) -> None:
        self.hidden = {name: self.rng.sample(CHARACTERS, 2) for name in self.players}
        self.pool = [c for picks in self.hidden.values() for c in CHARACTERS if c not in picks]
        self.pool += CHARACTERS * self.extra
        if self.options.get("jokers"):
            self.pool += ["joker"] * 3

    def next(self, view: dict[str, Json], chooser: list[str]) -> dict[str, Json]:
        """Give an input that the table's players could give now."""
        if view["phase"] == "round":
            return self.round()
        if view["phase"] == "start":
            self.deal()
            return {"input": "start", "player": self.rng.choice(self.players), "chosen_by": self.rng.choice(chooser)}
        player = self.rng.choice(chooser)
        if view["phase"] == "reveal":
            return {"input": "reveal", "player": player, "picks": self.hidden[player]}
        guesses = {name: self.rng.choice(CHARACTERS) for name in self.players if name != player}
        return {"input": "guess", "player": player, "guesses": guesses}

    def round(self) -> dict[str, Json]:
        may_pass = self.options.get("passing", True) and self.rng.random() < 0.4
        passed = self.rng.choice(self.players) if may_pass else None
        zones: Tokens = {"1": {}, "2": {}, "4": {}}
        favourite = {zone: self.rng.choice(CHARACTERS) for zone in zones}
        for drawn in self.rng.sample(self.pool, 3 * (self.turns - (passed is not None))):
            zone = self.rng.choice("124")
            if self.rng.random() < 0.5:
                zone = next((z for z, one in favourite.items() if one == drawn), zone)
            name = f"joker:{self.rng.choice(CHARACTERS)}" if drawn == "joker" else drawn
            zones[zone][name] = zones[zone].get(name, 0) + 1
        return {"input": "round", "zones": zones, "passed": passed}


class Game:
    """A whole game as it was played at a table."""

    def __init__(self, rng: random.Random, number: int | None = None, options: dict[str, Json] | None = None) -> None:
        number = number or rng.randint(3, 12)
        self.options = some_options(rng, number) if options is None else options
        table = Table(rng, number, self.options)
        self.header = Header("horror-race", tuple(table.players), self.options)
        self.replay = Replay(self.header)
        self.inputs: list[dict[str, Json]] = []
        while self.replay.state.phase != "over":
            view = rules.view(self.replay.state)
            chooser = [one.who for one in rules.expects(self.replay.state) if one.who is not None]
            found = table.next(view, chooser)
            outcome = self.replay.carry_out(len(self.inputs) + 2, found)
            if type(outcome) is Refused:
                raise ValueError(f"a real table was refused: {outcome.ruling} {found}")
            self.inputs.append(found)


def some_options(rng: random.Random, number: int) -> dict[str, Json]:
    options = {
        "steps": rng.choice((5, 6, 9, 13)),
        "jokers": rng.random() < 0.5,
        "passing": rng.random() < 0.7,
        "deduction": rng.random() < 0.5,
        "start_player": rng.choice(NAMES[:number]),
        "second_tie": rng.choice(("token", "player")),
    }
    return {key: value for key, value in options.items() if rng.random() < 0.8 or key == "steps"}


def spoil(rng: random.Random, found: dict[str, Json]) -> dict[str, Json]:
    """Change one thing of an input; what comes out may be legal or not."""
    found = msgspec.json.decode(msgspec.json.encode(found))
    who = rng.choice((*NAMES, "nobody"))
    if found["input"] == "round":
        zone = found["zones"][rng.choice("124")]
        what = rng.choice((*CHARACTERS, "joker:mummy", "joker:zombie", "werewolf"))
        change = rng.randrange(5)
        if change == 0:
            found["passed"] = rng.choice((None, who))
        elif change == 1:
            zone[what] = zone.get(what, 0) + rng.choice((1, 2, 3, 9))
        elif zone:
            old = rng.choice(list(zone))
            zone[what] = zone.get(what, 0) + zone.pop(old)
    elif found["input"] == "guess":
        if rng.random() < 0.5:
            found["player"] = who
        elif rng.random() < 0.5:
            found["guesses"].pop(rng.choice(list(found["guesses"])))
        else:
            found["guesses"][who] = rng.choice(CHARACTERS)
    elif found["input"] == "reveal":
        if rng.random() < 0.3:
            found["player"] = who
        else:
            found["picks"] = [rng.choice(CHARACTERS), rng.choice(CHARACTERS)]
    else:
        found[rng.choice(("player", "chosen_by"))] = who
    return found


def allowed(outcome: Allowed[State] | Refused) -> Allowed[State]:
    assert type(outcome) is Allowed, outcome
    return outcome


class Kit:
    """What the tests of this folder share."""

    characters = CHARACTERS
    names = NAMES
    pairs = PAIRS
    table = Table
    game = Game
    spoil = staticmethod(spoil)

    @staticmethod
    def dice(seed: int) -> random.Random:
        """Chance that comes out the same again."""
        return random.Random(seed)  # noqa: S311 - a game, no secret

    @staticmethod
    def seat(number: int, **options: Json) -> State:
        """Give the state after a header."""
        return rules.start(NAMES[:number], msgspec.convert(options, rules.Options))

    @staticmethod
    def give(state: State, name: str, **fields: Json) -> Allowed[State] | Refused:
        """Carry out one input."""
        return rules.apply(state, msgspec.convert(fields, rules.INPUTS[name]))

    @classmethod
    def shown(cls, number: int, seen: tuple[int, ...] = (0,) * 5, **fields: Json) -> State:
        """Give a state in which the tokens are to be shown."""
        placing = tuple((name,) for name in CHARACTERS)
        state = cls.seat(number, **fields.pop("options", {}))
        return msgspec.structs.replace(state, **{"phase": "reveal", "seen": seen, "placing": placing, **fields})

    @classmethod
    def reveal_all(cls, state: State, *picks: list[str]) -> Allowed[State]:
        """Show these tokens in seat order. Gives the last outcome."""
        outcome: Allowed[State] | Refused = Allowed(state, ())
        for name, two in zip(NAMES, picks, strict=False):
            outcome = cls.give(allowed(outcome).state, "reveal", player=name, picks=two)
        return allowed(outcome)

    @classmethod
    def guess_all(cls, state: State, character: str) -> Allowed[State]:
        """Let everybody guess the same of everybody, last seat first. Gives the last outcome."""
        players = state.setup.players
        outcome: Allowed[State] | Refused = Allowed(state, ())
        for name in reversed(players):
            guesses = dict.fromkeys([other for other in players if other != name], character)
            outcome = cls.give(allowed(outcome).state, "guess", player=name, guesses=guesses)
        return allowed(outcome)

    @staticmethod
    def kinds(outcome: Allowed[State]) -> list[tuple[str | None, str]]:
        """Clause and kind of each ruling."""
        return [(one.rule, one.kind) for one in outcome.rulings]

    @staticmethod
    def facts(outcome: Allowed[State], kind: str) -> dict[str, Json]:
        """Facts of the first ruling of a kind."""
        return next(one.facts for one in outcome.rulings if one.kind == kind)

    @staticmethod
    def broken(outcome: Allowed[State] | Refused) -> tuple[str | None, str]:
        """Clause and kind of a refusal."""
        assert type(outcome) is Refused
        return outcome.ruling.rule, outcome.ruling.kind


@pytest.fixture(scope="session")
def kit() -> type[Kit]:
    return Kit
