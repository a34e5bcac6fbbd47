"""The letters of the OLED: how wide a text is, and where it breaks."""

from functools import cache
from pathlib import Path

from PIL import ImageFont

LEFT, RIGHT = 2, 126
"""No ink in the outer two columns: SH1106 panels hide or shift them (132 columns of memory for 128 of glass)."""
FONT_SIZE = 10
"""Galmuri9 is drawn on a grid of 10 px an em; any other size breaks its strokes."""


@cache
def font() -> ImageFont.FreeTypeFont:
    """Load the body letters once."""
    return ImageFont.truetype(str(Path(__file__).with_name("fonts") / "Galmuri9.ttf"), FONT_SIZE)


def width(text: str) -> int:
    """Measure a text in pixels."""
    return round(font().getlength(text))


def wrap(text: str, room: int) -> list[str]:
    """Break a text into lines of at most ``room`` pixels: between words, and inside one only where it is too long."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width(longer) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while width(line) > room:
            cut = next(n for n in range(len(line), 0, -1) if width(line[:n]) <= room)
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line]


def shorten(text: str, room: int) -> str:
    """Cut a name to ``room`` pixels, with an ellipsis; only names are ever cut."""
    if width(text) <= room:
        return text
    return next(f"{text[:n]}…" for n in range(len(text) - 1, -1, -1) if width(f"{text[:n]}…") <= room)
