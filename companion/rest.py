"""The screen's rest: it dims when nobody presses, and its picture moves a little, as an OLED's pixels wear out."""

from dataclasses import dataclass

from PIL import Image, ImageChops

DIM_S = 120.0
"""Without a press for so long the screen is dimmed: longer than most turns take."""
SHIFT_S = 60.0
"""Every so often the picture moves by a row: the strokes of letters, most of them level, wear other pixels then."""
SHIFTS = (0, -1, 0, 1)
"""Rows downward. Never sideways: the outer columns are another controller's to hide."""


@dataclass(frozen=True)
class Glow:
    """How the screen shines: dimmed or not, its picture so many rows lower."""

    dim: bool = False
    shift: int = 0


class Rest:
    """When the screen rests. Times are monotonic seconds."""

    def __init__(self, now: float) -> None:
        self._began = now
        self._pressed = now

    def pressed(self, now: float) -> bool:
        """Take a press; gives whether it only wakes."""
        only_wakes = self.glow(now).dim
        self._pressed = max(now, self._pressed)
        return only_wakes

    def glow(self, now: float) -> Glow:
        """Give how the screen shines now."""
        return Glow(now >= self._pressed + DIM_S, SHIFTS[int((now - self._began) // SHIFT_S) % len(SHIFTS)])

    def due(self, now: float) -> float:
        """Give the next time at which :meth:`glow` may change."""
        shift = self._began + SHIFT_S * ((now - self._began) // SHIFT_S + 1)
        dim = self._pressed + DIM_S
        return min(shift, dim) if dim > now else shift


def shifted(image: Image.Image, rows: int) -> Image.Image:
    """Move a picture down by so many rows, where there is room for all of its ink."""
    ink = image.getbbox()
    if ink is None or not 0 <= ink[1] + rows <= ink[3] + rows <= image.height:
        return image
    return ImageChops.offset(image, 0, rows)
