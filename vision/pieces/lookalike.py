"""Pairs of taught pieces that the reader could confuse: they share artwork, and differ in little of what is seen.

Where a finger, a glare or another card hides that little, nobody can tell which of the two it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.gallery import Look
from vision.pieces.footprint import KIN, footprints


def look_alikes(looks: Sequence[Look]) -> tuple[tuple[str, str, float], ...]:
    """Give the pairs of names whose looks are alike, with their similarity 0..1, the most alike first."""
    pairs: dict[tuple[str, str], float] = {}
    for shape in footprints(looks):
        gram = shape.grams.sum(0)
        lengths = np.sqrt(np.diag(gram)) + 1e-9
        alike = gram / lengths[:, None] / lengths
        for i, j in zip(*np.nonzero(np.triu(alike, 1) >= KIN), strict=True):
            first, second = sorted((shape.names[i], shape.names[j]))
            if first != second:
                pairs[first, second] = max(float(alike[i, j]), pairs.get((first, second), 0.0))
    ranked = sorted(pairs.items(), key=lambda pair: -pair[1])
    return tuple((first, second, round(min(1.0, likeness), 3)) for (first, second), likeness in ranked)
