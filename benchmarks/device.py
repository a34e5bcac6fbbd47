"""How quick the companion feels: ``python benchmarks/device.py``, on fakes; times include this machine's other work.

From a press to its page on the panel in this process; start, idle and memory of a process of its own.
"""

from __future__ import annotations

import os
import queue
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from companion.app import App
from companion.draw import draw
from companion.pages import page
from companion.session import Session
from engines.record import Header
from hardware.board import BoardSettings, open_fake_board
from hardware.fakes.screen import FakeScreen

PHOTOS = Path(__file__).parents[1] / "companion" / "demo" / "photos"
PRESSES = 40
STARTS = 5
IDLE_S = 20.0
PATIENCE_S = 60.0
BARS = {"press to page": "150 ms", "hello": "1 s", "ready": "3 s", "idle": "3 %", "memory": "200 MB"}
"""What issue 5 of the house asks for."""


def main() -> int:
    """Measure one thing after another, a line each."""
    with tempfile.TemporaryDirectory() as folder:
        found = _press_to_page(Path(folder))
        _tell("press to page", f"median {statistics.median(found):.0f} ms, worst of {len(found)} {max(found):.0f} ms")
        for what, start in (("hello", _hello), ("ready", _ready)):
            seconds, cpu_s = min(start(Path(folder)) for _ in range(STARTS))
            _tell(what, f"{seconds:.2f} s ({cpu_s:.2f} s of a core; best of {STARTS})")
        share, megabytes = _idle_and_memory(Path(folder))
        _tell("idle", f"{share:.2f} % of a core over {IDLE_S:.0f} s")
        _tell("memory", f"{megabytes:.0f} MB at most, after reading a picture")
    return 0


def _tell(what: str, found: str) -> None:
    print(f"{what:15} {found}; bar {BARS[what]}", flush=True)


def _press_to_page(folder: Path) -> list[float]:
    """Press UP and BACK in turn: milliseconds from letting go to the whole page on the panel, debouncing included."""
    board = open_fake_board(BoardSettings("fake", "mock"))
    session, pages = Session("ko"), queue.SimpleQueue[str]()
    app = App(board, session, folder / "presses", lambda _: _never(), lambda shown: pages.put(shown.kind))
    thread = threading.Thread(target=app.run, args=(Header("witch-race", ("Ana", "다은"), {}),))
    thread.start()
    app.listening.wait(PATIENCE_S)
    while pages.get(timeout=PATIENCE_S) != "table":
        pass
    found = []
    for number in range(PRESSES):
        button, kind = ("up", "log") if number % 2 == 0 else ("back", "table")
        time.sleep(0.05)
        board.buttons.press(button)
        time.sleep(0.05)
        board.buttons.release(button)
        let_go = time.perf_counter()
        while pages.get(timeout=PATIENCE_S) != kind:
            pass
        _wait_for(board.screen, session)
        found.append((time.perf_counter() - let_go) * 1e3)
    app.stop()
    thread.join()
    return found


def _wait_for(screen: FakeScreen, session: Session) -> None:
    wanted = draw(page(session)).tobytes()
    while screen.picture().tobytes() != wanted:
        time.sleep(0.0005)


def _never() -> object:
    raise RuntimeError("nothing is read here")


def _started(folder: Path, *options: str, **environ: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "companion.cli", "run", "--data", str(folder), "--lang", "ko", *options]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0, env={**os.environ, **environ})  # noqa: S603


def _hello(folder: Path) -> tuple[float, float]:
    """Give the seconds from the start of the process to its first page, and those of a core."""
    began = time.perf_counter()
    process = _started(folder / "hello", "--fake")
    assert process.stdout is not None
    process.stdout.read(1)
    found = time.perf_counter() - began, _cpu_s(process.pid)
    _stop(process)
    return found


def _ready(folder: Path) -> tuple[float, float]:
    """Give the seconds from the start of the process to its word to systemd that presses are listened to, as above."""
    own = folder / "settings.toml"
    own.write_text('[board]\npin_factory = "mock"\ncamera = "none"\n', encoding="utf-8")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        place = folder / f"notify-{time.monotonic_ns()}"
        line.bind(str(place))
        line.settimeout(PATIENCE_S)
        began = time.perf_counter()
        process = _started(folder / "ready", "--settings", str(own), NOTIFY_SOCKET=str(place))
        while b"READY=1" not in line.recv(256):
            pass
        found = time.perf_counter() - began, _cpu_s(process.pid)
        _stop(process)
    return found


def _idle_and_memory(folder: Path) -> tuple[float, float]:
    """Give the share of a core that an idle table takes, in percent, and the most memory, in MB, after a reading."""
    process = _started(folder / "idle", "--fake", "--camera", str(PHOTOS))
    assert process.stdin is not None
    assert process.stdout is not None
    _pages(process, 2.0)
    for key in (b"k", b"\n", b"\n", b"\n", b"\n"):  # the last game of the shelf, two players, begin, read
        process.stdin.write(key)
        _pages(process, 1.0)
    _pages(process, 15.0)
    before = _cpu_s(process.pid)
    _pages(process, IDLE_S)
    share = (_cpu_s(process.pid) - before) / IDLE_S * 100
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii", errors="replace")
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    _stop(process)
    return share, peak


def _pages(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Read away what is printed for so long."""
    assert process.stdout is not None
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if select.select([process.stdout], [], [], left)[0]:
            process.stdout.read(1 << 16)


def _cpu_s(number: int) -> float:
    fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.communicate(timeout=PATIENCE_S)


if __name__ == "__main__":
    sys.exit(main())
