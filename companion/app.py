"""The application: one queue, one thread that owns the state; it carries out what the session decides.

Everything that happens comes through the queue: button edges, the camera's answers, the wish to stop. What is recorded
is on disk before it is shown. A device that is lost costs its own function and nothing else.
"""

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from companion.display import Display
from companion.draw import draw
from companion.events import (
    Begin,
    Effect,
    Event,
    Examine,
    Examined,
    Keep,
    Look,
    LookFailed,
    Record,
    Saw,
    SwitchOff,
    Warned,
)
from companion.fingers import Fingers
from companion.looking import Looking, Read
from companion.machine import Machine
from companion.memory import remembered
from companion.pages import Page, goodbye, hello, page
from companion.presses import Press
from companion.recording import Recording
from companion.rest import Glow, Rest, shifted
from companion.service import Service
from companion.session import Session
from companion.signals import Signals, sound_of
from companion.text import say
from engines.record import Header
from hardware.interfaces import Board, Edge, Turn
from hardware.keeper import Keeper


class Stop:
    """The wish to stop: a signal, or the end of a demo."""


WATCH_S = 1.0
"""How often, while nobody presses anything, the camera's health is looked at, and writing to a disk that took nothing
is tried again; with the keeper's own times a loss shows within five seconds."""
ASLEEP_S = 3.0
"""How long a camera may take to wake up before the pages say that it is asleep."""
Came = Edge | Turn | Saw | LookFailed | Examined | Stop | BaseException
"""What comes through the queue."""
HASTE_S = 0.25
"""Work that keeps the page waiting for longer than this makes people press again: such presses are not carried out."""


class App:
    """One companion: a board of devices, a session, a folder of records.

    ``on_page`` is called on the application's thread with every page that is shown, also where there is no screen.
    """

    def __init__(
        self, board: Board, session: Session, folder: Path, read: Read, on_page: Callable[[Page], None] | None = None
    ) -> None:
        self._camera = Keeper(board.camera, board.clock)
        self._board = replace(board, camera=self._camera)
        self._began = board.clock.now()
        self._session = session
        session.camera = self._camera.health.state if self._camera.health.state == "off" else "awake"
        self._on_page = on_page
        self._queue: queue.SimpleQueue[Came] = queue.SimpleQueue()
        self._display = Display(board.screen)
        self._looking = Looking(self._board, self._queue.put, read)
        self._recording = Recording(folder)
        session.can |= {name for name, part in (("sound", board.buzzer), ("lamp", board.lamp)) if part is not None}
        self._signals = Signals(board)
        self._rest = Rest(board.clock.now())
        self._glow = Glow()
        self._page: Page | None = None
        self._replaced: Page | None = None
        """The page before, where this one came without a press or late."""
        self._page_since = board.clock.now()
        """... and when it did."""
        self.service = Service({})
        """Who is told that the application is ready, lives, and stops: nobody, unless it is replaced."""
        self.notices: list[str] = []
        """What is to be said before anything else."""
        self._machine: Machine | None = None
        self.listening = threading.Event()
        """Set once presses arrive."""
        self._fingers = Fingers(board, self._queue.put, self.listening.set)

    def serve(self, machine: Machine) -> None:
        """Offer in the menu what the machine can do; to be called before :meth:`run`."""
        self._machine = machine
        self._session.can |= machine.can

    def fail(self, error: BaseException) -> None:
        """Have the application end with an error of another thread."""
        self._queue.put(error)

    def stop(self) -> None:
        """Ask the application to stop; may be called from any thread and from a signal handler."""
        self._queue.put(Stop())

    def run(self, begin: Header | None = None) -> None:
        """Run until :meth:`stop`; ``begin`` is the game to start where none is to be resumed.

        A bug on any thread is raised here, after the devices were let go.
        """
        try:
            self._display.start()
            self._show(hello(self._session.lang))
            self._camera.start()
            self._looking.start()
            self._signals.start()
            self.resume()
            if begin is not None and self._session.game is None:
                for effect in self._session.begin(begin):
                    self._do(effect)
            if self.notices:
                self._session.tell(" ".join(self.notices))
            for event in self._fingers.settle():
                self._session.handle(event)
            self.service.ready()
            self._show(page(self._session))
            while self._turn():
                pass
            self.service.stopping()
            self._save()
            self._show(goodbye(self._session))
        finally:
            self._recording.save()
            self._camera.close()
            self._looking.stop()
            self._signals.stop()
            self._display.stop()
            self._board.close()

    def resume(self) -> None:
        """Go on with the newest record, if its game is not over; say what a power cut has cost."""
        found, aside = self._recording.resume()
        self._say_unsaved()
        self.notices += [say("notices.set-aside", self._session.lang, file=path.name) for path in aside]
        if found is not None:
            if found.torn:
                self.notices.append(say("notices.torn", self._session.lang))
            if found.damaged_line is not None:
                self.notices.append(say("notices.damaged", self._session.lang, line=found.damaged_line))
            if found.game.game.rules.expects(found.game.state):
                self._session.resume(found.game, remembered(found.lines))

    def _turn(self) -> bool:
        """Wait for one thing and deal with it; gives False when it is time to stop."""
        self.service.beat()
        try:
            came = self._queue.get(timeout=self._patience())
        except queue.Empty:
            came = None
            unsaved = self._session.unsaved
            if self._recording.is_waiting:
                self._save()
            if self._session.unsaved != unsaved:
                self._show(page(self._session))
        if isinstance(came, Stop):
            self._carry_out(self._fingers.settle())  # what was pressed before is carried out
            return False
        if isinstance(came, BaseException):
            raise came
        events: list[Event] = []
        if isinstance(came, Edge | Turn):
            events += self._fingers.take(came)
        elif came is not None:
            events.append(came)
        # With more in the queue the time now says nothing yet of a press: its release may be among what waits there.
        self._carry_out([*events, *(self._fingers.settle() if self._queue.empty() else [])])
        if self._rest.glow(self._board.clock.now()) != self._glow and self._page is not None:
            self._paint(self._page)
        self._watch_camera()
        return True

    def _patience(self) -> float:
        """Give how long nothing has to be done unless something comes, in seconds."""
        now = self._board.clock.now()
        dues = [due for due in (self._fingers.due(), self._rest.due(now)) if due is not None]
        waits = [max(0.0, due - now) for due in dues]
        waits += [] if self.service.every_s is None else [self.service.every_s]
        return min([WATCH_S, *waits])

    def _carry_out(self, events: Sequence[Event]) -> None:
        for event in events:
            began = self._board.clock.now()
            if isinstance(event, Press) and not self._is_meant(event):
                continue
            effects = self._session.handle(event)
            for effect in effects:
                self._do(effect)
            before, after = self._page, page(self._session)
            now = self._board.clock.now()
            self._show(after)
            if now - began > HASTE_S or (not isinstance(event, Press) and before != after):
                self._replaced, self._page_since = before, now
            sound = sound_of(effects, before, after)
            if sound is not None:
                self._signals.play(sound, self._session.sound)

    def _is_meant(self, press: Press) -> bool:
        """Tell whether a press counts: it does not only wake the screen, and is meant for the page that is there.

        It is where it began after the page came, or means here what it meant on the page before.
        """
        if self._rest.pressed(self._board.clock.now()):
            return False
        before, now = self._replaced, self._page
        if press.at >= self._page_since or before is None or now is None:
            return True
        return before.offers(press.button) == now.offers(press.button)

    def _watch_camera(self) -> None:
        """Have the pages say how the camera is. Raises what only a new start of the process can mend."""
        if self._camera.fatal is not None:
            raise self._camera.fatal
        state = self._camera.health.state
        if state == "asleep" and self._board.clock.now() - self._began < ASLEEP_S:
            return
        if state != self._session.camera:
            self._session.camera = state
            self._show(page(self._session))

    def _do(self, effect: Effect) -> None:
        if isinstance(effect, Look):
            self._looking.look(effect.request)
        elif isinstance(effect, Begin):
            self._recording.begin(effect.header)
        elif isinstance(effect, Record):
            self._recording.record(effect.lines)
        elif self._machine is not None:
            self._do_with(self._machine, effect)
        self._say_unsaved()

    def _do_with(self, machine: Machine, effect: Effect) -> None:
        trouble = ""
        if isinstance(effect, Keep):
            trouble = machine.keep(effect)
        elif isinstance(effect, Examine):
            threading.Thread(target=self._examine, args=(machine,), name="doctor", daemon=True).start()
        elif isinstance(effect, SwitchOff):
            trouble = machine.switch_off(self._session.lang)
            if not trouble:
                self.stop()
        if trouble:
            self._session.handle(Warned(trouble))

    def _examine(self, machine: Machine) -> None:
        """Have the doctor look, on a thread of its own: some of its checks take seconds."""
        found = machine.examine(self._session.lang)
        failures = say("told.screen-failures", self._session.lang, count=self._display.failures)
        self._queue.put(Examined((*found, failures)))

    def _save(self) -> None:
        """Try once more to put on disk what is not there yet."""
        self._recording.save()
        self._say_unsaved()

    def _say_unsaved(self) -> None:
        """Have every page say so while not everything is on disk."""
        problem, lang = self._recording.problem, self._session.lang
        reason = problem and say(f"disk.{problem.kind}", lang, name=problem.name, detail=problem.detail)
        self._session.unsaved = say("notices.unsaved", lang, reason=reason) if problem else None

    def _show(self, shown: Page) -> None:
        self._page = shown
        self._paint(shown)
        self._signals.light(on=self._session.lamp and self._session.reads)
        if self._on_page is not None:
            self._on_page(shown)

    def _paint(self, shown: Page) -> None:
        self._glow = self._rest.glow(self._board.clock.now())
        self._display.show(shifted(draw(shown), self._glow.shift), dim=self._glow.dim)
