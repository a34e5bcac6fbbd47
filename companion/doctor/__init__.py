"""``companion doctor``: one line a check, each with its remedy; it never hangs, never raises, and changes nothing."""

import argparse
import json
import sys
from functools import partial
from pathlib import Path

from companion import crash
from companion.doctor import bundle, devices, machine, pieces, storage
from companion.doctor.check import Check, as_json, guarded, line
from companion.doctor.devices import Ask, ask
from companion.service import is_held
from companion.settings import Settings, data_folder, default_path
from companion.text import Lang

FAILS, OWNER = 1, 2
"""Exit statuses: a check fails; the parcel cannot be written."""

__all__ = ["Check", "checks", "line", "run"]


def checks(own: Settings, records: Path | None = None, *, root: Path = Path("/"), ask_device: Ask = ask) -> list[Check]:
    """Carry out every check, in the order in which an owner would look.

    ``records``: the folder of records. ``root``: where dev/, run/ and sys/ are. ``ask_device``: asks an I2C address.
    """
    records = records or data_folder("records")
    held = is_held(records)
    probes = (
        ("python", 5.0, machine.python),
        ("packages", 30.0, machine.packages),
        ("groups", 5.0, partial(machine.groups, own)),
        ("pin-factory", 10.0, partial(devices.pins, own, held=held)),
        ("i2c", 10.0, partial(devices.bus, own, root, ask_device)),
        ("screen", 10.0, partial(devices.screen, own, held=held)),
        ("cameras", 10.0, partial(devices.cameras, own, held=held)),
        ("camera", 25.0, partial(devices.camera, own, held=held)),
        ("looks", 20.0, pieces.looks),
        ("records", 10.0, partial(storage.folder, records)),
        ("record", 20.0, partial(storage.newest_record, records)),
        ("clock", 5.0, partial(machine.clock, records, root)),
        ("voltage", 10.0, partial(machine.voltage, root)),
        ("service", 10.0, machine.service),
        ("crash", 5.0, partial(storage.last_crash, crash.place())),
    )
    return [check for name, seconds, probe in probes for check in guarded(name, seconds, probe)]


def run(options: argparse.Namespace) -> int:
    """Print the checks, and write the parcel if one is wished for. Gives the exit status."""
    lang: Lang = options.lang
    records = options.data or data_folder("records")
    own_file = options.settings or default_path()
    own, first = storage.own_settings(own_file)
    found = [first, *checks(own, records)]
    is_well = all(check.verdict != "fail" for check in found)
    if options.json:
        _print(json.dumps({"ok": is_well, "checks": [as_json(one, lang) for one in found]}))
    else:
        _print("\n".join(line(check, lang) for check in found))
    if options.bundle is not None:
        try:
            bundle.write(options.bundle, found, own, own_file, records)
        except OSError as error:
            sys.stderr.write(f"companion: {options.bundle}: {error.strerror or error}. Name another file.\n")
            return OWNER
    return 0 if is_well else FAILS


def _print(text: str) -> None:
    """Print also what the terminal's encoding lacks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
