"""By hand: an input that is asked page by page, and carried out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion import entry, setup
from companion.events import Effect, Record
from companion.modes import Amending, Entering, Table
from engines.core import Allowed, Expectation, Json
from engines.record import Step

if TYPE_CHECKING:
    from companion.presses import Press
    from companion.session import Session


def ask(session: Session, wanted: Expectation, fixing: Step | None = None) -> list[Effect]:
    """Ask for an input on pages; one that leaves nothing to ask is carried out at once."""
    form = entry.settled(session.table, entry.form(session.table, wanted))
    session.mode = Entering(form, fixing=fixing)
    return [] if form.questions else enter(session, session.mode, form)


def press_entering(session: Session, mode: Entering, press: Press) -> list[Effect]:
    """Answer the question of a page, or go one answer back."""
    answers = entry.possible(session.table, mode.form)
    if press.button == "back":
        _leave(session, mode)
    elif press.button == "ok" and answers:
        form = entry.settled(session.table, entry.answer(mode.form, answers[mode.cursor]))
        if not form.questions:
            return enter(session, mode, form)
        session.mode = replace(mode, form=form, cursor=_stay(session, mode, form))
    elif press.button in ("up", "down"):
        session.mode = replace(mode, cursor=setup.moved(mode.cursor, len(answers), press))
    return []


def _stay(session: Session, mode: Entering, form: entry.Form) -> int:
    """Keep the cursor where several answers are picked one after the other; elsewhere it begins anew."""
    asked = mode.form.questions[0]
    if form.questions[0] != asked or asked.form == "parts":
        return 0
    return min(mode.cursor, len(entry.possible(session.table, form)) - 1)


def _leave(session: Session, mode: Entering) -> None:
    """One answer back; from the first, back to the table, and what was to be fixed stands again."""
    if mode.form.before is not None:
        session.mode = replace(mode, form=mode.form.before, cursor=0)
        return
    stand_again(session, mode.fixing)


def stand_again(session: Session, fixing: Step | None) -> None:
    """Go back to the table; what was to be fixed stands as it did."""
    if fixing is not None:
        outcome = session.table.game.rules.apply(fixing.before, fixing.data)
        if isinstance(outcome, Allowed):
            session.table.steps.append(fixing)
            session.table.state = outcome.state
    session.mode = Table()


def enter(session: Session, mode: Entering | Amending, form: entry.Form) -> list[Effect]:
    """Carry out an input that is wholly known by now, in place of the step that it fixes."""
    evidence = mode.evidence if isinstance(mode, Entering) else None
    line = {"input": form.input, **form.fields(), **(evidence.meta() if evidence else {"by": "buttons"})}
    undo: dict[str, Json] = {"undo": True, "by": "buttons", "note": "fix"}
    done = session.carry_out(line, again=mode, by_hand=mode)
    if done and evidence is not None:
        session.keep(form.input, evidence)
    if not done or mode.fixing is None:
        return done
    return [Record((undo, line))]  # the die that was misread lies there still: it remains no new roll
