"""A taught face laid over a picture: its pose is improved until nothing is gained, then the likeness is measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.bank import CHANNELS, FINE, INSIDE, Face, around_middle
from vision.faces.table import Pose
from vision.mat.paper import Field
from vision.picture import Picture

ROUNDS = 7
LONGEST = np.array([2.0, 2.0, 0.2])  # px, px, radians a round: beyond them the slopes say nothing
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


def settle(window: Field, faces: Sequence[Face], poses: Sequence[Pose]) -> list[Fit]:
    """Improve the poses of printed faces (least squares on the slopes of their pictures), then measure."""
    solvers = np.stack([face.solver for face in faces])
    at = np.array([(pose.x, pose.y, pose.turn) for pose in poses])
    moving = np.arange(len(at))
    for _ in range(ROUNDS):
        parts = _parts(solvers[moving], _seen(window, at[moving]))
        step = np.clip(parts[:, 4:7] / parts[:, :1], -LONGEST, LONGEST)
        c, s = np.cos(at[moving, 2]), np.sin(at[moving, 2])
        dx, dy, by = step.T
        at[moving] -= np.stack([c * dx - s * dy, s * dx + c * dy, by], 1)
        moving = moving[np.abs(step * (1, 1, FINE / 2)).max(1) >= SMALLEST_STEP]
        if not len(moving):
            break
    seen = _seen(window, at)
    parts = _parts(solvers, seen)
    scores = np.einsum("ij,ij->i", seen, np.stack([face.unit for face in faces])) / lengths(seen)
    across, down, shear = (parts[:, 7:] / parts[:, :1]).T
    even, odd = (across + down) / 2, np.hypot((across - down) / 2, shear)
    measured = np.stack([scores, even + odd, odd - even], 1).tolist()
    return [Fit(face, Pose(*pose), *values) for face, pose, values in zip(faces, at.tolist(), measured, strict=True)]


def _parts(solvers: Field, seen: Field) -> NDArray[np.float64]:
    """Return what explains each vector best, (n, 10): see Face.solver; a gain is no less than WEAKEST."""
    parts: NDArray[np.float64] = np.matmul(solvers, seen[:, :, None])[:, :, 0].astype(np.float64)
    parts[:, 0] = np.maximum(parts[:, 0], WEAKEST)
    return parts


def _seen(window: Field, at: NDArray[np.float64]) -> Field:
    """Return what lies at poses (n, 3), as vectors (n, INSIDE * INSIDE * 3)."""
    x, y = around_middle(INSIDE).T
    c, s = np.cos(at[:, 2:]), np.sin(at[:, 2:])
    columns, rows = (at[:, :1] + c * x - s * y).astype(np.float32), (at[:, 1:2] + s * x + c * y).astype(np.float32)
    seen = cv2.remap(window, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(len(at), -1)


def lengths(vectors: Field) -> Field:
    """Lengths (n,) of vectors (n, pixels * 3) with each channel's mean taken off."""
    means = np.einsum("npc->nc", vectors.reshape(len(vectors), -1, CHANNELS))
    squares = np.einsum("ij,ij->i", vectors, vectors)
    squares -= np.einsum("ij,ij->i", means, means) * CHANNELS / vectors.shape[1]
    return np.asarray(np.sqrt(np.maximum(squares, WEAKEST**2)), np.float32)
