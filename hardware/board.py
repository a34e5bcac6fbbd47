"""The one switch between the devices of a Pi and those of a desk."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from hardware.clock import SystemClock
from hardware.interfaces import Board, BoardError
from hardware.pins import BUTTONS, DEFAULT_PINS, ENCODER, checked_pins

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.fakes.board import FakeBoard
    from hardware.interfaces import Buzzer, Camera, Clock, Lamp
    from hardware.pi.pin_factory import PinChip
    from hardware.pi.place import Place

Kind = Literal["pi", "fake"]
PinFactory = Literal["lgpio", "rpigpio", "mock"]
ScreenBus = Literal["i2c", "spi"]

KINDS = ("pi", "fake")
PIN_FACTORIES = ("lgpio", "rpigpio", "mock")
I2C_DRIVERS = ("ssd1306", "ssd1309", "ssd1315", "sh1106", "ch1115")
"""luma.oled's drivers of 128 x 64 panels in black and white; they speak I2C, and SPI as well."""
SCREEN_DRIVERS = (*I2C_DRIVERS, "ssd1322", "ssd1322_nhd")
"""... and of grey ones of 256 x 64 and 128 x 64, which speak SPI only."""
SCREEN_BUSES = ("i2c", "spi")

I2C_ADDRESSES = range(0x08, 0x78)
"""What seven bits leave after the addresses the I2C specification reserves."""

FOLDER = "folder:"
WEBCAM = "webcam"
CAMERAS = f"'picamera2', '{WEBCAM}', '{WEBCAM}:2', '{WEBCAM}:/dev/...', '{FOLDER}DIR' or 'none'"
"""What may stand in the settings, in words."""


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Which devices to use; raises BoardError if no board can be so.

    kind: "pi" or "fake". pin_factory: gpiozero's way to the pins, always named: "lgpio" on every Pi, "rpigpio" by
    choice before the Pi 5, "mock" without pins. pins: part to pin (17, "GPIO17", "BOARD11"), kept as BCM numbers:
    buttons, and the optional parts of hardware.pins.SUGGESTED_PINS.
    screen: one of SCREEN_DRIVERS. screen_bus: "i2c" or "spi". i2c_port: the bus, 1 on a Pi. i2c_address: 0x3C or 0x3D
    as a rule. spi_port, spi_device: 0 and 0 are the header's /dev/spidev0.0; the pins screen_dc and perhaps
    screen_reset belong to it.
    rotation_deg: 0, or 180 when the panel is mounted upside down. camera: "picamera2", "webcam" (the first),
    "webcam:2" (by number), "webcam:/dev/..." (by path), "folder:DIR" or "none".
    swap_red_blue: the camera gives red and blue in each other's place, and they are put right.
    """

    kind: Kind
    pin_factory: PinFactory
    pins: Mapping[str, int | str] = field(default_factory=lambda: dict(DEFAULT_PINS), hash=False)
    screen: str = "ssd1306"
    screen_bus: ScreenBus = "i2c"
    i2c_port: int = 1
    i2c_address: int = 0x3C
    spi_port: int = 0
    spi_device: int = 0
    rotation_deg: int = 0
    camera: str = "none"
    swap_red_blue: bool = False

    def __post_init__(self) -> None:
        _one_of("kind of board", self.kind, KINDS)
        _one_of("pin factory", self.pin_factory, PIN_FACTORIES)
        _one_of("screen driver", self.screen, SCREEN_DRIVERS)
        _one_of("rotation in degrees", self.rotation_deg, (0, 180))
        if self.i2c_address not in I2C_ADDRESSES:
            raise BoardError(f"No I2C device can have the address {self.i2c_address:#04x}: screens have 0x3c or 0x3d.")
        is_folder = bool(self.camera.partition(FOLDER)[2])
        if self.camera not in ("picamera2", "none") and not is_folder and _webcam(self.camera) is None:
            raise BoardError(f"The camera {self.camera!r} is not known: write {CAMERAS}.")
        if self.kind == "fake" and (self.pin_factory != "mock" or not (is_folder or self.camera == "none")):
            raise BoardError("A fake board has mock pins, and a folder or none for a camera.")
        object.__setattr__(self, "pins", checked_pins(self.pins))
        self._check_together()

    def _check_together(self) -> None:
        if len(self.pins.keys() & set(ENCODER)) == 1:
            raise BoardError("Half of the rotary encoder has a pin: it needs both, turn_a and turn_b.")
        _one_of("screen bus", self.screen_bus, SCREEN_BUSES)
        if self.screen_bus == "i2c" and self.screen not in I2C_DRIVERS:
            raise BoardError(f"The screen driver {self.screen!r} needs SPI: set screen_bus to 'spi'.")
        if self.screen_bus == "spi" and "screen_dc" not in self.pins:
            raise BoardError("A screen on SPI needs a pin screen_dc, which tells commands from pictures.")


class _Signals(TypedDict):
    lamp: Lamp | None
    buzzer: Buzzer | None


def _webcam(camera: str) -> int | str | None:
    """Give the number or path of a webcam: 0 unless one is named; None where the words name none."""
    kind, colon, device = camera.partition(":")
    if kind != WEBCAM or (colon and not device):
        return None
    if device.isascii() and device.isdigit():
        return int(device)
    return (device if device.startswith("/") else None) if colon else 0


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
    from hardware.pi.pin_factory import PinChip, open_pin_factory
    from hardware.pi.screen import LumaScreen

    pins, chip = checked_pins(settings.pins), PinChip(lambda: open_pin_factory(settings.pin_factory))
    return Board(
        buttons=GpioButtons(_buttons(pins), chip, clock, _encoder(pins)),
        screen=LumaScreen(settings.screen, _place(settings, pins, chip), rotation_deg=settings.rotation_deg),
        camera=_camera(settings, clock),
        clock=clock,
        **_signals(pins, chip),
    )


def open_fake_board(settings: BoardSettings, clock: Clock | None = None) -> FakeBoard:
    """Put a fake board together, with the types that can be pressed and looked at."""
    from hardware.fakes.board import FakeBoard
    from hardware.fakes.buttons import FakeButtons
    from hardware.fakes.pins import fake_chip
    from hardware.fakes.screen import FakeScreen

    clock = clock or SystemClock()
    pins, chip = checked_pins(settings.pins), fake_chip(clock)
    return FakeBoard(
        buttons=FakeButtons(_buttons(pins), clock, chip=chip, encoder=_encoder(pins)),
        screen=FakeScreen(settings.screen, rotation_deg=settings.rotation_deg),
        camera=_camera(settings, clock),
        clock=clock,
        **_signals(pins, chip),
    )


def _place(settings: BoardSettings, pins: Mapping[str, int], chip: PinChip) -> Place:
    from hardware.pi.place import I2cPlace, SpiPlace

    if settings.screen_bus == "i2c":
        return I2cPlace(settings.i2c_port, settings.i2c_address)
    return SpiPlace(chip, pins["screen_dc"], pins.get("screen_reset"), settings.spi_port, settings.spi_device)


def _buttons(pins: Mapping[str, int]) -> dict[str, int]:
    return {part: number for part, number in pins.items() if part in BUTTONS}


def _encoder(pins: Mapping[str, int]) -> tuple[int, int] | None:
    first, second = ENCODER
    return (pins[first], pins[second]) if first in pins else None


def _signals(pins: Mapping[str, int], chip: PinChip) -> _Signals:
    from hardware.pi.signals import GpioBuzzer, GpioLamp

    return {
        "lamp": GpioLamp(pins["lamp"], chip) if "lamp" in pins else None,
        "buzzer": GpioBuzzer(pins["buzzer"], chip) if "buzzer" in pins else None,
    }


def _camera(settings: BoardSettings, clock: Clock) -> Camera:
    camera = _bare_camera(settings, clock)
    if not settings.swap_red_blue or settings.camera == "none":
        return camera
    from hardware.swapped import SwappedCamera

    return SwappedCamera(camera)


def _bare_camera(settings: BoardSettings, clock: Clock) -> Camera:
    if settings.camera.startswith(FOLDER):
        from hardware.fakes.camera import FolderCamera

        return FolderCamera(Path(settings.camera.removeprefix(FOLDER)), clock)
    if settings.camera == "picamera2":
        from hardware.pi.camera import PiCamera

        return PiCamera()
    if (device := _webcam(settings.camera)) is not None:
        from hardware.pi.webcam import Webcam

        return Webcam(device)
    from hardware.absent import AbsentCamera

    return AbsentCamera()
