"""Where buttons and other parts are wired on the 40-pin header, and which pins belong to something else."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from hardware.interfaces import BoardError

if TYPE_CHECKING:
    from collections.abc import Mapping

# In header order and side by side (pins 11, 13, 15, 16), none shared with a bus, pulled down at power-on.
DEFAULT_PINS: Mapping[str, int] = MappingProxyType({"up": 17, "down": 27, "ok": 22, "back": 23})

# What may be there besides, and a good place for it: no bus's pin, and none of the four above.
SUGGESTED_PINS: Mapping[str, int] = MappingProxyType(
    {"read": 5, "lamp": 6, "push": 13, "turn_a": 19, "turn_b": 26, "buzzer": 16, "screen_dc": 24, "screen_reset": 25}
)
BUTTONS = (*DEFAULT_PINS, "read", "push")
"""What can be pressed: the four, the big READ button, and the rotary encoder's shaft."""
ENCODER = ("turn_a", "turn_b")

# The header's physical number to the chip's (BCM) number: the same on every Pi with 40 pins, pinout.xyz.
BCM_OF_BOARD: Mapping[int, int] = MappingProxyType(
    {3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11}
    | {24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21}
)

# A button there finds the pin busy or presses itself: the kernel's drivers use them once the bus is switched on.
TAKEN: Mapping[int, str] = MappingProxyType(
    {0: "the add-on boards' EEPROM", 1: "the add-on boards' EEPROM", 2: "I2C, where the screen is"}
    | {3: "I2C, where the screen is", 4: "1-Wire"}
    | dict.fromkeys(range(7, 12), "SPI")
)

_NOTATION = re.compile(r"(?P<scheme>GPIO|BCM|BOARD|)\s*(?P<number>\d{1,2})", re.IGNORECASE | re.ASCII)


def bcm_number(pin: int | str) -> int:
    """Give the chip's number of a pin written 17, "17", "GPIO17", "BCM17" or "BOARD11"; raises BoardError."""
    written = _NOTATION.fullmatch(str(pin).strip())
    number = int(written["number"]) if written else -1
    if written and written["scheme"].upper() == "BOARD":
        number = BCM_OF_BOARD.get(number, -1)
    if number not in BCM_OF_BOARD.values():
        raise BoardError(f"{pin!r} is no pin of the 40-pin header: write GPIO0 to GPIO27, or BOARD and a header pin.")
    return number


def checked_pins(pins: Mapping[str, int | str]) -> dict[str, int]:
    """Give each part's BCM number, in the given order.

    Pins of other parts (lamp, buzzer ...) stand among them. Raises BoardError for a pin that is none, belongs to a bus,
    or has two parts; and when there is no button.
    """
    if pins.keys().isdisjoint(BUTTONS):
        raise BoardError("No button has a pin: the companion needs at least one.")
    checked: dict[str, int] = {}
    for part, pin in pins.items():
        number = bcm_number(pin)
        if number in TAKEN:
            raise BoardError(f"{_called(part)} cannot be on GPIO{number}: that pin is for {TAKEN[number]}.")
        for other, others in checked.items():
            if others == number:
                raise BoardError(f"{other!r} and {part!r} are both on GPIO{number}: give each its own pin.")
        checked[part] = number
    return checked


def _called(part: str) -> str:
    return f"Button {part!r}" if part in BUTTONS else f"{part!r}"
