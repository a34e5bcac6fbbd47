"""An OLED of 128 x 64 pixels on I2C, through luma's driver for its chip."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import logging
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from hardware.interfaces import ScreenError

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

log = logging.getLogger(__name__)

WIDTH_PX, HEIGHT_PX = 128, 64


@dataclass(frozen=True, slots=True)
class I2cPlace:
    """Where a device is: the bus (1 is the header's pins 3 and 5) and its 7-bit address on it."""

    port: int = 1
    address: int = 0x3C

    def __str__(self) -> str:
        return f"I2C bus {self.port}, address {self.address:#04x}"

    def open(self) -> Any:  # noqa: ANN401 - luma has no types
        """Open luma's I2C interface on /dev/i2c-PORT; raises ScreenError."""
        from luma.core import error as errors
        from luma.core.interface import serial

        try:
            # By port, not by a bus opened here: luma then sends a whole picture at once instead of 32 bytes a time.
            return serial.i2c(port=self.port, address=self.address)
        except errors.DevicePermissionError as error:
            raise ScreenError(
                f"This user may not use I2C bus {self.port}: add it to the group i2c (sudo usermod -aG i2c USER) "
                f"and start anew."
            ) from error
        except (OSError, errors.Error) as error:
            raise ScreenError(
                f"There is no I2C bus {self.port} ({error}): switch I2C on (sudo raspi-config, Interface Options)."
            ) from error


class _Line:
    """The serial interface luma's driver talks to: it keeps how a panel is started, and the bus behind it may change.

    A driver of luma's starts its panel as it is made, once and for all, and each one made asks to blank its panel as
    the program ends. So one is made, without a panel; what it said is said again whenever the panel has to be started.
    """

    def __init__(self) -> None:
        self._bus: Any = None
        self._start: list[tuple[str, tuple[Any, ...]]] = []
        self._listening = True

    @property
    def connected(self) -> bool:
        """Whether there is a bus, with the panel on it started."""
        return self._bus is not None

    def connect(self, bus: Any) -> None:  # noqa: ANN401 - luma has no types
        """Start the panel on a bus: clear it and switch it on, as its driver did when it was made."""
        self._listening = False
        self._bus = bus
        for kind, words in self._start:
            self._say(kind, words)

    def disconnect(self) -> None:
        """Let go of the bus; what is said from now on is lost."""
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.cleanup()

    def command(self, *codes: int) -> None:
        """Send commands; luma's word for it."""
        self._say("command", codes)

    def data(self, values: list[int]) -> None:
        """Send picture bytes; luma's word for it."""
        self._say("data", (values,))

    def cleanup(self) -> None:
        """Do nothing: luma asks for it as the program ends, when the panel has been let go of."""

    def _say(self, kind: str, words: tuple[Any, ...]) -> None:
        if self._listening:
            self._start.append((kind, words))
        elif self._bus is not None:
            getattr(self._bus, kind)(*words)


class _Pixels:
    """What luma's drivers want of an image, without Image.getdata: Pillow 13 warns of that, and 14 drops it."""

    def __init__(self, image: Image) -> None:
        self.mode = image.mode
        self.size = image.size
        self._values = image.convert("L").tobytes()  # one number a pixel, 0 or 255

    def getdata(self) -> bytes:
        """Give the pixels row by row."""
        return self._values


def _quiet(driver: Any) -> Any:  # noqa: ANN401 - luma has no types
    class Quiet(driver):  # type: ignore[misc] # as above
        def display(self, image: Image) -> None:
            super().display(_Pixels(image))

    return Quiet


class LumaScreen:
    """A panel of the chip `driver` ("ssd1306", "sh1106" ...) at a place, in luma's words.

    rotation_deg: 0, or 180 when it is mounted upside down. open_bus: what opens luma's serial interface, the place's
    by default; it may raise ScreenError.
    """

    def __init__(
        self,
        driver: str,
        place: I2cPlace = I2cPlace(),
        *,
        rotation_deg: int = 0,
        open_bus: Callable[[], Any] | None = None,
    ) -> None:
        self._driver = driver
        self._place = place
        self._rotation_deg = rotation_deg
        self._open_bus = open_bus or place.open
        self._line = _Line()
        self._panel: Any = None
        self._lock = Lock()  # the drawing thread shows while the main thread closes
        self._closed = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return WIDTH_PX, HEIGHT_PX

    def show(self, image: Image) -> None:
        """Show a whole picture; raises ScreenError, or ValueError for another mode or size."""
        if image.mode != "1" or image.size != self.size:
            raise ValueError(f"the screen takes mode '1' and {self.size}, not {image.mode!r} and {image.size}")
        with self._lock:
            if self._closed:
                raise ScreenError("The screen has been closed.")
            self._paint(image)

    def _paint(self, image: Image) -> None:
        from luma.core import error as errors
        from luma.oled import device as drivers

        try:
            if self._panel is None:
                self._panel = _quiet(getattr(drivers, self._driver))(self._line)
            if not self._line.connected:
                self._line.connect(self._open_bus())
            self._panel.display(image.rotate(self._rotation_deg))
        except ScreenError:
            raise
        except (OSError, errors.Error) as error:  # luma wraps a command's OSError, and lets that of a picture through
            self._let_go()
            raise ScreenError(
                f"The screen does not answer ({self._place}): {error}. Check its cable, its address and the driver."
            ) from error

    def _let_go(self) -> None:
        try:
            self._line.disconnect()
        except OSError:
            log.debug("the bus could not be closed", exc_info=True)

    def close(self) -> None:
        """Blank the panel and let go of it; never raises."""
        from luma.core import error as errors

        with self._lock:
            self._closed = True
            if not self._line.connected:
                return
            try:
                self._panel.hide()
                self._panel.clear()
            except (OSError, errors.Error) as error:
                log.info("the screen could not be blanked: %s", error)
            self._let_go()
