"""Push buttons on GPIO pins, each to ground."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from hardware.interfaces import ButtonsError, Edge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.interfaces import Clock
    from hardware.pi.pin_factory import Factory

log = logging.getLogger(__name__)

LATEST_S = 1.0
"""An edge that the library dates further back than this has a date of another clock: the time now is nearer."""


class GpioButtons:
    """Buttons over a pin factory of gpiozero's, which `open_factory` opens and this closes.

    pins: button to BCM number. The pin library's own debouncing is not asked for: it swallows the press after a very
    short one (gpiozero issue 1039) and no two of its factories do it alike.
    """

    def __init__(self, pins: Mapping[str, int], open_factory: Callable[[], Factory], clock: Clock) -> None:
        self._pins = dict(pins)
        self._open_factory = open_factory
        self._clock = clock
        self._factory: Factory | None = None
        self._devices: list[Any] = []
        self._on_edge: Callable[[Edge], None] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The buttons, in the order of the settings."""
        return tuple(self._pins)

    def listen(self, on_edge: Callable[[Edge], None]) -> None:
        """Take the pins, if not taken yet, and hand each edge to `on_edge`; raises ButtonsError."""
        self._on_edge = on_edge
        if self._factory is not None:
            return
        self._factory = self._open_factory()
        try:
            for button, number in self._pins.items():
                self._devices.append(self._take(button, number))
        except ButtonsError:
            self.close()
            raise

    def _take(self, button: str, number: int) -> Any:  # noqa: ANN401 - gpiozero has no types
        # DigitalInputDevice is gpiozero's Button without the thread that waits for a hold: one for each button, which
        # fails if an edge comes while it is being made, and we tell long presses by the edges' times.
        from gpiozero import DigitalInputDevice

        try:
            device = DigitalInputDevice(number, pull_up=True, bounce_time=None, pin_factory=self._factory)
        except Exception as error:  # lgpio.error ("GPIO busy") and gpiozero's share no base but this
            raise ButtonsError(
                f"Button {button!r} cannot use GPIO{number}: {error}. Is another program or overlay using that pin?"
            ) from error
        device.when_activated = lambda: self._edge(button, device, pressed=True)
        device.when_deactivated = lambda: self._edge(button, device, pressed=False)
        return device

    def _edge(self, button: str, device: Any, *, pressed: bool) -> None:  # noqa: ANN401 - as above
        now = self._clock.now()
        age = device.active_time if pressed else device.inactive_time
        at = now - age if age is not None and 0 <= age < LATEST_S else now
        on_edge = self._on_edge
        if on_edge is None:
            return
        try:
            on_edge(Edge(button, pressed, at))
        except Exception:  # the pin library's thread would print it and go on as it likes, or end
            log.exception("the listener failed on an edge of button %r", button)

    def close(self) -> None:
        """Let go of the pins; never raises."""
        self._on_edge = None
        devices, self._devices = self._devices, []
        factory, self._factory = self._factory, None
        for closing in [*devices, *([] if factory is None else [factory])]:
            try:
                closing.close()
            except Exception:  # a pin that cannot be let go is no reason to keep the others
                log.exception("a pin could not be let go")
