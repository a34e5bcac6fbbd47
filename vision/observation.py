"""What the camera saw, as values: sightings, complaints, and whether the whole reading is to be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Point = tuple[float, float]
Face = Literal["up", "down"]
Kind = Literal["die", "token", "card", "tile"]
ComplaintKind = Literal[
    "cocked-die",
    "touching",
    "covered",
    "face-down",
    "unknown-piece",
    "outside",
    "glare",
    "dark",
    "blurred",
    "mat-not-found",
    "mat-partly-covered",
    "wrong-mat",
]
LEAST_ALTERNATIVE = 0.0005
"""Less probable names are not worth telling."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One piece.

    ``confidence`` is the calibrated probability of ``name`` (0..1); ``alternatives`` are other names with theirs, best
    first. ``center_px`` is the middle of the upper face, ``center_mm`` where the piece touches the paper (page
    millimetres, None without a mat), ``angle_deg`` its turn clockwise in the picture (a die: -45..45), ``box_px`` x, y,
    width, height.
    """

    kind: Kind
    name: str | None
    confidence: float
    alternatives: tuple[tuple[str, float], ...]
    face: Face
    region: str | None
    center_px: Point
    center_mm: Point | None
    angle_deg: float
    box_px: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something a person can put right, and where it is (None: everywhere)."""

    kind: ComplaintKind
    center_px: Point | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """One picture, read.

    ``size`` is (width, height) in px; ``corners_px`` the paper's corners, clockwise from its top left; ``sure`` the
    promise that every die was found and named right; ``ms`` the time of each stage in milliseconds.
    """

    size: tuple[int, int]
    mat: str | None
    corners_px: tuple[Point, Point, Point, Point] | None
    pieces: tuple[Sighting, ...]
    complaints: tuple[Complaint, ...]
    sure: bool
    ms: Mapping[str, float] = field(default_factory=dict, compare=False)

    def names(self, kind: Kind = "die") -> tuple[str, ...]:
        """Return the sorted names of the pieces of one kind; unnamed ones are left out."""
        return tuple(sorted(p.name for p in self.pieces if p.kind == kind and p.name is not None))
