"""The door of this package: taught dice on a mat, as sightings and complaints.

Two witnesses speak for each die: its print (correlation, its lead over the next face, no strain) and its shape (the
outline ends where an upright die's does). What stands out and neither explains is reported, never passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.faces.bank import Bank, banks
from vision.faces.fit import framed
from vision.faces.ground import PRINTED_MM, Outlines, around, covered, on_regions
from vision.faces.outline import fit_shape
from vision.faces.residue import Place, strange
from vision.faces.search import find, steepness, strongest_print, things
from vision.faces.table import Table, View, table_of
from vision.faces.verdict import Verdict, of_plain, of_print
from vision.gallery import Look
from vision.mat.eye import Points
from vision.mat.layout import Layout
from vision.mat.mat import Mat
from vision.observation import Complaint, Point, Sighting
from vision.picture import Picture

REACH_MM = 12.0
"""How far around the regions dice are looked for, to see those that lie across a line."""
RIM_MM = 2.6
"""How far around a thing what is seen belongs to it: its contact shadow and the picture's blur."""
BESIDE_MM = 5.0
"""What is seen so near to a known thing is said by whoever knows it."""
SMALL, LARGE = 0.3, 4.0
"""Square edges: what is strange of a die with a plain face is more, and what covers the table is larger."""


@dataclass(frozen=True, eq=False)
class Faces:
    """What was read.

    ``dice`` and their ``outlines`` on the page as they appear, (n, 2) mm; ``complaints`` about dice; ``strange`` ones
    about what stands out and is not known.
    """

    dice: tuple[Sighting, ...] = ()
    outlines: tuple[Points, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    strange: tuple[Complaint, ...] = ()


@dataclass(frozen=True, eq=False)
class _Judged:
    """A die that was found: what is said of it, and its upper face's corners (4, 2) on the page as they appear."""

    verdict: Verdict
    corners: Points


def read_faces(picture: Picture, mat: Mat, looks: Sequence[Look], taken: Outlines = ()) -> Faces:
    """Read the taught dice on a mat's regions. ``taken`` are outlines (n, 2) in page mm of what is known already."""
    read = Faces()
    for bank in banks(tuple(looks)):
        more = _read(table_of(picture, mat, bank.edge), bank, (*taken, *read.outlines))
        # What is strange to one kind of die another may explain
        read = Faces(
            read.dice + more.dice, read.outlines + more.outlines, read.complaints + more.complaints, more.strange
        )
    return read


def _read(table: Table, bank: Bank, taken: Outlines) -> Faces:
    layout = table.mat.layout
    view = table.ground(around(layout, REACH_MM))
    explained = covered(view, taken, RIM_MM)
    allowed = on_regions(view, layout, REACH_MM) & ~explained
    uppers = find(table, view, bank, things(steepness(view), allowed))
    dice = [_Judged(verdict, upper.corners) for upper in uppers if (verdict := of_print(upper)) is not None]
    explained |= covered(view, [_outline(table, die) for die in dice], RIM_MM)
    regions = on_regions(view, layout, -PRINTED_MM) & ~covered(view, taken, BESIDE_MM)
    rest = strange(view, explained, regions)
    plain = [die for place in rest if (die := _plain(table, view, bank, place)) is not None]
    if plain:
        dice += plain
        explained |= covered(view, [_outline(table, die) for die in plain], RIM_MM)
        rest = strange(view, explained, regions)
    sightings = tuple(_sighting(table, die) for die in dice)
    faults = tuple(c for die, seen in zip(dice, sightings, strict=True) for c in _complaints(die, seen, layout))
    left = tuple(_complaint(table, view, place) for place in rest)
    return Faces(sightings, tuple(_outline(table, die) for die in dice), faults, left)


def _outline(table: Table, die: _Judged) -> Points:
    return table.eye.outline(die.corners, table.edge)


def _plain(table: Table, view: View, bank: Bank, place: Place) -> _Judged | None:
    """Explain a strange place by an upright die with nothing on top, if its shape says so."""
    if not SMALL < place.area < LARGE:
        return None
    fits = [(face, *fit_shape(table, view.page(place.middle[None])[0], face)) for face in bank.plain]
    for face, window, shape in sorted(fits, key=lambda fit: -fit[2].mean):
        top = framed(window.colour, shape.pose)
        verdict = of_plain(face.name, shape, float(top.std((0, 1)).max()), strongest_print(window, bank, shape.pose))
        if verdict is not None:
            return _Judged(verdict, window.page(shape.pose.corners()))
    return None


def _complaints(die: _Judged, seen: Sighting, layout: Layout) -> list[Complaint]:
    out = [Complaint(die.verdict.fault, seen.center_px)] if die.verdict.fault is not None else []
    x, y = seen.center_mm or (0.0, 0.0)
    if seen.region is None and 0 <= x <= layout.paper[0] and 0 <= y <= layout.paper[1]:
        out.append(Complaint("outside", seen.center_px))
    return out


def _complaint(table: Table, view: View, place: Place) -> Complaint:
    at = table.mat.px([_point(view.page(place.middle[None])[0])])[0]
    if place.area > LARGE:
        return Complaint("covered", at)
    return Complaint("cocked-die" if place.by_a_die else "unknown-piece", at)


def _sighting(table: Table, die: _Judged) -> Sighting:
    verdict, corners = die.verdict, die.corners
    foot = _point(table.eye.stands(corners, table.edge).mean(0))
    region = table.mat.layout.region_at(*foot)
    px = np.array(table.mat.px([_point(corner) for corner in corners]))
    low, high = px.min(0), px.max(0)
    along = px[1] - px[0]
    return Sighting(
        kind="die",
        name=verdict.name,
        confidence=verdict.confidence,
        alternatives=verdict.alternatives,
        face="up",
        region=region.name if region is not None else None,
        center_px=table.mat.px([_point(corners.mean(0))])[0],
        center_mm=foot,
        angle_deg=round((float(np.degrees(np.arctan2(along[1], along[0]))) + 45) % 90 - 45, 1),
        box_px=(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])),
    )


def _point(place: Points) -> Point:
    return float(place[0]), float(place[1])
