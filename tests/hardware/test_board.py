"""The board's settings, and what is opened for them."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from hardware.board import BoardSettings, open_board, open_fake_board
from hardware.fakes.clock import SetClock
from hardware.fakes.screen import FakeScreen
from hardware.interfaces import (
    Board,
    BoardError,
    ButtonsError,
    CameraError,
    Edge,
    HardwareError,
    ScreenError,
)
from hardware.pins import BCM_OF_BOARD, DEFAULT_PINS, SUGGESTED_PINS, TAKEN, bcm_number, checked_pins


def test_the_pin_factory_has_to_be_named() -> None:
    with pytest.raises(TypeError, match="pin_factory"):
        BoardSettings(kind="pi")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"kind": "pie"}, "kind of board 'pie'"),
        ({"pin_factory": "native"}, "pin factory 'native'"),
        ({"pin_factory": None}, "pin factory None"),
        ({"screen": "ssd1331"}, "screen driver 'ssd1331'"),
        ({"screen": "ssd1322"}, "'ssd1322' needs SPI"),
        ({"pins": {"ok": 22, "turn_a": 19}}, "Half of the rotary encoder"),
        ({"screen_bus": "usb"}, "screen bus 'usb'"),
        ({"screen_bus": "spi"}, "needs a pin screen_dc"),
        ({"rotation_deg": 90}, "rotation in degrees 90"),
        ({"i2c_address": 0x78}, "address 0x78"),
        ({"camera": "usb"}, "camera 'usb'"),
        ({"camera": "webcam:"}, "camera 'webcam:'"),
        ({"camera": "webcam:-1"}, "camera 'webcam:-1'"),
        ({"kind": "fake", "pin_factory": "mock", "camera": "webcam"}, "A fake board has mock pins"),
        ({"camera": "folder:"}, "camera 'folder:'"),
        ({"kind": "fake", "pin_factory": "lgpio"}, "A fake board has mock pins"),
        ({"kind": "fake", "pin_factory": "mock", "camera": "picamera2"}, "A fake board has mock pins"),
    ],
)
def test_settings_of_a_board_that_cannot_be_are_refused(setting: dict[str, Any], said: str) -> None:
    with pytest.raises(BoardError, match=said):
        BoardSettings(**{"kind": "pi", "pin_factory": "lgpio"} | setting)


@pytest.mark.parametrize("pin", sorted(TAKEN))
def test_a_pin_of_a_bus_is_refused(pin: int) -> None:
    with pytest.raises(BoardError, match=rf"Button 'ok' cannot be on GPIO{pin}: that pin is for"):
        checked_pins({"ok": pin})


@pytest.mark.parametrize("written", [17, "17", "GPIO17", "gpio 17", "BCM17", "BOARD11"])
def test_a_pin_may_be_written_in_every_usual_way_and_a_double_is_seen(written: int | str) -> None:
    assert bcm_number(written) == 17
    with pytest.raises(BoardError, match="'up' and 'ok' are both on GPIO17"):
        checked_pins({"up": 17, "ok": written})


@pytest.mark.parametrize("written", [28, -1, "", "GPIO", "BOARD1", "BOARD41", "17a", "1.7", True, None, "１７"])
def test_what_is_no_pin_is_refused(written: int | str) -> None:
    with pytest.raises(BoardError, match="no pin of the 40-pin header"):
        bcm_number(written)


@pytest.mark.parametrize("pins", [{}, {"lamp": 6}])
def test_a_board_without_buttons_is_refused(pins: dict[str, int]) -> None:
    with pytest.raises(BoardError, match="No button has a pin"):
        checked_pins(pins)


@pytest.mark.parametrize("part", SUGGESTED_PINS)
def test_any_other_part_may_share_no_pin_and_take_none_of_a_bus(part: str) -> None:
    with pytest.raises(BoardError, match=f"'ok' and '{part}' are both on GPIO22"):
        checked_pins({**DEFAULT_PINS, part: "BOARD15"})
    with pytest.raises(BoardError, match=f"'{part}' cannot be on GPIO4: that pin is for 1-Wire"):
        checked_pins({**DEFAULT_PINS, part: 4})


def test_lamp_and_buzzer_are_there_where_they_have_a_pin() -> None:
    assert (open_fake_board(BoardSettings("fake", "mock")).lamp, open_board(BoardSettings("pi", "mock")).buzzer) == (
        None,
        None,
    )
    board = open_fake_board(BoardSettings("fake", "mock", pins={**DEFAULT_PINS, **SUGGESTED_PINS}))
    board.buttons.listen(lambda _: None)
    assert board.buttons.names == ("up", "down", "ok", "back", "read", "push")
    assert board.lamp is not None
    assert board.buzzer is not None
    board.lamp.light(on=True)
    board.buzzer.tone(2000, 0.5)
    board.close()


def test_the_default_and_suggested_pins_are_free_and_the_header_has_each_pin_once() -> None:
    assert checked_pins({**DEFAULT_PINS, **SUGGESTED_PINS}) == {**DEFAULT_PINS, **SUGGESTED_PINS}
    assert sorted(BCM_OF_BOARD.values()) == list(range(28))


def test_importing_the_interfaces_loads_no_device_library() -> None:
    program = (
        "import sys, hardware.interfaces, hardware.board\n"
        "print(*sorted({'numpy', 'cv2', 'PIL', 'gpiozero', 'luma', 'lgpio', 'picamera2'} & sys.modules.keys()))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert not loaded.stdout.strip()


def test_a_fake_board_can_be_pressed_and_looked_at(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "die.png"), np.zeros((9, 9, 3), np.uint8))
    clock = SetClock(7.0)
    board = open_fake_board(BoardSettings("fake", "mock", camera=f"folder:{tmp_path}"), clock)
    edges: list[Edge] = []
    board.buttons.listen(edges.append)
    board.buttons.press("ok")
    board.screen.show(Image.new("1", (128, 64), 1))
    assert edges == [Edge("ok", True, 7.0)]
    assert board.screen.picture().getbbox() == (0, 0, 128, 64)
    assert board.camera.frame(after=7.0, timeout=1.0).name == "die.png"
    board.close()


def test_the_switch_gives_the_fake_board_too() -> None:
    board = open_board(BoardSettings("fake", "mock"))
    assert isinstance(board.screen, FakeScreen)
    with pytest.raises(CameraError, match="No camera is set up"):
        board.camera.frame(after=0.0, timeout=1.0)
    board.close()


def test_a_board_whose_devices_are_all_absent_opens_and_each_says_so_when_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for library in ("lgpio", "picamera2"):
        monkeypatch.setitem(sys.modules, library, None)
    board = open_board(BoardSettings("pi", "lgpio", i2c_port=99, camera="picamera2"))
    with pytest.raises(ButtonsError):
        board.buttons.listen(lambda _: None)
    with pytest.raises(ScreenError, match="no I2C bus 99"):
        board.screen.show(Image.new("1", (128, 64)))
    with pytest.raises(CameraError):
        board.camera.frame(after=0.0, timeout=5.0)
    board.close()


def test_real_buttons_work_over_mock_pins() -> None:
    board = open_board(BoardSettings("pi", "mock", pins={"ok": "BOARD11"}))
    board.buttons.listen(lambda _: None)
    assert board.buttons.names == ("ok",)
    board.close()


def test_closing_closes_every_device_though_one_has_a_bug() -> None:
    closed: list[str] = []

    class Device:
        def __init__(self, name: str, error: Exception | None = None) -> None:
            self.name = name
            self.error = error

        def close(self) -> None:
            closed.append(self.name)
            if self.error:
                raise self.error

    buttons: Any = Device("buttons")
    screen: Any = Device("screen")
    camera: Any = Device("camera", KeyError("a bug"))
    with pytest.raises(KeyError):
        Board(buttons, screen, camera, SetClock()).close()
    assert closed == ["buttons", "camera", "screen"]


@pytest.mark.parametrize("kind", [ButtonsError, ScreenError, CameraError])
def test_every_device_error_is_a_hardware_error_and_an_oserror(kind: type[HardwareError]) -> None:
    assert issubclass(kind, HardwareError)
    assert issubclass(kind, OSError)
    assert str(kind("The sentence.")) == "The sentence."


def test_a_set_clock_does_not_go_back() -> None:
    clock = SetClock(5.0)
    clock.set(6.0)
    with pytest.raises(ValueError, match="cannot go back"):
        clock.set(5.9)
    assert clock.now() == 6.0
