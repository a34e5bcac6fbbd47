"""The record of one game: JSON lines in, the same game again.

What a line may hold is the contract of the record file: one header, then inputs and undo lines, only ever appended.
Nothing here opens a file: lines come as bytes, so a journal, a test and a bug report are read by the same code.
"""

import json
from typing import NoReturn

import msgspec

from engines import shelf
from engines.core import Allowed, Input, Json, Refused, Ruling, SetupError, State, refused

META = frozenset({"at", "by", "evidence", "note"})
"""Keys that may stand on any line and change nothing."""
VERSION = 1
_ABSENT = object()
NAME_LENGTH = 24
"""Code points in a player's name, at most."""


class RecordError(ValueError):
    """A line that cannot be carried out. ``ruling`` says why, ``line`` (1-based) where."""

    def __init__(self, line: int, ruling: Ruling) -> None:
        super().__init__(f"line {line}: {ruling.kind} {ruling.facts}")
        self.line = line
        self.ruling = ruling


class NoRecordError(RecordError):
    """The file is no record at all: its first line is not a JSON object with the key ``record``."""


class Header(msgspec.Struct, frozen=True):
    """The first line: which game, who plays, which options (as written; left-out ones have their defaults)."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Json]


class Step(msgspec.Struct, frozen=True, gc=False):
    """One input that stands: its line, what it was, the state before it, and its rulings."""

    line: int
    input: str
    data: Input
    before: State
    rulings: tuple[Ruling, ...]


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _whole(digits: str) -> int | float:
    """Read a whole number; one with thousands of digits, which Python refuses to, is infinite for our purposes."""
    return int(digits) if len(digits) < 4000 else float(digits)


_decode = json.JSONDecoder(object_pairs_hook=_no_twins, parse_constant=_no_constant, parse_int=_whole).decode
_grammar = json.JSONDecoder(parse_constant=_no_constant, parse_int=str, parse_float=str).decode


def parse(line: bytes) -> dict[str, Json]:
    """Read one line as a JSON object. Raises ValueError for anything else; a key twice is something else.

    The quick decoder keeps the last of two equal keys. Its loss shows: written again, the object has fewer quotation
    marks than the line (where none is escaped). Such lines, and all that it refuses, are read by the strict decoder.
    """
    try:
        quick = msgspec.json.decode(line)
        if type(quick) is dict and b"\\" not in line and msgspec.json.encode(quick).count(b'"') == line.count(b'"'):
            return quick
    except (ValueError, RecursionError):
        pass
    try:
        found = _decode(line.decode("utf-8"))
    except RecursionError:
        raise ValueError("too deeply nested") from None
    if type(found) is not dict:
        raise ValueError("not an object")
    return found


def is_torn(line: bytes) -> bool:
    """Tell whether a last line without its line feed is a torn one: no complete JSON value."""
    try:
        _grammar(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return True
    return False


def split(text: bytes) -> tuple[list[bytes], bytes]:
    """Part a file at its line feeds: the lines that end, and the tail that does not (empty when all end)."""
    *lines, tail = text.split(b"\n")
    return lines, tail


def header(line: bytes) -> Header:
    """Read the first line. Raises NoRecordError or RecordError, always for line 1."""
    try:
        found = parse(line)
    except ValueError:
        found = {}
    if "record" not in found:
        raise NoRecordError(1, Ruling(None, "no-record"))
    for key in found:
        if key not in {"record", "game", "players", "options"} and key not in META:
            raise RecordError(1, Ruling(None, "header-key", {"key": key}))
    if type(found["record"]) is not int or found["record"] != VERSION:
        raise RecordError(1, Ruling(None, "header-version", {"version": VERSION}))
    name = found.get("game")
    if name not in shelf.ids():
        raise RecordError(1, Ruling(None, "header-game", {"games": shelf.ids()}))
    return Header(name, _players(found.get("players")), _options(found.get("options", {})))


def _players(names: Json) -> tuple[str, ...]:
    if type(names) is not list or not all(type(name) is str for name in names):
        raise RecordError(1, Ruling(None, "header-players"))
    for name in names:
        if not 1 <= len(name) <= NAME_LENGTH or name.isspace() or _unspeakable(name):
            raise RecordError(1, Ruling(None, "header-name", {"player": name, "most": NAME_LENGTH}))
    if len(set(names)) != len(names):
        raise RecordError(1, Ruling(None, "header-twins"))
    return tuple(names)


def _unspeakable(name: str) -> bool:
    """Tell whether a name holds half a surrogate pair: text that no file and no screen can hold."""
    return any("\ud800" <= letter <= "\udfff" for letter in name)


def _options(options: Json) -> dict[str, Json]:
    if type(options) is not dict:
        raise RecordError(1, Ruling(None, "header-options"))
    return options


class Replay:
    """A game in the making: the inputs that stand and the state after them.

    It only changes by :meth:`carry_out` and :meth:`undo`; a refused input leaves it as it was.
    """

    def __init__(self, header: Header) -> None:
        """Start a game. Raises RecordError (line 1) for players or options that do not fit it."""
        self.header = header
        self.game = shelf.game(header.game)
        self.steps: list[Step] = []
        rules = self.game.rules
        if len(header.players) not in rules.PLAYERS:
            facts = {"fewest": rules.PLAYERS[0], "most": rules.PLAYERS[-1], "players": len(header.players)}
            raise RecordError(1, Ruling(None, "header-count", facts))
        try:
            options = msgspec.convert(header.options, rules.Options)
            self.state = rules.start(header.players, options)
        except msgspec.ValidationError as error:
            raise RecordError(1, _misshapen("options", error)) from None
        except UnicodeEncodeError:
            raise RecordError(1, _HALF_A_LETTER) from None
        except SetupError as error:
            raise RecordError(1, error.ruling) from None

    def line(self, number: int, line: bytes) -> None:
        """Carry out one line of a record, an input or an undo. Raises RecordError; then nothing has changed."""
        try:
            found = parse(line)
        except ValueError:
            raise RecordError(number, Ruling(None, "unreadable")) from None
        outcome = self._carry_out(number, found)
        if type(outcome) is Refused:
            raise RecordError(number, outcome.ruling)

    def carry_out(self, number: int, found: dict[str, Json]) -> Allowed[State] | Refused:
        """Carry out one line as an object: ``{"input": ...}`` or ``{"undo": true}``, with or without meta keys."""
        return self._carry_out(number, found.copy())

    def _carry_out(self, number: int, fields: dict[str, Json]) -> Allowed[State] | Refused:
        """Carry out one line as an object, which is used up."""
        if not META.isdisjoint(fields):
            for key in META:
                fields.pop(key, None)
        name = fields.pop("input", _ABSENT)
        if type(name) is not str:
            return self._undo_line(fields, has_input=name is not _ABSENT)
        if "undo" in fields:
            return refused(None, "undo-beside-input")
        kind = self.game.rules.INPUTS.get(name)
        if kind is None:
            return refused(None, "unknown-input", input=name, inputs=list(self.game.rules.INPUTS))
        try:
            data = msgspec.convert(fields, kind)
        except msgspec.ValidationError as error:
            return Refused(_misshapen(name, error))
        except UnicodeEncodeError:
            return Refused(_HALF_A_LETTER)
        outcome = self.game.rules.apply(self.state, data)
        if type(outcome) is Allowed:
            self.steps.append(Step(number, name, data, self.state, outcome.rulings))
            self.state = outcome.state
        return outcome

    def _undo_line(self, fields: dict[str, Json], *, has_input: bool) -> Allowed[State] | Refused:
        if has_input or fields.get("undo") is not True or len(fields) != 1:
            return refused(None, "neither-input-nor-undo")
        if not self.steps:
            return refused(None, "nothing-to-undo")
        self.undo()
        return Allowed(self.state, ())

    def undo(self) -> Step:
        """Take back the newest input that stands. Raises IndexError where none does."""
        step = self.steps.pop()
        self.state = step.before
        return step


_HALF_A_LETTER = Ruling(None, "unreadable")
"""Half a surrogate pair, which only an escape can write, is no letter of any name or word."""


def _misshapen(name: str, error: msgspec.ValidationError) -> Ruling:
    """Turn the library's message (``Expected `int`, got `str` - at `$.die` ``) into a refusal that names the field."""
    detail, _, path = str(error).partition(" - at `")
    field = path.rpartition("$")[2].strip("`.")
    if not field and "`" in detail:  # "Object contains unknown field `x`", "Object missing required field `x`"
        field = detail.split("`")[1]
        kind = "unknown-field" if "unknown" in detail else "missing-field" if "missing" in detail else "wrong-field"
        return Ruling(None, kind, {"input": name, "field": field, "detail": detail})
    return Ruling(None, "wrong-field", {"input": name, "field": field, "detail": detail})
