"""The one switch between the devices of a Pi and those of a desk."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hardware.clock import SystemClock
from hardware.interfaces import Board, BoardError
from hardware.pins import DEFAULT_PINS, checked_pins

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.fakes.board import FakeBoard
    from hardware.interfaces import Camera, Clock

Kind = Literal["pi", "fake"]
PinFactory = Literal["lgpio", "rpigpio", "mock"]

KINDS = ("pi", "fake")
PIN_FACTORIES = ("lgpio", "rpigpio", "mock")
SCREEN_DRIVERS = ("ssd1306", "ssd1309", "ssd1315", "sh1106", "ch1115")
"""luma.oled's drivers of 128 x 64 panels in black and white that need nothing but I2C."""

I2C_ADDRESSES = range(0x08, 0x78)
"""What seven bits leave after the addresses the I2C specification reserves."""

FOLDER = "folder:"


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Which devices to use; raises BoardError if no board can be so.

    kind: "pi" or "fake". pin_factory: gpiozero's way to the pins, always named: "lgpio" on every Pi, "rpigpio" by
    choice before the Pi 5, "mock" without pins. pins: button to pin (17, "GPIO17", "BOARD11"), kept as BCM numbers.
    screen: one of SCREEN_DRIVERS. i2c_port: the bus, 1 on a Pi. i2c_address: 0x3C or 0x3D as a rule.
    rotation_deg: 0, or 180 when the panel is mounted upside down. camera: "picamera2", "folder:DIR" or "none".
    """

    kind: Kind
    pin_factory: PinFactory
    pins: Mapping[str, int | str] = field(default_factory=lambda: dict(DEFAULT_PINS), hash=False)
    screen: str = "ssd1306"
    i2c_port: int = 1
    i2c_address: int = 0x3C
    rotation_deg: int = 0
    camera: str = "none"

    def __post_init__(self) -> None:
        _one_of("kind of board", self.kind, KINDS)
        _one_of("pin factory", self.pin_factory, PIN_FACTORIES)
        _one_of("screen driver", self.screen, SCREEN_DRIVERS)
        _one_of("rotation in degrees", self.rotation_deg, (0, 180))
        if self.i2c_address not in I2C_ADDRESSES:
            raise BoardError(f"No I2C device can have the address {self.i2c_address:#04x}: screens have 0x3c or 0x3d.")
        if self.camera not in ("picamera2", "none") and not self.camera.partition(FOLDER)[2]:
            raise BoardError(f"The camera {self.camera!r} is not known: write picamera2, folder:DIR or none.")
        if self.kind == "fake" and (self.pin_factory != "mock" or self.camera == "picamera2"):
            raise BoardError("A fake board has mock pins, and a folder or none for a camera.")
        object.__setattr__(self, "pins", checked_pins(self.pins))


def _one_of(what: str, value: object, known: tuple[object, ...]) -> None:
    if value not in known:
        raise BoardError(f"The {what} {value!r} is not known: choose one of {', '.join(map(str, known))}.")


def open_board(settings: BoardSettings, clock: Clock | None = None) -> Board:
    """Put the devices together; the clock is the system's unless another is given.

    No pin, bus or camera is touched yet: each device is opened by its first use and raises its own error then, so one
    that is absent does not keep the others from working. A folder of photographs is looked at now (CameraError).
    """
    clock = clock or SystemClock()
    if settings.kind == "fake":
        return open_fake_board(settings, clock)
    from hardware.pi.buttons import GpioButtons
    from hardware.pi.pin_factory import open_pin_factory
    from hardware.pi.screen import I2cPlace, LumaScreen

    return Board(
        buttons=GpioButtons(checked_pins(settings.pins), lambda: open_pin_factory(settings.pin_factory), clock),
        screen=LumaScreen(
            settings.screen, I2cPlace(settings.i2c_port, settings.i2c_address), rotation_deg=settings.rotation_deg
        ),
        camera=_camera(settings, clock),
        clock=clock,
    )


def open_fake_board(settings: BoardSettings, clock: Clock | None = None) -> FakeBoard:
    """Put a fake board together, with the types that can be pressed and looked at."""
    from hardware.fakes.board import FakeBoard
    from hardware.fakes.buttons import FakeButtons
    from hardware.fakes.screen import FakeScreen

    clock = clock or SystemClock()
    return FakeBoard(
        buttons=FakeButtons(checked_pins(settings.pins), clock),
        screen=FakeScreen(settings.screen, rotation_deg=settings.rotation_deg),
        camera=_camera(settings, clock),
        clock=clock,
    )


def _camera(settings: BoardSettings, clock: Clock) -> Camera:
    if settings.camera.startswith(FOLDER):
        from hardware.fakes.camera import FolderCamera

        return FolderCamera(Path(settings.camera.removeprefix(FOLDER)), clock)
    if settings.camera == "picamera2":
        from hardware.pi.camera import PiCamera

        return PiCamera()
    from hardware.absent import AbsentCamera

    return AbsentCamera()
