"""Files that survive a power cut: put in place whole, and their folder synced."""

import contextlib
import os
import tempfile
from pathlib import Path


def replace(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Put a whole file in place: written and synced beside, renamed, and the folder synced too. Raises OSError.

    Whenever the power goes, there is the old file or the new one; where it fails nothing is left beside.
    """
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "wb", buffering=0) as file:  # noqa: PTH123 - a descriptor is no path
            os.fchmod(descriptor, mode)
            write(descriptor, data)
            file.close()
        Path(beside).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(beside).unlink()
        raise
    sync_folder(path.parent)


def write(descriptor: int, data: bytes) -> None:
    """Write all of it, however little the disk takes at once, and sync it. Raises OSError."""
    while data:
        data = data[os.write(descriptor, data) :]
    os.fsync(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder with those above it; each new name is synced. Raises OSError."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in missing:
        sync_folder(one.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names that a folder holds. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
