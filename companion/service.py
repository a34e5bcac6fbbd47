"""A good service: it tells systemd how it does, and there is only one of it for a folder of records."""

import contextlib
import errno
import fcntl
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

log = logging.getLogger(__name__)

ALREADY_RUNNING = 3
"""Exit status of a second start."""
SETTLED_S = 3.0
"""A start that has been ready for so long went well: a camera whose driver ends the process does so before."""
LOCK = ".lock"
"""Name of the file in the records' folder that is locked; it stays there, the lock ends with its process."""


class AlreadyRunningError(OSError):
    """Another companion uses these records; the message names it."""


class Service:
    """The line to systemd: sd_notify's datagrams, and nothing at all where no systemd listens.

    ``environ`` holds NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID as systemd sets them. ``on_settled`` is called once,
    when the start has proved good. Nothing here ever waits or raises: a game does not end because nobody listens.
    """

    def __init__(
        self,
        environ: Mapping[str, str] = os.environ,
        now: Callable[[], float] = time.monotonic,
        on_settled: Callable[[], None] = lambda: None,
    ) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._now = now
        self._on_settled = on_settled
        self._ready_at: float | None = None
        self._told_at: float | None = None
        self.every_s = _interval(environ)
        """How long the main loop may wait before it has to call :meth:`beat` again; None without a watchdog."""

    def ready(self) -> None:
        """Say that presses are listened to."""
        self._ready_at = self._now()
        self._tell(b"READY=1")
        self.beat()

    def beat(self) -> None:
        """Say that the main loop turns: to be called on every turn, by nobody else; told twice an interval at most."""
        now = self._now()
        if self._ready_at is not None and now - self._ready_at >= SETTLED_S:
            self._settled()
        if self.every_s is None:
            return
        if self._told_at is None or now - self._told_at >= self.every_s / 2:
            self._told_at = now
            self._tell(b"WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the end is wanted, before the devices are let go."""
        self._settled()
        self._tell(b"STOPPING=1")

    def _settled(self) -> None:
        self._ready_at = None
        self._on_settled()
        self._on_settled = lambda: None

    def _tell(self, message: bytes) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.setblocking(False)
                line.sendto(message, self._address)
        except (OSError, ValueError) as error:
            log.warning("systemd was not told %s: %s", message.decode(), error)


def _interval(environ: Mapping[str, str]) -> float | None:
    """Give a third of the watchdog's time in seconds; None where there is none, or it watches another process."""
    microseconds = environ.get("WATCHDOG_USEC", "")
    if not (microseconds.isascii() and microseconds.isdigit()) or int(microseconds) == 0:
        return None
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(microseconds) / 1e6 / 3


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold a folder of records for this process. Raises AlreadyRunningError at once where another holds it.

    The kernel lets go of the lock when the process ends, however it ends. On a card that takes nothing there is no
    lock, and nothing that could be spoilt. The folder has to be there; another OSError is raised as it comes.
    """
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        yield
        return
    try:
        if not _locked(descriptor):
            raise AlreadyRunningError(_who(descriptor, folder))
        with contextlib.suppress(OSError):  # the number only makes the sentence clearer: a full disk does not matter
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # now, even if a child that is just being started still has a copy
        os.close(descriptor)


def is_held(folder: Path) -> bool:
    """Tell whether a running companion holds a folder of records; nothing is written."""
    try:
        descriptor = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _locked(descriptor)
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _who(descriptor: int, folder: Path) -> str:
    number = os.pread(descriptor, 20, 0).strip()
    process = f" (process {int(number)})" if number.isdigit() else ""
    return (
        f"Another companion{process} already referees with the records in {folder}. "
        f"Stop it first (the service: sudo systemctl stop table-companion), or name another folder."
    )
