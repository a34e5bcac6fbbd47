"""Where dice may be: the finder network over a picture at several scales, peaks of its heat made into candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.network import CELL_PX, look_over
from vision.picture import Picture

LEAST_HEAT = 0.08
LARGEST_SIDE_PX = 1280
SMALLEST_SIDE_PX = 70
STEP = 0.5**0.5
"""Twice as fine as the levels' own ranges need: what one level sees at its worst size, the next sees well."""
EDGE_PX = 32.0
EDGE_LIMITS_PX = (13.0, 72.0)  # a level's own range; other levels see smaller and larger dice better
WELL_SEEN_PX = (20.0, 52.0)
SAME_DIE = 0.55  # of an edge
SAME_PLACE = 0.4
SAME_SIZE = 1.6


@dataclass(frozen=True, eq=False)
class Candidate:
    """A possible top face.

    Middle and edge in px of the whole picture, heat 0..1, six value probabilities, the scale it was found at;
    ``support`` is the heat of another level that should see the die too (where none should, its own); ``trust`` 0..1
    weighs it against rivals for the same place.
    """

    centre: NDArray[np.float64]
    edge: float
    heat: float
    values: NDArray[np.float32]
    scale: float
    support: float = 0.0
    trust: float = 1.0


def pyramid(picture: Picture) -> list[tuple[float, Picture]]:
    """Return the picture at scales of at most 1280 px, each STEP smaller than the one before, with each one's scale."""
    scale = min(1.0, LARGEST_SIDE_PX / max(picture.shape[:2]))
    out = [(scale, picture if scale == 1 else scaled(picture, scale))]
    while min(*picture.shape[:2], max(picture.shape[:2]) / 4) * scale * STEP >= SMALLEST_SIDE_PX / 4:
        scale *= STEP
        out.append((scale, scaled(picture, scale)))
    return out


def scaled(picture: Picture, scale: float) -> Picture:
    """Return the picture at another scale."""
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how), np.uint8)


Window = tuple[float, float, float, float]


def find(levels: list[tuple[float, Picture]]) -> list[Candidate]:
    """Candidates of all levels, hottest first, one for each place."""
    found = [c for i, level in enumerate(levels) for c in _at_level(*level, last=i == len(levels) - 1)]
    scales = [scale for scale, _ in levels]
    return [replace(c, support=_support(c, found, scales)) for c in distinct(found)]


def find_within(picture: Picture, windows: Sequence[Window], scale: float) -> list[Candidate]:
    """Candidates within the windows (left, top, right, bottom in px), each looked over at one scale, hottest first."""
    h, w = picture.shape[:2]
    found = []
    for left, top, right, bottom in windows:
        x0, y0, x1, y1 = max(0, int(left)), max(0, int(top)), min(w, int(right) + 1), min(h, int(bottom) + 1)
        if min(x1 - x0, y1 - y0) * scale < CELL_PX:
            continue
        part = np.ascontiguousarray(picture[y0:y1, x0:x1])
        corner = np.array([x0, y0])
        seen = _at_level(scale, part if scale == 1 else scaled(part, scale), last=True)
        found += [replace(c, centre=c.centre + corner, support=c.heat) for c in seen]
    return distinct(found)


def _support(c: Candidate, found: list[Candidate], scales: list[float]) -> float:
    """Return the heat of the same die at another scale that shows it large enough."""
    low, high = WELL_SEEN_PX
    if not any(s != c.scale and low <= c.edge * s <= high for s in scales):
        return c.heat
    again = [
        o.heat
        for o in found
        if o.scale != c.scale
        and float(np.hypot(*(o.centre - c.centre))) < SAME_PLACE * c.edge
        and 1 / SAME_SIZE < o.edge / c.edge < SAME_SIZE
    ]
    return max(again, default=LEAST_HEAT / 4)


def distinct(found: list[Candidate]) -> list[Candidate]:
    """Return the hottest of those that share a place."""
    kept: list[Candidate] = []
    for c in sorted(found, key=lambda c: -c.heat * c.trust):
        if all(np.hypot(*(c.centre - k.centre)) > SAME_DIE * min(max(c.edge, 0.5 * k.edge), k.edge) for k in kept):
            kept.append(c)
    return kept


def _at_level(scale: float, picture: Picture, *, last: bool) -> list[Candidate]:
    maps = look_over(picture)
    heat = maps[0]
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > LEAST_HEAT)
    out = []
    for y, x in np.argwhere(peaks):
        edge = float(np.exp(np.clip(maps[7, y, x], -2, 2))) * EDGE_PX
        if not EDGE_LIMITS_PX[0] <= edge <= (EDGE_LIMITS_PX[1] if not last else 200.0):
            continue
        cx, cy = _refined(heat, int(x), int(y))
        centre = (np.array([cx, cy]) + 0.5) * CELL_PX - 0.5
        out.append(
            Candidate((centre + 0.5) / scale - 0.5, edge / scale, float(heat[y, x]), maps[1:7, y, x].copy(), scale)
        )
    return out


def _refined(heat: NDArray[np.float32], x: int, y: int) -> tuple[float, float]:
    """Return the centre of gravity of the heat round a peak."""
    y0, x0 = max(y - 1, 0), max(x - 1, 0)
    window = heat[y0 : y + 2, x0 : x + 2]
    total = float(window.sum())
    cx = float((window.sum(0) * np.arange(x0, x0 + window.shape[1])).sum()) / total
    cy = float((window.sum(1) * np.arange(y0, y0 + window.shape[0])).sum()) / total
    return cx, cy
