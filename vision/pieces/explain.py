"""Explains what lies on a page by taught looks, one outline after the other; what is left is unknown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.compare import Pose
from vision.pieces.discs import discs
from vision.pieces.find import SCALE, Blob, Found, Mask, blobs_of
from vision.pieces.footprint import Footprint
from vision.pieces.naming import Likeness, Page, is_taken, likeness, recognise

Proposal = tuple[Footprint, Pose]

FITS = (0.86, 1.22)
"""A blob's sides against a piece's: light borders make it smaller, contact shadows larger."""
WORTH = 0.35
"""Least likeness at the coarse scale of a proposal that is followed."""
COVERED = 0.72
"""Least share of a proposed piece's area where something lies."""
SPARE_MM = 2.5
"""A blob larger than its piece by more has a shadow on one side: the piece may lie in any of its corners."""
RIM_MM = 3.5
"""What lies this near around a piece belongs to it: its thickness, its contact shadow."""
CORNER_MM = 12.0
"""Sides of an outline shorter than this give no corner to lay a card at."""
STRAIGHT_DEG = 14.0
VAIN = 10
"""Proposals that fail before a thing is given up: cards that touch are found at the first, a hand never is."""


@dataclass(frozen=True, eq=False)
class Explained:
    """``pieces`` in the order of being found; ``rest`` what no look explains."""

    pieces: tuple[Likeness, ...]
    rest: tuple[Blob, ...]


def explain(page: Page, found: Found, footprints: Sequence[Footprint]) -> Explained:
    """Explain a page's things: first those of a card's size by one card, then discs, then cards that lie together."""
    left = found.mask.copy()
    pieces: list[Likeness] = []
    oblong = [one for one in footprints if not one.disc]
    for blob in found.blobs:
        whole = _whole(page, blob, oblong)
        if whole is not None:
            pieces.append(whole)
            _clear(left, whole)
    for footprint in footprints:
        round_ones = discs(page, left, footprint) if footprint.disc else []
        pieces += round_ones
        for seen in round_ones:
            _clear(left, seen)
    for blob in blobs_of(_opened(left)):
        pieces += _parted(page, left, blob, oblong)
    return Explained(tuple(pieces), blobs_of(_opened(left)))


def _opened(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _whole(page: Page, blob: Blob, footprints: Sequence[Footprint]) -> Likeness | None:
    """Explain a blob by one piece of its size."""
    best = max(_laid(page, _fitting(blob, footprints)), key=lambda pair: pair[0], default=None)
    if best is None or best[0] < WORTH:
        return None
    named = recognise(page, *best[1])
    return named if is_taken(named) else None


def _laid(page: Page, proposals: Iterator[Proposal]) -> Iterator[tuple[float, Proposal]]:
    for footprint, pose in proposals:
        yield likeness(page, footprint, pose), (footprint, pose)


def _fitting(blob: Blob, footprints: Sequence[Footprint]) -> Iterator[Proposal]:
    """Lay pieces of the blob's size on it: in its middle, and where it is larger in its corners."""
    (x, y), (w, h), angle = blob.rect
    for footprint in footprints:
        for (across, down), turn in (((w, h), angle), ((h, w), angle + 90)):
            ratios = across / footprint.size[0], down / footprint.size[1]
            if not all(FITS[0] <= ratio <= FITS[1] for ratio in ratios):
                continue
            spare = max(0.0, across - footprint.size[0]), max(0.0, down - footprint.size[1])
            yield from ((footprint, _shifted(x, y, turn, dx, dy)) for dx, dy in _anchors(spare))


def _anchors(spare: tuple[float, float]) -> list[tuple[float, float]]:
    if max(spare) < SPARE_MM:
        return [(0.0, 0.0)]
    a, b = spare[0] / 2, spare[1] / 2
    return [(0.0, 0.0), (a, b), (-a, b), (a, -b), (-a, -b)]


def _shifted(x: float, y: float, turn_deg: float, dx: float, dy: float) -> Pose:
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    return Pose(float(x + c * dx - s * dy), float(y + s * dx + c * dy), float(turn_deg))


def _parted(page: Page, left: Mask, blob: Blob, footprints: Sequence[Footprint]) -> list[Likeness]:
    """Take pieces off a blob of several, the best explained first."""
    pieces: list[Likeness] = []
    part = np.zeros_like(left)
    cv2.drawContours(part, [_px(blob.outline)], -1, 255, -1)
    part &= left
    tried: list[Proposal] = []
    while len(tried) - len(pieces) < VAIN:
        proposals = [p for p in _inside(part, footprints) if not any(_same(p, other) for other in tried)]
        ranked = sorted(_laid(page, iter(proposals)), key=lambda pair: -pair[0])
        for score, proposal in ranked:
            if score < WORTH or len(tried) - len(pieces) == VAIN:
                return pieces
            tried.append(proposal)
            seen = recognise(page, *proposal)
            if is_taken(seen) and _share(part, seen.footprint, seen.pose) >= COVERED / 2:
                pieces.append(seen)
                _clear(part, seen)
                _clear(left, seen)
                break
        else:
            return pieces
    return pieces


def _inside(part: Mask, footprints: Sequence[Footprint]) -> Iterator[Proposal]:
    for footprint in footprints:
        for pose in _corners(part, footprint):
            if _share(part, footprint, pose) >= COVERED:
                yield footprint, pose


def _corners(part: Mask, footprint: Footprint) -> Iterator[Pose]:
    """Lay a card into each right-angled corner of the outline, either way round."""
    outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        points = cv2.approxPolyDP(outline, 2.5, True).reshape(-1, 2).astype(float)
        if len(points) < 3:
            continue
        before, after = np.roll(points, 1, 0) - points, np.roll(points, -1, 0) - points
        for at, back, ahead in zip(points, before, after, strict=True):
            a, b = np.linalg.norm(back), np.linalg.norm(ahead)
            if min(a, b) < CORNER_MM * SCALE / 2 or max(a, b) < CORNER_MM * SCALE:
                continue
            bend = np.rad2deg(np.arccos(np.clip(back @ ahead / (a * b), -1, 1)))
            if abs(bend - 90) > STRAIGHT_DEG:
                continue
            yield from _cornered(at, back / a, ahead / b, footprint, along_back=a > b)


def _cornered(
    at: NDArray[np.float64],
    back: NDArray[np.float64],
    ahead: NDArray[np.float64],
    footprint: Footprint,
    *,
    along_back: bool,
) -> Iterator[Pose]:
    x, y = _mm(*at)
    main = back if along_back else ahead
    turn = float(np.rad2deg(np.arctan2(main[1], main[0])))
    side = np.array([-main[1], main[0]])
    side = side * np.sign(side @ (ahead if along_back else back))
    for along, across, quarter in (
        (footprint.size[0], footprint.size[1], 0.0),
        (footprint.size[1], footprint.size[0], 90.0),
    ):
        middle = np.array([x, y]) + main * along / 2 + side * across / 2
        yield Pose(float(middle[0]), float(middle[1]), turn + quarter)


def outline(footprint: Footprint, pose: Pose, grow_mm: float = 0.0) -> NDArray[np.float32]:
    """Return the piece's outline in page mm, (n, 2)."""
    w, h = (side * pose.scale / 2 + grow_mm for side in footprint.size)
    if footprint.disc:
        angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        local = np.stack([w * np.cos(angle), h * np.sin(angle)], 1)
    else:
        local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    c, s = np.cos(np.deg2rad(pose.turn_deg)), np.sin(np.deg2rad(pose.turn_deg))
    return np.asarray(local @ np.array([[c, s], [-s, c]]) + (pose.x, pose.y), np.float32)


def _clear(mask: Mask, seen: Likeness) -> None:
    cv2.fillConvexPoly(mask, _px(outline(seen.footprint, seen.pose, RIM_MM)), 0)


_GRID = np.stack(np.meshgrid(np.linspace(-0.42, 0.42, 9), np.linspace(-0.42, 0.42, 9)), -1).reshape(-1, 2)


def _share(mask: Mask, footprint: Footprint, pose: Pose) -> float:
    """Give the share of a piece's area where the mask is set, from a grid of points."""
    grid = _GRID[np.hypot(*_GRID.T) < 0.45] if footprint.disc else _GRID
    local = grid * footprint.size
    c, s = np.cos(np.deg2rad(pose.turn_deg)), np.sin(np.deg2rad(pose.turn_deg))
    at = local @ np.array([[c, s], [-s, c]]) + (pose.x, pose.y)
    px = _px(at)
    height, width = mask.shape
    inside = (px >= 0).all(1) & (px < (width, height)).all(1)
    return float((mask[px[inside, 1], px[inside, 0]] > 0).sum()) / len(px)


def _same(a: Proposal, b: Proposal) -> bool:
    if a[0] is not b[0]:
        return False
    return bool(
        np.hypot(a[1].x - b[1].x, a[1].y - b[1].y) < 3 and abs((a[1].turn_deg - b[1].turn_deg + 90) % 180 - 90) < 8
    )


def _px(mm: NDArray[np.floating]) -> NDArray[np.int32]:
    return np.asarray(np.round(mm * SCALE - 0.5), np.int32)


def _mm(i: float, j: float) -> tuple[float, float]:
    return float((i + 0.5) / SCALE), float((j + 0.5) / SCALE)
