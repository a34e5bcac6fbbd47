"""Whether the scene lies still: two pictures, a moment apart, compared small."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

SMALL = (160, 90)
"""Width and height in px at which pictures are compared: noise averages out, a fingertip still covers several px."""
CHANGED = 24
"""Grey levels by which a pixel differs when something moved; camera noise at this size stays below 6."""
MOVED_SHARE = 0.002
"""Share of changed pixels that counts as movement: 29 of 14,400, a die on a mat seen whole covers about 30."""


def is_still(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> bool:
    """Tell whether nothing moved between two BGR pictures of one size; other sizes are never still."""
    if before.shape != after.shape:
        return False
    difference = cv2.absdiff(_small(before), _small(after))
    return float(np.count_nonzero(difference > CHANGED)) <= MOVED_SHARE * difference.size


def _small(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    grey: Any = cv2.cvtColor(cv2.resize(picture, SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.uint8)
