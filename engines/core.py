"""What every game is made of: seats, inputs, rulings, refusals, expectations.

A game is a module ``engines/<game>/rules.py`` that satisfies :class:`Rules`. It is a reducer over frozen, hashable
values: nothing is drawn at random, so the list of inputs *is* the game.
"""

from collections.abc import Mapping
from typing import Any, Generic, NewType, NoReturn, Protocol, TypeAlias, TypeVar

import msgspec

Seat = NewType("Seat", int)
"""A player's place at the table, 0-based, clockwise from the first name of the header."""

State: TypeAlias = Any
"""A game's state, to those who only pass it on: frozen, hashable, of the game's own type."""

Json: TypeAlias = Any
"""A value that JSON can hold; the contract for its shape is the game's page."""

S = TypeVar("S")


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """What the referee says about one thing that happened, or did not.

    ``rule`` is the clause that it follows (``"WR-8"``; null only in refusals of shape, phase or turn), ``kind`` the
    key of its words in the game's ``text.toml``, ``facts`` what those words name: JSON values, spaces as whole numbers.
    """

    rule: str | None
    kind: str
    facts: dict[str, Json] = {}

    def as_json(self) -> dict[str, Json]:
        """Flat form of the record contract: ``{"rule": ..., "kind": ..., **facts}``."""
        return {"rule": self.rule, "kind": self.kind, **self.facts}


class Allowed(msgspec.Struct, Generic[S], frozen=True, gc=False):
    """An input was carried out: the new state, and one ruling for each thing worth telling, in order."""

    state: S
    rulings: tuple[Ruling, ...]


class Refused(msgspec.Struct, frozen=True):
    """An input was not carried out. It carries no state, so it cannot change one."""

    ruling: Ruling


class Expectation(msgspec.Struct, frozen=True):
    """One input that may come next; ``role`` (``player``, ``hunter``, ``clan``) and ``who`` may give it, or nobody.

    ``stands_in`` is the input's field that names the giver, where it is another than the role's.
    """

    input: str
    role: str | None = None
    who: str | None = None
    stands_in: str | None = None

    @property
    def field(self) -> str | None:
        """Give the input's field that ``who`` fills."""
        return self.stands_in or self.role

    def as_json(self) -> dict[str, Json]:
        """``{"input": "roll", "player": "Ana"}``; without the second key where the input belongs to nobody."""
        return {"input": self.input} if self.role is None else {"input": self.input, self.role: self.who}


class SetupError(ValueError):
    """The header's players or options do not fit the game; ``ruling`` says which and how."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(f"{ruling.kind}: {ruling.facts}")
        self.ruling = ruling


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of every input: strict types, no unknown field. Meta keys are taken off before it is made."""


class Rules(Protocol):
    """The functions and names that a game's ``rules.py`` has. All functions are pure."""

    PLAYERS: range
    """How many may play."""
    INPUTS: Mapping[str, type[Input]]
    """Input name -> its type; the field types are the shape that the record demands."""
    Options: type[msgspec.Struct]
    """The header's options, every default in place."""

    def start(self, players: tuple[str, ...], options: Json) -> State:
        """Give the state after the header. Raises SetupError where an option does not fit the players."""

    def opening(self, state: State) -> tuple[Ruling, ...]:
        """Tell what the table prepares before the first input."""

    def apply(self, state: State, data: Json) -> "Allowed[State] | Refused":
        """Carry out one input of the right shape, or refuse it."""

    def expects(self, state: State) -> tuple[Expectation, ...]:
        """List exactly what may come next; empty when the game is over."""

    def view(self, state: State) -> dict[str, Json]:
        """Show the state as the game's page lays it down."""

    def result(self, state: State) -> dict[str, Json] | None:
        """Give the scores and winners, or None until the game is over."""


def ruled(rule: str, kind: str, **facts: Json) -> Ruling:
    """Make a ruling of a clause."""
    return Ruling(rule, kind, facts)


def refused(rule: str | None, kind: str, **facts: Json) -> Refused:
    """Make a refusal of a clause, or (``None``) of the input's shape, its phase or its turn."""
    return Refused(Ruling(rule, kind, facts))


def misfit(option: str, kind: str, **facts: Json) -> NoReturn:
    """Refuse an option of the header, naming it."""
    raise SetupError(Ruling(None, kind, {"option": option, **facts}))


def unknown_player(name: str) -> Refused:
    """Refuse a name that nobody at this table has."""
    return refused(None, "unknown-player", player=name)


def not_now(name: str, phase: str) -> Refused:
    """Refuse an input that belongs to another phase of the game."""
    return refused(None, "not-now", input=name, phase=phase)


def not_your_turn(name: str, turn: str) -> Refused:
    """Refuse an input of somebody who is not on turn."""
    return refused(None, "not-your-turn", player=name, turn=turn)


def winners(players: tuple[str, ...], scores: Mapping[str, int]) -> list[str]:
    """Give those with the most points, in seat order."""
    most = max(scores.values())
    return [name for name in players if scores[name] == most]
