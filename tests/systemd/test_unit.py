"""The service's unit: what it promises, read here, and what systemd itself says of it."""

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "systemd"
UNIT = FOLDER / "table-companion.service"

LOUD = "systemd-analyze is missing: the unit was NOT checked by systemd (Debian: apt-get install systemd)"
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason=LOUD)


def keys(path: Path) -> dict[str, list[str]]:
    """Give ``Section.Key`` to its values, in order."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(f"{section}.{key}", []).append(value)
    return found


PROMISES = {
    "User": "table-companion",
    "SupplementaryGroups": "gpio i2c spi video",
    "Type": "notify",
    "StateDirectory": "table-companion",
    "RuntimeDirectory": "table-companion",
    "WorkingDirectory": "%S/table-companion",
    "Environment": "LG_WD=%t/table-companion",
    "Restart": "on-failure",
    "RestartSec": "5",
    "WatchdogSec": "30",
    "TimeoutStopSec": "5",
    "ProtectSystem": "strict",
    "NoNewPrivileges": "yes",
    "CapabilityBoundingSet": "",
    "DevicePolicy": "closed",
}


@pytest.mark.parametrize("key", PROMISES)
def test_the_unit_promises(key: str) -> None:
    assert keys(UNIT)[f"Service.{key}"] == [PROMISES[key]]


def test_all_devices_of_the_table_are_allowed() -> None:
    allowed = {one.partition(" ")[0] for one in keys(UNIT)["Service.DeviceAllow"]}

    assert allowed >= {"char-gpiochip", "char-i2c", "char-spi", "char-video4linux", "char-media", "char-dma_heap"}


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("Service.PrivateDevices", "hides the pins, the bus and the camera"),
        ("Service.PrivateUsers", "the groups gpio, i2c and video would not count"),
        ("Service.ProcSubset", "hides the board's revision in /proc"),
        ("Service.DynamicUser", "the records need an owner that stays"),
        ("Unit.After", "the network is not needed, and not waited for"),
        ("Unit.Wants", "as above"),
        ("Unit.Requires", "as above"),
    ],
)
def test_what_would_break_the_companion_is_left_out(key: str, why: str) -> None:
    assert key not in keys(UNIT), why


def test_a_failing_service_is_tried_again_for_ever() -> None:
    assert keys(UNIT)["Unit.StartLimitIntervalSec"] == ["0"]
    assert keys(FOLDER / "backoff.conf") == {"Service.RestartSteps": ["5"], "Service.RestartMaxDelaySec": ["2min"]}


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False, timeout=60)  # noqa: S603, S607


def verify(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Have systemd verify a unit whose program exists."""
    program = folder / "companion"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    unit = folder / UNIT.name
    unit.write_text(text.replace("/opt/table-companion/bin/companion", str(program)), encoding="utf-8")
    return analyze("verify", str(unit))


@needs_systemd
def test_systemd_finds_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    done = verify(tmp_path, UNIT.read_text(encoding="utf-8"))

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_systemd
def test_a_misspelt_key_would_be_noticed(tmp_path: Path) -> None:
    done = verify(tmp_path, UNIT.read_text(encoding="utf-8").replace("WatchdogSec", "WatchDogSec"))

    assert "WatchDogSec" in done.stderr


@needs_systemd
def test_the_exposure_is_at_most_three() -> None:
    done = analyze("security", "--offline=true", "--threshold=30", "--no-pager", str(UNIT))

    assert done.returncode == 0, done.stdout
