"""The ways in which what was seen can be read, and what the rules say to each."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from math import prod

import msgspec

from companion import entry
from companion.order import may_begin
from companion.reads import Read
from companion.scene import Lain, Seen
from engines.core import Allowed, Expectation, Json, Refused, Ruling
from engines.record import Replay
from vision.observation import Complaint

Laid = tuple[str | None, str]
"""A piece's name, and the key that it is counted behind."""


@dataclass(frozen=True)
class Trouble:
    """Nothing can be read for this input; ``reason`` is a key of the application's words, ``facts`` what they name."""

    reason: str
    facts: Mapping[str, Json] = field(default_factory=dict)
    complaint: Complaint | None = None
    """The reader's own complaint, where that says what is in the way."""
    ruling: Ruling | None = None
    """The refusal, where what was seen can't be."""
    fields: Mapping[str, Json] = field(default_factory=dict)
    """What was read all the same, to be put right by hand."""
    laid: tuple[Laid, ...] = ()
    """The pieces that can't be, each with the key that it is counted behind."""


@dataclass(frozen=True)
class Piece:
    """A piece and what it may be called, likeliest first, with the chance of each."""

    seen: Seen
    number: int
    """Its place in reading order, from 1."""
    names: tuple[tuple[str, float], ...]
    doubted: bool = False
    """It has one name, and that is not certain."""

    @property
    def unsure(self) -> bool:
        """Tell whether there is something to ask."""
        return self.doubted or len(self.names) > 1


@dataclass(frozen=True)
class Way:
    """One way to read the pieces: their names, and what follows. ``effect`` is None where the rules forbid it."""

    names: tuple[str, ...]
    chance: float
    fields: Mapping[str, Json]
    effect: Json | None
    is_whole: bool = True
    """The pieces give the whole input; else the rest is asked by hand."""
    pieces: tuple[int, ...] = ()
    """Which pieces are new, by index."""
    first_of: tuple[str, ...] = ()
    """Which came first has to be asked: any of these may have."""
    trouble: Trouble | None = None


@dataclass(frozen=True)
class Reader:
    """Reads one expected input of a game; ``lain`` are the pieces of the last such reading."""

    game: Replay
    wanted: Expectation
    read: Read
    pieces: tuple[Piece, ...]
    lain: tuple[Lain, ...]
    first: str | None = None
    """Which of several that came is carried out now, where that was asked."""

    def ways(self) -> Iterator[Way]:
        """Give every way to read the pieces."""
        for choice in product(*(one.names for one in self.pieces)):
            yield self.way(tuple(name for name, _ in choice), prod(chance for _, chance in choice))

    def way(self, names: tuple[str, ...], chance: float = 1.0) -> Way:
        """Read the pieces by these names."""
        mine = [index for index, name in enumerate(names) if self._is_mine(name)]
        asked = [(self.pieces[one].number, names[one]) for one in mine if names[one] in self.read.stands_for]
        if asked:
            return Way(names, chance, {}, ("stands-for", tuple(asked)), is_whole=False)
        new = self._new(names, mine)
        if isinstance(new, Trouble):
            return Way(names, chance, {}, None, trouble=new)
        given = self._fields(names, new)
        if self.read.since and self.read.shape == "one" and len(new) > 1:
            return self._one_of(names, chance, new)
        wrong = self._misfit(names, new, given)
        if wrong is not None:
            return Way(names, chance, given, None, trouble=wrong, pieces=new)
        return self._ruled(names, chance, given, new)

    def _one_of(self, names: tuple[str, ...], chance: float, new: tuple[int, ...]) -> Way:
        """Where several came at once, ask which came first, unless the rules leave one order only."""
        may = may_begin(self.game.game, self.game.state, self.read, [names[one] for one in new])
        if not may:
            trouble = Trouble("too-many", {"count": len(new)})
            return Way(names, chance, {}, None, trouble=trouble, pieces=new)
        name = self.first if self.first in may else may[0]
        one = next(index for index in new if names[index] == name)
        way = self._ruled(names, chance, self._fields(names, (one,)), (one,))
        if len(may) == 1 or self.first in may:
            return way
        return replace(way, effect=may, is_whole=False, pieces=new, first_of=may)

    def laid(self, names: tuple[str, ...], new: tuple[int, ...]) -> tuple[Laid, ...]:
        """Give the names of pieces, each with the key that it is counted behind."""
        return tuple((self.read.keys.get(self.pieces[one].seen.region or ""), names[one]) for one in new)

    def _is_mine(self, name: str) -> bool:
        return name in self.read.stands_for or self.read.values(name) is not None

    def _new(self, names: tuple[str, ...], mine: list[int]) -> tuple[int, ...] | Trouble:
        """Tell which pieces came since the last ruling, all where nothing stays lying from one to the next."""
        left = Counter(lying(self.game, self.wanted, self.read))
        new = []
        for index in sorted(mine, key=lambda one: not self._is_unmoved(one, names[one])):
            if left[names[index]] > 0:
                left[names[index]] -= 1
            else:
                new.append(index)
        gone = list(left.elements())
        if gone:
            return Trouble("vanished", {"names": gone})
        if self.read.shape == "one":  # what was ruled on may lie there still, beside the one that came
            new = [one for one in new if not self._is_unmoved(one, names[one])] or new
        return tuple(sorted(new))

    def _is_unmoved(self, index: int, name: str) -> bool:
        return any(one.name == name and one.is_at(self.pieces[index].seen) for one in self.lain)

    def _misfit(self, names: tuple[str, ...], new: tuple[int, ...], given: dict[str, Json]) -> Trouble | None:
        """Say why so many pieces, or these, can't be the input whatever the rules say."""
        read, count = self.read, len(new)
        if not count:
            other = sorted({name for name in names if not self._is_mine(name)})
            reason = "other-piece" if other else "nothing-new" if read.since else "nothing"
            return Trouble(reason, {"names": other} if other else {})
        if all(self._is_unmoved(one, names[one]) for one in new):
            return Trouble("unmoved")
        if read.shape == "one" and count > 1:
            return Trouble("too-many", {"count": count})
        if read.shape == "list" and not read.least <= count <= read.most:
            many = count > read.most
            facts = {"count": count, "most": read.most, "least": read.least}
            return Trouble("too-many-of" if many else "too-few", facts, fields=given)
        return None

    def _fields(self, names: tuple[str, ...], new: tuple[int, ...]) -> dict[str, Json]:
        """Make the input's fields of the new pieces."""
        read = self.read
        who = {self.wanted.field: self.wanted.who} if self.wanted.field else {}
        values = [read.values(names[one]) or {} for one in new]
        if read.shape == "one":
            return {**who, **(values[0] if values else {})}
        (name,) = read.fields
        if read.shape == "list":
            return {**who, name: [one[name] for one in values]}
        return {**who, name: self._counts([one[name] for one in values], new)}

    def _counts(self, values: Sequence[Json], new: tuple[int, ...]) -> dict[str, dict[str, int]]:
        regions = [self.pieces[one].seen.region for one in new]
        (order,) = self.read.fields.values()
        found = {}
        for region, key in self.read.keys.items():
            lie = Counter(value for value, at in zip(values, regions, strict=True) if at == region)
            found[key] = {value: lie[value] for value in order.values() if lie[value]}
        return found

    def _ruled(self, names: tuple[str, ...], chance: float, given: dict[str, Json], new: tuple[int, ...]) -> Way:
        """Have the rules judge the fields, with whatever the pieces leave open."""
        allowed = []
        refusals = []
        for fields, outcome in self._completions(given):
            if isinstance(outcome, Allowed):
                allowed.append((fields, outcome))
            elif isinstance(outcome, Refused):
                refusals.append(outcome.ruling)
        if allowed and all(outcome == allowed[0][1] for _, outcome in allowed):
            fields, outcome = allowed[0]  # with several, such as a direction named or left out, the shortest
            return Way(names, chance, fields, self._effect(outcome), pieces=new)
        if allowed:
            return Way(names, chance, given, ("open", msgspec.json.encode(given)), is_whole=False, pieces=new)
        cited = next((one for one in refusals if one.rule), next(iter(refusals), None))
        reason = "impossible" if cited else "unread"
        trouble = Trouble(reason, ruling=cited, fields=given, laid=self.laid(names, new))
        return Way(names, chance, given, None, trouble=trouble, pieces=new)

    def _completions(self, given: dict[str, Json]) -> Iterator[tuple[dict[str, Json], Json]]:
        """Try every answer to what the pieces don't tell (who passed, which way)."""
        questions = entry.form(self.game, self.wanted, given).questions
        plainest = (sorted(one.answers, key=lambda value: value not in (msgspec.UNSET, None)) for one in questions)
        for row in islice(product(*plainest), entry.TRIALS):
            rest = {one.field: value for one, value in zip(questions, row, strict=True) if value is not msgspec.UNSET}
            fields = {**given, **rest}
            yield fields, entry.trial(self.game, self.wanted.input, fields)

    def _effect(self, outcome: Json) -> Json:
        """Give what can be told apart: the rulings, save what they repeat of the reading, and what a person sees."""
        told = [
            (one.rule, one.kind, {key: value for key, value in one.facts.items() if key not in self.read.fields})
            for one in outcome.rulings
        ]
        return told, self.game.game.rules.view(outcome.state)


def lying(game: Replay, wanted: Expectation, read: Read) -> list[str]:
    """List the pieces that lie on the mat from earlier rulings, by what the record says of them."""
    names: list[str] = []
    if read.since is None:
        return names
    for step in reversed(game.steps):
        if any(one.kind == read.since for one in step.rulings):
            break
        if step.input == wanted.input:
            fields = msgspec.to_builtins(step.data)
            first = next(iter(read.fields))
            rows = [{first: value} for value in fields[first]] if read.shape == "list" else [fields]
            names += [read.called(row) for row in rows]
    return names
