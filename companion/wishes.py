"""What an owner can wish for: the keys of the settings, their types, and what cannot be."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec

from engines.record import NAME_LENGTH
from hardware.board import (
    CAMERAS,
    I2C_ADDRESSES,
    I2C_DRIVERS,
    PIN_FACTORIES,
    SCREEN_BUSES,
    SCREEN_DRIVERS,
    BoardSettings,
    PinFactory,
    ScreenBus,
)
from hardware.interfaces import BoardError
from hardware.pins import DEFAULT_PINS, ENCODER, SUGGESTED_PINS, bcm_number, checked_pins

ADDRESS_LENGTH = 42
"""What fits a QR code of 29 x 29 modules (version 3, level M, ISO/IEC 18004), which is twice the OLED's pixels wide."""

_PIN = "a pin of the header that no bus uses, such as 17, 'GPIO17' or 'BOARD11', each for one part only"
_BUS = "0 to 9; the header's are 0 and 1"
ALLOWED: Mapping[str, str] = {
    "lang": "'ko' or 'en'",
    "names": f"a list of names in quotation marks, each once, 1 to {NAME_LENGTH} letters long",
    "sound": "'off', 'quiet' or 'loud'",
    "lamp": "true or false",
    "address": f"a text of at most {ADDRESS_LENGTH} letters, such as 'https://example.org/table'",
    "board": "a table [board]",
    "board.pin_factory": ", ".join(map(repr, PIN_FACTORIES)),
    "board.pins": "a table [board.pins] with up, down, ok, back and the optional parts",
    "board.screen": ", ".join(map(repr, SCREEN_DRIVERS)),
    "board.screen_bus": ", ".join(map(repr, SCREEN_BUSES)),
    "board.spi_port": _BUS,
    "board.spi_device": _BUS,
    "board.i2c_port": "0 to 255; the header's bus is 1",
    "board.i2c_address": f"{I2C_ADDRESSES[0]:#04x} to {I2C_ADDRESSES[-1]:#04x}; screens have 0x3c or 0x3d",
    "board.rotation_deg": "0, or 180 for a screen mounted upside down",
    "board.camera": CAMERAS,
    "board.swap_red_blue": "true or false",
    **{f"board.pins.{button}": _PIN for button in (*DEFAULT_PINS, *SUGGESTED_PINS)},
}
"""Key to what may stand there."""


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Part to pin: 17, ``"GPIO17"`` or ``"BOARD11"``; None: that part is not there."""

    up: int | str = DEFAULT_PINS["up"]
    down: int | str = DEFAULT_PINS["down"]
    ok: int | str = DEFAULT_PINS["ok"]
    back: int | str = DEFAULT_PINS["back"]
    read: int | str | None = None
    lamp: int | str | None = None
    push: int | str | None = None
    turn_a: int | str | None = None
    turn_b: int | str | None = None
    buzzer: int | str | None = None
    screen_dc: int | str | None = None
    screen_reset: int | str | None = None

    def there(self) -> dict[str, int | str]:
        """Give the parts that are there, with their pins as written."""
        return {part: pin for part, pin in msgspec.structs.asdict(self).items() if pin is not None}


class BoardTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[board]``: which devices there are, as :class:`hardware.board.BoardSettings` has them."""

    pin_factory: PinFactory = "lgpio"
    screen: str = "ssd1306"
    screen_bus: ScreenBus = "i2c"
    i2c_port: Annotated[int, msgspec.Meta(ge=0, le=255)] = 1
    i2c_address: int = 0x3C
    spi_port: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    spi_device: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    rotation_deg: Literal[0, 180] = 0
    camera: str = "picamera2"
    swap_red_blue: bool = False
    pins: Pins = Pins()


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings; what a file leaves out has its default."""

    lang: Literal["ko", "en"] | None = None
    """None: the language of the machine's locale."""
    names: tuple[str, ...] = ()
    """Players to choose from."""
    board: BoardTable = BoardTable()
    sound: Literal["off", "quiet", "loud"] = "quiet"
    """How loud the buzzer is, where there is one."""
    lamp: bool = True
    """Whether the READ button's lamp may shine, where there is one."""
    address: str = ""
    """What the page "about" shows as a QR code; empty: this machine's own address in its network."""

    def board_settings(self) -> BoardSettings:
        """Give the board of a Pi that these settings describe; raises BoardError where none can be so."""
        table = self.board
        return BoardSettings(
            "pi",
            table.pin_factory,
            pins=table.pins.there(),
            screen=table.screen,
            screen_bus=table.screen_bus,
            i2c_port=table.i2c_port,
            i2c_address=table.i2c_address,
            spi_port=table.spi_port,
            spi_device=table.spi_device,
            rotation_deg=table.rotation_deg,
            swap_red_blue=table.swap_red_blue,
            camera=table.camera,
        )


CAREFUL = Settings(board=BoardTable(camera="none"))
"""The settings of a start after several that failed: the defaults, and no camera."""


def troubles(settings: Settings) -> Iterator[tuple[str, str]]:
    """Give each key whose value is of the right type and yet impossible, with the reason."""
    names, table = settings.names, settings.board
    for name in names:
        if not 1 <= len(name) <= NAME_LENGTH or name.isspace():
            yield "names", f"{name!r} is no name."
    if len(set(names)) != len(names):
        yield "names", "a name stands twice."
    if table.screen not in SCREEN_DRIVERS:
        yield "board.screen", f"{table.screen!r} is not known."
    if table.i2c_address not in I2C_ADDRESSES:
        yield "board.i2c_address", f"no device can have the address {table.i2c_address:#04x}."
    if len(settings.address) > ADDRESS_LENGTH or not settings.address.isprintable():
        yield "address", "it does not fit the page."
    yield from _pin_troubles(table)
    if table.screen_bus == "i2c" and table.screen not in I2C_DRIVERS:
        yield "board.screen_bus", f"a screen with {table.screen!r} needs 'spi'."
    try:
        settings.board_settings()
    except BoardError as error:
        yield "board.camera", str(error)


def _pin_troubles(table: BoardTable) -> Iterator[tuple[str, str]]:
    pins: dict[str, int] = {}
    written = table.pins.there()
    for part, pin in written.items():
        try:
            pins |= {part: bcm_number(pin)}
            checked_pins(pins)
        except BoardError as error:
            yield f"board.pins.{part}", str(error)
    for part, other in (ENCODER, ENCODER[::-1]):
        if part in written and other not in written:
            yield f"board.pins.{other}", "the encoder needs both, turn_a and turn_b."
    if table.screen_bus == "spi" and "screen_dc" not in written:
        yield "board.pins.screen_dc", "a screen on SPI needs it."
