"""The machine around the companion: Python, packages, groups, power, clock, service."""

import grp
import importlib
import os
import re
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from companion import journal
from companion.doctor.check import Check, answer
from companion.settings import Settings

OLDEST_PYTHON = (3, 11)
NEEDED = ("table-companion", "msgspec", "gpiozero", "luma.oled", "pillow", "numpy")
OPTIONAL = ("opencv-python-headless", "opencv-python", "lgpio", "rpi-lgpio", "RPi.GPIO", "picamera2", "smbus2")
GROUPS = ("gpio", "video")
"""... and that of the screen's bus, which has the bus's name."""
WRITTEN_IN = datetime(2025, 1, 1, tzinfo=UTC)
"""No clock that is right shows an earlier time than the program's own."""
UNIT = "table-companion.service"

UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_SINCE = 1 << 0, 1 << 16
"""Bits of `vcgencmd get_throttled` (Raspberry Pi documentation, "vcgencmd"); the other bits are heat and its cure."""


def python() -> list[Check]:
    """Look at the interpreter."""
    facts = {"version": sys.version.split()[0], "oldest": ".".join(map(str, OLDEST_PYTHON))}
    if sys.version_info < OLDEST_PYTHON:
        return [Check("python", "fail", "old", facts)]
    return [Check("python", "ok", facts=facts)]


def versions() -> dict[str, str]:
    """Give the version of each package of interest that is installed."""
    found = {}
    for name in NEEDED + OPTIONAL:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def packages() -> list[Check]:
    """Look at the packages: are they there, does OpenCV load, who owns the module RPi."""
    found = versions()
    told = ", ".join(f"{name} {version}" for name, version in found.items())
    missing = [name for name in NEEDED if name not in found]
    return [
        Check("packages", "fail", "missing", {"missing": ", ".join(missing), "versions": told})
        if missing
        else Check("packages", "ok", facts={"versions": told}),
        _opencv(),
        _owners_of_rpi(),
    ]


def _opencv() -> Check:
    try:
        version = str(importlib.import_module("cv2").__version__)
    except Exception as error:  # noqa: BLE001 - ImportError for a missing .so, ValueError for another numpy's build
        return Check("opencv", "fail", "broken", {"detail": f"{type(error).__name__}: {error}"})
    return Check("opencv", "ok", facts={"version": version})


def _owners_of_rpi() -> Check:
    owners = sorted(set(metadata.packages_distributions().get("RPi", [])))
    if len(owners) > 1:
        return Check("rpi", "fail", "twice", {"owners": ", ".join(owners)})
    return Check("rpi", "ok", "ok" if owners else "none", {"owners": ", ".join(owners)})


def groups(own: Settings) -> list[Check]:
    """Look whether this user may use the devices."""
    if os.geteuid() == 0:
        return [Check("groups", "ok", "root")]
    wanted = (*GROUPS, own.board.screen_bus)
    absent, missing = [], []
    for name in wanted:
        try:
            number = grp.getgrnam(name).gr_gid
        except KeyError:
            absent.append(name)
            continue
        if number not in (*os.getgroups(), os.getegid()):
            missing.append(name)
    if missing:
        return [Check("groups", "fail", "missing", {"groups": ", ".join(missing), "list": ",".join(missing)})]
    if absent:
        return [Check("groups", "warn", "absent", {"groups": ", ".join(absent)})]
    return [Check("groups", "ok", facts={"groups": ", ".join(wanted)})]


def voltage(root: Path) -> list[Check]:
    """Ask the firmware whether the power supply is strong enough, or the kernel where the firmware gives no answer."""
    said = answer("vcgencmd", "get_throttled")
    if said is None:
        return [_alarm(root)]
    found = re.fullmatch(r"throttled=0x([0-9a-fA-F]{1,8})", said)
    if found is None:
        return [Check("voltage", "warn", "garbage", {"said": said[:60]})]
    bits = int(found[1], 16)
    facts = {"bits": f"{bits:#x}"}
    if bits & UNDER_VOLTAGE_NOW:
        return [Check("voltage", "fail", "now", facts)]
    if bits & UNDER_VOLTAGE_SINCE:
        return [Check("voltage", "warn", "since", facts)]
    return [Check("voltage", "warn" if bits else "ok", "hot" if bits else "ok", facts)]


def _alarm(root: Path) -> Check:
    """Read the alarm of the kernel's driver raspberrypi-hwmon; it stands as long as the voltage is low."""
    for sensor in (root / "sys/class/hwmon").glob("hwmon*"):
        try:
            if (sensor / "name").read_text().strip() != "rpi_volt":
                continue
            is_low = (sensor / "in0_lcrit_alarm").read_text().strip() != "0"
        except OSError:
            continue
        return Check("voltage", "fail" if is_low else "ok", "alarm" if is_low else "calm")
    return Check("voltage", "warn", "absent")


def clock(records: Path, root: Path) -> list[Check]:
    """Look whether the time of day can be right; only the records' dates hang on it."""
    now = datetime.now(UTC)
    facts = {"now": now.isoformat(timespec="minutes")}
    if now < WRITTEN_IN:
        return [Check("clock", "warn", "unset", facts)]
    newest = journal.newest(records)
    if newest is not None and newest.stat().st_mtime > now.timestamp() + 60:
        return [Check("clock", "warn", "behind", {**facts, "file": newest.name})]
    is_set = (root / "run/systemd/timesync/synchronized").exists()
    return [Check("clock", "ok" if is_set else "warn", "ok" if is_set else "unsure", facts)]


def service() -> list[Check]:
    """Ask systemd how the service does, and how it ended last time."""
    said = answer("systemctl", "show", "--property=LoadState,ActiveState,SubState,NRestarts,Result", UNIT)
    state = dict(one.partition("=")[::2] for one in (said or "").splitlines())
    facts = {
        "state": f"{state.get('ActiveState', '')} ({state.get('SubState', '')})",
        "restarts": state.get("NRestarts", "0"),
        "result": state.get("Result", ""),
    }
    if "LoadState" not in state:
        return [Check("service", "warn", "no-systemd")]
    if state["LoadState"] != "loaded":
        return [Check("service", "warn", "absent")]
    if state.get("ActiveState") == "active":
        is_calm = facts["restarts"] == "0"
        return [Check("service", "ok" if is_calm else "warn", "ok" if is_calm else "restarted", facts)]
    is_stopped = state.get("ActiveState") == "inactive" and facts["result"] == "success"
    return [Check("service", "warn" if is_stopped else "fail", "stopped" if is_stopped else "failed", facts)]
