"""Derives ``vision/confidence.toml``: how far a taught piece's name is to be trusted.

``python -m training.looks --photos DIR --out FILE [--copies N] [--seed N]``: DIR is the ``rendered`` folder with its
``manifest.jsonl`` and ``teach.json``. Each picture is spoiled N times at random (smaller, turned, blurred, noisy,
glared, dim, tinted) until names go wrong; a logistic curve over cosine and margins is fitted to what was right. The
pictures serve in two halves: each half's curve is judged on the other, the shipped one is fitted to both.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.photos import read_manifest
from vision.confidence import features
from vision.gallery import Look
from vision.mat.markers import find_mat
from vision.picture import Picture, load_picture
from vision.pieces.explain import explain
from vision.pieces.find import find
from vision.pieces.footprint import Footprint, footprints
from vision.pieces.ground import ground
from vision.pieces.naming import Likeness, levels
from vision.pieces.teach import Unfit, cut_pieces

Array = NDArray[np.float64]
NEAR_MM = 12.0
"""A name belongs to the piece whose middle is this near."""
HIDDEN = 0.35
RIDGE = 1e-3
LEAST_SURE = 0.95
"""Names that are less probable are asked about, whatever the few mistakes of a fit allow."""
MISTAKES_WEIGH = 3.0
"""A wrong name trusted costs more than a right one asked about."""
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0001)


@dataclass(frozen=True)
class Named:
    """One explained place: its features, and whether the name was that of the piece that lay there."""

    picture: str
    features: Array
    right: bool


def main() -> int:
    """Spoil, read, fit, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--copies", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    named = gather(args.photos, args.copies, np.random.default_rng(args.seed))
    pictures = sorted({one.picture for one in named})
    halves = [{p for i, p in enumerate(pictures) if i % 2 == k} for k in (0, 1)]
    held: list[tuple[float, bool]] = []
    for own in halves:
        curve = fit([one for one in named if one.picture in own])
        held += [(probability(curve, one), one.right) for one in named if one.picture not in own]
    curve = fit(named)
    report(held)
    numbers = ", ".join(f"{value:.3f}" for value in curve)
    args.out.write_text(
        "# Made by `python -m training.looks`: how far the name of a taught piece is to be trusted.\n\n"
        f"sure = {sure_limit(held):.3f} # asked below\ncurve = [{numbers}]\n",
        encoding="utf-8",
    )
    return 0


def gather(folder: Path, copies: int, rng: np.random.Generator) -> list[Named]:
    """Read each picture with taught pieces, spoiled so many times; every place that was explained."""
    entries = read_manifest(folder / "manifest.jsonl")
    taught = json.loads((folder / "teach.json").read_text(encoding="utf-8"))
    out: list[Named] = []
    for game in sorted({sheet["game"] for sheet in taught.values()}):
        shapes = footprints(gallery(folder, game, taught, entries))
        for entry in entries:
            if entry["mat"] == game and not entry["teach"]:
                picture = load_picture(folder / entry["file"])
                for _ in range(copies):
                    out += _read(picture, entry, shapes, rng)
    return out


def gallery(folder: Path, game: str, taught: dict[str, Any], entries: list[dict[str, Any]]) -> list[Look]:
    """Teach a game's cards, tiles and tokens from their sheets."""
    looks = []
    for file, sheet in taught.items():
        entry = next(one for one in entries if one["file"] == file)
        kind = entry["pieces"][0]["kind"]
        if sheet["game"] != game or kind == "die":
            continue
        picture = load_picture(folder / file)
        mat = find_mat(picture)
        cuts = cut_pieces(picture, mat, len(sheet["names"])) if mat is not None else Unfit("mat-not-found")
        if isinstance(cuts, Unfit):
            raise TypeError(f"{file} can't teach: {cuts}")
        pairs = zip(sheet["names"], cuts, strict=True)
        looks += [Look(name, kind, cut.picture, cut.mask, cut.size_mm) for name, cut in pairs]
    return looks


def _read(
    picture: Picture, entry: dict[str, Any], shapes: tuple[Footprint, ...], rng: np.random.Generator
) -> list[Named]:
    spoiled, moved = spoil(picture, rng)
    mat = find_mat(spoiled)
    if mat is None:
        return []
    page = ground(spoiled, mat)
    explained = explain(levels(page), find(page), shapes)
    truth = [p for p in entry["pieces"] if p["kind"] != "die"]
    places = cv2.perspectiveTransform(np.array([[p["center_px"] for p in truth]], float), moved)[0] if truth else []
    middles = [mat.mm((float(x), float(y))) for x, y in places]
    out = []
    for piece in explained.pieces:
        right = _is_right(piece, truth, middles)
        if right is not None:
            out.append(Named(entry["file"], features(piece.cosine, piece.margin, piece.strict), right))
    return out


def _is_right(piece: Likeness, truth: list[dict[str, Any]], middles: list[tuple[float, float]]) -> bool | None:
    """Whether the name is the nearest piece's; a place without a piece is wrong, one mostly hidden doesn't count."""
    away = [np.hypot(piece.pose.x - x, piece.pose.y - y) for x, y in middles]
    if not away or min(away) > NEAR_MM:
        return False
    lying = truth[int(np.argmin(away))]
    if lying["occluded"] > HIDDEN:
        return None
    return piece.name == lying["name"] or (lying["name"] is None and piece.name.endswith("back"))


def spoil(picture: Picture, rng: np.random.Generator) -> tuple[Picture, Array]:
    """Make a picture worse, as cameras, lamps and hands do; returns it and the map of its pixels, (3, 3)."""
    height, width = picture.shape[:2]
    turn = rng.uniform(0, 360) if rng.random() < 0.3 else 0.0
    moved = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), turn, rng.uniform(0.55, 1.0)), [0, 0, 1]])
    moved[2, :2] = rng.normal(0, 1.5e-4, 2)
    how = {"flags": cv2.INTER_AREA, "borderMode": cv2.BORDER_REPLICATE}
    out = cv2.warpPerspective(picture, moved, (width, height), **how).astype(np.float32)
    if rng.random() < 0.6:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.6))
    if rng.random() < 0.4:
        out = cv2.filter2D(out, -1, _smear(rng))
    y, x = np.mgrid[:height, :width]
    for _ in range(int(rng.integers(0, 3))):
        away = (x - rng.uniform(0, width)) ** 2 + (y - rng.uniform(0, height)) ** 2
        out += (rng.uniform(20, 160) * np.exp(-away / rng.uniform(60, 260) ** 2)).astype(np.float32)[..., None]
    out *= (rng.uniform(0.6, 1.15) * (1 + rng.normal(0, 0.05, 3))).astype(np.float32)
    out += rng.normal(0, rng.uniform(0, 7), out.shape).astype(np.float32)
    return np.clip(out, 0, 255).astype(np.uint8), moved


def _smear(rng: np.random.Generator) -> NDArray[np.float32]:
    size = int(rng.integers(3, 8))
    kernel = np.zeros((size, size), np.float32)
    cv2.line(kernel, (0, int(rng.integers(size))), (size - 1, int(rng.integers(size))), 1)
    return np.asarray(kernel / kernel.sum(), np.float32)


def fit(named: list[Named]) -> Array:
    """Fit the logistic curve by Newton's method; wrong names weigh more."""
    x = np.array([one.features for one in named])
    y = np.array([one.right for one in named], float)
    weight = np.where(y > 0, 1.0, MISTAKES_WEIGH)
    curve = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ curve, -30, 30)))
        slope = x.T @ (weight * (y - p)) - RIDGE * curve
        bend = (x * (weight * p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(curve))
        step = np.linalg.solve(bend, slope)
        curve = curve + step * min(1.0, 2.0 / float(np.abs(step).max() + 1e-9))
    return curve


def probability(curve: Array, one: Named) -> float:
    """Give the probability that a name is right."""
    return float(1 / (1 + np.exp(-np.clip(one.features @ curve, -30, 30))))


def sure_limit(held: list[tuple[float, bool]], one_in: int = 1000) -> float:
    """Give the least probability above which at most one name in so many is wrong, on pictures not fitted to."""
    ranked = sorted(held, reverse=True)
    wrong, limit = 0, 0.999
    for count, (p, right) in enumerate(ranked, 1):
        wrong += not right
        if wrong <= count / one_in:
            limit = p
    return float(max(limit, LEAST_SURE))


def report(held: list[tuple[float, bool]]) -> None:
    """Print the reliability on the pictures that each curve had not seen."""
    print("confidence      names   right   share")
    for low, high in pairwise(BINS):
        inside = [right for p, right in held if low <= p < high]
        if inside:
            print(f"{low:.3f}-{min(high, 1):.3f}{len(inside):9}{sum(inside):8}{sum(inside) / len(inside):8.4f}")


if __name__ == "__main__":
    raise SystemExit(main())
