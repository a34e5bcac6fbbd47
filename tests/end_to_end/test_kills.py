"""The companion killed at random moments while it plays at full speed; `make test-kills` does so a thousand times.

A kill leaves the page cache as it is. So a power cut is added: of what was written since the last page, which nobody
has waited for yet, a random part is lost.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from companion import journal
from companion.seal import goes_on
from engines import record
from engines.record import Replay
from tests.end_to_end.player import standing

KILLS = int(os.environ.get("KILLS", "40"))
SEED = int(os.environ.get("SEED", "1"))
LONGEST_S = 0.4
"""A game begins after about 0.05 s on a quiet machine."""
HOUSE = Path(__file__).parents[2]


class Mother:
    """The process that forks players."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.end_to_end.player"],
            cwd=HOUSE, env={**os.environ, "PYTHONPATH": str(HOUSE)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def play(self, seed: int, folder: Path, seconds: float, *, playing: bool) -> list[str]:
        """Have a player start, or play, for so long, and kill it without mercy; gives what it said."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seed} {folder}\n".encode())
        self._process.stdin.flush()
        said, child = [], 0
        while not child:
            line = self._line()
            child = int(line.removeprefix("child ")) if line.startswith("child ") else 0
            said += [] if child else [line]
        said += [self._line()] if playing else []
        time.sleep(seconds)  # the moment of the kill is what this is about
        os.kill(child, signal.SIGKILL)
        while not (line := self._line()).startswith("gone "):
            said.append(line)
        assert line == f"gone {-signal.SIGKILL}", said[-3:]
        return said

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().decode().rstrip("\n")

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()


def standings(folder: Path) -> list[str]:
    """Give how the games of a folder stood after every append, in order."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        lines, _ = record.split(path.read_bytes())
        game = Replay(record.header(lines[0]))
        found.append(standing(game))
        for number, line in enumerate(lines[1:], 2):
            game.line(number, line)
            if not goes_on(line):
                found.append(standing(game))
    return found


def cut_power(folder: Path, synced: int, dice: Random) -> bool:
    """Lose a part of what nobody had waited for; tells whether there was any."""
    newest = journal.newest(folder)
    if newest is None or newest.stat().st_size <= synced:
        return False
    os.truncate(newest, dice.randint(synced, newest.stat().st_size))
    return True


@pytest.mark.slow
def test_killed_at_random_moments_no_ruling_that_was_shown_is_lost_and_no_start_fails(tmp_path: Path) -> None:
    dice = Random(SEED)  # noqa: S311 - no secret
    mother = Mother()
    counts = {"pages": 0, "cuts": 0, "torn": 0, "starting": 0, "lines": 0}
    folder = tmp_path / "0"
    for number in range(KILLS):
        if number % 20 == 0:
            folder = tmp_path / str(number)
            folder.mkdir()
        said = mother.play(dice.randrange(10**6), folder, dice.uniform(0.0, LONGEST_S), playing=dice.random() < 0.7)
        shown = [line.split() for line in said]
        counts["pages"] += len(shown)
        counts["starting"] += not shown
        if not shown:
            continue
        _, size, last = shown[-1]
        kept = standings(folder)
        assert last in kept[-2:], f"kill {number}: {last} was shown, on disk are {kept[-3:]}"
        if cut_power(folder, int(size), dice):
            counts["cuts"] += 1
        found, aside = journal.resume(folder)
        assert found is not None
        assert aside == []
        assert found.damaged_line is None, f"kill {number}"
        counts["torn"] += found.torn
    counts["lines"] = sum(path.read_bytes().count(b"\n") for path in tmp_path.rglob("*.jsonl"))
    mother.close()
    print(f"{KILLS} kills (seed {SEED}): {counts}")  # noqa: T201 - the figures that `make test-kills` is for
    assert counts["starting"] < KILLS / 2
    assert counts["pages"] > KILLS
    assert not list(tmp_path.rglob("*.damaged-*"))
