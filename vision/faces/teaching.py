"""Teaching: where exactly the upper face of a die lies in a picture, and how large it is, when nothing is known of it.

A block is fitted whose upper face and visible foot end in straight steps of colour along their whole sides; what is
printed on a face has no such sides. All dice of one picture that are about as large are one kind of die.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.bank import PAPER_LEVEL, SOFT
from vision.faces.block import Blocks, colours_at, sides_of
from vision.faces.fit import framed
from vision.faces.ground import PRINTED_MM, around, on_regions
from vision.faces.search import steepness, things
from vision.faces.table import Pose, Table, View, table_of
from vision.gallery import PX_PER_MM, Look
from vision.light import BURNT_LEVEL
from vision.mat.eye import Eye, Points
from vision.mat.mat import Mat
from vision.mat.paper import Field
from vision.observation import ComplaintKind, Point
from vision.picture import Picture

USUAL_MM = 16.0
SIZES_MM = np.arange(10.0, 25.1, 1.5)
REACH_MM, STEP_MM = 6.0, 3.0
"""How far from the given place the upper face is looked for: the parallax and the shadow of a die."""
TURNS = np.radians(np.arange(0, 90, 10))
STARTS, LOOSE = 6, 3
"""Of the first, coarse blocks so many are followed; their sides may lie off by so many px."""
STEPS = ((2.0, 0.1, 1.0), (1.0, 0.05, 0.5), (0.5, 0.025, 0.25))
"""Px, radians, and px of the edge by which a block is changed while that helps."""
MOST_MOVES = 8

ALONG = np.linspace(0.12, 0.88, 8, dtype=np.float32)
ACROSS = np.arange(-6, 7, dtype=np.float32)
"""Where a side is sampled: in parts of its length, and in px across it."""
STEP_PX = 3
"""A step of colour is measured over so many px: 1.5 mm, a die's rounded rim."""
UNBROKEN = 2
"""The weakest samples that are left out of a side: specks may cover a quarter of it."""
ROUNDED = np.array([0.9, 0.95, 1.0])
"""Parts of a die's edge at which its upper face seems to end: a light die's rounded rim looks like its sides."""
CLEAR, FAINT = 0.1, 0.01
"""A step of colour as good as any, and one as good as none; a white die on white paper has about 0.06."""
AWAY = 0.01
"""What a mm squared costs by which the block's middle is not where it was said to be: 3 mm, the weight of one side."""
OUTWARDS = 0.8
"""Px by which the foot must lie beyond the upper face to be seen."""
LEAST = 0.35
"""A place whose best block is worse holds no die."""
ONE_KIND = 0.35
"""Edges measured in one picture that differ by less are of one kind of die."""
BURNT_SHARE = 0.25


@dataclass(frozen=True, eq=False)
class _Fitted:
    """A die: its upper face's middle (2,) in page mm, turn, edge in mm, its weakest side's step, the fit's score."""

    middle: Points
    turn: float
    edge: float
    weight: float
    score: float


def teach_faces(picture: Picture, mat: Mat, places: Sequence[tuple[str, Point]]) -> tuple[Look | ComplaintKind, ...]:
    """Cut out the upper faces of dice that lie apart; ``places`` are names with the middle of each die in page mm.

    For a place without a face that can teach, the reason stands: ``unknown-piece`` (no die) or ``glare``.
    """
    table = table_of(picture, mat, USUAL_MM)
    sites = [_site(table, np.array(place)) for _, place in places]
    first = [_fit(site, SIZES_MM) for site in sites]
    edges = [_usual(one, first) for one in first]
    again = [_fit(site, edge * ROUNDED) for site, edge in zip(sites, edges, strict=True)]
    return tuple(_look(table, n, one, edge) for (n, _), one, edge in zip(places, again, edges, strict=True))


def find_dice(picture: Picture, mat: Mat) -> tuple[Point, ...]:
    """Return the middles, in page mm, of what may be dice on a mat: rows from the top, each from the left."""
    table = table_of(picture, mat, USUAL_MM)
    view = table.ground(around(mat.layout, 0.0))
    mask = things(steepness(view), on_regions(view, mat.layout, -PRINTED_MM))
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    boxes = stats[1:, :4].astype(float)
    middles = view.page(boxes[:, :2] + boxes[:, 2:] / 2 - 0.5)
    rows: list[list[Point]] = []
    for x, y in sorted(middles.tolist(), key=lambda place: place[1]):
        if rows and y - rows[-1][0][1] < USUAL_MM:
            rows[-1].append((x, y))
        else:
            rows.append([(x, y)])
    return tuple(place for row in rows for place in sorted(row))


def _usual(one: _Fitted, fitted: Sequence[_Fitted]) -> float:
    """Edge of one kind of die, the median: the clearer an outline, the more it counts."""
    like = sorted((o for o in fitted if abs(o.edge / one.edge - 1) < ONE_KIND), key=lambda o: o.edge)
    total = np.cumsum([o.weight for o in like])
    return like[int(np.searchsorted(total, total[-1] / 2))].edge


def _look(table: Table, name: str, fitted: _Fitted, edge: float) -> Look | ComplaintKind:
    if fitted.score < LEAST:
        return "unknown-piece"
    side = round(edge * PX_PER_MM)
    scale = side / (edge * table.eye.growth(edge))
    # Twice as fine and then averaged: turning softens what is already at its last scale
    fine = 2 * side
    x, y = (float(v) for v in fitted.middle - (fine - 0.5) / (2 * scale))
    around = table.straightened(x, y, 2 * scale, (2 * fine, 2 * fine))
    seen = cv2.resize(
        framed(around, Pose(fine - 0.5, fine - 0.5, fitted.turn), fine), (side, side), interpolation=cv2.INTER_AREA
    )
    if float((seen.min(2) >= BURNT_LEVEL).mean()) > BURNT_SHARE:
        return "glare"
    shown = np.clip(seen / table.paper_at(fitted.middle) * PAPER_LEVEL, 0, 255).astype(np.uint8)
    return Look(name, "die", shown, np.full((side, side), 255, np.uint8), (side / PX_PER_MM, side / PX_PER_MM))


@dataclass(frozen=True, eq=False)
class _Site:
    """Where a die lies: a softened view of it, the camera over that, and the die's middle (2,), all in its px."""

    view: View
    eye: Eye
    at: Points


def _site(table: Table, place: Points) -> _Site:
    window = table.window(place)
    soft = np.asarray(cv2.GaussianBlur(window.colour, (0, 0), SOFT), np.float32)
    return _Site(View(soft, window.corner, window.scale), table.eye_over(window), window.px(place[None])[0])


def _fit(site: _Site, sizes_mm: NDArray[np.float64]) -> _Fitted:
    """Fit a block of one of the sizes, or in between."""
    blocks = _first_blocks(site, sizes_mm)
    scores = _scores(site, blocks, LOOSE)[0]
    blocks = blocks[np.argsort(-scores)[:STARTS]]
    limits = sizes_mm[0] * site.view.scale, sizes_mm[-1] * site.view.scale
    for step in STEPS:
        blocks = _climbed(site, blocks, _moves(*step), limits)
    scores, weights = _scores(site, blocks)
    best = int(scores.argmax())
    x, y, turn, edge = (float(v) for v in blocks[best])
    turn = (turn + np.pi / 4) % (np.pi / 2) - np.pi / 4
    middle = site.view.page(np.array([[x, y]]))[0]
    return _Fitted(middle, turn, edge / site.view.scale, float(weights[best]), float(scores[best]))


def _first_blocks(site: _Site, sizes_mm: NDArray[np.float64]) -> Blocks:
    shifts = np.arange(-REACH_MM, REACH_MM + 0.1, STEP_MM) * site.view.scale
    grid = np.meshgrid(site.at[0] + shifts, site.at[1] + shifts, TURNS, sizes_mm * site.view.scale, indexing="ij")
    return np.stack([axis.ravel() for axis in grid], 1)


def _moves(shift: float, turn: float, grow: float) -> Blocks:
    """Return single changes of a block, and growth with one corner held."""
    single = np.diag([shift, shift, turn, grow])
    held = [(i * shift / 2, j * shift / 2, 0.0, k * grow) for i in (1, -1) for j in (1, -1) for k in (1, -1)]
    return np.concatenate([single, -single, np.array(held)])


def _climbed(site: _Site, blocks: Blocks, moves: Blocks, edges: tuple[float, float]) -> Blocks:
    scores = _scores(site, blocks)[0]
    for _ in range(MOST_MOVES):
        moved = blocks[:, None] + moves
        moved[..., 3] = np.clip(moved[..., 3], *edges)
        ahead = _scores(site, moved.reshape(-1, 4))[0].reshape(len(blocks), -1)
        better = ahead.max(1) > scores
        if not better.any():
            break
        blocks = np.where(better[:, None], moved[np.arange(len(blocks)), ahead.argmax(1)], blocks)
        scores = np.maximum(scores, ahead.max(1))
    return blocks


def _scores(site: _Site, blocks: Blocks, loose: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How well each block's sides end in unbroken steps of colour (at most 1), and its weakest side's step.

    ``loose`` is by how many px a step may lie off its side.
    """
    sides = sides_of(blocks, site.eye)
    points = sides.starts[..., None, :] + ALONG[:, None] * sides.along[..., None, :]
    places = points[..., None, :] + ACROSS[:, None] * sides.outwards[..., None, None, :]
    here, most = _ending(colours_at(site.view.colour, places), loose)
    score = np.minimum(here, CLEAR) / CLEAR * here / (most + FAINT)
    seen = np.stack([np.ones_like(sides.behind), sides.behind > OUTWARDS], 1)
    away = np.linalg.norm(sides.starts.mean((1, 2)) - site.at, axis=1) / site.view.scale
    return (score * seen).sum((1, 2)) / seen.sum((1, 2)) - AWAY * away**2, here[:, 0].min(1)


def _ending(colours: Field, loose: int) -> tuple[Field, Field]:
    """How sides end whose samples are (..., along, across, 3).

    Returns the step of colour at the side that nearly all samples share, and the mean of each sample's largest near it.
    """
    steps = colours[..., STEP_PX:, :] - colours[..., :-STEP_PX, :]
    mean = np.einsum("...sac->...ac", steps)
    mean /= np.maximum(np.linalg.norm(mean, axis=-1, keepdims=True), 1e-6)
    shared = np.einsum("...sac,...ac->...sa", steps, mean)
    unbroken = np.maximum(np.partition(shared, UNBROKEN, axis=-2)[..., UNBROKEN, :], 0)
    middle = unbroken.shape[-1] // 2
    return unbroken[..., middle - loose : middle + loose].max(-1), shared.max(-1).mean(-1)
