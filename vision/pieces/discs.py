"""Round pieces, alone or in a crowd: every place on what is not paper is compared with the looks' rings of colour."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.observation import Point
from vision.pieces.compare import Pose
from vision.pieces.find import Mask
from vision.pieces.footprint import Footprint
from vision.pieces.naming import Likeness, Page, is_taken, recognise

STEP = 2
"""Pixels of the coarse page between the places that are compared."""
COVERED = 0.55
"""Least share of a disc on which something lies."""
WORTH = 0.45
"""Least likeness to a ring of a place that is looked at more closely."""
APART = 0.45
"""Two tokens' middles are at least this share of a diameter apart: more than half of the lower one shows."""


def discs(page: Page, mask: Mask, footprint: Footprint) -> list[Likeness]:
    """Find the tokens of a footprint, the clearest first. ``mask`` is at the coarse scale."""
    diameter = footprint.size[0]
    taken: list[Likeness] = []
    for x, y in _peaks(*_places(page, mask, footprint), APART * diameter):
        seen = recognise(page, footprint, Pose(float(x), float(y), 0.0))
        if is_taken(seen) and _is_apart(seen.pose, (x, y), diameter):
            taken.append(seen)
    taken.sort(key=lambda seen: -seen.cosine)
    out: list[Likeness] = []
    for seen in taken:
        if all(np.hypot(seen.pose.x - o.pose.x, seen.pose.y - o.pose.y) >= APART * diameter for o in out):
            out.append(seen)
    return out


def _is_apart(pose: Pose, start: tuple[float, float], diameter: float) -> bool:
    return bool(np.hypot(pose.x - start[0], pose.y - start[1]) < diameter / 4)


def _places(page: Page, mask: Mask, footprint: Footprint) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Give the places (n, 2) in page mm that are like any look's rings, and how much they are."""
    level, look = page.coarse, footprint.coarse[0]
    width, height = look.size
    cover = cv2.boxFilter((mask > 0).astype(np.float32), -1, (width * 3 // 4, height * 3 // 4))
    half = (width // 2, height // 2)
    far = level.colour.shape[0] - height + half[1], level.colour.shape[1] - width + half[0]
    rows, columns = np.nonzero(cover[half[1] : far[0] : STEP, half[0] : far[1] : STEP] >= COVERED)
    if len(rows) == 0:
        return np.empty((0, 2)), np.empty(0, np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(level.colour, (height, width), axis=(0, 1))[::STEP, ::STEP]
    seen = windows[rows, columns].reshape(len(rows), 3, -1)[:, :, footprint.sparse]
    seen[:, 0] -= seen[:, 0].mean(1, keepdims=True)
    vectors = seen.transpose(0, 2, 1).reshape(len(rows), -1)
    scores = (vectors @ footprint.rings.T).max(1) / (np.sqrt(np.einsum("ij,ij->i", vectors, vectors)) + 1e-9)
    at = np.stack([columns * STEP + (width - 1) / 2, rows * STEP + (height - 1) / 2], 1)[scores >= WORTH]
    return at / level.px_per_mm + level.offset, scores[scores >= WORTH]


def _peaks(places: NDArray[np.float64], scores: NDArray[np.float32], apart: float) -> Iterator[Point]:
    """Give the best places that are no neighbours of better ones."""
    places = places[np.argsort(-scores)]
    while len(places):
        x, y = places[0].tolist()
        yield x, y
        places = places[np.hypot(places[:, 0] - x, places[:, 1] - y) >= apart]
