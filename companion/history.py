"""What has been: the log of a game, taking inputs back, how everybody stands, and the reasons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion import setup
from companion.events import Effect
from companion.modes import Log, Overview, Past, Standings, Still, Table, TakeBack, Why
from companion.page import Page
from companion.text import say

if TYPE_CHECKING:
    from companion.presses import Press
    from companion.session import Session
    from engines.core import Ruling
    from engines.record import Step


def last(session: Session) -> tuple[Ruling, ...]:
    """Give the rulings that stand on the table page: the last input's, or how the game is laid out."""
    game = session.table
    return game.steps[-1].rulings if game.steps else game.game.rules.opening(game.state)


def clauses(rulings: tuple[Ruling, ...]) -> tuple[str, ...]:
    """List the clauses of rulings, each once."""
    return tuple(dict.fromkeys(one.rule for one in rulings if one.rule))


def shorts(session: Session, rulings: tuple[Ruling, ...]) -> tuple[str, ...]:
    """Tell rulings in short lines; what has none is told at length only."""
    return tuple(line for one in rulings if (line := session.speaker.short(one)) is not None)


# --- the log ----------------------------------------------------------------------------------------------------------


def press_log(session: Session, mode: Log, press: Press) -> list[Effect]:
    """Choose an input of the log, or leave it."""
    steps = session.table.steps
    if press.button == "back" or not steps:
        session.mode = Table()
    elif press.button == "ok":
        session.mode = Past(mode.cursor)
    else:
        session.mode = replace(mode, cursor=setup.moved(mode.cursor, len(steps), press))
    return []


def log(session: Session, mode: Log) -> Page:
    """Show an input a line, the newest first, each by its first ruling."""
    rows = tuple(_line(session, step) for step in reversed(session.table.steps))
    head = say("pages.log", session.lang)
    if not rows:
        return Page("log", head, (say("told.empty-log", session.lang),), say("foots.leave", session.lang))
    return Page("log", head, rows, say("foots.log", session.lang), chosen=mode.cursor)


def _line(session: Session, step: Step) -> str:
    told = shorts(session, step.rulings)
    return told[0] if told else session.speaker.long(step.rulings[0])


def press_past(session: Session, mode: Past, press: Press) -> list[Effect]:
    """Take back to before this input, go back to the log, or scroll."""
    if press.button == "back":
        session.mode = Log(mode.back)
    elif press.button == "ok":
        session.mode = TakeBack(mode.back + 1)
    else:
        session.scroll(mode, press)
    return []


def past(session: Session, mode: Past) -> Page:
    """Show all that one input led to."""
    rulings = session.table.steps[-1 - mode.back].rulings
    told = tuple(session.speaker.short(one) or session.speaker.long(one) for one in rulings)
    head, foot = say("pages.log", session.lang), say("foots.past", session.lang)
    return Page("past", head, told, foot, clauses(rulings), top=mode.top)


def press_take_back(session: Session, mode: TakeBack, press: Press) -> list[Effect]:
    """Take back after all, or not."""
    if press.button not in ("ok", "back"):
        session.scroll(mode, press)
        return []
    session.mode = Table()
    return [] if press.button == "back" else session.take_back(mode.count)


def take_back(session: Session, mode: TakeBack) -> Page:
    """Ask once, and show what would be undone, the newest first."""
    steps = session.table.steps[: -1 - mode.count : -1]
    rulings = tuple(one for step in steps for one in step.rulings)
    head = say("pages.take-back" if mode.count == 1 else "pages.take-back-many", session.lang, count=mode.count)
    foot = say("foots.take-back", session.lang)
    return Page("take-back", head, shorts(session, rulings), foot, clauses(rulings), top=mode.top)


# --- how everybody stands ---------------------------------------------------------------------------------------------


def press_standings(session: Session, mode: Standings, press: Press) -> list[Effect]:
    """Scroll, or leave."""
    if press.button in ("ok", "back"):
        session.mode = Table()
    else:
        session.scroll(mode, press)
    return []


def standings(session: Session, mode: Standings) -> Page:
    """Show how the game stands: at its end the points, and what decided, else what the game tells of itself."""
    game = session.table
    rules, speaker = game.game.rules, session.speaker
    result = rules.result(game.state)
    if result is None:
        rows = speaker.standings(rules.view(game.state))
    else:
        points = sorted(result["scores"].items(), key=lambda one: -one[1])
        won, *told = reversed(shorts(session, last(session)))  # what decided was said right before who won
        rows = (won, *(say("told.points", session.lang, name=name, points=n) for name, n in points), *told)
    head, foot = say("pages.standings", session.lang), say("foots.back", session.lang)
    return Page("standings", head, rows, foot, clauses(last(session)) if result else (), top=mode.top)


# --- why --------------------------------------------------------------------------------------------------------------


def press_still(session: Session, mode: Still, press: Press) -> list[Effect]:
    """After a restart: go on, or look at what was."""
    if press.button == "ok":
        session.mode = Table()
    elif press.button == "back":
        session.mode = Log()
    else:
        session.scroll(mode, press)
    return []


def press_why(session: Session, mode: Why, press: Press) -> list[Effect]:
    """Scroll, see what was seen, or leave."""
    if press.button == "ok" and session.overview is not None:
        session.mode = Overview(mode)
    elif press.button in ("ok", "back"):
        session.mode = Table()
    else:
        session.scroll(mode, press)
    return []


def why(session: Session, mode: Why) -> Page:
    """Show the sentences and clauses behind the last ruling."""
    rows: list[str] = []
    rulings = last(session)
    for one in rulings:
        rows.append(session.speaker.long(one))
        if one.rule:
            rows.append(f"{one.rule}: {session.speaker.clause(one.rule)}")
    foot = say("foots.back" if session.overview is None else "foots.why", session.lang)
    return Page("why", say("pages.why", session.lang), tuple(rows), foot, clauses(rulings), top=mode.top)


def press_overview(session: Session, mode: Overview, press: Press) -> list[Effect]:
    """Leave the picture."""
    if press.button in ("ok", "back"):
        session.mode = mode.then
    return []


def overview(session: Session, _mode: Overview) -> Page:
    """Show the whole picture with its boxes."""
    head, foot = say("pages.seen-head", session.lang), say("foots.leave", session.lang)
    return Page("overview", head, (), foot, picture=session.overview)
