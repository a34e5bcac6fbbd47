"""What a session does with what the camera saw: rule, ask about a piece, or say what is in the way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion import amend, entry, setup
from companion.judge import Answers, Fill, Rule, judge
from companion.modes import Asking, Entering, Evidence, Mode, Saying
from companion.readings import Trouble
from companion.reads import reads
from companion.text import say
from companion.told import told
from companion.wording import trouble_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.events import Effect, LookFailed, Saw
    from companion.presses import Press
    from companion.scene import Lain, Seen
    from companion.session import Session
    from engines.core import Expectation, Json


def saw(session: Session, wanted: Expectation, sight: Saw, answers: Answers = ()) -> list[Effect]:
    """Deal with a picture; ``answers`` is what was asked about its pieces before."""
    lain = session.lain.get(wanted.input, ())
    found = judge(session.table, wanted, sight.scene, lain, answers)
    if isinstance(found, Trouble):
        message = trouble_text(session.speaker, reads(session.table.game)[wanted.input], found)
        rule = found.ruling.rule if found.ruling else None
        by_hand = (
            _nothing(session, wanted) if found.reason == "nothing" else starting_from(session, wanted, found.fields)
        )
        session.mode = Saying(message, rule, again=wanted, by_hand=by_hand)
        return []
    if isinstance(found, Rule):
        return _rule(session, wanted, found.fields, _evidence(sight, found.pieces, found.lain))
    if isinstance(found, Fill):
        form = entry.settled(session.table, entry.form(session.table, wanted, dict(found.fields)))
        session.mode = Entering(form, evidence=_evidence(sight, found.pieces, found.lain))
        return []
    session.mode = Asking(wanted, found, sight, answers, _evidence(sight, (found.piece,), ()))
    return []


def failed(session: Session, wanted: Expectation, failure: LookFailed) -> list[Effect]:
    """Say that there is no picture, and why."""
    message = f"{say(f'troubles.{failure.reason}', session.lang)} {told(failure.message, session.lang)}".strip()
    session.mode = Saying(message, None, again=wanted, by_hand=Entering(entry.form(session.table, wanted)))
    return []


def asking(session: Session, mode: Asking, press: Press) -> list[Effect]:
    """Take the answer to a question about a piece: a candidate on each of two buttons, or one of a list."""
    names = mode.ask.names
    if press.button == "back":
        session.mode = starting_from(session, mode.wanted, mode.ask.fields)
    elif mode.ask.choice != "name" and press.button == "ok":
        return _answered(session, mode, names[mode.cursor])
    elif mode.ask.choice != "name":
        session.mode = replace(mode, cursor=setup.moved(mode.cursor, len(names), press))
    elif press.button == "up":
        return _answered(session, mode, names[0])
    elif press.button == "down" and len(names) > 1:
        return _answered(session, mode, names[1])
    elif press.button == "down":
        return session.look(mode.wanted)
    return []


def _answered(session: Session, mode: Asking, name: str) -> list[Effect]:
    return saw(session, mode.wanted, mode.sight, (*mode.answers, (mode.ask.number, name)))


def starting_from(session: Session, wanted: Expectation, fields: Mapping[str, Json]) -> Mode:
    """Go on by hand: with several pieces from what was read of them, else from nothing."""
    draft = amend.draft(session.table, wanted, fields)
    return draft if draft is not None else Entering(entry.form(session.table, wanted))


def _nothing(session: Session, wanted: Expectation) -> Mode:
    """Go on by hand where nothing lies: with the cursor on "none", if that can be meant."""
    form = entry.form(session.table, wanted)
    answers = entry.possible(session.table, form)
    return Entering(form, answers.index(None) if None in answers else 0)


def _rule(session: Session, wanted: Expectation, fields: Mapping[str, Json], evidence: Evidence) -> list[Effect]:
    line = {"input": wanted.input, **fields, **evidence.meta()}
    again = Entering(entry.form(session.table, wanted))
    done = session.carry_out(line, again=wanted, by_hand=again)
    if done:
        session.keep(wanted.input, evidence)
    return done


def _evidence(sight: Saw, pieces: tuple[Seen, ...], lain: tuple[Lain, ...]) -> Evidence:
    """Keep what a reading rests on; a cut-out is worth showing of a single piece only."""
    cuts = [
        cut for cut, seen in zip(sight.cuts, sight.scene.pieces, strict=False) if any(seen is one for one in pieces)
    ]
    return Evidence(cuts[0] if len(pieces) == 1 and cuts else None, sight.evidence, lain, len(pieces), sight.overview)
