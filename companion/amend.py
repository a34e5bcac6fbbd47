"""An input of several pieces put right by hand: what was read stands there, and is changed piece by piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from companion import entry, hands, setup
from companion.entry import DONE
from companion.modes import Amending, Entering, Laid
from companion.reads import Read, reads
from engines.core import Expectation, Json
from engines.record import Replay, Step

if TYPE_CHECKING:
    from companion.events import Effect
    from companion.presses import Press
    from companion.session import Session

MORE = "\0more"
"""The row that adds a piece."""


def draft(game: Replay, wanted: Expectation, fields: Mapping[str, Json], fixing: Step | None = None) -> Amending | None:
    """Begin with what was read, or give None for an input of a single piece, and where nothing was read."""
    read = reads(game.game).get(wanted.input)
    if read is None or read.shape == "one":
        return None
    laid = fields.get(next(iter(read.fields)))
    if not laid:
        return None
    pieces: tuple[Laid, ...] = (
        tuple((None, name) for name in laid)
        if read.shape == "list"
        else tuple((key, name) for key, lie in laid.items() for name, number in lie.items() for _ in range(number))
    )
    return Amending(wanted, pieces, pieces, fixing=fixing)


def rows(game: Replay, mode: Amending) -> tuple[Json, ...]:
    """List what can be chosen: DONE, the pieces of one name and place with their number, MORE; a place; or a name."""
    read = reads(game.game)[mode.wanted.input]
    if mode.changing is None:
        places = [None, *read.keys.values()]
        return (DONE, *sorted(Counter(mode.pieces).items(), key=lambda row: places.index(row[0][0])), MORE)
    if _asks_place(mode, read):
        return tuple(read.keys.values())
    names = tuple(next(iter(read.fields.values())).values())
    return names if mode.changing == MORE else (None, *names)


def press(session: Session, mode: Amending, press: Press) -> list[Effect]:
    """Change one piece, take one away, add one; DONE carries the input out."""
    offered = rows(session.table, mode)
    if press.button == "back" and mode.changing is None:
        hands.stand_again(session, mode.fixing)
    elif press.button == "back":
        session.mode = replace(mode, changing=None, key=None, cursor=0)
    elif press.button != "ok":
        session.mode = replace(mode, cursor=setup.moved(mode.cursor, len(offered), press))
    elif offered[mode.cursor] == DONE:
        return _done(session, mode)
    else:
        read = reads(session.table.game)[mode.wanted.input]
        session.mode = _chosen(mode, offered[mode.cursor], is_place=_asks_place(mode, read))
    return []


def _asks_place(mode: Amending, read: Read) -> bool:
    return mode.changing == MORE and mode.key is None and bool(read.keys)


def _chosen(mode: Amending, row: Json, *, is_place: bool) -> Amending:
    if mode.changing is None:
        return replace(mode, changing=MORE if row == MORE else row[0], cursor=0)
    if is_place:
        return replace(mode, key=row, cursor=0)
    if mode.changing == MORE:
        pieces = (*mode.pieces, (mode.key, row))
    else:
        at = max(index for index, one in enumerate(mode.pieces) if one == mode.changing)
        put = () if row is None else ((mode.changing[0], row),)
        pieces = (*mode.pieces[:at], *put, *mode.pieces[at + 1 :])
    return replace(mode, pieces=pieces, changing=None, key=None, cursor=0)


def _done(session: Session, mode: Amending) -> list[Effect]:
    if mode.fixing is not None and mode.pieces == mode.before:
        hands.stand_again(session, mode.fixing)
        return []
    read = reads(session.table.game)[mode.wanted.input]
    given = {next(iter(read.fields)): _field(read, mode.pieces)}
    form = entry.settled(session.table, entry.form(session.table, mode.wanted, given))
    if not form.questions:
        return hands.enter(session, mode, form)
    session.mode = Entering(form, fixing=mode.fixing)
    return []


def _field(read: Read, pieces: tuple[Laid, ...]) -> Json:
    if read.shape == "list":
        return [name for _, name in pieces]
    return {key: dict(Counter(name for at, name in pieces if at == key)) for key in read.keys.values()}
