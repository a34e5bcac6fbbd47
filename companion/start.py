"""Putting the application together: which board, which folder, which hands."""

import argparse
import contextlib
import faulthandler
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion import demo as demo_hands
from companion import journal, starts
from companion.app import App
from companion.demo import DemoError
from companion.desk import Desk, raw_keys
from companion.draw import draw
from companion.journal import JournalError
from companion.machine import Machine
from companion.names import remembered
from companion.pages import Page
from companion.service import ALREADY_RUNNING, AlreadyRunningError, Service, only_one
from companion.session import Session
from companion.settings import CAREFUL, Loaded, Settings, SettingsError, data_folder, default_path, load
from companion.terminal import printed
from companion.text import Lang, say
from engines.record import Header
from hardware.board import BoardSettings, open_board, open_fake_board
from hardware.fakes.board import FakeBoard
from hardware.interfaces import HardwareError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.observation import Observation

OWNER = 2
"""Exit status for what the owner has to put right: a folder, a device, an option."""
GET_READY_S = 3.0
"""After so long what readings need is loaded: the hello and the first pages, which that would hold up, are over."""
STOP_S = 1.8
"""How long a stop may take; systemd is not kept waiting for two seconds."""
SCALE = 4
"""Pages are saved this many times larger than the panel."""


def _read(picture: "NDArray[np.uint8]") -> "Observation":
    """Read a picture with what has been taught; its looks are loaded by the first one, on the camera's thread."""
    from companion.calibrate import kept  # noqa: PLC0415 - OpenCV takes a quarter of a second
    from companion.taught import Taught, gallery_folder  # noqa: PLC0415
    from vision.reading import read  # noqa: PLC0415

    return read(picture, known=Taught(gallery_folder()), lens=kept())


def _get_ready() -> None:
    """Load what every reading needs: a Pi takes seconds, and the first press would wait for them."""
    from vision.picture import VisionError  # noqa: PLC0415 - OpenCV takes a quarter of a second
    from vision.reading import Known, prepare  # noqa: PLC0415

    with contextlib.suppress(VisionError):  # the first reading says so
        prepare(Known(), on_mat=False)


def _taught(game: str) -> frozenset[str]:
    """Give the names of a game's pieces that have been taught."""
    from companion.taught import Taught, gallery_folder  # noqa: PLC0415 - OpenCV takes a quarter of a second

    return Taught(gallery_folder()).names(game)


def _fake_board(camera: Path | None) -> FakeBoard:
    source = f"folder:{camera}" if camera is not None else "none"
    return open_fake_board(BoardSettings("fake", "mock", camera=source))


def _with_board(work: Callable[[], int]) -> int:
    """Do the work; a device or folder that cannot be used is said in one sentence."""
    try:
        return work()
    except AlreadyRunningError as error:
        print(f"companion: {error}", file=sys.stderr)
        return ALREADY_RUNNING
    except (HardwareError, JournalError, SettingsError, DemoError, SaveError) as error:
        print(f"companion: {error}", file=sys.stderr)
        return OWNER


def _leave(status: int) -> int:
    """Give the exit status; leave at once where a worker is still in a driver or a network.

    Python would end under its feet, and the process by SIGABRT: ``terminate called without an active exception``.
    """
    if any(thread.daemon for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def demo(options: argparse.Namespace) -> int:
    """Play the demo. Gives the exit status."""
    return _leave(_with_board(lambda: _demo(options)))


def _demo(options: argparse.Namespace) -> int:
    folder = options.data or data_folder("demo")
    journal.check(folder)
    with only_one(folder):
        return _play(options, folder)


def _play(options: argparse.Namespace, folder: Path) -> int:
    board = _fake_board(demo_hands.PHOTOS)
    session = Session(options.lang)
    pages = Pages(session, options.save)
    hands = demo_hands.Hands(board, session, pages.show, 0.0 if options.fast else demo_hands.PACE_S)
    app = App(board, session, folder, _read, hands.on_page)
    script = demo_hands.script()
    player = threading.Thread(target=hands.play, args=(app,), name="hands", daemon=True)
    player.start()
    _stop_on_signals(app)
    app.run(Header(script["game"], tuple(script["names"][options.lang]), {}))
    player.join(timeout=1.0)
    if options.save is not None:
        pages.keep(folder, options.lang)
    return 0


class SaveError(OSError):
    """The folder for pages cannot be written; the message names it."""


class Pages:
    """Where the demo's pages go: the terminal, and a folder if one is wished for."""

    def __init__(self, session: Session, folder: Path | None) -> None:
        self._session = session
        self._folder = folder
        self._count = 0
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise _no_place(folder, error) from error

    def show(self, page: Page) -> None:
        """Print a page, and keep it."""
        speaker = self._session.speaker if self._session.game else None
        print(printed(page, speaker), flush=True)
        self._count += 1
        if self._folder is not None:
            image = draw(page)
            larger = image.resize((image.width * SCALE, image.height * SCALE))
            try:
                larger.save(self._folder / f"{self._count:03}-{page.kind}.png")
            except OSError as error:
                raise _no_place(self._folder, error) from error

    def keep(self, records: Path, lang: str) -> None:
        """Copy the newest record beside the pages."""
        if self._folder is None:
            return
        newest = journal.newest(records)
        if newest is not None and newest.parent.resolve() != self._folder.resolve():
            try:
                shutil.copy(newest, self._folder / newest.name)
            except OSError as error:
                raise _no_place(self._folder, error) from error
        print(say("desk.saved", "ko" if lang == "ko" else "en", count=self._count, folder=self._folder))


def _no_place(folder: Path, error: OSError) -> SaveError:
    return SaveError(f"{folder}: {error.strerror or error}. Pages are to be saved there: name another folder.")


def run(options: argparse.Namespace) -> int:
    """Referee at the table. Gives the exit status."""
    return _leave(_with_board(lambda: _run(options)))


def _run(options: argparse.Namespace) -> int:
    folder = options.data or data_folder("records")
    try:
        journal.check(folder)
    except JournalError as error:
        if error.kind not in journal.PASSING:
            raise
        print(f"companion: {error}", file=sys.stderr)  # the game goes on in memory, and every page says so
    with only_one(folder):
        return _on_a_desk(options, folder) if options.fake else _at_the_table(options, folder)


def _at_the_table(options: argparse.Namespace, folder: Path) -> int:
    faulthandler.enable()  # a driver that ends the process, and a loop that the watchdog ends, say where
    careful = starts.begin(folder)
    loaded = Loaded(CAREFUL) if careful else load(options.settings or default_path())
    lang: Lang = options.lang or loaded.settings.lang or options.own_lang
    own = loaded.settings
    session = Session(lang, remembered(folder, own.names), _taught)
    session.sound, session.lamp, session.address = own.sound, own.lamp, own.address
    app = App(open_board(own.board_settings()), session, folder, _read)
    app.serve(Machine(own, None if careful else options.settings or default_path(), folder))
    app.service = Service(on_settled=lambda: starts.finish(folder))
    if careful:
        app.notices.append(say("notices.careful", lang))
    if loaded.notice:
        print(f"companion: {loaded.notice}", file=sys.stderr)
        app.notices.append(say("notices.settings", lang))
    _stop_on_signals(app, STOP_S)
    getting_ready = threading.Timer(GET_READY_S, _get_ready)
    getting_ready.daemon = True
    getting_ready.start()
    app.run()
    return 0


def _on_a_desk(options: argparse.Namespace, folder: Path) -> int:
    session = Session(options.lang or options.own_lang, remembered(folder), _taught)
    board = _fake_board(options.camera)
    desk = Desk(board, session)
    app = App(board, session, folder, _read, desk.show)
    app.serve(Machine(Settings(), None, folder, can=frozenset({"doctor"})))
    _stop_on_signals(app)
    threading.Thread(target=desk.keys, args=(app,), name="keys", daemon=True).start()
    with raw_keys():
        app.run()
    return 0


def _stop_on_signals(app: App, within_s: float | None = None) -> None:
    """Stop cleanly when asked to; what a hanging driver holds up for longer is cut short: all is on disk."""

    def stop(*_: object) -> None:
        app.stop()
        if within_s is not None:
            limit = threading.Timer(within_s, os._exit, (0,))
            limit.daemon = True
            limit.start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
