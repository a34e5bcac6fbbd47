"""A piece straightened onto a grid, in colours that the lamp and the camera change least.

The colours are logarithms: brightness, and two opponent ratios. A lamp's tint is an offset there, soft shading nearly a
slope; both are taken out of ``flat`` values, so that a look and a sighting under other light can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Picture

Field = NDArray[np.float32]  # (height, width, 3)
Values = NDArray[np.float32]  # (3, pixels): sums along rows are several times faster than along columns
Points = NDArray[np.float32]

AREA_PX = 8000  # of a grid: SET's stripes are no longer seen as lines, its shapes and fills are
DARK_LEVEL = 30.0  # below it differences are the sensor's and the glare's, and count for little
RIM = 0.04  # left out at each side: table, shadow, round corners


@dataclass(frozen=True, eq=False)
class Grid:
    """Where the pixels of straightened pieces of one shape lie.

    ``window`` (pixels,) is 1 inside the rim, ``slopes`` (pixels, 3) an orthonormal base of what soft shading does
    there, ``corners`` (4, 2) the outer corners in grid px, clockwise from the top left.
    """

    width: int
    height: int
    window: NDArray[np.float32]
    slopes: NDArray[np.float32]
    corners: Points

    def straightened(self, picture: Picture, corners: Points) -> Picture:
        """Return what lies between four corners (px, clockwise from where the top left shall be)."""
        side = float(np.sqrt(cv2.contourArea(corners) / (self.width * self.height)))
        k = max(1, round(side))
        matrix = cv2.getPerspectiveTransform(corners, (self.corners + 0.5) * k - 0.5)
        size = (self.width * k, self.height * k)
        large = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.resize(large, (self.width, self.height), interpolation=cv2.INTER_AREA), np.uint8)

    def flat(self, field: Field) -> Values:
        """Return a field's values inside the window, without what soft shading and tint do."""
        values = np.multiply(field.reshape(-1, 3).T, self.window, order="C")
        values -= (values @ self.slopes) @ self.slopes.T
        return values

    @property
    def half(self) -> Grid:
        """The same at half the scale."""
        return _grid(self.width // 2, self.height // 2)


def grid(aspect: float) -> Grid:
    """Return the grid for pieces of an ``aspect`` (height by width), with about AREA_PX pixels; its sides are even."""
    return _grid(2 * round((AREA_PX / aspect) ** 0.5 / 2), 2 * round((AREA_PX * aspect) ** 0.5 / 2))


@cache
def _grid(width: int, height: int) -> Grid:
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = (x + 0.5) / width * 2 - 1, (y + 0.5) / height * 2 - 1
    rim = 2 * RIM * min(width, height)
    window = ((np.abs(x) < 1 - rim / width) & (np.abs(y) < 1 - rim / height)).astype(np.float32).ravel()
    base = np.stack([np.ones(x.size), x.ravel(), y.ravel()], -1) * window[:, None]
    slopes = np.linalg.qr(base)[0].astype(np.float32)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    return Grid(width, height, window, slopes, corners)


def opponent(picture: Picture) -> Field:
    """Return brightness, red against green and blue against both, as logarithms."""
    logs = np.log(picture.astype(np.float32) + DARK_LEVEL)
    b, g, r = logs[..., 0], logs[..., 1], logs[..., 2]
    return np.ascontiguousarray(np.stack([(b + g + r) / 3, r - g, b - (r + g) / 2], -1))


def blurred(field: Field, sigma: float) -> Field:
    """Return a softer field; ``sigma`` in grid px."""
    return np.asarray(cv2.GaussianBlur(field, (0, 0), sigma), np.float32)


def halved(field: Field) -> Field:
    """Return a field at half the scale."""
    size = (field.shape[1] // 2, field.shape[0] // 2)
    return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_AREA), np.float32)
