"""Where the camera is above the page, and so where things that stand on the paper appear in its straightened view.

Planes parallel to the paper are seen through one point: what lies ``height`` above a place of the page covers another
place, farther from the point below the camera. A level square stays a square there, larger by the same factor
everywhere. With that a die's upper face, its foot and its outline follow from one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.mat import Mat

Points = NDArray[np.float64]
LEAST_HEIGHT_MM = 150.0  # a camera nearer than that does not see a mat


@dataclass(frozen=True)
class Eye:
    """The camera's place: ``below`` is the page point under it, ``height`` how far above the paper, all in page mm."""

    below: tuple[float, float]
    height: float

    def growth(self, height: float) -> float:
        """How much larger a thing ``height`` mm above the paper appears on the page."""
        return self.height / (self.height - height)

    def appears(self, points: Points, height: float) -> Points:
        """Page places (n, 2) that are covered by points above the page places ``points``."""
        below = np.array(self.below)
        return np.asarray(below + (points - below) * self.growth(height))

    def stands(self, points: Points, height: float) -> Points:
        """Page places (n, 2) above which the points stand that cover ``points``; undoes ``appears``."""
        below = np.array(self.below)
        return np.asarray(below + (points - below) / self.growth(height))

    def outline(self, top: Points, height: float) -> Points:
        """Outline (n, 2), clockwise, of an upright block as it appears: ``top`` is its upper face (4, 2) as it does."""
        both = np.concatenate([top, self.stands(top, height)]).astype(np.float32)
        hull: Any = cv2.convexHull(both, clockwise=True)
        return np.asarray(hull, float).reshape(-1, 2)


def eye_of(mat: Mat) -> Eye:
    """Return the camera's place, from the mat's homography and focal length."""
    _, pose, into = mat.pose
    x, y, z = -np.linalg.solve(np.column_stack([pose[:, :2], into]), pose[:, 2])
    return Eye((float(x), float(y)), max(-float(z), LEAST_HEIGHT_MM))
