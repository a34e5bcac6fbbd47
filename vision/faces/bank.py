"""Taught faces made ready for comparison: turned for the search, and with the slopes along which a pose is improved.

Everything is measured in edges of the die. The search runs at 12 px an edge, the comparison at 32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gallery import Look
from vision.mat.paper import OPPONENTS, Field

Mask = NDArray[np.bool_]

COARSE, FINE = 12, 32
"""Pixels an edge of the search and of the comparison: 0.75 and 2 px/mm on an ordinary die of 16 mm."""
PAPER_LEVEL = 204.0
"""The level in a look's picture that stands for the paper's; glare on a die may be a quarter brighter."""
STEP_DEG = 15.0
TURNS = int(360 / STEP_DEG)
PARTS = 40
"""Main components of the turned faces that the search keeps."""
INSIDE = 24
"""Pixels of the FINE in the middle that are compared: the rounded rim of a die looks different from every side."""
PLAIN = 0.06
"""Standard deviation within a face, in parts of the paper's brightness, below which nothing is printed on it."""
SOFT = 0.8
"""Blur in px of the looks: pictures of the table are less sharp than those that teach."""
SAME_SIZE = 0.08
"""Edges that differ by less are those of one kind of die, measured twice."""
CHANNELS = 3


@dataclass(frozen=True, eq=False)
class Face:
    """One taught face: ``picture`` (FINE, FINE, 3), colours relative to the paper, spans exactly one edge.

    ``colour`` (3,) is the mean of its inside. ``unit`` is the inside as a vector of length 1, each channel's mean taken
    off, and ``strength`` that vector's length before. ``solver`` maps such a vector of a picture to the gain, offsets,
    shift (x, y in px), turn (radians) and strains that explain it best.
    """

    name: str
    picture: Field
    colour: Field
    strength: float
    unit: Field
    solver: Field


@dataclass(frozen=True, eq=False)
class Bank:
    """Faces of dice of one size, ``edge`` in mm: those with a print, and the ``plain`` ones.

    ``units`` (printed, pixels) are those of the faces. ``parts`` (PARTS, pixels) and ``weights`` (printed x TURNS,
    PARTS) together are the unit vectors of the turned faces; ``likeness`` (printed, printed) is the best correlation of
    two faces over all turns.
    """

    edge: float
    printed: tuple[Face, ...]
    plain: tuple[Face, ...]
    units: Field
    parts: Field
    weights: Field
    likeness: Field


@lru_cache(maxsize=8)
def banks(looks: tuple[Look, ...]) -> tuple[Bank, ...]:
    """Dice among the looks, by size."""
    dice = sorted((look for look in looks if look.kind == "die" and look.size_mm), key=_edge)
    groups: list[list[Look]] = []
    for look in dice:
        if groups and _edge(look) < _edge(groups[-1][0]) * (1 + SAME_SIZE):
            groups[-1].append(look)
        else:
            groups.append([look])
    return tuple(bank_of(float(np.median([_edge(look) for look in g])), [face_of(look) for look in g]) for g in groups)


def _edge(look: Look) -> float:
    return float(np.mean(look.size_mm)) if look.size_mm else 0.0


def face_of(look: Look) -> Face:
    """Make a face ready."""
    colour = cv2.transform(look.picture.astype(np.float32) / PAPER_LEVEL, OPPONENTS)
    square = cv2.resize(colour, (FINE, FINE), interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(square, (0, 0), SOFT), np.float32)
    vector = centred(inside(soft))
    strength = float(np.linalg.norm(vector))
    unit = unit_of(vector)
    return Face(look.name, soft, inside(soft).mean(0), strength, unit, _solver(soft, unit, strength))


def is_plain(face: Face) -> bool:
    """Whether nothing is printed on a face."""
    return float(inside(face.picture).std(0).max()) < PLAIN


def bank_of(edge: float, faces: Sequence[Face]) -> Bank:
    """Turn the printed faces for the search."""
    printed = tuple(face for face in faces if not is_plain(face))
    plain = tuple(face for face in faces if is_plain(face))
    turned = [_turned(face.picture, turn) for face in printed for turn in np.arange(TURNS) * STEP_DEG]
    if not turned:
        nothing = np.zeros((0, 0), np.float32)
        return Bank(edge, printed, plain, nothing, nothing, nothing, nothing)
    vectors = unit_of(centred(np.stack(turned)))
    parts = np.linalg.svd(vectors, full_matrices=False)[2][:PARTS]
    upright = vectors[::TURNS]
    likeness = (upright @ vectors.T).reshape(len(printed), len(printed), TURNS).max(2)
    units = np.stack([face.unit for face in printed])
    return Bank(edge, printed, plain, units, parts, vectors @ parts.T, likeness)


def centred(pixels: Field) -> Field:
    """Pixels (..., n, 3) as vectors (..., 3n) with each channel's mean taken off."""
    off = pixels - pixels.mean(-2, keepdims=True)
    return np.asarray(off.reshape(*off.shape[:-2], -1), np.float32)


def unit_of(vectors: Field) -> Field:
    """Vectors (..., n) at length 1."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6), np.float32)


def inside(picture: Field) -> Field:
    """Return the pixels (INSIDE * INSIDE, 3) of a face (FINE, FINE, 3) that are compared."""
    rim = (FINE - INSIDE) // 2
    return np.asarray(picture[rim:-rim, rim:-rim].reshape(-1, CHANNELS))


@cache
def around_middle(side: int) -> NDArray[np.float32]:
    """Where the pixels of a square of that side lie around its middle, (side * side, 2) as x, y."""
    rows, columns = np.mgrid[:side, :side] - (side - 1) / 2
    return np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float32)


@cache
def disc() -> Mask:
    """Mask (COARSE, COARSE) of what the search compares: the circle in the square, which has no turn."""
    return np.asarray(np.hypot(*around_middle(COARSE).T) <= COARSE / 2).reshape(COARSE, COARSE)


def _solver(picture: Field, unit: Field, strength: float) -> Field:
    """Least squares for gain, three offsets, shift, turn, and three strains (x, y, shear)."""
    across, down = (
        inside(np.asarray(cv2.Sobel(picture, cv2.CV_32F, *way, scale=0.125), np.float32)) / strength
        for way in ((1, 0), (0, 1))
    )
    x, y = around_middle(INSIDE).T[..., None]
    slopes = [across, down, down * x - across * y, across * x, down * y, across * y + down * x]
    offsets = [np.tile(np.eye(CHANNELS)[k], (len(x), 1)) for k in range(CHANNELS)]
    basis: Any = np.stack([unit, *(part.reshape(-1) for part in offsets + slopes)], 1)
    return np.asarray(np.linalg.pinv(basis), np.float32)


def _turned(picture: Field, turn_deg: float) -> Field:
    """Pixels (n, 3) inside the disc of a face turned clockwise and made small."""
    scale, turn = FINE / COARSE, np.radians(turn_deg)
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    to_face = np.array([[c, s, 0], [-s, c, 0]])
    to_face[:, 2] = (FINE - 1) / 2 - to_face[:, :2] @ np.full(2, (COARSE - 1) / 2)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    soft = cv2.GaussianBlur(picture, (0, 0), SOFT)
    small = cv2.warpAffine(soft, to_face, (COARSE, COARSE), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(small[disc()], np.float32)
