"""A taught face laid over a picture: its pose is improved until nothing is gained, then the likeness is measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.faces.bank import CHANNELS, FINE, INSIDE, Face, centred, unit_of
from vision.faces.table import Pose
from vision.paper import Field
from vision.picture import Picture

ROUNDS = 8
LONGEST_STEP, LARGEST_TURN = 2.0, 0.2  # px and radians a round: beyond them the slopes say nothing
SMALLEST_STEP = 0.06
WEAKEST = 1e-3


@dataclass(frozen=True)
class Fit:
    """A face at a pose.

    ``score`` is the correlation, -1..1; ``lean`` by which part the face is too short along the line where it is
    shortest, as a leaning one is; ``blur`` by which part it is too long along another, as motion makes it.
    """

    face: Face
    pose: Pose
    score: float = -1.0
    lean: float = 1.0
    blur: float = 1.0


def framed(window: Field | Picture, pose: Pose, side: int = INSIDE) -> Field:
    """Return what lies at this pose, upright, shape (side, side, 3), as floats."""
    middle = (side - 1) / 2
    c, s = math.cos(pose.turn), math.sin(pose.turn)
    to_window = np.array([[c, -s, pose.x - (c - s) * middle], [s, c, pose.y - (s + c) * middle]])
    seen = cv2.warpAffine(window, to_window, (side, side), flags=_HOW, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)


_HOW = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def settle(window: Field, face: Face, pose: Pose) -> Fit:
    """Improve a printed face's pose (least squares on the slopes of its picture), then measure."""
    for last in [False] * ROUNDS + [True]:
        seen = framed(window, pose).reshape(-1)
        gain, _, _, _, dx, dy, by, across, down, shear = (face.solver @ seen).tolist()
        if gain <= WEAKEST:
            return Fit(face, pose)
        dx, dy, by = _held(dx / gain, LONGEST_STEP), _held(dy / gain, LONGEST_STEP), _held(by / gain, LARGEST_TURN)
        if last or max(abs(dx), abs(dy), abs(by) * FINE / 2) < SMALLEST_STEP:
            break
        c, s = math.cos(pose.turn), math.sin(pose.turn)
        pose = Pose(pose.x - c * dx + s * dy, pose.y - s * dx - c * dy, pose.turn - by)
    score = float(unit_of(centred(seen.reshape(-1, CHANNELS))) @ face.unit)
    even, odd = (across + down) / 2, math.hypot((across - down) / 2, shear)
    return Fit(face, pose, score, (even + odd) / gain, (odd - even) / gain)


def _held(value: float, most: float) -> float:
    return min(max(value, -most), most)
