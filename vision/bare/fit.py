"""A taught look laid over a piece that is seen, corner by corner, until it fits best (Gauss-Newton).

An outline is right to a pixel or two, and look-alikes differ by no more: only after this the two can be compared.
The corners are held back by how far an outline may be off, for print in the middle says little about them. What a step
does is told by the look's own edges: a shadow's edge on the piece would pull the corners away.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bare.patch import Field, Grid, Values

Shift = NDArray[np.float64]  # (8,): across for four corners, then down
Square = NDArray[np.float64]  # (8, 8)

NOISE = 0.15  # of the colours' logarithms, by which a right look differs from what is seen
LOOSE = 0.028  # of the root of the grid's area: how far an outline's corner is off (standard deviation)
LONGEST_STEP = 2.0  # px in a round: gradients say nothing about what is farther away
SETTLED = 0.05  # px
CONTRAST = (0.2, 1.8)  # how much stronger the brightness's differences may be than taught: haze, exposure
SATURATION = (0.25, 1.8)  # and the colours': cameras differ widely


@dataclass(frozen=True, eq=False)
class Sight:
    """A piece that is seen: its flat values and their squared length."""

    grid: Grid
    values: Values
    power: float


@dataclass(frozen=True, eq=False)
class Template:
    """A look ready for fitting: how its values change with the corners (8, 3, pixels), the products of these changes.

    ``products`` are those of the brightness and those of the colours, which may be strengthened by different gains.
    """

    grid: Grid
    field: Field
    descent: NDArray[np.float32]
    products: tuple[Square, Square]


@dataclass(frozen=True, eq=False)
class Fit:
    """A look where it fits: the corners' ``shift`` in px, its flat ``values`` there at the strength that fits.

    ``gains`` are those of brightness and colours, ``misfit`` is the squared rest, ``cost`` that in units of noise with
    the corners' restraint.
    """

    shift: Shift
    values: Values
    gains: tuple[float, float]
    misfit: float
    cost: float


def sight(grid: Grid, seen: Field) -> Sight:
    """Prepare what is seen, a field of the grid's size."""
    values = grid.flat(seen)
    return Sight(grid, values, float(np.vdot(values, values)))


def template(grid: Grid, look: Field) -> Template:
    """Prepare a look, a field of the grid's size."""
    across = np.ascontiguousarray(cv2.Sobel(look, cv2.CV_32F, 1, 0, ksize=3, scale=-1 / 8).reshape(-1, 3).T)
    down = np.ascontiguousarray(cv2.Sobel(look, cv2.CV_32F, 0, 1, ksize=3, scale=-1 / 8).reshape(-1, 3).T)
    pull = _pull(grid)
    descent = np.concatenate([across * pull, down * pull])
    bright, colours = descent[:, 0], descent[:, 1:].reshape(8, -1)
    products = (bright @ bright.T).astype(np.float64), (colours @ colours.T).astype(np.float64)
    return Template(grid, look, descent, products)


def fit(seen: Sight, look: Template, rounds: int, start: Shift | None = None) -> Fit:
    """Lay the look over the piece, beginning with the corners shifted by ``start``."""
    held = _held(seen.grid)
    best = now = lay(seen, look.field, np.zeros(8) if start is None else start)
    for _ in range(rounds):
        rest = seen.values - now.values
        contrast, saturation = now.gains
        pull = contrast * (look.descent[:, 0] @ rest[0]) + saturation * (
            look.descent[:, 1:].reshape(8, -1) @ rest[1:].ravel()
        )
        hessian = contrast**2 * look.products[0] + saturation**2 * look.products[1]
        hessian = hessian / NOISE**2 + np.eye(8) * held
        step = np.linalg.solve(hessian, pull / NOISE**2 - now.shift * held)
        now = lay(seen, look.field, now.shift + np.clip(step, -LONGEST_STEP, LONGEST_STEP))
        best = now if now.cost < best.cost else best
        if np.abs(step).max() < SETTLED:
            break
    return best


def lay(seen: Sight, look: Field, shift: Shift) -> Fit:
    """Lay the look over the piece with its corners shifted so, at the strength that fits best."""
    grid = seen.grid
    corners = grid.corners + shift.reshape(2, 4).T.astype(np.float32)
    back = cv2.getPerspectiveTransform(corners, grid.corners)
    how, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (grid.width, grid.height)
    moved = cv2.warpPerspective(look, back, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    values = grid.flat(np.asarray(moved, np.float32))
    fits = [float(np.dot(a, b)) for a, b in zip(values, seen.values, strict=True)]
    powers = [float(np.dot(a, a)) for a in values]
    contrast, saturation = _gains(fits, powers)
    gains = (contrast, saturation, saturation)
    misfit = seen.power + sum(g * g * p - 2 * g * f for g, f, p in zip(gains, fits, powers, strict=True))
    values *= np.array(gains, np.float32)[:, None]
    return Fit(shift, values, (contrast, saturation), misfit, misfit / NOISE**2 + float(shift @ shift) * _held(grid))


def _held(grid: Grid) -> float:
    """Return what a corner's squared shift costs."""
    return 1 / (LOOSE**2 * grid.width * grid.height)


@cache
def _pull(grid: Grid) -> NDArray[np.float32]:
    """Return how far each pixel goes with each corner, shape (4, 1, pixels); nothing in the rim."""
    y, x = np.mgrid[0 : grid.height, 0 : grid.width].astype(np.float32).reshape(2, -1)
    u, v = (x + 0.5) / grid.width, (y + 0.5) / grid.height
    parts = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v])
    return np.asarray((parts * grid.window)[:, None], np.float32)


def _gains(fits: list[float], powers: list[float]) -> tuple[float, float]:
    """Return the contrast and saturation at which a look explains most, within what light and cameras can do."""
    contrast = fits[0] / max(powers[0], 1e-6)
    saturation = (fits[1] + fits[2]) / max(powers[1] + powers[2], 1e-6)
    return min(max(contrast, CONTRAST[0]), CONTRAST[1]), min(max(saturation, SATURATION[0]), SATURATION[1])
