"""The pip dice of a picture: found, judged, and what is wrong with each said in the words of an Observation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.dice import lattice, network, verdict
from vision.dice.cover import covered_at
from vision.dice.examine import Die
from vision.dice.plain import is_plain
from vision.dice.view import HEIGHT_MM, REGION, View, view_of
from vision.mat.mat import Mat
from vision.observation import LEAST_ALTERNATIVE, Complaint, Point, Sighting
from vision.picture import Picture

HEIGHTS_MM = (8.0, 30.0)


@dataclass(frozen=True)
class _Judged:
    """A die with its verdict: probabilities that it is one and that its value is right, and what is wrong with it."""

    die: Die
    there: float
    right: float
    at: Point
    faults: tuple[Complaint, ...]


Found = tuple[tuple[Sighting, ...], tuple[Complaint, ...], bool]


@cache
def prepare_dice() -> None:
    """Load the networks and draw the patterns of pips, once: all are tried on nothing. Raises VisionError."""
    nothing = np.zeros((network.CROP_PX, network.CROP_PX, 3), np.uint8)
    network.look_over(nothing)
    network.judge([nothing])
    lattice.compare(nothing[: lattice.SIDE_PX, : lattice.SIDE_PX])


def read_dice(picture: Picture, mat: Mat | None, *, blurred: bool) -> Found:
    """Read the pip dice of a mat's dice region, or of a whole picture without a mat.

    The answer: the dice, what is wrong with them, and the promise that no die was missed or named wrong. On a mat
    without a dice region nothing is seen and nothing promised. In a ``blurred`` picture only clear dice count.
    """
    view = view_of(picture, mat)
    if view is None:
        return (), (), False
    judged, doubted = _judge(view, mat)
    complaints = [c for j in judged for c in j.faults]
    complaints += [Complaint("unknown-piece", at) for at in doubted]
    region = mat.layout.region(REGION) if mat is not None else None
    if mat is not None and region is not None:
        covered = covered_at(picture, mat, region, [mat.mm(j.at, HEIGHT_MM) for j in judged])
        complaints += [Complaint("covered", covered)] if covered is not None else []
    limit = verdict.rules()
    clear = all(j.right >= limit.sure and j.there >= limit.there_sure for j in judged)
    if blurred and (not clear or not judged):
        complaints.append(Complaint("blurred"))
    if not judged and not complaints:
        clear = is_plain(picture, mat, region)
    sightings = tuple(_sighting(j, mat) for j in judged)
    return sightings, tuple(complaints), clear and not complaints


def _judge(view: View, mat: Mat | None) -> tuple[list[_Judged], list[Point]]:
    """Return the dice of a view, and the places that may be dice but were not taken for any."""
    dice = view.dice()
    limit = verdict.rules()
    there = [verdict.is_there(d, dice) for d in dice]
    taken = [d for d, p in zip(dice, there, strict=True) if p >= limit.take]
    doubted = [_place(d, view) for d, p in zip(dice, there, strict=True) if limit.doubt <= p < limit.take]
    usual = _usual_stretch(taken)
    judged = []
    for die, p in zip(dice, there, strict=True):
        if p < limit.take:
            continue
        at = _place(die, view)
        faults = _faults(die, at, taken, usual, mat)
        if faults is not None:
            judged.append(_Judged(die, p, verdict.confidence(die), at, faults))
    return judged, doubted


def _place(die: Die, view: View) -> Point:
    x, y = die.centre + view.corner
    return float(x), float(y)


def _usual_stretch(dice: list[Die]) -> tuple[float, float] | None:
    """How flat faces look in this picture when no mat tells: the median of the dice, from three on."""
    if len(dice) < 3:
        return None
    a, b = np.median([d.stretch for d in dice], axis=0)
    return float(a), float(b)


def _faults(
    die: Die, at: Point, dice: list[Die], usual: tuple[float, float] | None, mat: Mat | None
) -> tuple[Complaint, ...] | None:
    """Return what is wrong with a die; None when it lies off the mat's region and is nobody's business."""
    limit = verdict.rules()
    if mat is not None:
        x, y = mat.mm(at, _height(die, at, mat))
        if mat.layout.region_at(x, y) is None:
            w, h = mat.layout.paper
            return (Complaint("outside", at),) if 0 <= x <= w and 0 <= y <= h else None
        usual = die.flat
    lean = None if usual is None else float(np.hypot(die.stretch[0] - usual[0], die.stretch[1] - usual[1]))
    touching = verdict.touches(die, dice)
    if verdict.lies_flat(limit, lean, die.is_cocked, touching=touching, on_mat=mat is not None):
        return ()
    if touching and die.is_cocked <= limit.cocked:
        return (Complaint("touching", at),)
    # The reader's word "not to be read" also means a covered face; the shape of the face tells a lean from that
    level = mat is not None and lean is not None and lean <= limit.lean / 2
    return (Complaint("covered" if level else "cocked-die", at),)


def _height(die: Die, at: Point, mat: Mat) -> float:
    """Return the die's edge in page millimetres, from its size in the picture."""
    x, y = mat.mm(at, HEIGHT_MM)
    return float(np.clip(die.edge / mat.px_per_mm((x, y)), *HEIGHTS_MM))


def _sighting(j: _Judged, mat: Mat | None) -> Sighting:
    die, half = j.die, j.die.edge * 0.7
    foot = mat.mm(j.at, _height(die, j.at, mat)) if mat is not None else None
    region = mat.layout.region_at(*foot) if mat is not None and foot is not None else None
    cocked = any(c.kind == "cocked-die" for c in j.faults)
    share = die.judged[:6] * (die.found + 0.02)
    share = share / max(float(share.sum()), 1e-9)
    rest = max(1e-9, 1 - float(share[die.value - 1]))
    parts = [(str(v), round(float(share[v - 1]) / rest * (1 - j.right), 4)) for v in range(1, 7) if v != die.value]
    others = sorted(parts, key=lambda pair: -pair[1])
    return Sighting(
        kind="die",
        name=None if cocked else str(die.value),
        confidence=0.0 if cocked else round(j.right * min(1.0, j.there), 4),
        alternatives=tuple(pair for pair in others if pair[1] >= LEAST_ALTERNATIVE),
        face="up",
        region=region.name if region is not None else None,
        center_px=j.at,
        center_mm=foot,
        angle_deg=round((die.pattern.turn_deg + 45) % 90 - 45, 1),
        box_px=(j.at[0] - half, j.at[1] - half, 2 * half, 2 * half),
    )
