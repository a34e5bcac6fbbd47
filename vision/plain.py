"""Is there truly nothing? A ground without a die is sure only where nothing stands out from it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.layout import Region
from vision.mat import Mat
from vision.picture import Picture

SIDE_PX = 200
STANDS_OUT = 26  # levels by which a small thing differs from what is around it; weave and paper stay below
INSET_MM = 6.0  # printed lines lie at the region's rim


def is_plain(picture: Picture, mat: Mat | None = None, region: Region | None = None) -> bool:
    """Whether no thing lies on the picture, or on the region of the mat; soft light and fine texture don't count."""
    scale = min(1.0, SIDE_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (3, 3), 0)
    around = cv2.medianBlur(small, 41)
    apart = np.abs(small.astype(np.int16) - around).max(2)
    if mat is not None and region is not None:
        inside = np.zeros(apart.shape, np.uint8)
        x0, y0 = region.x + INSET_MM, region.y + INSET_MM
        x1, y1 = region.x + region.width - INSET_MM, region.y + region.height - INSET_MM
        corners = np.array(mat.px([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])) * scale
        cv2.fillConvexPoly(inside, corners.astype(np.int32), 1)
        apart = apart[inside > 0]
    return bool(apart.size > 0 and apart.max() < STANDS_OUT)
