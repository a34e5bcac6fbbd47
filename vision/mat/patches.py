"""Whether red and blue are where they belong: read from the two patches that newer mats carry."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.layout import Region, layouts
from vision.observation import Point
from vision.picture import Picture

PX_PER_MM = 2.0
MARGIN_MM = 3.0
"""Of a patch's edge that is left out, and of paper that is looked at around both: lens and print are not exact."""
TINTED = 0.25
"""Natural logarithm of red over blue, against the paper's, from which on a patch has a colour at all. A print in black
and a mat without patches stay below it in any light; printed colours lie far above (measured on rendered prints)."""

Corners = tuple[Point, Point, Point, Point]


def order(picture: Picture, corners_px: Corners) -> Literal["right", "swapped"] | None:
    """Tell from a BGR picture of a mat with these paper's corners; None where no coloured patches are to be seen.

    The lamp's own colour falls out: both patches are compared with the paper between and around them.
    """
    red, blue = patches()
    left, top = red.x - MARGIN_MM, red.y - MARGIN_MM
    right, bottom = blue.x + blue.width + MARGIN_MM, blue.y + blue.height + MARGIN_MM
    view = _straightened(picture, corners_px, (left, top, right, bottom))
    first, second = (_tone(_inner(view, patch, (left, top))) for patch in (red, blue))
    paper = _tone(np.concatenate([view[: int(PX_PER_MM * 2)], view[-int(PX_PER_MM * 2) :]]))
    if first - paper > TINTED and second - paper < -TINTED:
        return "right"
    if first - paper < -TINTED and second - paper > TINTED:
        return "swapped"
    return None


@cache
def patches() -> tuple[Region, Region]:
    """Give the red and the blue patch, in page millimetres."""
    data = tomllib.loads(resources.files("vision.mat").joinpath("layouts.toml").read_text(encoding="utf-8"))["patches"]
    return Region("red", *data["red"]), Region("blue", *data["blue"])


def _straightened(picture: Picture, corners_px: Corners, box: tuple[float, float, float, float]) -> Picture:
    width, height = layouts()[0].paper
    left, top, right, bottom = box
    page = np.array([(0, 0), (width, 0), (width, height), (0, height)], float) - (left, top)
    to_view = cv2.getPerspectiveTransform(np.array(corners_px, np.float32), (page * PX_PER_MM).astype(np.float32))
    size = (round((right - left) * PX_PER_MM), round((bottom - top) * PX_PER_MM))
    return np.asarray(cv2.warpPerspective(picture, to_view, size), np.uint8)


def _inner(view: Picture, patch: Region, corner: tuple[float, float]) -> NDArray[np.uint8]:
    x, y = patch.x + MARGIN_MM - corner[0], patch.y + MARGIN_MM - corner[1]
    wide, high = patch.width - 2 * MARGIN_MM, patch.height - 2 * MARGIN_MM
    left, top, right, bottom = (round(PX_PER_MM * v) for v in (x, y, x + wide, y + high))
    return view[top:bottom, left:right]


def _tone(part: NDArray[np.uint8]) -> float:
    """Give the logarithm of red over blue of a part's middle colour."""
    blue, _, red = np.median(part.reshape(-1, 3), axis=0) + 4.0  # so that black is no colour
    return float(np.log(red / blue))
