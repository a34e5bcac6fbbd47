"""A picture in, an Observation out: the one door to this package."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from vision import light
from vision.bare.album import album
from vision.bare.reading import read_bare
from vision.confidence import curve
from vision.dice.cover import DIE_MM
from vision.dice.reading import Found, prepare_dice, read_dice
from vision.dice.view import REGION
from vision.faces.bank import banks
from vision.faces.reading import read_faces
from vision.faces.verdict import SURE
from vision.gallery import Look
from vision.mat.lens import UNKNOWN, Lens
from vision.mat.markers import find_mat, is_glimpsed, prepare_mat
from vision.mat.mat import Mat
from vision.observation import Complaint, ComplaintKind, Observation, Sighting
from vision.picture import Picture, in_grey
from vision.pieces.find import Blob
from vision.pieces.scene import beside, read_scene, shapes_of, unexplained

SAME_MM = 5.0
"""Complaints that are nearer to a thing are about it."""


@dataclass(frozen=True)
class Known:
    """What may lie on a mat: taught looks, and whether its dice are ordinary ones with pips."""

    looks: tuple[Look, ...] = ()
    pips: bool = True


def read(
    picture: Picture, *, known: Callable[[str | None], Known] = lambda _: Known(), lens: Lens = UNKNOWN
) -> Observation:
    """Read one BGR picture, shape (height, width, 3).

    ``known`` tells what may lie on a mat, by the mat's name; None asks for a picture without a mat. ``lens`` is the
    camera's, where somebody measured it.
    """
    prepare_mat()
    start = time.perf_counter()
    size = (picture.shape[1], picture.shape[0])
    grey = in_grey(picture)
    mat = find_mat(grey, lens)
    about = _about_mat(grey, mat)
    after_mat = time.perf_counter()
    corners = mat.corners_px() if mat is not None else None
    name = mat.layout.name if mat is not None else None
    taught = known(name)
    prepare(taught, on_mat=mat is not None)
    begin = time.perf_counter()
    pieces, complaints, sure = _pieces(picture, mat, taught, light.fault(grey))
    end = time.perf_counter()
    ms = {"mat": (after_mat - start) * 1e3, "pieces": (end - begin) * 1e3}
    ms["total"] = sum(ms.values())
    return Observation(size, name, corners, pieces, (*complaints, *about), sure and not about, ms)


def prepare(known: Known, *, on_mat: bool) -> None:
    """Make ready what reading needs: once for all pictures, and so no part of the time of the first."""
    if known.pips:
        prepare_dice()
    if on_mat:
        shapes_of(known.looks)
        banks(known.looks)
    elif not known.pips:
        album(tuple(look for look in known.looks if look.size_mm is None))


def _about_mat(grey: Picture, mat: Mat | None) -> tuple[Complaint, ...]:
    if mat is None:
        return (Complaint("mat-not-found"),) if is_glimpsed(grey) else ()
    if all(mat.shows(region) for region in mat.layout.regions):
        return ()
    return (Complaint("mat-partly-covered"),)


def _pieces(picture: Picture, mat: Mat | None, known: Known, fault: ComplaintKind | None) -> Found:
    if fault in ("dark", "glare"):
        return (), (Complaint(fault),), False
    bare = [look for look in known.looks if look.size_mm is None]
    if bare and not known.pips and (mat is None or len(bare) == len(known.looks)):
        return _bare(picture, mat, bare, blurred=fault == "blurred")
    if mat is None and not known.pips:
        return (), (Complaint("mat-not-found"),), False
    if mat is None or not known.looks:
        return read_dice(picture, mat, blurred=fault == "blurred")
    return _on_mat(picture, mat, known, blurred=fault == "blurred")


def _bare(picture: Picture, mat: Mat | None, looks: Sequence[Look], *, blurred: bool) -> Found:
    """Read pieces that were taught without a mat, wherever they lie."""
    pieces, complaints, sure = read_bare(picture, looks)
    if mat is not None:
        pieces = tuple(_placed(piece, mat) for piece in pieces)
    return pieces, (*complaints, Complaint("blurred")) if blurred and not sure else complaints, sure


def _placed(piece: Sighting, mat: Mat) -> Sighting:
    at = mat.mm(piece.center_px)
    region = mat.layout.region_at(*at)
    return replace(piece, center_mm=at, region=region.name if region is not None else None)


def _on_mat(picture: Picture, mat: Mat, known: Known, *, blurred: bool) -> Found:
    """Read taught pieces and dice; whatever neither explains makes the reading unsure."""
    scene = read_scene(picture, mat, known.looks)
    faces = read_faces(picture, mat, known.looks, scene.outlines)
    dice, faults, sure = _pip_dice(picture, mat, known, blurred=blurred)
    dice = (*faces.dice, *dice)
    rest = [blob for blob in scene.rest if beside([d.center_mm for d in dice if d.center_mm], blob) > DIE_MM]
    unknown = unexplained(scene, rest, mat)
    strange = [c for c in faces.strange if not _is_of(c, unknown, mat)]
    complaints = (*scene.complaints, *faults, *faces.complaints, *strange, *unknown.values())
    clear = all(piece.confidence >= curve().sure for piece in scene.pieces)
    clear = clear and all(die.confidence >= SURE for die in faces.dice)
    if blurred and not (clear and sure):
        complaints = (*complaints, Complaint("blurred"))
    return (*scene.pieces, *dice), complaints, clear and sure and not complaints


def _is_of(strange: Complaint, blobs: Iterable[Blob], mat: Mat) -> bool:
    """Whether one of the blobs is what is strange there, so that it is complained of only once."""
    if strange.center_px is None:
        return False
    place = mat.mm(strange.center_px)
    return any(beside([place], blob) <= SAME_MM for blob in blobs)


def _pip_dice(picture: Picture, mat: Mat, known: Known, *, blurred: bool) -> Found:
    if known.pips and mat.layout.region(REGION) is not None:
        return read_dice(picture, mat, blurred=blurred)
    return (), (), True
