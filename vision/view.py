"""The part of a picture in which dice are looked for, and at which scale."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import Die, examine
from vision.finder import find, pyramid
from vision.layout import Region
from vision.mat import Mat
from vision.picture import Picture

REGION = "dice"
MARGIN_MM = 18.0  # around the region, to see dice that lie across its line
FINE_PX_PER_MM = 2.0  # a die of 10 to 20 mm is then 20 to 40 px wide (A4: 28 to 56)


HEIGHT_MM = 16.0  # an ordinary die


@dataclass(frozen=True)
class View:
    """A cut of the picture: ``levels`` as ``finder.pyramid`` makes them, ``corner`` its place in the picture, px."""

    levels: list[tuple[float, Picture]]
    corner: NDArray[np.float64]
    mat: Mat | None = None

    def dice(self) -> list[Die]:
        """Look for dice and examine what was found; places are those of the cut."""
        if not self.levels:
            return []
        return examine(self.levels, find(self.levels), None if self.mat is None else self._flat)

    def _flat(self, centre: NDArray[np.float64]) -> tuple[float, float]:
        x, y = centre + self.corner
        return self.mat.stretch((float(x), float(y)), HEIGHT_MM) if self.mat is not None else (0.0, 0.0)


def view_of(picture: Picture, mat: Mat | None) -> View | None:
    """Everything without a mat, the dice region on a mat that has one, nothing (None) on another mat."""
    if mat is None:
        return View(pyramid(picture), np.zeros(2))
    region = mat.layout.region(REGION)
    if region is None:
        return None
    x0, y0, x1, y1 = _bounds(mat, region)
    cut = picture[y0:y1, x0:x1]
    if min(cut.shape[:2]) < 16:
        return View([], np.array([x0, y0], float), mat)
    middle = (region.x + region.width / 2, region.y + region.height / 2)
    scale = FINE_PX_PER_MM / mat.px_per_mm(middle)
    if 0.75 < scale < 1.3:
        return View([(1.0, np.ascontiguousarray(cut))], np.array([x0, y0], float), mat)
    scale = min(scale, 2.0)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    level = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=how)
    return View([(scale, np.asarray(level, np.uint8))], np.array([x0, y0], float), mat)


def _bounds(mat: Mat, region: Region) -> tuple[int, int, int, int]:
    x0, y0 = region.x - MARGIN_MM, region.y - MARGIN_MM
    x1, y1 = region.x + region.width + MARGIN_MM, region.y + region.height + MARGIN_MM
    q = np.array(mat.px([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))
    w, h = mat.size
    low = np.clip(np.floor(q.min(0)), 0, (w, h)).astype(int)
    high = np.clip(np.ceil(q.max(0)), 0, (w, h)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])
