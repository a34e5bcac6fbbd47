"""A parcel for a bug report: what the doctor found, versions, settings, the newest record, and no name of a player."""

import json
import platform
import zipfile
from pathlib import Path
from typing import Any

import msgspec

from companion import journal, settings
from companion.doctor.check import Check, as_json, line
from companion.doctor.machine import versions
from companion.settings import Settings
from engines import record

DROPPED = ("note", "evidence")
"""Keys of a record that hold free text or file names."""


def write(file: Path, found: list[Check], own: Settings, records: Path) -> None:
    """Write the parcel; raises OSError."""
    parts = {
        "doctor.txt": "\n".join(line(check, "en") for check in found) + "\n",
        "doctor.json": json.dumps([as_json(check, "en") for check in found], indent=1),
        "versions.txt": "\n".join(_versions()) + "\n",
        "settings.toml": settings.text(msgspec.structs.replace(own, names=())),
    }
    newest = journal.newest(records)
    if newest is not None:
        parts[newest.name] = without_names(newest.read_bytes())
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as parcel:
        for name, text in parts.items():
            part = zipfile.ZipInfo(name)  # dated 1980: a Pi without a clock may be before what a ZIP can date
            parcel.writestr(part, _without_home(text).encode("utf-8", "replace"), zipfile.ZIP_DEFLATED)


def _versions() -> list[str]:
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return [f"python {platform.python_version()}", system, *(f"{name} {one}" for name, one in versions().items())]


def _without_home(text: str) -> str:
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


def without_names(data: bytes) -> str:
    """Give a record with P1, P2 ... for its players; a line that cannot be read is only counted."""
    lines = [*map(_object, data.split(b"\n"))]
    players = lines[0].get("players") if lines and lines[0] is not None else None
    names = [name for name in players if isinstance(name, str)] if isinstance(players, list) else []
    aliases = {name: f"P{number}" for number, name in enumerate(names, 1)}
    told = []
    for raw, found in zip(data.split(b"\n"), lines, strict=True):
        if not raw:
            continue
        if found is None or not aliases:
            told.append(f"({len(raw)} bytes that are no line of a record)")
            continue
        kept = {key: value for key, value in found.items() if key not in DROPPED}
        told.append(msgspec.json.encode(_renamed(kept, aliases)).decode())
    return "\n".join(told) + "\n"


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        return record.parse(line)
    except ValueError:
        return None


def _renamed(value: Any, aliases: dict[str, str]) -> Any:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, str):
        return aliases.get(value, value)
    if isinstance(value, list):
        return [_renamed(one, aliases) for one in value]
    if isinstance(value, dict):
        return {aliases.get(key, key): _renamed(one, aliases) for key, one in value.items()}
    return value
