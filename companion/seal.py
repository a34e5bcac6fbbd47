r"""The seals of a journal's lines: a running checksum at the end of each, inside the meta key ``note``.

``{"input":"roll","player":"Ana","die":6,"note":"#1c291ca3"}``: CRC-32 of the line up to the sign #, begun with the
seal of the line before. So a changed, a missing and a doubled line are all noticed, and any reader of records sees
only a note. A line that belongs to the one behind it - the undo of a correction - ends in ``#1c291ca3+``: alone it is
a torn line.

A file without seals (written by hand, or by another program) is a record too; from the first seal on each line has one.
"""

import re
import zlib
from typing import Any

import msgspec

_SEALED = re.compile(rb'(.*)#([0-9a-f]{8})(\+?)"\}', re.DOTALL)

Seal = int | None
"""The seal of the last line; None before the first one that has any."""


class SealError(ValueError):
    """A line is not what was written there."""


def sealed(line: dict[str, Any], before: Seal, *, goes_on: bool = False) -> tuple[bytes, int]:
    """Write a line, without line feed, with its seal; gives the seal too. ``goes_on``: the next line belongs to it."""
    note = line.get("note", "")
    fields = {key: value for key, value in line.items() if key != "note"}
    text = f"{note} " if note else ""
    data = msgspec.json.encode(fields)[:-1] + b',"note":"' + msgspec.json.encode(text)[1:-1]
    seal = zlib.crc32(data, before or 0)
    return data + b'#%08x%s"}' % (seal, b"+" if goes_on else b""), seal


def checked(line: bytes, before: Seal) -> Seal:
    """Give the seal of a line; raises SealError where it is broken or missing."""
    found = _SEALED.fullmatch(line)
    if found is None:
        if before is None:
            return None
        raise SealError("the seal is missing")
    seal = zlib.crc32(found[1], before or 0)
    if seal != int(found[2], 16):
        raise SealError("the seal is broken")
    return seal


def goes_on(line: bytes) -> bool:
    """Tell whether a sealed line is nothing without the one behind it."""
    found = _SEALED.fullmatch(line)
    return found is not None and bool(found[3])
