"""The printed mats as data: ``layouts.toml`` read once. Lengths in page millimetres (A3; an A4 print is scaled)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

MARKERS_ON_A_MAT = 4
NEAR_MM = 4.0
"""A piece this near to a region's line counts as inside."""


@dataclass(frozen=True)
class Region:
    """A named rectangle of the page."""

    name: str
    x: float
    y: float
    width: float
    height: float

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether the point lies inside, or within ``margin`` of the line."""
        across = self.x - margin <= x <= self.x + self.width + margin
        return across and self.y - margin <= y <= self.y + self.height + margin


@dataclass(frozen=True)
class Layout:
    """One mat: ``markers`` are the ids clockwise from the top left."""

    name: str
    markers: tuple[int, ...]
    regions: tuple[Region, ...]
    paper: tuple[float, float]
    marker_side: float
    marker_inset: float

    def marker_corners(self, marker: int) -> NDArray[np.float64]:
        """Four corners of a marker's black square, clockwise from its own top left, shape (4, 2)."""
        place = self.markers.index(marker)
        far_x = self.paper[0] - self.marker_inset - self.marker_side
        far_y = self.paper[1] - self.marker_inset - self.marker_side
        x = self.marker_inset if place in (0, 3) else far_x
        y = self.marker_inset if place in (0, 1) else far_y
        s = self.marker_side
        return np.array([[x, y], [x + s, y], [x + s, y + s], [x, y + s]])

    def region(self, name: str) -> Region | None:
        """Return the region of that name, if the mat has one."""
        return next((r for r in self.regions if r.name == name), None)

    def region_at(self, x: float, y: float, margin: float = NEAR_MM) -> Region | None:
        """Return the region that holds the point; within ``margin`` of a line the piece counts as inside."""
        return next((r for m in (0.0, margin) for r in self.regions if r.holds(x, y, m)), None)


def layout_of(name: str) -> Layout:
    """Return the mat of that name."""
    return next(layout for layout in layouts() if layout.name == name)


@cache
def layouts() -> tuple[Layout, ...]:
    """All mats."""
    data = tomllib.loads(resources.files("vision.mat").joinpath("layouts.toml").read_text(encoding="utf-8"))
    paper = data["paper"]
    return tuple(
        Layout(
            name=name,
            markers=tuple(mat["first_marker"] + i for i in range(MARKERS_ON_A_MAT)),
            regions=tuple(Region(r, *box) for r, box in mat["regions"].items()),
            paper=(paper["size"][0], paper["size"][1]),
            marker_side=paper["marker_side"],
            marker_inset=paper["marker_inset"],
        )
        for name, mat in data["mats"].items()
    )
