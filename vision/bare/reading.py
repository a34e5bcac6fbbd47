"""Cards and tiles of any box, without a mat: taught by pictures that one piece fills, read wherever they lie.

The scale is unknown, so a piece is what has a taught shape, a taught look and, among several, their size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import light
from vision.bare.album import Page, album
from vision.bare.likeness import Glance, Likeness, glance, likeness
from vision.bare.outline import Outline, outlines, overlap
from vision.bare.remains import remains
from vision.confidence import confidence, curve
from vision.gallery import Look
from vision.observation import Complaint, ComplaintKind, Point, Sighting
from vision.picture import Picture
from vision.pieces.scene import BACK, alternatives

Points = NDArray[np.float32]
Found = tuple[tuple[Sighting, ...], tuple[Complaint, ...], bool]

MOST_PX = 1280  # a larger picture is made smaller: pieces have pixels enough
CLEAR = 0.75  # support of an outline that may be a piece
FORESHORTENED = 1.35  # by which a tilted view may change a height by its width
CONTAINED = 0.3  # of the smaller outline's area: more than that in common, and only one of them is a piece
LEAST_SCORE = 0.35  # a look that explains less than this of what is seen is not there
HAND_LEAD = 0.3  # summed scores by which a picture's handedness is decided for all its pieces
FILLED = 0.2  # of a teaching picture, at least, is the piece
PLAIN_LEVELS = 16.0  # by which a ground's pixels differ on average from its usual colour
CURVE = "bare"
NEAREST = 4  # rivals that are told
SIZES = (0.4, 2.5)  # of the usual piece's area: what may be another


@dataclass(frozen=True, eq=False)
class _Seen:
    """An outline, its corners as the grid of the best page has them, and what it looks like there."""

    outline: Outline
    corners: Points
    first: Glance

    @property
    def score(self) -> float:
        return self.first.scores[0]


def teach_bare(picture: Picture) -> tuple[Picture, NDArray[np.uint8]] | ComplaintKind:
    """Return the one piece that fills a BGR picture, and its mask; or why the picture can't teach.

    The ground around a piece is cut away where it shows on all sides.
    """
    fault = light.fault(picture)
    if fault is not None:
        return fault
    small, _ = _handy(picture)
    piece = next((o for o in outlines(small) if o.support >= CLEAR and _fills(small, o)), None)
    crop = small if piece is None else _cut(small, piece.corners)
    height, width, _ = crop.shape
    return crop, np.full((height, width), 255, np.uint8)


def read_bare(picture: Picture, looks: Sequence[Look]) -> Found:
    """Name the pieces in a BGR picture without a mat: the sightings, what hinders, and whether to trust it all."""
    small, scale = _handy(picture)
    around = [o for o in outlines(small) if o.support >= CLEAR]
    pieces = _pieces(small, around, album(tuple(looks)))
    named = _named(pieces)
    strange = [o.corners.mean(0) for o in _unexplained(around, pieces)]
    strange += [np.array(at) for at in remains(small, [s.outline.corners for s in pieces])] if pieces else []
    complaints = [Complaint("unknown-piece", _point(at, scale)) for at in strange]
    if not named and not complaints:
        complaints = [Complaint("unknown-piece")]
    sightings = tuple(_sighting(s, like, scale) for s, like in zip(pieces, named, strict=True))
    sure = not complaints and all(s.confidence >= curve(CURVE).sure for s in sightings)
    return sightings, tuple(complaints), sure


def named_pieces(picture: Picture, looks: Sequence[Look]) -> list[tuple[Points, Likeness]]:
    """Return the corners (4, 2) of what was taken for pieces, in px of the picture, and what each looks like."""
    small, scale = _handy(picture)
    around = [o for o in outlines(small) if o.support >= CLEAR]
    pieces = _pieces(small, around, album(tuple(looks)))
    places = [((s.outline.corners + 0.5) / scale - 0.5).astype(np.float32) for s in pieces]
    return list(zip(places, _named(pieces), strict=True))


def _handy(picture: Picture) -> tuple[Picture, float]:
    """Return the picture at a size that is enough, and its scale."""
    scale = min(1.0, MOST_PX / max(picture.shape[:2]))
    if scale == 1:
        return picture, scale
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def _pieces(picture: Picture, around: Sequence[Outline], pages: Sequence[Page]) -> list[_Seen]:
    """Return the outlines that show a taught look, or the whole picture where it is one piece."""
    pieces = _apart([s for o in around if (s := _look(picture, o, pages)) is not None])
    return pieces or _apart([s for s in [_look(picture, _whole(picture), pages)] if s is not None])


def _named(pieces: Sequence[_Seen]) -> list[Likeness]:
    hands = _hands(pieces)
    return [likeness(s.first, hands) for s in pieces]


def _fills(picture: Picture, outline: Outline) -> bool:
    """Whether an outline holds a good part of the picture, and around it is nothing but one plain ground."""
    height, width = picture.shape[:2]
    if outline.area < FILLED * height * width:
        return False
    around = np.full((height, width), 255, np.uint8)
    cv2.fillConvexPoly(around, np.round(outline.corners).astype(np.int32), 0)
    around = np.asarray(cv2.erode(around, np.ones((9, 9), np.uint8), borderValue=255), np.uint8)
    ground = picture[around > 0].astype(np.float32)
    rims = [around[0], around[-1], around[:, 0], around[:, -1]]
    shows = all((rim > 0).mean() > 0.9 for rim in rims) and len(ground) > 0
    return shows and float(np.abs(ground - np.median(ground, 0)).mean()) < PLAIN_LEVELS


def _cut(picture: Picture, corners: Points) -> Picture:
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1)
    width, height = round(float(sides[0] + sides[2]) / 2), round(float(sides[1] + sides[3]) / 2)
    to = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners, to)
    return np.asarray(cv2.warpPerspective(picture, matrix, (width, height), flags=cv2.INTER_LINEAR), np.uint8)


def _whole(picture: Picture) -> Outline:
    height, width = picture.shape[:2]
    return Outline(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5, 1.0)


def _look(picture: Picture, outline: Outline, pages: Sequence[Page]) -> _Seen | None:
    """Look at an outline as a piece of every shape that it may have; None where it can't be any."""
    tries = [
        _Seen(outline, corners, glance(page.grid.straightened(picture, corners), page))
        for page in pages
        for corners in _stances(outline.corners, page.aspect)
    ]
    return max(tries, key=lambda s: s.score, default=None)


def _stances(corners: Points, aspect: float) -> list[Points]:
    """Return the corners as an upright piece has them, in the ways that its height by width allows."""
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1)
    ratio = float((sides[1] + sides[3]) / (sides[0] + sides[2]))
    stood = [(corners, ratio), (np.roll(corners, -1, 0), 1 / ratio)]
    fitting = [c for c, r in stood if 1 / FORESHORTENED < r / aspect < FORESHORTENED]
    return fitting[:1] if aspect == 1 else fitting


def _apart(seen: Sequence[_Seen]) -> list[_Seen]:
    """Return those that show a look, without what lies in or over a better one."""
    kept: list[_Seen] = []
    for one in sorted(seen, key=lambda s: -s.score):
        if one.score >= LEAST_SCORE and not any(_shared(one.outline, k.outline) > CONTAINED for k in kept):
            kept.append(one)
    return kept


def _shared(a: Outline, b: Outline) -> float:
    """Return the shared area by the smaller one's."""
    both = overlap(a, b)
    joined = (a.area + b.area) / (1 + both)
    return both * joined / min(a.area, b.area)


def _hands(pieces: Sequence[_Seen]) -> tuple[bool, ...]:
    """Return which handedness the picture has against the gallery: one, or both where that is not decided."""
    lead = sum(s.first.best(mirrored=True) - s.first.best(mirrored=False) for s in pieces)
    if abs(lead) < HAND_LEAD:
        return (False, True)
    return (lead > 0,)


def _unexplained(around: Sequence[Outline], pieces: Sequence[_Seen]) -> list[Outline]:
    """Return the outlines of about a piece's size where no piece was named."""
    usual = float(np.median([s.outline.area for s in pieces])) if pieces else None
    return [
        o
        for o in around
        if (usual is None or SIZES[0] < o.area / usual < SIZES[1])
        and not any(_shared(o, s.outline) > CONTAINED for s in pieces)
    ]


def _point(at: NDArray[np.floating], scale: float) -> Point:
    x, y = (at + 0.5) / scale - 0.5
    return float(x), float(y)


def _sighting(seen: _Seen, like: Likeness, scale: float) -> Sighting:
    corners = (seen.corners + 0.5) / scale - 0.5
    low, high = corners.min(0), corners.max(0)
    top = corners[1] - corners[0] + corners[2] - corners[3]
    angle = float(np.degrees(np.arctan2(top[1], top[0]))) + like.print.angle_deg
    right = confidence(like.score, like.margin, like.margin, CURVE)
    down = like.print.name.endswith(BACK)
    return Sighting(
        kind=like.print.kind,
        name=None if down else like.print.name,
        confidence=0.0 if down else round(right, 4),
        alternatives=() if down else alternatives(like.rivals[:NEAREST], right),
        face="down" if down else "up",
        region=None,
        center_px=_point(seen.corners.mean(0), scale),
        center_mm=None,
        angle_deg=round((angle + 180) % 360 - 180, 1),
        box_px=(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])),
    )
