"""Unfinished starts are counted: three in a row, and the next one is careful."""

import errno
import os
from pathlib import Path

import pytest

from companion import starts


def test_after_three_unfinished_starts_every_one_is_careful_until_one_is_finished(tmp_path: Path) -> None:
    assert [starts.begin(tmp_path) for _ in range(5)] == [False, False, False, True, True]
    starts.finish(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert not starts.begin(tmp_path)


def test_a_finished_start_in_between_begins_the_count_anew(tmp_path: Path) -> None:
    for _ in range(4):
        assert not starts.begin(tmp_path)
        assert not starts.begin(tmp_path)
        starts.finish(tmp_path)


@pytest.mark.parametrize("garbage", [b"", b"\0\0\0", b"many", b"\xff", b"3.5"])
def test_what_a_power_cut_makes_of_the_count_is_no_count(tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / starts.NAME).write_bytes(garbage)
    assert not starts.begin(tmp_path)
    assert (tmp_path / starts.NAME).read_bytes() == b"1\n"


def test_a_card_that_takes_nothing_keeps_nobody_from_starting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    assert not starts.begin(tmp_path)
    starts.finish(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == []
