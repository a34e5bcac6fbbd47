"""Where printed faces lie: every place at which something stands out is compared with every face in every turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.bank import (
    CHANNELS,
    COARSE,
    INSIDE,
    STEP_DEG,
    TURNS,
    Bank,
    Face,
    Mask,
    around_middle,
    disc,
)
from vision.faces.fit import Fit, lengths, settle
from vision.faces.outline import support
from vision.faces.table import Pose, Table, View
from vision.mat.eye import Points
from vision.mat.paper import Field

BUSY = 0.034
"""Slope of brightness a px: prints and rims are steeper, lit paper is not."""
GAP = 0.3
"""Edges: prints nearer than that belong to one thing."""
SMALLEST = 0.35
"""Edges: what is narrower is a printed line or a speck."""
LARGEST = 6.0
"""Edges: what is larger is filled no more."""
LINE_PX = 4
"""A printed line is narrower in the view."""
FAINT = 0.35
"""Contrast (norm of a disc's pixels) at which a correlation counts half: paper's grain correlates with anything."""
LEAST_COARSE = 0.4
RIVALS = 4
STARTS = 3
"""Turns from which the best face is settled: at 12 px an edge the best turn is sometimes the wrong one."""
HOPELESS = 0.57
"""Score after the first round below which the others are spared."""
TRIES = 3
"""Places from which one upper face is settled at most."""
ROUNDS, BETTER = 3, 0.01
"""Rounds at most, and the gain in score for which there is another."""
NEAR = 0.3
"""Edges within which places speak of the same upper face."""
LEAST_SCORE = 0.7
"""Upright ones in the worst motion blur were above 0.77; what leans and is higher is told by its shape."""
GOOD_SCORE = 0.82
"""From here on nothing better is looked for in the same place."""
APART = 0.8
"""Edges: two upper faces can't be nearer."""


@dataclass(frozen=True, eq=False)
class Upper:
    """An upper face that was found: its ``corners`` as they appear on the page (mm, clockwise from its own top left).

    ``margin`` tells how much nearer it is to its name than to the next one: 0.5 exactly it, 0 between the two.
    ``support`` is the contrast of its outline, in parts of the paper's brightness.
    """

    fit: Fit
    corners: Points
    margin: float
    support: float
    rivals: tuple[Fit, ...]


def steepness(view: View) -> Field:
    """Slope of brightness a px, shape (height, width)."""
    bright = np.ascontiguousarray(view.colour[..., 0])
    across = cv2.Sobel(bright, cv2.CV_32F, 1, 0, scale=0.125)
    down = cv2.Sobel(bright, cv2.CV_32F, 0, 1, scale=0.125)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def things(slope: Field, allowed: Mask) -> Mask:
    """Return where dice may be: prints and rims joined and filled, thin lines left out."""
    size = int(GAP * COARSE) | 1
    steep = ((slope > BUSY) & allowed).astype(np.uint8)
    joined = cv2.morphologyEx(steep, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    # A region's line goes around everything: what it encloses is no thing
    small = [line for line in outlines if max(cv2.boundingRect(line)[2:]) < LARGEST * COARSE]
    wide = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((LINE_PX, LINE_PX), np.uint8))
    kept = [line for line in small if min(cv2.boundingRect(line)[2:]) > SMALLEST * COARSE]
    mask = cv2.drawContours(cv2.drawContours(wide, small, -1, 0, -1), kept, -1, 1, -1)
    return np.asarray(mask, bool)


@dataclass(frozen=True, eq=False)
class Scores:
    """``places`` (n, 2) in px, and at each the correlation of the face and turn that fit best there."""

    places: Points
    fits: Field


def scores(view: View, bank: Bank, where: Mask) -> Scores:
    """Compare the places in ``where`` with every printed face in every turn."""
    half = COARSE // 2
    inner = where[half : 1 - half or None, half : 1 - half or None] & _checked(where.shape)
    rows, columns = np.nonzero(inner)
    dy, dx = np.nonzero(disc())
    width = view.colour.shape[1]
    pixels = view.colour.reshape(-1, CHANNELS).take((rows * width + columns)[:, None] + (dy * width + dx), 0)
    vectors = pixels.reshape(len(rows), -1)
    # The parts have no mean in any channel, so that of the pixels matters to their length only
    fits = ((vectors @ bank.parts.T) @ bank.weights.T).max(1)
    places = np.asarray(np.column_stack([columns, rows]) + (COARSE - 1) / 2, np.float64)
    return Scores(places, fits / (lengths(vectors) + FAINT))


@cache
def _checked(shape: tuple[int, int]) -> Mask:
    """Every second place, as on a chessboard: no face is farther than a pixel from one."""
    rows, columns = np.indices((shape[0] - COARSE + 1, shape[1] - COARSE + 1))
    return np.asarray((rows + columns) % 2 == 0)


def find(table: Table, view: View, bank: Bank, where: Mask) -> list[Upper]:
    """Return the printed upper faces, the best first; none overlaps another."""
    found: list[Upper] = []
    if not bank.printed or not where.any():
        return found
    seen = scores(view, bank, where)
    free = np.ones(len(seen.places), bool)
    tried = np.zeros(len(seen.places), int)
    while free.any():
        at = int(np.where(free, seen.fits, -1).argmax())
        if seen.fits[at] < LEAST_COARSE:
            break
        place = seen.places[at]
        tried[_within(seen, place, NEAR)] += 1
        upper = _settled(table, view, bank, place)
        found += [] if upper is None else [upper]
        if upper is None or tried[at] == TRIES:
            free &= ~_within(seen, place, NEAR)
        elif upper.fit.score < GOOD_SCORE:
            # It may be half right, and settle better from the next place
            free &= ~_within(seen, place, NEAR / 3)
        else:
            free &= ~_within(seen, view.px(upper.corners.mean(0)[None])[0], APART)
    return _parted(found, table.apparent * APART)


def _parted(found: list[Upper], apart_mm: float) -> list[Upper]:
    """Return the best ones of those that overlap."""
    kept: list[Upper] = []
    for upper in sorted(found, key=lambda one: -one.fit.score):
        middle = upper.corners.mean(0)
        if all(np.linalg.norm(middle - other.corners.mean(0)) > apart_mm for other in kept):
            kept.append(upper)
    return kept


def _within(seen: Scores, place: NDArray[np.float64], edges: float) -> Mask:
    return np.asarray(np.hypot(*(seen.places - place).T) < edges * COARSE)


def _settled(table: Table, view: View, bank: Bank, place: NDArray[np.float64]) -> Upper | None:
    """Settle the likeliest faces at a place of the view, in rounds; None where nothing comes near."""
    window = table.window(view.page(place[None])[0])
    x, y = (float(v) for v in window.px(view.page(place[None]))[0])
    fits = _settled_at(window, bank, x, y, 1)
    best = fits[0]
    if best.score < HOPELESS:
        return None
    for _ in range(ROUNDS):
        fits = _settled_at(window, bank, best.pose.x, best.pose.y, RIVALS)
        if fits[0].score < best.score + BETTER:
            break
        best = fits[0]
    if best.score < LEAST_SCORE:
        return None
    eye, edge = table.eye_over(window), table.edge * window.scale
    best, margin, rivals = _ranked(bank, [best, *fits])
    corners = window.page(best.pose.corners())
    return Upper(best, corners, margin, support(window, eye, best.pose, edge), rivals)


def _settled_at(window: View, bank: Bank, x: float, y: float, rivals: int) -> list[Fit]:
    """Settle the likeliest faces from a place in px, the best first."""
    faces, turns = zip(*_likeliest(window, bank, x, y, rivals), strict=True)
    fits = settle(window.colour, faces, [Pose(x, y, turn) for turn in turns])
    return sorted(fits, key=lambda fit: -fit.score)


def _likeliest(window: View, bank: Bank, x: float, y: float, rivals: int) -> list[tuple[Face, float]]:
    """Return faces with turns in radians: the STARTS best turns of the best face, the best turn of its rivals."""
    seen = _seen_turned(window, x, y)
    fits = bank.units @ seen.T / lengths(seen)
    order = np.argsort(-fits.max(1))[: 1 + rivals]
    return [(bank.printed[k], turn) for n, k in enumerate(order) for turn in _turns(fits[k], 1 if n else STARTS)]


def _seen_turned(window: View, x: float, y: float) -> Field:
    """Return what lies at a place, for each turn as a vector, shape (TURNS, n)."""
    rays = _rays()
    seen = cv2.remap(window.colour, rays[0] + np.float32(x), rays[1] + np.float32(y), cv2.INTER_LINEAR)
    return np.asarray(seen, np.float32).reshape(TURNS, -1)


@cache
def _rays() -> tuple[Field, Field]:
    """Where the pixels that are compared lie around a face's middle, for each turn, shape (TURNS, n)."""
    x, y = around_middle(INSIDE).T
    turns = np.radians(np.arange(TURNS) * STEP_DEG)[:, None]
    c, s = np.cos(turns), np.sin(turns)
    return (c * x - s * y).astype(np.float32), (s * x + c * y).astype(np.float32)


def _turns(fits: Field, count: int) -> list[float]:
    """Return the best turns in radians, those next to a better one left out."""
    left = fits.copy()
    turns = []
    for _ in range(count):
        k = int(left.argmax())
        turns.append(float(np.radians(k * STEP_DEG)))
        left[[k - 1, k, (k + 1) % TURNS]] = -1
    return turns


def _ranked(bank: Bank, fits: list[Fit]) -> tuple[Fit, float, tuple[Fit, ...]]:
    """Return the best fit, its margin, and the best fit of each other face."""
    fits = sorted(fits, key=lambda fit: -fit.score)
    best = fits[0]
    rivals = tuple({fit.face.name: fit for fit in reversed(fits) if fit.face.name != best.face.name}.values())
    at = {id(face): k for k, face in enumerate(bank.printed)}
    margin = 0.5
    for rival in rivals:
        likeness = float(bank.likeness[at[id(best.face)], at[id(rival.face)]])
        # The projection on the line between the two looks: (x - (t + u) / 2) . (t - u) / |t - u|^2
        margin = min(margin, (best.score - rival.score) / (2 * max(1e-3, 1 - max(0.0, likeness))))
    return best, margin, rivals


def strongest_print(window: View, bank: Bank, pose: Pose) -> float:
    """How much of any face's print is seen at a place, 1: all of it."""
    if not bank.printed:
        return 0.0
    seen = _seen_turned(window, pose.x, pose.y)
    return max(float((seen @ face.unit).max()) / face.strength for face in bank.printed)
