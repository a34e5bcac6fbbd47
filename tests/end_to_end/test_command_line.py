"""The program as people start it: its own process, files and a terminal, nothing else."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest

PATIENCE_S = 60.0
COMPANION = [sys.executable, "-m", "companion.cli"]
HOUSE = Path(__file__).parents[2]
PHOTOS = HOUSE / "companion" / "demo" / "photos"
WITCHES = HOUSE / "tests" / "engines" / "witch_race" / "two_players.jsonl"
FRAME = "└"
"""The last line of a page as the terminal shows it."""


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(HOUSE), "LANG": "C.UTF-8", "PYTHONWARNINGS": "error", **changes}


def companion(*arguments: object, cwd: Path, keys: bytes = b"", **changes: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603 - our own program
        [*COMPANION, *map(str, arguments)],
        cwd=cwd, env=environment(**changes), input=keys, capture_output=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def replayed(path: Path, cwd: Path) -> dict[str, Any]:
    done = companion("replay", "--json", path, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refused(done: subprocess.CompletedProcess[bytes], *words: str) -> None:
    """One clear sentence on stderr, exit status 2, and no traceback."""
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert "Traceback" not in said
    assert all(word in said for word in words), said


# --- the demo ---------------------------------------------------------------------------------------------------------


class Demo:
    """A demo that was played to its end."""

    def __init__(self, folder: Path, lang: str) -> None:
        self.data, self.save = folder / "data", folder / "save"
        self.done = companion("demo", "--fast", "--lang", lang, "--data", self.data, "--save", self.save, cwd=folder)
        assert self.done.returncode == 0, self.done.stderr.decode()
        (self.record,) = self.save.glob("*.jsonl")


@pytest.fixture(scope="module")
def english_demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return Demo(tmp_path_factory.mktemp("demo"), "en")


@pytest.fixture(scope="module", params=["en", pytest.param("ko", marks=pytest.mark.slow)])
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Demo:
    if request.param == "en":
        return request.getfixturevalue("english_demo")
    return Demo(tmp_path_factory.mktemp("demo"), request.param)


def test_the_demo_plays_a_whole_game_and_saves_its_pages_and_record(demo: Demo, tmp_path: Path) -> None:
    assert demo.done.stderr == b""
    pages = sorted(demo.save.glob("*.png"))
    assert len(pages) > 20
    assert {"table", "reading", "enter", "why"} <= {path.stem.partition("-")[2] for path in pages}
    assert demo.record.read_bytes() == next(demo.data.glob("*.jsonl")).read_bytes()
    assert replayed(demo.record, tmp_path)["over"]
    assert {"camera", "buttons"} <= {line.get("by") for line in lines_of(demo.record)}
    assert "WR-18" in demo.done.stdout.decode()


def test_the_demos_pages_show_two_pixels_a_character_with_the_clause_beside(demo: Demo) -> None:
    rows = [row for row in demo.done.stdout.decode().splitlines() if row.startswith("│")]
    assert all(row.index("│", 1) == 129 for row in rows)
    assert any("WR-2" in row for row in rows)


@pytest.mark.slow
def test_the_demo_saves_beside_its_record_too(tmp_path: Path) -> None:
    done = companion("demo", "--fast", "--data", tmp_path, "--save", tmp_path, cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()


def kept_lines(data: Path) -> list[bytes]:
    return [line for path in sorted(data.glob("*.jsonl")) for line in path.read_bytes().split(b"\n")[:-1]]


def kill_after(pages: int, data: Path, cwd: Path) -> None:
    """Start the demo, and kill it without mercy once it has printed so many pages."""
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMPANION, "demo", "--fast", "--lang", "en", "--data", str(data)],
        cwd=cwd, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as demo:  # fmt: skip
        output: IO[bytes] | None = demo.stdout
        assert output is not None
        seen = 0
        for line in output:
            seen += line.decode().startswith(FRAME)
            if seen == pages:
                demo.send_signal(signal.SIGKILL)
                break


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "kills"), [(0, 1), (1, 2)])
def test_killed_at_any_moment_the_demo_goes_on_and_no_input_is_lost_or_doubled(
    tmp_path: Path, english_demo: Demo, seed: int, kills: int
) -> None:
    dice = Random(seed)  # noqa: S311 - no secret
    data = tmp_path / "data"
    before: list[bytes] = []
    for _ in range(kills):
        kill_after(dice.randint(1, 12), data, tmp_path)
        kept = kept_lines(data)
        assert kept[: len(before)] == before
        before = kept
    done = companion("demo", "--fast", "--lang", "en", "--data", data, cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert kept_lines(data)[: len(before)] == before
    (record,) = data.glob("*.jsonl")
    assert replayed(record, tmp_path)["over"]
    assert bare_inputs(record) == bare_inputs(english_demo.record)


def bare_inputs(record: Path) -> list[dict[str, Any]]:
    """The inputs of a record, without their meta keys."""
    meta = ("at", "by", "evidence", "note")
    return [{key: one for key, one in line.items() if key not in meta} for line in lines_of(record) if "input" in line]


# --- the desk ---------------------------------------------------------------------------------------------------------


def test_keys_from_a_pipe_play_some_turns_and_q_ends_it(tmp_path: Path) -> None:
    """Up to the last game of the shelf, two players, begin; roll by hand a 3, move, and a word on why."""
    keys = b"k\r\r\r" + b"\rjj\r" + b"\r\r" + b"w" + b"q"
    done = companion("run", "--fake", "--lang", "en", "--data", tmp_path / "data", cwd=tmp_path, keys=keys)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""
    (record,) = (tmp_path / "data").glob("*.jsonl")
    inputs = [(line["input"], line.get("die"), line.get("from")) for line in lines_of(record)[1:]]
    assert inputs == [("roll", 3, None), ("move", None, 0)]
    assert "WR-5" in done.stdout.decode()


def test_the_end_of_the_keys_ends_the_desk_and_the_next_start_goes_on(tmp_path: Path) -> None:
    for keys in (b"k\r\r\r", b"\r"):
        done = companion("run", "--fake", "--data", tmp_path / "data", cwd=tmp_path, keys=keys)
        assert (done.returncode, done.stderr) == (0, b"")
    assert len(list((tmp_path / "data").glob("*.jsonl"))) == 1


class Terminal:
    """A terminal with the desk in it."""

    def __init__(self, *arguments: object, cwd: Path) -> None:
        self.master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            [*COMPANION, "run", "--fake", *map(str, arguments)],
            cwd=cwd, env=environment(), stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),  # noqa: PLW1509 - makes it the controlling terminal
        )  # fmt: skip
        self.slave = slave
        self.output = b""

    def wait_for(self, text: str) -> None:
        """Read on until the terminal shows a text that it has not shown before."""
        deadline = time.monotonic() + PATIENCE_S
        while text.encode() not in self.output:
            ready, _, _ = select.select([self.master], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"{text!r} never came: {self.output[-300:]!r}"
            self.output += os.read(self.master, 65536)
        self.output = self.output.partition(text.encode())[2]

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def ended(self) -> int:
        """Wait for the end; gives the exit status."""
        deadline = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.master], [], [], 0.05)[0]:
                self.output += os.read(self.master, 65536)
        return self.process.wait(1.0)

    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.slave)[:4]

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal("--lang", "en", "--camera", PHOTOS, "--data", tmp_path / "data", cwd=tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize("last", [b"q", b"\x03", b"\x04"], ids=["q", "ctrl-c", "ctrl-d"])
def test_a_terminal_is_left_as_it_was_found(terminal: Terminal, last: bytes) -> None:
    terminal.wait_for("q=quit")
    terminal.wait_for("q=quit")
    terminal.type(b"k")
    terminal.wait_for("q=quit")
    assert terminal.modes() != terminal.before[:4]
    terminal.type(last)
    assert terminal.ended() == 0
    assert terminal.modes() == terminal.before[:4]


def test_a_signal_leaves_the_terminal_as_it_was_found(terminal: Terminal) -> None:
    terminal.wait_for("q=quit")
    terminal.wait_for("q=quit")
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.ended() == 0
    assert terminal.modes() == terminal.before[:4]


def test_arrows_and_the_next_photograph_are_keys_too(terminal: Terminal, tmp_path: Path) -> None:
    terminal.wait_for("q=quit")
    terminal.wait_for("five-a.jpg")
    for keys in (b"\x1b[A", b"\x1b[C", b"\x1b[C", b"\x1b[C"):
        terminal.type(keys)
        terminal.wait_for("q=quit")
    terminal.type(b"n\r")
    terminal.wait_for("four-a.jpg")
    terminal.type(b"q")
    assert terminal.ended() == 0
    assert lines_of(next((tmp_path / "data").glob("*.jsonl")))[0]["game"] == "witch-race"


# --- what can be wrong ------------------------------------------------------------------------------------------------


@pytest.fixture
def a_file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_text("mine")
    return path


@pytest.mark.parametrize("command", [("demo", "--fast"), ("run", "--fake")], ids=["demo", "run"])
@pytest.mark.parametrize("place", ["file", "file/deeper", "/proc/nowhere"])
def test_a_data_folder_that_cannot_be_written_is_said(
    tmp_path: Path, a_file: Path, command: tuple[str, ...], place: str
) -> None:
    refused(companion(*command, "--data", tmp_path / place, cwd=tmp_path), place.rpartition("/")[0] or place)
    assert a_file.read_text() == "mine"


@pytest.mark.parametrize("command", [("demo", "--fast"), ("run", "--fake")], ids=["demo", "run"])
def test_a_home_that_cannot_be_written_is_said(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = companion(*command, cwd=tmp_path, HOME="/proc/nobody", XDG_STATE_HOME="", STATE_DIRECTORY="")
    refused(done, "/proc/nobody")


@pytest.mark.parametrize("place", ["file", "file/deeper", "/proc/nowhere"])
def test_a_folder_for_pages_that_cannot_be_written_is_said(tmp_path: Path, a_file: Path, place: str) -> None:
    refused(companion("demo", "--fast", "--data", tmp_path / "d", "--save", tmp_path / place, cwd=tmp_path), place)
    assert a_file.read_text() == "mine"


@pytest.mark.parametrize("place", ["missing", "empty", "file"])
def test_a_folder_of_photographs_that_is_none_is_said(tmp_path: Path, a_file: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    folder = tmp_path / place
    refused(companion("run", "--fake", "--camera", folder, "--data", tmp_path / "d", cwd=tmp_path), str(folder))


def test_a_record_of_another_game_is_not_played_on_by_the_demo(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    record = data / "0001-dark-horse.jsonl"
    record.write_text('{"record": 1, "game": "dark-horse", "players": ["Ana", "Bo"]}\n')
    before = record.read_bytes()
    refused(companion("demo", "--fast", "--data", data, cwd=tmp_path), "--data")
    assert record.read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [[], ["jump"], ["run", "--speed"], ["demo", "--lang", "fr"], ["replay"], ["read"], ["run", "--data"]],
    ids=" ".join,
)
def test_a_wrong_option_is_said_with_status_2(tmp_path: Path, arguments: list[str]) -> None:
    refused(companion(*arguments, cwd=tmp_path), "usage: companion")


def test_without_its_pin_library_the_service_says_what_to_install(tmp_path: Path) -> None:
    done = companion("run", "--data", tmp_path / "data", cwd=tmp_path)
    refused(done, "lgpio")


# --- the service ------------------------------------------------------------------------------------------------------

WITHOUT_DEVICES = '[board]\npin_factory = "mock"\ncamera = "none"\n'
"""The real adapters with nothing behind them: mock pins, a bus that is not there."""
STOP_S = 2.0


class Systemd:
    """What listens as systemd does."""

    def __init__(self, folder: Path) -> None:
        self.name = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.name)
        self._socket.settimeout(PATIENCE_S)

    def hear(self) -> bytes:
        return self._socket.recv(100)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    listening = Systemd(tmp_path)
    yield listening
    listening.close()


def stopped_within(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Ask a companion to stop as systemd does: it ends well, and soon."""
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0
    assert time.monotonic() - began < seconds


def test_the_service_tells_systemd_and_stops_in_time_and_has_proved_good(tmp_path: Path, systemd: Systemd) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(WITHOUT_DEVICES)
    data = tmp_path / "data"
    data.mkdir()
    (data / ".starts").write_text("2\n")
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMPANION, "run", "--settings", str(settings), "--data", str(data)], cwd=tmp_path,
        env=environment(NOTIFY_SOCKET=systemd.name, WATCHDOG_USEC="30000000"), stderr=subprocess.PIPE,
    ) as service:  # fmt: skip
        assert [systemd.hear(), systemd.hear()] == [b"READY=1", b"WATCHDOG=1"]
        assert (data / ".starts").read_text() == "3\n"
        stopped_within(service, STOP_S)
        assert systemd.hear() == b"STOPPING=1"
        assert service.stderr is not None
        assert service.stderr.read() == b""
    assert not (data / ".starts").exists()


def test_a_stop_is_not_held_up_by_a_camera_that_hangs(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    os.mkfifo(photos / "a.jpg")  # whoever reads it waits for ever
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMPANION, "run", "--fake", "--lang", "en", "--data", str(tmp_path / "data"), "--camera", str(photos)],
        cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as desk:  # fmt: skip
        assert desk.stdin is not None
        assert desk.stdout is not None
        desk.stdin.write(b"k\r\r\r\r")  # the last game of the shelf, two players, begin, read
        desk.stdin.flush()
        for _ in range(7):  # hello, home, moved, count, options, table, reading
            while b"q=quit" not in desk.stdout.readline():
                pass
        stopped_within(desk, STOP_S)


def test_after_three_starts_that_failed_the_settings_are_no_longer_asked(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("speed = 3\n")
    command = ("run", "--settings", settings, "--data", tmp_path / "data")
    for _ in range(3):
        refused(companion(*command, cwd=tmp_path), "speed")
    refused(companion(*command, cwd=tmp_path), "lgpio")  # the default's pin library, which this machine has not
    assert settings.read_text() == "speed = 3\n"


def test_a_fault_of_ours_is_kept_for_the_doctor_and_no_traceback_reaches_a_user(tmp_path: Path) -> None:
    (tmp_path / "cv2.py").write_text("raise ZeroDivisionError('a bug')\n")  # found before the library
    path = os.pathsep.join([str(tmp_path), str(HOUSE)])
    done = companion(
        "read", PHOTOS / "six-a.jpg", cwd=tmp_path, PYTHONPATH=path, STATE_DIRECTORY=str(tmp_path / "state")
    )
    assert done.returncode == 70
    assert b"Traceback" not in done.stderr
    (kept,) = (tmp_path / "state").iterdir()
    assert str(kept) in done.stderr.decode()
    assert "companion read" in kept.read_text().splitlines()[0]
    assert kept.read_text().endswith("ZeroDivisionError: a bug\n")


# --- outside of the house ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [[], ["run"], ["demo"], ["replay"], ["read"]], ids=["all", "run", "demo", "replay", "read"]
)
def test_help_says_what_there_is(tmp_path: Path, command: list[str]) -> None:
    done = companion(*command, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert b"usage: companion" in done.stdout
    assert b"None" not in done.stdout
    assert done.stderr == b""


def test_replay_works_anywhere_and_gives_one_line_a_file(tmp_path: Path) -> None:
    done = companion("replay", "--json", WITCHES, "missing.jsonl", WITCHES, cwd=tmp_path, HOME="/proc/nobody")
    assert done.returncode == 2
    first, missing, last = map(json.loads, done.stdout.splitlines())
    assert first == last
    assert first["over"]
    assert missing["error"]["line"] == 1


def test_read_says_what_is_wrong_with_a_picture_and_reads_the_others(tmp_path: Path, a_file: Path) -> None:
    done = companion("read", "--json", a_file, tmp_path / "missing.jpg", PHOTOS / "six-a.jpg", cwd=tmp_path)
    assert done.returncode == 2
    bad, missing, good = map(json.loads, done.stdout.splitlines())
    assert bad["error"]
    assert missing["error"]
    assert good["error"] is None
    assert done.stderr == b""


def test_whoever_stops_reading_our_output_sees_no_traceback(tmp_path: Path) -> None:
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMPANION, "replay", "--json", "--steps", *[str(WITCHES)] * 20],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
