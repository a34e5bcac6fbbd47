"""Reads pip dice: candidates of the finder, judged by the reader, checked by the lattice of pips.

Two networks and one measurement without a network say what a die shows; only what they agree on can be sure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import lattice
from vision.dice.finder import Candidate, distinct
from vision.dice.network import COCKED, CROP_EDGE_PX, CROP_PX, NOTHING, READER_CLASSES, judge
from vision.picture import Picture

MOST_CANDIDATES = 48
SURELY_NOTHING = 0.98
OFF_MIDDLE, OFF_SIZE = 0.08, 0.12
"""In edges, and in natural logarithms: training's own crops are off by as much (one standard deviation)."""
CLEAR = 0.85
"""Probability from which on one look is enough: with 0.97 no more of 119 unseen pictures were sure, nor fewer wrong."""
SIZES = (0.87, 1.15)
"""Sizes of an edge, against the one found, at which an unclear place is looked at again."""
NO_MORE = np.zeros((0, READER_CLASSES), np.float32)
Levels = list[tuple[float, Picture]]
Stretch = tuple[float, float]
Expected = Callable[[NDArray[np.float64]], Stretch]


@dataclass(frozen=True)
class Die:
    """A place that was looked at closely.

    ``centre`` and ``edge`` in px of the whole picture; ``heats`` are the finder's at its best scale and at another that
    should see the die; ``judged`` are the reader's eight probabilities, ``found`` the finder's six; ``stretch`` is the
    shape of the top face as the reader sees it, ``flat`` the shape that a die lying flat has there (None where no mat
    tells); ``pattern`` is the lattice's word on the face taken as flat.
    """

    centre: NDArray[np.float64]
    edge: float
    heats: tuple[float, float]
    judged: NDArray[np.float32]
    found: NDArray[np.float32]
    stretch: Stretch
    flat: Stretch | None
    pattern: lattice.Pattern

    @property
    def value(self) -> int:
        """What both networks together hold for most likely, 1..6."""
        return int((self.judged[:6] * (self.found + 0.02)).argmax()) + 1

    @property
    def heat(self) -> float:
        """The finder's heat at its best scale, 0..1."""
        return self.heats[0]

    @property
    def is_there(self) -> float:
        """The reader's probability that there is a top face at all, cocked ones included."""
        return float(1 - self.judged[NOTHING])

    @property
    def is_cocked(self) -> float:
        """The reader's probability that the die leans, given that it is one."""
        return float(self.judged[COCKED] / max(1e-6, 1 - self.judged[NOTHING]))


@dataclass(frozen=True, eq=False)
class _Look:
    """The reader's word on a candidate: the crop, its eight probabilities and its geometry."""

    at: Candidate
    crop: Picture
    judged: NDArray[np.float32]
    geometry: NDArray[np.float32]

    @property
    def is_askew(self) -> bool:
        """Whether the face lies so far from the crop's middle, or is of such a size, that it wants another look."""
        return bool(np.abs(self.geometry[3:5]).max() > OFF_MIDDLE or abs(self.geometry[0]) > OFF_SIZE)


def examine(levels: Levels, candidates: list[Candidate], expected: Expected | None = None) -> list[Die]:
    """Judge the candidates, once more where they were askew, and in SIZES where the word was not clear.

    Doubles are dropped. ``expected`` tells, where a mat is, how the top of a flat die looks at a place.
    """
    first = _looks(levels, candidates[:MOST_CANDIDATES])
    looks = {_centred(look): look for look in first if look.judged[NOTHING] < SURELY_NOTHING or look.at.heat > 0.3}
    kept = distinct(list(looks))
    looks |= {look.at: look for look in _looks(levels, [c for c in kept if looks[c].is_askew])}
    unclear = [c for c in kept if looks[c].judged.max() < CLEAR]
    again, _ = judge([view for c in unclear for view in _views(levels, looks[c])])
    more = dict(zip(unclear, again.reshape(-1, 1 + 2 * len(SIZES), READER_CLASSES), strict=True))
    return [_die(levels, c, looks[c], more.get(c, NO_MORE), expected) for c in kept]


def _views(levels: Levels, look: _Look) -> list[Picture]:
    """Return the place nearer and farther, and each as well as the look itself in a mirror.

    Not upside down, where a die's side would look like its top.
    """
    crops = [_crop(levels, replace(look.at, edge=look.at.edge * size)) for size in SIZES]
    return [*crops, *(np.ascontiguousarray(crop[:, ::-1]) for crop in (look.crop, *crops))]


def _looks(levels: Levels, candidates: list[Candidate]) -> list[_Look]:
    crops = [_crop(levels, c) for c in candidates]
    return [_Look(*look) for look in zip(candidates, crops, *judge(crops), strict=True)]


def _centred(look: _Look) -> Candidate:
    """Return the candidate, put in the middle of its face where it was askew, as far as the reader believes in one."""
    trust = float(1 - look.judged[NOTHING])
    c = replace(look.at, trust=0.1 + trust)
    if not look.is_askew:
        return c
    shift = np.clip(look.geometry[3:5], -0.4, 0.4) * trust
    grow = float(np.clip(look.geometry[0], -0.4, 0.4)) * trust
    return replace(c, centre=c.centre + shift * c.edge, edge=c.edge * float(np.exp(grow)))


def _die(levels: Levels, c: Candidate, look: _Look, more: NDArray[np.float32], expected: Expected | None) -> Die:
    judged, geometry = np.asarray(np.vstack([look.judged, more]).mean(0), np.float32), look.geometry
    stretch = (float(np.clip(geometry[1], -2, 2)), float(np.clip(geometry[2], -2, 2)))
    edge = c.edge * float(np.exp(np.clip(geometry[0], -0.3, 0.3)))
    centre = c.centre + np.clip(geometry[3:5], -0.2, 0.2) * c.edge
    scale, picture = _level(levels, edge, lattice.FACE_PX)
    flat = None if expected is None else expected(centre)
    face = lattice.straighten(picture, (centre + 0.5) * scale - 0.5, edge * scale, flat or stretch)
    return Die(centre, edge, (c.heat, c.support), judged, c.values, stretch, flat, lattice.compare(face))


def _level(levels: Levels, edge: float, wanted: float) -> tuple[float, Picture]:
    """Return the smallest level that still shows an edge with ``wanted`` px, or the largest one."""
    fine = [level for level in levels if edge * level[0] >= wanted * 0.95]
    return fine[-1] if fine else levels[0]


def _crop(levels: Levels, c: Candidate) -> Picture:
    """Return the reader's crop: 64 x 64 px in which the die's edge is 28 px."""
    scale, picture = _level(levels, c.edge, CROP_EDGE_PX)
    f = CROP_EDGE_PX / (c.edge * scale)
    x, y = (c.centre + 0.5) * scale - 0.5
    middle = (CROP_PX - 1) / 2
    m = np.array([[f, 0, middle - f * x], [0, f, middle - f * y]])
    crop = cv2.warpAffine(picture, m, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
