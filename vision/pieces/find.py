"""What lies on the page: the outlines of whatever is not paper.

Three signs, any of which is enough: chroma apart from the paper's, brightness far below it, a sharp edge of brightness.
Shadows have none of the first two, and their edges enclose nothing that is left once thin lines are removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.layout import layout_of
from vision.pieces.ground import PX_PER_MM, Field, Ground

Mask = NDArray[np.uint8]

HALF = 2
SCALE = PX_PER_MM / HALF
"""Pixels a millimetre of the masks."""
CHROMA = 0.06
CHROMA_NOISE = 4.0
"""Chroma apart from the paper by this much, or this many times its noise, is no paper."""
DARK = 1.0
"""Log brightness below the paper around: a third of it. Shadows of a room with more than one light stay above."""
EDGE = 0.07
"""Change of log brightness a millimetre; soft shadows and lamps stay below."""
LINE_MM = 2.0
"""Half the width around a printed line in which edges don't count."""
LABEL_MM = (24.0, 9.0)
"""The corner of a region in which its name is printed, width and height."""
LEAST_MM2 = 40.0
"""Smaller things are dust and print."""


@dataclass(frozen=True, eq=False)
class Blob:
    """One connected thing on the page: its outline (n, 2) in page mm, its area in mm2, its tightest rectangle.

    ``rect`` is centre, (width, height) and angle in degrees as cv2.minAreaRect gives them, in page mm.
    """

    outline: NDArray[np.float32]
    area: float
    rect: tuple[tuple[float, float], tuple[float, float], float]


@dataclass(frozen=True, eq=False)
class Found:
    """``mask`` is 255 where something lies, at SCALE px a page mm, ``blobs`` its parts."""

    mask: Mask
    blobs: tuple[Blob, ...]


def find(page: Ground, bridge: int = 5) -> Found:
    """Find what is not paper. Parts of a piece are joined over pale gaps of ``bridge`` pixels, neighbours too."""
    small = cv2.resize(page.colour, None, fx=1 / HALF, fy=1 / HALF, interpolation=cv2.INTER_AREA)
    bright, *ratios = (np.asarray(plane, np.float32) for plane in cv2.split(small))
    chroma = np.maximum(*map(np.abs, ratios))
    raw = (chroma > max(CHROMA, CHROMA_NOISE * page.noise)) | (bright < _around(bright) - DARK)
    raw |= (_edges(bright) > EDGE) & ~_printed(page.layout.name, bright.shape)
    raw &= ~_off(page.layout.name, bright.shape)
    mask = cv2.morphologyEx(raw.astype(np.uint8) * 255, cv2.MORPH_CLOSE, _disc(bridge))
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(filled, outlines, -1, 255, -1)
    opened = np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, _disc(5)), np.uint8)
    return Found(opened, blobs_of(opened))


def blobs_of(mask: Mask) -> tuple[Blob, ...]:
    """Return the parts of a mask that are large enough to be something."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    out = []
    for outline in outlines:
        area = cv2.contourArea(outline) / SCALE**2
        if area >= LEAST_MM2:
            mm = (outline.reshape(-1, 2).astype(np.float32) + 0.5) / SCALE
            (x, y), (w, h), turn = cv2.minAreaRect(mm)
            out.append(Blob(mm, area, ((x, y), (w, h), turn)))
    return tuple(out)


def _around(bright: Field) -> Field:
    """Give the paper's brightness around each pixel: the brightest of some 50 mm, smoothed."""
    coarse = cv2.resize(bright, (42, 30), interpolation=cv2.INTER_AREA)
    brightest = cv2.blur(cv2.dilate(coarse, np.ones((5, 5), np.uint8)), (5, 5))
    return np.asarray(cv2.resize(brightest, (bright.shape[1], bright.shape[0])), np.float32)


def _edges(bright: Field) -> Field:
    across = cv2.Sobel(bright, cv2.CV_32F, 1, 0, ksize=3, scale=SCALE / 8)
    along = cv2.Sobel(bright, cv2.CV_32F, 0, 1, ksize=3, scale=SCALE / 8)
    return np.asarray(cv2.magnitude(across, along), np.float32)


def _disc(size: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


@cache
def _printed(name: str, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Where the mat itself has lines and letters."""
    layout = layout_of(name)
    out = np.zeros(shape, np.uint8)
    width = int(2 * LINE_MM * SCALE)
    for r in layout.regions:
        corner, far = _at(r.x, r.y), _at(r.x + r.width, r.y + r.height)
        cv2.rectangle(out, corner, far, 1, width)
        # the name may stand in either corner's inside, or above the line
        cv2.rectangle(out, _at(r.x, r.y - LABEL_MM[1]), _at(r.x + LABEL_MM[0], r.y + LABEL_MM[1]), 1, -1)
    top = min(r.y for r in layout.regions) - LABEL_MM[1]
    bottom = max(r.y + r.height for r in layout.regions) + LINE_MM
    cv2.rectangle(out, (0, 0), (shape[1], int(top * SCALE)), 1, -1)
    cv2.rectangle(out, (0, int(bottom * SCALE)), (shape[1], shape[0]), 1, -1)
    return out > 0


@cache
def _off(name: str, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Where markers and the paper's rim are: nothing is looked for there."""
    layout = layout_of(name)
    out = np.zeros(shape, np.uint8)
    rim = layout.marker_inset + layout.marker_side + 4
    w, h = layout.paper
    for x in (0.0, w - rim):
        for y in (0.0, h - rim):
            cv2.rectangle(out, _at(x, y), _at(x + rim, y + rim), 1, -1)
    cv2.rectangle(out, (0, 0), (shape[1] - 1, shape[0] - 1), 1, int(6 * SCALE))
    return out > 0


def _at(x: float, y: float) -> tuple[int, int]:
    return round(x * SCALE), round(y * SCALE)
