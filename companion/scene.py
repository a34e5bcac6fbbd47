"""What is judged of an observation: which pieces and complaints are an input's business, and what lay there before."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from companion.reads import Read
from vision.observation import Complaint, Point

DICE_TRAY = "dice-tray"
"""The mat that any game's dice may lie on."""
UNMOVED_MM = 2.0
"""A piece within this distance of where it lay, called the same, was not moved: half a region line's tolerance."""
UNMOVED_PX = 4.0
"""The same without a mat: detection noise is 1 to 2 px."""
ROW_MM = 20.0
"""Pieces whose middles differ by less in height stand in one row: half the smallest card, about a token."""
HINDERING = frozenset({"cocked-die", "touching", "covered", "outside"})
"""Complaints that make any answer a guess: the table has to be put right first. Others leave a question to ask."""
HIDING = frozenset({"unknown-piece", "face-down", "glare", "mat-partly-covered"})
"""Complaints behind which a piece may be missed: where all pieces are counted they hinder too."""


class Seen(Protocol):
    """What is judged of a sighting (vision's own type has it)."""

    @property
    def kind(self) -> str: ...  # noqa: D102 - the fields are vision's
    @property
    def name(self) -> str | None: ...  # noqa: D102
    @property
    def confidence(self) -> float: ...  # noqa: D102
    @property
    def alternatives(self) -> tuple[tuple[str, float], ...]: ...  # noqa: D102
    @property
    def face(self) -> str: ...  # noqa: D102
    @property
    def region(self) -> str | None: ...  # noqa: D102
    @property
    def center_px(self) -> Point: ...  # noqa: D102
    @property
    def center_mm(self) -> Point | None: ...  # noqa: D102
    @property
    def box_px(self) -> tuple[float, float, float, float]: ...  # noqa: D102


class Scene(Protocol):
    """What is judged of an observation."""

    @property
    def mat(self) -> str | None: ...  # noqa: D102
    @property
    def corners_px(self) -> tuple[Point, Point, Point, Point] | None: ...  # noqa: D102
    @property
    def pieces(self) -> tuple[Seen, ...]: ...  # noqa: D102
    @property
    def sure(self) -> bool: ...  # noqa: D102
    @property
    def complaints(self) -> tuple[Complaint, ...]: ...  # noqa: D102


@dataclass(frozen=True)
class Lain:
    """A piece that was ruled on: what it was taken for, and where it lay."""

    name: str
    at_px: Point
    at_mm: Point | None

    def is_at(self, piece: Seen) -> bool:
        """Tell whether a piece lies where this one lay."""
        if self.at_mm is not None and piece.center_mm is not None:
            return _distance(self.at_mm, piece.center_mm) <= UNMOVED_MM
        return _distance(self.at_px, piece.center_px) <= UNMOVED_PX


def _distance(a: Point, b: Point) -> float:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def here(scene: Scene, read: Read) -> tuple[Seen, ...]:
    """Give the pieces of an input's kind that lie where it is read, in reading order."""
    everywhere = scene.mat in (None, DICE_TRAY)
    return in_rows(one for one in scene.pieces if one.kind == read.kind and (everywhere or one.region in read.regions))


def in_rows(pieces: Iterable[Seen]) -> tuple[Seen, ...]:
    """Order pieces as a page is read: rows from the top, each from the left; whatever order they come in."""
    left = sorted(pieces, key=_place)
    ordered: list[Seen] = []
    while left:
        top = _place(left[0])[0]
        height = ROW_MM if left[0].center_mm is not None else left[0].box_px[3] / 2
        row = [one for one in left if _place(one)[0] - top < height]
        ordered += sorted(row, key=lambda one: _place(one)[1])
        left = left[len(row) :]
    return tuple(ordered)


def _place(piece: Seen) -> tuple[float, float, str]:
    """Give how far down and how far right a piece lies; its name parts pieces in one place."""
    x, y = piece.center_px if piece.center_mm is None else piece.center_mm
    return y, x, piece.name or ""


def in_the_way(scene: Scene, read: Read, pieces: tuple[Seen, ...]) -> Complaint | None:
    """Give the complaint that has to be seen to before this input can be read, if there is one."""
    if scene.sure:
        return None
    counted = read.shape != "one"
    for one in scene.complaints:
        hinders = one.kind in HINDERING or not pieces or (counted and one.kind in HIDING)
        if hinders and not is_elsewhere(scene, one, read):
            return one
    return None


def is_elsewhere(scene: Scene, complaint: Complaint, read: Read) -> bool:
    """Tell whether a complaint is about a region of the mat where this input is not read."""
    if complaint.center_px is None or complaint.kind == "outside":
        return False
    if complaint.kind == "cocked-die" and read.kind != "die":
        return True
    region = _region_at(scene, complaint.center_px)
    return region is not None and scene.mat != DICE_TRAY and region not in read.regions


def _region_at(scene: Scene, point: Point) -> str | None:
    """Give the region of the mat that a point of the picture lies in."""
    if scene.mat is None or scene.corners_px is None:
        return None
    import cv2  # noqa: PLC0415 - loaded by now: a scene with a mat was read with it
    import numpy as np  # noqa: PLC0415

    from vision.mat.layout import layout_of  # noqa: PLC0415

    layout = layout_of(scene.mat)
    width, height = layout.paper
    paper = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    to_mm = cv2.getPerspectiveTransform(np.array(scene.corners_px, np.float32), paper)
    ((at,),) = cv2.perspectiveTransform(np.array([[point]], np.float32), to_mm)
    region = layout.region_at(float(at[0]), float(at[1]), 0.0)
    return region.name if region is not None else None
