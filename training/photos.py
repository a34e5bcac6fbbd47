"""Labelled pictures to learn from: other people's photographs of dice and our rendered mats.

``folder`` holds ``real/`` and ``rendered/`` with a ``manifest.jsonl`` each. Sources under the GPL are left out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from training.ground import Picture
from training.scene import Scene, Truth, quad_shape

LABELS = Path(__file__).parent / "labels.json"
BOX_IN_EDGES = 1.22  # a box round a whole die, turned at random and seen from above, in edges
PIPS_IN_EDGES = {1: 0.85, 2: 0.66, 3: 0.70, 4: 0.74, 5: 0.76, 6: 0.78}  # boxes of one source bound the pips only
SMALLEST_PX = 42.0  # no die of that source is smaller; its boxes round a single pip are of no use as a measure


def read_manifest(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a manifest."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _boxed(entry: dict[str, Any]) -> list[Truth]:
    truth = entry["truth"]
    boxes, values = truth["boxes"], truth["box_values"]
    pips_only = entry["note"].startswith("boxes bound the pips")
    measure = PIPS_IN_EDGES if pips_only else dict.fromkeys(range(1, 7), BOX_IN_EDGES)
    sizes = [(w + h) / 2 / measure[v] for (_, _, w, h), v in zip(boxes, values, strict=True)]
    if pips_only:
        sizes = [max(float(np.median(sizes)), SMALLEST_PX)] * len(sizes)
    return [
        Truth(np.array([x + w / 2, y + h / 2]), float(s), int(v), "read")
        for (x, y, w, h), v, s in zip(boxes, values, sizes, strict=True)
    ]


def real_scenes(folder: Path) -> dict[str, list[Scene]]:
    """Scenes by source; pictures without boxes take them from labels.json, or are left out."""
    labels = json.loads(LABELS.read_text()) if LABELS.exists() else {}
    out: dict[str, list[Scene]] = {}
    for entry in read_manifest(folder / "real" / "manifest.jsonl"):
        if entry["kind"] != "dice" or entry["licence"].startswith("GPL"):
            continue
        if "boxes" in entry["truth"]:
            dice = _boxed(entry)
        elif entry["file"] in labels:
            dice = [
                Truth(np.array([x, y]), edge, int(v), "read" if v else "ignore")
                for x, y, edge, v in labels[entry["file"]]
            ]
        else:
            continue
        picture = cv2.imread(str(folder / "real" / entry["file"]))
        out.setdefault(entry["source"], []).append(Scene(np.asarray(picture, np.uint8), dice))
    return out


def _rendered_die(piece: dict[str, Any]) -> Truth:
    quad = np.array(piece["polygon_px"], float)
    edge = float(np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).mean())
    value = piece.get("value") or 0
    use = "cocked" if piece["cocked"] else "read"
    if piece["occluded"] > 0.3 or piece.get("contrast", 1) < 0.15 or piece.get("burnt", 0) > 0.5:
        use = "ignore"
    centre = np.array(piece["center_px"], float) if len(quad) != 4 else quad.mean(0)
    return Truth(centre, edge, int(value), use, quad_shape(quad) if len(quad) == 4 else None)


def rendered_scenes(folder: Path) -> list[Scene]:
    """Our mats and tables with pip dice, teaching sheet included."""
    out = []
    for entry in read_manifest(folder / "rendered" / "manifest.jsonl"):
        dice = [p for p in entry["pieces"] if p["kind"] == "die"]
        if entry["set"] == "ghost-hunters" or not dice:
            continue
        picture = cv2.imread(str(folder / "rendered" / entry["file"]))
        out.append(Scene(np.asarray(picture, np.uint8), [_rendered_die(p) for p in dice]))
    return out


def grounds(folder: Path) -> list[Picture]:
    """Return pictures without a pip die: mats with cards and tokens, other people's cards and markers."""
    rendered = read_manifest(folder / "rendered" / "manifest.jsonl")
    bare = [e for e in rendered if e["set"] != "dice" and not any(p["kind"] == "die" for p in e["pieces"])]
    out = [cv2.imread(str(folder / "rendered" / e["file"])) for e in bare]
    real = [e for e in read_manifest(folder / "real" / "manifest.jsonl") if not e["licence"].startswith("GPL")]
    real = [e for e in real if e["kind"] in ("card", "marker", "token")]
    scenes = [e for e in real if "/ref/" not in e["file"]]
    out += [cv2.imread(str(folder / "real" / e["file"])) for e in scenes[:: max(1, len(scenes) // 60)]]
    return [np.asarray(p, np.uint8) for p in out if p is not None]
