"""An SPI bus with one panel on it, and a grey panel that decodes what it is sent.

The commands are those of the data sheet: Solomon Systech SSD1322 rev. 1.2, section 10.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Protocol

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.pi.pin_factory import PinChip

ROWS, COLUMNS = 64, 480
FIRST = 112
"""The memory's column at the glass's left edge: modules of 256 columns are wired to the middle ones."""


class Controller(Protocol):
    """A panel's chip, addressed as on I2C: 0x00 before commands, 0x40 before data."""

    def receive(self, message: bytes) -> None:
        """Take a message; raises ValueError for what no driver should send."""
        ...


class FakeSpi:
    """Stands where luma has the library spidev's object. gone: the kernel has no such bus."""

    def __init__(self, panel: Controller, chip: PinChip, dc: int) -> None:
        self._panel = panel
        self._pin = chip.take(self).pin(dc)
        self.gone = False
        self.max_speed_hz = 0

    def open(self, port: int, device: int) -> None:
        """Open a bus; raises FileNotFoundError where it is gone."""
        if self.gone:
            raise FileNotFoundError(errno.ENOENT, f"No such file or directory: spidev{port}.{device}")

    def writebytes(self, values: Sequence[int]) -> None:
        """Send up to 4096 bytes: commands while the pin is low, data while it is high."""
        if self.gone:
            raise OSError(errno.EIO, "Input/output error")
        if len(values) > 4096:
            raise OverflowError(f"Argument list size exceeds 4096 bytes: {len(values)}")
        self._panel.receive(bytes([0x40 if self._pin.state else 0x00, *values]))

    def close(self) -> None:
        """Close the bus."""


class GreyPanel:
    """An SSD1322 and its glass of 256 columns, or 128 where two of them make a pixel (NHD's modules)."""

    def __init__(self, *, doubled: bool = False) -> None:
        self._doubled = doubled
        self._memory = np.random.default_rng(0).integers(0, 16, (ROWS, COLUMNS), np.uint8)  # noise, as at power-on
        self._command = 0
        self._arguments: list[int] = []
        self._columns, self._rows = (0, 119), (0, ROWS - 1)
        self._at = 0
        self._seen = 0xA6
        self.on, self.contrast = False, 0x7F

    def receive(self, message: bytes) -> None:
        """Take a message: one command, or its arguments, or picture bytes after 0x5C."""
        kind, values = message[0], message[1:]
        if kind == 0x00:
            if len(values) != 1:
                raise ValueError(f"an SSD1322 takes its commands one by one, not {values.hex()}")
            self._obey(values[0])
        elif self._command == 0x5C:
            self._store(values)
        else:
            self._arguments += values
            self._set()

    def _obey(self, command: int) -> None:
        self._command, self._arguments, self._at = command, [], 0
        if command in (0xAE, 0xAF):
            self.on = command == 0xAF
        elif 0xA4 <= command <= 0xA7:
            self._seen = command

    def _set(self) -> None:
        if self._command == 0xC1:
            self.contrast = self._arguments[0]
        elif self._command in (0x15, 0x75) and len(self._arguments) == 2:
            pair = self._arguments[0], self._arguments[1]
            if self._command == 0x15:
                self._columns = pair
            else:
                self._rows = pair

    def _store(self, values: bytes) -> None:
        """Fill the window row by row: a column address stands for two bytes, a byte for two columns, left one high."""
        left, wide = self._columns[0] * 4, (self._columns[1] - self._columns[0] + 1) * 4
        for value in values:
            row, column = divmod(self._at * 2, wide)
            self._memory[self._rows[0] + row, left + column : left + column + 2] = value >> 4, value & 0x0F
            self._at += 1

    def picture(self) -> Image.Image:
        """Give what the glass shows, mode "1": a pixel is lit where it is brighter than half."""
        glass = self._memory[:, FIRST : FIRST + 256][:, :: 2 if self._doubled else 1] > 7
        lit = {0xA4: glass & False, 0xA5: glass | True, 0xA6: glass, 0xA7: ~glass}[self._seen] & self.on
        return Image.fromarray(np.where(lit, np.uint8(255), np.uint8(0))).convert("1", dither=Image.Dither.NONE)
