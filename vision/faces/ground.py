"""Which places of a mat may hold dice, as masks of a view: its regions, and what is known to lie there already."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.bank import Mask
from vision.faces.table import View
from vision.mat.layout import Layout, Region
from vision.observation import Point

Drawn = NDArray[np.uint8]
Outlines = Sequence[NDArray[np.floating]]

PRINTED_MM = 3.0
"""Within a region's line: so wide it is printed and blurred by the view."""
LABEL_MM = (24.0, 9.0)
"""The corner of a region in which its name is printed, width and height."""


def around(layout: Layout, reach_mm: float) -> Region:
    """Return the rectangle of the page that holds all regions and what lies so far around them."""
    x = max(0.0, min(r.x for r in layout.regions) - reach_mm)
    y = max(0.0, min(r.y for r in layout.regions) - reach_mm)
    right = min(layout.paper[0], max(r.x + r.width for r in layout.regions) + reach_mm)
    bottom = min(layout.paper[1], max(r.y + r.height for r in layout.regions) + reach_mm)
    return Region("", x, y, right - x, bottom - y)


def on_regions(view: View, layout: Layout, grown_mm: float) -> Mask:
    """Mask of the regions, grown or (negative) shrunk, without the names that are printed in their corners."""
    mask = np.zeros(view.colour.shape[:2], np.uint8)
    for r in layout.regions:
        low, high = (r.x - grown_mm, r.y - grown_mm), (r.x + r.width + grown_mm, r.y + r.height + grown_mm)
        _fill(mask, view, (low, high), 1)
    for r in layout.regions:
        _fill(mask, view, ((r.x, r.y), (r.x + LABEL_MM[0], r.y + LABEL_MM[1])), 0)
    return np.asarray(mask, bool)


def covered(view: View, outlines: Outlines, rim_mm: float) -> Mask:
    """Mask of outlines (n, 2) in page mm and a rim around them."""
    mask = np.zeros(view.colour.shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [view.px(np.asarray(outline, float)).round().astype(np.int32)], 1)
    size = 2 * int(np.ceil(rim_mm * view.scale)) + 1
    return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))), bool)


def _fill(mask: Drawn, view: View, box: tuple[Point, Point], value: int) -> None:
    low, high = view.px(np.array(box)).round().astype(int).tolist()
    cv2.rectangle(mask, low, high, value, -1)
