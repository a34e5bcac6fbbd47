"""What the camera looks for, as a game's ``table.toml`` says it: which pieces give an input, and how.

``[reads.INPUT]`` has these keys, the first three always:

- ``kind``: the pieces' kind (``die``, ``token``, ``card``, ``tile``); ``regions``: where on the mat they lie.
- ``name``: what such a piece is called, the input's fields in braces (``{clan}-card-{card}``). A piece that is called
  otherwise is not this input's. A field that is a list takes every piece, in the page's reading order; any other one.
- ``keys``: for a field that counts, region -> the key that holds how many of each name lie there.
- ``since``: the pieces of the same input that were ruled on already still lie there, back to the newest ruling of this
  kind; only those that came are the input.
- ``counts_as``: a name that means another in this input. ``stands_for``: a piece that somebody is asked about, and the
  names that it can stand for.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Literal

from companion.entry import Question, questions
from engines.core import Json
from engines.shelf import Game

Shape = Literal["one", "list", "counts"]

PIPS = frozenset(map(str, range(1, 7)))
"""The faces of an ordinary die; they need not be taught."""


@dataclass(frozen=True)
class Read:
    """How one input is read; ``fields`` are those that the pieces' names give, with their values by name."""

    input: str
    kind: str
    regions: tuple[str, ...]
    name: str
    shape: Shape
    fields: Mapping[str, Mapping[str, Json]]
    least: int = 1
    most: int = 1
    """How many pieces a list takes."""
    keys: Mapping[str, str] = field(default_factory=dict)
    since: str | None = None
    counts_as: Mapping[str, str] = field(default_factory=dict)
    stands_for: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def values(self, name: str) -> dict[str, Json] | None:
        """Give the fields that a piece of this name gives, or None where it is not this input's piece."""
        found = _pattern(self.name).fullmatch(self.counts_as.get(name, name))
        texts = found.groupdict() if found else {}
        if not texts or any(text not in self.fields[one] for one, text in texts.items()):
            return None
        return {one: self.fields[one][text] for one, text in texts.items()}

    def called(self, values: Mapping[str, Json]) -> str:
        """Give the name of the piece that gives these fields."""
        return self.name.format(**values)

    def names(self) -> tuple[str, ...]:
        """List what the pieces of this input may be called."""
        asked = {one for many in self.stands_for.values() for one in many}
        rows = product(*self.fields.values())
        made = (self.name.format(**dict(zip(self.fields, row, strict=True))) for row in rows)
        return (*(one for one in made if one not in asked), *self.stands_for, *self.counts_as)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """Turn ``{clan}-card-{card}`` into the pattern of such names."""
    parts = re.split(r"\{(\w+)\}", name)
    return re.compile("".join(f"(?P<{one}>.+)" if index % 2 else re.escape(one) for index, one in enumerate(parts)))


@cache
def reads(game: Game) -> Mapping[str, Read]:
    """Give the inputs that pieces on the mat can give, by name."""
    return {name: _read(game, name, entry) for name, entry in game.table("table").get("reads", {}).items()}


def _read(game: Game, name: str, entry: Mapping[str, Json]) -> Read:
    asked = {one.field: one for one in questions(game.rules.INPUTS[name])}
    fields = {one: _texts(asked[one]) for one in re.findall(r"\{(\w+)\}", entry["name"])}
    first = asked[next(iter(fields))]
    shape: Shape = first.form if first.form in ("list", "counts") else "one"
    return Read(
        name,
        entry["kind"],
        tuple(entry["regions"]),
        entry["name"],
        shape,
        fields,
        first.least,
        first.most,
        entry.get("keys", {}),
        entry.get("since"),
        entry.get("counts_as", {}),
        {one: tuple(many) for one, many in entry.get("stands_for", {}).items()},
    )


def _texts(question: Question) -> dict[str, Json]:
    return {str(value): value for value in question.answers if isinstance(value, int | str)}


@cache
def pieces(game: Game) -> Mapping[str, tuple[str, ...]]:
    """List the names of a game's pieces by kind: all that may be taught and read, face up."""
    found: dict[str, dict[str, None]] = {}
    for read in reads(game).values():
        found.setdefault(read.kind, {}).update(dict.fromkeys(read.names()))
    return {kind: tuple(names) for kind, names in found.items()}


def backs(game: Game) -> Mapping[str, tuple[str, ...]]:
    """List the names of a game's face-down looks by kind."""
    return {kind: tuple(names) for kind, names in game.table("table").get("backs", {}).items()}


def known(game: Game) -> Iterator[str]:
    """List every name that may be taught for a game."""
    for names in (*pieces(game).values(), *backs(game).values()):
        yield from names
