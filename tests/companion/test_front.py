"""The application's front panel over fake devices: busy pins, stuck buttons, haste, rest, sounds and the lamp."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

import cv2
import numpy as np
import pytest
from gpiozero import DigitalOutputDevice
from PIL import Image, ImageChops

from companion import menu
from companion.app import App
from companion.draw import draw
from companion.events import Warned
from companion.fingers import Fingers
from companion.machine import Machine
from companion.modes import Menu, Table
from companion.pages import Page
from companion.presses import CHORD, MENU_S, STUCK_S, Press, Presses, Stuck
from companion.rest import DIM_S, SHIFT_S, Rest, shifted
from companion.session import Session
from companion.settings import Settings, load
from companion.signals import SOUNDS
from engines.record import Header
from hardware.board import BoardSettings, open_fake_board
from hardware.fakes.board import FakeBoard
from hardware.fakes.buttons import FakeButtons
from hardware.fakes.clock import SetClock
from hardware.fakes.pins import fake_chip
from hardware.fakes.screen import FakeScreen
from hardware.interfaces import Edge, Turn
from hardware.pins import DEFAULT_PINS, SUGGESTED_PINS
from vision.observation import Observation, Sighting

HEADER = Header("witch-race", ("Ana", "Bo"), {})
PATIENCE_S = 20.0
ALL_PINS = {**DEFAULT_PINS, **SUGGESTED_PINS}


def die(name: str, *others: tuple[str, float]) -> Observation:
    one = Sighting("die", name, 0.99, others, "up", None, (30.0, 20.0), None, 0.0, (22.0, 12.0, 16.0, 16.0))
    return Observation((64, 48), None, None, (one,), (), sure=not others)


class Glass(FakeScreen):
    """A screen that says what went through."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: queue.SimpleQueue[tuple[Image.Image, bool]] = queue.SimpleQueue()

    def show(self, image: Image.Image, *, dim: bool = False) -> None:
        super().show(image, dim=dim)
        self.shown.put((image, dim))


class Ear:
    """A buzzer that writes down what is heard."""

    def __init__(self) -> None:
        self.heard: queue.SimpleQueue[tuple[int, float]] = queue.SimpleQueue()

    def tone(self, pitch_hz: int, loudness: float) -> None:
        self.heard.put((pitch_hz, loudness))

    def close(self) -> None:
        """Nothing to let go of."""


class Bulb:
    """A lamp that writes down how it is switched."""

    def __init__(self) -> None:
        self.switched: queue.SimpleQueue[bool] = queue.SimpleQueue()

    def light(self, *, on: bool) -> None:
        self.switched.put(on)

    def close(self) -> None:
        """Nothing to let go of."""


class Front:
    """A running application on a fake board, its clock in our hands."""

    def __init__(self, board: FakeBoard, clock: SetClock, folder: Path, read: Callable[..., Observation]) -> None:
        self.clock = clock
        self.glass = Glass()
        self.ear = Ear()
        self.bulb = Bulb()
        self.board = replace(board, screen=self.glass, buzzer=self.ear, lamp=self.bulb)
        self.session = Session("en")
        self.pages: queue.SimpleQueue[Page] = queue.SimpleQueue()
        self.app = App(self.board, self.session, folder, read, self.pages.put)
        self.thread = threading.Thread(target=self.app.run, args=(HEADER,))

    def start(self) -> Page:
        self.thread.start()
        assert self.next().kind == "hello"
        return self.next()

    def next(self) -> Page:
        return self.pages.get(timeout=PATIENCE_S)

    def tap(self, button: str) -> None:
        self.board.buttons.press(button)
        self.clock.advance(0.1)
        self.board.buttons.release(button)
        self.clock.advance(0.1)

    def press(self, button: str) -> Page:
        self.tap(button)
        return self.next()

    def spike(self) -> None:
        """A glitch on a line: it wakes the application's loop and is no press."""
        self.board.buttons.press("back")
        self.board.buttons.release("back")

    def wait_for_glass(self, wanted: Page, *, dim: bool) -> Image.Image:
        while True:
            image, was_dim = self.glass.shown.get(timeout=PATIENCE_S)
            if was_dim == dim and same_text(image, draw(wanted)):
                return image

    def stop(self) -> None:
        self.app.stop()
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()


def same_text(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures are the same but for their place."""
    boxes = one.getbbox(), other.getbbox()
    if boxes[0] is None or boxes[1] is None:
        return boxes[0] == boxes[1]
    return ImageChops.logical_xor(one.crop(boxes[0]), other.crop(boxes[1])).getbbox() is None


Make = Callable[..., Front]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Make]:
    fronts: list[Front] = []

    def make(*seen: Observation, buttons: FakeButtons | None = None, clock: SetClock | None = None) -> Front:
        pictures = tmp_path / "pictures"
        pictures.mkdir(exist_ok=True)
        cv2.imwrite(str(pictures / "a.png"), np.full((48, 64, 3), 127, np.uint8))
        clock = clock or SetClock(1000.0)
        settings = BoardSettings("fake", "mock", camera=f"folder:{pictures}", pins=ALL_PINS)
        board = open_fake_board(settings, clock)
        answers = chain(seen, repeat(seen[-1])) if seen else iter(())  # unsure scenes are read again
        front = Front(replace(board, buttons=buttons or board.buttons), clock, tmp_path / "r", lambda _: next(answers))
        fronts.append(front)
        return front

    yield make
    for front in fronts:
        if front.thread.is_alive():
            front.stop()


# --- the pins ---------------------------------------------------------------------------------------------------------


def busy(clock: SetClock) -> tuple[FakeButtons, DigitalOutputDevice]:
    """Buttons of which OK's pin is another program's."""
    chip = fake_chip(clock)
    return FakeButtons(DEFAULT_PINS, clock, chip=chip), DigitalOutputDevice(22, pin_factory=chip.take("the other"))


def test_a_pin_in_use_is_named_once_and_taken_with_patience_once_it_is_free() -> None:
    clock = SetClock(1000.0)
    buttons, other = busy(clock)
    taken: list[float] = []
    board = replace(open_fake_board(BoardSettings("fake", "mock"), clock), buttons=buttons)
    fingers = Fingers(board, lambda _: None, lambda: taken.append(clock.now()))
    (warned,) = fingers.settle()
    assert isinstance(warned, Warned)
    assert "Button 'ok' cannot use GPIO22" in warned.message
    tries = 0
    for _ in range(600):  # a minute, and nothing but time passes
        clock.advance(0.1)
        due = fingers.due()
        assert due is not None
        tries += due <= clock.now()
        assert fingers.settle() == []
    assert 5 <= tries <= 10
    other.close()
    clock.advance(60.0)
    assert (fingers.settle(), taken) == ([], [clock.now()])
    assert fingers.due() is None


def test_with_a_pin_in_use_the_page_says_so_and_the_application_stops_all_the_same(made: Make) -> None:
    clock = SetClock(1000.0)
    buttons, other = busy(clock)
    front = made(buttons=buttons, clock=clock)
    shown = front.start()
    assert (shown.kind, "GPIO22" in shown.body[0]) == ("notice", True)
    front.stop()
    other.close()


@pytest.mark.parametrize("button", ["ok", "push"])
def test_a_button_held_at_the_start_is_nothing_then_stuck_and_works_once_it_is_free(button: str) -> None:
    clock = SetClock(1000.0)
    buttons = FakeButtons({"ok": 22, "push": 13}, clock, down=[button])
    edges: list[Edge | Turn] = []
    board = replace(open_fake_board(BoardSettings("fake", "mock"), clock), buttons=buttons)
    fingers = Fingers(board, edges.append, lambda: None)
    assert fingers.settle() == []
    clock.advance(2.0)
    assert fingers.settle() == []
    clock.advance(STUCK_S)
    assert fingers.settle() == [Stuck("ok", 1000.0)]
    buttons.play(clock, [(1100.0, button, False), (1101.0, button, True), (1101.2, button, False)])
    found = [one for edge in edges for one in fingers.take(edge)]
    clock.advance(1.0)
    assert found + fingers.settle() == [Press("ok", long=False, at=1101.0)]


def test_a_stuck_button_is_named_on_a_page_and_has_no_effect(made: Make) -> None:
    front = made()
    front.start()
    front.board.buttons.press("down")
    front.clock.advance(STUCK_S + 1)
    shown = front.press("up")  # the notice comes with what is pressed next; UP scrolls nothing in it
    while shown.kind != "notice":
        shown = front.next()
    assert "DOWN" in shown.body[0]
    front.stop()


def scripted(buttons: FakeButtons, clock: SetClock) -> list[tuple[float, str, bool]]:
    """A line's life through the real adapter: thirteen bounces at either end of a press of half a second."""
    edges: list[Edge | Turn] = []
    buttons.listen(edges.append)
    down = [(10.0 + n * 0.0025, "ok", n % 2 == 0) for n in range(13)]
    buttons.play(clock, [*down, *[(at + 0.5, name, not pressed) for at, name, pressed in down]])
    return [(edge.at, edge.button, edge.pressed) for edge in edges if isinstance(edge, Edge)]


def test_a_scripted_line_with_its_bounces_through_the_real_adapter_is_one_press() -> None:
    clock = SetClock()
    edges = scripted(FakeButtons(DEFAULT_PINS, clock), clock)
    assert len(edges) == 26
    presses = Presses()
    found = [one for at, button, pressed in edges for one in presses.edge(button, at, pressed=pressed)]
    assert found + presses.settle(12.0) == [Press("ok", long=False, at=pytest.approx(10.03))]


def test_a_backend_that_polls_tells_the_same_press_as_one_that_lists_edges() -> None:
    clock = SetClock()
    edges = scripted(FakeButtons(DEFAULT_PINS, clock), clock)
    presses, level, found = Presses(), False, []
    for tick in range(9900, 11000, 3):  # every 3 ms
        now = tick / 1000
        passed = [pressed for at, _, pressed in edges if at <= now]
        if passed and passed[-1] != level:
            level = passed[-1]
            found += presses.edge("ok", now, pressed=level)
        found += presses.settle(now)
    assert [(one.button, one.at) for one in found] == [("ok", pytest.approx(10.03, abs=0.01))]


def test_turning_the_encoder_moves_the_cursor_and_its_shaft_is_ok(made: Make) -> None:
    front = made(Observation((64, 48), None, None, (), (), sure=True))
    front.start()
    front.press("ok")
    assert front.next().kind == "trouble"
    assert front.press("back").kind == "enter"
    before = front.session.mode
    front.board.buttons.turn(clockwise=True)
    assert front.next().chosen == 1
    front.board.buttons.turn(clockwise=False)
    assert front.next().chosen == 0
    assert front.session.mode == before
    assert front.press("push").kind == "table"
    front.stop()


def test_the_read_button_reads_from_any_page_of_a_game(made: Make) -> None:
    front = made(die("6"))
    front.start()
    assert front.press("up").kind == "log"
    assert front.press("read").kind == "reading"
    assert "6" in front.next().body[0]
    front.stop()


# --- haste ------------------------------------------------------------------------------------------------------------


def test_a_press_begun_before_a_question_came_does_not_answer_it(made: Make) -> None:
    front = made(die("5", ("6", 0.4)))
    front.start()
    front.board.buttons.press("up")  # and while it is held the camera answers
    assert front.press("ok").kind == "reading"
    assert front.next().kind == "question"
    front.clock.advance(0.1)
    front.board.buttons.release("up")
    front.clock.advance(0.1)
    assert front.press("down").kind == "table"
    assert [step.data.die for step in front.session.table.steps] == [6]  # DOWN's candidate, not UP's
    front.stop()


def slowed(front: Front) -> tuple[Callable[[Page], None], threading.Event, threading.Event]:
    """What keeps the application busy with a page; that it does, and that it may go on."""
    busy, go_on = threading.Event(), threading.Event()

    def slow(shown: Page) -> None:
        front.pages.put(shown)
        busy.set()
        go_on.wait(PATIENCE_S)

    return slow, busy, go_on


def test_a_tap_while_the_application_is_busy_is_no_long_press(made: Make) -> None:
    front = made(die("6"))
    front.start()
    slow, busy, go_on = slowed(front)
    assert front.press("up").kind == "log"
    front.app._on_page = slow
    assert front.press("back").kind == "table"
    assert busy.wait(PATIENCE_S)
    front.tap("ok")
    front.clock.advance(3.0)
    go_on.set()
    assert front.next().kind == "reading"  # held, it would have been "why"
    assert front.next().kind == "table"
    front.stop()


def test_what_was_pressed_before_the_stop_is_carried_out(made: Make) -> None:
    front = made()
    front.start()
    slow, busy, go_on = slowed(front)
    front.app._on_page = slow
    front.tap("up")
    assert busy.wait(PATIENCE_S)
    front.tap("back")
    front.app.stop()
    go_on.set()
    assert [front.next().kind for _ in range(3)] == ["log", "table", "goodbye"]
    front.thread.join(PATIENCE_S)


# --- rest -------------------------------------------------------------------------------------------------------------


def test_the_first_press_after_two_minutes_only_wakes(made: Make) -> None:
    front = made()
    shown = front.start()
    front.wait_for_glass(shown, dim=False)
    front.clock.advance(DIM_S)
    front.spike()
    front.wait_for_glass(shown, dim=True)
    front.tap("up")
    front.wait_for_glass(shown, dim=False)
    assert front.pages.empty()
    assert front.press("up").kind == "log"
    front.stop()


def test_the_screen_rests_after_two_minutes_without_a_press_and_says_when() -> None:
    rest = Rest(0.0)
    assert not rest.pressed(100.0)
    assert not rest.glow(100.0 + DIM_S - 0.01).dim
    assert rest.due(200.0) == 100.0 + DIM_S
    assert rest.glow(100.0 + DIM_S).dim
    assert rest.pressed(100.0 + DIM_S)
    assert not rest.pressed(101.0 + DIM_S)
    now, glows = 1000.0, []
    for _ in range(8):
        now = rest.due(now)
        glows.append(rest.glow(now).shift)
    assert sorted(set(glows)) == [-1, 0, 1]


def test_a_picture_moves_as_a_whole_where_there_is_room_and_else_stays() -> None:
    image = Image.new("1", (128, 64))
    image.paste(1, (2, 1, 126, 63))
    assert shifted(image, -1).getbbox() == (2, 0, 126, 62)
    assert shifted(image, 1).getbbox() == (2, 2, 126, 64)
    image.paste(1, (2, 0, 126, 64))
    assert shifted(image, 1) is image
    assert shifted(Image.new("1", (128, 64)), 1).getbbox() is None


def test_the_picture_moves_by_a_row_every_minute(made: Make) -> None:
    front = made()
    shown = front.start()
    first = front.wait_for_glass(shown, dim=False)
    front.clock.advance(SHIFT_S)
    front.spike()
    second = front.wait_for_glass(shown, dim=False)
    boxes = first.getbbox(), second.getbbox()
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[1][1] == boxes[0][1] - 1
    front.stop()


# --- sound and lamp ---------------------------------------------------------------------------------------------------


def heard(front: Front, count: int) -> list[tuple[int, float]]:
    return [front.ear.heard.get(timeout=PATIENCE_S) for _ in range(count)]


def pitches(front: Front, count: int) -> list[int]:
    return [pitch for pitch, loudness in heard(front, count) if loudness > 0]


def test_a_ruling_has_one_sound_a_question_another_and_the_rest_none(made: Make) -> None:
    front = made(die("5", ("6", 0.4)))
    front.start()
    front.press("ok")
    assert front.next().kind == "question"
    assert pitches(front, 4) == [pitch for pitch, _ in SOUNDS["question"] if pitch]
    front.press("up")
    assert pitches(front, 2) == [SOUNDS["ruling"][0][0]]
    for button in ("up", "back"):
        front.press(button)
    front.stop()
    assert front.ear.heard.empty()


@pytest.mark.parametrize(("sound", "loudest"), [("quiet", 0.05), ("loud", 1.0)])
def test_quiet_and_loud_differ_and_off_is_silent(made: Make, sound: str, loudest: float) -> None:
    front = made(die("6"))
    front.session.sound = sound  # type: ignore[assignment] # one of the three
    front.start()
    front.press("read")
    assert front.next().kind == "table"
    assert max(loudness for _, loudness in heard(front, 2)) == loudest
    front.session.sound = "off"
    front.press("ok")
    front.press("ok")
    front.stop()
    assert front.ear.heard.empty()


def test_the_lamp_shines_while_the_table_waits_for_a_reading(made: Make) -> None:
    front = made()
    front.start()
    assert front.bulb.switched.get(timeout=PATIENCE_S) is True
    front.press("up")
    assert front.bulb.switched.get(timeout=PATIENCE_S) is False
    front.stop()


# --- the machine ------------------------------------------------------------------------------------------------------


def to_power_off(front: Front) -> Page:
    """Hold UP and DOWN, then choose the last entry of the menu."""
    for button in CHORD:
        front.board.buttons.press(button)
    front.clock.advance(MENU_S + 0.1)
    for button in CHORD:
        front.board.buttons.release(button)
    assert front.next().kind == "menu"
    front.clock.advance(0.1)
    assert front.press("up").kind == "menu"
    return front.press("ok")


def hold_ok(front: Front) -> None:
    front.board.buttons.press("ok")
    front.clock.advance(2.0)
    front.board.buttons.release("ok")
    front.clock.advance(0.1)


def test_a_tap_does_not_switch_off_and_a_hold_does_once(made: Make, tmp_path: Path) -> None:
    front, asked = made(), list[Sequence[str]]()

    def accept(command: Sequence[str]) -> str:
        asked.append(command)
        return ""

    front.app.serve(Machine(Settings(), None, tmp_path, run=accept))
    front.start()
    assert to_power_off(front).kind == "power-off"
    assert front.press("ok").kind == "power-off"
    assert asked == []
    hold_ok(front)
    front.thread.join(PATIENCE_S)
    assert not front.thread.is_alive()
    assert asked == [("systemctl", "poweroff")]
    assert front.glass.picture().getbbox() is None


def test_a_machine_that_may_not_be_switched_off_says_so_and_goes_on(made: Make, tmp_path: Path) -> None:
    front = made()
    front.app.serve(Machine(Settings(), None, tmp_path, run=lambda _: "Access denied."))
    front.start()
    to_power_off(front)
    hold_ok(front)
    shown = front.next()
    assert (shown.kind, "Access denied." in shown.body[0]) == ("notice", True)
    front.stop()


def test_the_language_is_kept_and_the_doctor_answers_while_the_game_goes_on(made: Make, tmp_path: Path) -> None:
    front = made()
    path = tmp_path / "settings.toml"
    front.app.serve(Machine(Settings(), path, tmp_path))
    front.start()
    front.session.mode = Menu(Table(), menu.entries(front.session).index("language"))
    assert front.press("ok").head == "메뉴"
    assert load(path).settings.lang == "ko"
    front.session.mode = Menu(Table(), menu.entries(front.session).index("doctor"))
    assert front.press("ok").kind == "doctor"
    found = front.next()
    assert (found.kind, len(found.body) > 3) == ("doctor", True)
    front.stop()


def test_the_hello_waits_for_no_arithmetic() -> None:
    """OpenCV and numpy take a third of a second to load: the camera's thread may, the first page may not."""
    loaded = "import sys, companion.start; print(sorted({'cv2', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, check=True)  # noqa: S603 - our own words
    assert done.stdout == b"[]\n"
