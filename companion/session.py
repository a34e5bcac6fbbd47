"""One game at one table: events in, effects out. It names no game and no device, and waits for nothing."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from companion import amend, entry, history, menu, setup, sights
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
from engines import shelf
from engines.core import Allowed, Expectation, Json
from engines.record import Header, RecordError, Replay, Step
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

    def resume(self, game: Replay) -> None:
        """Go on with a game that was recorded before: ask once whether the table is still like that."""
        self.game = game
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
            self.tell(event.message)
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
            Home: self._setting_up,
            Count: self._setting_up,
            Options: self._setting_up,
            Seats: self._setting_up,
            Naming: self._setting_up,
            Option: self._setting_up,
            Still: self._still,
            Table: self._table,
            Reading: self._reading,
            Asking: partial(sights.asking, self),
            Choosing: self._choosing,
            Entering: self._entering,
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
        return self.look(readable[0]) if len(readable) == 1 else self._next()

    def _give_up(self) -> None:
        """Leave what is being entered as it was."""
        if isinstance(self.mode, Entering | Amending | Choosing) and self.mode.fixing is not None:
            self.stand_again(self.mode.fixing)

    def _setting_up(self, mode: setup.Setting, press: Press) -> list[Effect]:
        if isinstance(mode, Home) and press.button == "back" and self.game is not None:
            self.mode = Table()
            return []
        after = setup.press(mode, press, self.names, self.lang)
        if isinstance(after, Header):
            return self._try_begin(mode, after)
        self.mode = after
        return []

    def _try_begin(self, mode: setup.Setting, header: Header) -> list[Effect]:
        try:
            return self.begin(header)
        except RecordError as error:
            message = Speaker(shelf.game(header.game), self.lang).refusal(error.ruling)
            self.mode = Saying(message, None, again=mode, by_hand=mode)
            return []

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

    def _still(self, mode: Still, press: Press) -> list[Effect]:
        if press.button == "ok":
            self.mode = Table()
        elif press.button == "back":
            self.mode = Log()
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
            return self._next()
        elif press.button == "back":
            self._back(long=press.long)
        elif press.button == "up" and mode.top == 0:
            self.mode = Log()
        elif press.button == "down" and mode.top >= last_top(page(self)):
            self.mode = Standings()
        else:
            self.scroll(mode, press)
        return []

    def _next(self) -> list[Effect]:
        """OK on the table: the obvious next thing."""
        wanted = self.wanted()
        if not wanted:
            return self.begin(self.table.header)
        if len(wanted) > 1:
            self.mode = Choosing(wanted)
            return []
        return self._give(wanted[0])

    def _give(self, wanted: Expectation) -> list[Effect]:
        if self.can_read(wanted):
            return self.look(wanted)
        return self.by_hand(wanted)

    def by_hand(self, wanted: Expectation, fixing: Step | None = None) -> list[Effect]:
        """Ask for an input on pages; one that leaves nothing to ask is carried out at once."""
        form = entry.settled(self.table, entry.form(self.table, wanted))
        self.mode = Entering(form, fixing=fixing)
        return [] if form.questions else self.enter(self.mode, form)

    def look(self, wanted: Expectation) -> list[Effect]:
        """Have the camera look for an input."""
        self._requests += 1
        self.mode = Reading(wanted, self._requests)
        return [Look(self._requests)]

    def _back(self, *, long: bool) -> None:
        """BACK on the table: fix the last input, or take it back."""
        if not self.table.steps:
            return
        if long:
            self.mode = TakeBack()
            return
        step = self.table.undo()
        wanted = self.wanted()
        if len(wanted) > 1:
            self.mode = Choosing(wanted, wanted.index(_giver(wanted, step)), fixing=step)
        else:
            self.mode = self._draft(wanted[0], step) or Entering(entry.form(self.table, wanted[0]), fixing=step)

    def _draft(self, wanted: Expectation, step: Step) -> Amending | None:
        """Begin to fix a step of several pieces."""
        return amend.draft(self.table, wanted, msgspec.to_builtins(step.data), step)

    def _reading(self, mode: Reading, press: Press) -> list[Effect]:
        return self.by_hand(mode.wanted) if press.button == "back" else []

    def _choosing(self, mode: Choosing, press: Press) -> list[Effect]:
        if press.button == "back":
            self.stand_again(mode.fixing)
        elif press.button == "ok":
            return self._chosen(mode.wanted[mode.cursor], mode.fixing)
        else:
            self.mode = replace(mode, cursor=setup.moved(mode.cursor, len(mode.wanted), press))
        return []

    def _chosen(self, wanted: Expectation, fixing: Step | None) -> list[Effect]:
        if fixing is None:
            return self._give(wanted)
        draft = self._draft(wanted, fixing) if wanted == _giver(self.wanted(), fixing) else None
        if draft is None:
            return self.by_hand(wanted, fixing)
        self.mode = draft
        return []

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

    def _entering(self, mode: Entering, press: Press) -> list[Effect]:
        answers = entry.possible(self.table, mode.form)
        if press.button == "back":
            self._leave(mode)
        elif press.button == "ok" and answers:
            form = entry.settled(self.table, entry.answer(mode.form, answers[mode.cursor]))
            if not form.questions:
                return self.enter(mode, form)
            self.mode = replace(mode, form=form, cursor=self._stay(mode, form))
        elif press.button in ("up", "down"):
            self.mode = replace(mode, cursor=setup.moved(mode.cursor, len(answers), press))
        return []

    def _stay(self, mode: Entering, form: entry.Form) -> int:
        """Keep the cursor where several answers are picked one after the other; elsewhere it begins anew."""
        asked = mode.form.questions[0]
        if form.questions[0] != asked or asked.form == "parts":
            return 0
        return min(mode.cursor, len(entry.possible(self.table, form)) - 1)

    def _leave(self, mode: Entering) -> None:
        """One answer back; from the first, back to the table, and what was to be fixed stands again."""
        if mode.form.before is not None:
            self.mode = replace(mode, form=mode.form.before, cursor=0)
            return
        self.stand_again(mode.fixing)

    def stand_again(self, fixing: Step | None) -> None:
        """Go back to the table; what was to be fixed stands as it did."""
        if fixing is not None:
            outcome = self.table.game.rules.apply(fixing.before, fixing.data)
            if isinstance(outcome, Allowed):
                self.table.steps.append(fixing)
                self.table.state = outcome.state
        self.mode = Table()

    def enter(self, mode: Entering | Amending, form: entry.Form) -> list[Effect]:
        """Carry out an input that is wholly known by now, in place of the step that it fixes."""
        evidence = mode.evidence if isinstance(mode, Entering) else None
        line = {"input": form.input, **form.fields(), **(evidence.meta() if evidence else {"by": "buttons"})}
        undo: dict[str, Json] = {"undo": True, "by": "buttons", "note": "fix"}
        done = self.carry_out(line, again=mode, by_hand=mode)
        if done and evidence is not None:
            self.keep(form.input, evidence)
        if not done or mode.fixing is None:
            return done
        return [Record((undo, line))]  # the die that was misread lies there still: it remains no new roll

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


def _giver(wanted: tuple[Expectation, ...], step: Step) -> Expectation:
    """Find the expectation that a step answered."""
    for one in wanted:
        if one.input == step.input and (not one.field or getattr(step.data, one.field) == one.who):
            return one
    raise LookupError(f"{step.input} answered nothing that was expected")
