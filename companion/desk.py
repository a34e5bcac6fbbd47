"""``companion run --fake``: the companion on a desk, keys for buttons and a folder of photographs for the camera."""

import os
import select
import sys
import termios
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from companion.app import App
from companion.pages import Page
from companion.presses import CHORD, LONG_S, MENU_S, SETTLE_S
from companion.session import Session
from companion.terminal import printed
from companion.text import say
from hardware.fakes.board import FakeBoard
from hardware.fakes.camera import FolderCamera

KEYS = {
    "k": ("up", False), "j": ("down", False), "\r": ("ok", False), "\n": ("ok", False), " ": ("ok", False),
    "b": ("back", False), "\x7f": ("back", False), "\x1b": ("back", False),
    "\x1b[A": ("up", False), "\x1b[B": ("down", False), "\x1b[C": ("ok", False), "\x1b[D": ("back", False),
    "K": ("up", True), "J": ("down", True), "O": ("ok", True), "B": ("back", True), "w": ("ok", True),
}  # fmt: skip
"""A key, or an arrow's escape sequence: the button that it presses, and whether for long."""
SLOW_S = 2.0
"""How long a busy machine may take to show the page that a key leads to; then the next key is pressed all the same."""
_CLEAR = "\x1b[H\x1b[2J"


def press(board: FakeBoard, button: str, *, long: bool, pause: threading.Event) -> None:
    """Press a fake button with a real finger's timing."""
    board.buttons.press(button)
    pause.wait(LONG_S + SETTLE_S if long else 1.25 * SETTLE_S)
    board.buttons.release(button)


def chord(board: FakeBoard, pause: threading.Event) -> None:
    """Hold UP and DOWN together until the menu opens."""
    for button in CHORD:
        board.buttons.press(button)
    pause.wait(MENU_S + 2 * SETTLE_S)
    for button in CHORD:
        board.buttons.release(button)


class Desk:
    """Keys in, pages out, until q or the end of the input."""

    def __init__(self, board: FakeBoard, session: Session) -> None:
        self._board = board
        self._session = session
        self._never = threading.Event()
        self._shown = threading.Event()

    def show(self, page: Page) -> None:
        """Print a page in place of the one before."""
        speaker = self._session.speaker if self._session.game else None
        camera = self._board.camera
        photo = camera.name if isinstance(camera, FolderCamera) else "-"
        keys = say("desk.keys", self._session.lang, photo=photo)
        clear = _CLEAR if sys.stdout.isatty() else ""
        print(f"{clear}{printed(page, speaker)}\n{keys}", flush=True)
        self._shown.set()

    def keys(self, app: App) -> None:
        """Turn keys into presses until q; then stop the application."""
        app.listening.wait()
        try:
            for key in _read_keys():
                if key in ("q", "\x03", "\x04"):
                    break
                self._key(key)
            app.stop()
        except Exception as error:  # noqa: BLE001 - raised again on the application's thread
            app.fail(error)

    def _key(self, key: str) -> None:
        camera = self._board.camera
        if key == "n" and isinstance(camera, FolderCamera):
            if not camera.advance():
                camera.show(camera.names[0])
        elif key == "m":
            chord(self._board, self._never)
        elif key in KEYS:
            button, long = KEYS[key]
            self._shown.clear()
            press(self._board, button, long=long, pause=self._never)
            self._shown.wait(SLOW_S)  # keys from a pipe are meant for the page that comes, as a person's are
            self._never.wait(2 * SETTLE_S)  # a finger is not faster than the release settles


@contextmanager
def raw_keys() -> Iterator[None]:
    """Have keys come one by one, without echo; a pipe gives them as it likes."""
    if not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _read_keys() -> Iterator[str]:
    descriptor = sys.stdin.fileno()
    while data := os.read(descriptor, 1):
        key = data.decode("utf-8", "replace")
        if key == "\x1b" and select.select([descriptor], [], [], 0.02)[0]:  # an arrow's sequence comes in one piece
            key += os.read(descriptor, 2).decode("utf-8", "replace")
        yield key
