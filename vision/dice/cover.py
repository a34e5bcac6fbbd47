"""Does something large lie over the dice region: a book, a cup, a hand? What it hides nobody can see.

Shadows are told from things by colour: they darken the paper but hardly change its chroma.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.mat.layout import Region
from vision.mat.mat import Mat
from vision.observation import Point
from vision.picture import Picture

PX_PER_MM = 0.5
CHROMA = 0.3  # difference of log colour ratios; blue shadows in mixed light stay below over large areas
BLACK = 0.12  # of the paper's brightness; no shadow on a table in use is as dark
LEAST_MM2 = 400.0  # a finger is larger; nothing but covers was over 100 in the rendered pictures of dice
DIE_MM = 22.0  # what belongs to a die: itself, seen from the side, and its contact shadow


def covered_at(picture: Picture, mat: Mat, region: Region, dice_mm: list[Point]) -> Point | None:
    """Return the middle, in px, of the largest thing on the region that is no die, or None when it is clear."""
    view = mat.straightened(picture, region, PX_PER_MM)
    log = np.log(cv2.GaussianBlur(view, (5, 5), 0).astype(np.float32) + 12)
    chroma = log[..., (0, 2)] - log[..., 1:2]
    apart = np.abs(chroma - np.median(chroma, axis=(0, 1))).max(2)
    light = log.mean(2)
    strange = ((apart > CHROMA) | (light < np.percentile(light, 80) + np.log(BLACK))).astype(np.uint8)
    for x, y in dice_mm:
        at = (int((x - region.x) * PX_PER_MM), int((y - region.y) * PX_PER_MM))
        cv2.circle(strange, at, int(DIE_MM * PX_PER_MM), 0, -1)
    strange = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(strange)
    areas = stats[1:, cv2.CC_STAT_AREA]
    if len(areas) == 0 or float(areas.max()) < LEAST_MM2 * PX_PER_MM**2:
        return None
    x, y = middles[1 + int(areas.argmax())]
    return mat.px([(region.x + float(x) / PX_PER_MM, region.y + float(y) / PX_PER_MM)])[0]
