"""Which taught look lies at a place on the page, how well it fits, and how clearly it is no other."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.compare import Level, Pose, Products, Template, Vector, align, channels, explained, flat, gains
from vision.pieces.footprint import COARSE, FINE, Footprint
from vision.pieces.ground import PX_PER_MM, Ground

REACH = 0.15
"""A turn whose likeness at the coarse scale is further below the best is not followed."""
CLOSE, CLOSE_OTHER = 0.03, 0.08
"""The same after alignment, where the turn's best look has the same name, and where it has another."""
ROUNDS = 4
"""Steps of an alignment; most have settled by then."""
MOST_TURNS = 4
APART_STEPS = 3
"""Turns of a disc nearer than this many steps are one."""


FITS = 0.85
FAIRLY = 0.6
"""Cosines at which a look explains a place: whoever its rival is, and where no rival fits it better."""


@dataclass(frozen=True, eq=False)
class Page:
    """The page at the two scales at which looks are compared."""

    coarse: Level
    fine: Level


def levels(page: Ground) -> Page:
    """Make the two scales of a page."""
    half = PX_PER_MM / COARSE
    small = cv2.resize(page.colour, None, fx=1 / half, fy=1 / half, interpolation=cv2.INTER_AREA)
    offset = (half - 1) / 2 / PX_PER_MM  # a small pixel's middle lies between the middles of those it covers
    return Page(Level(np.asarray(small, np.float32), COARSE, offset), Level(page.colour, FINE, 0.0))


@dataclass(frozen=True, eq=False)
class Likeness:
    """A look laid on the page: ``cosine`` says how well it fits, -1..1.

    ``margin`` says how clearly it is this look and no other: 0.5 exactly this, 0 undecided, below 0 rather another;
    ``rivals`` are the other names with their margins, nearest first. ``strict`` is the same with what is
    seen at the strength at which it fits: the less it fits, the weaker, so that foreign things are like a pale look.
    """

    footprint: Footprint
    name: str
    pose: Pose
    cosine: float
    margin: float
    strict: float
    rivals: tuple[tuple[str, float], ...]


def is_taken(seen: Likeness) -> bool:
    """Whether a look explains the place that it was laid on: foreign things are like several looks, and like none."""
    return seen.cosine >= FITS or (seen.cosine >= FAIRLY and seen.strict > 0)


def likeness(page: Page, footprint: Footprint, pose: Pose) -> float:
    """How much any look of the footprint fits at the pose in any turn, at the coarse scale, -1..1."""
    return float(_bank(page, footprint, pose).max())


def recognise(page: Page, footprint: Footprint, pose: Pose) -> Likeness:
    """Name what lies near a pose: find the turn, align the looks that come into question, compare them."""
    at = _first(page, footprint, pose)
    scores = _bank(page, footprint, at)
    tried = []
    for look, turn in _turns(footprint, scores):
        moved, _, score = align(page.coarse, footprint.coarse[look], _turned(at, footprint.turns[turn]), ROUNDS)
        tried.append((score, look, moved))
    best, first, _ = max(tried, key=lambda one: one[0])
    names = footprint.names
    finals = [
        _settle(page, footprint, look, at)
        for score, look, at in tried
        if score >= best - (CLOSE if names[look] == names[first] else CLOSE_OTHER)
    ]
    finals.sort(key=lambda final: -final.cosine)
    return _judged(footprint, finals)


@dataclass(frozen=True, eq=False)
class _Final:
    """A look aligned at the fine scale: what is seen there by channel (3, n), and its products with all looks."""

    look: int
    pose: Pose
    seen: Vector
    fits: Products
    cosine: float


def _first(page: Page, footprint: Footprint, pose: Pose) -> Pose:
    """Put the pose right by aligning whichever look fits best there; its turn stays within the outline's."""
    scores = _bank(page, footprint, pose)
    look, turn = np.unravel_index(int(scores.argmax()), scores.shape)
    start = _turned(pose, footprint.turns[int(turn)])
    return align(page.coarse, footprint.coarse[int(look)], start, ROUNDS)[0]


def _bank(page: Page, footprint: Footprint, pose: Pose) -> NDArray[np.float32]:
    """Likeness of each look (rows) in each turn (columns)."""
    look = footprint.coarse[0]
    seen = flat(page.coarse.sample(pose, look.size, look.px_per_mm), footprint.sparse)
    scores = footprint.bank @ seen / (float(np.linalg.norm(seen)) + 1e-9)
    return np.asarray(scores.reshape(len(footprint.names), -1), np.float32)


def _turns(footprint: Footprint, scores: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Give the turns worth following, each with its best look."""
    best, look = scores.max(0), scores.argmax(0)
    count = len(best)
    out: list[tuple[int, int]] = []
    for turn in np.argsort(-best).tolist():
        if best[turn] < best.max() - REACH or len(out) == MOST_TURNS:
            break
        near = APART_STEPS if footprint.disc else 0
        if all(min((turn - other) % count, (other - turn) % count) > near for _, other in out):
            out.append((int(look[turn]), turn))
    return out


def _turned(pose: Pose, turn: float) -> Pose:
    return Pose(pose.x, pose.y, pose.turn_deg + turn, pose.scale)


def _settle(page: Page, footprint: Footprint, look: int, pose: Pose) -> _Final:
    """Align at the fine scale, and change to the look that explains most there until it is the aligned one."""
    powers = _powers(footprint)
    for _ in range(3):
        pose, values, score = align(page.fine, footprint.fine[look], pose, ROUNDS)
        seen = channels(values)
        fits = np.stack([plane @ part for plane, part in zip(footprint.planes, seen, strict=True)]).astype(np.float64)
        other = int(explained(fits, powers, gains(fits, powers)).argmax())
        if other == look:
            break
        look = other
    return _Final(look, pose, seen, fits, score)


def _powers(footprint: Footprint) -> Products:
    return np.asarray(np.diagonal(footprint.grams, axis1=1, axis2=2))


def _judged(footprint: Footprint, finals: list[_Final]) -> Likeness:
    best = finals[0]
    margins = _nearest(footprint, _margins(footprint, best))
    strict = _nearest(footprint, _strict(footprint, best))
    for other in finals[1:]:
        name = footprint.names[other.look]
        margins[name] = min(_margin_turned(footprint, best, other), margins[name])
    name = footprint.names[best.look]
    rivals = sorted(((other, margin) for other, margin in margins.items() if other != name), key=lambda pair: pair[1])
    margin = rivals[0][1] if rivals else 0.5
    least = min((value for other, value in strict.items() if other != name), default=0.5)
    return Likeness(footprint, name, best.pose, best.cosine, margin, least, tuple(rivals[:4]))


def _nearest(footprint: Footprint, margins: NDArray[np.float64]) -> dict[str, float]:
    out: dict[str, float] = {}
    for name, margin in zip(footprint.names, margins.tolist(), strict=True):
        out[name] = min(margin, out.get(name, margin))
    return out


def _strict(footprint: Footprint, final: _Final) -> NDArray[np.float64]:
    """Project what is seen on the difference of the look and each other, all channels at one strength."""
    fits, gram, look = final.fits.sum(0), footprint.grams.sum(0), final.look
    own = np.diag(gram)
    strength = fits[look] / (float((final.seen**2).sum()) + 1e-9)
    apart = gram[look, look] + own - 2 * gram[look]
    return np.asarray((strength * (fits[look] - fits) - (gram[look, look] - own) / 2) / (apart + 1e-9))


def _margins(footprint: Footprint, final: _Final) -> NDArray[np.float64]:
    """How much better the look explains what is seen than each other, against how much they differ."""
    look, powers = final.look, _powers(footprint)
    strength = gains(final.fits, powers)
    gained = explained(final.fits, powers, strength)
    own = strength[:, look, None]
    apart = (own**2 * powers[:, look, None] + strength**2 * powers - 2 * own * strength * footprint.grams[:, look]).sum(
        0
    )
    return np.asarray((gained[look] - gained) / (2 * apart + 1e-9))


def _margin_turned(footprint: Footprint, best: _Final, other: _Final) -> float:
    """Give the same against a look that lies in another turn."""
    turned = channels(_as_seen_from(footprint.fine[other.look], other.pose, best.pose))
    pair = np.stack([footprint.planes[:, best.look], turned], 1).astype(np.float64)
    fits, powers = (pair * best.seen[:, None]).sum(2), (pair**2).sum(2)
    strength = gains(fits, powers)
    gained = explained(fits, powers, strength)
    apart = ((strength[:, 0, None] * pair[:, 0] - strength[:, 1, None] * pair[:, 1]) ** 2).sum()
    return float((gained[0] - gained[1]) / (2 * apart + 1e-9))


def _as_seen_from(look: Template, pose: Pose, frame: Pose) -> Vector:
    """Show a look that lies at one pose in the frame of another."""
    angle = np.deg2rad(-pose.turn_deg)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    dx, dy = frame.x - pose.x, frame.y - pose.y
    x, y = (c * dx - s * dy) / pose.scale, (s * dx + c * dy) / pose.scale
    middle = ((look.size[0] - 1) / 2 / look.px_per_mm, (look.size[1] - 1) / 2 / look.px_per_mm)
    level = Level(look.colour, look.px_per_mm, 0.0)
    at = Pose(middle[0] + x, middle[1] + y, frame.turn_deg - pose.turn_deg, frame.scale / pose.scale)
    return flat(level.sample(at, look.size, look.px_per_mm), look.inside)
