"""What is kept: settings, the records' folder, the newest record."""

import os
import shutil
from pathlib import Path

from companion import journal, settings
from companion.doctor.check import Check
from companion.replay import replay_file
from companion.settings import Settings, SettingsError

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
    """Replay the newest record. What it says stays unsaid: it may name players."""
    path = journal.newest(records)
    if path is None:
        return [Check("record", "ok", "none")]
    found, status = replay_file(str(path), "en", steps=False)
    facts = {"file": path.name, "game": found["game"], "inputs": found["inputs"]}
    if status:
        return [Check("record", "fail", "damaged", {**facts, "number": found["error"]["line"]})]
    is_torn = bool(found["dropped"])
    return [Check("record", "warn" if is_torn else "ok", "torn" if is_torn else "ok", facts)]
