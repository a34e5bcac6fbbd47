"""The owner's settings: one TOML file, read strictly, replaced whole, and never silently forgotten.

A wrong key or value is the owner's to correct (SettingsError). A damaged file - empty, cut off, no text, no TOML - is
what a power cut or a dying card leaves behind: then the last good copy beside it is used, and that is said.
"""

import contextlib
import itertools
import json
import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
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

HEAD = "# Settings of the table companion: docs/settings.md says what each is. The last line tells that none is lost.\n"
END = "# end\n"

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


class SettingsError(ValueError):
    """Settings that cannot be used; the message names file, key and what is allowed."""


class _DamagedError(ValueError):
    """The file is not what anybody wrote."""


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


class Loaded(msgspec.Struct, frozen=True):
    """Settings, and what is to be said about where they come from (empty: nothing)."""

    settings: Settings
    notice: str = ""


def default_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Give the settings' place: the service's STATE_DIRECTORY, or where this user's programs are configured."""
    if state := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(state) / "settings.toml"
    config = environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "table-companion" / "settings.toml"


def data_folder(name: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Give the folder ``name`` of what is kept: in the service's STATE_DIRECTORY, or with this user's state."""
    if state := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(state) / name
    return Path(environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "table-companion" / name


def good_copy(path: Path) -> Path:
    """Give the place of a settings file's last good copy."""
    return path.with_name(f"{path.name}.last-good")


def load(path: Path, *, keep_copy: bool = True) -> Loaded:
    """Read a settings file; a missing one means the defaults. Raises SettingsError.

    ``keep_copy``: keep a good file's contents as the last good copy, where the folder can be written.
    """
    path = path.resolve()
    copy = good_copy(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        missing = f"{path} is missing: the defaults are used. Put {copy} back in its place, or delete that too."
        return Loaded(Settings(), missing if copy.exists() else "")
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}. Settings are read there.") from error
    kept = _bytes_or_none(copy)
    try:
        _whole(data, kept, copy)
        settings = _parsed(data, path)
    except _DamagedError as damage:
        return _from_copy(path, kept, damage)
    if keep_copy and kept != data:
        with contextlib.suppress(OSError):  # a read-only card: the settings themselves are fine
            _replace(copy, data)
    return Loaded(settings)


def save(path: Path, settings: Settings) -> None:
    """Replace a settings file, and its copy; one that nobody could read is set aside first. Raises SettingsError."""
    path = path.resolve()
    try:
        data = text(settings).encode()
        _parsed(data, path)
    except (UnicodeEncodeError, _DamagedError) as error:  # half a surrogate pair, a tangle of a folder's name
        raise SettingsError(f"{path}: {error}. Such a text cannot be kept.") from error
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _set_aside_unreadable(path)
        _replace(path, data)
        _replace(good_copy(path), data)
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}. Settings are kept there.") from error


def text(settings: Settings) -> str:
    """Write settings as TOML, every key with its value."""
    table = settings.board
    lines = [f'lang = "{settings.lang}"'] if settings.lang else []
    lines += [f"names = [{', '.join(map(_toml, settings.names))}]"]
    lines += [f"{key} = {_toml(getattr(settings, key))}" for key in ("sound", "lamp", "address")]
    lines += ["", "[board]"]
    board = msgspec.structs.asdict(table) | {"i2c_address": f"{table.i2c_address:#04x}"}
    lines += [
        f"{key} = {value if key == 'i2c_address' else _toml(value)}" for key, value in board.items() if key != "pins"
    ]
    lines += ["", "[board.pins]"]
    lines += [f"{part} = {_toml(pin)}" for part, pin in table.pins.there().items()]
    return HEAD + "\n".join(lines) + "\n" + END


def _toml(value: object) -> str:
    """Write a number, a string or a truth: TOML's strings are JSON's, but for one control character more to escape."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _whole(data: bytes, kept: bytes | None, copy: Path) -> None:
    """Raise _DamagedError for a file of which something is lost; ``kept`` is the last good copy's contents."""
    if not data:
        raise _DamagedError("it is empty")
    if b"\0" in data:
        raise _DamagedError("it holds zero bytes")
    if kept is not None and data != kept and kept.startswith(data):
        raise _DamagedError(f"its end is missing; if lines were left out on purpose, delete {copy}")


def _parsed(data: bytes, path: Path) -> Settings:
    """Read the contents of a file. Raises _DamagedError, or SettingsError for what the owner has to correct."""
    try:
        found = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _DamagedError(f"it is no UTF-8 text from byte {error.start} on") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _DamagedError(f"it is no TOML: {error}") from None
    try:
        settings = msgspec.convert(found, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{path}: {_explained(error)}") from None
    for key, reason in _troubles(settings):
        raise SettingsError(f"{path}: {key}: {reason} Allowed: {ALLOWED[key]}.")
    return settings


def _explained(error: msgspec.ValidationError) -> str:
    """Turn the library's ``Expected `int`, got `str` - at `$.board.i2c_port` `` into key, reason, what is allowed."""
    detail, _, place = str(error).partition(" - at `")
    key = place.strip("`").removeprefix("$").lstrip(".").partition("[")[0]
    if "unknown field" in detail:
        unknown = detail.split("`")[1]
        known = [name.removeprefix(f"{key}.") for name in ALLOWED if name.rpartition(".")[0] == key]
        return f"{f'{key}.' if key else ''}{unknown}: this key is not known. Allowed: {', '.join(known)}."
    return f"{key}: {detail}. Allowed: {ALLOWED[key]}."


def _troubles(settings: Settings) -> Iterator[tuple[str, str]]:
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


def _from_copy(path: Path, kept: bytes | None, damage: _DamagedError) -> Loaded:
    copy = good_copy(path)
    if not kept:
        raise SettingsError(f"{path} is damaged: {damage}. It has no last good copy: correct it, or delete it.")
    try:
        settings = _parsed(kept, copy)
    except ValueError as error:
        message = f"{path} is damaged: {damage}. Its last good copy cannot help ({error}): correct it, or delete both."
        raise SettingsError(message) from None
    return Loaded(settings, f"{path} is damaged: {damage}. The last good copy is used, {copy}.")


def _bytes_or_none(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _set_aside_unreadable(path: Path) -> None:
    data = _bytes_or_none(path)
    if data is None:
        return
    try:
        _parsed(data, path)
    except ValueError:
        names = (path.with_name(f"{path.name}.damaged-{number}") for number in itertools.count(1))
        path.rename(next(name for name in names if not name.exists()))


def _replace(path: Path, data: bytes) -> None:
    """Put a whole file in place: written and synced beside, renamed, and the folder synced too."""
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor is no path
            os.fchmod(descriptor, 0o644)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        Path(beside).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(beside).unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
