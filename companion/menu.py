"""The menu of the whole companion, and what it leads to: another game, likes, the doctor, about, switching off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from companion import setup
from companion.address import own_address
from companion.events import Effect, Examine, Keep, Loudness, SwitchOff
from companion.modes import About, Examining, Menu, Mode, PowerOff
from companion.page import Page
from companion.qr import code
from companion.text import say

if TYPE_CHECKING:
    from companion.presses import Press
    from companion.session import Session

OPTIONAL = frozenset({"sound", "lamp", "doctor", "power-off"})
"""Entries that are there where the machine can do it (``Session.can``)."""
ENTRIES = ("go-on", "another", "language", "sound", "lamp", "doctor", "about", "power-off")


def entries(session: Session) -> tuple[str, ...]:
    """List the menu's entries, by their words' keys."""
    return tuple(name for name in ENTRIES if name not in OPTIONAL or name in session.can)


def press(session: Session, mode: Menu, press: Press) -> list[Effect]:
    """Take a press in the menu."""
    names = entries(session)
    if press.button == "back":
        session.mode = mode.then
    elif press.button != "ok":
        session.mode = replace(mode, cursor=setup.moved(mode.cursor, len(names), press))
    else:
        return _enter(session, mode, names[mode.cursor])
    return []


def _enter(session: Session, mode: Menu, entry: str) -> list[Effect]:
    if entry in ("language", "sound", "lamp"):
        _like_another(session, entry)
        return [Keep(session.lang, session.sound, session.lamp)]
    if entry == "doctor":
        session.mode = Examining(mode)
        return [Examine()]
    leads_to: dict[str, Mode] = {"another": setup.home(), "about": About(mode), "power-off": PowerOff(mode)}
    session.mode = leads_to.get(entry, mode.then)
    return []


def _like_another(session: Session, what: str) -> None:
    if what == "language":
        session.lang = "en" if session.lang == "ko" else "ko"
    elif what == "lamp":
        session.lamp = not session.lamp
    else:
        levels: tuple[Loudness, ...] = get_args(Loudness)
        session.sound = levels[(levels.index(session.sound) + 1) % len(levels)]


def page(session: Session, mode: Menu) -> Page:
    """Show the menu; an entry that is a matter of liking says how it is liked now."""
    facts = {
        "sound": say(f"loudness.{session.sound}", session.lang),
        "lamp": say("pages.yes" if session.lamp else "pages.no", session.lang),
    }
    rows = tuple(say(f"menu.{name}", session.lang, **facts) for name in entries(session))
    return Page("menu", say("pages.menu", session.lang), rows, say("foots.choose", session.lang), chosen=mode.cursor)


# --- about ------------------------------------------------------------------------------------------------------------


def press_about(session: Session, mode: About, press: Press) -> list[Effect]:
    """Leave the page."""
    if press.button in ("ok", "back"):
        session.mode = mode.then
    return []


def about(session: Session, _mode: About) -> Page:
    """Show the version and the address, which is a QR code as well."""
    from importlib import metadata  # noqa: PLC0415 - a tenth of a second with all that it brings, for this page only

    address = session.address or own_address()
    version = say("told.version", session.lang, version=metadata.version("table-companion"))
    body = (version, address or say("told.no-network", session.lang))
    head, foot = say("pages.about", session.lang), say("foots.leave", session.lang)
    return Page("about", head, body, foot, picture=code(address) if address else None)


# --- the doctor -------------------------------------------------------------------------------------------------------


def press_examining(session: Session, mode: Examining, press: Press) -> list[Effect]:
    """Leave the page, or scroll it."""
    if press.button in ("ok", "back"):
        session.mode = mode.then
    else:
        session.scroll(mode, press)
    return []


def examining(session: Session, mode: Examining) -> Page:
    """Show the findings."""
    findings = mode.findings or (say("told.examining", session.lang),)
    head, foot = say("pages.doctor", session.lang), say("foots.back", session.lang)
    return Page("doctor", head, findings, foot, top=mode.top)


# --- switching off ----------------------------------------------------------------------------------------------------


def press_power_off(session: Session, mode: PowerOff, press: Press) -> list[Effect]:
    """Switch off where OK is held: nothing that hurts hangs on a short press."""
    if press.button == "back":
        session.mode = mode.then
    return [SwitchOff()] if press.button == "ok" and press.long else []


def power_off(session: Session, _mode: PowerOff) -> Page:
    """Ask whether to switch off."""
    head, body = say("pages.power-off", session.lang), say("told.kept-before", session.lang)
    return Page("power-off", head, (body,), say("foots.power-off", session.lang))
