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
    """What was fitted: below ``sure`` the name is asked about."""

    sure: float
    weights: NDArray[np.float64]


@cache
def curve(of: str = "confidence") -> Curve:
    """Return a fitted curve: ``confidence.toml`` (``training/looks.py``), or ``bare.toml`` (``training/bare.py``)."""
    data = tomllib.loads(resources.files("vision").joinpath(f"{of}.toml").read_text(encoding="utf-8"))
    return Curve(data["sure"], np.array(data["curve"]))


def features(fit: float, margin: float, second: float) -> NDArray[np.float64]:
    """Return what a curve is over, shape (4,): how well a look fits, and two margins to its nearest rival."""
    return np.array([1.0, fit, min(margin, ENOUGH), min(second, ENOUGH)])


def confidence(fit: float, margin: float, second: float, of: str = "confidence") -> float:
    """Return the probability that the name is right, 0..1."""
    score = float(features(fit, margin, second) @ curve(of).weights)
    return float(1 / (1 + np.exp(-np.clip(score, -30, 30))))
