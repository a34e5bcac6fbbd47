"""``companion demo``: a short, real Witch Race on fake hardware.

The same application, session and adapters as the service; only the hands are scripted. They look at the page as a
person does, and press what it offers, so the demo also shows what happens when a reading is unsure.
"""

import queue
import threading
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from companion.app import App
from companion.desk import press
from companion.pages import Page
from companion.session import Session
from companion.wording import answer_text
from hardware.fakes.board import FakeBoard
from hardware.fakes.camera import FolderCamera

PHOTOS = Path(__file__).with_name("photos")
PACE_S = 15.0
"""Seconds that the whole demo takes where reading is quicker than that: pages stand as long as the pace allows."""
LONGEST_S = 0.7
"""Seconds that one page stands, at most."""
PATIENCE_S = 30.0
"""Seconds until a page that does not come is a fault of the demo."""


@cache
def script() -> dict[str, Any]:
    """Read what the demo's hands do."""
    with Path(__file__).with_name("script.toml").open("rb") as file:
        return tomllib.load(file)


class DemoError(ValueError):
    """The demo cannot go on; the message says why and what to do."""


class Hands:
    """The demo's player: reads pages, presses buttons, lays photographs under the camera."""

    def __init__(self, board: FakeBoard, session: Session, show: Callable[[Page], None], pace_s: float) -> None:
        self._board = board
        self._session = session
        self._show = show
        self._pace_s = pace_s
        self._began = board.clock.now()
        self._pages: queue.SimpleQueue[Page] = queue.SimpleQueue()
        self._pause = threading.Event()

    def on_page(self, page: Page) -> None:
        """Take a page from the application."""
        self._pages.put(page)

    def play(self, app: App) -> None:
        """Play from wherever the record stands to the end, then stop the application."""
        try:
            page = self._wait("still", "table")
            self._tell(page)
            if page.kind == "still":
                page = self._press("ok")
            steps = script()["steps"]
            self._check()
            while len(self._session.table.steps) < len(steps):
                page = self._step(dict(steps[len(self._session.table.steps)]))
            self._tell(self._press("ok", long=True))
            app.stop()
        except queue.Empty:
            app.fail(DemoError("The demo waited in vain for a page. Please report this with the record."))
        except Exception as error:  # noqa: BLE001 - raised again on the application's thread
            app.fail(error)

    def _check(self) -> None:
        """See that the record at hand is the demo's own. Raises DemoError."""
        game = self._session.table
        pairs = zip(script()["steps"], game.steps, strict=False)
        if game.header.game != script()["game"] or any(step["input"] != done.input for step, done in pairs):
            raise DemoError("The newest record of this folder is another game's. Name another folder with --data.")

    def _step(self, step: dict[str, Any]) -> Page:
        photo = step.pop("photo", None)
        if photo is not None and isinstance(self._board.camera, FolderCamera):
            self._board.camera.show(photo)
        page = self._press("ok")
        if page.kind == "reading":
            self._tell(page)
            page = self._wait("table", "question", "trouble")
        if page.kind == "trouble":
            self._tell(page)
            page = self._press("back")
        if page.kind == "question":
            self._tell(page)
            page = self._answer(page, str(step["die"]))
        if page.kind == "enter":
            page = self._enter(page, step)
        self._tell(page)
        return page

    def _answer(self, page: Page, truth: str) -> Page:
        """Answer a question: up for the first candidate, down for the second, else by hand."""
        buttons = dict(zip(page.candidates, ("up", "down"), strict=False))
        return self._press(buttons.get(truth, "back"))

    def _enter(self, page: Page, step: dict[str, Any]) -> Page:
        """Choose each field's answer on the page, as a person reads it."""
        while page.kind == "enter" and page.asks is not None:
            row = page.body.index(answer_text(self._session.speaker, step[page.asks], self._session.lang))
            back = len(page.body) - row
            button, times = ("down", row) if row <= back else ("up", back)
            for _ in range(times):
                page = self._press(button)
            self._show(page)
            page = self._press("ok")
        return page

    def _press(self, button: str, *, long: bool = False) -> Page:
        press(self._board, button, long=long, pause=self._pause)
        return self._pages.get(timeout=PATIENCE_S)

    def _wait(self, *kinds: str) -> Page:
        while (page := self._pages.get(timeout=PATIENCE_S)).kind not in kinds:
            pass
        return page

    def _tell(self, page: Page) -> None:
        """Show a page, and let it stand until the pace asks for the next."""
        self._show(page)
        done = len(self._session.table.steps) / len(script()["steps"])
        ahead = self._began + self._pace_s * done - self._board.clock.now()
        self._pause.wait(min(max(ahead, 0.0), LONGEST_S))
