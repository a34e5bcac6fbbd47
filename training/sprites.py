"""Draws the library of dice: ``python -m training.sprites DIR --groups 600 --seed 1``.

A group is ten dice seen by one camera under one lamp, so that a scene made of them is consistent. One file a group.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from training.die import Pose, Sprite, draw, random_style, random_view, varied

DICE_IN_GROUP = 10
COCKED_SHARE = 0.12


def random_pose(rng: np.random.Generator) -> Pose:
    """Any value and turn; one in eight leans by 12 to 45 degrees."""
    lean = rng.uniform(12, 45) if rng.random() < COCKED_SHARE else 0.0
    return Pose(int(rng.integers(1, 7)), float(rng.uniform(0, 360)), float(lean), float(rng.uniform(0, 360)))


def draw_group(seed: int) -> dict[str, np.ndarray]:
    """Arrays of one group: bgra (n, h, w, 4), shadow (n, h, w), quad (n, 4, 2), value, lean_deg, tilt_deg."""
    rng = np.random.default_rng(seed)
    view, style = random_view(rng), random_style(rng)
    alike = rng.random() < 0.5
    poses = [random_pose(rng) for _ in range(DICE_IN_GROUP)]
    sprites: list[Sprite] = [
        draw(varied(style, rng) if alike else random_style(rng), view, pose, seed * 16 + i)
        for i, pose in enumerate(poses)
    ]
    return {
        "bgra": np.stack([np.dstack([s.bgr, s.alpha]) for s in sprites]),
        "shadow": np.stack([s.shadow for s in sprites]),
        "quad": np.stack([s.quad for s in sprites]),
        "value": np.array([p.value for p in poses]),
        "lean_deg": np.array([p.lean_deg for p in poses], np.float32),
        "tilt_deg": np.float32(view.tilt_deg),
        "tint": np.array(view.shade_tint, np.float32),
    }


def main() -> None:
    """Write the groups; those that exist already are kept, so a broken run goes on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--groups", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.directory.mkdir(parents=True, exist_ok=True)
    for i in range(args.groups):
        path = args.directory / f"{i:05d}.npz"
        if not path.exists():
            part = path.with_suffix(".part.npz")
            np.savez(part, **draw_group(args.seed * 100_003 + i))
            part.rename(path)


if __name__ == "__main__":
    main()
