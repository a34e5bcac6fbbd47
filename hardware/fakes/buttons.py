"""The real buttons' adapter over gpiozero's mock pins, and fingers to press them."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardware.fakes.pins import fake_chip
from hardware.pi.buttons import GpioButtons
from hardware.pins import DEFAULT_PINS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hardware.fakes.clock import SetClock
    from hardware.interfaces import Clock
    from hardware.pi.pin_factory import PinChip


class FakeButtons(GpioButtons):
    """Buttons that the program presses, and an encoder that it turns.

    Edges come out on the presser's thread, before `press` returns, dated by the clock to the digit. Mock pins do not
    bounce by themselves: see `play`. down: buttons that are down before anybody listens.
    """

    def __init__(
        self,
        pins: Mapping[str, int] = DEFAULT_PINS,
        clock: Clock | None = None,
        *,
        chip: PinChip | None = None,
        encoder: tuple[int, int] | None = None,
        down: Iterable[str] = (),
    ) -> None:
        if clock is None:
            from hardware.clock import SystemClock

            clock = SystemClock()
        super().__init__(pins, chip or fake_chip(clock, [pins[name] for name in down]), clock, encoder)

    def press(self, name: str) -> None:
        """Close a button's contact: its pin goes low. Raises ValueError for a button there is not."""
        self._pin(name).drive_low()

    def release(self, name: str) -> None:
        """Open a button's contact: its pin goes high. Raises ValueError for a button there is not."""
        self._pin(name).drive_high()

    def turn(self, *, clockwise: bool) -> None:
        """Turn the encoder by one click: both contacts close and open again, one ahead of the other."""
        if self._knob is None:
            raise ValueError("there is no encoder, or nobody listens to it yet")
        ahead, behind = (self._knob.a.pin, self._knob.b.pin) if clockwise else (self._knob.b.pin, self._knob.a.pin)
        ahead.drive_low()
        behind.drive_low()
        ahead.drive_high()
        behind.drive_high()

    def play(self, clock: SetClock, script: Iterable[tuple[float, str, bool]]) -> None:
        """Play a line's levels over time, bounces and all: (when, button, pressed), oldest first; moves the clock."""
        for at, name, pressed in script:
            clock.set(at)
            (self.press if pressed else self.release)(name)

    def _pin(self, name: str) -> Any:  # noqa: ANN401 - gpiozero has no types
        if name not in self._pins:
            raise ValueError(f"there is no button {name!r}: there are {', '.join(self.names)}")
        if name not in self._buttons:
            raise ValueError(f"nobody listens to button {name!r} yet")
        return self._buttons[name].pin
