"""A lamp and a buzzer on GPIO pins."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from hardware.interfaces import HardwareError, SignalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.pi.pin_factory import Factory, PinChip

log = logging.getLogger(__name__)


class _Output:
    """One device of gpiozero's on a pin, made by its first use; after an error the next use makes it anew."""

    def __init__(self, name: str, number: int, chip: PinChip, make: Callable[[int, Factory], Any]) -> None:
        self._name = name
        self._number = number
        self._chip = chip
        self._make = make
        self._device: Any = None

    def use(self, work: Callable[[Any], None]) -> None:
        """Do something with the device; raises SignalError."""
        try:
            if self._device is None:
                self._device = self._make(self._number, self._chip.take(self))
            work(self._device)
        except Exception as error:  # lgpio.error, gpiozero's and ours for a chip that is not there: no other base
            self.close()
            said = str(error) if isinstance(error, HardwareError) else f"{error}. Is another program using that pin?"
            raise SignalError(f"The {self._name} cannot use GPIO{self._number}: {said}") from error

    def close(self) -> None:
        """Let go of the pin; never raises."""
        device, self._device = self._device, None
        if device is not None:
            try:
                device.close()
            except Exception:  # a pin that cannot be let go is no reason to keep the others
                log.exception("the %s's pin could not be let go", self._name)
        self._chip.leave(self)


class GpioLamp:
    """A lamp (with its resistor or transistor) that shines while its pin is high."""

    def __init__(self, number: int, chip: PinChip) -> None:
        self._output = _Output("lamp", number, chip, _led)

    def light(self, *, on: bool) -> None:
        """Switch it; raises SignalError."""
        self._output.use(lambda led: led.on() if on else led.off())

    def close(self) -> None:
        """Switch it off and let go of its pin."""
        self._output.close()


class GpioBuzzer:
    """A passive buzzer: it sounds at the pitch of the pulses, the louder the longer they are, up to half the time."""

    def __init__(self, number: int, chip: PinChip) -> None:
        self._output = _Output("buzzer", number, chip, _pulses)

    def tone(self, pitch_hz: int, loudness: float) -> None:
        """Sound until the next call; loudness 0 to 1. Raises SignalError."""

        def sound(pulses: Any) -> None:  # noqa: ANN401 - gpiozero has no types
            pulses.frequency = pitch_hz
            pulses.value = loudness / 2

        self._output.use(sound)

    def close(self) -> None:
        """Fall silent and let go of the pin."""
        self._output.close()


def _led(number: int, factory: Factory) -> Any:  # noqa: ANN401 - gpiozero has no types
    from gpiozero import DigitalOutputDevice

    return DigitalOutputDevice(number, pin_factory=factory)


def _pulses(number: int, factory: Factory) -> Any:  # noqa: ANN401 - gpiozero has no types
    from gpiozero import PWMOutputDevice

    return PWMOutputDevice(number, pin_factory=factory)
