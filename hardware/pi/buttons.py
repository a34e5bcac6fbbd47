"""Push buttons on GPIO pins, each to ground, and a rotary encoder."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from hardware.interfaces import Edge, PinBusyError, Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.interfaces import Clock
    from hardware.pi.pin_factory import Factory, PinChip

log = logging.getLogger(__name__)

LATEST_S = 1.0
"""An edge that the library dates further back than this has a date of another clock: the time now is nearer."""


class GpioButtons:
    """Buttons, and an encoder if there is one, on a chip's pins.

    pins: button to BCM number. encoder: the BCM numbers of its two contacts, or none. The pin library's own debouncing
    is not asked for: it swallows the press after a very short one (gpiozero issue 1039) and no two of its factories do
    it alike.
    """

    def __init__(
        self, pins: Mapping[str, int], chip: PinChip, clock: Clock, encoder: tuple[int, int] | None = None
    ) -> None:
        self._pins = dict(pins)
        self._encoder = encoder
        self._chip = chip
        self._clock = clock
        self._listening = False
        self._buttons: dict[str, Any] = {}
        self._knob: Any = None
        self._on_edge: Callable[[Edge | Turn], None] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The buttons, in the order of the settings."""
        return tuple(self._pins)

    def listen(self, on_edge: Callable[[Edge | Turn], None]) -> None:
        """Take the pins, if not taken yet, and hand each edge and turn to `on_edge`; raises ButtonsError."""
        self._on_edge = on_edge
        if self._listening:
            return
        factory = self._chip.take(self)
        self._listening = True
        try:
            for button, number in self._pins.items():
                self._buttons[button] = self._take(button, number, factory)
            if self._encoder is not None:
                self._knob = self._take_knob(self._encoder, factory)
        except PinBusyError:
            self.close()
            raise

    def held(self) -> tuple[str, ...]:
        """Name the buttons that are down."""
        return tuple(button for button, device in self._buttons.items() if device.is_active)

    def _take(self, button: str, number: int, factory: Factory) -> Any:  # noqa: ANN401 - gpiozero has no types
        # DigitalInputDevice is gpiozero's Button without the thread that waits for a hold: one for each button, which
        # fails if an edge comes while it is being made, and we tell long presses by the edges' times.
        from gpiozero import DigitalInputDevice

        try:
            device = DigitalInputDevice(number, pull_up=True, bounce_time=None, pin_factory=factory)
        except Exception as error:  # lgpio.error ("GPIO busy") and gpiozero's share no base but this
            raise PinBusyError(
                f"Button {button!r} cannot use GPIO{number}: {error}. Is another program or overlay using that pin?"
            ) from error
        device.when_activated = lambda: self._edge(button, device, pressed=True)
        device.when_deactivated = lambda: self._edge(button, device, pressed=False)
        return device

    def _take_knob(self, pins: tuple[int, int], factory: Factory) -> Any:  # noqa: ANN401 - gpiozero has no types
        from gpiozero import RotaryEncoder

        try:
            knob = RotaryEncoder(*pins, max_steps=0, bounce_time=None, pin_factory=factory)
        except Exception as error:  # as above
            raise PinBusyError(
                f"The rotary encoder cannot use GPIO{pins[0]} and GPIO{pins[1]}: {error}. Who else uses them?"
            ) from error
        knob.when_rotated_clockwise = lambda: self._hand_on(Turn(clockwise=True, at=self._clock.now()))
        knob.when_rotated_counter_clockwise = lambda: self._hand_on(Turn(clockwise=False, at=self._clock.now()))
        return knob

    def _edge(self, button: str, device: Any, *, pressed: bool) -> None:  # noqa: ANN401 - as above
        now = self._clock.now()
        age = device.active_time if pressed else device.inactive_time
        at = now - age if age is not None and 0 <= age < LATEST_S else now
        self._hand_on(Edge(button, pressed, at))

    def _hand_on(self, what: Edge | Turn) -> None:
        on_edge = self._on_edge
        if on_edge is None:
            return
        try:
            on_edge(what)
        except Exception:  # the pin library's thread would print it and go on as it likes, or end
            log.exception("the listener failed on %r", what)

    def close(self) -> None:
        """Let go of the pins; never raises."""
        self._on_edge = None
        devices = [*self._buttons.values(), *([] if self._knob is None else [self._knob])]
        self._buttons, self._knob = {}, None
        for device in devices:
            try:
                device.close()
            except Exception:  # a pin that cannot be let go is no reason to keep the others
                log.exception("a pin could not be let go")
        if self._listening:
            self._listening = False
            self._chip.leave(self)
