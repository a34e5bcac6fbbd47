"""Goes on training the reader alone, the finder as it is: ``python -m training.reread --start DIR --out DIR ...``.

One process, one thread. Each drawn batch gives crops of dice, of wrong places, and of what the finder takes for dice;
they go into a pool of which several lessons are taken, mirrored and in other colours.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from pathlib import Path

import cv2
import numpy as np
import torch

from training import photos, samples
from training.networks import Finder, Reader
from training.scene import Library, Scene, make
from training.train import SIZE, as_tensor, reader_loss

SCENES = 8
LESSONS = 4
CROPS_IN_LESSON = 64
POOL = 4000
Crop = tuple[np.ndarray, int, np.ndarray]


def candidates(scene: Scene, heat: np.ndarray, log_size: np.ndarray) -> list[Crop]:
    """Return crops as the finder would hand them over, at its own places and sizes."""
    peaks = np.argwhere((heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > 0.08))
    peaks = peaks[np.argsort(-heat[peaks[:, 0], peaks[:, 1]])][:12]
    out: list[Crop] = []
    for y, x in peaks:
        at = (np.array([x, y], float) + 0.5) * samples.STRIDE - 0.5
        edge = float(np.exp(np.clip(log_size[y, x], -1.2, 1.2)) * 32)
        nothing = np.full(5, np.nan, np.float32)
        die = min(scene.dice, key=lambda d: float(np.hypot(*(at - d.centre))) / d.edge, default=None)
        if die is None or samples.is_nothing(scene.dice, at):
            out.append((samples.cut(scene.picture, at, edge), samples.NOTHING, nothing))
        elif die.use != "ignore" and np.hypot(*(at - die.centre)) < 0.3 * die.edge and 0.6 < edge / die.edge < 1.6:
            geometry = nothing
            if die.shape is not None:
                geometry = np.array(
                    [np.log(np.linalg.det(die.shape) ** 0.25 / edge), *samples.stretch(die.shape),
                     *((die.centre - at) / edge)], np.float32)  # fmt: skip
            label = samples.COCKED if die.use == "cocked" else die.value - 1
            out.append((samples.cut(scene.picture, at, edge), label, geometry))
    return out


def lesson(pool: list[Crop], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return pictures, labels and geometry of a lesson, each crop mirrored and recoloured by chance."""
    chosen = [pool[int(i)] for i in rng.integers(len(pool), size=CROPS_IN_LESSON)]
    pictures, geometry = [], []
    for crop, _, shape in chosen:
        mirror = rng.random() < 0.5
        picture = crop[:, ::-1] if mirror else crop
        pictures.append(picture[..., rng.permutation(3)] if rng.random() < 0.5 else picture)
        geometry.append(shape * np.array([1, 1, -1, -1, 1], np.float32) if mirror else shape)
    return np.stack(pictures), np.array([c[1] for c in chosen], np.int64), np.stack(geometry)


def learn(args: argparse.Namespace) -> None:
    """Learn; writes reader.pt now and then, and finder.pt as it was."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    finder, reader = Finder().eval(), Reader().to(memory_format=torch.channels_last)
    finder.load_state_dict(torch.load(args.start / "finder.pt", weights_only=True))
    reader.load_state_dict(torch.load(args.start / "reader.pt", weights_only=True))
    args.out.mkdir(parents=True, exist_ok=True)
    shutil.copy(args.start / "finder.pt", args.out / "finder.pt")
    real = [v for k, v in photos.real_scenes(args.photos).items() if k not in args.without]
    rendered = photos.rendered_scenes(args.photos)
    real += [rendered[::2] if "rendered-odd" in args.without else rendered] * max(1, len(real) // 2)
    grounds, library = photos.grounds(args.photos), Library(args.sprites)
    optimiser = torch.optim.AdamW(reader.parameters(), lr=args.rate, weight_decay=1e-4)
    pool: list[Crop] = []
    begin, step, total = time.process_time(), 0, 0.0
    while (done := (time.process_time() - begin) / (60 * args.minutes)) < 1:
        scenes = [make(rng, library, real, grounds, SIZE) for _ in range(SCENES)]
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            found = finder(as_tensor(np.stack([s.picture for s in scenes]))).float()
        heat, size = torch.sigmoid(found[:, 0]).numpy(), found[:, 7].numpy()
        for i, scene in enumerate(scenes):
            pool += samples.crops(scene, rng) + candidates(scene, heat[i], size[i])
        pool = pool[-POOL:]
        for _ in range(LESSONS if len(pool) > 500 else 0):
            for group in optimiser.param_groups:
                group["lr"] = args.rate * min(1, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-5
            pictures, label, geometry = lesson(pool, rng)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                read = reader(as_tensor(pictures))
            loss = reader_loss(read.float(), torch.from_numpy(label), torch.from_numpy(geometry))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total = 0.98 * total + 0.02 * float(loss.detach())
            step += 1
            if step % 100 == 0:
                print(json.dumps({"step": step, "done": round(done, 3), "reader": round(total, 4)}), flush=True)
                torch.save(reader.state_dict(), args.out / "reader.pt")
    torch.save(reader.state_dict(), args.out / "reader.pt")


def main() -> None:
    """Read the options and learn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="folder with real/ and rendered/")
    parser.add_argument("--sprites", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="folder with finder.pt and reader.pt")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--without", nargs="*", default=[], help="sources left out")
    parser.add_argument("--minutes", type=float, default=10, help="of processor time")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    learn(parser.parse_args())


if __name__ == "__main__":
    main()
