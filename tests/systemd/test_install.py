"""The installer, with a system around it that only writes down what it was asked for."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion import settings
from companion.settings import Settings

FOLDER = Path(__file__).parents[2] / "systemd"
INSTALL = FOLDER / "install.sh"
HOME = "/var/lib/table-companion"

LOG = '#!/bin/sh\necho "$(basename "$0") $*" >>"$CALLS"\n'
FAKES = {
    "apt-get": '[ "$*" != "$APT_FAILS" ]',
    "raspi-config": "",
    "useradd": 'echo "$*" >"$HOME/user"',
    "usermod": "",
    "groupadd": "",
    "userdel": 'rm "$HOME/user"',
    "getent": 'case "$1" in passwd) [ -e "$HOME/user" ] ;; *) [ "$2" = video ] ;; esac',
    "systemctl": """case "$1" in
--version) echo "systemd $SYSTEMD (distribution)" ;;
is-system-running) echo "$STATE_OF_SYSTEMD" ;;
esac""",
    "python3": """case "$*" in
*venv*) for last; do :; done; mkdir -p "$last/bin" "$last/lib/python3.11"; ln -sf "$0" "$last/bin/python" ;;
*version_info*) echo "python$PYTHON" ;;
*numpy*) echo "$NUMPY" ;;
esac""",
}


class System:
    """A folder for a root, and a PATH of programs that write down their calls."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.state = self.root / "var/lib/table-companion"
        self.calls = folder / "calls"
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name, behaviour in FAKES.items():
            (self.bin / name).write_text(LOG + behaviour + "\n", encoding="utf-8")
            (self.bin / name).chmod(0o755)
        self.environ = {"PATH": f"{self.bin}:{os.defpath}", "HOME": str(folder), "DESTDIR": str(self.root)}
        self.environ |= {"CALLS": str(self.calls), "SYSTEMD": "252", "PYTHON": "3.11", "APT_FAILS": ""}
        self.environ |= {"NUMPY": "2", "STATE_OF_SYSTEMD": "running"}

    def install(self, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own script
            [INSTALL, *options], env=self.environ | environ, capture_output=True, text=True, check=False, timeout=60
        )

    def called(self) -> list[str]:
        """Give the calls since the last time, without questions."""
        text = self.calls.read_text(encoding="utf-8") if self.calls.exists() else ""
        self.calls.unlink(missing_ok=True)
        asked = ("getent", "systemctl --version", "systemctl is-system-running", "python3 -c")
        return [line for line in text.splitlines() if not line.startswith(asked)]

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


def test_a_fresh_system_gets_libraries_buses_user_program_service(system: System) -> None:
    done = system.install()

    assert (done.returncode, done.stderr) == (0, "")
    venv = system.root / "opt/table-companion"
    assert system.called() == [
        "apt-get update",
        "apt-get install -y --no-install-recommends python3 python3-venv python3-lgpio",
        "apt-get install -y --no-install-recommends python3-picamera2",
        "apt-get install -y --no-install-recommends polkitd",
        "raspi-config nonint do_i2c 0",
        "groupadd --system gpio",
        "groupadd --system i2c",
        "groupadd --system spi",
        f"useradd --system --user-group --home-dir {HOME} --no-create-home --shell /usr/sbin/nologin table-companion",
        "usermod -aG gpio,i2c,spi,video table-companion",
        f"python3 -m venv --system-site-packages {venv}",
        f"python -m pip install --disable-pip-version-check --upgrade --constraint {venv}/versions.txt {FOLDER.parent}",
        "systemctl enable table-companion.service",
        "systemctl daemon-reload",
        "systemctl restart table-companion.service",
    ]
    unit = system.root / "etc/systemd/system/table-companion.service"
    assert unit.read_bytes() == (FOLDER / "table-companion.service").read_bytes()
    assert (system.root / "usr/local/bin/table-companion").stat().st_mode & 0o777 == 0o755


def test_spi_is_switched_on_for_a_screen_that_speaks_it(system: System) -> None:
    system.install()
    assert "raspi-config nonint do_spi 0" not in system.called()
    (system.state / "settings.toml").write_text('[board]\nscreen_bus = "spi"\n', encoding="utf-8")

    system.install()

    assert "raspi-config nonint do_spi 0" in system.called()


def test_switching_off_is_all_that_the_services_user_may(system: System) -> None:
    system.install()

    rules = (system.root / "etc/polkit-1/rules.d/50-table-companion.rules").read_text(encoding="utf-8")
    assert set(re.findall(r'"org[^"]+"', rules)) == {
        '"org.freedesktop.login1.power-off"',
        '"org.freedesktop.login1.power-off-multiple-sessions"',
    }
    assert 'subject.user == "table-companion"' in rules


def test_the_settings_it_lays_down_are_good_and_name_the_pin_factory(system: System) -> None:
    system.install()

    path = system.state / "settings.toml"
    assert settings.load(path).settings == Settings()
    assert '\npin_factory = "lgpio"\n' in path.read_text(encoding="utf-8")


def test_running_it_again_changes_nothing_and_keeps_settings_and_records(system: System) -> None:
    system.install()
    (system.state / "settings.toml").write_text('lang = "ko"\n', encoding="utf-8")
    (system.state / "records").mkdir()
    (system.state / "records/0001-witch-race.jsonl").write_text("{}\n", encoding="utf-8")
    before, _ = system.files(), system.called()

    done = system.install()

    assert (done.returncode, done.stderr) == (0, "")
    assert system.files() == before
    assert not [call for call in system.called() if call.startswith("useradd")]


def test_a_dry_run_says_every_step_and_does_none(system: System) -> None:
    done = system.install("--dry-run")

    assert (done.returncode, system.called(), system.root.exists()) == (0, [], False)
    for step in (
        "apt-get install",
        "raspi-config nonint do_i2c 0",
        "useradd",
        "venv",
        "pip install",
        "systemctl enable",
    ):
        assert step in done.stdout


def test_uninstalling_keeps_what_was_played_and_purging_does_not(system: System) -> None:
    system.install()
    system.called()

    assert system.install("--uninstall").returncode == 0
    assert list(system.files()) == ["var/lib/table-companion/settings.toml"]
    assert system.called() == ["systemctl disable --now table-companion.service", "systemctl daemon-reload"]

    assert system.install("--uninstall", "--purge").returncode == 0
    assert system.files() == {}
    assert "userdel table-companion" in system.called()
    assert system.install("--uninstall", "--purge").returncode == 0, "once more is harmless"


def test_a_system_without_picamera2_goes_on_by_hand_and_says_so(system: System) -> None:
    done = system.install(APT_FAILS="install -y --no-install-recommends python3-picamera2")

    assert done.returncode == 0
    assert "the camera will be missing" in done.stderr
    assert "systemctl enable table-companion.service" in system.called()


def test_a_system_that_has_no_lgpio_ends_the_installation(system: System) -> None:
    done = system.install(APT_FAILS="install -y --no-install-recommends python3 python3-venv python3-lgpio")

    assert done.returncode != 0
    assert "systemctl enable table-companion.service" not in system.called()


def test_without_raspi_config_it_says_what_to_do_by_hand(system: System) -> None:
    if shutil.which("raspi-config", path=os.defpath):
        pytest.skip("this machine has a raspi-config of its own")
    (system.bin / "raspi-config").unlink()

    done = system.install()

    assert done.returncode == 0
    assert "switch I2C and the camera on by hand" in done.stderr


@pytest.mark.parametrize(
    ("config", "asked"),
    [("dtparam=audio=on\n", True), ("camera_auto_detect=1\n", False), ("dtoverlay=imx519\n", False)],
)
def test_the_camera_is_switched_on_only_where_it_is_off(system: System, config: str, *, asked: bool) -> None:
    file = system.root / "boot/firmware/config.txt"
    file.parent.mkdir(parents=True)
    file.write_text(config, encoding="utf-8")

    system.install()

    assert (f"raspi-config nonint set_config_var camera_auto_detect 1 {file}" in system.called()) == asked


@pytest.mark.parametrize(("version", "there"), [("252", False), ("253", False), ("254", True), ("257", True)])
def test_growing_pauses_are_asked_of_a_systemd_that_knows_them(system: System, version: str, *, there: bool) -> None:
    system.install(SYSTEMD=version)

    assert (system.root / "etc/systemd/system/table-companion.service.d/backoff.conf").exists() == there


def locked() -> list[str]:
    """Give the versions of requirements.lock, with their conditions."""
    lines = (FOLDER.parent / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return [line.rstrip(" \\") for line in lines if not line.startswith((" ", "#"))]


@pytest.mark.parametrize("numpy", ["", "2"])
def test_the_versions_are_those_that_were_tested(system: System, numpy: str) -> None:
    system.install(NUMPY=numpy)

    versions = (system.root / "opt/table-companion/versions.txt").read_text(encoding="utf-8").splitlines()
    assert versions == locked()
    assert any(line.startswith("opencv-python-headless==") for line in versions)


def test_beside_an_older_numpy_of_the_system_numpy_stays_old_and_opencv_follows(system: System) -> None:
    """Bookworm's picamera2 is built for numpy 1."""
    system.install(NUMPY="1")

    versions = (system.root / "opt/table-companion/versions.txt").read_text(encoding="utf-8").splitlines()
    assert versions == [*(one for one in locked() if not one.startswith(("numpy", "opencv"))), "numpy<2"]


def test_where_no_systemd_runs_the_service_is_installed_for_the_next_boot(system: System) -> None:
    done = system.install(STATE_OF_SYSTEMD="offline")

    assert done.returncode == 0
    assert "the service starts with the next boot" in done.stderr
    calls = system.called()
    assert "systemctl enable table-companion.service" in calls
    assert not [call for call in calls if "restart" in call or "daemon-reload" in call]
    assert system.install("--uninstall", STATE_OF_SYSTEMD="offline").returncode == 0
    assert system.called() == ["systemctl disable table-companion.service"]


def test_after_an_upgrade_of_the_system_the_venv_is_made_anew(system: System) -> None:
    system.install()
    system.called()

    system.install(PYTHON="3.13")

    assert f"python3 -m venv --system-site-packages --clear {system.root}/opt/table-companion" in system.called()


@pytest.mark.parametrize(("options", "status"), [(["--help"], 0), (["--what"], 2), (["--purge"], 2)])
def test_other_options_do_nothing(system: System, options: list[str], status: int) -> None:
    done = system.install(*options)

    assert (done.returncode, system.called()) == (status, [])
    assert done.stdout + done.stderr


def test_no_library_of_the_pi_is_ever_asked_of_pip() -> None:
    text = INSTALL.read_text(encoding="utf-8").replace("\\\n", "")
    pip = [line for line in text.splitlines() if "pip install" in line]

    assert len(pip) == 1
    assert "lgpio" not in pip[0]
    assert "picamera2" not in pip[0]
    assert not [one for one in locked() if one.startswith(("lgpio", "picamera2", "rpi"))]


@pytest.mark.skipif(
    shutil.which("shellcheck") is None,
    reason="shellcheck is missing: the scripts were NOT checked (Debian: apt-get install shellcheck)",
)
def test_shellcheck_finds_nothing_to_say() -> None:
    scripts = [str(path) for folder in (FOLDER, Path(__file__).parent) for path in sorted(folder.glob("*.sh"))]
    done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False, timeout=60)  # noqa: S603, S607

    assert done.stdout == ""
