"""The second witness: the straightened top face compared with drawn patterns of pips, without a network.

The face is turned, so every pattern is tried at every turn, at several spacings, pip sizes and small shifts; the score
of a value is the best normalised correlation over a disc inside the face.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Picture

Array = NDArray[np.float32]

SIDE_PX = 31
FACE_PX = 26.0  # the face's edge in the straightened crop
DISC = 0.52  # of an edge: what is compared, the corners left out because the turn is unknown
STEP_DEG = 7.5
SPACINGS = (0.215, 0.25, 0.285)
RADII = (0.085, 0.12)
ACE_RADII = (0.09, 0.13, 0.19)
SHIFTS_PX = (-1.3, 0.0, 1.3)
SHIFTS = tuple((dx, dy) for dx in SHIFTS_PX for dy in SHIFTS_PX)
UNSHIFTED = SHIFTS.index((0.0, 0.0))
PROMISING = 12  # patterns of a value whose shifts are tried; trying all changed the best value of 2 in 605 faces
TURN_DEG = {1: STEP_DEG, 2: 180.0, 3: 180.0, 4: 90.0, 5: 90.0, 6: 180.0}
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True)
class Pattern:
    """What the patterns say: a score 0..1 for each value 1..6, and the turn of the best one in degrees."""

    scores: Array
    turn_deg: float

    @property
    def best(self) -> int:
        """The value of the best score."""
        return int(self.scores.argmax()) + 1

    def lead(self, value: int) -> float:
        """How far ``value`` is ahead of the best other one; negative when behind."""
        others = np.delete(self.scores, value - 1)
        return float(self.scores[value - 1] - others.max())


def straighten(picture: Picture, centre: NDArray[np.float64], edge: float, stretch: tuple[float, float]) -> Picture:
    """Return the top face as a square, 31 x 31 px; its edge is 26 px, its turn stays unknown.

    ``stretch`` is the traceless logarithm of the face's shape (see ``network.judge``).
    """
    a, b = stretch
    log = np.array([[a, b], [b, -a]]) / 2
    w, v = np.linalg.eigh(log)
    turn = v @ np.diag(np.exp(-w)) @ v.T * (FACE_PX / edge)
    middle = (SIDE_PX - 1) / 2
    m = np.column_stack([turn, np.array([middle, middle]) - turn @ centre])
    flags = cv2.INTER_AREA if edge > FACE_PX else cv2.INTER_LINEAR
    face = cv2.warpAffine(picture, m, (SIDE_PX, SIDE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, np.uint8)


def compare(face: Picture) -> Pattern:
    """Scores of the six values for a straightened face."""
    bank, values, turns = _bank()
    pixels = face[_disc()].astype(np.float32)
    pixels -= pixels.mean(0)
    _, vectors = np.linalg.eigh(pixels.T @ pixels + 1e-3 * np.eye(3))
    looks = np.column_stack([pixels.sum(1), pixels @ vectors[:, -1]]).astype(np.float32)
    looks /= np.maximum(np.linalg.norm(looks, axis=0), 1e-6)
    roughly = np.abs(bank[:, UNSHIFTED] @ looks).max(1)
    promising = np.concatenate([np.flatnonzero(values == v)[_best(roughly[values == v])] for v in range(1, 7)])
    fit = np.abs(bank[promising] @ looks).max((1, 2))
    scores = np.array([fit[values[promising] == v].max() for v in range(1, 7)], np.float32)
    return Pattern(scores, float(turns[promising[int(fit.argmax())]]))


def _best(scores: Array) -> NDArray[np.int64]:
    return np.argsort(-scores)[:PROMISING]


@cache
def _disc() -> NDArray[np.bool_]:
    grid = np.arange(SIDE_PX) - (SIDE_PX - 1) / 2
    return np.asarray(np.add.outer(grid**2, grid**2) <= (DISC * FACE_PX) ** 2)


@cache
def _bank() -> tuple[Array, NDArray[np.int64], Array]:
    """Return unit patterns (n, shifts, pixels in the disc), their values and their turns."""
    yy, xx = np.nonzero(_disc())
    middle = (SIDE_PX - 1) / 2
    places = np.column_stack([xx, yy]).astype(np.float32) - middle - np.array(SHIFTS, np.float32)[:, None]
    turned = [(value, float(turn)) for value in PIPS for turn in np.arange(0, TURN_DEG[value], STEP_DEG)]
    drawn = [_drawn(places, *pattern) for pattern in turned]
    bank = np.concatenate(drawn)
    bank -= bank.mean(-1, keepdims=True)
    bank /= np.linalg.norm(bank, axis=-1, keepdims=True)
    values, turns = np.repeat(np.array(turned, np.float32), [len(d) for d in drawn], 0).T
    return bank, values.astype(np.int64), turns


def _drawn(places: Array, value: int, turn_deg: float) -> Array:
    """Ink 0..1 at places (..., 2) for each spacing and size of pip, which are blurred by about a pixel."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    pips = np.array(PIPS[value], np.float32) @ np.array([[c, s], [-s, c]], np.float32)
    ink = []
    for spacing in SPACINGS if value > 1 else SPACINGS[:1]:
        away = np.min([np.hypot(*np.moveaxis(places - pip * spacing * FACE_PX, -1, 0)) for pip in pips], 0)
        radii = RADII if value > 1 else ACE_RADII
        ink += [np.clip((radius * FACE_PX - away) / 2 + 0.5, 0, 1) for radius in radii]
    return np.stack(ink).astype(np.float32)
