"""The application over fake devices: from a press to the panel, and what a lost device may cost."""

from __future__ import annotations

import errno
import json
import os
import queue
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from PIL import Image, ImageChops

from companion import journal
from companion.app import App
from companion.draw import draw
from companion.pages import Page
from companion.presses import LONG_S
from companion.replay import replay_file
from companion.service import Service
from companion.session import Session
from companion.text import say
from engines.record import Header
from hardware.board import BoardSettings, open_fake_board
from hardware.fakes.clock import SetClock
from hardware.fakes.screen import FakeScreen
from hardware.interfaces import CameraError, Frame
from vision.observation import Observation, Sighting

if TYPE_CHECKING:
    from hardware.fakes.board import FakeBoard

HEADER = Header("witch-race", ("Ana", "다은"), {})
PATIENCE_S = 20.0
"""How long a page is waited for on a busy machine before the test fails."""
WITCHES = Path(__file__).parents[1] / "engines" / "witch_race" / "two_players.jsonl"


def die(name: str, x: float = 30.0) -> Observation:
    one = Sighting("die", name, 0.99, (), "up", None, (x, 20.0), None, 0.0, (x - 8, 12.0, 16.0, 16.0))
    return Observation((64, 48), None, None, (one,), (), sure=True)


class WatchedScreen(FakeScreen):
    """The real adapter over a simulated bus, which says when a picture went through."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: queue.SimpleQueue[Image.Image] = queue.SimpleQueue()

    def show(self, image: Image.Image, *, dim: bool = False) -> None:
        super().show(image, dim=dim)
        self.shown.put(image)


class Camera:
    """A camera that gives pictures, until it is to hang, to fail, or to give one and the same."""

    def __init__(self, clock: SetClock) -> None:
        self.clock = clock
        self.count = 0
        self.hangs = False
        self.error: Exception | None = None
        self.frozen = False
        self.asked = threading.Event()
        self.let_go = threading.Event()
        self.closed = 0

    def frame(self, after: float, timeout: float) -> Frame:  # noqa: ARG002 - the protocol's
        self.asked.set()
        if self.hangs:
            self.let_go.wait(PATIENCE_S)
        if self.error is not None:
            raise self.error
        self.count += 0 if self.frozen else 1
        picture = np.full((48, 64, 3), 127, np.uint8)
        picture[0, 0] = self.count % 256, 0, 0
        return Frame(picture, max(after, self.clock.now()))

    def close(self) -> None:
        self.closed += 1


class Table:
    """A running application and somebody who presses its buttons and reads its pages."""

    def __init__(self, folder: Path, board: FakeBoard, read: Callable[..., Observation], screen: WatchedScreen) -> None:
        self.clock = SetClock(1000.0)
        self.fake = board
        self.screen = screen
        self.session = Session("en")
        self.folder = folder
        self.pages: queue.SimpleQueue[Page] = queue.SimpleQueue()
        self.signs: queue.SimpleQueue[tuple[str, ...]] = queue.SimpleQueue()
        self.newest: Page | None = None
        self.app = App(board, self.session, folder, read, self._on_page)
        self.error: BaseException | None = None
        self.checks: list[Callable[[Page], None]] = []
        self.thread = threading.Thread(target=self._run, name="app")
        self.last: Page | None = None

    def _on_page(self, shown: Page) -> None:
        for check in self.checks:
            check(shown)
        before, self.newest = self.newest, shown
        if before is not None and shown == replace(before, signs=shown.signs) != before:
            self.signs.put(shown.signs)  # the page that stands, with another sign
        else:
            self.pages.put(shown)

    def _run(self) -> None:
        try:
            self.app.run(HEADER)
        except BaseException as error:  # noqa: BLE001 - handed to the test
            self.error = error

    def start(self) -> Page:
        self.thread.start()
        assert self.next().kind == "hello"
        return self.next()

    def next(self) -> Page:
        self.last = self.pages.get(timeout=PATIENCE_S)
        return self.last

    def press(self, button: str, *, long: bool = False) -> Page:
        self.fake.buttons.press(button)
        self.clock.advance(2 * LONG_S if long else 0.1)
        self.fake.buttons.release(button)
        self.clock.advance(0.1)
        return self.next()

    def read(self) -> Page:
        assert self.press("ok").kind == "reading"
        return self.next()

    def roll_by_hand(self, value: int) -> Page:
        """From the table page; the camera is there or not."""
        shown = self.press("ok")
        while shown.kind != "enter":
            shown = self.press("back") if shown.kind == "trouble" else self.next()
        for _ in range(value - 1):
            self.press("down")
        return self.press("ok")

    def wait_for_signs(self, *signs: str) -> None:
        """Wait until the page that stands has exactly these signs; time is to pass meanwhile."""
        while self.signs.get(timeout=PATIENCE_S) != signs:
            pass

    def stop(self, within: float = PATIENCE_S) -> None:
        self.app.stop()
        self.thread.join(within)
        assert not self.thread.is_alive()

    def lines(self) -> list[dict[str, Any]]:
        (path,) = self.folder.glob("*.jsonl")
        return [json.loads(line) for line in path.read_bytes().splitlines()]

    def wait_for_panel(self) -> None:
        """Wait until the panel was sent the newest page."""
        assert self.last is not None
        wanted = draw(self.last)
        while not same(self.screen.shown.get(timeout=PATIENCE_S), wanted):
            pass


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


Open = Callable[..., Table]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Put a table together: on a folder of records, with pictures or without a camera, with a scripted reader."""
    tables: list[Table] = []

    def make(*observations: Observation | Exception, camera: object = "pictures", folder: Path | None = None) -> Table:
        pictures = tmp_path / "pictures"
        pictures.mkdir(exist_ok=True)
        cv2.imwrite(str(pictures / "a.png"), np.full((48, 64, 3), 127, np.uint8))
        answers = iter(observations)

        def read(_: object) -> Observation:
            answer = next(answers)
            if isinstance(answer, Exception):
                raise answer
            return answer

        clock = camera.clock if isinstance(camera, Camera) else SetClock(1000.0)
        source = f"folder:{pictures}" if camera == "pictures" else "none"
        screen = WatchedScreen()
        board = replace(open_fake_board(BoardSettings("fake", "mock", camera=source), clock), screen=screen)
        if not isinstance(camera, str) and camera is not None:
            board = replace(board, camera=camera)
        table = Table(folder or tmp_path / "records", board, read, screen)
        table.clock = clock
        tables.append(table)
        return table

    yield make
    for table in tables:
        if table.thread.is_alive():
            table.app.stop()
            table.thread.join(PATIENCE_S)


# --- from press to panel ----------------------------------------------------------------------------------------------


def test_from_a_press_to_the_ruling_on_the_panel(opened: Open) -> None:
    table = opened(die("6"))
    assert table.start().kind == "table"
    shown = table.read()
    assert "6" in shown.body[0]
    assert "WR-2" in shown.clauses
    table.wait_for_panel()
    assert same(table.screen.picture(), draw(shown))
    table.stop()
    assert table.error is None
    assert [line.get("die") for line in table.lines()] == [None, 6]
    assert table.lines()[1]["evidence"] == "a.png"


def test_every_line_is_on_disk_before_its_ruling_is_shown(opened: Open) -> None:
    table = opened(die("6"))

    def on_disk(shown: Page) -> None:
        if shown.kind == "table":
            assert len(table.lines()) == 1 + len(table.session.table.steps)

    table.checks.append(on_disk)
    table.start()
    table.read()
    table.press("ok")
    table.press("ok")
    table.stop()
    assert table.error is None
    assert len(table.lines()) == 3


def test_a_long_press_tells_why(opened: Open) -> None:
    table = opened()
    table.start()
    assert table.press("ok", long=True).kind == "why"
    table.stop()


def test_lines_carry_the_time_of_day_in_utc(opened: Open) -> None:
    table = opened(die("6"))
    table.start()
    table.read()
    table.stop()
    assert all(line["at"].endswith("+00:00") for line in table.lines())


def test_the_last_page_says_goodbye_and_the_panel_is_dark_afterwards(opened: Open) -> None:
    table = opened()
    table.start()
    table.stop()
    assert table.next().kind == "goodbye"
    assert table.screen.picture().getbbox() is None


# --- after a power cut ------------------------------------------------------------------------------------------------


def test_the_next_start_goes_on_with_the_last_ruling_shown(opened: Open) -> None:
    table = opened(die("6"))
    table.start()
    body = table.read().body
    table.stop()
    again = opened()
    shown = again.start()
    assert (shown.kind, shown.body[: len(body)]) == ("still", body)  # and then how everybody stands
    assert again.press("ok").kind == "table"
    again.stop()
    assert len(again.lines()) == 2


def test_the_same_die_unmoved_is_no_new_roll_after_a_restart_either(opened: Open) -> None:
    table = opened(die("6"))
    table.start()
    table.read()
    while table.session.wanted()[0].input != "roll":
        table.press("ok")
    table.stop()
    again = opened(die("6"), die("6", x=60.0))
    again.start()
    again.press("ok")
    assert again.read().body == (say("troubles.unmoved", "en"),)
    assert again.read().kind == "table"  # now it lies elsewhere
    again.stop()


def test_a_torn_line_is_said_and_a_file_that_is_no_record_too(opened: Open, tmp_path: Path) -> None:
    table = opened(die("6"))
    table.start()
    table.read()
    table.stop()
    (path,) = table.folder.glob("*.jsonl")
    path.write_bytes(path.read_bytes() + b'{"input": "mo')
    (tmp_path / "records" / "0002-witch-race.jsonl").write_bytes(b"")
    again = opened()
    shown = again.start()
    assert shown.kind == "notice"
    assert "0002-witch-race.jsonl" in shown.body[0]
    assert "cut off" in shown.body[0]
    assert again.press("ok").kind == "still"
    again.stop()
    assert len(again.lines()) == 2


def test_a_game_that_is_over_is_not_resumed(opened: Open, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "0001-witch-race.jsonl").write_bytes(WITCHES.read_bytes())
    table = opened()
    assert table.start().kind == "table"
    table.stop()
    assert sorted(path.name for path in folder.iterdir()) == ["0001-witch-race.jsonl", "0002-witch-race.jsonl"]
    assert (folder / "0001-witch-race.jsonl").read_bytes() == WITCHES.read_bytes()


# --- the screen -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [1, 2, 3, 5])
def test_a_write_that_fails_costs_nothing_and_the_next_picture_is_whole(opened: Open, write: int) -> None:
    table = opened(die("6"))
    table.start()
    table.screen.bus.fail_at(write)
    shown = table.read()
    assert shown.kind == "table"
    table.wait_for_panel()
    assert same(table.screen.picture(), draw(shown))
    table.stop()
    assert table.error is None


def test_with_the_panel_unplugged_the_game_goes_on_and_the_newest_page_shows_when_it_is_back(opened: Open) -> None:
    table = opened(die("6"))
    table.screen.bus.dead = True
    table.start()
    table.read()
    shown = table.press("ok")
    table.screen.bus.dead = False
    table.wait_for_panel()
    assert same(table.screen.picture(), draw(shown))
    table.stop()
    assert table.error is None


def test_without_any_panel_the_application_stops_all_the_same(opened: Open) -> None:
    table = opened(die("6"))
    table.screen.bus.dead = True
    table.start()
    table.read()
    table.stop(within=2.5)
    assert len(table.lines()) == 2


# --- the camera -------------------------------------------------------------------------------------------------------


def test_without_a_camera_everything_is_entered_by_hand_at_once(opened: Open) -> None:
    table = opened(camera="none")
    assert table.start().foot.startswith("● enter")
    assert table.press("ok").kind == "enter"
    table.press("down")
    table.press("down")
    assert table.press("ok").kind == "table"
    table.stop()
    assert [(line.get("die"), line.get("by")) for line in table.lines()[1:]] == [(3, "buttons")]


@pytest.mark.parametrize("data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0 cut off"])
def test_an_unreadable_picture_is_said_by_its_name_and_can_be_tried_again(
    opened: Open, tmp_path: Path, data: bytes
) -> None:
    table = opened(die("4"))
    good = (tmp_path / "pictures" / "a.png").read_bytes()
    (tmp_path / "pictures" / "a.png").write_bytes(data)
    table.start()
    shown = table.read()
    assert shown.kind == "trouble"
    assert "a.png" in shown.body[0]
    (tmp_path / "pictures" / "a.png").write_bytes(good)
    assert table.read().kind == "table"
    table.stop()
    assert table.lines()[1]["die"] == 4


@contextmanager
def passing_time(clock: SetClock) -> Iterator[None]:
    """Let the clock run, five times as fast as it should."""
    over = threading.Event()

    def run() -> None:
        while not over.wait(0.02):
            clock.advance(0.1)

    running = threading.Thread(target=run, daemon=True)
    running.start()
    try:
        yield
    finally:
        over.set()
        running.join()


@pytest.fixture
def camera() -> Iterator[Camera]:
    made = Camera(SetClock(1000.0))
    yield made
    made.let_go.set()


def test_a_camera_that_hangs_does_not_keep_the_application_from_stopping(opened: Open, camera: Camera) -> None:
    camera.hangs = True
    table = opened(camera=camera)
    table.start()
    assert table.press("ok").kind == "reading"
    assert camera.asked.wait(PATIENCE_S)
    began = time.monotonic()
    table.stop(within=2.0)
    assert time.monotonic() - began < 2.0


def test_while_the_camera_hangs_the_game_goes_on_by_hand(opened: Open, camera: Camera) -> None:
    camera.hangs = True
    table = opened(camera=camera)
    table.start()
    table.press("ok")
    assert table.press("back").kind == "enter"
    assert table.press("ok").kind == "table"
    table.stop()
    assert table.lines()[1]["die"] == 1


def test_a_hang_shows_as_a_lost_camera_and_goes_when_the_camera_is_back(opened: Open, camera: Camera) -> None:
    table = opened(die("6"), camera=camera)
    table.start()
    assert table.read().kind == "table"
    camera.asked.clear()
    camera.hangs = True
    assert camera.asked.wait(PATIENCE_S)
    table.clock.advance(4.0)
    table.wait_for_signs("camera-lost")
    assert table.press("ok").kind == "enter"  # what comes next can be entered only; the buttons work
    camera.hangs = False
    camera.let_go.set()
    table.wait_for_signs()
    table.stop()
    assert table.error is None


@pytest.mark.parametrize("how", ["frozen", "unplugged"])
def test_a_lost_camera_shows_and_goes_on_when_it_is_back(opened: Open, camera: Camera, how: str) -> None:
    table = opened(camera=camera)
    table.start()
    camera.frozen = how == "frozen"
    camera.error = CameraError("unplugged") if how == "unplugged" else None
    with passing_time(table.clock):
        table.wait_for_signs("camera-lost")
        camera.frozen, camera.error = False, None
        table.wait_for_signs()
    assert camera.closed
    table.stop()
    assert table.error is None


def test_a_camera_that_does_not_wake_up_is_asleep(opened: Open, camera: Camera) -> None:
    camera.hangs = True
    table = opened(camera=camera)
    table.start()
    assert camera.asked.wait(PATIENCE_S)
    table.clock.advance(4.0)
    table.wait_for_signs("camera-asleep")
    table.clock.advance(10.0)
    table.wait_for_signs("camera-lost")
    table.stop()


@pytest.mark.parametrize("error", [ZeroDivisionError("a bug"), SystemExit(1)])
def test_the_end_of_the_cameras_thread_ends_the_application(opened: Open, camera: Camera, error: BaseException) -> None:
    table = opened(camera=camera)
    table.start()
    camera.error = error  # type: ignore[assignment]
    table.thread.join(PATIENCE_S)
    assert table.error is error


def test_a_bug_in_the_reader_ends_the_application_with_its_error_and_loses_nothing(opened: Open) -> None:
    table = opened(die("6"), ZeroDivisionError("a bug"))
    table.start()
    table.read()
    table.press("back", long=True)
    table.press("ok")
    table.press("ok")
    table.thread.join(PATIENCE_S)
    assert isinstance(table.error, ZeroDivisionError)
    assert table.screen.picture().getbbox() is None
    assert len(table.lines()) == 3


# --- the disk ---------------------------------------------------------------------------------------------------------


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def read_only(*_: object) -> None:
    raise OSError(errno.EROFS, "Read-only file system")


RESTLESS = {"WATCHDOG_USEC": "150000"}
"""A watchdog that has the main loop turn 20 times a second."""


def test_a_full_disk_is_said_on_every_page_and_all_is_saved_later(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened(die("6"))
    table.start()
    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        shown = table.read()
        assert "unsaved" in shown.signs
        assert any("card is full" in line for line in shown.body)
        assert "unsaved" in table.press("ok").signs
        assert "unsaved" in table.press("ok").signs
        assert len(table.lines()) == 1
    table.press("ok")
    table.press("ok")
    assert "unsaved" not in table.press("ok").signs
    table.stop()
    assert [line["input"] for line in table.lines()[1:]] == ["roll", "move", "tile"]
    (path,) = table.folder.glob("*.jsonl")
    assert replay_file(str(path), "en", steps=False)[1] == 0


def test_a_folder_that_cannot_be_is_said_and_the_game_is_played_all_the_same(opened: Open, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.write_text("a file")
    table = opened(die("6"), folder=folder)
    assert "unsaved" in table.start().signs
    assert "unsaved" in table.read().signs
    folder.unlink()
    table.press("ok")
    assert "unsaved" not in table.press("ok").signs
    table.stop()
    assert [line.get("input") for line in table.lines()] == [None, "roll", "move"]


def test_the_end_of_a_game_that_could_not_be_saved_is_saved_with_the_next_game(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *lines, last = WITCHES.read_bytes().splitlines(keepends=True)
    assert json.loads(last)["input"] == "move"
    folder = tmp_path / "records"
    folder.mkdir()
    first = folder / "0001-witch-race.jsonl"
    first.write_bytes(b"".join(lines))
    table = opened(camera="none")
    assert table.start().kind == "still"
    table.press("ok")
    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        shown = table.press("ok")
        while shown.kind == "enter":
            shown = table.press("ok")
        assert table.session.wanted() == ()
        assert "unsaved" in table.press("ok").signs  # the next game
    table.roll_by_hand(2)
    table.stop()
    assert replay_file(str(first), "en", steps=False)[0]["over"]
    second = folder / "0002-witch-race.jsonl"
    assert replay_file(str(second), "en", steps=False)[0]["inputs"] == 1


def test_what_waits_is_saved_without_a_press_once_the_disk_takes_it(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened(die("6"))
    table.app.service = Service(RESTLESS)
    table.start()
    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", read_only)
        assert "unsaved" in table.read().signs
        assert len(table.lines()) == 1
    while "unsaved" in table.next().signs:
        pass
    assert len(table.lines()) == 2
    table.stop()


def test_at_the_end_what_could_not_be_saved_is_said_instead_of_a_promise(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened(die("6"))
    table.start()
    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        table.read()
        table.stop()
    shown = table.next()
    assert shown.kind == "goodbye"
    assert "Not saved" in shown.body[0]


def test_a_torn_record_on_a_read_only_disk_goes_on_where_it_stood_with_the_sign(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened(die("6"))
    table.start()
    table.read()
    table.stop()
    (path,) = table.folder.glob("*.jsonl")
    torn = path.read_bytes() + b'{"input": "mo'
    path.write_bytes(torn)
    again = opened(camera="none")
    with monkeypatch.context() as disk:
        disk.setattr(os, "write", read_only)
        assert "unsaved" in again.start().signs
        assert again.press("ok").kind == "still"
        again.press("ok")
        assert path.read_bytes() == torn
    again.press("ok")
    assert "unsaved" not in again.press("ok").signs
    again.stop()
    assert [line.get("input") for line in again.lines()] == [None, "roll", "move"]


@pytest.mark.parametrize("kind", [*sorted(set(journal.KINDS.values())), "other"])
def test_what_is_wrong_with_the_card_is_said_in_korean_too(
    opened: Open, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    number = next((number for number, one in journal.KINDS.items() if one == kind), errno.EMFILE)

    def fails(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    table = opened(die("6"))
    table.session.lang = "ko"
    table.start()
    monkeypatch.setattr(os, "fsync", fails)
    (said,) = [line for line in table.read().body if line.startswith("저장 못 함")]
    assert not any(word in said for word in ("No space", "Read-only", "Permission", "error", "Games"))
    table.stop()


# --- the service ------------------------------------------------------------------------------------------------------


def test_a_main_loop_that_hangs_gives_no_beat(opened: Open, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(PATIENCE_S)
        table = opened(die("6"))
        table.app.service = Service({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"})
        hanging, let_go = threading.Event(), threading.Event()

        def hang(shown: Page) -> None:
            if shown.kind == "why":
                hanging.set()
                let_go.wait(PATIENCE_S)

        table.checks.append(hang)
        table.start()
        assert {listening.recv(100) for _ in range(6)} == {b"READY=1", b"WATCHDOG=1"}
        table.fake.buttons.press("ok")
        table.clock.advance(2 * LONG_S)
        table.fake.buttons.release("ok")
        assert hanging.wait(PATIENCE_S)
        listening.setblocking(False)
        while select.select([listening], [], [], 0)[0]:
            listening.recv(100)
        listening.settimeout(1.0)  # ten beats' time
        with pytest.raises(TimeoutError):
            listening.recv(100)
        let_go.set()
        listening.settimeout(PATIENCE_S)
        assert listening.recv(100) == b"WATCHDOG=1"
        table.stop()


def test_what_the_start_has_to_say_comes_first(opened: Open) -> None:
    table = opened()
    table.app.notices.append(say("notices.careful", "en"))
    shown = table.start()
    assert shown.kind == "notice"
    assert "no camera, default settings" in shown.body[0]
    assert table.press("ok").kind == "table"
    table.stop()
