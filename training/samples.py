"""Scenes made into what the networks learn from: maps for the finder, crops for the reader."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.ground import Picture, Rng
from training.networks import CROP_EDGE_PX, CROP_PX, STRIDE
from training.scene import EDGE_RANGE_PX, Scene, Truth

COCKED, NOTHING = 6, 7
CROPS = 7
HARD_PLACES = 3
FAR_OUT_PX = (11.0, 80.0)


@dataclass(frozen=True)
class Maps:
    """Targets at a quarter of the picture: heat 0..1, weight of the heat, value (0 none, 1..6), log size (nan none)."""

    heat: NDArray[np.float32]
    weight: NDArray[np.float32]
    value: NDArray[np.int64]
    size: NDArray[np.float32]


def maps(scene: Scene) -> Maps:
    """Return what the finder should say."""
    n = scene.picture.shape[0] // STRIDE
    yy, xx = np.mgrid[:n, :n].astype(np.float32)
    heat, weight = np.zeros((n, n), np.float32), np.ones((n, n), np.float32)
    value, size = np.zeros((n, n), np.int64), np.full((n, n), np.nan, np.float32)
    for die in scene.dice:
        cx, cy = (die.centre + 0.5) / STRIDE - 0.5
        d2 = (xx - cx) ** 2 + (yy - cy) ** 2
        if not FAR_OUT_PX[0] <= die.edge <= FAR_OUT_PX[1]:
            continue  # another level of the pyramid finds it; here nothing is to be found
        if die.use == "ignore" or not EDGE_RANGE_PX[0] <= die.edge <= EDGE_RANGE_PX[1]:
            weight[d2 < (0.9 * die.edge / STRIDE) ** 2] = 0
            continue
        sigma = max(0.8, 0.11 * die.edge / STRIDE)
        g = np.exp(-d2 / (2 * sigma**2)).astype(np.float32)
        iy, ix = int(np.clip(round(cy), 0, n - 1)), int(np.clip(round(cx), 0, n - 1))
        g[iy, ix] = 1.0
        heat = np.maximum(heat, g)
        near = d2 < max(1.2, 0.15 * die.edge / STRIDE) ** 2
        near[iy, ix] = True
        value[near] = die.value if die.use == "read" else 0
        size[near] = np.log(die.edge / 32)
    return Maps(heat, weight, value, size)


def cut(picture: Picture, centre: NDArray[np.float64], edge: float) -> Picture:
    """Return the reader's crop: 64 x 64 px in which ``edge`` px become 28."""
    f = CROP_EDGE_PX / edge
    m = np.array([[f, 0, (CROP_PX - 1) / 2 - f * centre[0]], [0, f, (CROP_PX - 1) / 2 - f * centre[1]]])
    flags = cv2.INTER_AREA if f < 1 else cv2.INTER_LINEAR
    crop = cv2.warpAffine(picture, m, (CROP_PX, CROP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def stretch(shape: NDArray[np.float64]) -> tuple[float, float]:
    """Return the traceless part of the logarithm of a face's shape: 0, 0 for a square seen from straight above."""
    w, v = np.linalg.eigh(shape / np.sqrt(max(np.linalg.det(shape), 1e-9)))
    log = v @ np.diag(np.log(np.maximum(w, 1e-3))) @ v.T
    return float(log[0, 0]), float(log[0, 1])


def _of_die(scene: Scene, die: Truth, rng: Rng) -> tuple[Picture, int, NDArray[np.float32]]:
    scale = float(np.exp(rng.normal(0, 0.13)))
    shift = rng.normal(0, 0.07, 2) * die.edge
    crop = cut(scene.picture, die.centre + shift, die.edge * scale)
    geometry = np.full(5, np.nan, np.float32)
    if die.shape is not None:
        area = np.linalg.det(die.shape) ** 0.25
        geometry[0] = np.log(area / (die.edge * scale))
        geometry[1:3] = stretch(die.shape)
        geometry[3:] = -shift / (die.edge * scale)
    label = COCKED if die.use == "cocked" else die.value - 1
    return crop, label, geometry


def crops(scene: Scene, rng: Rng) -> list[tuple[Picture, int, NDArray[np.float32]]]:
    """Up to eight crops with class and geometry: dice, places beside their middles, and the ground."""
    usable = [d for d in scene.dice if d.use != "ignore" and d.edge > 12]
    out = [_of_die(scene, usable[int(i)], rng) for i in rng.permutation(len(usable))[: CROPS - 3]]
    nothing = np.full(5, np.nan, np.float32)
    for _ in range(CROPS * 3):
        if len(out) >= CROPS:
            break
        place = _wrong_place(scene, usable, rng)
        if place is not None:
            out.append((cut(scene.picture, *place), NOTHING, nothing))
    return out


def _wrong_place(scene: Scene, usable: list[Truth], rng: Rng) -> tuple[NDArray[np.float64], float] | None:
    """Beside a die's middle, on it at a wrong scale, or on the ground; None when a hidden die is too near."""
    kind = rng.random() if usable else 1.0
    a = rng.uniform(0, 2 * np.pi)
    around = np.array([np.cos(a), np.sin(a)])
    if kind < 0.4:
        die = usable[int(rng.integers(len(usable)))]
        at, edge = die.centre + rng.uniform(0.42, 1.0) * die.edge * around, die.edge * rng.uniform(0.6, 1.2)
    elif kind < 0.7:
        die = usable[int(rng.integers(len(usable)))]
        factor = rng.uniform(0.2, 0.55) if rng.random() < 0.7 else rng.uniform(1.8, 3)
        at, edge = die.centre + rng.uniform(0, 0.6) * die.edge * around, die.edge * factor
        return at, float(edge)
    else:
        at, edge = rng.uniform(0, scene.picture.shape[0], 2), float(np.exp(rng.uniform(np.log(14), np.log(60))))
    return (at, float(edge)) if is_nothing(scene.dice, at) else None


def is_nothing(dice: list[Truth], at: NDArray[np.float64]) -> bool:
    """Whether a place is no top face's middle, nor near a die that is to be ignored."""
    return all(np.hypot(*(at - d.centre)) / d.edge > (1.0 if d.use == "ignore" else 0.4) for d in dice)


def hard_places(heat: NDArray[np.float32], log_size: NDArray[np.float32], scene: Scene) -> list[Picture]:
    """Crops where the finder is wrong: up to three of its hottest peaks away from every die."""
    peaks = np.argwhere((heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > 0.08))
    peaks = peaks[np.argsort(-heat[peaks[:, 0], peaks[:, 1]])]
    out: list[Picture] = []
    for y, x in peaks:
        at = (np.array([x, y], float) + 0.5) * STRIDE - 0.5
        edge = float(np.exp(np.clip(log_size[y, x], -1.2, 1.2)) * 32)
        if is_nothing(scene.dice, at) and len(out) < HARD_PLACES:
            out.append(cut(scene.picture, at, edge))
    return out
