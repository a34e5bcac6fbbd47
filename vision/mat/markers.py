"""Finds the printed mat: which game's it is, where the paper lies, and the map between pixels and page millimetres.

Any three of a mat's four markers that agree in one homography are enough. The detector's settings are those that
found every mat of the trials: one threshold window first, on a picture of half the size; all windows and a more
tolerant decoder when that fails. Its corners are right to a pixel or two; the markers' edges then say the rest, and how
the lens bends (adjustment.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, product
from typing import Any

import cv2
import numpy as np

from vision.mat.adjustment import adjust, sides
from vision.mat.edges import find_edges
from vision.mat.layout import Layout, layouts
from vision.mat.lens import UNKNOWN, Lens
from vision.mat.mat import Mat, Matrix, apply
from vision.picture import Picture, in_grey

ENOUGH = 3
TOLERANCE = 0.2  # of a marker's side: lens distortion bends a corner by up to a tenth of it
MOST_DOUBLES = 3  # sightings of one id that are tried
MOST_MOVED_PX = 2.0  # of a marker's middle: there the errors of its four corners cancel
LARGE_PX = 900  # longer side of a picture that is looked over at half its size first: a quarter of the work
CORNER_PX = 5  # how far around a corner of the half-sized picture the true one is looked for


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


@cache
def prepare_mat() -> None:
    """Make the detector ready, once: it is tried on nothing."""
    find_markers(np.zeros((64, 64), np.uint8), thorough=False)


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


def is_glimpsed(picture: Picture) -> bool:
    """Whether any marker of a mat is seen: a mat lies there, even though it can't be found.

    Strictly decoded ones: in 176 pictures without a mat there was none (tolerantly decoded: in 36 of them).
    """
    seen = find_markers(in_grey(picture), thorough=False)
    return any(seen.keys() & set(layout.markers) for layout in layouts())


def _looked_closer(grey: Picture, layout: Layout, to_px: Matrix, group: dict[int, Matrix]) -> Agreed:
    """Look for the fourth marker where it must be: a corner that is seen is worth much more than one drawn out."""
    for marker in set(layout.markers) - set(group):
        corners = apply(to_px, layout.marker_corners(marker))
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
    moved = better.seen(corners).reshape(-1, 4, 2).mean(1) - quads.mean(1)
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
    there = apply(matrix, page)
    sides = np.concatenate([np.full(4, np.linalg.norm(q - np.roll(q, 1, 0), axis=1).mean()) for q in group.values()])
    return matrix, float((np.linalg.norm(there - pixels, axis=1) / sides).max())


def _is_seen_from_above(matrix: Matrix, layout: Layout) -> bool:
    """Not mirrored, not folded over, and no side of the paper shorter than a third of its opposite."""
    w, h = layout.paper
    q = apply(matrix, [(0, 0), (w, 0), (w, h), (0, h)])
    if not np.isfinite(q).all():
        return False
    edges = np.roll(q, -1, 0) - q
    following = np.roll(edges, -1, 0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    lengths = np.linalg.norm(edges, axis=1)
    return bool((turns > 0).all() and (np.minimum(lengths, np.roll(lengths, 2)) * 3 > lengths).all())
