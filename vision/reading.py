"""A picture in, an Observation out: the one door to this package.

So far the pieces that are read are pip dice; ``sure`` promises them, and only them.
"""

from __future__ import annotations

import time

from vision import light
from vision.mat import Mat, find_mat
from vision.observation import Complaint, Observation
from vision.picture import Picture
from vision.pips import Found, read_dice
from vision.view import REGION


def read(picture: Picture, *, regions: frozenset[str] | None = None) -> Observation:
    """Read one BGR picture, shape (height, width, 3).

    ``regions`` limits a mat to some of its regions (by name): dice elsewhere are not looked for.
    """
    start = time.perf_counter()
    size = (picture.shape[1], picture.shape[0])
    mat = find_mat(picture)
    after_mat = time.perf_counter()
    corners = mat.corners_px() if mat is not None else None
    name = mat.layout.name if mat is not None else None
    pieces, complaints, sure = _pieces(picture, mat, regions)
    end = time.perf_counter()
    ms = {"mat": (after_mat - start) * 1e3, "pieces": (end - after_mat) * 1e3, "total": (end - start) * 1e3}
    return Observation(size, name, corners, pieces, complaints, sure, ms)


def _pieces(picture: Picture, mat: Mat | None, regions: frozenset[str] | None) -> Found:
    fault = light.fault(picture)
    if fault in ("dark", "glare"):
        return (), (Complaint(fault),), False
    if regions is not None and REGION not in regions:
        return (), (), True
    return read_dice(picture, mat, blurred=fault == "blurred")
