"""Derives ``vision/bare.toml``: how far the name of a piece that lies without a mat is to be trusted.

``python -m training.bare --photos DIR --out FILE [--copies N] [--seed N]``: DIR holds a ``manifest.jsonl`` with cards
(``role`` ``scene``, ``truth.cards``) and the pictures that taught them in the folder ``ref`` beside the scenes'. Each
scene is spoiled N times until names go wrong (``training.looks.spoil``); where its cards lie is known from the picture
as it was, if that is read right. The curve is the logistic one of ``training.looks``, judged by halves of the pictures.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from training.looks import Named, fit, probability, report, spoil, sure_limit
from training.photos import read_manifest
from vision.bare.reading import named_pieces, teach_bare
from vision.confidence import features
from vision.gallery import Look
from vision.picture import Picture, load_picture

ONE_IN = 500
"""Names that are sure, of which at most one may be wrong: spoiled pictures are harder than those of a table."""
FILLED = 0.9
"""A piece with more of the picture fills it."""


def main() -> int:
    """Spoil, read, fit, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--copies", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    named: list[Named] = []
    galleries: dict[Path, tuple[Look, ...]] = {}
    for entry in read_manifest(args.photos / "manifest.jsonl"):
        if entry.get("kind") == "card" and entry["role"] == "scene":
            path = args.photos / entry["file"]
            ref = path.parent.parent / "ref"
            looks = galleries.setdefault(ref, gallery(ref))
            named += read(load_picture(path), entry, looks, args.copies, rng)
    held = by_halves(named)
    report(held)
    numbers = ", ".join(f"{value:.3f}" for value in fit(named))
    args.out.write_text(
        "# Made by `python -m training.bare`: how far the name of a piece without a mat is to be trusted.\n\n"
        f"sure = {sure_limit(held, ONE_IN):.3f} # asked below\ncurve = [{numbers}]\n",
        encoding="utf-8",
    )
    return 0


def gallery(folder: Path) -> tuple[Look, ...]:
    """Teach the pieces of a folder; the files' stems are the names."""
    taught = {path.stem: teach_bare(load_picture(path)) for path in sorted(folder.iterdir())}
    return tuple(Look(name, "card", *cut, None) for name, cut in taught.items() if not isinstance(cut, str))


def read(
    picture: Picture, entry: dict[str, Any], looks: tuple[Look, ...], copies: int, rng: np.random.Generator
) -> list[Named]:
    """Read a scene as it is, and spoiled; nothing of one that is not read right as it is."""
    first = named_pieces(picture, looks)
    if sorted(like.print.name for _, like in first) != sorted(entry["truth"]["cards"]):
        return []
    out = [Named(entry["file"], features(like.score, like.margin, like.margin), right=True) for _, like in first]
    places = np.array([[corners.mean(0) for corners, _ in first]], np.float64)
    reach = min(cv2.contourArea(corners) for corners, _ in first) ** 0.5 / 2
    fills = len(first) == 1 and cv2.contourArea(first[0][0]) > FILLED * picture.shape[0] * picture.shape[1]
    for _ in range(copies):
        spoiled, moved = spoil(picture, rng)
        if fills:
            worse, more = spoil(spoiled, rng)  # its piece is larger and sharper than any on a table
            spoiled, moved = _cut_back(worse, more @ moved, rng)
        middles = cv2.perspectiveTransform(places, moved)[0]
        for corners, like in named_pieces(spoiled, looks):
            away = np.linalg.norm(middles - corners.mean(0), axis=1)
            right = away.min() < reach and like.print.name == first[int(away.argmin())][1].print.name
            out.append(Named(entry["file"], features(like.score, like.margin, like.margin), right=bool(right)))
    return out


def _cut_back(spoiled: Picture, moved: np.ndarray, rng: np.random.Generator) -> tuple[Picture, np.ndarray]:
    """Fill the picture with its piece again, cut out by an outline that is a little off."""
    height, width = spoiled.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    loose = frame + rng.normal(0, 0.012 * width, (4, 2)).astype(np.float32)
    back = cv2.getPerspectiveTransform(frame, loose) @ np.linalg.inv(moved)
    out = cv2.warpPerspective(spoiled, back, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8), back @ moved


def by_halves(named: list[Named]) -> list[tuple[float, bool]]:
    """Give each name's probability by a curve fitted to the other half of the pictures."""
    pictures = sorted({one.picture for one in named})
    held = []
    for k in (0, 1):
        own = set(pictures[k::2])
        curve = fit([one for one in named if one.picture in own])
        held += [(probability(curve, one), one.right) for one in named if one.picture not in own]
    return held


if __name__ == "__main__":
    raise SystemExit(main())
