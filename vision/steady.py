"""Whether the scene lies still: pictures a moment apart, compared small, and for how long nothing has moved."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

SMALL = (320, 180)
"""Width and height in px at which pictures are compared: noise averages out, a die on a mat seen whole covers 120."""
SOFT_PX = 41
"""Brightness is compared with that of a square of this side: a lamp that flickers or a soft shadow moves nothing."""
CHANGED = 16.0
"""Grey levels by which a pixel differs when something moved. Noise of 8 levels at full size leaves 9 here, bands of a
lamp 7, JPEG at quality 80 leaves 10 at most; a die that moved 2 px or turned by 15 degrees changes more than MOVED_PX
pixels by as much (measured on rendered mats, also where only half of it is new)."""
MOVED_PX = 4
"""Changed pixels from which on something moved."""

Small = NDArray[np.float32]


def is_still(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> bool:
    """Tell whether nothing moved between two BGR pictures of one size; other sizes are never still."""
    return before.shape == after.shape and _are_alike(_small(before), _small(after))


class Stillness:
    """Pictures in, and for how long nothing has moved out.

    Each picture is compared with the first of its still run, so that what creeps is seen too. A picture put together of
    two moments differs from one of its neighbours wherever they differ.
    """

    def __init__(self) -> None:
        self._first: tuple[tuple[int, ...], Small, float] | None = None

    def add(self, picture: NDArray[np.uint8], at: float) -> float:
        """Take a BGR picture begun at `at` seconds; gives for how long nothing moved, 0.0 where something just did."""
        small = _small(picture)
        if self._first is not None:
            shape, first, since = self._first
            if shape == picture.shape and _are_alike(first, small):
                return at - since
        self._first = (picture.shape, small, at)
        return 0.0


def _are_alike(one: Small, other: Small) -> bool:
    """Compare in the light of the darker of the two, place by place."""
    light = cv2.blur(other, (SOFT_PX, SOFT_PX)) / cv2.blur(one, (SOFT_PX, SOFT_PX))
    difference = np.abs(other - one * light) * np.minimum(1.0, 1.0 / light)
    return int(np.count_nonzero(difference > CHANGED)) < MOVED_PX


def _small(picture: NDArray[np.uint8]) -> Small:
    grey = cv2.cvtColor(cv2.resize(picture, SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.float32) + np.float32(1.0)
