"""A mat as the dice on it need it: seen at so many px an edge of their upper faces, in colours relative to the paper.

On the straightened page an upper face is a square again, larger by the camera's perspective and pushed away from the
camera (see ``vision.eye``); the table knows both, so that every step can work with squares of one known size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.faces.bank import COARSE, FINE
from vision.mat.eye import Eye, Points, eye_of
from vision.mat.layout import Region
from vision.mat.mat import Mat
from vision.mat.paper import CELL_MM, Field, paper_of, relative
from vision.picture import Picture

HALF_WINDOW = 1.5  # edges from a window's middle to its side


@dataclass(frozen=True)
class Pose:
    """Where an upper face lies in a window: ``x``, ``y`` in px of its middle, ``turn`` in radians clockwise."""

    x: float
    y: float
    turn: float

    def corners(self, edge: float = FINE) -> Points:
        """Four corners in px, shape (4, 2), clockwise from the top left of the upright face."""
        c, s = np.cos(self.turn) * edge / 2, np.sin(self.turn) * edge / 2
        around = np.array([[s - c, -s - c], [c + s, s - c], [c - s, s + c], [-c - s, c - s]])
        return np.asarray(around + np.array([self.x, self.y]))


@dataclass(frozen=True, eq=False)
class View:
    """A piece of the page at ``scale`` px a page mm; ``corner`` is the page place of its first pixel's middle."""

    colour: Field
    corner: tuple[float, float]
    scale: float

    def page(self, points: Points) -> Points:
        """Pixels (n, 2) to page mm."""
        return np.asarray(points / self.scale + np.array(self.corner))

    def px(self, points: Points) -> Points:
        """Page mm (n, 2) to pixels."""
        return np.asarray((points - np.array(self.corner)) * self.scale)


@dataclass(frozen=True, eq=False)
class Table:
    """A picture of a mat for dice with edges of ``edge`` mm."""

    picture: Picture
    mat: Mat
    eye: Eye
    paper: Field
    edge: float

    @cached_property
    def apparent(self) -> float:
        """Edge of an upper face as it appears on the page, in mm."""
        return self.edge * self.eye.growth(self.edge)

    def ground(self, area: Region) -> View:
        """Return a rectangle of the page at COARSE px an edge."""
        scale = COARSE / self.apparent
        width, height = max(COARSE, int(area.width * scale)), max(COARSE, int(area.height * scale))
        # Twice as fine and then averaged, or else thin strokes come and go with the grid
        fine = self.straightened(area.x + 0.25 / scale, area.y + 0.25 / scale, 2 * scale, (2 * width, 2 * height))
        seen = np.asarray(cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        corner = (area.x + 0.5 / scale, area.y + 0.5 / scale)
        rows = (np.arange(height) / scale + corner[1]) / CELL_MM - 0.5
        columns = (np.arange(width) / scale + corner[0]) / CELL_MM - 0.5
        grid = np.meshgrid(columns.astype(np.float32), rows.astype(np.float32))
        paper = cv2.remap(self.paper, grid[0], grid[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return View(relative(seen, np.asarray(paper, np.float32)), corner, scale)

    def window(self, middle: Points) -> View:
        """Return the surroundings of a page place (2,) at FINE px an edge."""
        scale = FINE / self.apparent
        side = int(2 * HALF_WINDOW * FINE)
        x, y = (float(v) for v in middle - (side - 1) / 2 / scale)
        seen = self.straightened(x, y, scale, (side, side))
        return View(relative(seen, self.paper_at(middle)), (x, y), scale)

    def paper_at(self, place: Points) -> Field:
        """Return the paper's colour (3,) around a page place (2,)."""
        rows, columns = self.paper.shape[:2]
        x, y = (place / CELL_MM).astype(int)
        return np.asarray(self.paper[np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)])

    def eye_over(self, view: View) -> Eye:
        """Return the camera's place in pixels of a view."""
        x, y = view.px(np.array([self.eye.below]))[0]
        return Eye((float(x), float(y)), self.eye.height * view.scale)

    def straightened(self, x: float, y: float, scale: float, size: tuple[int, int]) -> Picture:
        """Return the page in BGR, ``scale`` px a page mm; ``x``, ``y`` is the place of the first pixel's middle."""
        half = 0.5 / scale  # so that rounding down keeps the size
        area = Region("", x, y, size[0] / scale + half, size[1] / scale + half)
        return self.mat.straightened(self.picture, area, scale)


def table_of(picture: Picture, mat: Mat, edge: float) -> Table:
    """Prepare a picture of a mat."""
    return Table(picture, mat, eye_of(mat), paper_of(picture, mat), edge)
