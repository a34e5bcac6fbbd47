"""A QR code small enough for the OLED."""

from PIL import Image

from companion.modes import Cut

HIGH_PX = 64
LEAST_PX = 2
"""A module's side: phones read modules of two OLED pixels, 0.4 mm, from a hand's width."""
QUIET = 2
"""Modules of light around the code. ISO/IEC 18004 wants four; readers do with two, and there is no room for more."""


def code(text: str) -> Cut | None:
    """Draw a text as dark modules on light, 64 px high; None where it does not fit in modules of two pixels.

    OpenCV writes the code: it is there for the camera anyway, so no library has to be added for one page.
    """
    import cv2  # noqa: PLC0415 - a quarter of a second, for a page that is seldom opened
    import numpy as np  # noqa: PLC0415 - as above

    encoder = cv2.QRCodeEncoder.create()
    drawn = encoder.encode(text)
    ink = np.argwhere(drawn < 128)
    (top, left), (bottom, right) = ink.min(axis=0), ink.max(axis=0)
    modules = Image.fromarray(drawn[top : bottom + 1, left : right + 1])
    scale = HIGH_PX // (modules.height + QUIET)
    if scale < LEAST_PX:
        return None
    larger = modules.resize((modules.width * scale, modules.height * scale), Image.Resampling.NEAREST)
    page = Image.new("L", (min(HIGH_PX, larger.width + 2 * QUIET * scale), HIGH_PX), 255)
    page.paste(larger, ((page.width - larger.width) // 2, (page.height - larger.height) // 2))
    bits = page.convert("1", dither=Image.Dither.NONE)
    return bits.tobytes(), bits.width, bits.height
