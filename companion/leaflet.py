"""The pages of text behind a mat: how to start, and the clauses of the game, in columns."""

from collections.abc import Iterator, Sequence

from companion.imprint import region_words, table, words
from companion.sheet import POINT_MM, Sheet, Style
from companion.text import Speaker, fill
from engines.shelf import Game
from vision.mat.layout import Layout

GREY = 90


class Columns:
    """Text that flows from column to column and from page to page."""

    def __init__(self, sheet: Sheet, title: str) -> None:
        self._sheet = sheet
        self._title = title
        self._look = sheet.paper.columns
        self._size: float = self._look["size"]
        self._line = self._size * self._look["leading"] * POINT_MM
        self._wide = (sheet.paper.width - 2 * self._look["margin"] + self._look["gutter"]) / self._look["columns"]
        self._pages = self._column = 0
        self._top = self._y = 0.0
        self._next_page()

    def heading(self, text: str) -> None:
        """Write a heading, with room for two lines of what follows in the same column."""
        self._room(4 * self._line)
        if self._y > self._top:
            self._y += 0.7 * self._line
        self._put(0.0, [text], "B", size=1.2 * self._size)
        self._y += 0.45 * self._line

    def item(self, mark: str, text: str) -> None:
        """Write a paragraph beside its mark, which stands in bold; it is not parted between columns."""
        aside = self._look["number-width"] * self._size * POINT_MM if mark else 0.0
        lines = self._sheet.broken(text, self._wide - self._look["gutter"] - aside, self._size)
        self._room(len(lines) * self._line)
        if mark:
            self._sheet.write((self._x, self._y + self._size * POINT_MM), mark, self._size, style="B", grey=40)
        self._put(aside, lines, "")
        self._y += 0.3 * self._line

    def _put(self, aside: float, lines: Sequence[str], style: Style, size: float | None = None) -> None:
        for line in lines:
            base = self._y + self._size * POINT_MM
            self._sheet.write((self._x + aside, base), line, size or self._size, style=style, grey=20)
            self._y += self._line

    def _room(self, height: float) -> None:
        """Go on in the next column where the height does not fit into this one."""
        if self._y + height <= self._sheet.paper.height - self._look["margin"] - self._line:
            return
        self._column += 1
        self._y = self._top
        if self._column == self._look["columns"]:
            self._next_page()

    @property
    def _x(self) -> float:
        return float(self._look["margin"] + self._column * self._wide)

    def _next_page(self) -> None:
        self._sheet.page()
        self._pages += 1
        self._column = 0
        margin, height = self._look["margin"], self._sheet.paper.height
        foot = words("words.foot", self._sheet.lang, title=self._title, page=self._pages)
        self._sheet.write((margin, height - margin + 2), foot, 0.85 * self._size, grey=GREY)
        self._top = margin
        if self._pages == 1:
            size = self._look["title-size"]
            self._sheet.write((margin, margin + size * POINT_MM * 0.8), self._title, size, style="B", grey=20)
            self._top = margin + size * POINT_MM * 1.7
        self._y = self._top


def draw_leaflet(sheet: Sheet, layout: Layout, title: str, game: Game | None) -> None:
    """Write how to start and, for a game, its clauses."""
    columns = Columns(sheet, title)
    columns.heading(words("words.start", sheet.lang))
    for number, step in enumerate(_steps(sheet, title, game), start=1):
        columns.item(f"{number}.", step)
    columns.heading(words("words.buttons", sheet.lang))
    for key in table("keys"):
        columns.item(key["key"], key[sheet.lang])
    columns.heading(words("words.places", sheet.lang))
    for region in layout.regions:
        name, put = region_words(layout.name, region.name, sheet.lang)
        columns.item("", f"{name}: {put}" if put else name)
    if game is None:
        return
    if not game.table("table").get("reads"):
        columns.item("", words("words.by-hand", sheet.lang))
    columns.heading(words("words.clauses", sheet.lang))
    speaker = Speaker(game, sheet.lang)
    for clause in game.table("clauses"):
        columns.item(clause, speaker.clause(clause))


def _steps(sheet: Sheet, title: str, game: Game | None) -> Iterator[str]:
    for step in table("steps"):
        if game is not None or not step.get("game"):
            yield fill(step[sheet.lang], {"title": title}, sheet.lang, {})
