"""Which input: the one that is given next, one of several that may come, or the last one to be put right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from companion import amend, entry, hands, setup
from companion.events import Effect
from companion.modes import Amending, Choosing, Entering
from engines.core import Expectation
from engines.record import Step

if TYPE_CHECKING:
    from companion.presses import Press
    from companion.session import Session


def give(session: Session, wanted: Expectation) -> list[Effect]:
    """Have an input read, or entered where nothing of it can be."""
    return session.look(wanted) if session.can_read(wanted) else hands.ask(session, wanted)


def follow(session: Session) -> list[Effect]:
    """Go on with the obvious next thing."""
    wanted = session.wanted()
    if not wanted:
        return session.begin(session.table.header)
    if len(wanted) > 1:
        session.mode = Choosing(wanted)
        return []
    return give(session, wanted[0])


def fix(session: Session) -> None:
    """Begin to put the last input right: it is taken back in memory until it is entered anew."""
    step = session.table.undo()
    wanted = session.wanted()
    if len(wanted) > 1:
        session.mode = Choosing(wanted, wanted.index(_giver(wanted, step)), fixing=step)
    else:
        form = entry.form(session.table, wanted[0])
        session.mode = _draft(session, wanted[0], step) or Entering(form, fixing=step)


def _draft(session: Session, wanted: Expectation, step: Step) -> Amending | None:
    """Begin to fix a step of several pieces."""
    return amend.draft(session.table, wanted, msgspec.to_builtins(step.data), step)


def _giver(wanted: tuple[Expectation, ...], step: Step) -> Expectation:
    """Find the expectation that a step answered."""
    for one in wanted:
        if one.input == step.input and (not one.field or getattr(step.data, one.field) == one.who):
            return one
    raise LookupError(f"{step.input} answered nothing that was expected")


def press(session: Session, mode: Choosing, press: Press) -> list[Effect]:
    """Choose which of several inputs comes next."""
    if press.button == "back":
        hands.stand_again(session, mode.fixing)
    elif press.button == "ok":
        return _chosen(session, mode.wanted[mode.cursor], mode.fixing)
    else:
        session.mode = replace(mode, cursor=setup.moved(mode.cursor, len(mode.wanted), press))
    return []


def _chosen(session: Session, wanted: Expectation, fixing: Step | None) -> list[Effect]:
    if fixing is None:
        return give(session, wanted)
    draft = _draft(session, wanted, fixing) if wanted == _giver(session.wanted(), fixing) else None
    if draft is None:
        return hands.ask(session, wanted, fixing)
    session.mode = draft
    return []
