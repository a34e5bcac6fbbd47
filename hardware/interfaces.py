"""What every device promises, whichever is behind it; importing this costs nothing.

Times are seconds on the machine's monotonic clock (`time.monotonic`), as a `Clock` gives them. A device that is absent
or fails raises a `HardwareError` whose message says what failed, where, and what to do; the next call tries anew.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image


class HardwareError(Exception):
    """A device cannot be used: the owner has something to check."""


class BoardError(HardwareError, ValueError):
    """The settings describe a board that cannot be: two buttons on a pin, an unknown driver."""


class ButtonsError(HardwareError, OSError):
    """The buttons' pins cannot be used."""


class PinBusyError(ButtonsError):
    """A pin is another program's at this moment: it may be had later."""


class SignalError(HardwareError, OSError):
    """The lamp or the buzzer cannot be used."""


class ScreenError(HardwareError, OSError):
    """The screen did not take a picture."""


class CameraError(HardwareError, OSError):
    """The camera gave no picture that may be used."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A button's contact closed or opened: raw, bounces and all.

    button: its name. pressed: True as it closes. at: when, in monotonic seconds.
    """

    button: str
    pressed: bool
    at: float


@dataclass(frozen=True, slots=True)
class Turn:
    """A rotary encoder went on by one click.

    clockwise: the way it was turned. at: when, in monotonic seconds.
    """

    clockwise: bool
    at: float


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and when it was taken.

    picture: height x width x 3, BGR, uint8. at: when its exposure began, in monotonic seconds.
    name: the photograph's file name when it comes from a folder.
    """

    picture: NDArray[np.uint8]
    at: float
    name: str | None = None


class Clock(Protocol):
    """The time between events; never the time of day."""

    def now(self) -> float:
        """Give the monotonic time in seconds; never less than before."""
        ...


class Buttons(Protocol):
    """Push buttons that report every edge, and perhaps a rotary encoder; debouncing is the application's."""

    @property
    def names(self) -> tuple[str, ...]:
        """The buttons there are, such as ("up", "down", "ok", "back")."""
        ...

    def listen(self, on_edge: Callable[[Edge | Turn], None]) -> None:
        """Take the pins and hand each edge and turn to `on_edge`, on a thread of the pin library's choosing.

        `on_edge` is to return at once (put it on a queue). A second call replaces the listener. Raises ButtonsError
        when the pins cannot be had, PinBusyError when they may be later; calling again tries again.
        """
        ...

    def held(self) -> tuple[str, ...]:
        """Name the buttons that are down at this moment; none before somebody listens."""
        ...

    def close(self) -> None:
        """Let go of the pins; never raises, and may be called twice."""
        ...


class Lamp(Protocol):
    """A lamp, such as the one in a big button."""

    def light(self, *, on: bool) -> None:
        """Switch it; raises SignalError."""
        ...

    def close(self) -> None:
        """Switch it off and let go of its pin; never raises, and may be called twice."""
        ...


class Buzzer(Protocol):
    """A sounder without a voice of its own: it is driven at the pitch that is to be heard."""

    def tone(self, pitch_hz: int, loudness: float) -> None:
        """Sound until the next call; loudness 0 (silent) to 1. Raises SignalError."""
        ...

    def close(self) -> None:
        """Fall silent and let go of the pin; never raises, and may be called twice."""
        ...


class Screen(Protocol):
    """A panel of black and white pixels."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        ...

    def show(self, image: Image, *, dim: bool = False) -> None:
        """Show a picture of mode "1" and exactly `size`; block until it is there (about 25 ms on I2C at 400 kHz).

        `dim`: with as little light as the panel can. The first dim picture starts the panel anew, so that one which
        froze without a word comes back when nobody looks. Raises ScreenError when the panel did not take the picture
        (the next call starts the panel anew and paints the whole picture), ValueError for another mode or size.
        """
        ...

    def close(self) -> None:
        """Blank the panel and let go of it; never raises, and may be called twice."""
        ...


class Camera(Protocol):
    """A camera over the table, opened by its first use."""

    def frame(self, after: float, timeout: float) -> Frame:
        """Give a picture whose exposure began no earlier than `after`, waiting `timeout` seconds at most.

        Raises CameraError when there is none. May be called from any thread, by one at a time. A driver may hang in
        here in spite of the timeout: whoever can't wait asks a `hardware.keeper.Keeper`.
        """
        ...

    def close(self) -> None:
        """Let go of the camera; never raises, and may be called twice. The next call of `frame` opens it anew."""
        ...


@dataclass(frozen=True, slots=True)
class Board:
    """The devices of one table."""

    buttons: Buttons
    screen: Screen
    camera: Camera
    clock: Clock
    lamp: Lamp | None = None
    buzzer: Buzzer | None = None

    def close(self) -> None:
        """Close every device, even if a bug keeps one from being closed."""
        with ExitStack() as devices:
            for device in (self.screen, self.camera, self.buttons, self.lamp, self.buzzer):
                if device is not None:
                    devices.callback(device.close)  # the stack closes the last first
