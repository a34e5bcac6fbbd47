"""How probable a taught piece's name is, from how well its look fits and how clearly it is no other."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

ENOUGH = 0.4
"""A margin above this says no more than this; 0.5 is the look itself."""


@dataclass(frozen=True)
class Curve:
    """What ``training/looks.py`` fitted: below ``sure`` the name is asked about."""

    sure: float
    weights: NDArray[np.float64]


@cache
def curve() -> Curve:
    """Return the fitted curve, ``confidence.toml``."""
    data = tomllib.loads(resources.files("vision").joinpath("confidence.toml").read_text(encoding="utf-8"))
    return Curve(data["sure"], np.array(data["curve"]))


def features(cosine: float, margin: float, strict: float) -> NDArray[np.float64]:
    """Return what the curve is over, shape (4,)."""
    return np.array([1.0, cosine, min(margin, ENOUGH), min(strict, ENOUGH)])


def confidence(cosine: float, margin: float, strict: float) -> float:
    """Return the probability that the name is right, 0..1."""
    score = float(features(cosine, margin, strict) @ curve().weights)
    return float(1 / (1 + np.exp(-np.clip(score, -30, 30))))
