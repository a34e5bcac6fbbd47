"""A parcel for a bug report: what the doctor found, versions, settings, the newest record, and no name of a player."""

import contextlib
import io
import json
import platform
import re
import tomllib
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from companion import crash, disk, journal, settings
from companion.doctor.check import Check, as_json, line
from companion.doctor.machine import versions
from companion.settings import Settings
from engines import record

DROPPED = ("note", "evidence")
"""Keys of a record that hold free text or file names."""
SOMEBODY = "(a player)"


def write(file: Path, found: list[Check], own: Settings, own_file: Path, records: Path) -> None:
    """Write the parcel, whole or not at all; raises OSError. ``own_file``: where the settings were read."""
    names = names_in(own_file, records)
    told = [msgspec.structs.replace(check, facts=_facts_without(check.facts, names)) for check in found]
    parts = {
        "doctor.txt": "\n".join(line(check, "en") for check in told) + "\n",
        "doctor.json": json.dumps([as_json(check, "en") for check in told], indent=1),
        "versions.txt": "\n".join(_versions()) + "\n",
        "settings.toml": settings.text(msgspec.structs.replace(own, names=(), address="")),
    }
    if crash.place().exists():
        parts["last-crash.txt"] = anonymous(crash.place().read_text(encoding="utf-8", errors="replace"), names)
    newest = journal.newest(records)
    if newest is not None:
        parts[newest.name] = without_names(newest.read_bytes())
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as parcel:
        for name, text in parts.items():
            part = zipfile.ZipInfo(name)  # dated 1980: a Pi without a clock may be before what a ZIP can date
            parcel.writestr(part, _without_home(text).encode("utf-8", "replace"), zipfile.ZIP_DEFLATED)
    disk.replace(file, data.getvalue())


def names_in(own_file: Path, records: Path) -> frozenset[str]:
    """Give every name of a player that the settings or a record's header hold, even those that are no good."""
    found: set[object] = set()
    for path in records.glob(f"*{journal.SUFFIX}"):
        with contextlib.suppress(OSError, ValueError), path.open("rb") as file:
            players = record.parse(file.readline()).get("players")
            found.update(players if isinstance(players, list) else ())
    with contextlib.suppress(OSError, ValueError, TypeError):
        found.update(tomllib.loads(own_file.read_text(encoding="utf-8")).get("names", ()))
    return frozenset(name for name in found if isinstance(name, str) and name.strip())


def anonymous(text: str, names: Collection[str]) -> str:
    """Give a text without names; a name inside of a Latin word is none, a Korean one may have a particle behind it."""
    for name in sorted(names, key=len, reverse=True):
        before = r"(?<![0-9A-Za-z])" if name[0].isascii() else ""
        behind = r"(?![0-9A-Za-z])" if name[-1].isascii() else ""
        text = re.sub(f"{before}{re.escape(name)}{behind}", SOMEBODY, text)
    return text


def _facts_without(facts: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {key: anonymous(fact, names) if isinstance(fact, str) else fact for key, fact in facts.items()}


def _versions() -> list[str]:
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return [f"python {platform.python_version()}", system, *(f"{name} {one}" for name, one in versions().items())]


def _without_home(text: str) -> str:
    """Give a text without the names of this machine's users, as far as they are in the paths of their folders."""
    home = str(Path.home())
    text = text.replace(home, "~") if len(home) > 1 else text
    return re.sub(r"/home/[^/\s\"']+", "~", text)


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
