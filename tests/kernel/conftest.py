"""The devices of `make test-kernel`, as its kernel shows them. Elsewhere these tests are not collected."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware.clock import SystemClock
from hardware.pi.buttons import GpioButtons
from hardware.pi.pin_factory import PinChip, open_pin_factory
from hardware.pins import DEFAULT_PINS
from tests.kernel.devices import OLED, Finger, Oled

collect_ignore_glob = [] if OLED.exists() else ["test_*.py"]


@pytest.fixture
def finger() -> Finger:
    finger = Finger()
    for pin in DEFAULT_PINS.values():
        finger.pull(pin, down=False)
    return finger


@pytest.fixture
def buttons() -> Iterator[GpioButtons]:
    buttons = GpioButtons(DEFAULT_PINS, PinChip(lambda: open_pin_factory("lgpio")), SystemClock())
    yield buttons
    buttons.close()


@pytest.fixture
def oled() -> Oled:
    return Oled()
