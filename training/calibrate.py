"""Derives ``vision/dice/model/verdict.toml`` from pictures whose sources the networks had not seen.

``python -m training.calibrate --photos DIR --out FILE FOLD=source,source ...``: each FOLD is a folder with the ONNX
files of networks trained without those sources ("rendered-odd": every second rendered picture).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training import photos
from training.scene import Scene, Truth
from vision.dice import examine, network, verdict
from vision.dice.cover import covered_at
from vision.dice.view import HEIGHT_MM, REGION, view_of
from vision.mat.markers import find_mat
from vision.mat.mat import Mat

RIDGE = 0.02
HALF = 0.5
SURES = (0.85, 0.88, 0.9, 0.92, 0.94, 0.96, 0.98)
LEANS = (0.25, 0.3, 0.4, 0.5)
NEAR = 0.5
CAUTION = 0.5
"""Share of the fitted ``doubt`` that is kept. Rules fitted on some sources are silently wrong twice as often on others,
each time by a die that the finder gave little for: on pictures that nobody has measured half as little must matter."""
DOUBT_KEPT = 0.8
"""Share of the fitted doubt in a name (1 - ``sure``) that is kept: the limit found lies right beside the pictures that
it must keep out."""
Array = NDArray[np.float64]


@dataclass
class Place:
    """A candidate of one picture: the features, the truth (None: no die, or one to be ignored), the lean measured."""

    value: Array
    there: Array
    is_die: bool
    is_right: bool
    ignored: bool
    cocked: bool
    lean: float | None
    is_cocked: float
    touching: bool
    on_mat: bool


@dataclass
class Sample:
    """One picture: its places, whether each die has one, all can be read, and nothing covers the mat."""

    name: str
    places: list[Place]
    complete: bool
    readable: bool
    clear: bool = True


def use_networks(folder: Path) -> None:
    """Have the package read with the networks of a fold."""

    @cache
    def load(name: str) -> cv2.dnn.Net:
        return cv2.dnn.readNetFromONNX(str(folder / name))

    network._load = load  # type: ignore[assignment]  # noqa: SLF001 - the one place that swaps the networks


def sample(scene: Scene, name: str, *, on_mat: bool) -> Sample:
    """Read one labelled picture and match what was found with its truth."""
    mat = find_mat(scene.picture) if on_mat else None
    view = view_of(scene.picture, mat)
    if view is None:
        raise ValueError(f"{name}: a mat without dice")
    seen = view.dice()
    truths = list(scene.dice)
    owner: dict[int, Truth] = {}
    for t in sorted(truths, key=lambda t: t.use == "ignore"):
        apart = [float(np.hypot(*(d.centre + view.corner - t.centre))) / t.edge for d in seen]
        near = [(a, i) for i, a in enumerate(apart) if i not in owner]
        if near and min(near)[0] < (0.9 if t.use == "ignore" else NEAR):
            owner[min(near)[1]] = t
    usual = np.median([d.stretch for d in seen if d.is_there > HALF] or [(0, 0)], axis=0)
    enough = sum(d.is_there > HALF for d in seen) >= 3
    flat = [np.array(d.flat) if d.flat is not None else usual if enough else None for d in seen]
    places = [_place(d, seen, owner.get(i), flat[i]) for i, d in enumerate(seen)]
    readable = [t for t in truths if t.use == "read"]
    complete = all(any(o is t for o in owner.values()) for t in readable)
    return Sample(
        name, places, complete, all(t.use == "read" for t in truths), _is_clear(scene, mat, seen, view.corner)
    )


def _is_clear(scene: Scene, mat: Mat | None, seen: list[examine.Die], corner: Array) -> bool:
    region = mat.layout.region(REGION) if mat is not None else None
    if mat is None or region is None:
        return True
    places = [d.centre + corner for d in seen if d.is_there > HALF]
    feet = [mat.mm((float(x), float(y)), HEIGHT_MM) for x, y in places]
    return covered_at(scene.picture, mat, region, feet) is None


def _place(d: examine.Die, seen: list[examine.Die], truth: Truth | None, usual: Array | None) -> Place:
    ignored = truth is not None and truth.use == "ignore"
    lean = None if usual is None else float(np.hypot(*(np.array(d.stretch) - usual)))
    return Place(
        verdict.value_features(d), verdict.there_features(d, seen), truth is not None and not ignored,
        truth is not None and truth.value == d.value, ignored, truth is not None and truth.use == "cocked", lean,
        d.is_cocked,
        verdict.touches(d, [o for o in seen if o.is_there > HALF]),
        d.flat is not None,
    )  # fmt: skip


def fit_logistic(x: Array, y: Array) -> Array:
    """Ridge logistic regression by Newton's steps; the first column is the constant."""
    w = np.zeros(x.shape[1])
    penalty = RIDGE * len(x) / 100 * np.eye(x.shape[1])
    penalty[0, 0] = 1e-6
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + penalty, x.T @ (p - y) + penalty @ w)
        w -= step
        if np.abs(step).max() < 1e-8:
            break
    return w


def isotonic(score: Array, right: Array) -> list[tuple[float, float]]:
    """Pool adjacent violators; each pool counts one success and one failure of its own, so none says 0 or 1."""
    order = np.argsort(score)
    pools: list[list[float]] = []
    for s, r in zip(score[order], right[order], strict=True):
        pools.append([float(s), float(r), 1.0])
        while len(pools) > 1 and pools[-2][1] / pools[-2][2] >= pools[-1][1] / pools[-1][2]:
            s1, r1, n1 = pools.pop()
            s0, r0, n0 = pools[-1]
            pools[-1] = [(s0 * n0 + s1 * n1) / (n0 + n1), r0 + r1, n0 + n1]
    return [(round(s, 3), round((r + 0.5) / (n + 1), 5)) for s, r, n in pools]


@dataclass(frozen=True)
class Outcome:
    """Pictures of a set of samples: sure and right, silently wrong, read right, all."""

    exact: int
    silent: int
    right: int
    count: int


Scored = list[tuple[Sample, list[tuple[Place, float, float]]]]


def scored(samples: list[Sample], rules: verdict.Rules) -> Scored:
    """Return each place with its probability of being a die and its confidence."""
    xs, ys = zip(*rules.curve, strict=True)
    return [
        (
            s,
            [
                (
                    p,
                    verdict.logistic(rules.there, p.there),
                    float(np.interp(float(np.dot(rules.value, p.value)), xs, ys)),
                )
                for p in s.places
            ],
        )
        for s in samples
    ]


def outcome(samples: Scored, rules: verdict.Rules) -> Outcome:
    """Return what these rules would do, as ``vision.reading`` decides."""
    exact = silent = right = 0
    for s, places in samples:
        taken = [(p, t, v) for p, t, v in places if t >= rules.take]
        named = [p for p, _, _ in taken if not p.cocked]
        upright = sum(p.is_die and not p.cocked for p in s.places)
        good = s.complete and len(named) == upright and all(p.is_right and p.is_die for p in named)
        sure = bool(taken) and s.clear and not any(rules.doubt <= t < rules.take for _, t, _ in places)
        for p, t, v in taken:
            flat = verdict.lies_flat(rules, p.lean, p.is_cocked, touching=p.touching, on_mat=p.on_mat)
            sure &= v >= rules.sure and t >= rules.there_sure and flat
        right += good
        exact += sure and good and s.readable
        silent += sure and not (good and s.readable)
    return Outcome(exact, silent, right, len(samples))


def choose(samples: Scored, start: verdict.Rules, allowed: int) -> verdict.Rules:
    """Return the limits that make most pictures sure with at most ``allowed`` of them silently wrong."""
    takes = np.arange(0.2, 0.85, 0.05)
    best_take = max(takes, key=lambda t: outcome(samples, replace(start, take=float(t))).right)
    start = replace(start, take=float(best_take))
    best, rules = (-np.inf, -np.inf), start
    grid = product((0.02, 0.05, 0.1, 0.2, 0.3), (0.5, 0.7, 0.8, 0.9, 0.95), SURES, LEANS)
    for doubt, there_sure, sure, lean in grid:
        low, high = min(doubt, start.take), max(there_sure, start.take)
        trial = replace(start, doubt=low, there_sure=high, sure=sure, lean=lean)
        o = outcome(samples, trial)
        # Among equals the stricter: the pictures to come are others
        rank = (o.exact - 1000 * max(0, o.silent - allowed) - 3 * o.silent, sure + there_sure - doubt - lean / 3)
        if rank > best:
            best, rules = rank, trial
    return rules


def calibrate(samples: list[Sample], allowed: int) -> verdict.Rules:
    """Weights, curve and limits."""
    places = [p for s in samples for p in s.places if not p.ignored]
    there = fit_logistic(np.stack([p.there for p in places]), np.array([p.is_die for p in places], float))
    dies = [p for p in places if p.is_die and not p.cocked]
    x, y = np.stack([p.value for p in dies]), np.array([p.is_right for p in dies], float)
    value = fit_logistic(x, y)
    rules = verdict.Rules(tuple(value), tuple(there), tuple(isotonic(x @ value, y)), 0.5, 0.2, 0.95, 0.8, 0.4, 0.4)
    rules = choose(scored(samples, rules), rules, allowed)
    return replace(rules, doubt=rules.doubt * CAUTION, sure=1 - (1 - rules.sure) * DOUBT_KEPT)


def write(path: Path, rules: verdict.Rules, note: str) -> None:
    """Return the rules as TOML."""
    limits = ("take", "doubt", "sure", "there_sure", "lean", "cocked")
    lines = ["# Written by training/calibrate.py; do not edit.", *(f"# {line}" for line in note.splitlines()), ""]
    lines += ["[value]", f"weights = {[round(float(w), 4) for w in rules.value]}"]
    lines += [f"curve = {[list(p) for p in rules.curve]}", "", "[there]"]
    lines += [f"weights = {[round(float(w), 4) for w in rules.there]}", "", "[limits]"]
    lines += [f"{name} = {round(float(getattr(rules, name)), 4)}" for name in limits]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def gather(folder: Path, folds: list[str]) -> dict[str, list[Sample]]:
    """Return samples by source, each read by the networks that had not seen the source."""
    real, rendered = photos.real_scenes(folder), photos.rendered_scenes(folder)
    out: dict[str, list[Sample]] = {}
    for fold in folds:
        weights, sources = fold.split("=")
        use_networks(Path(weights))
        for source in sources.split(","):
            scenes = rendered[1::2] if source == "rendered-odd" else real[source]
            found = [sample(s, f"{source} {i}", on_mat=source == "rendered-odd") for i, s in enumerate(scenes)]
            out.setdefault(source, []).extend(found)
    return out


def main() -> None:
    """Gather, fit, write, and print what the rules do on each source: fitted on all, and on the others only."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--allowed", type=int, default=0, help="pictures that may be silently wrong")
    parser.add_argument("folds", nargs="+", metavar="FOLD=SOURCES")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    by_source = gather(args.photos, args.folds)
    everything = [s for group in by_source.values() for s in group]
    rules = calibrate(everything, args.allowed)
    notes = [f"all sources: {outcome(scored(everything, rules), rules)}"]
    for source, group in by_source.items():
        others = [s for name, other in by_source.items() if name != source for s in other]
        theirs = calibrate(others, args.allowed)
        notes.append(f"{source}, rules from the others: {outcome(scored(group, theirs), theirs)}")
    print("\n".join(notes))
    write(args.out, rules, "\n".join(notes))


if __name__ == "__main__":
    main()
