"""A die's outline against the ground: the witness of shape, and the only one for a face with nothing printed on it.

An upright block shows its upper face and, towards the camera, parts of its sides; where both end is known from the
camera's place. A die that leans, a shadow or artwork does not end there.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.faces.bank import SOFT, Face
from vision.faces.block import Blocks, colours_at, sides_of
from vision.faces.table import Pose, Table, View
from vision.mat.eye import Eye, Points
from vision.mat.paper import Field

SAMPLES = np.linspace(0.15, 0.85, 10, dtype=np.float32)
"""Where a side is sampled, in parts of its length: a die's corners are round."""
ACROSS = np.array([-3.0, -1.5, 1.5, 3.0], np.float32)
"""How far from the side in px, outwards: an edge of 16 mm has 32."""
MOST = 0.8
"""A side counts at most this much, in steps from the face's colour to the paper's: highlights are no better shape."""
STEPS = ((3.0, 0.15), (1.5, 0.08), (0.8, 0.04), (0.4, 0.02))
"""Px and radians by which a pose is changed while that helps."""
FIRST_TURNS = np.radians(np.arange(0, 90, 15))
FIRST_SHIFTS = np.array([-6.0, -2.0, 2.0, 6.0])
INWARDS = np.arange(6, dtype=np.float32)
AS_CLEAR = 0.85
"""Px by which sides are moved inwards to see where they end most clearly, and what is as clear as that."""
STARTS = 4
MOST_MOVES = 6
PAPER = np.array([1.0, 0.0, 0.0], np.float32)


@dataclass(frozen=True)
class Shape:
    """How a block of a plain face's colour ends: ``mean`` and ``weakest`` of its sides, in steps to the paper's.

    ``short`` is by which part of an edge two opposite sides end nearer to one another than an upright die's.
    """

    pose: Pose
    mean: float
    weakest: float
    short: float


def support(view: View, eye: Eye, pose: Pose, edge_px: float) -> float:
    """How clearly a die of any colour ends at the pose: the contrast of its second weakest side.

    The weakest tells nothing: white dice on white paper lose one side to the lamp.
    """
    steps = _steps(view.colour, eye, np.array([[pose.x, pose.y, pose.turn, edge_px]]))[0]
    return float(np.sort(np.linalg.norm(steps.mean(1), axis=-1))[1])


def fit_shape(table: Table, middle: Points, face: Face) -> tuple[View, Shape]:
    """Fit a die with a plain face to what lies around a page place (2,), by its outline alone."""
    window = table.window(middle)
    soft = np.asarray(cv2.GaussianBlur(window.colour, (0, 0), SOFT), np.float32)
    eye, edge = table.eye_over(window), table.edge * window.scale
    x, y = (float(v) for v in window.px(middle[None])[0])
    grid = np.meshgrid(x + FIRST_SHIFTS, y + FIRST_SHIFTS, FIRST_TURNS, [edge], indexing="ij")
    blocks = np.stack([axis.ravel() for axis in grid], 1)
    blocks = blocks[np.argsort(-_ends(soft, eye, blocks, face).mean(1))[:STARTS]]
    for shift, turn in STEPS:
        blocks = _climbed(soft, eye, blocks, face, np.diag([shift, shift, turn, 0.0])[:3])
    ends = _ends(soft, eye, blocks, face)
    best = int(ends.mean(1).argmax())
    x, y, turn, _ = (float(v) for v in blocks[best])
    short = _shortness(soft, eye, blocks[best], face)
    shape = Shape(Pose(x, y, turn), float(ends[best].mean()), float(ends[best].min()), short)
    return View(soft, window.corner, window.scale), shape


def _climbed(view: Field, eye: Eye, blocks: Blocks, face: Face, moves: Blocks) -> Blocks:
    moves = np.concatenate([np.zeros((1, 4)), moves, -moves])
    for _ in range(MOST_MOVES):
        moved = blocks[:, None] + moves
        means = _ends(view, eye, moved.reshape(-1, 4), face).mean(1).reshape(len(blocks), -1)
        best = means.argmax(1)
        if not best.any():
            break
        blocks = moved[np.arange(len(blocks)), best]
    return blocks


def _shortness(view: Field, eye: Eye, block: Blocks, face: Face) -> float:
    """By which part of its edge a block (4,) is shorter with its sides moved inwards to where they are clear."""
    clear = np.stack([_ends(view, eye, block[None], face, float(inwards))[0] for inwards in INWARDS])
    at = INWARDS[(clear >= AS_CLEAR * clear.max(0)).argmax(0)]
    return float((at[:2] + at[2:]).max() / block[3])


def _ends(view: Field, eye: Eye, blocks: Blocks, face: Face, inwards: float = 0.0) -> Field:
    """How far each side (n, 4) of a block's outline, moved inwards, leads from the face's colour to the paper's."""
    to_paper = PAPER - face.colour
    steps = _steps(view, eye, blocks, inwards) @ to_paper / (to_paper @ to_paper)
    return np.asarray(np.clip(steps, 0, MOST).mean(-1), np.float32)


def _steps(view: Field, eye: Eye, blocks: Blocks, inwards: float = 0.0) -> Field:
    """Return steps of colour (n, 4, SAMPLES, 3) from in to out along the four sides of each block's outline."""
    sides = sides_of(blocks, eye)
    seen = (sides.behind > 0).astype(int)[:, None, :, None]
    starts, along, outwards = (
        np.take_along_axis(part, seen, 1)[:, 0] for part in (sides.starts, sides.along, sides.outwards)
    )
    points = starts[:, :, None] + SAMPLES[:, None] * along[:, :, None]
    places = points[..., None, :] + (ACROSS - inwards)[:, None] * outwards[:, :, None, None]
    colours = colours_at(view, places)
    half = len(ACROSS) // 2
    return np.asarray(colours[..., half:, :].mean(-2) - colours[..., :half, :].mean(-2), np.float32)
