"""Four-sided outlines in a picture without a mat: cards and tiles on whatever table they lie.

Nothing is known but that a piece has four straight sides (its corners may be round) and differs from what is around it
in brightness or colour. So contours of many brightness and colour levels are tried, each side is then fitted again to
the steepest change across it, and where several contours claim one place the sharpest stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Picture

Points = NDArray[np.float32]

WORK_SIDE_PX = 640  # contours need no more; the sides are fitted in the whole picture
LEVELS = 12
PLAIN = 12  # levels between a channel's lowest and highest, below which nothing is drawn in it
LEAST_AREA = 0.002  # of the picture; a smaller piece has too few pixels for a name
MOST_AREA = 0.97
SKEW_DEG = 32.0  # by which a right angle may be off: a tilt of 35 degrees and more
SAMPLES = 32  # along a side
REACH = 0.06  # of a side: how far the fitted side may be from the rough one
SAME = 0.6  # two outlines that share this much of their area are of one thing


@dataclass(frozen=True, eq=False)
class Outline:
    """``corners`` (4, 2) in px, clockwise; ``support`` 0..1: how much of the sides a change was found on."""

    corners: Points
    support: float

    @property
    def area(self) -> float:
        """Pixels inside."""
        return float(cv2.contourArea(self.corners))


def outlines(picture: Picture) -> list[Outline]:
    """Return what may be pieces, the best supported first; one may lie in another."""
    scale = min(1.0, WORK_SIDE_PX / max(picture.shape[:2]))
    small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    rough = _distinct(list(_quads(small)))
    planes = _planes(picture)
    fitted = [o for q in rough if (o := _fitted(planes, (q + 0.5) / scale - 0.5)) is not None]
    kept: list[Outline] = []
    for o in sorted(fitted, key=lambda o: -o.support):
        if all(overlap(o, k) < SAME for k in kept):
            kept.append(o)
    return kept


def overlap(a: Outline, b: Outline) -> float:
    """Return the shared area by the joined area, 0..1."""
    shared, _ = cv2.intersectConvexConvex(a.corners, b.corners)
    return float(shared / max(a.area + b.area - shared, 1e-6))


def _planes(picture: Picture) -> list[NDArray[np.float32]]:
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (3, 3), 0), cv2.COLOR_BGR2LAB)
    return [np.ascontiguousarray(lab[:, :, i], np.float32) for i in range(3)]


def _quads(small: Picture) -> Iterator[Points]:
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    area = small.shape[0] * small.shape[1]
    for channel in cv2.split(lab):
        low, high = np.percentile(channel, (1, 99))
        levels = np.linspace(low, high, LEVELS + 2)[1:-1]
        masks = [channel > level for level in levels] if high - low > PLAIN else []
        near = cv2.blur(channel, (31, 31)).astype(np.int16)
        masks += [channel.astype(np.int16) > near + 4, channel.astype(np.int16) < near - 4]
        for mask in masks:
            found, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
            for contour in found:
                if LEAST_AREA * area < cv2.contourArea(contour) < MOST_AREA * area:
                    quad = _quad(contour)
                    if quad is not None:
                        yield quad


def _quad(contour: NDArray[np.int32]) -> Points | None:
    """Return the four-sided figure that a contour nearly is."""
    hull = cv2.convexHull(contour)
    inside = cv2.contourArea(contour)
    if inside < 0.85 * cv2.contourArea(hull):
        return None
    around = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.03, 0.045, 0.06, 0.08):
        quad = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(quad) < 4:
            return None
        if len(quad) == 4:
            corners = _clockwise(quad.reshape(4, 2).astype(np.float32))
            close = 0.85 < cv2.contourArea(corners) / inside < 1.15
            return corners if close and _is_plausible(corners) else None
    return None


def _clockwise(quad: Points) -> Points:
    """Return the corners clockwise, the one nearest to the picture's top left first."""
    a, b = quad[1] - quad[0], quad[2] - quad[1]
    turned = quad if a[0] * b[1] - a[1] * b[0] > 0 else quad[::-1]
    return np.roll(turned, -int(turned.sum(1).argmin()), 0)


def _is_plausible(quad: Points) -> bool:
    sides = np.roll(quad, -1, 0) - quad
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < 8:
        return False
    turn = sides / lengths[:, None]
    bend = np.abs((turn * np.roll(turn, -1, 0)).sum(1))
    return bool(bend.max() < np.sin(np.radians(SKEW_DEG)) and (lengths / np.roll(lengths, 2)).min() > 0.6)


def _distinct(quads: list[Points]) -> list[Points]:
    """Return the quads without those of which another has nearly the same corners."""
    kept: list[Points] = []
    for q in quads:
        reach = 0.03 * np.sqrt(cv2.contourArea(q))
        if not kept or np.abs(np.stack(kept) - q).max((1, 2)).min() >= reach:
            kept.append(q)
    return kept


def _fitted(planes: list[NDArray[np.float32]], quad: Points) -> Outline | None:
    """Return the quad with its sides on the steepest changes across them; None where there are none."""
    lines, supports = [], []
    for i in range(4):
        a, b = quad[i], quad[(i + 1) % 4]
        other = np.linalg.norm(quad[(i + 2) % 4] - b)
        line, support = _side(planes, a, b, max(3.0, REACH * float(other)))
        lines.append(line)
        supports.append(support)
    if min(supports) < 0.3:
        return None
    corners = np.array([_meet(lines[i - 1], lines[i]) for i in range(4)], np.float32)
    size = np.sqrt(cv2.contourArea(quad))
    if not np.isfinite(corners).all() or np.abs(corners - quad).max() > 0.15 * size or not _is_plausible(corners):
        return None
    return Outline(corners, float(np.mean(supports)) * min(supports) ** 0.5)


def _side(planes: list[NDArray[np.float32]], a: Points, b: Points, reach: float) -> tuple[NDArray[np.float64], float]:
    """Fit a line (nx, ny, d) to the steepest changes across a-b; the share of the places that agree."""
    along = (b - a) / np.linalg.norm(b - a)
    out = np.array([along[1], -along[0]], np.float32)
    t = np.linspace(0.1, 0.9, SAMPLES, dtype=np.float32)[:, None, None]
    step = np.arange(-reach, reach + 0.5, 0.5, dtype=np.float32)
    places = a + t * (b - a) + step[None, :, None] * out
    change = np.zeros(places.shape[:2], np.float32)
    for plane in planes:
        values = cv2.remap(plane, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        change += cv2.Sobel(values, cv2.CV_32F, 1, 0, ksize=1, borderType=cv2.BORDER_REPLICATE) ** 2
    # a neighbour's side may be the stronger change: the nearer to the rough side, the more a change counts
    change = np.sqrt(cv2.blur(change, (3, 1))) * np.exp(-2 * (step / reach) ** 2)
    best = change.argmax(1)
    offsets = step[best]
    strong = change.max(1)
    x = t[:, 0, 0] - 0.5
    good = strong > 2.5
    if good.sum() < 6:
        return np.zeros(3), 0.0
    slope, level = _robust_line(x[good], offsets[good], strong[good])
    off = np.abs(offsets - level - slope * x)
    support = float((good & (off < 1.5)).mean())
    p = (a + b) / 2 + out * level
    direction = (b - a) + out * slope
    normal = np.array([direction[1], -direction[0]], float)
    normal /= np.linalg.norm(normal)
    return np.array([*normal, float(normal @ p)]), support


def _robust_line(x: Points, y: Points, weight: Points) -> tuple[float, float]:
    """Return slope and level of the line that most of the points agree on."""
    pairs = [(i, j) for i in range(0, len(x), 3) for j in range(len(x) // 2 + i % 2, len(x), 3) if x[j] - x[i] > 0.25]
    best, least = (0.0, float(np.median(y))), np.inf
    for i, j in pairs:
        slope = (y[j] - y[i]) / (x[j] - x[i])
        level = y[i] - slope * x[i]
        cost = float(np.minimum(np.abs(y - level - slope * x), 2.0).sum())
        if cost < least:
            best, least = (float(slope), float(level)), cost
    for _ in range(2):
        w = weight / (1 + (np.abs(y - best[1] - best[0] * x) / 0.7) ** 4)
        design = np.stack([x, np.ones_like(x)], 1) * np.sqrt(w)[:, None]
        slope, level = np.linalg.lstsq(design, y * np.sqrt(w), rcond=None)[0]
        best = float(slope), float(level)
    return best


def _meet(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    m = np.array([a[:2], b[:2]])
    if abs(np.linalg.det(m)) < 0.2:
        return np.full(2, np.nan)
    return np.linalg.solve(m, np.array([a[2], b[2]]))
