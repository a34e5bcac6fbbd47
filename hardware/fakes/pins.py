"""gpiozero's mock pins, dated by a clock, on which a contact may be closed from the beginning."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.pi.pin_factory import Factory, PinChip, mock_factory

if TYPE_CHECKING:
    from collections.abc import Collection

    from hardware.interfaces import Clock


def fake_chip(clock: Clock, down: Collection[int] = ()) -> PinChip:
    """Give a chip of mock pins; down: BCM numbers of pins whose contact to ground is closed as they are taken."""
    return PinChip(lambda: _factory_on(clock, down))


def _factory_on(clock: Clock, down: Collection[int]) -> Factory:
    """Open a mock factory whose pins date their edges by `clock`, as real ones do by the kernel's."""
    from gpiozero.pins.mock import MockPWMPin
    from gpiozero.pins.pi import PiPin

    class DatedPin(MockPWMPin):  # type: ignore[misc] # gpiozero has no types
        def _call_when_changed(self) -> None:
            PiPin._call_when_changed(self, clock.now(), self._state)  # noqa: SLF001 - MockPin's own call, with a date

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            if self._number in down:  # a closed contact is stronger than the pull-up
                self.drive_low()

    factory = mock_factory(DatedPin)
    factory.ticks = clock.now
    return factory
