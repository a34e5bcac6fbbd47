"""One game at one table: events in, effects out. It names no game and no device, and waits for nothing."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import Any

from companion import amend, choosing, hands, history, menu, setup, sights
from companion.draw import last_top
from companion.events import Begin, Effect, Event, Examined, Look, LookFailed, Loudness, Record, Warned
from companion.judge import can_read
from companion.modes import (
    About,
    Amending,
    Asking,
    Choosing,
    Count,
    Cut,
    Entering,
    Evidence,
    Examining,
    Home,
    Log,
    Menu,
    Mode,
    Naming,
    Notice,
    Option,
    Options,
    Overview,
    Past,
    PowerOff,
    Reading,
    Saying,
    Seats,
    Standings,
    Still,
    Table,
    TakeBack,
    Why,
)
from companion.pages import page
from companion.presses import Press, Stuck
from companion.scene import Lain
from companion.text import Lang, Speaker, say
from companion.told import told
from engines.core import Allowed, Expectation, Json
from engines.record import Header, Replay
from hardware.keeper import State

Scrolling = Still | Table | Saying | Why | Past | Standings | Notice | TakeBack | Examining
"""The modes whose page scrolls."""
Taught = Callable[[str], Collection[str]]
"""A game's id -> the names of its pieces that have been taught."""


def nothing_taught(_game: str) -> Collection[str]:
    """Know no pieces but dice with pips."""
    return ()


class Session:
    """The state of one table. Only :meth:`handle` changes it; what it shows is ``pages_of.page(session)``."""

    def __init__(self, lang: Lang, names: tuple[str, ...] = (), taught: Taught = nothing_taught) -> None:
        self.lang = lang
        self.names = names
        self.game: Replay | None = None
        self.mode: Mode = setup.home()
        self.sound: Loudness = "quiet"
        self.lamp = True
        """Whether the lamp may shine."""
        self.unsaved: str | None = None
        """Why nothing can be written, while that is so."""
        self.camera: State = "awake"
        """How the camera is; where there is none by the owner's wish, everything is entered by hand."""
        self.cut: Cut | None = None
        """What the camera saw for the last ruling, small enough to show beside it."""
        self.is_many = False
        """The last ruling rests on several pieces that the camera saw."""
        self.lain: dict[str, tuple[Lain, ...]] = {}
        """By input: the pieces that its last reading rested on, to tell what was not moved since."""
        self._taught = taught
        self.overview: Cut | None = None
        """The whole picture that it was seen in."""
        self.can: frozenset[str] = frozenset()
        """What the machine can do besides: entries of the menu."""
        self.address = ""
        """What the page "about" shows as a QR code; empty: the machine's own address."""
        self._requests = 0

    # --- beginning and resuming ---------------------------------------------------------------------------------------

    def begin(self, header: Header) -> list[Effect]:
        """Start a game. Raises RecordError where the header does not fit."""
        self.game = Replay(header)
        self.mode = Table()
        self.names = tuple(dict.fromkeys([*header.players, *self.names]))
        self.forget()
        return [Begin({"record": 1, "game": header.game, "players": header.players, "options": header.options})]

    def resume(self, game: Replay, lain: dict[str, tuple[Lain, ...]] | None = None) -> None:
        """Go on with a game that was recorded before: ask once whether the table is still like that.

        ``lain``: as the field of that name.
        """
        self.game = game
        self.lain = lain or {}
        self.mode = Still()

    @property
    def table(self) -> Replay:
        """Give the game being played. Raises LookupError before there is one."""
        if self.game is None:
            raise LookupError("no game has begun")
        return self.game

    @property
    def speaker(self) -> Speaker:
        """Give the words of the game being played."""
        return Speaker(self.table.game, self.lang)

    def wanted(self) -> tuple[Expectation, ...]:
        """List what may come next."""
        return self.table.game.rules.expects(self.table.state)

    def can_read(self, wanted: Expectation) -> bool:
        """Tell whether the camera can give an input: its pieces have been taught, or are dice with pips."""
        return self.camera != "off" and can_read(self.table, wanted, self._taught(self.table.game.id))

    # --- events -------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Effect]:
        """Take one event; gives what is to be done, in order."""
        if isinstance(event, Press):
            return self._press(event)
        if isinstance(event, Warned):
            self.tell(told(event.message, self.lang))
            return []
        if isinstance(event, Examined):
            if isinstance(self.mode, Examining):
                self.mode = replace(self.mode, findings=event.findings)
            return []
        if isinstance(event, Stuck):
            self.tell(say("notices.stuck", self.lang, button=say(f"buttons.{event.button}", self.lang)))
            return []
        if not isinstance(self.mode, Reading) or event.request != self.mode.request:
            return []  # stale: nobody waits for it any more
        if isinstance(event, LookFailed):
            return sights.failed(self, self.mode.wanted, event)
        return sights.saw(self, self.mode.wanted, event)

    def _press(self, press: Press) -> list[Effect]:
        if press.button == "menu":
            self._open_menu()
            return []
        if press.button == "read":
            return self._read_now()
        on: dict[type[Mode], Callable[[Any, Press], list[Effect]]] = {
            Home: partial(setup.press_at, self),
            Count: partial(setup.press_at, self),
            Options: partial(setup.press_at, self),
            Seats: partial(setup.press_at, self),
            Naming: partial(setup.press_at, self),
            Option: partial(setup.press_at, self),
            Still: partial(history.press_still, self),
            Table: self._table,
            Reading: self._reading,
            Asking: partial(sights.asking, self),
            Choosing: partial(choosing.press, self),
            Entering: partial(hands.press_entering, self),
            Amending: partial(amend.press, self),
            Saying: self._saying,
            Why: partial(history.press_why, self),
            Overview: partial(history.press_overview, self),
            Log: partial(history.press_log, self),
            Past: partial(history.press_past, self),
            TakeBack: partial(history.press_take_back, self),
            Standings: partial(history.press_standings, self),
            Notice: self._notice,
            Menu: partial(menu.press, self),
            About: partial(menu.press_about, self),
            Examining: partial(menu.press_examining, self),
            PowerOff: partial(menu.press_power_off, self),
        }
        return on[type(self.mode)](self.mode, press)

    @property
    def reads(self) -> bool:
        """Whether the table waits for something that the camera can read: what the READ button's lamp says."""
        return isinstance(self.mode, Table) and any(self.can_read(one) for one in self.wanted())

    def _read_now(self) -> list[Effect]:
        """READ means read, wherever one is: what is open is given up for the obvious next thing on the table."""
        if self.game is None or isinstance(self.mode, Reading | setup.Setting):
            return []
        self._give_up()
        self.mode = Table()
        if not self.wanted():
            return []
        readable = [one for one in self.wanted() if self.can_read(one)]
        return self.look(readable[0]) if len(readable) == 1 else choosing.follow(self)

    def _give_up(self) -> None:
        """Leave what is being entered as it was."""
        if isinstance(self.mode, Entering | Amending | Choosing) and self.mode.fixing is not None:
            hands.stand_again(self, self.mode.fixing)

    def _open_menu(self) -> None:
        """Open the menu, from the table or while a game is set up; what is being entered is left as it was."""
        self._give_up()
        if not isinstance(self.mode, Menu):
            self.mode = Menu(Table() if isinstance(self.mode, Reading) else self.mode)

    def tell(self, message: str) -> None:
        """Have something known before the session goes on where it stands."""
        self.mode = Notice(message, self.mode)

    def _notice(self, mode: Notice, press: Press) -> list[Effect]:
        if press.button in ("ok", "back"):
            self.mode = mode.then
        else:
            self.scroll(mode, press)
        return []

    def scroll(self, mode: Scrolling, press: Press) -> None:
        """Scroll the page a line, or with a long press to its end; never beyond what there is."""
        last = last_top(page(self))
        far = last if press.long else 1
        top = mode.top + (far if press.button == "down" else -far)
        self.mode = replace(mode, top=min(max(0, top), last))

    def _table(self, mode: Table, press: Press) -> list[Effect]:
        if press.button == "ok" and press.long:
            self.mode = Why()
        elif press.button == "ok":
            return choosing.follow(self)
        elif press.button == "back":
            self._back(long=press.long)
        elif press.button == "up" and mode.top == 0:
            self.mode = Log()
        elif press.button == "down" and mode.top >= last_top(page(self)):
            self.mode = Standings()
        else:
            self.scroll(mode, press)
        return []

    def look(self, wanted: Expectation) -> list[Effect]:
        """Have the camera look for an input."""
        self._requests += 1
        self.mode = Reading(wanted, self._requests)
        return [Look(self._requests)]

    def _back(self, *, long: bool) -> None:
        """BACK on the table: fix the last input, or take it back."""
        if self.table.steps and long:
            self.mode = TakeBack()
        elif self.table.steps:
            choosing.fix(self)

    def _reading(self, mode: Reading, press: Press) -> list[Effect]:
        return hands.ask(self, mode.wanted) if press.button == "back" else []

    def _saying(self, mode: Saying, press: Press) -> list[Effect]:
        if press.button in ("ok", "back"):
            target: Mode | Expectation = mode.again if press.button == "ok" else mode.by_hand
            if isinstance(target, Expectation):
                return self.look(target)
            self.mode = target
        else:
            self.scroll(mode, press)
        return []

    def take_back(self, count: int) -> list[Effect]:
        """Take the last inputs back."""
        for _ in range(count):
            self.table.undo()
        self.forget()
        return [Record(tuple({"undo": True, "by": "buttons"} for _ in range(count)))]

    # --- inputs -------------------------------------------------------------------------------------------------------

    def keep(self, name: str, evidence: Evidence) -> None:
        """Keep what the last ruling rests on."""
        self.lain[name] = evidence.lain
        self.cut, self.overview, self.is_many = evidence.cut, evidence.overview, evidence.count > 1

    def forget(self) -> None:
        """Forget what the rulings rest on: after one is taken back the pieces may lie as they lay."""
        self.lain, self.cut, self.overview, self.is_many = {}, None, None, False

    def carry_out(self, line: dict[str, Json], again: Mode | Expectation, by_hand: Mode) -> list[Effect]:
        """Carry an input out; a refusal is said with its clause, and nothing has changed."""
        outcome = self.table.carry_out(len(self.table.steps) + 2, line)
        if isinstance(outcome, Allowed):
            self.mode = Table()
            self.cut, self.overview, self.is_many = None, None, False
            return [Record((line,))]
        self.mode = Saying(self.speaker.refusal(outcome.ruling), outcome.ruling.rule, again=again, by_hand=by_hand)
        return []
