"""The page seen from straight above in colours relative to its own paper: what is not paper stands out.

Lamps tint and shade a mat unevenly, but they change the ratio of the colour channels slowly across it. So the colour of
the paper is fitted as a smooth field, and everything is told by its difference from that field: chroma first, which
shadows hardly change, then brightness.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.layout import Layout, Region, layout_of
from vision.mat.mat import Mat
from vision.picture import Picture

Field = NDArray[np.float32]

PX_PER_MM = 1.5
"""Scale of the page; pieces keep their names down to 1 px/mm."""
CELL_MM = 10
DARKEST = 16.0
"""Levels added before the logarithm: in the dark the sensor's noise would otherwise weigh more than colour."""
MARGIN_WEIGHT = 6.0
"""Trust in cells outside the regions, where pieces rarely lie, against those inside."""
ROUNDS = 7
SAMPLED = 3
"""Every third pixel, in both directions, speaks for the paper's colour: 25 in a cell are enough."""


@dataclass(frozen=True, eq=False)
class Ground:
    """A page: ``colour`` is (height, width, 3) at PX_PER_MM: log brightness, blue-green and red-green log ratio.

    The two ratios are relative to the paper (0 there). ``noise`` is the standard deviation of the ratios on the paper.
    """

    layout: Layout
    view: Picture
    colour: Field
    noise: float


def ground(picture: Picture, mat: Mat) -> Ground:
    """Straighten the page and relate its colours to its paper."""
    smooth = np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)
    page = Region("page", 0.0, 0.0, *mat.layout.paper)
    return relate(mat.straightened(smooth, page, PX_PER_MM), mat.layout)


def relate(view: Picture, layout: Layout) -> Ground:
    """Relate the colours of a straightened page at PX_PER_MM to its paper."""
    colour = opponents(view)
    across, down = _cells(layout)
    sample = np.ascontiguousarray(colour[::SAMPLED, ::SAMPLED])
    cells = np.asarray(cv2.resize(sample, (across, down), interpolation=cv2.INTER_AREA), np.float32)
    paper, trust = _paper(cells.reshape(-1, 3), layout.name)
    # The field of all three channels: subtracting whole pixels is four times as fast as two channels of them
    whole = np.column_stack([np.zeros_like(paper[:, 0]), paper]).reshape(down, across, 3)
    field = cv2.resize(whole, (view.shape[1], view.shape[0]), interpolation=cv2.INTER_LINEAR)
    # In place, here and in ``opponents``: as much time goes into fresh memory of this size as into the arithmetic
    relative = np.asarray(cv2.subtract(colour, field, dst=colour), np.float32)
    return Ground(layout, view, relative, _noise(relative, trust.reshape(down, across)))


_LOG = np.log(np.arange(256) + DARKEST).astype(np.float32)
_OPPONENTS = np.array([[1 / 3, 1 / 3, 1 / 3], [1, -1, 0], [0, -1, 1]], np.float32)
_CHANNELS = np.linalg.inv(_OPPONENTS)


def opponents(picture: Picture) -> Field:
    """Log brightness, blue-green and red-green log ratio of a BGR picture, shape (height, width, 3)."""
    logarithms = cv2.LUT(picture, _LOG)
    return np.asarray(cv2.transform(logarithms, _OPPONENTS, dst=logarithms), np.float32)


def natural(colour: Field) -> Picture:
    """Return the BGR picture that has these opponent colours; relative to a paper, its white is grey-balanced."""
    return np.clip(np.rint(np.exp(cv2.transform(colour, _CHANNELS)) - DARKEST), 0, 255).astype(np.uint8)


def _cells(layout: Layout) -> tuple[int, int]:
    return int(layout.paper[0] // CELL_MM), int(layout.paper[1] // CELL_MM)


@cache
def _polynomial(layout_name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Second-order terms at each cell, and each cell's trust before anything is seen."""
    layout = layout_of(layout_name)
    across, down = _cells(layout)
    y, x = np.mgrid[-1 : 1 : down * 1j, -1 : 1 : across * 1j]
    trust = np.full((down, across), MARGIN_WEIGHT)
    for region in layout.regions:
        a, b = int(region.x // CELL_MM), int(np.ceil((region.x + region.width) / CELL_MM))
        c, d = int(region.y // CELL_MM), int(np.ceil((region.y + region.height) / CELL_MM))
        trust[c:d, a:b] = 1.0
    rim = int(np.ceil((layout.marker_inset + layout.marker_side) / CELL_MM))
    for rows in (slice(0, rim), slice(-rim, None)):
        for columns in (slice(0, rim), slice(-rim, None)):
            trust[rows, columns] = 0.1  # markers
    terms = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], -1).reshape(-1, 6)
    return terms, trust.ravel()


def _paper(cells: Field, layout_name: str) -> tuple[Field, NDArray[np.float64]]:
    """Fit the paper's chroma over the cells (n, 3), pieces weighted down; returns it (n, 2) and each cell's weight."""
    terms, prior = _polynomial(layout_name)
    chroma = cells[:, 1:].astype(np.float64)
    bright = cells[:, 0] > np.percentile(cells[:, 0], 40) - 1.0
    prior = prior * bright
    now = np.stack([_median(chroma[:, k], prior) for k in (0, 1)])[None, :]
    scale, weight = 0.25, prior
    ridge = np.diag([0.0, 1, 1, 1, 1, 1]) * 5e-5
    for _ in range(ROUNDS):
        away = np.abs(chroma - now).max(1) / scale
        weight = prior * np.maximum(0.0, 1 - away**2) ** 2
        weighted = terms * weight[:, None]
        parts = np.linalg.solve(
            weighted.T @ terms + ridge * (weight.sum() + 1e-9) + 1e-9 * np.eye(6), weighted.T @ chroma
        )
        now = terms @ parts
        scale = max(0.05, scale * 0.75)
    return now.astype(np.float32), weight


def _median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return float(values[order[min(len(order) - 1, int(np.searchsorted(total, total[-1] / 2)))]])


def _noise(colour: Field, trust: NDArray[np.float64]) -> float:
    small = colour[::6, ::6, 1:]
    mask = cv2.resize(trust.astype(np.float32), (small.shape[1], small.shape[0]), interpolation=cv2.INTER_NEAREST) > 0.5
    inside = np.abs(small[mask])
    return float(np.median(inside)) / 0.6745 if inside.size else 0.1
