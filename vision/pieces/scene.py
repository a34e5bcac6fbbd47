"""The taught cards, tiles and tokens on a mat, as sightings; and what nothing explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.confidence import confidence
from vision.gallery import Look
from vision.light import BURNT_LEVEL
from vision.mat.layout import Layout, Region
from vision.mat.mat import Mat
from vision.observation import LEAST_ALTERNATIVE, Complaint, ComplaintKind, Point, Sighting
from vision.picture import Picture
from vision.pieces.explain import explain, outline
from vision.pieces.find import Blob, find
from vision.pieces.footprint import Footprint, footprints
from vision.pieces.ground import PX_PER_MM, Ground, ground
from vision.pieces.naming import Likeness, levels

BACK = "back"
"""The end of the names of face-down looks."""
MOST_PIECE = 1.5
"""What is larger than the largest piece by this is a hand, a cup or a book, which may hide others."""
COMPACT = 0.75
"""A thing of a card's size that fills less of its rectangle is none either."""
TOUCHING_MM = 6.0
"""Between a piece and what is left of its neighbour: the rim that is counted as the piece's own, and a pixel or two."""
BURNT_SHARE = 0.15
"""A thing of which more than this share is at white, in all channels, can't be read for glare."""
HIDING = 0.5
"""A piece of which less than this share is hidden would show beside what hides it."""
CRUMB, CROSSING = 0.1, 0.85
"""What is this much smaller than any piece and lies across a region's line is the end of something outside."""
FALL = 0.04
"""Rivals share what is left of the probability; one whose margin is larger by this gets a third (1/e)."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What was read on a page: ``rest`` are the things that no taught card, tile or token explains.

    ``outlines`` are those of the pieces, (n, 2) each in page mm; ``shapes`` what was looked for.
    """

    pieces: tuple[Sighting, ...]
    complaints: tuple[Complaint, ...]
    rest: tuple[Blob, ...]
    outlines: tuple[NDArray[np.float32], ...]
    page: Ground
    shapes: tuple[Footprint, ...]


@lru_cache(maxsize=8)
def shapes_of(looks: tuple[Look, ...]) -> tuple[Footprint, ...]:
    """Make looks ready, once."""
    return footprints(looks)


def read_scene(picture: Picture, mat: Mat, looks: Sequence[Look]) -> Scene:
    """Read the cards, tiles and tokens of a mat. Dice are left in ``rest``."""
    page = ground(picture, mat)
    shapes = shapes_of(tuple(looks))
    explained = explain(levels(page), find(page), shapes)
    sightings, complaints = [], []
    for piece in explained.pieces:
        sighting = _sighting(piece, mat)
        sightings.append(sighting)
        complaints += _complaints(sighting, mat)
    outlines = tuple(outline(piece.footprint, piece.pose) for piece in explained.pieces)
    return Scene(tuple(sightings), tuple(complaints), explained.rest, outlines, page, shapes)


def unexplained(scene: Scene, rest: Sequence[Blob], mat: Mat) -> dict[Blob, Complaint]:
    """Complain of what lies on a mat's regions and is not known: ``rest`` of a scene without its dice.

    Of a thing that lies mostly off the regions only as much counts as could hide the smallest piece.
    """
    least = min((shape.area for shape in scene.shapes), default=0.0)
    return {
        blob: Complaint(_kind(scene, blob), mat.px([blob.rect[0]])[0])
        for blob in rest
        if _matters(blob, mat.layout, least)
    }


def _matters(blob: Blob, layout: Layout, least: float) -> bool:
    inside = _inside(blob, layout)
    is_crumb = blob.area < CRUMB * least and inside < CROSSING * blob.area
    return inside > min(blob.area, least) * HIDING and not is_crumb


def _kind(scene: Scene, blob: Blob) -> ComplaintKind:
    """Say what keeps a thing from being known, by what a person can do about it."""
    if _burnt_share(scene.page, blob) > BURNT_SHARE:
        return "glare"
    most = max((shape.area for shape in scene.shapes), default=0.0)
    _, (w, h), _ = blob.rect
    if blob.area > MOST_PIECE * most or (blob.area > most and blob.area < COMPACT * w * h):
        return "covered"
    if any(_gap(one, blob) <= TOUCHING_MM for one in scene.outlines):
        return "touching"
    return "unknown-piece"


def _gap(piece: NDArray[np.float32], blob: Blob) -> float:
    """Return the distance in mm between a piece's outline and a thing."""
    points = blob.outline[::2].tolist()
    return -max(cv2.pointPolygonTest(piece, (x, y), measureDist=True) for x, y in points)


def _burnt_share(page: Ground, blob: Blob) -> float:
    x, y, w, h = cv2.boundingRect(np.round(blob.outline * PX_PER_MM).astype(np.int32))
    part = page.view[max(0, y) : y + h, max(0, x) : x + w]
    return float((part.min(2) >= BURNT_LEVEL).mean()) if part.size else 0.0


def _inside(blob: Blob, layout: Layout) -> float:
    """Return how much of a blob lies in the regions, in mm2."""
    hull = cv2.convexHull(blob.outline)
    return sum(cv2.intersectConvexConvex(hull, _corners(region))[0] for region in layout.regions)


def _corners(region: Region) -> NDArray[np.float32]:
    x, y, w, h = region.x, region.y, region.width, region.height
    return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)


def _sighting(piece: Likeness, mat: Mat) -> Sighting:
    at = (piece.pose.x, piece.pose.y)
    corners = np.array(mat.px([(float(x), float(y)) for x, y in outline(piece.footprint, piece.pose)]))
    low, high = corners.min(0), corners.max(0)
    region = mat.layout.region_at(*at)
    down = piece.name.endswith(BACK)
    sure = confidence(piece.cosine, piece.margin, piece.strict)
    return Sighting(
        kind=piece.footprint.kind,
        name=None if down else piece.name,
        confidence=0.0 if down else round(sure, 4),
        alternatives=() if down else alternatives(piece.rivals, sure),
        face="down" if down else "up",
        region=region.name if region is not None else None,
        center_px=mat.px([at])[0],
        center_mm=at,
        angle_deg=round(_turn_in_picture(piece, mat), 1),
        box_px=(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])),
    )


def alternatives(rivals: Sequence[tuple[str, float]], sure: float) -> tuple[tuple[str, float], ...]:
    """Share what is left of the probability among the rivals, the nearest most."""
    faces = [(name, margin) for name, margin in rivals if not name.endswith(BACK)]
    weights = np.array([np.exp(-margin / FALL) for _, margin in faces])
    shares = (1 - sure) * weights / max(float(weights.sum()), 1e-9)
    pairs = ((name, round(float(share), 4)) for (name, _), share in zip(faces, shares, strict=True))
    return tuple(pair for pair in pairs if pair[1] >= LEAST_ALTERNATIVE)


def _turn_in_picture(piece: Likeness, mat: Mat) -> float:
    """Give the turn clockwise in the picture of the piece's own right, -180..180."""
    angle = np.deg2rad(piece.pose.turn_deg)
    x, y = piece.pose.x, piece.pose.y
    (u, v), (p, q) = mat.px([(x, y), (x + float(np.cos(angle)), y + float(np.sin(angle)))])
    return float(np.rad2deg(np.arctan2(q - v, p - u)))


def _complaints(sighting: Sighting, mat: Mat) -> list[Complaint]:
    out = []
    if sighting.face == "down":
        out.append(Complaint("face-down", sighting.center_px))
    if sighting.region is None:
        out.append(Complaint("outside", sighting.center_px))
    if not _in_picture(sighting, mat):
        out.append(Complaint("mat-partly-covered", sighting.center_px))
    return out


def _in_picture(sighting: Sighting, mat: Mat) -> bool:
    x, y, w, h = sighting.box_px
    return x >= 0 and y >= 0 and x + w <= mat.size[0] and y + h <= mat.size[1]


def beside(places: Sequence[Point], blob: Blob) -> float:
    """Give the distance in mm from a blob to the nearest of the places; inside it counts as 0."""
    away = [max(0.0, -cv2.pointPolygonTest(blob.outline, place, measureDist=True)) for place in places]
    return min(away, default=float("inf"))
