"""One game at one table: events in, effects out. It names no game and no device, and waits for nothing."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion import entry, setup
from companion.draw import last_top
from companion.events import Begin, Effect, Event, Look, LookFailed, Record, Saw
from companion.judge import Rule, Seen, Trouble, can_read, judge
from companion.modes import (
    Asking,
    Choosing,
    Count,
    Cut,
    Entering,
    Evidence,
    Home,
    Log,
    Menu,
    Mode,
    Notice,
    Option,
    Options,
    Reading,
    Saying,
    Still,
    Table,
    TakeBack,
    Why,
)
from companion.pages import page
from companion.presses import Press
from companion.text import Lang, Speaker, say
from engines import shelf
from engines.core import Allowed, Expectation, Json
from engines.record import Header, RecordError, Replay, Step
from vision.complaint import say as say_complaint

UNMOVED_PX = 4.0
"""A die within this distance of where it lay, with the same face, was not rolled: detection noise is 1 to 2 px."""


class Session:
    """The state of one table. Only :meth:`handle` changes it; what it shows is ``pages_of.page(session)``."""

    def __init__(self, lang: Lang, names: tuple[str, ...] = ()) -> None:
        self.lang = lang
        self.names = names
        self.game: Replay | None = None
        self.mode: Mode = setup.home()
        self.unsaved: str | None = None
        """Why nothing can be written, while that is so."""
        self.cut: Cut | None = None
        """What the camera saw for the last ruling, small enough to show beside it."""
        self._requests = 0
        self._ruled: Seen | None = None

    menu = ("go-on", "another", "language")
    """The menu's entries, by their words' keys."""

    # --- beginning and resuming ---------------------------------------------------------------------------------------

    def begin(self, header: Header) -> list[Effect]:
        """Start a game. Raises RecordError where the header does not fit."""
        self.game = Replay(header)
        self.mode = Table()
        self._ruled = None
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

    # --- events -------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Effect]:
        """Take one event; gives what is to be done, in order."""
        if isinstance(event, Press):
            return self._press(event)
        if not isinstance(self.mode, Reading) or event.request != self.mode.request:
            return []  # stale: nobody waits for it any more
        if isinstance(event, LookFailed):
            return self._in_the_way(self.mode.wanted, say(f"troubles.{event.reason}", self.lang), event.message)
        return self._saw(self.mode.wanted, event)

    def _press(self, press: Press) -> list[Effect]:
        if press.button == "menu":
            self._open_menu()
            return []
        on: dict[type[Mode], Callable[[Any, Press], list[Effect]]] = {
            Home: self._setting_up,
            Count: self._setting_up,
            Options: self._setting_up,
            Option: self._setting_up,
            Still: self._still,
            Table: self._table,
            Reading: self._reading,
            Asking: self._asking,
            Choosing: self._choosing,
            Entering: self._entering,
            Saying: self._saying,
            Why: self._leafing,
            Log: self._leafing,
            Notice: self._notice,
            Menu: self._menu,
            TakeBack: self._take_back,
        }
        return on[type(self.mode)](self.mode, press)

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
        if isinstance(self.mode, Entering | Choosing) and self.mode.fixing is not None:
            self._stand_again(self.mode.fixing)
        if not isinstance(self.mode, Menu):
            self.mode = Menu(Table() if isinstance(self.mode, Reading) else self.mode)

    def _menu(self, mode: Menu, press: Press) -> list[Effect]:
        if press.button == "back":
            self.mode = mode.then
        elif press.button != "ok":
            self.mode = replace(mode, cursor=setup.moved(mode.cursor, len(self.menu), press))
        elif self.menu[mode.cursor] == "language":
            self.lang = "en" if self.lang == "ko" else "ko"
        else:
            self.mode = setup.home() if self.menu[mode.cursor] == "another" else mode.then
        return []

    def tell(self, message: str) -> None:
        """Have something known before the session goes on where it stands."""
        self.mode = Notice(message, self.mode)

    def _notice(self, mode: Notice, press: Press) -> list[Effect]:
        if press.button in ("ok", "back"):
            self.mode = mode.then
        else:
            self._scroll(mode, press)
        return []

    def _still(self, mode: Still, press: Press) -> list[Effect]:
        if press.button == "ok":
            self.mode = Table()
        elif press.button == "back":
            self.mode = Log()
        else:
            self._scroll(mode, press)
        return []

    def _scroll(self, mode: Still | Table | Saying | Why | Log | Notice | TakeBack, press: Press) -> None:
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
        else:
            self._scroll(mode, press)
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
        if can_read(self.table, wanted):
            return self._look(wanted)
        return self._by_hand(wanted)

    def _by_hand(self, wanted: Expectation, fixing: Step | None = None) -> list[Effect]:
        """Ask for an input on pages; one that leaves nothing to ask is carried out at once."""
        form = entry.settled(self.table, entry.form(self.table, wanted))
        self.mode = Entering(form, fixing=fixing)
        return [] if form.questions else self._enter(self.mode, form)

    def _look(self, wanted: Expectation) -> list[Effect]:
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
            self.mode = Entering(entry.form(self.table, wanted[0]), fixing=step)

    def _reading(self, mode: Reading, press: Press) -> list[Effect]:
        return self._by_hand(mode.wanted) if press.button == "back" else []

    def _asking(self, mode: Asking, press: Press) -> list[Effect]:
        if press.button == "up":
            return self._read(mode.wanted, mode.ask.first, mode.evidence)
        if press.button == "down" and mode.ask.second is not None:
            return self._read(mode.wanted, mode.ask.second, mode.evidence)
        if press.button == "down":
            return self._look(mode.wanted)
        return self._by_hand(mode.wanted) if press.button == "back" else []

    def _choosing(self, mode: Choosing, press: Press) -> list[Effect]:
        if press.button == "back":
            self._stand_again(mode.fixing)
        elif press.button == "ok" and mode.fixing is None:
            return self._give(mode.wanted[mode.cursor])
        elif press.button == "ok":
            return self._by_hand(mode.wanted[mode.cursor], mode.fixing)
        else:
            self.mode = replace(mode, cursor=setup.moved(mode.cursor, len(mode.wanted), press))
        return []

    def _saying(self, mode: Saying, press: Press) -> list[Effect]:
        if press.button in ("ok", "back"):
            target: Mode | Expectation = mode.again if press.button == "ok" else mode.by_hand
            if isinstance(target, Expectation):
                return self._look(target)
            self.mode = target
        else:
            self._scroll(mode, press)
        return []

    def _leafing(self, mode: Why | Log, press: Press) -> list[Effect]:
        if press.button in ("ok", "back"):
            self.mode = Table()
        else:
            self._scroll(mode, press)
        return []

    def _take_back(self, mode: TakeBack, press: Press) -> list[Effect]:
        if press.button not in ("ok", "back"):
            self._scroll(mode, press)
            return []
        self.mode = Table()
        if press.button == "back":
            return []
        self.table.undo()
        self._ruled = self.cut = None
        return [Record(({"undo": True, "by": "buttons"},))]

    # --- inputs -------------------------------------------------------------------------------------------------------

    def _saw(self, wanted: Expectation, saw: Saw) -> list[Effect]:
        found = judge(self.table, wanted, saw.scene)
        if isinstance(found, Trouble):
            message = (
                say_complaint(found.complaint, self.lang)
                if found.complaint
                else say(f"troubles.{found.reason}", self.lang, count=found.count)
            )
            return self._in_the_way(wanted, message, "")
        if self._is_unmoved(found.piece):
            return self._in_the_way(wanted, say("troubles.unmoved", self.lang), "")
        cut = next((cut for cut, piece in zip(saw.cuts, saw.scene.pieces, strict=False) if piece is found.piece), None)
        evidence = Evidence(found.piece, cut, saw.evidence)
        if isinstance(found, Rule):
            return self._read(wanted, found.fields, evidence)
        self.mode = Asking(wanted, found, evidence)
        return []

    def _is_unmoved(self, piece: Seen) -> bool:
        """Tell whether this is the die that was ruled on already, lying where it lay."""
        old = self._ruled
        if old is None or piece.name != old.name:
            return False
        return all(abs(a - b) <= UNMOVED_PX for a, b in zip(piece.center_px, old.center_px, strict=True))

    def _in_the_way(self, wanted: Expectation, message: str, detail: str) -> list[Effect]:
        by_hand = Entering(entry.form(self.table, wanted))
        self.mode = Saying(f"{message} {detail}".strip(), None, again=wanted, by_hand=by_hand)
        return []

    def _read(self, wanted: Expectation, fields: dict[str, Json], evidence: Evidence) -> list[Effect]:
        line = {"input": wanted.input, **fields, "by": "camera"}
        if evidence.picture:
            line["evidence"] = evidence.picture
        again = Entering(entry.form(self.table, wanted))
        done = self._carry_out(line, again=wanted, by_hand=again)
        if done:
            self._ruled = evidence.piece
            self.cut = evidence.cut
        return done

    def _entering(self, mode: Entering, press: Press) -> list[Effect]:
        answers = entry.possible(self.table, mode.form)
        if press.button == "back":
            self._leave(mode)
        elif press.button == "ok" and answers:
            form = entry.settled(self.table, entry.answer(mode.form, answers[mode.cursor]))
            if not form.questions:
                return self._enter(mode, form)
            self.mode = Entering(form, self._stay(mode, form), fixing=mode.fixing)
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
            self.mode = Entering(mode.form.before, fixing=mode.fixing)
            return
        self._stand_again(mode.fixing)

    def _stand_again(self, fixing: Step | None) -> None:
        """Go back to the table; what was to be fixed stands as it did."""
        if fixing is not None:
            outcome = self.table.game.rules.apply(fixing.before, fixing.data)
            if isinstance(outcome, Allowed):
                self.table.steps.append(fixing)
                self.table.state = outcome.state
        self.mode = Table()

    def _enter(self, mode: Entering, form: entry.Form) -> list[Effect]:
        line = {"input": form.input, **form.fields(), "by": "buttons"}
        undo: dict[str, Json] = {"undo": True, "by": "buttons", "note": "fix"}
        done = self._carry_out(line, again=mode, by_hand=mode)
        if not done or mode.fixing is None:
            return done
        return [Record((undo, line))]  # the die that was misread lies there still: it remains no new roll

    def _carry_out(self, line: dict[str, Json], again: Mode | Expectation, by_hand: Mode) -> list[Effect]:
        """Carry an input out; a refusal is said with its clause, and nothing has changed."""
        outcome = self.table.carry_out(len(self.table.steps) + 2, line)
        if isinstance(outcome, Allowed):
            self.mode = Table()
            self.cut = None
            return [Record((line,))]
        self.mode = Saying(self.speaker.refusal(outcome.ruling), outcome.ruling.rule, again=again, by_hand=by_hand)
        return []


def _giver(wanted: tuple[Expectation, ...], step: Step) -> Expectation:
    """Find the expectation that a step answered."""
    for one in wanted:
        if one.input == step.input and (not one.field or getattr(step.data, one.field) == one.who):
            return one
    raise LookupError(f"{step.input} answered nothing that was expected")
