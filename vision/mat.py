"""Finds the printed mat: which game's it is, where the paper lies, and the map between pixels and page millimetres.

Any three of a mat's four markers that agree in one homography are enough. The detector's settings are those that
found every mat of the trials: one threshold window first, on a picture of half the size; all windows and a more
tolerant decoder when that fails. Its corners are right to a pixel or two; the markers' edges then say the rest, and how
the lens bends (adjustment.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import combinations, product
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.adjustment import adjust, sides
from vision.edges import find_edges
from vision.layout import Layout, Region, layouts
from vision.lens import UNKNOWN, Lens, rays
from vision.observation import Point
from vision.picture import Picture, in_grey

Matrix = NDArray[Any]

ENOUGH = 3
TOLERANCE = 0.2  # of a marker's side: lens distortion bends a corner by up to a tenth of it
MOST_DOUBLES = 3  # sightings of one id that are tried
FOCAL_USUAL, FOCAL_SPREAD = 0.9, 0.3  # of the picture's longer side, and in natural logarithms: phones to modules
FOCALS = FOCAL_USUAL * np.exp(np.linspace(-1, 1.5, 101))
RULE_ERROR = 0.002  # of a homography that was adjusted to a mat's markers
MOST_MOVED_PX = 2.0  # of a marker's middle: there the errors of its four corners cancel
LARGE_PX = 900  # longer side of a picture that is looked over at half its size first: a quarter of the work
CORNER_PX = 5  # how far around a corner of the half-sized picture the true one is looked for
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
        return _points(self._seen(points_mm))

    def mm(self, point_px: Point, height_mm: float = 0.0) -> Point:
        """Return the page place below a pixel that shows something ``height_mm`` above the paper."""
        return _points(_apply(np.linalg.inv(self.plane(height_mm)), self.lens.straight([point_px], self.size)))[0]

    def _seen(self, points_mm: ArrayLike) -> Matrix:
        return self.lens.seen(_apply(self.to_px, points_mm), self.size)

    def straightened(self, picture: Picture, region: Region, px_per_mm: float) -> Picture:
        """Return the region seen from straight above, ``px_per_mm`` px a page millimetre."""
        width, height = int(region.width * px_per_mm), int(region.height * px_per_mm)
        # The grid has a cell more on every side, so that resize never has to guess beyond its last point
        columns, rows = (np.arange(-1, side // GRID_PX + 2) * GRID_PX + (GRID_PX - 1) / 2 for side in (width, height))
        grid = np.stack(np.meshgrid(columns, rows), -1).reshape(-1, 2) / px_per_mm + (region.x, region.y)
        coarse = self._seen(grid).astype(np.float32).reshape(len(rows), len(columns), 2)
        places = cv2.resize(coarse, None, fx=GRID_PX, fy=GRID_PX, interpolation=cv2.INTER_LINEAR)
        inner = places[GRID_PX : GRID_PX + height, GRID_PX : GRID_PX + width]
        # Fixed-point maps take half the time of remap's own floats
        whole, parts = cv2.convertMaps(inner, np.empty(0, np.float32), cv2.CV_16SC2)
        return np.asarray(cv2.remap(picture, whole, parts, cv2.INTER_LINEAR), np.uint8)

    def shows(self, region: Region) -> bool:
        """Whether the whole region lies inside the picture."""
        x, y, w, h = region.x, region.y, region.width, region.height
        corners = self._seen([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
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
        a, b, c = _apply(plane, [(x, y), (x + 1, y), (x, y + 1)])
        sides = np.stack([b - a, c - a], 1)
        shape = sides @ sides.T
        w, v = np.linalg.eigh(shape / np.sqrt(np.linalg.det(shape)))
        log = v @ np.diag(np.log(w)) @ v.T
        return float(log[0, 0]), float(log[0, 1])


def _apply(matrix: Matrix, points: ArrayLike) -> Matrix:
    flat = np.asarray(points, float)
    homogeneous = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def _points(points: Matrix) -> list[Point]:
    return [(x, y) for x, y in points.tolist()]


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
Agreed = tuple[Layout, Matrix, dict[int, Matrix]]


def find_markers(grey: Picture, *, thorough: bool) -> Seen:
    """Marker ids and the corners of each sighting, clockwise from the marker's own top left, in px."""
    corners, ids, _ = _detector(thorough=thorough).detectMarkers(grey)
    seen: Seen = {}
    for quad, marker in zip(corners, [] if ids is None else ids.ravel(), strict=True):
        seen.setdefault(int(marker), []).append(np.asarray(quad, float).reshape(4, 2))
    return seen


def find_mat(picture: Picture, lens: Lens = UNKNOWN) -> Mat | None:
    """Return the mat in the picture, or None when fewer than three markers of one mat agree.

    The picture may be BGR or grey. ``lens`` is what is known of the camera's; the mat's own is found out from there.
    """
    grey = in_grey(picture)
    size = (grey.shape[1], grey.shape[0])
    for look in (_glance, partial(find_markers, thorough=False), partial(find_markers, thorough=True)):
        found = _agreed(look(grey))
        if found is not None:
            layout, to_px, group = _looked_closer(grey, *found)
            return _adjusted(Mat(layout, to_px, size, tuple(group), lens), grey, np.stack([*group.values()]))
    return None


def _glance(grey: Picture) -> Seen:
    """Find the markers of a large picture at half its size; their corners are then put right in the large one."""
    if max(grey.shape) < LARGE_PX:
        return {}
    half = np.asarray(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    enough = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.1)
    out: Seen = {}
    for marker, quads in find_markers(half, thorough=False).items():
        for quad in quads:
            corners = np.asarray(quad * 2 + 0.5, np.float32)
            cv2.cornerSubPix(grey, corners, (CORNER_PX, CORNER_PX), (-1, -1), enough)
            out.setdefault(marker, []).append(corners.astype(float))
    return out


def is_half_seen(picture: Picture) -> bool:
    """Whether two markers of one mat are seen: a mat lies there, whether or not it can be found."""
    seen = find_markers(in_grey(picture), thorough=False)
    return any(len(seen.keys() & set(layout.markers)) >= ENOUGH - 1 for layout in layouts())


def _looked_closer(grey: Picture, layout: Layout, to_px: Matrix, group: dict[int, Matrix]) -> Agreed:
    """Look for the fourth marker where it must be: a corner that is seen is worth much more than one drawn out."""
    for marker in set(layout.markers) - set(group):
        corners = _apply(to_px, layout.marker_corners(marker))
        side = float(np.linalg.norm(corners[1] - corners[0]))
        x0, y0 = np.maximum(corners.min(0) - side, 0).astype(int)
        x1, y1 = np.maximum(corners.max(0) + side, 0).astype(int)
        cut = np.ascontiguousarray(grey[y0:y1, x0:x1])
        quads = find_markers(cut, thorough=True).get(marker, []) if min(cut.shape) > side else []
        seen = {**{i: [quad] for i, quad in group.items()}, marker: [quad + np.array([x0, y0]) for quad in quads]}
        return _agreed(seen) or (layout, to_px, group)
    return layout, to_px, group


def _adjusted(mat: Mat, grey: Picture, quads: Matrix) -> Mat:
    """Return the mat as its markers' edges show it; the mat as it was where they contradict the markers' middles."""
    try:
        seen = sides(mat.layout, mat.markers, find_edges(grey, quads), mat.size)
        to_px, lens = adjust(seen, mat.to_px, mat.lens)
    except np.linalg.LinAlgError:
        return mat
    better = replace(mat, to_px=to_px, lens=lens)
    corners = np.concatenate([mat.layout.marker_corners(m) for m in mat.markers])
    moved = better._seen(corners).reshape(-1, 4, 2).mean(1) - quads.mean(1)  # noqa: SLF001
    return better if (np.linalg.norm(moved, axis=1) <= MOST_MOVED_PX).all() else mat


def _agreed(seen: Seen) -> Agreed | None:
    """Return the mat that most sightings agree on, its homography, and the corners of its markers by id, sorted."""
    best: tuple[int, float] | None = None
    found = None
    for layout in layouts():
        for group in _groups(layout, seen):
            matrix, error = _homography(layout, group)
            if error > TOLERANCE or not _is_seen_from_above(matrix, layout):
                continue
            rank = (len(group), -error)
            if best is None or rank > best:
                best, found = rank, (layout, matrix, group)
            if len(group) == len(layout.markers):
                break  # no three of them are worth as much
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
    there = _apply(matrix, page)
    sides = np.concatenate([np.full(4, np.linalg.norm(q - np.roll(q, 1, 0), axis=1).mean()) for q in group.values()])
    return matrix, float((np.linalg.norm(there - pixels, axis=1) / sides).max())


def _is_seen_from_above(matrix: Matrix, layout: Layout) -> bool:
    """Not mirrored, not folded over, and no side of the paper shorter than a third of its opposite."""
    w, h = layout.paper
    q = _apply(matrix, [(0, 0), (w, 0), (w, h), (0, h)])
    if not np.isfinite(q).all():
        return False
    edges = np.roll(q, -1, 0) - q
    following = np.roll(edges, -1, 0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    lengths = np.linalg.norm(edges, axis=1)
    return bool((turns > 0).all() and (np.minimum(lengths, np.roll(lengths, 2)) * 3 > lengths).all())
