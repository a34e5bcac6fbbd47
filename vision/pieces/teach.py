"""From a photograph of pieces that lie apart on a mat to their looks: outlines found, rowed, straightened, cut out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import light
from vision.gallery import PX_PER_MM
from vision.mat.mat import Mat
from vision.observation import ComplaintKind, Kind
from vision.picture import Picture
from vision.pieces.compare import Level, Pose
from vision.pieces.find import Blob, find
from vision.pieces.footprint import ROUND, SAME_SIZE
from vision.pieces.ground import PX_PER_MM as PAGE_PX_PER_MM
from vision.pieces.ground import Field, Ground, ground, natural

LEAST_MM = 4.0
"""Things with a smaller side are dust, or print; of a white die on white paper only the picture on top is seen."""
BRIDGES = (5, 3, 7)
"""A sheet's names say how many pieces lie there: neighbours may be joined, a pale card may be seen in two parts."""
ROW = 0.6
"""Of a piece's height: what lies lower by more begins a new row."""
BURNT_SHARE = 0.25
SEARCH_MM = 6.0
EDGE_CAP = 0.15


@dataclass(frozen=True, eq=False)
class Cut:
    """A piece cut out: ``picture`` BGR uint8 at the gallery's scale, ``mask`` 255 on it, its size in page mm.

    ``burnt``: the lamp's reflection has washed out too much of it to teach.
    """

    picture: Picture
    mask: NDArray[np.uint8]
    size_mm: tuple[float, float]
    center_mm: tuple[float, float]
    kind: Kind
    burnt: bool


@dataclass(frozen=True)
class Unfit:
    """Why a picture can't teach: one of the complaints' kinds, or the ``count`` of pieces that were found."""

    reason: ComplaintKind | None
    count: int = 0


def cut_pieces(picture: Picture, mat: Mat, count: int) -> tuple[Cut, ...] | Unfit:
    """Cut ``count`` pieces out of a picture of a mat, in reading order: rows from the top, each from the left."""
    fault = light.fault(picture)
    if fault is not None:
        return Unfit(fault)
    page = ground(picture, mat)
    tries = [_lying(page, bridge) for bridge in BRIDGES]
    lying = next((one for one in tries if len(one) == count), None)
    if lying is None:
        return Unfit(None, len(tries[0]))
    rowed = _rowed(_evened(lying))
    edges = _edges(page.colour)
    return tuple(_cut(page, one, _snapped(edges, one)) for one in rowed)


def _lying(page: Ground, bridge: int) -> list[_Lying]:
    found = [_Lying.of(blob) for blob in find(page, bridge).blobs]
    return [one for one in found if min(one.width, one.height) >= LEAST_MM]


@dataclass(frozen=True)
class _Lying:
    """A piece as it lies: upright within 45 degrees, lengths in page mm."""

    x: float
    y: float
    width: float
    height: float
    turn_deg: float
    disc: bool
    loose: float = 0.0
    """By how much its outline disagrees with those of its like, in mm."""

    @classmethod
    def of(cls, blob: Blob) -> _Lying:
        (x, y), (w, h), turn = blob.rect
        disc = blob.area < ROUND * w * h and max(w, h) < (1 + SAME_SIZE) * min(w, h)
        while turn > 45:
            turn, w, h = turn - 90, h, w
        while turn <= -45:
            turn, w, h = turn + 90, h, w
        return cls(x, y, w, h, 0.0 if disc else turn, disc)


def _evened(lying: list[_Lying]) -> list[_Lying]:
    """Give pieces of about one size the same size: the median of theirs."""
    out = []
    for one in lying:
        like = [o for o in lying if o.disc == one.disc and _near(o.width, one.width) and _near(o.height, one.height)]
        w, h = float(np.median([o.width for o in like])), float(np.median([o.height for o in like]))
        if one.disc:
            w = h = (w + h) / 2
        loose = max(abs(one.width - w), abs(one.height - h))
        out.append(_Lying(one.x, one.y, w, h, one.turn_deg, one.disc, loose))
    return out


def _near(a: float, b: float) -> bool:
    return abs(a / b - 1) < SAME_SIZE * 1.5


def _rowed(lying: list[_Lying]) -> list[_Lying]:
    rows: list[list[_Lying]] = []
    for one in sorted(lying, key=lambda piece: piece.y):
        if rows and one.y - rows[-1][0].y <= ROW * one.height:
            rows[-1].append(one)
        else:
            rows.append([one])
    return [one for row in rows for one in sorted(row, key=lambda piece: piece.x)]


def _snapped(edges: Field, one: _Lying) -> Pose:
    """Move an outline to where the edges are: it was found to a millimetre, or worse where a side is pale."""
    reach = min(SEARCH_MM, 0.5 + one.loose)
    steps = np.arange(-reach, reach + 0.1, 0.5)
    turns = (0.0,) if one.disc else (-1.5, -0.75, 0.0, 0.75, 1.5)
    best, pose = -1.0, Pose(one.x, one.y, one.turn_deg)
    for turn, dx, dy in product(turns, steps.tolist(), steps.tolist()):
        x, y = _rim(one, turn, dx, dy).T
        i = np.clip(np.round(x * PAGE_PX_PER_MM).astype(int), 0, edges.shape[1] - 1)
        j = np.clip(np.round(y * PAGE_PX_PER_MM).astype(int), 0, edges.shape[0] - 1)
        score = float(edges[j, i].mean()) - 0.002 * float(np.hypot(dx, dy))
        if score > best:
            best, pose = score, Pose(one.x + dx, one.y + dy, one.turn_deg + turn)
    return pose


def _rim(one: _Lying, turn: float, dx: float, dy: float) -> NDArray[np.float64]:
    """Points along a piece's outline in page mm, (n, 2)."""
    w, h = one.width / 2, one.height / 2
    if one.disc:
        angle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        local = np.stack([w * np.cos(angle), h * np.sin(angle)], 1)
    else:
        along = np.linspace(-0.94, 0.94, 24)
        sides = [(along * w, np.full(24, s * h)) for s in (-1, 1)] + [(np.full(24, s * w), along * h) for s in (-1, 1)]
        local = np.concatenate([np.stack(side, 1) for side in sides])
    angle_rad = np.deg2rad(one.turn_deg + turn)
    c, s = np.cos(angle_rad), np.sin(angle_rad)
    return np.asarray(local @ np.array([[c, s], [-s, c]]) + (one.x + dx, one.y + dy))


def _edges(colour: Field) -> Field:
    """How much any of the colours changes at each pixel, strong edges no more than clear ones."""
    across = cv2.Sobel(colour, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    along = cv2.Sobel(colour, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    strength = np.sqrt((across**2 + along**2).max(2))
    return np.asarray(np.minimum(strength, EDGE_CAP), np.float32)


def _cut(page: Ground, one: _Lying, pose: Pose) -> Cut:
    size = (round(one.width * PX_PER_MM), round(one.height * PX_PER_MM))
    colour = Level(page.colour, PAGE_PX_PER_MM, 0.0).sample(pose, size, PX_PER_MM)
    mask = np.full(size[::-1], 255, np.uint8)
    if one.disc:
        mask[:] = 0
        cv2.circle(mask, (size[0] // 2, size[1] // 2), min(size) // 2, 255, -1)
    size_mm = (size[0] / PX_PER_MM, size[1] / PX_PER_MM)
    kind: Kind = "token" if one.disc else "card"
    return Cut(natural(colour), mask, size_mm, (pose.x, pose.y), kind, _is_burnt(page, one))


def _is_burnt(page: Ground, one: _Lying) -> bool:
    """Whether the lamp's reflection has washed out a good part of a piece."""
    size = (round(one.width * PAGE_PX_PER_MM), round(one.height * PAGE_PX_PER_MM))
    middle = (one.x * PAGE_PX_PER_MM, one.y * PAGE_PX_PER_MM)
    part = cv2.getRectSubPix(page.view, size, middle)
    return float((part.min(2) >= light.BURNT_LEVEL).mean()) > BURNT_SHARE
