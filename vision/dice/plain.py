"""Is there truly nothing? A ground without a die is sure only where nothing stands out from it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.mat.layout import Region
from vision.mat.mat import Mat
from vision.picture import Picture

SIDE_PX = 200
PX_PER_MM = 0.5
STANDS_OUT = 26  # levels by which a small thing differs from what is around it; weave and paper stay below
INSET_MM = 6.0  # printed lines lie at the region's rim


def is_plain(picture: Picture, mat: Mat | None = None, region: Region | None = None) -> bool:
    """Return whether nothing lies on the picture, or on the region of the mat; soft light and weave don't count."""
    if mat is not None and region is not None:
        w, h = region.width - 2 * INSET_MM, region.height - 2 * INSET_MM
        inner = Region(region.name, region.x + INSET_MM, region.y + INSET_MM, w, h)
        small = mat.straightened(picture, inner, PX_PER_MM)
    else:
        scale = min(1.0, SIDE_PX / max(picture.shape[:2]))
        small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    small = np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)
    around = cv2.medianBlur(small, 41)
    return bool(np.abs(small.astype(np.int16) - around).max() < STANDS_OUT)
