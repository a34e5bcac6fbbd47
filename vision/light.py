"""Gates before reading: a picture too dark, too bright or too blurred is complained of, not read."""

from __future__ import annotations

import cv2
import numpy as np

from vision.observation import ComplaintKind
from vision.picture import Picture, in_grey

DARK_LEVEL = 45  # nine in ten pixels of a picture taken in the dark are below it, and so is nearly all the rest
BURNT_LEVEL = 250  # at white, or as good as
BRIGHT_SHARE = 0.6  # white tables in good light stay below; ten times too long an exposure is far above
FLAT_CONTRAST = 6.0  # difference of levels, below which nothing is drawn in a picture at all
SHARP_STEP = 0.16  # the steepest edges against the picture's own contrast; a lens out of focus stays far below


def fault(picture: Picture) -> ComplaintKind | None:
    """``dark``, ``glare`` or ``blurred`` when the whole picture, BGR or grey, is of no use, else None."""
    grey = _at_most(in_grey(picture), 640)
    small = _at_most(grey, 320)
    low, high = _level(small, 1.0), _level(small, 99.5)
    if high < DARK_LEVEL:
        return "dark"
    if float((small >= BURNT_LEVEL).mean()) > BRIGHT_SHARE:
        return "glare"
    if high - low > FLAT_CONTRAST * 4 and _steepest(grey) < SHARP_STEP * (high - low):
        return "blurred"
    return None


def _at_most(grey: Picture, side: int) -> Picture:
    """Return a picture with no side longer than so many px."""
    scale = side / max(grey.shape)
    if scale >= 1:
        return grey
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _steepest(grey: Picture) -> float:
    """Return the change over two pixels at the steepest edges: the top 0.2 %."""
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    steps = (cv2.absdiff(soft[:, 2:], soft[:, :-2]), cv2.absdiff(soft[2:], soft[:-2]))
    return max(_level(step, 99.8) for step in steps)


def _level(grey: cv2.typing.MatLike, percent: float) -> float:
    """Return the level that this share of the pixels does not exceed; counting levels is faster than sorting pixels."""
    counts = np.cumsum(cv2.calcHist([grey], [0], None, [256], [0, 256]))
    return float(np.searchsorted(counts, counts[-1] * percent / 100))
