"""The real buttons' adapter over gpiozero's mock pins, and fingers to press them."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardware.pi.buttons import GpioButtons
from hardware.pi.pin_factory import Factory, mock_factory
from hardware.pins import DEFAULT_PINS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.interfaces import Clock


class FakeButtons(GpioButtons):
    """Buttons that the program presses.

    Edges come out on the presser's thread, before `press` returns, dated by the clock to the digit. Mock pins do not
    bounce by themselves and cannot be low before `listen`.
    """

    def __init__(self, pins: Mapping[str, int] = DEFAULT_PINS, clock: Clock | None = None) -> None:
        if clock is None:
            from hardware.clock import SystemClock

            clock = SystemClock()
        super().__init__(pins, lambda: _factory_on(clock), clock)

    def press(self, name: str) -> None:
        """Close a button's contact: its pin goes low. Raises ValueError for a button there is not."""
        self._pin(name).drive_low()

    def release(self, name: str) -> None:
        """Open a button's contact: its pin goes high. Raises ValueError for a button there is not."""
        self._pin(name).drive_high()

    def _pin(self, name: str) -> Any:  # noqa: ANN401 - gpiozero has no types
        if name not in self._pins:
            raise ValueError(f"there is no button {name!r}: there are {', '.join(self.names)}")
        if self._factory is None:
            raise ValueError(f"nobody listens to button {name!r} yet")
        return self._factory.pin(self._pins[name])


def _factory_on(clock: Clock) -> Factory:
    """Open a mock factory whose pins date their edges by `clock`, as real ones do by the kernel's."""
    from gpiozero.pins.mock import MockPin
    from gpiozero.pins.pi import PiPin

    class DatedPin(MockPin):  # type: ignore[misc] # gpiozero has no types
        def _call_when_changed(self) -> None:
            PiPin._call_when_changed(self, clock.now(), self._state)  # noqa: SLF001 - MockPin's own call, with a date

    factory = mock_factory(DatedPin)
    factory.ticks = clock.now
    return factory
