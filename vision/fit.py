"""A taught look laid over a piece that is seen, corner by corner, until it fits best (Gauss-Newton).

An outline is right to a pixel or two, and look-alikes differ by no more: only after this the two can be compared.
The corners are held back by how far an outline may be off, for print in the middle says little about them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patch import Field, Grid, Values

Shift = NDArray[np.float64]  # (8,): across for four corners, then down

NOISE = 0.15  # of the colours' logarithms, by which a right look differs from what is seen
LOOSE = 0.028  # of the root of the grid's area: how far an outline's corner is off (standard deviation)
LONGEST_STEP = 2.0  # px in a round: gradients say nothing about what is farther away
SETTLED = 0.05  # px
CONTRAST = (0.6, 1.6)  # how much stronger the brightness's differences may be than taught: haze, exposure
SATURATION = (0.25, 1.8)  # and the colours': cameras differ widely


@dataclass(frozen=True, eq=False)
class Target:
    """A piece that is seen, ready for fitting.

    ``values`` are flat, ``power`` is their squared length; ``descent`` (8, n) tells how they change with the corners,
    ``inverse`` (8, 8) solves for a step, ``loose`` is how far a corner may be off, in px.
    """

    grid: Grid
    values: Values
    power: float
    descent: NDArray[np.float32]
    inverse: NDArray[np.float64]
    loose: float


@dataclass(frozen=True, eq=False)
class Fit:
    """A look where it fits: the corners' ``shift`` in px, its flat ``values`` there at the strength that fits.

    ``misfit`` is the squared rest, ``cost`` that in units of noise with the corners' restraint.
    """

    shift: Shift
    values: Values
    misfit: float
    cost: float


def target(grid: Grid, seen: Field) -> Target:
    """Prepare a field of the grid's size."""
    across = cv2.Sobel(seen, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8).reshape(-1, 3).T
    down = cv2.Sobel(seen, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8).reshape(-1, 3).T
    y, x = np.mgrid[0 : grid.height, 0 : grid.width].astype(np.float32).reshape(2, -1)
    u, v = (x + 0.5) / grid.width, (y + 0.5) / grid.height
    pull = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v])[:, None] * grid.window
    change = np.concatenate([across * pull, down * pull])
    change -= (change @ grid.slopes) @ grid.slopes.T
    descent = np.ascontiguousarray(change.reshape(8, -1))
    loose = LOOSE * (grid.width * grid.height) ** 0.5
    hessian = (descent @ descent.T).astype(np.float64) / NOISE**2 + np.eye(8) / loose**2
    values = grid.flat(seen)
    return Target(grid, values, float(np.vdot(values, values)), descent, np.linalg.inv(hessian), loose)


def fit(seen: Target, look: Field, rounds: int, start: Shift | None = None) -> Fit:
    """Lay the look (a field of the grid's size) over the piece, beginning with the corners shifted by ``start``."""
    shift = np.zeros(8) if start is None else start
    best = now = _laid(seen, look, shift)
    for _ in range(rounds):
        rest = (now.values - seen.values).ravel()
        step = seen.inverse @ ((seen.descent @ rest) / NOISE**2 - shift / seen.loose**2)
        shift = shift + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        now = _laid(seen, look, shift)
        best = now if now.cost < best.cost else best
        if np.abs(step).max() < SETTLED:
            break
    return best


def _laid(seen: Target, look: Field, shift: Shift) -> Fit:
    grid = seen.grid
    corners = grid.corners + shift.reshape(2, 4).T.astype(np.float32)
    back = cv2.getPerspectiveTransform(corners, grid.corners)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpPerspective(look, back, (grid.width, grid.height), flags=how, borderMode=cv2.BORDER_REPLICATE)
    values = grid.flat(np.asarray(moved, np.float32))
    fits = [float(np.dot(a, b)) for a, b in zip(values, seen.values, strict=True)]
    powers = [float(np.dot(a, a)) for a in values]
    gains = _gains(fits, powers)
    misfit = seen.power + sum(g * g * p - 2 * g * f for g, f, p in zip(gains, fits, powers, strict=True))
    values *= np.array(gains, np.float32)[:, None]
    return Fit(shift, values, misfit, misfit / NOISE**2 + float(shift @ shift) / seen.loose**2)


def _gains(fits: list[float], powers: list[float]) -> tuple[float, float, float]:
    """Return the contrast and saturation at which a look explains most, within what light and cameras can do."""
    contrast = fits[0] / max(powers[0], 1e-6)
    saturation = (fits[1] + fits[2]) / max(powers[1] + powers[2], 1e-6)
    contrast = min(max(contrast, CONTRAST[0]), CONTRAST[1])
    saturation = min(max(saturation, SATURATION[0]), SATURATION[1])
    return contrast, saturation, saturation
