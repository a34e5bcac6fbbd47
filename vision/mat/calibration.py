"""A camera's lens, measured on several pictures of a mat: what one picture says of it, said once and for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from vision.mat.layout import MARKERS_ON_A_MAT
from vision.mat.lens import Lens
from vision.mat.mat import FOCALS, Mat
from vision.picture import VisionError

ENOUGH = 3
ANOTHER_VIEW = 0.05  # of the picture's longer side, by which a corner of the paper has moved at least
MODEL_ERROR = 0.01  # of one picture's bend, besides its doubt: the division model and the paper are not exact
SURE_BEND, SURE_FOCAL = 0.02, 0.05  # standard errors that are good enough; of the focal length in parts of itself
DISAGREE = 4.0  # standard errors between one picture and all


Lack = Literal["shapes", "few", "small", "level", "disagree"]
"""What keeps pictures from telling the lens: they differ in shape, show too few different views or the mat too small,
look straight down, or are at odds with one another."""


class CalibrationError(VisionError):
    """Pictures that do not tell the lens; ``views`` is how many different ones show a whole mat, of ENOUGH."""

    def __init__(self, lack: Lack, views: int = 0) -> None:
        super().__init__(f"these pictures do not tell the lens ({lack})")
        self.lack: Lack = lack
        self.views = views


def calibrate(mats: Sequence[Mat]) -> Lens:
    """Return the lens of the camera that saw the mats; raises CalibrationError."""
    if len({mat.size[0] * 720 // mat.size[1] for mat in mats}) > 1:
        raise CalibrationError("shapes")
    views = _different([mat for mat in mats if len(mat.markers) == MARKERS_ON_A_MAT])
    if len(views) < ENOUGH:
        raise CalibrationError("few", len(views))
    bend, doubt = _bend(views)
    focal, spread = _focal(views)
    if doubt > SURE_BEND:
        raise CalibrationError("small")
    if spread > SURE_FOCAL:
        raise CalibrationError("level")
    return Lens(bend, doubt, focal)


def _different(mats: Sequence[Mat]) -> list[Mat]:
    """Leave out views that another one repeats."""
    views: list[Mat] = []
    for mat in mats:
        corners = np.array(mat.corners_px())
        far = ANOTHER_VIEW * max(mat.size)
        if all(np.abs(corners - np.array(other.corners_px())).max() > far for other in views):
            views.append(mat)
    return views


def _bend(views: Sequence[Mat]) -> tuple[float, float]:
    """Return the mean of the views' bends, weighted by their doubts, and its standard error."""
    bends = np.array([mat.lens.bend for mat in views])
    errors = np.hypot([mat.lens.doubt for mat in views], MODEL_ERROR)
    weights = errors**-2.0
    mean = float(bends @ weights / weights.sum())
    if (np.abs(bends - mean) / errors).max() > DISAGREE:
        raise CalibrationError("disagree")
    return mean, float(weights.sum() ** -0.5)


def _focal(views: Sequence[Mat]) -> tuple[float, float]:
    """Return the likeliest focal length, in parts of the longer side, and its standard error in parts of itself."""
    unlikely = np.sum([mat.unlikely_focal() for mat in views], 0)
    likely = np.exp((unlikely.min() - unlikely) / 2)
    likely /= likely.sum()
    logs = np.log(FOCALS)
    mean = float(likely @ logs)
    return float(np.exp(mean)), float(np.sqrt(likely @ (logs - mean) ** 2))
