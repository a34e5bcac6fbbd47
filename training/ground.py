"""What dice lie on: drawn surfaces, and drawn clutter that must not be taken for dice. Pictures are BGR uint8."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Rng = np.random.Generator


def _octaves(rng: Rng, size: int, stretch: tuple[float, float]) -> NDArray[np.float32]:
    """Noise of several scales, about -1..1, drawn out along x and y by ``stretch``."""
    out = np.zeros((size, size), np.float32)
    for power in range(1, 7):
        w = max(2, int(2**power * 2 / stretch[0]))
        h = max(2, int(2**power * 2 / stretch[1]))
        small = rng.normal(size=(h, w)).astype(np.float32)
        out += cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC) * rng.uniform(0.2, 1.0) / 1.6**power
    return np.asarray(out, np.float32)


def _colour(rng: Rng) -> NDArray[np.float32]:
    """Tables are mostly white, wood, green, black or grey."""
    base = np.array(
        [(235, 238, 240), (120, 160, 195), (60, 95, 140), (50, 120, 40), (45, 40, 40), (150, 150, 150), (60, 70, 170),
         (140, 70, 40), (200, 215, 225)][rng.integers(0, 9)], np.float32)  # fmt: skip
    if rng.random() < 0.25:
        base = rng.uniform(10, 245, 3).astype(np.float32)
    return np.clip(base * rng.uniform(0.6, 1.1) + rng.normal(0, 10, 3), 5, 250).astype(np.float32)


def surface(rng: Rng, size: int) -> Picture:
    """Return a square of table: plain, mottled, grained, woven or speckled, with uneven light."""
    kind = rng.integers(0, 5)
    picture = np.tile(_colour(rng), (size, size, 1))
    strength = rng.uniform(2, 40) if kind else rng.uniform(0, 3)
    stretch = (1.0, 1.0) if kind != 2 else (float(rng.uniform(4, 16)), 1.0)
    tone = _octaves(rng, size, stretch) * strength
    if kind == 3:
        yy, xx = np.mgrid[:size, :size].astype(np.float32)
        pitch = rng.uniform(2.5, 9)
        tone += strength * 0.5 * np.sin(xx * 2 * np.pi / pitch) * np.sin(yy * 2 * np.pi / pitch)
    if kind == 4:
        grains = rng.normal(size=(size, size)).astype(np.float32)
        tone += cv2.GaussianBlur(grains, (0, 0), rng.uniform(0.5, 2)) * strength * rng.uniform(0.5, 2)
    picture += tone[..., None] * (np.ones(3) + rng.normal(0, 0.15, 3)).astype(np.float32)
    light = _octaves(rng, size, (0.25, 0.25)) * rng.uniform(0, 0.25)
    picture *= 1 + np.clip(light, -0.6, 0.6)[..., None]
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if kind == 2 or rng.random() < 0.3:
        m = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.uniform(0, 360)), 1.45)
        picture = cv2.warpAffine(picture, m, (size, size), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(picture, np.uint8)


def _ink(rng: Rng) -> tuple[float, ...]:
    grey = rng.random() < 0.6
    colour = rng.choice([20, 235]) + rng.normal(0, 12, 3) if grey else rng.uniform(0, 255, 3)
    return tuple(float(v) for v in colour)


def _dots(picture: Picture, rng: Rng, at: tuple[int, int], unit: float) -> None:
    """Spots in rows, on a coin or on nothing: pips without a die."""
    if rng.random() < 0.5:
        cv2.circle(picture, at, int(unit * rng.uniform(0.5, 1.2)), _ink(rng), -1, cv2.LINE_AA)
    ink = _ink(rng)
    radius = max(1, int(unit * rng.uniform(0.05, 0.14)))
    for _ in range(int(rng.integers(1, 5))):
        d = rng.normal(0, unit * 0.4, 2)
        cv2.circle(picture, (int(at[0] + d[0]), int(at[1] + d[1])), radius, ink, -1, cv2.LINE_AA)


def _slab(picture: Picture, rng: Rng, at: tuple[int, int], unit: float) -> None:
    """Return a card, key, box or blank cube: a rounded rectangle, with a sign on it or not."""
    w, h = unit * rng.uniform(0.6, 2.8), unit * rng.uniform(0.6, 2.8)
    if rng.random() < 0.45:
        w = h = unit * rng.uniform(0.8, 1.2)
    box = cv2.boxPoints(((float(at[0]), float(at[1])), (w, h), float(rng.uniform(0, 90)))).astype(np.int32)
    body = _ink(rng)
    if rng.random() < 0.5:
        cv2.fillConvexPoly(picture, box + int(unit * 0.15), tuple(v * 0.35 for v in body), cv2.LINE_AA)
    cv2.fillConvexPoly(picture, box, body, cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.polylines(picture, [box], True, _ink(rng), 1 + int(unit / 25), cv2.LINE_AA)
    if rng.random() < 0.6:
        _text(picture, rng, (int(at[0] - unit * 0.3), int(at[1] + unit * 0.3)), unit)


def _text(picture: Picture, rng: Rng, at: tuple[int, int], unit: float) -> None:
    text = "".join(rng.choice(list("0123456789ABCDEFGHKMNRSW:.%&@#o*"), size=int(rng.integers(1, 7))))
    font = int(rng.integers(0, 8))
    cv2.putText(picture, text, at, font, unit / rng.uniform(20, 70), _ink(rng), 1 + int(unit / 25), cv2.LINE_AA)


def _stroke(picture: Picture, rng: Rng, at: tuple[int, int], unit: float) -> None:
    other = (int(at[0] + rng.normal(0, unit * 4)), int(at[1] + rng.normal(0, unit * 4)))
    cv2.line(picture, at, other, _ink(rng), max(1, int(unit * rng.uniform(0.02, 0.4))), cv2.LINE_AA)


def _ring(picture: Picture, rng: Rng, at: tuple[int, int], unit: float) -> None:
    axes = (int(unit * rng.uniform(0.2, 1.2)), int(unit * rng.uniform(0.2, 1.2)))
    thick = -1 if rng.random() < 0.5 else max(1, int(unit * 0.08))
    cv2.ellipse(picture, at, axes, float(rng.uniform(0, 180)), 0, 360, _ink(rng), thick, cv2.LINE_AA)


def clutter(picture: Picture, rng: Rng, count: int, unit: float) -> None:
    """Draw ``count`` things of about ``unit`` px onto the picture."""
    kinds = (_dots, _slab, _text, _stroke, _ring)
    for _ in range(count):
        at = (int(rng.uniform(0, picture.shape[1])), int(rng.uniform(0, picture.shape[0])))
        kinds[int(rng.choice(5, p=[0.2, 0.35, 0.2, 0.1, 0.15]))](picture, rng, at, unit * rng.uniform(0.6, 1.4))
