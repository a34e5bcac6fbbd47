"""From what was seen to what the rules take: ask only where the answer changes the ruling."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Literal

from companion.readings import Piece, Reader, Trouble, Way
from companion.reads import PIPS, Read, reads
from companion.scene import DICE_TRAY, Lain, Scene, Seen, here, in_the_way, is_elsewhere
from engines.core import Expectation, Json
from engines.record import Replay

PLAUSIBLE = 0.02
"""A name that the reader gives less than this is not asked about; its own threshold of sureness is far above."""
WAYS = 128
"""Readings that are tried against the rules, at most; with more the least certain piece is asked about first."""
QUESTIONS = 4
"""Pieces that are asked about one after the other, at most; with more somebody goes over the list by hand."""


@dataclass(frozen=True)
class Rule:
    """The reading decides: this input is carried out. ``pieces`` are those that came, ``lain`` all that lie there."""

    fields: Mapping[str, Json]
    pieces: tuple[Seen, ...]
    lain: tuple[Lain, ...]


@dataclass(frozen=True)
class Fill:
    """The pieces are read, but don't tell everything: the rest is asked by hand."""

    fields: Mapping[str, Json]
    pieces: tuple[Seen, ...]
    lain: tuple[Lain, ...]


@dataclass(frozen=True)
class Ask:
    """One piece decides: two names are two candidates, one is to be confirmed, or it is one of a list."""

    piece: Seen
    number: int
    """Its place in reading order, from 1, of ``count``."""
    count: int
    names: tuple[str, ...]
    choice: Literal["name", "stands-for", "first"] = "name"
    """What is chosen: what the piece is, what it stands for, or which of several came first (then ``number`` is 0)."""
    fields: Mapping[str, Json] = field(default_factory=dict)
    """The likeliest reading, to start from by hand."""


Answers = tuple[tuple[int, str], ...]
"""What was answered about pieces, by number."""
Judged = Rule | Fill | Ask | Trouble


def can_read(game: Replay, wanted: Expectation, taught: Collection[str]) -> bool:
    """Tell whether the camera can give this input: some of its pieces have been taught, or have pips."""
    read = reads(game.game).get(wanted.input)
    return read is not None and any(name in PIPS or name in taught for name in read.names())


def judge(
    game: Replay, wanted: Expectation, scene: Scene, lain: tuple[Lain, ...] = (), answers: Answers = ()
) -> Judged:
    """Make an input of an observation: rule, ask the one thing that decides, or say what is in the way.

    ``lain`` are the pieces that the last reading of this input rested on, ``answers`` what was asked since.
    """
    read = reads(game.game)[wanted.input]
    seen = here(scene, read)
    trouble = _unreadable(game, read, scene, seen)
    if trouble is not None:
        return trouble
    stays = lain if read.since or read.shape == "one" else ()  # of a list laid anew an old place proves nothing
    pieces = _doubt(scene, read, _pieces(scene, seen, stays, dict(answers)), answered=bool(answers))
    reader = Reader(game, wanted, read, pieces, lain, dict(answers).get(0))
    return _stands_for(reader) or _decide(reader)


def _unreadable(game: Replay, read: Read, scene: Scene, seen: tuple[Seen, ...]) -> Trouble | None:
    """Say why no reading is tried at all."""
    if scene.mat not in (None, DICE_TRAY, game.game.table("table")["mat"]):
        return Trouble("wrong-mat")
    in_way = in_the_way(scene, read, seen)
    if in_way is not None:
        return Trouble("complaint", complaint=in_way)
    if scene.mat in (None, DICE_TRAY) and read.kind != "die":
        return Trouble("no-mat")
    if not seen:
        astray = [one for one in scene.pieces if one.kind == read.kind and read.values(one.name or "") is not None]
        return Trouble("elsewhere", {"mat": scene.mat, "regions": read.regions}) if astray else Trouble("nothing")
    if any(one.face == "down" for one in seen):
        return Trouble("face-down")
    if any(one.name is None for one in seen):
        return Trouble(
            "unread", complaint=next((c for c in scene.complaints if not is_elsewhere(scene, c, read)), None)
        )
    return None


def _pieces(scene: Scene, seen: tuple[Seen, ...], lain: tuple[Lain, ...], known: dict[int, str]) -> tuple[Piece, ...]:
    """Give each piece the names that it may have."""
    found = []
    for number, one in enumerate(seen, 1):
        names = _names(one, sure=scene.sure)
        before = next((old.name for old in lain if old.is_at(one) and old.name in dict(names)), None)
        name = known.get(number, before)
        if name is not None:
            names = ((name, 1.0),)
        is_doubted = name is None and not scene.sure and len(names) == 1 and one.confidence <= 1 - PLAUSIBLE
        found.append(Piece(one, number, names, is_doubted))
    return tuple(found)


def _names(piece: Seen, *, sure: bool) -> tuple[tuple[str, float], ...]:
    first = (piece.name or "", piece.confidence)
    others = () if sure else piece.alternatives
    return (first, *(one for one in others if one[1] >= PLAUSIBLE and one[0] != piece.name))


def _doubt(scene: Scene, read: Read, pieces: tuple[Piece, ...], *, answered: bool) -> tuple[Piece, ...]:
    """Where the reader is unsure and no piece or place says why, the least certain piece is asked about."""
    complained = any(not is_elsewhere(scene, one, read) for one in scene.complaints)
    explained = any(_is_doubtful(one.seen) for one in pieces) or _is_astray(scene, pieces)
    if scene.sure or answered or (explained and not complained):
        return pieces
    least = min(pieces, key=lambda one: one.seen.confidence)
    return tuple(replace(one, doubted=True) if one is least else one for one in pieces)


def _is_doubtful(piece: Seen) -> bool:
    return piece.name is None or piece.confidence <= 1 - PLAUSIBLE or len(_names(piece, sure=False)) > 1


def _is_astray(scene: Scene, pieces: tuple[Piece, ...]) -> bool:
    """Tell whether what makes the reader unsure can be something else on the mat than these pieces."""
    mine = [one.seen for one in pieces]
    others = (one for one in scene.pieces if not any(one is seen for seen in mine))
    return bool(scene.complaints) or any(_is_doubtful(one) for one in others)


def _stands_for(reader: Reader) -> Judged | None:
    """Ask what a piece stands for, the first that is not known yet; unless the rules forbid whatever is answered."""
    choices = [reader.read.stands_for.get(one.names[0][0], (one.names[0][0],)) for one in reader.pieces]
    open_ones = [one for one in reader.pieces if not one.unsure and one.names[0][0] in reader.read.stands_for]
    if not open_ones:
        return None
    first = reader.way(tuple(names[0] for names in choices))
    is_settled = not any(one.unsure for one in reader.pieces) and prod(map(len, choices)) <= WAYS
    if is_settled and first.trouble is not None and all(reader.way(one).effect is None for one in product(*choices)):
        names = tuple(one.names[0][0] for one in reader.pieces)
        return replace(first.trouble, laid=reader.laid(names, first.pieces))
    piece = open_ones[0]
    names = reader.read.stands_for[piece.names[0][0]]
    return Ask(piece.seen, piece.number, len(reader.pieces), names, "stands-for", first.fields)


def _decide(reader: Reader) -> Judged:
    unsure = [one for one in reader.pieces if one.unsure]
    if prod(len(one.names) for one in unsure) > WAYS:
        piece = min(unsure, key=lambda one: one.names[0][1])
        likeliest = reader.way(tuple(one.names[0][0] for one in reader.pieces))
        return _ask(reader, piece, [name for name, _ in piece.names[:2]], likeliest, len(unsure))
    ways = sorted(reader.ways(), key=lambda one: -one.chance)
    best = next((one for one in ways if one.effect is not None), None)
    if best is None:
        return ways[0].trouble or Trouble("unread")
    if all(one.effect == best.effect for one in ways):
        doubted = [one for one in unsure if one.doubted]
        return _question(reader, doubted, ways, best) if doubted else _found(reader, best)
    return _question(reader, [one for one in unsure if _matters(reader, one, ways)], ways, best)


def _matters(reader: Reader, piece: Piece, ways: Sequence[Way]) -> bool:
    """Tell whether another name of this piece alone changes what follows, or whether it is doubted at all."""
    at = reader.pieces.index(piece)
    effects: dict[tuple[str, ...], Json] = {}
    for way in ways:
        others = (*way.names[:at], *way.names[at + 1 :])
        if effects.setdefault(others, way.effect) != way.effect:
            return True
    return piece.doubted


def _found(reader: Reader, way: Way) -> Rule | Fill | Ask:
    if way.first_of:
        return Ask(reader.pieces[way.pieces[0]].seen, 0, len(way.pieces), way.first_of, "first", way.fields)
    lain = tuple(
        Lain(name, one.seen.center_px, one.seen.center_mm)
        for one, name in zip(reader.pieces, way.names, strict=True)
        if reader.read.values(name) is not None
    )
    new = tuple(reader.pieces[index].seen for index in way.pieces)
    return Rule(way.fields, new, lain) if way.is_whole else Fill(way.fields, new, lain)


def _question(reader: Reader, unsure: Sequence[Piece], ways: Sequence[Way], best: Way) -> Ask | Trouble:
    """Ask about the piece whose answer leaves the fewest effects to be expected."""
    effects: list[Json] = []
    for way in ways:
        if way.effect not in effects:
            effects.append(way.effect)

    def follows(piece: Piece, name: str) -> frozenset[int]:
        """Give the effects that are possible where a piece has this name."""
        at = reader.pieces.index(piece)
        return frozenset(effects.index(way.effect) for way in ways if way.names[at] == name)

    def left(piece: Piece) -> tuple[float, float]:
        total = sum(chance for _, chance in piece.names) or 1.0
        return sum(c * len(follows(piece, name)) for name, c in piece.names) / total, piece.names[0][1]

    piece = min(unsure, key=left)
    can_be = [name for name, _ in piece.names if any(effects[one] is not None for one in follows(piece, name))]
    first = can_be[0]
    others = sorted(can_be[1:], key=lambda name: follows(piece, name) == follows(piece, first))
    return _ask(reader, piece, [first, *others[:1]], best, len(unsure))


def _ask(reader: Reader, piece: Piece, names: Sequence[str], best: Way, unsure: int) -> Ask | Trouble:
    """Ask about a piece, unless that would be the first of too many questions."""
    if unsure > QUESTIONS:
        return Trouble("unsure-many", {"count": unsure}, fields=best.fields)
    return Ask(piece.seen, piece.number, len(reader.pieces), tuple(names), fields=best.fields)
