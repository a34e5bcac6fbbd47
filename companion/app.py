"""The application: one queue, one thread that owns the state; it carries out what the session decides.

Everything that happens comes through the queue: button edges, the camera's answers, the wish to stop. What is recorded
is on disk before it is shown. A device that is lost costs its own function and nothing else.
"""

import queue
import threading
from collections.abc import Callable
from pathlib import Path

from companion.display import Display
from companion.draw import draw
from companion.events import Begin, Effect, Event, Look, LookFailed, Record, Saw
from companion.looking import Looking, Read
from companion.pages import Page, goodbye, hello, page
from companion.presses import Presses
from companion.recording import Recording
from companion.service import Service
from companion.session import Session
from companion.text import say
from engines.record import Header
from hardware.interfaces import Board, Edge


class Stop:
    """The wish to stop: a signal, or the end of a demo."""


SAVE_AGAIN_S = 5.0
"""How often writing is tried again while a disk takes nothing and nobody presses anything."""


class App:
    """One companion: a board of devices, a session, a folder of records.

    ``on_page`` is called on the application's thread with every page that is shown, also where there is no screen.
    """

    def __init__(
        self, board: Board, session: Session, folder: Path, read: Read, on_page: Callable[[Page], None] | None = None
    ) -> None:
        self._board = board
        self._session = session
        self._on_page = on_page
        self._queue: queue.SimpleQueue[Edge | Saw | LookFailed | Stop | BaseException] = queue.SimpleQueue()
        self._presses = Presses()
        self._display = Display(board.screen)
        self._looking = Looking(board, self._queue.put, read)
        self._recording = Recording(folder)
        self.service = Service({})
        """Who is told that the application is ready, lives, and stops: nobody, unless it is replaced."""
        self.notices: list[str] = []
        """What is to be said before anything else."""
        self.listening = threading.Event()
        """Set once presses arrive."""

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
            self._looking.start()
            self.resume()
            if begin is not None and self._session.game is None:
                for effect in self._session.begin(begin):
                    self._do(effect)
            if self.notices:
                self._session.tell(" ".join(self.notices))
            self._board.buttons.listen(self._queue.put)
            self.listening.set()
            self.service.ready()
            self._show(page(self._session))
            while self._turn():
                pass
            self.service.stopping()
            self._save()
            self._show(goodbye(self._session))
        finally:
            self._recording.save()
            self._looking.stop()
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
                self._session.resume(found.game)

    def _turn(self) -> bool:
        """Wait for one thing and deal with it; gives False when it is time to stop."""
        due = self._presses.due()
        waits = [] if due is None else [max(0.0, due - self._board.clock.now())]
        waits += [] if self.service.every_s is None else [self.service.every_s]
        waits += [SAVE_AGAIN_S] if self._recording.is_waiting else []
        self.service.beat()
        try:
            came = self._queue.get(timeout=min(waits, default=None))
        except queue.Empty:
            came = None
            if self._recording.is_waiting:
                self._save()
                self._show(page(self._session))
        if isinstance(came, Stop):
            return False
        if isinstance(came, BaseException):
            raise came
        events: list[Event] = []
        if isinstance(came, Edge):
            events += self._presses.edge(came.button, came.at, pressed=came.pressed)
        elif came is not None:
            events.append(came)
        events += self._presses.settle(self._board.clock.now())
        for event in events:
            for effect in self._session.handle(event):
                self._do(effect)
            self._show(page(self._session))
        return True

    def _do(self, effect: Effect) -> None:
        if isinstance(effect, Look):
            self._looking.look(effect.request)
        elif isinstance(effect, Begin):
            self._recording.begin(effect.header)
        elif isinstance(effect, Record):
            self._recording.record(effect.lines)
        self._say_unsaved()

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
        self._display.show(draw(shown))
        if self._on_page is not None:
            self._on_page(shown)
