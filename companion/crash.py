"""The last crash: what a fault of ours said, kept until it is reported."""

from datetime import UTC, datetime
from pathlib import Path

from companion import disk
from companion.settings import data_folder


def place() -> Path:
    """Give the file of the last crash: with the service's state, or this user's."""
    return data_folder("last-crash.txt")


def keep(details: str, command: str) -> Path:
    """Keep a traceback in place of the one before; gives its file. Raises OSError."""
    path = place()
    when = datetime.now(UTC).isoformat(timespec="seconds")
    disk.make_folder(path.parent)
    disk.replace(path, f"{when} companion {command}\n{details}".encode("utf-8", "replace"), mode=0o600)
    return path
