"""Colours relative to the paper around: what a lamp does to a mat, it does to the pieces that lie on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.layout import Region
from vision.mat.mat import Mat
from vision.picture import Picture

Field = NDArray[np.float32]

CELL_MM = 10.0
SAMPLE_MM = 2.5
AROUND = 5
"""Cells across, among which the brightest is paper: no die or token is as large."""
CHROMA = 1.2
"""Weight of colour against brightness: prints of one colour on a dark die are told from it by colour alone."""
OPPONENTS = np.array([[1 / 3, 1 / 3, 1 / 3], [CHROMA, -CHROMA, 0], [0, -CHROMA, CHROMA]], np.float32)


def paper_of(picture: Picture, mat: Mat) -> Field:
    """Return the paper's colour (BGR, 0..255) in cells of 10 mm, shape (rows, columns, 3)."""
    w, h = mat.layout.paper
    small = mat.straightened(picture, Region("", SAMPLE_MM / 2, SAMPLE_MM / 2, w, h), 1 / SAMPLE_MM)
    cells = cv2.resize(small, (int(w / CELL_MM), int(h / CELL_MM)), interpolation=cv2.INTER_AREA)
    bright = cv2.dilate(cells, np.ones((AROUND, AROUND), np.uint8))
    return np.maximum(cv2.GaussianBlur(bright, (0, 0), 1.5).astype(np.float32), 1.0)


def relative(view: Picture, paper: Field) -> Field:
    """Brightness (1: as bright as the paper), blue-green and red-green (0: the paper's), shape (height, width, 3).

    ``paper`` is one colour, shape (3,), or one a pixel.
    """
    return np.asarray(cv2.transform(view.astype(np.float32) / paper, OPPONENTS), np.float32)
