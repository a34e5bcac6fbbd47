"""The paper that is printed on: a PDF with our fonts, grey tones and millimetres."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fpdf import FPDF
from fpdf.enums import MethodReturnValue
from fpdf.prefs import ViewerPreferences

from companion.imprint import table
from companion.text import Lang

FONTS = Path(__file__).with_name("fonts")
POINT_MM = 25.4 / 72
Style = Literal["", "B"]
Box = tuple[float, float, float, float]
"""x, y, width and height."""

logging.getLogger("fontTools.subset").setLevel(logging.ERROR)  # it tells of tables that a page never needs


@dataclass(frozen=True)
class Paper:
    """A paper, landscape, in millimetres."""

    name: str
    width: float
    height: float

    @property
    def columns(self) -> Any:  # noqa: ANN401 - as in the file
        """How text is set on it."""
        return table("leaf")["all"] | table("leaf")[self.name]


def papers() -> dict[str, Paper]:
    """Give the papers by name."""
    return {name: Paper(name, *size) for name, size in table("papers").items()}


class Sheet:
    """A PDF in the making. All lengths are millimetres times ``scale``, letters points times ``scale``, y downward."""

    def __init__(self, paper: Paper, lang: Lang, title: str) -> None:
        self.paper = paper
        self.lang = lang
        self.scale = 1.0
        self._pdf = FPDF(unit="mm", format=(1, 1))  # each page bears its own size: not every reader looks further
        for style, name in (("", "Regular"), ("B", "Bold")):
            self._pdf.add_font("sans", style, FONTS / "sans" / f"{name}.ttf")
        self._pdf.add_font("all-syllables", "", FONTS / "Galmuri11.ttf")
        self._pdf.set_fallback_fonts(["all-syllables"], exact_match=False)
        self._pdf.set_margin(0)
        self._pdf.c_margin = 0
        self._pdf.set_auto_page_break(auto=False)
        self._pdf.set_title(title)
        self._pdf.set_lang(lang)
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None", display_doc_title=True)

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return self._pdf.page

    def page(self, *, scale: float = 1.0) -> None:
        """Begin a page."""
        self._pdf.add_page(orientation="L", format=(self.paper.height, self.paper.width))
        self.scale = scale

    def fill(self, box: Box, grey: int) -> None:
        """Paint a rectangle, 0 black to 255 white."""
        self._pdf.set_fill_color(grey)
        self._rectangle(box, "F")

    def paint(self, box: Box, colour: tuple[int, int, int]) -> None:
        """Paint a rectangle in a colour: red, green, blue, each 0 to 255."""
        self._pdf.set_fill_color(*colour)
        self._rectangle(box, "F")

    def frame(self, box: Box, grey: int, width: float) -> None:
        """Draw a rectangle's edge; the line's middle lies on it."""
        self._pen(grey, width)
        self._rectangle(box, "D")

    def lines(self, ends: Iterable[Box], grey: int, width: float) -> None:
        """Draw lines, each from the first two numbers to the last two."""
        self._pen(grey, width)
        for line in ends:
            x1, y1, x2, y2 = (v * self.scale for v in line)
            self._pdf.line(x1, y1, x2, y2)

    def write(self, at: tuple[float, float], text: str, size: float, *, style: Style = "", grey: int = 0) -> None:
        """Write one line from a point on its base line."""
        self._letters(size, style, grey)
        letter = self._pdf.font_size
        # A cell as high as its letters has its base line at 0.8 of them; FPDF.text knows no second font.
        self._pdf.set_xy(at[0] * self.scale, at[1] * self.scale - 0.8 * letter)
        self._pdf.cell(w=None, h=letter, text=text)

    def width(self, text: str, size: float, style: Style = "") -> float:
        """Measure a line."""
        self._letters(size, style, 0)
        return self._pdf.get_string_width(text) / self.scale

    def broken(self, text: str, width: float, size: float, style: Style = "") -> list[str]:
        """Break a text into lines at its spaces."""
        self._letters(size, style, 0)
        room = width * self.scale
        found = self._pdf.multi_cell(room, text=text, align="L", dry_run=True, output=MethodReturnValue.LINES)
        return [str(line) for line in found] if isinstance(found, list) else [text]

    def data(self) -> bytes:
        """Give the finished PDF."""
        return bytes(self._pdf.output())

    def _rectangle(self, box: Box, style: Literal["F", "D"]) -> None:
        x, y, width, height = (v * self.scale for v in box)
        self._pdf.rect(x, y, width, height, style=style)

    def _pen(self, grey: int, width: float) -> None:
        self._pdf.set_draw_color(grey)
        self._pdf.set_line_width(width * self.scale)

    def _letters(self, size: float, style: Style, grey: int) -> None:
        self._pdf.set_font("sans", style, size * self.scale)
        self._pdf.set_text_color(grey)
