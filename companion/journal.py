"""The journal: the record of the game at the table, on disk before anybody sees a ruling.

One folder holds all records, ``0001-witch-race.jsonl`` upward; the newest is the game at the table. A record is only
ever appended to. What a power cut may leave behind (a torn last line, a half-made file) is mended when it is opened,
and what is damaged in the middle is kept beside, never overwritten.
"""

import contextlib
import errno
import itertools
import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from companion import disk
from companion.seal import Seal, SealError, checked, goes_on, sealed
from engines import record
from engines.core import Ruling
from engines.record import RecordError, Replay

SUFFIX = ".jsonl"
KINDS = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EROFS: "read-only",
    errno.EACCES: "forbidden",
    errno.EPERM: "forbidden",
    errno.EIO: "failing",
    errno.ENOENT: "gone",
    errno.ENODEV: "gone",
    errno.ENXIO: "gone",
    errno.ESTALE: "gone",
}
"""What the system says of a disk, and the key of our words for it."""
PASSING = frozenset({"full", "read-only", "failing"})
"""What is the card's trouble, not a folder wrongly named: games are played in memory meanwhile."""


class JournalError(OSError):
    """The folder or file cannot be written; the message names it and says what to do, ``kind`` is one of KINDS."""

    def __init__(self, path: Path, error: OSError) -> None:
        reason = error.strerror or error
        super().__init__(f"{path}: {reason}. Games are kept there: make it writable, or name another folder.")
        self.kind = KINDS.get(error.errno or 0, "other")
        self.name = path.name
        self.detail = str(reason)


class Journal:
    """One record. Lines are sealed, appended and synced; nothing else is ever done to it.

    The file is opened anew for every append: a card that was full, read-only or gone serves again once it is well.
    """

    def __init__(self, path: Path, whole: bytes, seal: Seal, *, mend: bool = False, keep: bool = False) -> None:
        """Go on with a record of which ``whole`` is good, to the last line feed.

        ``mend``: the file holds something else, and is put right before anything is appended. ``keep``: what it holds
        then stays beside it under another name.
        """
        self.path = path
        self._size = len(whole)
        self._seal = seal
        self._mending = whole if mend else None
        self._keep = keep

    def mend(self) -> None:
        """Put the file right, if need be. Raises JournalError; then it is as it was before."""
        if self._mending is None:
            return
        try:
            if self._keep:
                _keep_copy(self.path)
                self._keep = False
            disk.replace(self.path, self._mending)
        except OSError as error:
            raise JournalError(self.path, error) from error
        self._mending = None

    def append(self, *lines: dict[str, Any]) -> None:
        """Write lines and sync them in one go: after a power cut there are all of them, or none.

        Raises JournalError; then the file is as it was before, or will be with the next append.
        """
        self.mend()
        data, seal = self._sealed(lines)
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
            try:
                self._write(descriptor, data)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise JournalError(self.path, error) from error
        self._size += len(data)
        self._seal = seal

    def _sealed(self, lines: tuple[dict[str, Any], ...]) -> tuple[bytes, Seal]:
        seal, written = self._seal, []
        for left, line in enumerate(lines, 1 - len(lines)):
            data, seal = sealed(line, seal, goes_on=left < 0)
            written.append(data + b"\n")
        return b"".join(written), seal

    def _write(self, descriptor: int, data: bytes) -> None:
        """Append behind the last whole line; half a line of an append that failed gives way."""
        found = os.fstat(descriptor).st_size
        if found < self._size:
            raise OSError(errno.EIO, "It has lost what was written")
        if found > self._size:
            os.ftruncate(descriptor, self._size)
        try:
            disk.write(descriptor, data)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, self._size)
            raise


def check(folder: Path) -> None:
    """See that records can be written into a folder, making it if need be. Raises JournalError."""
    try:
        disk.make_folder(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise JournalError(folder, error) from error


def newest(folder: Path) -> Path | None:
    """Give the newest record of a folder."""
    return max(folder.glob(f"*{SUFFIX}"), key=_number, default=None)


def create(folder: Path, header: dict[str, Any]) -> Journal:
    """Begin a new record. The header is on disk, whole, or the file is not there. Raises JournalError."""
    data, seal = sealed(header, None)
    try:
        disk.make_folder(folder)
        number = max((_number(path) for path in folder.iterdir()), default=0) + 1
        path = folder / f"{number:04}-{header['game']}{SUFFIX}"
        disk.replace(path, data + b"\n")
    except OSError as error:
        raise JournalError(folder, error) from error
    return Journal(path, data + b"\n", seal)


class Resumed(msgspec.Struct, frozen=True):
    """The newest record, opened again: what was lost on the way is said, not hidden."""

    journal: Journal
    game: Replay
    torn: bool = False
    """A last line was torn by a power cut and dropped."""
    damaged_line: int | None = None
    """The first line that could not be carried out; the whole file was set aside, the game stands before it."""
    lines: tuple[bytes, ...] = ()
    """The lines that stand, the header first."""


def resume(folder: Path) -> tuple[Resumed | None, list[Path]]:
    """Open the newest record of a folder again; nothing is mended yet (:meth:`Journal.mend`).

    Gives it (None where there is none) and the files that are no record at all and were set aside.
    Raises JournalError where the folder cannot be read or a file not be set aside.
    """
    set_aside: list[Path] = []
    try:
        records = sorted(folder.glob(f"*{SUFFIX}"), key=_number, reverse=True) if folder.is_dir() else []
        for path in records:
            try:
                return open_again(path), set_aside
            except RecordError:
                set_aside.append(_put_aside(path))
    except OSError as error:
        raise JournalError(folder, error) from error
    return None, set_aside


def open_again(path: Path) -> Resumed:
    """Open one record again; its file is only read. Raises RecordError where it is none, OSError."""
    text = path.read_bytes()
    lines, tail = record.split(text)
    ended = len(lines)
    if tail or not lines:
        lines.append(tail)
    game, seal, good = _carried_out(lines)
    torn = good == ended < len(lines) and record.is_torn(tail)
    damaged = None if torn or good == len(lines) else good + 1
    whole = good
    while goes_on(lines[whole - 1]):  # the line behind it, which it belongs to, is not there
        whole -= 1
    if whole < good:
        torn = damaged is None
        game, seal, _ = _carried_out(lines[:whole])
    contents = b"".join(line + b"\n" for line in lines[:whole])
    again = Journal(path, contents, seal, mend=contents != text, keep=damaged is not None)
    return Resumed(again, game, torn, damaged, tuple(lines[:whole]))


def _carried_out(lines: list[bytes]) -> tuple[Replay, Seal, int]:
    """Carry out lines up to the first that cannot be; gives the game, the last seal, how many lines are good."""
    try:
        seal = checked(lines[0], None)
    except SealError:
        raise RecordError(1, Ruling(None, "unreadable")) from None
    game = Replay(record.header(lines[0]))
    for number, line in enumerate(lines[1:], 2):
        try:
            after = checked(line, seal)
            game.line(number, line)
        except (RecordError, SealError):
            return game, seal, number - 1
        seal = after
    return game, seal, len(lines)


def _put_aside(path: Path) -> Path:
    """Rename a file that is no record to a free name beside it; it is kept for its owner."""
    return path.rename(_free_name(path))


def _keep_copy(path: Path) -> None:
    """Keep a second name for a damaged file, so that mending it loses nothing, whenever the power goes."""
    aside = _free_name(path)
    try:
        os.link(path, aside)
        disk.sync_folder(path.parent)
    except OSError:  # a file system without hard links (FAT)
        disk.replace(aside, path.read_bytes())


def _free_name(path: Path) -> Path:
    numbers = itertools.count(1)
    return next(aside for n in numbers if not (aside := path.with_name(f"{path.name}.damaged-{n}")).exists())


def _number(path: Path) -> int:
    digits = path.name.partition("-")[0]
    return int(digits) if digits.isascii() and digits.isdigit() else 0
