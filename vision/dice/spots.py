"""Where anything at all lies on a region of a mat, so that dice need not be looked for on bare paper."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.layout import Region
from vision.mat.mat import Mat
from vision.picture import Picture

PX_PER_MM = 1.0
AROUND_MM = 8.0  # beyond the region's line: what lies across it counts
STEP = 0.14  # change over 3 mm, in parts of the paper's brightness; soft shadows and the paper's grain stay below
LINE_MM = 7  # a printed line with the lens's distortion lies within this band; pips in the band are thicker than lines
THICKER_MM = 5
JOINED_MM = 7  # pips and edges of one die are no further apart
MARGIN_MM = 4.0  # what the finder needs to see around a die
LARGEST_SHARE = 0.6  # when more than this would have to be looked at, all of it is

Box = tuple[float, float, float, float]


def spots(picture: Picture, mat: Mat, region: Region) -> list[Box]:
    """Return boxes (left, top, right, bottom in page millimetres, on the paper's plane) outside which all is bare."""
    wide = Region(region.name, region.x - AROUND_MM, region.y - AROUND_MM,
                  region.width + 2 * AROUND_MM, region.height + 2 * AROUND_MM)  # fmt: skip
    grown = cv2.dilate(_strange(mat.straightened(picture, wide, PX_PER_MM), mat, wide), np.ones((JOINED_MM, JOINED_MM)))
    _, _, stats, _ = cv2.connectedComponentsWithStats(grown)
    boxes = [
        (wide.x + x / PX_PER_MM - MARGIN_MM, wide.y + y / PX_PER_MM - MARGIN_MM,
         wide.x + (x + w) / PX_PER_MM + MARGIN_MM, wide.y + (y + h) / PX_PER_MM + MARGIN_MM)
        for x, y, w, h, _ in stats[1:]
    ]  # fmt: skip
    if sum((b[2] - b[0]) * (b[3] - b[1]) for b in boxes) > LARGEST_SHARE * wide.width * wide.height:
        return [(wide.x, wide.y, wide.x + wide.width, wide.y + wide.height)]
    return boxes


def _strange(view: Picture, mat: Mat, wide: Region) -> NDArray[np.uint8]:
    """Mark (1) where the view changes faster than paper does, printed lines left out."""
    smooth = cv2.GaussianBlur(view, (3, 3), 0)
    steps = cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    blue, green, red = cv2.split(steps)
    step = cv2.max(cv2.max(blue, green), red)
    mask = np.asarray(step > STEP * float(np.median(smooth[::4, ::4])), np.uint8)
    band = np.zeros_like(mask)
    for r in mat.layout.regions:
        a = (round((r.x - wide.x) * PX_PER_MM), round((r.y - wide.y) * PX_PER_MM))
        b = (round((r.x + r.width - wide.x) * PX_PER_MM), round((r.y + r.height - wide.y) * PX_PER_MM))
        cv2.rectangle(band, a, b, 1, round(LINE_MM * PX_PER_MM))
    thick = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((THICKER_MM, THICKER_MM), np.uint8))
    return np.asarray(np.where(band, thick, mask), np.uint8)
