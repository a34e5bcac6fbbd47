"""How much a place on the page looks like a taught piece: aligned correlation, and which of two looks it is.

Everything is compared in opponent colours. A look-alike is told from its twin only where the two differ, and only at
the right pose: with a pose some millimetres off, correlation still is high and the name wrong. So each look is first
aligned with what is seen (inverse compositional Gauss-Newton over shift, turn and scale), then compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Products = NDArray[np.float64]
Field = NDArray[np.float32]

PARAMETERS = 4  # shift across, shift down, turn, scale
UNEVEN = 1.6
"""Of one colour channel against another: saturation and tint of lamps and cameras differ by less."""
SETTLED_PX = 0.05
"""A motion smaller than this, in px of the template, ends the alignment."""
MOST_SCALE = 0.06
"""Change of size that perspective, a piece's height and the lens may bring."""


@dataclass(frozen=True)
class Pose:
    """Where a look lies on the page: centre in mm, turn in degrees clockwise, size against the taught one."""

    x: float
    y: float
    turn_deg: float
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class Level:
    """A page's colours at one scale: pixel (i, j) shows the place ``(i, j) / px_per_mm + offset`` in mm."""

    colour: Field
    px_per_mm: float
    offset: float

    def sample(self, pose: Pose, size: tuple[int, int], px_per_mm: float) -> Field:
        """Return what lies below a look of ``size`` (width, height) px at ``px_per_mm``, shape (height, width, 3)."""
        angle = math.radians(pose.turn_deg)
        step = self.px_per_mm * pose.scale / px_per_mm
        c, s = math.cos(angle) * step, math.sin(angle) * step
        u, v = (size[0] - 1) / 2, (size[1] - 1) / 2
        x, y = (pose.x - self.offset) * self.px_per_mm, (pose.y - self.offset) * self.px_per_mm
        matrix = np.array([[c, -s, x - c * u + s * v], [s, c, y - s * u - c * v]])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = cv2.warpAffine(self.colour, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.float32)


@dataclass(frozen=True, eq=False)
class Template:
    """A look at one scale, ready to be aligned: ``values`` are its colours inside the mask (centred brightness)."""

    size: tuple[int, int]
    px_per_mm: float
    colour: Field
    inside: NDArray[np.intp]
    values: Vector
    length: float
    descent: Vector  # (n, 4)
    inverse: NDArray[np.float64]  # (4, 4)

    def of(self, level: Level, pose: Pose) -> Vector:
        """Return what is seen there, in the shape of ``values``."""
        return flat(level.sample(pose, self.size, self.px_per_mm), self.inside)


def flat(colour: Field, inside: NDArray[np.intp]) -> Vector:
    """Colours inside a mask as one vector, its brightness centred (gains are offsets of logarithms)."""
    out = colour.reshape(-1, 3).take(inside, 0)
    brightness = out[:, 0]
    brightness -= np.add.reduce(brightness) / len(brightness)
    return out.ravel()


def template(colour: Field, mask: NDArray[np.uint8], px_per_mm: float) -> Template:
    """Prepare a look's colours, shape (height, width, 3), at ``px_per_mm``."""
    height, width = mask.shape
    inside = np.flatnonzero(mask.ravel() > 0)
    values = flat(colour.copy(), inside)
    across = cv2.Sobel(colour, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8).reshape(-1, 3)[inside]
    along = cv2.Sobel(colour, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8).reshape(-1, 3)[inside]
    y, x = np.divmod(inside, width)
    x, y = (x - (width - 1) / 2)[:, None], (y - (height - 1) / 2)[:, None]
    # lengths in template px; the turn and the scale in units of half the diagonal, so that all weigh alike
    arm = float(np.hypot(width, height)) / 2
    steps = [across, along, (along * x - across * y) / arm, (across * x + along * y) / arm]
    descent = np.stack([(s - _brightness_mean(s)).ravel() for s in steps], 1).astype(np.float32)
    hessian = descent.T.astype(np.float64) @ descent
    hessian += np.diag([1, 1, 1, 20]) * (np.trace(hessian) / PARAMETERS * 1e-3 + 1e-9)
    inverse = np.asarray(np.linalg.inv(hessian), np.float64)
    return Template((width, height), px_per_mm, colour, inside, values, float(np.linalg.norm(values)), descent, inverse)


def _brightness_mean(step: Field) -> Field:
    out = np.zeros((1, 3), np.float32)
    out[0, 0] = step[:, 0].mean()
    return out


def align(level: Level, look: Template, pose: Pose, rounds: int) -> tuple[Pose, Vector, float]:
    """Move the pose until the look fits best; returns it, what is seen there and the correlation, -1..1."""
    seen = look.of(level, pose)
    fit, power = float(seen @ look.values), float(seen @ seen) + 1e-9
    best, best_pose, best_seen = fit / math.sqrt(power), pose, seen
    arm = math.hypot(*look.size) / 2
    for _ in range(rounds):
        gain = fit / power
        if gain <= 0:
            break
        dx, dy, turn, grow = (look.inverse @ ((gain * seen - look.values) @ look.descent)).tolist()
        pose = _moved(pose, dx / look.px_per_mm, dy / look.px_per_mm, turn / arm, grow / arm)
        seen = look.of(level, pose)
        fit, power = float(seen @ look.values), float(seen @ seen) + 1e-9
        score = fit / math.sqrt(power)
        if score > best:
            best, best_pose, best_seen = score, pose, seen
        if abs(dx) + abs(dy) + abs(turn) < SETTLED_PX:
            break
    return best_pose, best_seen, best / look.length


def _moved(pose: Pose, dx: float, dy: float, turn: float, grow: float) -> Pose:
    """Undo a small motion of the template's frame: the inverse of it, composed with the pose."""
    angle = math.radians(pose.turn_deg)
    c, s = math.cos(angle) * pose.scale, math.sin(angle) * pose.scale
    scale = min(max(pose.scale * (1 - grow), 1 - MOST_SCALE), 1 + MOST_SCALE)
    x, y = pose.x - (c * dx - s * dy), pose.y - (s * dx + c * dy)
    return Pose(x, y, pose.turn_deg - math.degrees(turn), scale)


def cosine(a: Vector, b: Vector) -> float:
    """Return the correlation of two vectors, -1..1."""
    return float(a @ b) / (math.sqrt(float(a @ a) * float(b @ b)) + 1e-9)


def channels(values: Vector) -> Vector:
    """Return a vector's three channels, shape (3, n)."""
    return np.ascontiguousarray(values.reshape(-1, 3).T)


def gains(fits: Products, powers: Products) -> Products:
    """Give the strength of each channel at which looks explain best what is seen, all of shape (3, looks).

    ``fits`` are the products of the looks' channels with what is seen, ``powers`` with themselves. Light and camera
    change saturation and tint, but no channel by more than UNEVEN against the others.
    """
    whole = np.maximum(fits.sum(0), 0) / (powers.sum(0) + 1e-9)
    return np.clip(fits / (powers + 1e-9), whole / UNEVEN, whole * UNEVEN)


def explained(fits: Products, powers: Products, strength: Products) -> NDArray[np.float64]:
    """Give how much of the power of what is seen each look explains at that strength, shape (looks,)."""
    return np.asarray((strength * (2 * fits - strength * powers)).sum(0))
