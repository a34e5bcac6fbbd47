"""The way to the pins: gpiozero's factory of the name that the settings give, and no other.

gpiozero left to itself tries one library after the other with warnings and ends at one that cannot work on a Pi 5; a
named one either works or says what to do.
"""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import logging
import os
import tempfile
from threading import Lock
from typing import TYPE_CHECKING, Any

from hardware.interfaces import ButtonsError

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

Factory = Any
"""A gpiozero pin factory; gpiozero has no types."""

LGPIO_ADVICE = "install Raspberry Pi OS's own (sudo apt install python3-lgpio) in a venv with --system-site-packages"


class PinChip:
    """The one owner of a board's pins: opened for the first device that takes it, closed when the last has left.

    gpiozero keeps the pins of all factories of a kind in one place, and closing any of them lets go of all.
    """

    def __init__(self, open_factory: Callable[[], Factory]) -> None:
        self._open_factory = open_factory
        self._factory: Factory | None = None
        self._users: set[object] = set()
        self._lock = Lock()

    def take(self, user: object) -> Factory:
        """Give the factory to a device; raises ButtonsError when it cannot be opened."""
        with self._lock:
            if self._factory is None:
                self._factory = self._open_factory()
            self._users.add(user)
            return self._factory

    def leave(self, user: object) -> None:
        """Take a device's leave, which has closed its pins; never raises."""
        with self._lock:
            self._users.discard(user)
            if self._users or self._factory is None:
                return
            factory, self._factory = self._factory, None
            try:
                factory.close()
            except Exception:  # the program goes on without these pins, or ends
                log.exception("the pins could not be let go")


def open_pin_factory(name: str) -> Factory:
    """Open the pin factory "lgpio", "rpigpio" or "mock"; raises ButtonsError."""
    try:
        if name == "lgpio":
            return _lgpio_factory()
        if name == "rpigpio":
            return _rpigpio_factory()
        if name == "mock":
            return mock_factory()
    except ButtonsError:
        raise
    except Exception as error:  # lgpio.error and gpiozero's PinUnknownPi share no base but this
        raise ButtonsError(f"The pins cannot be opened with {name}: {error}. {_advice(error)}") from error
    raise ButtonsError(f"The pin factory {name!r} is not known: name lgpio, rpigpio or mock.")


def _lgpio_factory() -> Factory:
    # lgpio makes a named pipe in the working directory as it is imported, and a service's is / and read-only:
    # joan2937/lg issue 22. LG_WD names another place.
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", tempfile.gettempdir()).partition(":")[0])
    try:
        import lgpio
    except ImportError as error:
        raise ButtonsError(f"The pin library lgpio is not installed: {LGPIO_ADVICE}.") from error
    if not hasattr(lgpio, "gpiochip_open"):
        # PyPI's lgpio 0.0.0.2, which pip takes where it finds no wheel (Python 3.13): joan2937/lg issue 43.
        raise ButtonsError(f"The lgpio installed is an empty placeholder: pip uninstall lgpio, then {LGPIO_ADVICE}.")
    from gpiozero.pins.lgpio import LGPIOFactory

    factory = LGPIOFactory()
    factory.pin_class = _silenced(factory.pin_class)
    return factory


def _silenced(pin_class: type) -> type:
    """Give a pin that hears no more edges once it is closed.

    gpiozero (2.0.1.post3) leaves a closed pin's callback with lgpio. The next chip opened has the old one's number, so
    the callback is called again, fails, and with it ends the one thread of lgpio's that tells of edges at all.
    """

    class Pin(pin_class):  # type: ignore[misc] # gpiozero has no types
        def close(self) -> None:
            if self.factory._handle is not None:  # noqa: SLF001 - as in the method that this one completes
                self.when_changed = None
            super().close()

    return Pin


def _rpigpio_factory() -> Factory:
    try:
        from RPi import GPIO  # noqa: F401 - only to see whether it can be
    except ImportError as error:
        raise ButtonsError("The pin library RPi.GPIO is not installed: name lgpio, or install it.") from error
    except RuntimeError as error:  # "This module can only be run on a Raspberry Pi!", "Cannot determine SOC ..."
        raise ButtonsError(f"RPi.GPIO cannot drive this board ({error}): on a Pi 5 name lgpio instead.") from error
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    return RPiGPIOFactory()


def mock_factory(pin_class: type | None = None) -> Factory:
    """Open gpiozero's mock of a Pi 4 B, whatever the environment says; pin_class: its kind of pin."""
    from gpiozero.pins.mock import MockFactory, MockPin

    return MockFactory(revision="c03111", pin_class=pin_class or MockPin)


def _advice(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"lgpio makes its pipe in LG_WD={os.environ.get('LG_WD')}: name a folder that can be written to."
    if type(error).__name__ == "PinUnknownPi":
        return "This machine is no Raspberry Pi: use a fake board here."
    return "Is the user in the group gpio, and is no other program using them?"
