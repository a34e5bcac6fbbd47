"""Finds the printed mat: which game's it is, where the paper lies, and the map between pixels and page millimetres.

Any three of a mat's four markers that agree in one homography are enough. The detector's settings are those that
found every mat of the trials: one threshold window first, all windows and a more tolerant decoder when that fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout, Region, layouts
from vision.observation import Point
from vision.picture import Picture

Matrix = NDArray[Any]

ENOUGH = 3
TOLERANCE = 0.2  # of a marker's side: lens distortion bends a corner by up to a tenth of it
MOST_DOUBLES = 3  # sightings of one id that are tried
FOCAL_GUESS = 1.15  # of the picture's longer side, used where the view is too straight to tell


@dataclass(frozen=True)
class Mat:
    """A mat in a picture: ``to_px`` maps page millimetres to pixels, ``markers`` are the ids that were seen."""

    layout: Layout
    to_px: Matrix
    size: tuple[int, int]
    markers: tuple[int, ...]

    def corners_px(self) -> tuple[Point, Point, Point, Point]:
        """Return the paper's corners, clockwise from its top left."""
        w, h = self.layout.paper
        a, b, c, d = self.px([(0, 0), (w, 0), (w, h), (0, h)])
        return a, b, c, d

    def px(self, points_mm: list[Point]) -> list[Point]:
        """Page millimetres to pixels."""
        return _apply(self.to_px, points_mm)

    def mm(self, point_px: Point, height_mm: float = 0.0) -> Point:
        """Return the page place below a pixel that shows something ``height_mm`` above the paper."""
        return _apply(np.linalg.inv(self.plane(height_mm)), [point_px])[0]

    def straightened(self, picture: Picture, region: Region, px_per_mm: float) -> Picture:
        """Return the region seen from straight above, ``px_per_mm`` px a page millimetre."""
        page = np.array([[1 / px_per_mm, 0, region.x], [0, 1 / px_per_mm, region.y], [0, 0, 1]])
        size = (int(region.width * px_per_mm), int(region.height * px_per_mm))
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(picture, self.to_px @ page, size, flags=how), np.uint8)

    def plane(self, height_mm: float) -> Matrix:
        """Return the homography of the plane that lies ``height_mm`` above the paper."""
        if height_mm == 0:
            return self.to_px
        focal = self.focal()
        w, h = self.size
        inner = np.array([[focal, 0, w / 2], [0, focal, h / 2], [0, 0, 1.0]])
        pose = np.linalg.inv(inner) @ self.to_px
        pose *= np.sign(pose[2, 2] or 1.0) / np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
        up = -np.cross(pose[:, 0], pose[:, 1])  # the page's y points down, so x cross y points into the table
        lifted = pose.copy()
        lifted[:, 2] += height_mm * up
        return np.asarray(inner @ lifted)

    def focal(self) -> float:
        """Focal length in px from the two rules of a homography of a plane; a guess where they say too little."""
        w, h = self.size
        shift = np.array([[1, 0, -w / 2], [0, 1, -h / 2], [0, 0, 1.0]])
        m = shift @ self.to_px
        m = m / np.linalg.norm(m)
        a, b = m[:, 0], m[:, 1]
        # a.x b.x + a.y b.y + f^2 a.z b.z = 0 and |a|^2 = |b|^2 in the same measure
        rows = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
        sides = -np.array([a[0] * b[0] + a[1] * b[1], a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2])
        guess = FOCAL_GUESS * max(w, h)
        weight = float(rows @ rows) * guess**4
        scale = float(a[0] ** 2 + a[1] ** 2) ** 2
        if weight < 1e-3 * scale:
            return guess
        square = float(rows @ sides) / float(rows @ rows)
        return float(np.clip(np.sqrt(max(square, 0.0)), 0.6 * max(w, h), 3.0 * max(w, h)))

    def px_per_mm(self, at_mm: Point) -> float:
        """Return the scale at a place on the page: the root of the area in px that a square millimetre takes."""
        x, y = at_mm
        a, b, c = (np.array(p) for p in self.px([(x, y), (x + 1, y), (x, y + 1)]))
        u, v = b - a, c - a
        return float(np.sqrt(abs(u[0] * v[1] - u[1] * v[0])))

    def stretch(self, at_px: Point, height_mm: float) -> tuple[float, float]:
        """How a level square at that pixel and height looks: the traceless logarithm of its shape (0, 0: a square)."""
        plane = self.plane(height_mm)
        x, y = _apply(np.linalg.inv(plane), [at_px])[0]
        a, b, c = (np.array(p) for p in _apply(plane, [(x, y), (x + 1, y), (x, y + 1)]))
        sides = np.stack([b - a, c - a], 1)
        shape = sides @ sides.T
        w, v = np.linalg.eigh(shape / np.sqrt(np.linalg.det(shape)))
        log = v @ np.diag(np.log(w)) @ v.T
        return float(log[0, 0]), float(log[0, 1])


def _apply(matrix: Matrix, points: list[Point]) -> list[Point]:
    homogeneous = np.column_stack([np.array(points, float), np.ones(len(points))]) @ matrix.T
    return [(float(x), float(y)) for x, y in homogeneous[:, :2] / homogeneous[:, 2:]]


@cache
def _detector(*, thorough: bool) -> cv2.aruco.ArucoDetector:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    settings = cv2.aruco.DetectorParameters()
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.33
    settings.perspectiveRemovePixelPerCell = 8
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    if thorough:
        settings.errorCorrectionRate = 1.0
        settings.maxErroneousBitsInBorderRate = 0.5
        settings.polygonalApproxAccuracyRate = 0.08
    else:
        settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = 23
    return cv2.aruco.ArucoDetector(dictionary, settings)


Seen = dict[int, list[Matrix]]


def find_markers(grey: Picture, *, thorough: bool) -> Seen:
    """Marker ids and the corners of each sighting, clockwise from the marker's own top left, in px."""
    corners, ids, _ = _detector(thorough=thorough).detectMarkers(grey)
    seen: Seen = {}
    for quad, marker in zip(corners, [] if ids is None else ids.ravel(), strict=True):
        seen.setdefault(int(marker), []).append(np.asarray(quad, float).reshape(4, 2))
    return seen


def find_mat(picture: Picture) -> Mat | None:
    """Return the mat in the picture, or None when fewer than three markers of one mat agree."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    for thorough in (False, True):
        mat = fit(find_markers(grey, thorough=thorough), (picture.shape[1], picture.shape[0]))
        if mat is not None:
            return mat
    return None


def fit(seen: Seen, size: tuple[int, int]) -> Mat | None:
    """Return the mat that most sightings agree on."""
    best: tuple[int, float] | None = None
    found: Mat | None = None
    for layout in layouts():
        for group in _groups(layout, seen):
            matrix, error = _homography(layout, group)
            if error > TOLERANCE or not _is_seen_from_above(matrix, layout):
                continue
            rank = (len(group), -error)
            if best is None or rank > best:
                best, found = rank, Mat(layout, matrix, size, tuple(sorted(group)))
    return found


def _groups(layout: Layout, seen: Seen) -> Iterator[dict[int, Matrix]]:
    """Every way to choose three or four of the mat's markers, one sighting each."""
    present = [m for m in layout.markers if m in seen]
    for count in range(len(present), ENOUGH - 1, -1):
        for ids in combinations(present, count):
            for quads in product(*(seen[i][:MOST_DOUBLES] for i in ids)):
                yield dict(zip(ids, quads, strict=True))


def _homography(layout: Layout, group: dict[int, Matrix]) -> tuple[Matrix, float]:
    """Return the map from the page to pixels and its worst corner error, in parts of a marker's side."""
    page = np.concatenate([layout.marker_corners(i) for i in group])
    pixels = np.concatenate(list(group.values()))
    found: Any = cv2.findHomography(page, pixels)[0]
    if found is None:
        return np.eye(3), np.inf
    matrix: Matrix = np.asarray(found, float)
    there: Matrix = np.array(_apply(matrix, [(float(x), float(y)) for x, y in page]))
    sides = np.concatenate([np.full(4, np.linalg.norm(q - np.roll(q, 1, 0), axis=1).mean()) for q in group.values()])
    return matrix, float((np.linalg.norm(there - pixels, axis=1) / sides).max())


def _is_seen_from_above(matrix: Matrix, layout: Layout) -> bool:
    """Not mirrored, not folded over, and no side of the paper shorter than a third of its opposite."""
    w, h = layout.paper
    q = np.array(_apply(matrix, [(0, 0), (w, 0), (w, h), (0, h)]))
    if not np.isfinite(q).all():
        return False
    edges = np.roll(q, -1, 0) - q
    following = np.roll(edges, -1, 0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    lengths = np.linalg.norm(edges, axis=1)
    return bool((turns > 0).all() and (np.minimum(lengths, np.roll(lengths, 2)) * 3 > lengths).all())
