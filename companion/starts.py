"""Starts that were never finished: after three in a row the next one is careful."""

import contextlib
from pathlib import Path

from companion import disk

UNFINISHED = 3
"""So many in a row, and settings and camera are no longer trusted."""
NAME = ".starts"


def begin(folder: Path) -> bool:
    """Count a start; tells whether it has to be a careful one. A card that takes nothing has never counted."""
    path = folder / NAME
    try:
        unfinished = int(path.read_bytes())
    except (OSError, ValueError):  # not there, or what a dying card makes of a number
        unfinished = 0
    with contextlib.suppress(OSError):
        disk.replace(path, b"%d\n" % (unfinished + 1))
    return unfinished >= UNFINISHED


def finish(folder: Path) -> None:
    """Forget the starts before: this one went well."""
    with contextlib.suppress(OSError):
        (folder / NAME).unlink(missing_ok=True)
