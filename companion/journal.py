"""The journal: the record of the game at the table, on disk before anybody sees a ruling.

One folder holds all records, ``0001-witch-race.jsonl`` upward; the newest is the game at the table. A record is only
ever appended to. What a power cut may leave behind (a torn last line, a half-made file) is mended when it is opened,
and what is damaged in the middle is kept beside, never overwritten.
"""

import contextlib
import itertools
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from engines import record
from engines.record import RecordError, Replay

SUFFIX = ".jsonl"


class JournalError(OSError):
    """The folder or file cannot be written; the message names it and says what to do."""


class Journal:
    """One open record. Lines are appended and synced; nothing else is ever done to it."""

    def __init__(self, path: Path) -> None:
        """Open an existing, whole record for appending. Raises JournalError."""
        self.path = path
        try:
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise _unwritable(path, error) from error
        self.lines = path.read_bytes().count(b"\n")
        """How many lines it holds, the header included."""

    def append(self, *lines: dict[str, Any]) -> None:
        """Write lines and sync them in one go. Raises JournalError; then the file is as it was before."""
        before = os.fstat(self._file.fileno()).st_size
        try:
            _write(self._file.fileno(), b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
            self.lines += len(lines)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), before)
            raise _unwritable(self.path, error) from error

    def close(self) -> None:
        """Close the file; what was appended is on disk already."""
        self._file.close()


def check(folder: Path) -> None:
    """See that records can be written into a folder, making it if need be. Raises JournalError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unwritable(folder, error) from error


def newest(folder: Path) -> Path | None:
    """Give the newest record of a folder."""
    return max(folder.glob(f"*{SUFFIX}"), key=_number, default=None)


def create(folder: Path, header: dict[str, Any]) -> Journal:
    """Begin a new record. The header is on disk, whole, or the file is not there. Raises JournalError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        number = max((_number(path) for path in folder.iterdir()), default=0) + 1
        path = folder / f"{number:04}-{header['game']}{SUFFIX}"
        _replace(path, msgspec.json.encode(header) + b"\n")
    except OSError as error:
        raise _unwritable(folder, error) from error
    return Journal(path)


class Resumed(msgspec.Struct, frozen=True):
    """The newest record, opened again: what was lost on the way is said, not hidden."""

    journal: Journal
    game: Replay
    torn: bool
    """A last line was torn by a power cut and dropped."""
    damaged_line: int | None
    """The first line that could not be carried out; the whole file was set aside, the game stands before it."""


def resume(folder: Path) -> tuple[Resumed | None, list[Path]]:
    """Open the newest record of a folder again.

    Gives it (None where there is none) and the files that are no record at all and were set aside.
    Raises JournalError where the folder cannot be read or the record not be mended.
    """
    set_aside: list[Path] = []
    try:
        records = sorted(folder.glob(f"*{SUFFIX}"), key=_number, reverse=True) if folder.is_dir() else []
        for path in records:
            try:
                return _open_again(path), set_aside
            except RecordError:
                set_aside.append(_put_aside(path))
    except OSError as error:
        raise _unwritable(folder, error) from error
    return None, set_aside


def _open_again(path: Path) -> Resumed:
    text = path.read_bytes()
    lines, tail = record.split(text)
    if not lines:
        lines, tail = [tail], b""
    game = Replay(record.header(lines[0]))
    good, torn, damaged = [lines[0]], False, None
    behind = [*lines[1:], tail] if tail else lines[1:]
    for number, line in enumerate(behind, 2):
        try:
            game.line(number, line)
        except RecordError as error:
            is_tail = tail and number == len(behind) + 1
            if is_tail and error.ruling.kind == "unreadable" and record.is_torn(line):
                torn = True
            else:
                damaged = number
            break
        good.append(line)
    if damaged is not None:
        _keep_copy(path)
    if damaged is not None or not text.endswith(b"\n"):
        _replace(path, b"".join(line + b"\n" for line in good))
    return Resumed(Journal(path), game, torn, damaged)


def _put_aside(path: Path) -> Path:
    """Rename a file that is no record to a free name beside it; it is kept for its owner."""
    return path.rename(_free_name(path))


def _keep_copy(path: Path) -> None:
    """Keep a second name for a damaged file, so that mending it loses nothing, whenever the power goes."""
    aside = _free_name(path)
    try:
        os.link(path, aside)
    except OSError:  # a file system without hard links (FAT)
        shutil.copyfile(path, aside)


def _free_name(path: Path) -> Path:
    numbers = itertools.count(1)
    return next(aside for n in numbers if not (aside := path.with_name(f"{path.name}.damaged-{n}")).exists())


def _number(path: Path) -> int:
    digits = path.name.partition("-")[0]
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
    os.fsync(descriptor)


def _replace(path: Path, data: bytes) -> None:
    """Put a whole file in place: written and synced beside, renamed, and the folder synced too."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb", buffering=0) as file:
        _write(file.fileno(), data)
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _unwritable(path: Path, error: OSError) -> JournalError:
    reason = error.strerror or error
    return JournalError(f"{path}: {reason}. Games are kept there: make it writable, or name another folder.")
