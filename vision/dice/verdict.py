"""From what was measured to what may be promised: the confidence of a die, whether it is one, whether it lies flat.

The weights and thresholds are in ``model/verdict.toml``; ``training/calibrate.py`` derives them from pictures of
sources that the networks had not seen.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from vision.dice.examine import Die

LEAST = 1e-4
TOUCHING = 1.42  # distance of two top faces' middles in edges; dice that touch are no farther apart than the root of 2
WITHIN = 0.6  # two top faces are never as near
SMALLEST_PX, UNTRIED = 17.5, 0.5  # none of the dice that the limits were found with had a shorter edge: asked about
NEAR_LEAN, NEAR_COCKED = 0.4, 0.55  # of the limits: dice lean on dice, so those that touch are looked at more sternly


@dataclass(frozen=True)
class Rules:
    """What calibration found.

    ``value`` and ``there`` are logistic weights, the constant first, for "the value is right" and "this is a top face";
    ``curve`` maps the first one's score to a calibrated probability (pairs in rising order). A die is taken for one at
    ``take`` and is sure at ``sure``; a place left out whose probability of being a die is over ``doubt`` makes the
    picture unsure, and so does a lean of more than ``lean`` or a reader's word for cocked over ``cocked``.
    """

    value: tuple[float, ...]
    there: tuple[float, ...]
    curve: tuple[tuple[float, float], ...]
    take: float
    doubt: float
    sure: float
    there_sure: float
    lean: float
    cocked: float


@cache
def rules() -> Rules:
    """Return the shipped rules."""
    data = tomllib.loads(resources.files("vision.dice.model").joinpath("verdict.toml").read_text(encoding="utf-8"))
    return Rules(
        tuple(data["value"]["weights"]),
        tuple(data["there"]["weights"]),
        tuple((float(a), float(b)) for a, b in data["value"]["curve"]),
        **{k: float(v) for k, v in data["limits"].items()},
    )


def _odds(p: float) -> float:
    p = min(max(p, LEAST), 1 - LEAST)
    return float(np.log(p / (1 - p)))


def value_features(die: Die) -> NDArray[np.float64]:
    """Return what speaks for the die's value: reader, finder, the lattice's lead and score, agreement, size."""
    v = die.value
    readable = float(die.judged[:6].sum())
    agree = float(die.pattern.best == v)
    return np.array(
        [1.0, _odds(float(die.judged[v - 1]) / max(readable, 1e-6)), _odds(float(die.found[v - 1])),
         die.pattern.lead(v) * 10, float(die.pattern.scores[v - 1]), agree,
         min(die.edge, 40.0) / 40]
    )  # fmt: skip


def there_features(die: Die, dice: list[Die]) -> NDArray[np.float64]:
    """Return what speaks for a top face: reader, heat, lattice, and how it stands to hotter dice of the picture.

    Two top faces are an edge apart, so what lies nearer to a hotter die is its side, its pip or a group round it; and
    dice of one picture seldom differ much in size.
    """
    hotter = [d for d in dice if d is not die and d.heat * d.is_there > die.heat * die.is_there]
    apart = min((_apart(die, d) for d in hotter), default=9.0)
    hottest = max(hotter, key=lambda d: d.heat * d.is_there, default=die)
    return np.array(
        [
            1.0,
            _odds(die.is_there),
            _odds(die.heats[0]),
            _odds(die.heats[1]),
            float(die.pattern.scores.max()),
            max(0.0, 1 - apart),
            float(apart < WITHIN),
            float(any(_is_below(die, d) for d in hotter)),
            abs(float(np.log(die.edge / hottest.edge))),
        ]
    )


def _apart(one: Die, other: Die) -> float:
    """Distance of two middles in edges of the larger."""
    return float(np.hypot(*(one.centre - other.centre))) / max(one.edge, other.edge)


def _is_below(die: Die, other: Die) -> bool:
    """Whether a die stands where another one's side shows in an upright picture."""
    x, y = (die.centre - other.centre) / other.edge
    return bool(abs(x) < 0.6 and 0.3 < y < 1.0)


def touches(die: Die, dice: list[Die]) -> bool:
    """Return whether another of the dice is in contact with this one, or may be."""
    near = (float(np.hypot(*(die.centre - d.centre))) / max(die.edge, d.edge) for d in dice if d is not die)
    return min(near, default=9.0) < TOUCHING


def lies_flat(limit: Rules, lean: float | None, cocked: float, *, touching: bool, on_mat: bool) -> bool:
    """Return whether a die lies flat beyond doubt; ``lean`` is None where nothing tells how a flat one looks.

    Off the mat the view's tilt is unknown, and a die that leans on another can look just like a flat one.
    """
    if touching and not on_mat:
        return False
    lean_limit = limit.lean * (NEAR_LEAN if touching else 1.0)
    cocked_limit = limit.cocked * (NEAR_COCKED if touching else 1.0)
    return cocked <= cocked_limit and (lean is None or lean <= lean_limit)


def logistic(weights: tuple[float, ...], features: NDArray[np.float64]) -> float:
    """Probability from weights and features."""
    return float(1 / (1 + np.exp(-float(np.dot(weights, features)))))


def is_there(die: Die, dice: list[Die]) -> float:
    """Return the probability that this one of the picture's ``dice`` is a die's top face."""
    return logistic(rules().there, there_features(die, dice))


def confidence(die: Die) -> float:
    """Return the calibrated probability that the die shows its ``value``; of a very small one no more than UNTRIED."""
    score = float(np.dot(rules().value, value_features(die)))
    xs, ys = zip(*rules().curve, strict=True)
    found = float(np.interp(score, xs, ys))
    return found if die.edge >= SMALLEST_PX else min(found, UNTRIED)
