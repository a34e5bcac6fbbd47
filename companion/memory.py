"""Where pieces lay when they were ruled on, in the notes of the record: a restart makes no new roll of old dice."""

from collections.abc import Iterable

import msgspec

from companion.scene import Lain
from engines import record
from engines.core import Json
from vision.observation import Point

LAIN = "lain "
"""How such a note begins; behind it, for each piece: its name, its place in px, and in mm where a mat was there."""

_Places = list[tuple[str, Point, Point | None]]


def noted(lain: Iterable[Lain]) -> dict[str, Json]:
    """Give the record's key that says where pieces lie, to a tenth of a pixel and of a millimetre; none for none."""
    places = [(one.name, _rounded(one.at_px), one.at_mm and _rounded(one.at_mm)) for one in lain]
    return {"note": LAIN + msgspec.json.encode(places).decode()} if places else {}


def remembered(lines: Iterable[bytes]) -> dict[str, tuple[Lain, ...]]:
    """Read from a record's good lines what lay there at the last ruling, by input.

    As in the session: what is taken back is forgotten, what is put right by hand was seen all the same. Notes of
    somebody else are passed by.
    """
    found: dict[str, tuple[Lain, ...]] = {}
    for line in lines:
        fields = record.parse(line)
        told = fields.get("note")
        if fields.get("undo") is True and not (isinstance(told, str) and told.startswith("fix")):
            found = {}
        elif isinstance(told, str) and told.startswith(LAIN):
            lain = _read(told.removeprefix(LAIN))
            found |= {fields["input"]: lain} if lain is not None and "input" in fields else {}
    return found


def _read(text: str) -> tuple[Lain, ...] | None:
    """Read the places; the journal's seal may stand behind them."""
    try:
        places = msgspec.json.decode(text[: text.rindex("]") + 1], type=_Places)
    except (ValueError, msgspec.MsgspecError):
        return None
    return tuple(Lain(name, at_px, at_mm) for name, at_px, at_mm in places)


def _rounded(at: Point) -> Point:
    return round(at[0], 1), round(at[1], 1)
