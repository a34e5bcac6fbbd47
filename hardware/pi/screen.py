"""An OLED of 128 x 64 pixels or more, through luma's driver for its chip."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import errno
import logging
from threading import Lock
from typing import TYPE_CHECKING, Any

from PIL import Image

from hardware.interfaces import ScreenError

if TYPE_CHECKING:
    from hardware.pi.place import Place

log = logging.getLogger(__name__)

WIDTH_PX, HEIGHT_PX = 128, 64
BRIGHT, DIM = 0xCF, 0x01
"""Contrasts of 0 to 255: what luma gives an SSD1306, and the least that can still be read in a dark room."""
TOO_LARGE = frozenset({errno.EAGAIN, errno.EINVAL, errno.EIO, errno.EMSGSIZE, errno.EOPNOTSUPP})
"""What an adapter answers that cannot send a whole picture at once (rm-hull/luma.oled issues 372 and 397)."""


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

    def __init__(self, image: Image.Image) -> None:
        self.mode = image.mode
        self.size = image.size
        self._values = image.convert("L").tobytes()  # one number a pixel, 0 or 255

    def getdata(self) -> bytes:
        """Give the pixels row by row."""
        return self._values

    def crop(self, box: tuple[int, int, int, int]) -> _Pixels:
        """Give the whole picture, which is all that a driver of whole frames cuts out."""
        if box != (0, 0, *self.size):
            raise ValueError(f"only whole pictures are sent, not {box}")
        return self


def _quiet(driver: Any, line: _Line) -> Any:  # noqa: ANN401 - luma has no types
    from luma.core.framebuffer import full_frame

    class Quiet(driver):  # type: ignore[misc] # as above
        def display(self, image: Image.Image) -> None:
            super().display(_Pixels(image))

    return Quiet(line, mode="1", framebuffer=full_frame())  # a driver in black and white has no use for either


class LumaScreen:
    """A panel of the chip `driver` ("ssd1306", "sh1106" ...) at a place, in luma's words.

    The picture stands in the middle of a larger panel. rotation_deg: 0, or 180 when it is mounted upside down.
    """

    def __init__(self, driver: str, place: Place, *, rotation_deg: int = 0) -> None:
        self._driver = driver
        self._place = place
        self._rotation_deg = rotation_deg
        self._line = _Line()
        self._panel: Any = None
        self._dim = False
        self._small_blocks = False
        self._lock = Lock()  # the drawing thread shows while the main thread closes
        self._closed = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return WIDTH_PX, HEIGHT_PX

    def show(self, image: Image.Image, *, dim: bool = False) -> None:
        """Show a whole picture; raises ScreenError, or ValueError for another mode or size."""
        if image.mode != "1" or image.size != self.size:
            raise ValueError(f"the screen takes mode '1' and {self.size}, not {image.mode!r} and {image.size}")
        with self._lock:
            if self._closed:
                raise ScreenError("The screen has been closed.")
            self._paint(image, dim=dim)

    def _paint(self, image: Image.Image, *, dim: bool) -> None:
        from luma.core import error as errors
        from luma.oled import device as drivers

        try:
            if self._panel is None:
                self._panel = _quiet(getattr(drivers, self._driver), self._line)
            if dim and not self._dim:
                self._let_go()  # nobody looks: the time to start anew a panel that may have frozen without a word
            fresh = not self._line.connected
            if fresh:
                self._line.connect(self._place.open(small_blocks=self._small_blocks))
            if fresh or dim != self._dim:
                self._panel.contrast(DIM if dim else BRIGHT)
                self._dim = dim
            self._panel.display(_centred(image.rotate(self._rotation_deg), self._panel.size))
        except ScreenError:
            raise
        except (OSError, errors.Error) as error:  # luma wraps a command's OSError, and lets that of a picture through
            self._let_go()
            self._small_blocks = self._small_blocks or getattr(error, "errno", None) in TOO_LARGE
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


def _centred(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    if image.size == size:
        return image
    larger = Image.new("1", size)
    larger.paste(image, ((size[0] - image.width) // 2, (size[1] - image.height) // 2))
    return larger
