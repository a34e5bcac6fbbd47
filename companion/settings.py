"""The owner's settings: one TOML file, read strictly, replaced whole, and never silently forgotten.

A wrong key or value is the owner's to correct (SettingsError). A damaged file - empty, cut off, no text, no TOML - is
what a power cut or a dying card leaves behind: then the last good copy beside it is used, and that is said.
"""

import contextlib
import itertools
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from companion import disk
from companion.wishes import ADDRESS_LENGTH, ALLOWED, CAREFUL, BoardTable, Pins, Settings, troubles

__all__ = [
    "ADDRESS_LENGTH",
    "ALLOWED",
    "CAREFUL",
    "BoardTable",
    "Loaded",
    "Pins",
    "Settings",
    "SettingsError",
    "data_folder",
    "default_path",
    "good_copy",
    "load",
    "save",
    "text",
]

HEAD = "# Settings of the table companion: docs/settings.md says what each is. The last line tells that none is lost.\n"
END = "# end\n"


class SettingsError(ValueError):
    """Settings that cannot be used; the message names file, key and what is allowed."""


class _DamagedError(ValueError):
    """The file is not what anybody wrote."""


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
            disk.replace(copy, data)
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
        disk.replace(path, data)
        disk.replace(good_copy(path), data)
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
    for key, reason in troubles(settings):
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
