"""What is left on a mat when all that is known is taken away: something a person must look at, or only shadows.

Shadows don't get as dark as things do, and away from the die that throws one it only gets brighter. A leaning die's
print, its sides and its rim get darker too.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.faces.bank import COARSE, Mask
from vision.faces.table import View
from vision.mat.eye import Points

DARK = 0.33
"""Brightness (1: paper) that shadows don't reach."""
STEEP = 0.1
"""Slope of brightness a px that only things and hard shadows have."""
INWARDS = 0.5
"""Cosine from which a slope leads back to the die."""
SHADOW = 1.5
"""Edges from a die beyond which its shadow explains nothing."""
BESIDE = 0.5
"""Edges from a die within which something leans on it."""
LEAST = 0.035
"""Square edges from which something is reported: what shadows and noise left stayed below 0.025."""


@dataclass(frozen=True, eq=False)
class Place:
    """Something strange: its middle (2,) in px, its area in square edges, and whether a die lies right beside it."""

    middle: Points
    area: float
    by_a_die: bool


def strange(view: View, explained: Mask, allowed: Mask) -> list[Place]:
    """Return what neither the ``explained`` things nor their shadows account for, where that is ``allowed``."""
    bright = np.ascontiguousarray(view.colour[..., 0])
    across, down = (cv2.Sobel(bright, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    away = cv2.distanceTransform((~explained).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5)
    out_across, out_down = (cv2.Sobel(away, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    slope = cv2.magnitude(across, down)
    inwards = across * out_across + down * out_down < -INWARDS * slope
    steep = (slope > STEEP) & (inwards | (away > SHADOW * COARSE))
    left = ((bright < DARK) | steep) & allowed & ~explained
    count, labels, stats, middles = cv2.connectedComponentsWithStats(left.astype(np.uint8))
    areas = stats[:, cv2.CC_STAT_AREA] / COARSE**2
    large = [label for label in range(1, count) if areas[label] >= LEAST]
    return [Place(middles[k], float(areas[k]), bool(away[labels == k].min() < BESIDE * COARSE)) for k in large]
