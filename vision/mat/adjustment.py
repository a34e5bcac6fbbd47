"""The map of a mat adjusted to what is seen of its markers' edges, by least squares.

A printed side is a line of the page, so each point seen on it gives one equation. Found together are the homography,
the bend of the lens, and how far light bleeds over an edge: blur moves all edges inwards, a directed blur those across
its way most. Without that last part a blurred picture looks like one that a lens has bent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.mat.edges import ON_A_SIDE, Edges
from vision.mat.layout import Layout
from vision.mat.lens import Lens, rays

Floats = NDArray[Any]

ROUNDS = 4
NOISE_PX = 0.1  # of a clear edge; a picture that fits worse is believed less
STRAY = 1.5  # standard deviations from which on a point's weight falls
BLEED_PX = 1.0  # standard deviation of how far light bleeds
PAGE_MM = 100.0  # the page's unit while calculating, so that all unknowns are of one size
OUTWARDS = np.repeat([-1.0, 1.0, 1.0, -1.0], ON_A_SIDE)  # side by side from the top, as edges are
LEVEL = np.repeat([True, False, True, False], ON_A_SIDE)
BEND, BLEED = 8, slice(9, 12)


@dataclass(frozen=True)
class Sides:
    """Points seen on the sides of markers, each with the page line that it lies on; the arrays have one length, n."""

    size: tuple[int, int]
    seen: Floats
    """From the picture's middle, in parts of its longer side, shape (n, 2)."""
    clear: Floats
    """Whether the point lies on an edge indeed."""
    lines: Floats
    """x of an upright line, y of a level one, in PAGE_MM."""
    level: Floats
    outwards: Floats
    """1 where the marker's outside lies at larger x or y, else -1."""


def sides(layout: Layout, markers: tuple[int, ...], edges: Edges, size: tuple[int, int]) -> Sides:
    """Give each point its line; ``edges`` are those of ``markers``, in their order, in a picture of that size."""
    corners = np.stack([layout.marker_corners(m) for m in markers]) / PAGE_MM
    lines = np.stack([corners[:, 0, 1], corners[:, 1, 0], corners[:, 2, 1], corners[:, 3, 0]], 1)
    seen = (edges.points - (np.array(size) - 1) / 2) / max(size)
    many = len(markers)
    return Sides(size, seen, edges.clear, lines.repeat(ON_A_SIDE), np.tile(LEVEL, many), np.tile(OUTWARDS, many))


def adjust(sides: Sides, to_px: Floats, lens: Lens) -> tuple[Floats, Lens]:
    """Return the homography from page millimetres to straight pixels, and the lens, starting from both.

    Raises numpy.linalg.LinAlgError where the sides decide nothing.
    """
    page = np.diag([PAGE_MM, PAGE_MM, 1.0])
    to_page = np.linalg.inv(rays(sides.size) @ to_px @ page)
    found = np.concatenate([(to_page / to_page[2, 2]).ravel()[:8], [lens.bend, 0, 0, 0]])
    before = np.array([lens.bend, 0, 0, 0])
    trust = np.array([lens.doubt, BLEED_PX, BLEED_PX, BLEED_PX]) ** -2.0
    for _ in range(ROUNDS):
        errors, slopes = _errors(found, sides)
        weighted = (slopes * _weights(errors, sides.clear)[:, None]).T
        normal, towards = weighted @ slopes, weighted @ errors
        normal[8:, 8:] += np.diag(trust)
        towards[8:] += trust * (found[8:] - before)
        found = found - np.linalg.solve(normal, towards)
    doubt = float(np.sqrt(np.linalg.inv(normal)[BEND, BEND]))
    matrix = np.linalg.inv(page @ np.append(found[:8], 1).reshape(3, 3) @ rays(sides.size))
    return matrix / matrix[2, 2], Lens(float(found[BEND]), doubt, lens.focal)


def _errors(found: Floats, sides: Sides) -> tuple[Floats, Floats]:
    """Return how far each point lies off its line, in parts of the noise, and how that follows the unknowns."""
    to_page = np.append(found[:8], 1).reshape(3, 3)
    square = (sides.seen**2).sum(1)
    unbent = 1 / (1 + found[BEND] * square)
    straight = np.column_stack([sides.seen * unbent[:, None], np.ones(len(square))])
    page = straight @ to_page.T
    on, depth = np.where(sides.level, page[:, 1], page[:, 0]), page[:, 2]
    place = on / depth
    row = np.where(sides.level[:, None], to_page[1], to_page[0])
    way = (row - place[:, None] * to_page[2])[:, :2] / depth[:, None]  # how the page place follows the pixel
    steep = np.linalg.norm(way, axis=1)
    x, y = (way / steep[:, None]).T
    bleed = np.column_stack([x * x, 2 * x * y, y * y]) * sides.outwards[:, None]
    scale = max(sides.size) / NOISE_PX / steep
    ray = straight / depth[:, None] * scale[:, None]
    moved = -(way * sides.seen).sum(1) * square * unbent**2 * scale
    slopes = np.column_stack([
        ray * ~sides.level[:, None], ray * sides.level[:, None], -place[:, None] * ray[:, :2], moved, bleed / NOISE_PX,
    ])  # fmt: skip
    return (place - sides.lines) * scale + bleed @ found[BLEED] / NOISE_PX, slopes


def _weights(errors: Floats, clear: Floats) -> Floats:
    """Huber's weights, in units of the noise that this picture shows."""
    spread = max(1.4826 * float(np.median(np.abs(errors[clear]))), 1.0)
    return clear / np.maximum(1, np.abs(errors) / (STRAY * spread)) / spread**2
