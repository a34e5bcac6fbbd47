"""Points on the outer edges of markers, found to a tenth of a pixel where white paper turns into black ink."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Picture

Floats = NDArray[Any]

ON_A_SIDE = 8  # points; they keep a tenth of the side away from the corners, which blur rounds off
ALONG = 0.1 + 0.8 * (np.arange(ON_A_SIDE) + 0.5) / ON_A_SIDE
REACH, STEP = 4.0, 0.25  # px across an edge that are looked at: the detector's corners are up to 2.6 px off in blur
ACROSS = np.arange(-REACH, REACH + STEP, STEP, dtype=np.float32)
SLOPE = 4  # steps between the two brightnesses whose difference is the slope
NEAR = 1.25  # px around the steepest place whose mean is the edge
WEAK = 0.3  # of the usual slope: what rises less is no edge of this marker


@dataclass(frozen=True)
class Edges:
    """Points on the sides of markers: marker by marker, side by side clockwise from the top, ``ON_A_SIDE`` each.

    ``points`` in px, shape (n, 2); ``clear`` tells which of them lie on an edge indeed.
    """

    points: Floats
    clear: Floats


def find_edges(grey: Picture, quads: Floats) -> Edges:
    """Look across the sides of markers; ``quads``: corners in px, clockwise from the top left, shape (m, 4, 2)."""
    sides = np.roll(quads, -1, 1) - quads
    outwards = np.stack([sides[..., 1], -sides[..., 0]], -1)
    outwards /= np.linalg.norm(outwards, axis=-1, keepdims=True)
    middles = (quads[:, :, None] + sides[:, :, None] * ALONG[:, None]).reshape(-1, 2)
    outwards = outwards.reshape(-1, 2).repeat(ON_A_SIDE, 0)
    places = (middles[:, None] + outwards[:, None] * ACROSS[:, None]).astype(np.float32)
    x, y = cv2.split(places)
    light = np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
    slope = np.maximum(light[:, SLOPE:] - light[:, :-SLOPE], 0)
    at = ACROSS[SLOPE // 2 : -SLOPE // 2]
    steepest = slope.max(1)
    near = np.where(np.abs(at - at[slope.argmax(1)][:, None]) <= NEAR, slope, 0)
    offset = near @ at / np.maximum(near.sum(1), 1)
    clear = (steepest > WEAK * np.median(steepest)) & (steepest > 1)
    return Edges(middles + outwards * offset[:, None], clear)
