"""The application: one queue, one thread that owns the state; it carries out what the session decides.

Everything that happens comes through the queue: button edges, the camera's answers, the wish to stop. What is recorded
is on disk before it is shown. A device that is lost costs its own function and nothing else.
"""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion import journal
from companion.display import Display
from companion.draw import draw
from companion.events import Begin, Effect, Event, Look, LookFailed, Record, Saw
from companion.journal import Journal, JournalError
from companion.looking import Looking, Read
from companion.pages import Page, goodbye, hello, page
from companion.presses import Presses
from companion.service import Service
from companion.session import Session
from companion.text import say
from engines.record import Header
from hardware.interfaces import Board, Edge


class Stop:
    """The wish to stop: a signal, or the end of a demo."""


@dataclass
class Unsaved:
    """Lines that are not on disk yet, and the record they belong to; None where its header is among them."""

    journal: Journal | None
    lines: list[dict[str, Any]]


class App:
    """One companion: a board of devices, a session, a folder of records.

    ``on_page`` is called on the application's thread with every page that is shown, also where there is no screen.
    """

    def __init__(
        self, board: Board, session: Session, folder: Path, read: Read, on_page: Callable[[Page], None] | None = None
    ) -> None:
        self._board = board
        self._session = session
        self._folder = folder
        self._on_page = on_page
        self._queue: queue.SimpleQueue[Edge | Saw | LookFailed | Stop | BaseException] = queue.SimpleQueue()
        self._presses = Presses()
        self._display = Display(board.screen)
        self._looking = Looking(board, self._queue.put, read)
        self._journal: Journal | None = None
        self._unsaved: list[Unsaved] = []
        self.service = Service({})
        """Who is told that the application is ready, lives, and stops: nobody, unless it is replaced."""
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
            self._board.buttons.listen(self._queue.put)
            self.listening.set()
            self.service.ready()
            self._show(page(self._session))
            while self._turn():
                pass
            self.service.stopping()
            self._show(goodbye(self._session.lang))
        finally:
            self._looking.stop()
            self._display.stop()
            self._board.close()
            if self._journal is not None:
                self._journal.close()

    def resume(self) -> None:
        """Go on with the newest record, if its game is not over; say what a power cut has cost."""
        try:
            found, aside = journal.resume(self._folder)
        except JournalError as error:
            self._session.unsaved = say("notices.unsaved", self._session.lang, reason=str(error))
            return
        notices = [say("notices.set-aside", self._session.lang, file=path.name) for path in aside]
        if found is not None:
            self._journal = found.journal
            if found.torn:
                notices.append(say("notices.torn", self._session.lang))
            if found.damaged_line is not None:
                notices.append(say("notices.damaged", self._session.lang, line=found.damaged_line))
            if found.game.game.rules.expects(found.game.state):
                self._session.resume(found.game)
        if notices:
            self._session.tell(" ".join(notices))

    def _turn(self) -> bool:
        """Wait for one thing and deal with it; gives False when it is time to stop."""
        due = self._presses.due()
        waits = [] if due is None else [max(0.0, due - self._board.clock.now())]
        waits += [] if self.service.every_s is None else [self.service.every_s]
        self.service.beat()
        try:
            came = self._queue.get(timeout=min(waits, default=None))
        except queue.Empty:
            came = None
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
            self._unsaved.append(Unsaved(None, [_dated(effect.header)]))
            self._save()
        elif isinstance(effect, Record):
            if not self._unsaved:
                self._unsaved.append(Unsaved(self._journal, []))
            self._unsaved[-1].lines += map(_dated, effect.lines)
            self._save()

    def _save(self) -> None:
        """Put on disk what is not there yet. Where that fails the game goes on, and every page says so."""
        try:
            while self._unsaved:
                self._write(self._unsaved[0])
                del self._unsaved[0]
            self._session.unsaved = None
        except JournalError as error:
            self._session.unsaved = say("notices.unsaved", self._session.lang, reason=str(error))

    def _write(self, unsaved: Unsaved) -> None:
        """Write lines to their record, making it first where it begins with them. Raises JournalError."""
        if unsaved.journal is None:
            unsaved.journal = journal.create(self._folder, unsaved.lines[0])
            del unsaved.lines[0]
        if self._journal not in (None, unsaved.journal):
            self._journal.close()
        self._journal = unsaved.journal
        if unsaved.lines:
            self._journal.append(*unsaved.lines)

    def _show(self, shown: Page) -> None:
        self._display.show(draw(shown))
        if self._on_page is not None:
            self._on_page(shown)


def _dated(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "at": datetime.now(UTC).isoformat(timespec="seconds")}
