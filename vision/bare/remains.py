"""What is left over when the pieces are known: more in their colour, beside them, that nobody named."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Picture

Points = NDArray[np.float32]

SIDE_PX = 320
RIM_PX = 3  # of the small picture: a piece's own rim, and the ground next to it
LIKE = 0.5  # a place is of a piece's colour when it is this much nearer to it than to the ground
STANDS_OUT = 14.0  # levels, by which it differs from the ground at least
LEAST = 0.1  # of the usual piece's area


def remains(picture: Picture, pieces: Sequence[Points]) -> list[tuple[float, float]]:
    """Return the middles (px) of what looks like more of the pieces, whose corners (4, 2) are given, but is none."""
    scale = min(1.0, SIDE_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    quads = [np.round((corners + 0.5) * scale - 0.5).astype(np.int32) for corners in pieces]
    free = np.full(lab.shape[:2], 255, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(free, quad, 0)
    free = _shrunk(free)
    rims, grounds = zip(*(_colours(lab, quad, free) for quad in quads), strict=True)
    to_piece = np.min([np.linalg.norm(lab - rim, axis=2) for rim in rims], 0)
    to_ground = np.min([np.linalg.norm(lab - ground, axis=2) for ground in grounds], 0)
    like = (to_piece < LIKE * to_ground) & (to_ground > STANDS_OUT) & (free > 0)
    mask = cv2.morphologyEx(like.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask)
    least = LEAST * float(np.median([cv2.contourArea(quad) for quad in quads]))
    large = np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > least) + 1
    return [(float(x), float(y)) for x, y in (middles[large] + 0.5) / scale - 0.5]


def _shrunk(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    side = 2 * RIM_PX + 1
    return np.asarray(cv2.erode(mask, np.ones((side, side), np.uint8), borderValue=255), np.uint8)


def _colours(
    lab: NDArray[np.float32], quad: NDArray[np.int32], free: NDArray[np.uint8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return a piece's usual colour just inside its sides, and the ground's next to it."""
    inside = np.zeros(lab.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, quad, 255)
    inner = _shrunk(inside)
    rim = (inner > 0) & (_shrunk(inner) == 0)
    side = 6 * RIM_PX + 1
    ground = (cv2.dilate(inside, np.ones((side, side), np.uint8)) > 0) & (free > 0)
    usual = np.median(lab[rim], 0) if rim.any() else np.median(lab[inside > 0], 0)
    around = np.median(lab[ground], 0) if ground.any() else np.median(lab.reshape(-1, 3), 0)
    return usual.astype(np.float32), around.astype(np.float32)
