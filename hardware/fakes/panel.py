"""What an OLED's controller makes of the bytes it is sent.

Commands and addressing are those of the data sheets: Solomon Systech SSD1306 rev. 1.1, sections 8 and 10; Sino Wealth
SH1106 v2.3, whose memory is 132 columns wide and knows page addressing only.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH_PX, HEIGHT_PX, PAGES = 128, 64, 8

# How many bytes follow a command; none for those not named.
_FOLLOWING: Mapping[int, int] = MappingProxyType(
    dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)  # contrast, multiplex, offset, clock ...
)
_FOLLOWING_SSD: Mapping[int, int] = MappingProxyType(
    dict(_FOLLOWING) | {0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1, 0xA3: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5}
)
_COMMANDS, _PICTURE = 0x00, 0x40  # the control byte that opens a message
_HORIZONTAL, _VERTICAL, _PAGE = 0, 1, 2  # addressing modes


class Panel:
    """A controller and its glass. chip: "sh1106" or "ch1115" for 132 columns, else those alike to the SSD1306."""

    def __init__(self, chip: str = "ssd1306") -> None:
        self._wide = chip in ("sh1106", "ch1115")
        self._columns = 132 if self._wide else 128
        self._left = 2 if self._wide else 0  # the memory's column at the glass's left edge
        self._following = _FOLLOWING if self._wide else _FOLLOWING_SSD
        self.restart()

    def restart(self) -> None:
        """Lose and regain the current: everything as after a reset, the memory empty."""
        self._memory = [bytearray(self._columns) for _ in range(PAGES)]
        self._mode, self._column, self._page = _PAGE, 0, 0
        self._column_range, self._page_range = (0, 127), (0, PAGES - 1)
        self._start_line, self._inverse, self._all_on = 0, False, False
        self.on, self.contrast = False, 0x7F

    def receive(self, message: bytes) -> None:
        """Take one I2C message, without the address; raises ValueError for what no driver should send."""
        if not message or message[0] not in (_COMMANDS, _PICTURE):
            raise ValueError(f"a message begins with 0x00 or 0x40, not {message[:1].hex() or 'nothing'}")
        if message[0] == _COMMANDS:
            self._command_all(message[1:])
        else:
            for value in message[1:]:
                self._store(value)

    def _command_all(self, codes: bytes) -> None:
        at = 0
        while at < len(codes):
            code, count = codes[at], self._following.get(codes[at], 0)
            arguments = codes[at + 1 : at + 1 + count]
            if len(arguments) < count:
                raise ValueError(f"command {code:#04x} wants {count} bytes more, the message ended")
            self._address(code, arguments)
            self._light(code, arguments)
            at += 1 + count

    def _address(self, code: int, arguments: bytes) -> None:
        """Carry out a command on where the next byte goes."""
        if code <= 0x0F:
            self._column = self._column & 0xF0 | code
        elif code <= 0x1F:
            self._column = self._column & 0x0F | (code & 0x0F) << 4
        elif 0xB0 <= code <= 0xB7:
            self._page = code & 7
        elif code == 0x20 and arguments:
            self._mode = arguments[0] & 3
        elif code == 0x21 and arguments:
            self._column_range = arguments[0], arguments[1]
            self._column = arguments[0]
        elif code == 0x22 and arguments:
            self._page_range = arguments[0] & 7, arguments[1] & 7
            self._page = arguments[0] & 7

    def _light(self, code: int, arguments: bytes) -> None:
        """Carry out a command on how the memory is shown."""
        if 0x40 <= code <= 0x7F:
            self._start_line = code & 0x3F
        elif code == 0x81:
            self.contrast = arguments[0]
        elif code in (0xA4, 0xA5):
            self._all_on = code == 0xA5
        elif code in (0xA6, 0xA7):
            self._inverse = code == 0xA7
        elif code in (0xAE, 0xAF):
            self.on = code == 0xAF

    def _store(self, value: int) -> None:
        if self._column < self._columns:
            self._memory[self._page][self._column] = value
        if self._mode == _VERTICAL:
            self._page, wrapped = _next(self._page, self._page_range)
            if wrapped:
                self._column, _ = _next(self._column, self._column_range)
        elif self._mode == _HORIZONTAL:
            self._column, wrapped = _next(self._column, self._column_range)
            if wrapped:
                self._page, _ = _next(self._page, self._page_range)
        else:
            self._column = min(self._column + 1, self._columns) if self._wide else (self._column + 1) % self._columns

    def picture(self) -> Image.Image:
        """Give what the glass shows, mode "1": dark when it is switched off."""
        if not self.on:
            return Image.new("1", (WIDTH_PX, HEIGHT_PX))
        pages = np.array([np.frombuffer(page, np.uint8) for page in self._memory])
        rows = np.unpackbits(pages, axis=0, bitorder="little")  # a byte is eight pixels downward, the lowest bit on top
        rows = np.roll(rows, -self._start_line, axis=0)[:, self._left : self._left + WIDTH_PX]
        lit = (rows != self._inverse) | self._all_on
        return Image.fromarray(np.where(lit, np.uint8(255), np.uint8(0))).convert("1", dither=Image.Dither.NONE)


def _next(value: int, within: tuple[int, int]) -> tuple[int, bool]:
    """Give the next of a range, and whether it began again."""
    return (within[0], True) if value == within[1] else (value + 1, False)
