"""A printed mat in a picture: the map between its page millimetres and the picture's pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.mat.layout import Layout, Region
from vision.mat.lens import UNKNOWN, Lens, rays
from vision.observation import Point
from vision.picture import Picture

Matrix = NDArray[Any]

FOCAL_USUAL, FOCAL_SPREAD = 0.9, 0.3  # of the picture's longer side, and in natural logarithms: phones to modules
FOCALS = FOCAL_USUAL * np.exp(np.linspace(-1, 1.5, 101))
RULE_ERROR = 0.002  # of a homography that was adjusted to a mat's markers
GRID_PX = 16  # a straightened view's map is calculated this coarsely; between, a line is right to 0.01 px


@dataclass(frozen=True)
class Mat:
    """A mat in a picture: ``to_px`` maps page millimetres to pixels, ``markers`` are the ids that were seen.

    ``to_px`` and ``plane`` speak of straight pixels, as a lens without bend would show them; all other methods of the
    picture's own.
    """

    layout: Layout
    to_px: Matrix
    size: tuple[int, int]
    markers: tuple[int, ...]
    lens: Lens = UNKNOWN

    def corners_px(self) -> tuple[Point, Point, Point, Point]:
        """Return the paper's corners, clockwise from its top left."""
        w, h = self.layout.paper
        a, b, c, d = self.px([(0, 0), (w, 0), (w, h), (0, h)])
        return a, b, c, d

    def px(self, points_mm: list[Point]) -> list[Point]:
        """Page millimetres to pixels."""
        return _points(self.seen(points_mm))

    def mm(self, point_px: Point, height_mm: float = 0.0) -> Point:
        """Return the page place below a pixel that shows something ``height_mm`` above the paper."""
        return _points(apply(np.linalg.inv(self.plane(height_mm)), self.lens.straight([point_px], self.size)))[0]

    def seen(self, points_mm: ArrayLike) -> Matrix:
        """Return where page places (n, 2) in mm are seen, in px of the picture as it is."""
        return self.lens.seen(apply(self.to_px, points_mm), self.size)

    def straightened(self, picture: Picture, region: Region, px_per_mm: float) -> Picture:
        """Return the region seen from straight above, ``px_per_mm`` px a page millimetre."""
        width, height = int(region.width * px_per_mm), int(region.height * px_per_mm)
        # The grid has a cell more on every side, so that resize never has to guess beyond its last point
        columns, rows = (np.arange(-1, side // GRID_PX + 2) * GRID_PX + (GRID_PX - 1) / 2 for side in (width, height))
        grid = np.stack(np.meshgrid(columns, rows), -1).reshape(-1, 2) / px_per_mm + (region.x, region.y)
        coarse = self.seen(grid).astype(np.float32).reshape(len(rows), len(columns), 2)
        places = cv2.resize(coarse, None, fx=GRID_PX, fy=GRID_PX, interpolation=cv2.INTER_LINEAR)
        inner = places[GRID_PX : GRID_PX + height, GRID_PX : GRID_PX + width]
        # Fixed-point maps take half the time of remap's own floats
        whole, parts = cv2.convertMaps(inner, np.empty(0, np.float32), cv2.CV_16SC2)
        return np.asarray(cv2.remap(picture, whole, parts, cv2.INTER_LINEAR), np.uint8)

    def shows(self, region: Region) -> bool:
        """Whether the whole region lies inside the picture."""
        x, y, w, h = region.x, region.y, region.width, region.height
        corners = self.seen([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        return bool((corners >= -2).all() and (corners <= np.array(self.size) + 1).all())

    def plane(self, height_mm: float) -> Matrix:
        """Return the homography of the plane that lies ``height_mm`` above the paper."""
        if height_mm == 0:
            return self.to_px
        inner, pose, into = self.pose
        lifted = pose.copy()
        lifted[:, 2] -= height_mm * into
        return np.asarray(inner @ lifted)

    @cached_property
    def pose(self) -> tuple[Matrix, Matrix, Matrix]:
        """The camera's inner matrix, the page's x, y and origin before it (in columns), and what leads into the table.

        The page's y points down, so x cross y leads into the table.
        """
        focal = self.focal
        w, h = self.size
        inner = np.array([[focal, 0, (w - 1) / 2], [0, focal, (h - 1) / 2], [0, 0, 1.0]])
        pose = np.linalg.inv(inner) @ self.to_px
        pose *= np.sign(pose[2, 2] or 1.0) / np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
        return inner, pose, np.cross(pose[:, 0], pose[:, 1])

    @cached_property
    def focal(self) -> float:
        """Focal length in px: the lens's; or what the two rules of a plane's homography make likely.

        By the rules the page's x and y are at right angles and of one length. A view from straight above keeps them at
        any focal length; then the usual one is left.
        """
        longer = max(self.size)
        if self.lens.focal is not None:
            return self.lens.focal * longer
        likely = np.exp(-self.unlikely_focal() / 2)
        return float(np.exp(likely @ np.log(FOCALS) / likely.sum())) * longer

    def unlikely_focal(self) -> Matrix:
        """How little each of FOCALS suits this view: a chi-square, shape (len(FOCALS),), 0 for the likeliest."""
        axes = rays(self.size) @ self.to_px[:, :2]
        products = np.outer(axes[0], axes[0]) + np.outer(axes[1], axes[1])
        (xx, xy), (_, yy) = products[..., None] / FOCALS**2 + np.outer(axes[2], axes[2])[..., None]
        rules = (xy**2 / (xx * yy) + (np.log(xx / yy) / 2) ** 2) / RULE_ERROR**2
        unlikely = rules + (np.log(FOCALS / FOCAL_USUAL) / FOCAL_SPREAD) ** 2
        return np.asarray(unlikely - unlikely.min())

    def px_per_mm(self, at_mm: Point) -> float:
        """Return the scale at a place on the page: the root of the area in px that a square millimetre takes."""
        x, y = at_mm
        a, b, c = (np.array(p) for p in self.px([(x, y), (x + 1, y), (x, y + 1)]))
        u, v = b - a, c - a
        return float(np.sqrt(abs(u[0] * v[1] - u[1] * v[0])))

    def stretch(self, at_px: Point, height_mm: float) -> tuple[float, float]:
        """How a level square at that pixel and height looks: the traceless logarithm of its shape (0, 0: a square)."""
        plane = self.plane(height_mm)
        x, y = self.mm(at_px, height_mm)
        a, b, c = apply(plane, [(x, y), (x + 1, y), (x, y + 1)])
        sides = np.stack([b - a, c - a], 1)
        shape = sides @ sides.T
        w, v = np.linalg.eigh(shape / np.sqrt(np.linalg.det(shape)))
        log = v @ np.diag(np.log(w)) @ v.T
        return float(log[0, 0]), float(log[0, 1])


def apply(matrix: Matrix, points: ArrayLike) -> Matrix:
    """Map points (n, 2) by a homography (3, 3)."""
    flat = np.asarray(points, float)
    homogeneous = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def _points(points: Matrix) -> list[Point]:
    return [(x, y) for x, y in points.tolist()]
