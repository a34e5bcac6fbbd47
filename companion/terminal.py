"""The OLED in a terminal: two pixels a character, the clause beside the picture."""

import shutil
import sys
import unicodedata
from itertools import zip_longest

from PIL import Image

from companion.draw import draw
from companion.pages import Page
from companion.text import Speaker

_HALVES = " ▄▀█"
_QUARTERS = " ▗▖▄▝▐▞▟▘▚▌▙▀▜▛█"
BESIDE = 44
"""Columns that the text beside the picture takes."""


def columns() -> int:
    """Give the terminal's width; a file or pipe takes lines of any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 1000


def blocks(image: Image.Image, *, narrow: bool = False) -> list[str]:
    """Draw a 1-bit picture in characters: half blocks (1 x 2 pixels), or quarter blocks (2 x 2) where it is narrow."""
    wide, high = image.size

    def lit(x: int, y: int) -> int:
        return 1 if image.getpixel((x, y)) else 0

    if narrow:
        return [
            "".join(
                _QUARTERS[lit(x, y) * 8 + lit(x + 1, y) * 4 + lit(x, y + 1) * 2 + lit(x + 1, y + 1)]
                for x in range(0, wide, 2)
            )
            for y in range(0, high, 2)
        ]
    return ["".join(_HALVES[lit(x, y) * 2 + lit(x, y + 1)] for x in range(wide)) for y in range(0, high, 2)]


def text_width(text: str) -> int:
    """Count the columns of a text: Hangul takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def fold(text: str, room: int) -> list[str]:
    """Break a text between words into lines of at most ``room`` columns."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def beside(page: Page, speaker: Speaker | None) -> list[str]:
    """Write the clauses of a page in full."""
    if speaker is None:
        return []
    return [line for number in page.clauses for line in ("", *fold(f"{number}  {speaker.clause(number)}", BESIDE))]


def printed(page: Page, speaker: Speaker | None) -> str:
    """Draw a page framed, with its clauses at the right, or below where the terminal is too narrow for that."""
    room = columns()
    picture = blocks(draw(page), narrow=room < 130)
    wide = len(picture[0])
    framed = [f"┌{'─' * wide}┐", *(f"│{row}│" for row in picture), f"└{'─' * wide}┘"]
    text = beside(page, speaker)
    if room < wide + 4 + BESIDE:
        return "\n".join([*framed, *text])
    rows = zip_longest(framed, text, fillvalue="")
    return "\n".join(f"{left}  {right}".rstrip() for left, right in rows)
