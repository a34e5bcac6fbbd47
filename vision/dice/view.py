"""The part of a picture in which dice are looked for, and at which scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.dice.examine import Die, examine
from vision.dice.finder import Window, find, find_within, pyramid, scaled
from vision.dice.spots import Box, spots
from vision.mat.layout import Region
from vision.mat.mat import Mat
from vision.picture import Picture

REGION = "dice"
MARGIN_MM = 18.0  # around the region, to see dice that lie across its line
FINE_PX_PER_MM = 1.7  # a die of 10 to 20 mm is then 17 to 34 px wide (A4: 24 to 48)


HEIGHT_MM = 16.0  # an ordinary die


@dataclass(frozen=True)
class View:
    """A cut of the picture: ``levels`` of it, each half the one before; ``corner`` its place in the picture, px.

    On a mat something lies within ``windows`` (px of the cut) only, and the finder looks at them at scale ``fine``.
    """

    levels: list[tuple[float, Picture]]
    corner: NDArray[np.float64]
    mat: Mat | None = None
    windows: tuple[Window, ...] = ()
    fine: float = 1.0

    def dice(self) -> list[Die]:
        """Look for dice and examine what was found; places are those of the cut."""
        if self.mat is None:
            return examine(self.levels, find(self.levels))
        return examine(self.levels, find_within(self.levels[0][1], self.windows, self.fine), self._flat)

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
    corner = np.array([x0, y0], float)
    cut = np.ascontiguousarray(picture[y0:y1, x0:x1])
    if min(cut.shape[:2], default=0) < 16:
        return View([(1.0, cut)], corner, mat)
    middle = (region.x + region.width / 2, region.y + region.height / 2)
    fine = min(FINE_PX_PER_MM / mat.px_per_mm(middle), 2.0)
    levels = [(1.0, cut)]
    while levels[-1][0] > 2 * fine:
        levels.append((levels[-1][0] / 2, scaled(levels[-1][1], 0.5)))
    windows = tuple(_window(mat, box, corner) for box in spots(picture, mat, region))
    return View(levels, corner, mat, windows, 1.0 if 0.9 < fine < 1.2 else fine)


def _window(mat: Mat, box: Box, corner: NDArray[np.float64]) -> Window:
    x0, y0, x1, y1 = box
    q = np.array(mat.px([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])) - corner
    (left, top), (right, bottom) = q.min(0), q.max(0)
    return float(left), float(top), float(right), float(bottom)


def _bounds(mat: Mat, region: Region) -> tuple[int, int, int, int]:
    x0, y0 = region.x - MARGIN_MM, region.y - MARGIN_MM
    x1, y1 = region.x + region.width + MARGIN_MM, region.y + region.height + MARGIN_MM
    q = np.array(mat.px([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))
    w, h = mat.size
    low = np.clip(np.floor(q.min(0)), 0, (w, h)).astype(int)
    high = np.clip(np.ceil(q.max(0)), 0, (w, h)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])
