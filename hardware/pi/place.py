"""Where a screen is wired: a bus of the header, opened in luma's words."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from hardware.interfaces import ButtonsError, ScreenError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.pi.pin_factory import PinChip


class Place(Protocol):
    """Somewhere a screen may be; its text says where."""

    def open(self, *, small_blocks: bool) -> Any:  # noqa: ANN401 - luma has no types
        """Open luma's serial interface (command, data, cleanup); raises ScreenError.

        small_blocks: the adapter refuses more than 32 bytes at once, where such an adapter can be.
        """
        ...


@dataclass(frozen=True, slots=True)
class I2cPlace:
    """On I2C: the bus (1 is the header's pins 3 and 5) and the 7-bit address on it."""

    port: int = 1
    address: int = 0x3C

    def __str__(self) -> str:
        return f"I2C bus {self.port}, address {self.address:#04x}"

    def open(self, *, small_blocks: bool) -> Any:  # noqa: ANN401 - luma has no types
        """Open /dev/i2c-PORT; raises ScreenError."""
        from luma.core import error as errors
        from luma.core.interface import serial

        try:
            if small_blocks:
                return _own_bus(self.port, self.address)
            # By port, not by a bus opened here: luma then sends a whole picture at once instead of 32 bytes a time.
            return serial.i2c(port=self.port, address=self.address)
        except (errors.DevicePermissionError, PermissionError) as error:
            raise ScreenError(
                f"This user may not use I2C bus {self.port}: add it to the group i2c (sudo usermod -aG i2c USER) "
                f"and start anew."
            ) from error
        except (OSError, errors.Error) as error:
            raise ScreenError(
                f"There is no I2C bus {self.port} ({error}): switch I2C on (sudo raspi-config, Interface Options)."
            ) from error


def _own_bus(port: int, address: int) -> Any:  # noqa: ANN401 - luma has no types
    import smbus2
    from luma.core.interface.serial import i2c

    bus = smbus2.SMBus(port)

    class SmallBlocks(i2c):  # type: ignore[misc] # as above
        def cleanup(self) -> None:
            bus.close()  # luma leaves a bus that it was given open

    return SmallBlocks(bus=bus, address=address)


def _spidev() -> Any:  # noqa: ANN401 - spidev has no types
    try:
        import spidev  # type: ignore[import-not-found] # no stubs, and there on a Pi only
    except ImportError as error:
        raise ScreenError(
            "The library spidev is not installed: sudo apt install python3-spidev, or wire the screen to I2C."
        ) from error
    return spidev.SpiDev()


@dataclass(frozen=True, slots=True)
class SpiPlace:
    """On SPI: the bus and chip select (0 and 0 are /dev/spidev0.0), and the pins that say command or data, and reset.

    `chip` owns those pins, so that no other pin library is needed: luma's own choice does not work on a Pi 5
    (rm-hull/luma.core issues 268 and 303). make: what gives the library spidev's object.
    """

    chip: PinChip
    dc: int
    reset: int | None = None
    port: int = 0
    device: int = 0
    make: Callable[[], Any] = _spidev

    def __str__(self) -> str:
        return f"SPI bus {self.port}, device {self.device}"

    def open(self, *, small_blocks: bool) -> Any:  # noqa: ANN401 - luma has no types
        """Open /dev/spidevPORT.DEVICE and the two pins; raises ScreenError."""
        del small_blocks  # the kernel's limit of 4096 bytes is also luma's
        from luma.core import error as errors

        spi, pins = self.make(), _Outputs(self.chip)
        try:
            return _own_pins(self, spi, pins)
        except ScreenError:
            pins.close()
            raise
        except PermissionError as error:
            pins.close()
            raise ScreenError(
                f"This user may not use {self}: add it to the group spi (sudo usermod -aG spi USER) and start anew."
            ) from error
        except (OSError, errors.Error) as error:
            pins.close()
            raise ScreenError(
                f"There is no {self} ({error}): switch SPI on (sudo raspi-config, Interface Options)."
            ) from error


def _own_pins(place: SpiPlace, spi: Any, pins: _Outputs) -> Any:  # noqa: ANN401 - luma and spidev have no types
    from luma.core.interface import serial

    class OwnPins(serial.spi):  # type: ignore[misc] # as above
        def cleanup(self) -> None:
            super().cleanup()
            pins.close()  # luma leaves pins that it was given

    return OwnPins(spi=spi, gpio=pins, port=place.port, device=place.device, gpio_DC=place.dc, gpio_RST=place.reset)


class _Outputs:
    """The part of RPi.GPIO's interface that luma uses for two output pins, over a chip of ours."""

    OUT, LOW, HIGH = "out", False, True

    def __init__(self, chip: PinChip) -> None:
        self._chip = chip
        self._pins: dict[int, Any] = {}

    def setup(self, number: int, direction: str) -> None:
        """Take a pin; raises ScreenError."""
        del direction
        from gpiozero import DigitalOutputDevice

        try:
            self._pins[number] = DigitalOutputDevice(number, pin_factory=self._chip.take(self))
        except ButtonsError as error:
            raise ScreenError(f"The screen cannot use GPIO{number}: {error}") from error
        except Exception as error:  # lgpio.error and gpiozero's share no base but this
            raise ScreenError(
                f"The screen cannot use GPIO{number}: {error}. Is another program using that pin?"
            ) from error

    def output(self, number: int, level: bool) -> None:  # noqa: FBT001 - RPi.GPIO's way
        """Set a pin high or low."""
        self._pins[number].value = level

    def close(self) -> None:
        """Let go of the pins."""
        for pin in self._pins.values():
            pin.close()
        self._pins = {}
        self._chip.leave(self)
