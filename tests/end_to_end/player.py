"""A companion whose buttons are pressed at random as fast as it goes, made to be killed.

Run as a program it waits for lines ``SEED FOLDER`` and answers each with a child that plays there (its process id
first): starting Python once makes a thousand kills affordable. For every page that shows the table the child says
``shown SIZE STANDING``: how long the newest record is by then, and how the game stands (:func:`standing`).
"""

import contextlib
import os
import queue
import sys
import threading
import zlib
from pathlib import Path
from random import Random
from typing import NoReturn

from companion import journal
from companion.app import App
from companion.draw import draw
from companion.pages import Page, hello
from companion.presses import LONG_S
from companion.session import Session
from engines import shelf
from engines.record import Header, Replay
from hardware.board import BoardSettings, open_fake_board
from hardware.fakes.clock import SetClock
from vision.observation import Observation

BUTTONS = ("ok",) * 14 + ("down",) * 4 + ("up",) * 2 + ("back",) * 2
LONG = 0.04
"""How often a press is a long one."""
OPTIONS = {"hare-tortoise": {"streams": [4, 8]}}
"""What a game cannot do without."""
NAMES = ("Ana", "다은", "Bo", "Dee")


def standing(game: Replay) -> str:
    """Give a word that only this game with these inputs has."""
    return f"{zlib.crc32(repr((game.header, [(step.input, step.data) for step in game.steps])).encode()):08x}"


def play(seed: int, folder: Path) -> NoReturn:
    """Press buttons until the process is killed."""
    dice = Random(seed)  # noqa: S311 - no secret
    clock = SetClock(1000.0)
    board = open_fake_board(BoardSettings("fake", "mock", camera="none"), clock)
    session = Session("en", NAMES)
    pages: queue.SimpleQueue[Page] = queue.SimpleQueue()

    def shown(page: Page) -> None:
        if page.kind in ("table", "still") and session.game is not None:
            newest = journal.newest(folder)
            size = newest.stat().st_size if newest is not None else 0
            say(f"shown {size} {standing(session.game)}")
        pages.put(page)

    def press() -> None:
        app.listening.wait()
        while True:
            pages.get()
            with contextlib.suppress(queue.Empty):
                while True:
                    pages.get_nowait()
            button, long = dice.choice(BUTTONS), dice.random() < LONG
            board.buttons.press(button)
            clock.advance(2 * LONG_S if long else 0.1)
            board.buttons.release(button)
            clock.advance(0.1)

    app = App(board, session, folder, _blind, shown)
    threading.Thread(target=press, daemon=True).start()
    game = dice.choice(shelf.ids())
    app.run(Header(game, NAMES[: dice.choice((3, 4))], OPTIONS.get(game, {})))
    sys.exit("it ended by itself")


def _blind(_: object) -> Observation:
    raise AssertionError("there is no camera")


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def warm_up() -> None:
    """Load once what every child needs."""
    board = open_fake_board(BoardSettings("fake", "mock", camera="none"))
    board.buttons.listen(lambda _: None)
    board.screen.show(draw(hello("en")))
    board.close()
    for game in shelf.ids():
        shelf.game(game)


def main() -> None:
    """Fork a child for each line; say when it is gone."""
    warm_up()
    for line in sys.stdin:
        seed, _, folder = line.strip().partition(" ")
        child = os.fork()
        if child == 0:
            play(int(seed), Path(folder))
        say(f"child {child}")
        _, status = os.waitpid(child, 0)
        say(f"gone {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
