"""What is kept: settings, the records' folder, the newest record."""

import os
import shutil
from pathlib import Path

from companion import journal, settings
from companion.doctor.check import Check
from companion.settings import Settings, SettingsError
from engines.record import RecordError

LITTLE_MB, NOTHING_MB = 200, 20
"""A game is about 0.1 MB; a system without any space does not even start."""


def own_settings(path: Path) -> tuple[Settings, Check]:
    """Read the settings without writing anything; the defaults stand in for those that cannot be read."""
    try:
        loaded = settings.load(path, keep_copy=False)
    except SettingsError as error:
        return Settings(), Check("settings", "fail", "wrong", {"detail": str(error)})
    if loaded.notice:
        return loaded.settings, Check("settings", "warn", "notice", {"detail": loaded.notice})
    return loaded.settings, Check("settings", "ok", "ok" if path.exists() else "defaults", {"file": str(path)})


def folder(records: Path) -> list[Check]:
    """Look whether games can be kept, and how much room there is. Makes no folder."""
    facts = {"folder": str(records)}
    try:
        place = next(one for one in (records, *records.absolute().parents) if one.exists())
        if records.exists():
            journal.check(records)
        elif not os.access(place, os.W_OK | os.X_OK):
            return [Check("records", "fail", "unwritable", {"detail": f"{place}: not writable"})]
        free = shutil.disk_usage(place).free // 1_000_000
    except OSError as error:
        return [Check("records", "fail", "unwritable", {"detail": str(error)})]
    found = [Check("records", "ok", "ok" if records.exists() else "absent", facts)]
    size = {"free": free, "place": str(place)}
    if free < LITTLE_MB:
        return [*found, Check("space", "fail" if free < NOTHING_MB else "warn", "little", size)]
    return [*found, Check("space", "ok", facts=size)]


def newest_record(records: Path) -> list[Check]:
    """Open the newest record as the next start would, but change nothing, and say nothing of it: it names players."""
    path = journal.newest(records)
    if path is None:
        return [Check("record", "ok", "none")]
    try:
        found = journal.open_again(path)
    except RecordError:
        return [Check("record", "fail", "no-record", {"file": path.name})]
    facts = {"file": path.name, "game": found.game.header.game, "inputs": len(found.game.steps)}
    if found.damaged_line is not None:
        return [Check("record", "fail", "damaged", {**facts, "number": found.damaged_line})]
    return [Check("record", "warn" if found.torn else "ok", "torn" if found.torn else "ok", facts)]


def last_crash(path: Path) -> list[Check]:
    """Look whether a fault of ours is still to be reported."""
    try:
        first, *rest = path.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
    except FileNotFoundError:
        return [Check("crash", "ok", "none")]
    except OSError as error:
        return [Check("crash", "warn", "unreadable", {"file": str(path), "detail": error.strerror or str(error)})]
    return [Check("crash", "warn", "found", {"file": str(path), "when": first, "what": rest[-1] if rest else ""})]
