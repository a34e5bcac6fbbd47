"""How well pictures are read: ``python benchmarks/accuracy.py DIR`` prints one table and writes nothing.

DIR is a folder with a ``manifest.jsonl``, or one that has such folders in it. A picture is *exact* when it is read as
sure and the multiset of names is right, *asked* when it is not sure, *silently wrong* otherwise. Where a die is cocked
or more than 35 % hidden, asking is the right answer: *rightly asked*. *Read right* looks at the names alone. Other
people's cards are taught by the pictures in the folder ``ref`` beside the scenes', whose stems are the names.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.bare import teach_bare
from vision.gallery import Look
from vision.observation import Kind, Observation
from vision.picture import PictureError, load_picture
from vision.reading import Known, read

HIDDEN = 0.35
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001)


@dataclass(frozen=True)
class Case:
    """One picture: its set, the names that can be read, whether something in it can't be, and what was taught."""

    path: Path
    group: str
    names: tuple[str, ...]
    must_ask: bool
    kind: Kind = "die"
    looks: tuple[Look, ...] = ()


@dataclass
class Tally:
    """The counts of one set."""

    exact: int = 0
    asked: int = 0
    rightly_asked: int = 0
    silently_wrong: int = 0
    read_right: int = 0
    ms: list[float] = field(default_factory=list)
    wrong_files: list[str] = field(default_factory=list)


def cases(folder: Path) -> list[Case]:
    """Return the pictures of pip dice and of cards that the manifests below ``folder`` name."""
    manifests = sorted(folder.glob("**/manifest.jsonl"))
    if not manifests:
        raise ValueError(f"{folder} has no manifest.jsonl, nor has a folder in it.")
    out: list[Case] = []
    for manifest in manifests:
        for number, line in enumerate(manifest.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                case = _case(manifest.parent, json.loads(line))
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{manifest}, line {number}: {error!r}") from error
            out += [case] if case is not None else []
    if not out:
        raise ValueError(f"{folder} names no picture of pip dice or cards.")
    return out


def _case(folder: Path, entry: dict[str, Any]) -> Case | None:
    if "truth" in entry:
        if entry["kind"] == "card" and entry["role"] == "scene":
            path = folder / entry["file"]
            names = tuple(sorted(entry["truth"]["cards"]))
            return Case(path, "cards " + entry["set"], names, False, "card", _taught(path.parent.parent / "ref"))
        if entry["kind"] != "dice":
            return None
        names = tuple(sorted(str(v) for v in entry["truth"]["values"]))
        return Case(folder / entry["file"], entry["source"].split("/")[0], names, must_ask=False)
    dice = [p for p in entry["pieces"] if p["kind"] == "die" and p["model"] == "die"]
    if entry["set"] not in ("dice", "witch-race") or not dice:
        return None
    cocked = any(p["cocked"] for p in dice)
    hidden = any(p["occluded"] > HIDDEN for p in dice)
    names = tuple(sorted(p["name"] for p in dice if not p["cocked"] and p["occluded"] <= HIDDEN))
    place = {"dice-tray": "dice-mat", None: "dice-table"}.get(entry["mat"], entry["mat"])
    kind = " cocked" if cocked else " teaching sheet" if entry["teach"] else ""
    return Case(folder / entry["file"], place + kind, names, must_ask=cocked or hidden)


@cache
def _taught(folder: Path) -> tuple[Look, ...]:
    looks = []
    for path in sorted(folder.iterdir()):
        taught = teach_bare(load_picture(path))
        if isinstance(taught, str):
            raise ValueError(f"{path} can't teach: {taught}.")  # noqa: TRY004
        looks.append(Look(path.name.split(".")[0], "card", *taught, None))
    return tuple(looks)


def judge(case: Case, seen: Observation, tally: Tally) -> None:
    """Count one picture."""
    right = seen.names(case.kind) == case.names
    tally.read_right += right
    if seen.sure and right and not case.must_ask:
        tally.exact += 1
    elif seen.sure:
        tally.silently_wrong += 1
        tally.wrong_files.append(case.path.name)
    elif case.must_ask:
        tally.rightly_asked += 1
    else:
        tally.asked += 1


def _reliability(case: Case, seen: Observation) -> list[tuple[float, bool]]:
    """Confidence of each named piece and whether the picture's truth has it (each of the truth once)."""
    left = Counter(case.names)
    out = []
    for piece in sorted(seen.pieces, key=lambda p: -p.confidence):
        if piece.kind == case.kind and piece.name is not None:
            right = left[piece.name] > 0
            left[piece.name] -= right
            out.append((piece.confidence, right))
    return out


def _print(tallies: dict[str, Tally], confidences: list[tuple[float, bool]], *, files: bool) -> None:
    head = f"{'exact':>7}{'asked':>7}{'rightly':>9}{'silent':>8}{'read right':>12}{'ms':>7}{'p95':>7}"
    print(f"{'set':26}{'pictures':>9}{head}")
    total = Tally()
    for name, t in [*sorted(tallies.items()), ("all", total)]:
        n = len(t.ms)
        median, high = np.percentile(t.ms, (50, 95))
        share = f"{t.read_right} {100 * t.read_right / n:4.0f}%"
        counts = f"{n:9}{t.exact:7}{t.asked:7}{t.rightly_asked:9}{t.silently_wrong:8}"
        print(f"{name:26}{counts}{share:>12}{median:7.0f}{high:7.0f}")
        if t is not total:
            for key in ("exact", "asked", "rightly_asked", "silently_wrong", "read_right", "ms", "wrong_files"):
                setattr(total, key, getattr(total, key) + getattr(t, key))
    print("\nconfidence    pieces   right   share   mean confidence")
    for low, high in pairwise(BINS):
        inside = [(c, r) for c, r in confidences if low <= c < high]
        if inside:
            right = sum(r for _, r in inside)
            mean = sum(c for c, _ in inside) / len(inside)
            print(f"{low:.2f}-{min(high, 1):.2f}{len(inside):10}{right:8}{right / len(inside):8.3f}{mean:18.3f}")
    if files and total.wrong_files:
        print("\nsilently wrong:", *total.wrong_files)


def main() -> int:
    """Read every picture, one thread; 2 when the folder is of no use."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("--files", action="store_true", help="name the silently wrong pictures")
    args = parser.parse_args()
    try:
        todo = cases(args.directory)
    except (OSError, ValueError) as error:
        print(f"accuracy: {error}", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    tallies: dict[str, Tally] = {}
    confidences: list[tuple[float, bool]] = []
    for case in todo:
        begin = time.perf_counter()
        try:
            known = Known(case.looks, pips=case.kind == "die")
            seen = read(load_picture(case.path), known=lambda _, known=known: known)
        except PictureError as error:
            print(f"accuracy: {error}", file=sys.stderr)
            return 2
        tally = tallies.setdefault(case.group, Tally())
        tally.ms.append((time.perf_counter() - begin) * 1e3)
        judge(case, seen, tally)
        confidences += _reliability(case, seen)
    _print(tallies, confidences, files=args.files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
