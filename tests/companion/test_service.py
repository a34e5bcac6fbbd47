"""What systemd is told, and that there is only one companion for a folder of records."""

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.service import AlreadyRunningError, Service, is_held, only_one

HOLDER = """
import sys, time
from pathlib import Path
from companion.service import AlreadyRunningError, only_one
try:
    with only_one(Path(sys.argv[1])):
        print("held", flush=True)
        sys.stdin.read()
except AlreadyRunningError as error:
    sys.exit(str(error))
"""


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """A socket that listens as systemd's does, and its name as the environment has it."""
    name = f"@companion-{os.getpid()}" if request.param == "abstract" else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(name.replace("@", "\0", 1) if request.param == "abstract" else name)
        listening.setblocking(False)
        yield listening, name


def heard(listening: socket.socket) -> list[bytes]:
    messages = []
    try:
        while True:
            messages.append(listening.recv(1000))
    except BlockingIOError:
        return messages


def test_systemd_hears_exactly_these_bytes(systemd: tuple[socket.socket, str]) -> None:
    listening, name = systemd
    service = Service({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000000"})

    service.ready()
    service.stopping()

    assert heard(listening) == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]


def test_a_beat_is_told_twice_an_interval_at_most_and_none_without_a_turn(systemd: tuple[socket.socket, str]) -> None:
    listening, name = systemd
    time = [100.0]
    service = Service({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000000"}, lambda: time[0])

    assert service.every_s == 10.0
    told = []
    for at in (100.0, 100.1, 104.9, 105.0, 109.0, 115.0, 500.0):
        time[0] = at
        service.beat()
        told.append(len(heard(listening)))

    assert told == [1, 0, 0, 1, 0, 1, 1]


@pytest.mark.parametrize(
    "watchdog",
    [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "1"}],
)
def test_without_a_watchdog_of_ours_there_is_no_beat(
    systemd: tuple[socket.socket, str], watchdog: dict[str, str]
) -> None:
    listening, name = systemd
    service = Service({"NOTIFY_SOCKET": name, **watchdog})

    service.ready()
    service.beat()

    assert service.every_s is None
    assert heard(listening) == [b"READY=1"]


@pytest.mark.parametrize("name", ["", "/nowhere/notify", "/" + "x" * 300, "@nobody-listens", "zero\0byte"])
def test_nobody_who_listens_is_no_trouble(name: str) -> None:
    service = Service({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "9"})

    service.ready()
    service.beat()
    service.stopping()


def test_a_systemd_that_does_not_read_is_not_waited_for(systemd: tuple[socket.socket, str]) -> None:
    listening, name = systemd
    service = Service({"NOTIFY_SOCKET": name})

    for _ in range(2000):  # far more than a socket's queue takes
        service.ready()

    assert 0 < len(heard(listening)) < 2000


def test_a_start_has_proved_good_once_it_was_ready_for_three_seconds_or_ended_well() -> None:
    for turns, settled in (((0.0, 2.9), 0), ((0.0, 2.9, 3.0, 9.0), 1)):
        time, told = [0.0], []
        service = Service({}, lambda time=time: time[0], lambda told=told: told.append("settled"))
        service.beat()
        service.ready()
        for time[0] in turns:
            service.beat()
        assert len(told) == settled
        service.stopping()
        assert len(told) == 1


def test_a_start_that_was_never_ready_has_not_proved_good() -> None:
    time, told = [0.0], []
    service = Service({}, lambda: time[0], lambda: told.append("settled"))
    for time[0] in (1.0, 100.0):
        service.beat()
    assert not told


def holder(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLDER, str(folder)]
    return subprocess.Popen(  # noqa: S603 - our own interpreter
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_a_second_start_is_told_who_runs_and_after_a_kill_a_third_one_works(tmp_path: Path) -> None:
    with holder(tmp_path) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        assert is_held(tmp_path)

        with holder(tmp_path) as second:
            _, said = second.communicate(timeout=30)
        assert second.returncode == 1
        assert f"(process {first.pid})" in said
        assert str(tmp_path) in said

        first.send_signal(signal.SIGKILL)
        first.wait(timeout=30)
    assert (tmp_path / ".lock").exists()
    assert not is_held(tmp_path)
    with only_one(tmp_path):
        assert is_held(tmp_path)


def test_the_lock_ends_with_its_block(tmp_path: Path) -> None:
    for _ in range(2):
        with only_one(tmp_path):
            assert is_held(tmp_path)
        assert not is_held(tmp_path)


def test_a_child_of_the_companion_does_not_hold_its_lock(tmp_path: Path) -> None:
    look = "import os; print([os.path.realpath(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd')])"
    with only_one(tmp_path):
        child = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", look], capture_output=True, text=True, close_fds=False, check=True, timeout=30
        )

    assert "pipe" in child.stdout
    assert ".lock" not in child.stdout


def test_another_folder_is_another_companion(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with only_one(tmp_path / "a"), only_one(tmp_path / "b"), pytest.raises(AlreadyRunningError):  # noqa: SIM117
        with only_one(tmp_path / "a"):
            pass


def test_a_full_disk_does_not_keep_the_companion_from_starting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with only_one(tmp_path), pytest.raises(AlreadyRunningError, match="Another companion already"):  # noqa: SIM117
        with only_one(tmp_path):
            pass


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.EIO])
def test_on_a_card_that_takes_no_lock_the_companion_starts_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fails(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", fails)
    with only_one(tmp_path):
        assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_held_by_nobody(tmp_path: Path) -> None:
    assert not is_held(tmp_path / "none")
