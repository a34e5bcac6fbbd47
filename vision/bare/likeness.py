"""Which taught look a straightened piece shows, and how clearly it is no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.bare.album import Page, Print, coarse
from vision.bare.fit import Fit, Sight, fit, lay, sight, template
from vision.bare.patch import Field, blurred, halved, opponent
from vision.picture import Picture

FIRST = 10  # looks of each handedness that are laid over the piece at half scale, for a wide catch
NEXT = 6  # names among these, that are laid more closely, and then compared at full scale
WIDE, CLOSE = 1.5, 0.75  # blur of the two, in px of the half grid
SOFT = 1.5  # px of the grid: thin lines a little beside one another still agree
COARSE = 3.0  # px of the grid: lines are gone, fills and forms remain
BLURS = (1.5, 2.4)  # of the look: as soft as the piece, or the piece out of focus
HALF_ROUNDS, ROUNDS = 3, 6


@dataclass(frozen=True, eq=False)
class Glance:
    """A piece looked at once: its colours, the prints that may be it (best first), where they fit, how well (0..1)."""

    page: Page
    seen: Field
    prints: tuple[Print, ...]
    shifts: tuple[NDArray[np.float64], ...]
    scores: tuple[float, ...]

    def best(self, *, mirrored: bool) -> float:
        """Return the best score of one handedness."""
        return max((s for p, s in zip(self.prints, self.scores, strict=True) if p.mirrored == mirrored), default=0.0)


@dataclass(frozen=True, eq=False)
class Likeness:
    """The name that fits best. ``score`` (up to 1) is the share of what is seen that it explains.

    ``margin`` says how clearly it is no other name, by what is seen where the two differ: 0.5 is exactly this, 0
    undecided, below 0 rather the other. Two witnesses are heard, the lines and the coarse forms alone; it is the lesser
    of theirs. ``rivals`` are the other names in question with the first one's margins, nearest first.
    """

    print: Print
    score: float
    margin: float
    rivals: tuple[tuple[str, float], ...]


def glance(piece: Picture, page: Page) -> Glance:
    """Choose the prints that a piece (straightened on the page's grid) may show, at half scale."""
    seen = opponent(piece)
    small = halved(seen)
    alike = page.coarse @ coarse(small)
    left = [(i, np.zeros(8)) for hand in page.hands for i in sorted(hand, key=lambda i: -alike[i])[:FIRST]]
    scores = np.full(len(page.prints), -np.inf)
    shifts: dict[int, NDArray[np.float64]] = {}
    half = page.grid.half
    for sigma in (WIDE, CLOSE):
        soft = sight(half, blurred(small, sigma))
        scores[:] = -np.inf
        for i, shift in left:
            one = fit(soft, template(half, blurred(page.halves[i], sigma)), HALF_ROUNDS, shift)
            scores[i], shifts[i] = _score(one, soft), one.shift
        left = [(i, shifts[i]) for hand in page.hands for i in _best_by_name(page, scores, hand)]
    left.sort(key=lambda pair: -scores[pair[0]])
    prints = tuple(page.prints[i] for i, _ in left)
    return Glance(page, seen, prints, tuple(2 * shift for _, shift in left), tuple(float(scores[i]) for i, _ in left))


def likeness(first: Glance, hands: Sequence[bool]) -> Likeness:
    """Compare the prints of these handednesses closely."""
    pairs = [(p, s) for p, s in zip(first.prints, first.shifts, strict=True) if p.mirrored in hands]
    grid = first.page.grid
    seen = sight(grid, blurred(first.seen, SOFT))
    prints = [p for p, _ in pairs]
    tries = [
        [fit(seen, template(grid, blurred(one.field(), sigma)), ROUNDS, shift) for one, shift in pairs]
        for sigma in BLURS
    ]
    fits = min(tries, key=lambda row: min(one.cost for one in row))
    best = max(range(len(fits)), key=lambda i: _score(fits[i], seen))
    coarsely = sight(grid, blurred(first.seen, COARSE))
    coarse_fits = [lay(coarsely, blurred(p.field(), COARSE), one.shift) for p, one in zip(prints, fits, strict=True)]
    margins, coarse_margins = _margins(seen, prints, fits, best), _margins(coarsely, prints, coarse_fits, best)
    rivals = tuple(sorted(margins.items(), key=lambda pair: pair[1]))
    margin = min([0.5, *margins.values(), *coarse_margins.values()])
    return Likeness(prints[best], _score(fits[best], seen), margin, rivals)


def _best_by_name(page: Page, scores: NDArray[np.float64], hand: range) -> list[int]:
    """Return the numbers of the prints of one handedness that score best, one of each name."""
    best: dict[str, int] = {}
    for i in sorted((i for i in hand if np.isfinite(scores[i])), key=lambda i: -scores[i]):
        best.setdefault(page.prints[i].name, i)
    return list(best.values())[:NEXT]


def _score(one: Fit, seen: Sight) -> float:
    return 1 - one.misfit / max(seen.power, 1e-6)


def _margins(seen: Sight, prints: Sequence[Print], fits: Sequence[Fit], best: int) -> dict[str, float]:
    """Return how clearly it is the best one and not another, by the other names."""
    margins: dict[str, float] = {}
    for other, one in zip(prints, fits, strict=True):
        if other.name != prints[best].name:
            apart = fits[best].values - one.values
            middle = (fits[best].values + one.values) / 2
            margin = float(np.vdot(seen.values - middle, apart)) / max(float(np.vdot(apart, apart)), 1e-6)
            margins[other.name] = min(margin, margins.get(other.name, margin))
    return margins
