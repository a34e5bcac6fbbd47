"""Trains both networks: ``python -m training.train --photos DIR --sprites DIR --out DIR``.

One process makes scenes, one learns; each uses one thread. See README.md for the command of the shipped model.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing as mp
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from training import photos, samples
from training.networks import READER_CLASSES, Finder, Reader
from training.scene import Library, Scene, make

SIZE = 256
SCENES_IN_BATCH = 8
CLASS_WEIGHTS = torch.tensor([1.0, 1, 1, 1, 1, 1, 1.5, 1])
GEOMETRY_WEIGHTS = torch.tensor([2.0, 6, 6, 2, 2])  # size, stretch, offset


def _batch(rng: np.random.Generator, library: Library, real: list[list[Scene]], grounds: list[Any]) -> dict[str, Any]:
    scenes = [make(rng, library, real, grounds, SIZE) for _ in range(SCENES_IN_BATCH)]
    all_maps = [samples.maps(s) for s in scenes]
    cut = [c for s in scenes for c in samples.crops(s, rng)]
    return {
        "picture": np.stack([s.picture for s in scenes]), "heat": np.stack([m.heat for m in all_maps]),
        "weight": np.stack([m.weight for m in all_maps]), "value": np.stack([m.value for m in all_maps]),
        "size": np.stack([m.size for m in all_maps]), "crop": np.stack([c[0] for c in cut]),
        "label": np.array([c[1] for c in cut], np.int64), "geometry": np.stack([c[2] for c in cut]),
        "scenes": scenes,
    }  # fmt: skip


def _produce(queue: mp.Queue[dict[str, Any]], args: argparse.Namespace, seed: int) -> None:
    cv2.setNumThreads(1)
    real_by_source = photos.real_scenes(args.photos)
    rendered = photos.rendered_scenes(args.photos)
    real = [v for k, v in real_by_source.items() if k not in args.without]
    if "rendered-odd" in args.without:
        rendered = rendered[::2]
    if "rendered" not in args.without:
        real += [rendered] * max(1, len(real) // 2)
    grounds = photos.grounds(args.photos)
    library = Library(args.sprites)
    rng = np.random.default_rng(seed)
    while True:
        queue.put(_batch(rng, library, real, grounds))


def mirrored(batch: dict[str, Any]) -> dict[str, Any]:
    """Return the same batch in a mirror and in other colours: a second lesson that costs no drawing."""
    names = ("picture", "heat", "weight", "value", "size", "crop")
    out: dict[str, Any] = {k: np.ascontiguousarray(batch[k][:, :, ::-1]) for k in names}
    swap = np.random.default_rng(len(batch["label"])).permutation(3)
    out["picture"], out["crop"] = out["picture"][..., swap], out["crop"][..., swap]
    out["geometry"] = batch["geometry"] * np.array([1, 1, -1, -1, 1], np.float32)
    out["label"], out["scenes"] = batch["label"], [_mirror(s) for s in batch["scenes"]]
    out["scenes"] = [replace(s, picture=p) for s, p in zip(out["scenes"], out["picture"], strict=True)]
    return out


def _mirror(scene: Scene) -> Scene:
    last = scene.picture.shape[1] - 1
    dice = [replace(d, centre=np.array([last - d.centre[0], d.centre[1]])) for d in scene.dice]
    return Scene(scene.picture, dice)


def finder_loss(out: Tensor, heat: Tensor, weight: Tensor, value: Tensor, size: Tensor) -> Tensor:
    """CenterNet's focal loss on the heat, cross entropy on values and L1 on sizes where a die is."""
    p = torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4)
    peak = heat >= 0.999
    positive = -((1 - p) ** 2) * torch.log(p) * peak
    negative = -((1 - heat) ** 4) * p**2 * torch.log(1 - p) * ~peak
    focal = ((positive + negative) * weight).sum() / max(float(peak.sum()), 1.0)
    valued, sized = value > 0, ~torch.isnan(size)
    scores = out[:, 1:7].permute(0, 2, 3, 1)
    classes = nn.functional.cross_entropy(scores[valued], value[valued] - 1) if valued.any() else out.sum() * 0
    sizes = (out[:, 7][sized] - size[sized]).abs().mean() if sized.any() else out.sum() * 0
    return focal + classes + 0.5 * sizes


def reader_loss(out: Tensor, label: Tensor, geometry: Tensor) -> Tensor:
    """Cross entropy on the class, L1 on the geometry where it is known; cocked dice are few and count more."""
    known = ~torch.isnan(geometry)
    classes = nn.functional.cross_entropy(out[:, :READER_CLASSES], label, CLASS_WEIGHTS, label_smoothing=0.02)
    error = ((out[:, READER_CLASSES:] - geometry.nan_to_num()) * GEOMETRY_WEIGHTS).abs()
    shape = error[known].mean() if known.any() else out.sum() * 0
    return classes + shape


def as_tensor(x: np.ndarray) -> Tensor:
    """Pictures (n, h, w, 3) as the networks take them."""
    return torch.from_numpy(x).permute(0, 3, 1, 2).float().contiguous(memory_format=torch.channels_last)


def _add_hard_places(batch: dict[str, Any], tensors: dict[str, Tensor], found: Tensor) -> None:
    """Where the finder is wrong, the reader learns to say so."""
    heat, size = torch.sigmoid(found[:, 0]).numpy(), found[:, 7].numpy()
    crops = [c for i, scene in enumerate(batch["scenes"]) for c in samples.hard_places(heat[i], size[i], scene)]
    if not crops:
        return
    batch["crop"] = np.concatenate([batch["crop"], np.stack(crops)])
    tensors["label"] = torch.cat([tensors["label"], torch.full((len(crops),), samples.NOTHING)])
    tensors["geometry"] = torch.cat([tensors["geometry"], torch.full((len(crops), 5), torch.nan)])


def learn(args: argparse.Namespace) -> None:
    """Return the loop; writes finder.pt and reader.pt every 200 steps and at the end."""
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    finder, reader = Finder().to(memory_format=torch.channels_last), Reader().to(memory_format=torch.channels_last)
    if args.start:
        finder.load_state_dict(torch.load(args.start / "finder.pt", weights_only=True))
        reader.load_state_dict(torch.load(args.start / "reader.pt", weights_only=True))
    queue: Any = mp.Queue(8)
    process = mp.Process(target=_produce, args=(queue, args, args.seed), daemon=True)
    process.start()
    optimisers = [torch.optim.AdamW(n.parameters(), lr=args.rate, weight_decay=1e-4) for n in (finder, reader)]
    drawn: dict[str, Any] = {}
    begin, step, sums = time.monotonic(), 0, [0.0, 0.0]
    args.out.mkdir(parents=True, exist_ok=True)
    while (done := (time.monotonic() - begin) / (60 * args.minutes)) < 1:
        rate = args.rate * min(1, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-5
        drawn = queue.get() if step % 2 == 0 else drawn
        batch = dict(drawn) if step % 2 == 0 else mirrored(drawn)
        tensors = {k: torch.from_numpy(batch[k]) for k in ("heat", "weight", "value", "size", "label", "geometry")}
        with torch.autocast("cpu", dtype=torch.bfloat16):  # twice as fast where the processor has it
            found = finder(as_tensor(batch["picture"]))
            _add_hard_places(batch, tensors, found.detach().float())
            read = reader(as_tensor(batch["crop"]))
        losses = (
            finder_loss(found.float(), *(tensors[k] for k in ("heat", "weight", "value", "size"))),
            reader_loss(read.float(), tensors["label"], tensors["geometry"]),
        )
        for i, (optimiser, loss) in enumerate(zip(optimisers, losses, strict=True)):
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            sums[i] = 0.98 * sums[i] + 0.02 * float(loss.detach())
        step += 1
        if step % 100 == 0:
            told = {"step": step, "done": round(done, 3), "finder": round(sums[0], 4), "reader": round(sums[1], 4)}
            print(json.dumps(told), flush=True)
        if step % 200 == 0:
            save(args.out, finder, reader)
    save(args.out, finder, reader)
    process.terminate()


def save(out: Path, finder: Finder, reader: Reader) -> None:
    """Both networks' weights."""
    torch.save(finder.state_dict(), out / "finder.pt")
    torch.save(reader.state_dict(), out / "reader.pt")


def main() -> None:
    """Read the options and learn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="folder with real/ and rendered/")
    parser.add_argument("--sprites", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="go on from these weights")
    parser.add_argument("--without", nargs="*", default=[], help="sources left out (or: rendered)")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    learn(parser.parse_args())


if __name__ == "__main__":
    main()
