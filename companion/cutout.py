"""A piece as it was seen, small enough for the OLED: a square cut-out in one bit."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from companion.modes import Cut

SIDE = 36
"""Pixels: the three body lines of a page."""
MARGIN = 0.25
"""Share of the piece's size that shows around it."""


def cut_out(picture: NDArray[np.uint8], box_px: tuple[float, float, float, float]) -> Cut | None:
    """Cut a box (x, y, width, height in px) out of a BGR picture: packed bits, width, height; None outside of it."""
    x, y, wide, high = box_px
    half = max(wide, high) * (0.5 + MARGIN)
    left, right = int(x + wide / 2 - half), int(x + wide / 2 + half)
    top, bottom = int(y + high / 2 - half), int(y + high / 2 + half)
    crop = picture[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    if not crop.size:
        return None
    image = Image.fromarray(np.ascontiguousarray(crop[:, :, ::-1])).convert("L")
    image = ImageOps.autocontrast(ImageOps.pad(image, (SIDE, SIDE)), cutoff=2)
    return image.convert("1").tobytes(), SIDE, SIDE
