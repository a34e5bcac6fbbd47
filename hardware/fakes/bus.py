"""An I2C bus with one panel on it, which can be unplugged."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hardware.fakes.panel import Panel


class FakeBus:
    """Stands where luma has smbus2's SMBus, and fails as the kernel's bus does.

    writes: how many messages have been sent. dead: nobody answers, as with the cable out. largest: how many bytes a
    message may have, on an adapter that refuses more.
    """

    def __init__(self, panel: Panel, address: int = 0x3C) -> None:
        self.panel = panel
        self.address = address
        self.writes = 0
        self.dead = False
        self.largest: int | None = None
        self._failing: int | None = None

    def fail_at(self, write: int) -> None:
        """Let the n-th write from now fail, once; 1 is the next. Raises ValueError below 1."""
        if write < 1:
            raise ValueError(f"writes are counted from 1, not {write}")
        self._failing = self.writes + write

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Send up to 32 bytes after a register: the SMBus way, used for commands."""
        if len(data) > 32:
            raise ValueError(f"an SMBus block has 32 bytes at most, not {len(data)}")
        self._write(address, bytes([register, *data]))

    def i2c_rdwr(self, *messages: Iterable[int]) -> None:
        """Send messages of any length: the plain I2C way, used for pictures."""
        for message in messages:
            self._write(message.addr, bytes(list(message)))  # type: ignore[attr-defined] # smbus2's i2c_msg

    def close(self) -> None:
        """Do nothing: the next user finds the same panel."""

    def _write(self, address: int, message: bytes) -> None:
        self.writes += 1
        if self.dead or address != self.address or self.writes == self._failing:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")  # 121, what a Pi's bus says when nobody answers
        if self.largest is not None and len(message) - 1 > self.largest:  # the first byte names the register
            raise OSError(errno.EOPNOTSUPP, "Operation not supported")
        self.panel.receive(message)


@dataclass(frozen=True)
class FakeI2c:
    """The place of a screen on a simulated bus."""

    bus: FakeBus

    def __str__(self) -> str:
        return f"I2C bus 1, address {self.bus.address:#04x}"

    def open(self, *, small_blocks: bool) -> Any:  # noqa: ANN401 - luma has no types
        """Give luma's own interface over the bus."""
        return _luma_interface(self.bus, small_blocks=small_blocks)


def _luma_interface(bus: FakeBus, *, small_blocks: bool) -> Any:  # noqa: ANN401 - luma has no types
    """Give luma's own I2C interface over this bus, on the path it takes with a bus of its own, or in blocks."""
    import smbus2
    from luma.core.interface.serial import i2c

    if small_blocks:
        return i2c(bus=bus, address=bus.address)

    class ManagedI2c(i2c):  # type: ignore[misc] # luma has no types
        def __init__(self) -> None:
            super().__init__(bus=bus, address=bus.address)
            # A bus handed in is written to in blocks of 32 bytes; one luma opened itself, as on a Pi, in one piece.
            self._managed = True
            self._i2c_msg_write = smbus2.i2c_msg.write

    return ManagedI2c()
