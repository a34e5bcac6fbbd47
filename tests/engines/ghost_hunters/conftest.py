"""Tables to play Ghost Hunters at: set up as a test needs it, or played by chance."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from companion.text import LANGS, Speaker
from engines import shelf
from engines.core import Allowed, Refused
from engines.ghost_hunters import rules
from engines.ghost_hunters.house import FAR, OUTSIDE, ROOMS, SQUARES, Bounds, path
from engines.ghost_hunters.state import RED_GHOST, State
from engines.record import Header, Replay

NAMES = ("다은", "Bo", "민수7", "Eve")
PLACES = (OUTSIDE, *sorted(SQUARES), *ROOMS)
LETTERS = tuple(ROOMS)
EXTRA_CARDS = ("draw-2", "draw-3", "blue-doors", "green-doors")


SPEAKERS = [Speaker(shelf.game("ghost-hunters"), lang) for lang in LANGS]


def say(outcome: Allowed[State] | Refused) -> None:
    """Put all that was ruled into words, so that every ruling a test brings about has them."""
    for speaker in SPEAKERS:
        if isinstance(outcome, Refused):
            texts = [speaker.refusal(outcome.ruling)]
        else:
            texts = [text for one in outcome.rulings for text in (speaker.long(one), speaker.short(one) or "-")]
        assert all(text and "{" not in text for text in texts)


class Told(list[tuple[str, str]]):
    """Clause and kind of every ruling of an input."""

    @property
    def clauses(self) -> list[str]:
        return [clause for clause, _ in self]

    @property
    def kinds(self) -> list[str]:
        return [kind for _, kind in self]


class Table:
    """A game in the making, with its state at a test's command."""

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.replay = Replay(Header("ghost-hunters", NAMES[:players], options))

    @property
    def state(self) -> State:
        return self.replay.state

    @property
    def view(self) -> dict[str, Any]:
        return rules.view(self.state)

    @property
    def expected(self) -> set[str]:
        return {one.input for one in rules.expects(self.state)}

    @property
    def lone_ghosts(self) -> dict[str, int]:
        """Rooms with ghosts that are not red."""
        return {room: what["ghosts"] for room, what in self.view["rooms"].items() if what["ghosts"]}

    @property
    def reds(self) -> list[str]:
        return [room for room, what in self.view["rooms"].items() if what["red"]]

    def facts(self, kind: str) -> dict[str, Any]:
        """Give the facts of the newest input's one ruling of a kind."""
        (found,) = [ruling.facts for ruling in self.replay.steps[-1].rulings if ruling.kind == kind]
        return found

    def put(self, **changes: object) -> "Table":
        self.replay.state = replace(self.state, **changes)
        return self

    def at(self, **places: str) -> "Table":
        hunters = self.state.setup.hunters
        return self.put(at=tuple(places.get(one, old) for one, old in zip(hunters, self.state.at, strict=True)))

    def bags(self, **jewels: int) -> "Table":
        return self.put(bags=tuple(jewels.get(one) for one in self.state.setup.hunters))

    def ghosts(self, **rooms: int) -> "Table":
        return self.put(ghosts=tuple(rooms.get(room, 0) for room in ROOMS))

    def do(self, name: str, **fields: object) -> Allowed[State] | Refused:
        if name != "card":
            fields = {"hunter": self.state.hunter, **fields}
        outcome = self.replay.carry_out(len(self.replay.steps) + 2, {"input": name, **fields})
        say(outcome)
        return outcome

    def ok(self, name: str, **fields: object) -> Told:
        """Carry an input out; give clause and kind of its rulings."""
        outcome = self.do(name, **fields)
        assert isinstance(outcome, Allowed), outcome
        return Told((ruling.rule or "", ruling.kind) for ruling in outcome.rulings)

    def no(self, name: str, **fields: object) -> str | None:
        """Have an input refused; give the clause."""
        before = self.state
        outcome = self.do(name, **fields)
        assert isinstance(outcome, Refused), outcome
        assert self.state == before
        return outcome.ruling.rule

    def moving(self, die: int) -> "Table":
        return self.put(phase="move", die=die)


class Chance:
    """Plays legal inputs: by chance, or with some sense where ``sense`` (0 to 1) says so."""

    def __init__(self, seed: int, sense: float) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a game, not a secret
        self.sense = sense

    def input(self, state: State) -> dict[str, Any]:
        asked = self.random.choice(rules.expects(state))
        if asked.input == "end" and self.random.random() < self.sense:
            asked = rules.expects(state)[0]
        fields: dict[str, Any] = {} if asked.who is None else {asked.role or "": asked.who}
        return {"input": asked.input, **fields, **self._fields(asked.input, state)}

    def _fields(self, name: str, state: State) -> dict[str, Any]:
        if name == "roll":
            return self._roll()
        if name == "end":
            return {}
        fields: dict[str, Any] = getattr(self, "_" + name)(state)
        return fields

    def _roll(self) -> dict[str, Any]:
        return {"die": self.random.choice((1, 2, 3, 4, 5, 6, 6, 6) if self.sense > 0.5 else range(1, 7))}

    def _card(self, state: State) -> dict[str, Any]:
        pile = [*LETTERS, "shuffle"]
        if state.setup.advanced:
            pile += [*EXTRA_CARDS, "blue-doors", "green-doors"]
        left = list(pile)
        for card in state.out:
            left.remove(card)
        return {"card": self.random.choice(left or pile)}

    def _move(self, state: State) -> dict[str, Any]:
        places = reach(state)
        if self.random.random() < self.sense:
            return {"to": min(places, key=lambda place: self._worth(state, place))}
        return {"to": self.random.choice(places)}

    def _worth(self, state: State, place: str) -> float:
        """Steps from a place to where the hunter wants to go."""
        goals: list[str] = [OUTSIDE]
        if state.bag is None and state.jewels:
            goals = sorted(state.jewels)
        ways = (path(place, goal, FAR, Bounds(state.locked)) for goal in goals)  # type: ignore[arg-type]
        if place in goals:
            return 0
        red = 3 * (state.ghosts_at(place) == RED_GHOST) if state.bag is not None else 0
        return min(way.steps for way in ways if way is not None) + red + self.random.random() / 2

    def _take(self, state: State) -> dict[str, Any]:
        if not state.setup.advanced:
            return {}
        left = [number for number in range(state.saved + 1, 9) if number not in state.bags]
        return {"number": left[0] if self.random.random() < self.sense else self.random.choice(left)}

    def _fight(self, state: State) -> dict[str, Any]:
        company, red = len(state.company()), state.ghosts_at(state.place) == RED_GHOST
        dice = 2 if red else self.random.randint(1, min(2, company))
        return {"dice": [self.random.choice(("ghost", "ghost", "ghost", "red", "red", "blank")) for _ in range(dice)]}


def reach(state: State) -> list[str]:
    """Every place where a move is allowed, by trying them all."""
    tries = ((place, rules.apply(state, rules.Move(state.hunter, place))) for place in PLACES)
    return [place for place, outcome in tries if isinstance(outcome, Allowed)]


def play(seed: int, players: int, options: dict[str, Any], *, sense: float, most: int = 600) -> list[dict[str, Any]]:
    """Play a game by chance to its end, or ``most`` inputs; give its inputs."""
    game = Replay(Header("ghost-hunters", NAMES[:players], options))
    chance = Chance(seed, sense)
    inputs: list[dict[str, Any]] = []
    while rules.expects(game.state) and len(inputs) < most:
        inputs.append(chance.input(game.state))
        outcome = game.carry_out(len(inputs) + 1, inputs[-1])
        assert isinstance(outcome, Allowed), (inputs[-1], outcome)
    return inputs


@pytest.fixture
def table() -> Callable[..., Table]:
    def make(players: int = 4, **options: object) -> Table:
        return Table(players, options)

    return make


@pytest.fixture(scope="session")
def played() -> Callable[..., list[dict[str, Any]]]:
    return play


@pytest.fixture(scope="session")
def places_in_reach() -> Callable[[State], list[str]]:
    return reach
