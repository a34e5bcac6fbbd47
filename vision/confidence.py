"""How probable a taught piece's name is, from how well its look fits and how clearly it is no other."""

from __future__ import annotations

import math

SURE = 0.98
MARGIN = 0.04
"""Margins fall off by this scale among rivals."""


def confidence(cosine: float, margin: float) -> float:
    """Return the probability that the name is right, 0..1."""
    return 1 / (1 + math.exp(-(-8.0 + 8.0 * cosine + 30 * margin)))
