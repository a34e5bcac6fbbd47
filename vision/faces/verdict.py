"""From what was measured on a die to what may be promised: its name, how sure, or what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.faces.outline import Shape
from vision.faces.search import Upper
from vision.observation import LEAST_ALTERNATIVE, ComplaintKind

LEAST_SCORE = 0.77
"""Correlation of a print that is taken for a die by itself; printed words and artwork stayed below 0.765."""
FAINT_SCORE, LEAST_SUPPORT = 0.7, 0.08
"""With a lower one the outline must bear it out."""
CLEAR_SCORE = 0.88
"""A print that is this much alike needs no outline: white dice on white paper may show none."""
LEAN = 0.08
"""A face that is shorter by more leans; upright ones stayed below 0.06, those that lean on a die were above 0.1."""
BLUR = 0.16
"""A face that is longer by more is not to be trusted; motion blur that can be read through made it 0.1."""
MARGIN = 0.12
"""Lead over the next face below which the name is not sure."""
MEAN, WEAKEST = 0.45, 0.22
"""What the outline of a plain face must reach; leaning dice and shadows stayed below one of them."""
SHORT = 0.05
"""A plain face that is shorter by more leans."""
FLAT = 0.09
"""Standard deviation within a plain face, in parts of the paper's brightness."""
INK = 0.3
"""Part of a print's strength that is seen on a plain face."""
SURE = 0.98
"""Probability from which on a name is not asked about: each witness alone gives a little more at its limit."""


@dataclass(frozen=True)
class Verdict:
    """A die's name (None: not to be read), the probability that it is right, other names, and what is wrong."""

    name: str | None
    confidence: float
    alternatives: tuple[tuple[str, float], ...] = ()
    fault: ComplaintKind | None = None


def of_print(seen: Upper) -> Verdict | None:
    """Judge a printed face; None where there is no die."""
    fit = seen.fit
    if fit.score < LEAST_SCORE and (fit.score < FAINT_SCORE or seen.support < LEAST_SUPPORT):
        return None
    if fit.lean > LEAN:
        return Verdict(None, 0.0, fault="cocked-die")
    sure = _sure(seen)
    rest = 1 - sure
    weights = np.array([np.exp(8 * (rival.score - fit.score)) for rival in seen.rivals])
    shares = rest * weights / max(float(weights.sum()), 1e-9)
    pairs = ((rival.face.name, round(float(s), 4)) for rival, s in zip(seen.rivals, shares, strict=True))
    others = tuple(sorted((p for p in pairs if p[1] >= LEAST_ALTERNATIVE), key=lambda pair: -pair[1]))
    return Verdict(fit.face.name, round(sure, 4), others)


def of_plain(name: str, shape: Shape, unevenness: float, ink: float) -> Verdict | None:
    """Judge a face with nothing on it by its shape; ``ink`` is how much of another face's print is there (0..1)."""
    if shape.mean < MEAN or shape.weakest < WEAKEST or shape.short > SHORT or unevenness > FLAT or ink > INK:
        return None
    return Verdict(name, 0.995)


def _sure(seen: Upper) -> float:
    """Return the probability that a printed face has its name."""
    parts = (
        np.interp(seen.fit.score, (0.7, 0.77, 0.85), (0.6, 0.985, 0.999)),
        np.interp(seen.margin, (0.0, MARGIN, 0.25), (0.5, 0.985, 0.999)),
        np.interp(seen.fit.lean, (0.06, LEAN), (1.0, 0.9)),
        np.interp(seen.fit.blur, (0.12, BLUR), (1.0, 0.9)),
        1.0 if seen.fit.score >= CLEAR_SCORE else np.interp(seen.support, (0.015, 0.04), (0.5, 1.0)),
    )
    return float(np.prod(parts))
