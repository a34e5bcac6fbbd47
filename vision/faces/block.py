"""Upright blocks in a view, many at once: where the sides of their upper faces and feet appear."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.eye import Eye
from vision.mat.paper import Field

Blocks = NDArray[np.float64]
"""Shape (n, 4): middle of the upper face x and y in px, turn in radians clockwise, the block's own edge in px."""
MOST_ROWS = 30_000
"""cv2.remap takes 32,767 rows."""
_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, eq=False)
class Sides:
    """Sides of blocks, all arrays (n, 2, 4, ...): of the upper face, then of the foot, clockwise from the top one.

    ``starts`` and ``along`` (to the next corner) in px; ``outwards`` of length 1; ``behind`` how far in px the foot's
    side appears outside the upper face's, negative where the upper face hides it, shape (n, 4).
    """

    starts: Field
    along: Field
    outwards: Field
    behind: Field


def sides_of(blocks: Blocks, eye: Eye) -> Sides:
    """Where the sides of upright blocks appear, ``eye`` in px of the view."""
    turn, edge = blocks[:, 2], blocks[:, 3]
    growth = eye.height / (eye.height - edge)
    c, s = np.cos(turn), np.sin(turn)
    turned = np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
    tops = np.einsum("nij,kj->nki", turned, _SQUARE) * (edge * growth)[:, None, None] + blocks[:, None, :2]
    below = np.array(eye.below)
    feet = below + (tops - below) / growth[:, None, None]
    starts = np.stack([tops, feet], 1).astype(np.float32)
    along = np.roll(starts, -1, 2) - starts
    unit = along / np.linalg.norm(along, axis=-1, keepdims=True)
    outwards = np.stack([unit[..., 1], -unit[..., 0]], -1)
    behind = ((feet.mean(1) - tops.mean(1))[:, None] * outwards[:, 0]).sum(-1) - (edge * (growth - 1) / 2)[:, None]
    return Sides(starts, along, outwards, np.asarray(behind, np.float32))


def colours_at(view: Field, places: Field) -> Field:
    """Colours (..., 3) of a view at places (..., 2) in px."""
    rows = np.asarray(places, np.float32).reshape(-1, places.shape[-2], 2)
    parts = [
        cv2.remap(view, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.array_split(rows, 1 + len(rows) // MOST_ROWS)
    ]
    return np.asarray(np.concatenate(parts).reshape(*places.shape[:-1], 3), np.float32)
