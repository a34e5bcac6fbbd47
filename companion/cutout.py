"""What was seen, small enough for the OLED, in one bit: a piece cut out, and the whole picture with boxes."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageOps

from companion.modes import Cut

SIDE = 36
"""Pixels: the three body lines of a page."""
WHOLE = (88, 64)
"""Pixels that a whole picture takes at most: the page's height, and a few letters beside it."""
MARGIN = 0.25
"""Share of the piece's size that shows around it."""


Box = tuple[float, float, float, float]
"""x, y, width, height in px."""


def cut_out(picture: NDArray[np.uint8], box_px: Box) -> Cut | None:
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


def whole(picture: NDArray[np.uint8], boxes_px: Iterable[Box]) -> Cut:
    """Shrink a BGR picture to the page's height, with a frame around each box: packed bits, width, height."""
    grey = ImageOps.autocontrast(Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1])).convert("L"), cutoff=1)
    scale = min(WHOLE[0] / grey.width, WHOLE[1] / grey.height)
    small = grey.resize((max(1, round(grey.width * scale)), max(1, round(grey.height * scale))), Image.Resampling.BOX)
    bits = small.convert("1")
    pen = ImageDraw.Draw(bits)
    for x, y, wide, high in boxes_px:
        left, top, right, bottom = x * scale, y * scale, (x + wide) * scale, (y + high) * scale
        for out, light in ((1, 0), (3, 0), (2, 1)):  # a light frame between dark ones shows on any ground
            pen.rectangle((left - out, top - out, right + out, bottom + out), outline=light)
    page = Image.new("1", (bits.width, WHOLE[1]))
    page.paste(bits, (0, (WHOLE[1] - bits.height) // 2))
    return page.tobytes(), page.width, page.height
