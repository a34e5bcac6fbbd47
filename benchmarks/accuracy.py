"""How well pictures are read: ``python benchmarks/accuracy.py DIR`` prints one table and writes nothing.

DIR is a folder with a ``manifest.jsonl``, or one that has such folders in it. A picture is *exact* when it is read as
sure and the multiset of names is right, *asked* when it is not sure, *silently wrong* otherwise. Where a die is cocked
or a piece face down or more than 35 % hidden, asking is the right answer: *rightly asked*. *Read right* looks at the
names alone. Pieces are taught first, as ``companion teach`` does: a game's from the sheets that ``teach.json`` names,
other people's cards from the pictures in the folder ``ref`` beside the scenes', whose stems are the names. Times are of
one thread, without decoding, and how many times as long as decoding the same file (``x``).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from companion.taught import ANY, Taught
from companion.teach import Lesson, teach
from vision.observation import Observation
from vision.picture import load_picture
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
    known: Callable[[str | None], Known]


@dataclass
class Tally:
    """The counts of one set."""

    exact: int = 0
    asked: int = 0
    rightly_asked: int = 0
    silently_wrong: int = 0
    read_right: int = 0
    ms: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    wrong_files: list[str] = field(default_factory=list)


def cases(folder: Path, gallery: Path) -> list[Case]:
    """Return the pictures of dice and of taught pieces that the manifests below ``folder`` name.

    What is taught for them is put into the folder ``gallery``.
    """
    manifests = sorted(folder.glob("**/manifest.jsonl"))
    if not manifests:
        raise ValueError(f"{folder} has no manifest.jsonl, nor has a folder in it.")
    out: list[Case] = []
    for number, manifest in enumerate(manifests):
        own = gallery / str(number)
        _teach_sheets(manifest.parent, own)
        for line_number, line in enumerate(manifest.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                case = _case(manifest.parent, json.loads(line), own)
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{manifest}, line {line_number}: {error!r}") from error
            out += [case] if case is not None else []
    if not out:
        raise ValueError(f"{folder} names no picture of dice or taught pieces.")
    return out


def _teach_sheets(folder: Path, gallery: Path) -> None:
    sheets = folder / "teach.json"
    if not sheets.exists():
        return
    for file, sheet in json.loads(sheets.read_text(encoding="utf-8")).items():
        _said(teach(sheet["game"], [folder / file], gallery, sheet["names"], "en"))


def _said(lesson: Lesson) -> None:
    for refused in lesson.refused:
        raise ValueError(f"{refused['file']} can't teach: {refused['message']}")


def _case(folder: Path, entry: dict[str, Any], gallery: Path) -> Case | None:
    path = folder / entry["file"]
    if "truth" in entry:
        if entry["kind"] == "card" and entry["role"] == "scene":
            names = tuple(sorted(entry["truth"]["cards"]))
            return Case(path, "cards " + entry["set"], names, False, _taught(path.parent.parent / "ref", gallery))
        if entry["kind"] != "dice":
            return None
        names = tuple(sorted(str(v) for v in entry["truth"]["values"]))
        return Case(path, entry["source"].split("/")[0], names, False, Taught(gallery))
    if entry["teach"]:
        return None
    pieces = entry["pieces"]
    unread = [p["name"] is None or p["cocked"] or p["occluded"] > HIDDEN for p in pieces]
    names = tuple(sorted(p["name"] for p, not_read in zip(pieces, unread, strict=True) if not not_read))
    place = {"dice-tray": "dice-mat", None: "dice-table"}.get(entry["mat"], entry["mat"])
    return Case(path, place + (" hard" if entry["case"] else ""), names, any(unread), Taught(gallery))


@cache
def _taught(folder: Path, gallery: Path) -> Taught:
    own = gallery / folder.parent.name
    _said(teach(ANY, sorted(folder.iterdir()), own, (), "en"))
    return Taught(own, ANY)


def judge(case: Case, seen: Observation, tally: Tally) -> None:
    """Count one picture."""
    right = tuple(sorted(p.name for p in seen.pieces if p.name is not None)) == case.names
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
        if piece.name is not None:
            right = left[piece.name] > 0
            left[piece.name] -= right
            out.append((piece.confidence, right))
    return out


def _print(tallies: dict[str, Tally], confidences: list[tuple[float, bool]], *, files: bool) -> None:
    head = f"{'exact':>7}{'asked':>7}{'rightly':>9}{'silent':>8}{'read right':>12}{'ms':>7}{'p95':>7}{'x':>6}{'p95':>6}"
    print(f"{'set':26}{'pictures':>9}{head}")
    total = Tally()
    for name, t in [*sorted(tallies.items()), ("all", total)]:
        n = len(t.ms)
        (median, high), (x, x_high) = (np.percentile(values, (50, 95)) for values in (t.ms, t.times))
        share = f"{t.read_right} {100 * t.read_right / n:4.0f}%"
        counts = f"{n:9}{t.exact:7}{t.asked:7}{t.rightly_asked:9}{t.silently_wrong:8}"
        print(f"{name:26}{counts}{share:>12}{median:7.0f}{high:7.0f}{x:6.0f}{x_high:6.0f}")
        if t is not total:
            for key in (
                "exact",
                "asked",
                "rightly_asked",
                "silently_wrong",
                "read_right",
                "ms",
                "times",
                "wrong_files",
            ):
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


def _run(case: Case, tallies: dict[str, Tally], confidences: list[tuple[float, bool]]) -> None:
    """Read one picture; its own times count, in which what was taught and the networks are at hand already."""
    begin = time.perf_counter()
    picture = load_picture(case.path)
    decoded = time.perf_counter()
    seen = read(picture, known=case.known)
    tally = tallies.setdefault(case.group, Tally())
    tally.ms.append(seen.ms["total"])
    tally.times.append(seen.ms["total"] / 1e3 / (decoded - begin))
    judge(case, seen, tally)
    confidences += _reliability(case, seen)


def main() -> int:
    """Read every picture, one thread; 2 when the folder is of no use."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("--files", action="store_true", help="name the silently wrong pictures")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    tallies: dict[str, Tally] = {}
    confidences: list[tuple[float, bool]] = []
    try:
        with TemporaryDirectory() as gallery:
            for case in cases(args.directory, Path(gallery)):
                _run(case, tallies, confidences)
    except (OSError, ValueError) as error:
        print(f"accuracy: {error}", file=sys.stderr)
        return 2
    _print(tallies, confidences, files=args.files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
