"""The sheets that help teaching: a mat's markers round numbered empty places."""

from collections.abc import Iterator

from companion.imprint import table, words
from companion.mats import begin
from companion.sheet import Box, Sheet
from vision.mat.layout import Layout

GREY = 90


def draw_lessons(sheet: Sheet, layout: Layout, title: str, game: str) -> None:
    """Draw a page for each kind of places that the game's pieces need."""
    look = table("teach")
    for kind in look["games"].get(game, ("large", "small")):
        begin(sheet, layout, words("words.teach-title", sheet.lang, title=title))
        across, down = look["grid"][sheet.paper.name][kind]
        field = _field(layout)
        sheet.fill(field, table("mat")["tint"])
        for number, place in enumerate(_places(field, across, down), start=1):
            _place(sheet, place, number)
        _how(sheet, game)


def _field(layout: Layout) -> Box:
    """Give the smallest rectangle round all regions."""
    left, top = min(r.x for r in layout.regions), min(r.y for r in layout.regions)
    right = max(r.x + r.width for r in layout.regions)
    return left, top, right - left, max(r.y + r.height for r in layout.regions) - top


def _places(field: Box, across: int, down: int) -> Iterator[Box]:
    """Give the places in reading order."""
    x, y, width, height = field[0], field[1], field[2] / across, field[3] / down
    for row in range(down):
        for column in range(across):
            yield x + column * width, y + row * height, width, height


def _place(sheet: Sheet, place: Box, number: int) -> None:
    """Mark a place by its corners, so that nothing printed lies where the piece will."""
    look, mat = table("teach"), table("mat")
    x, y, width, height = place
    tick = look["tick"]
    arms: list[Box] = []
    for cx, inward in ((x, 1), (x + width, -1)):
        for cy, downward in ((y, 1), (y + height, -1)):
            arms += [(cx, cy, cx + inward * tick, cy), (cx, cy, cx, cy + downward * tick)]
    sheet.lines(arms, mat["line"], mat["line-width"])
    sheet.write((x + 1.2, y + 3.6), str(number), look["number-size"], grey=look["number"])


def _how(sheet: Sheet, game: str) -> None:
    """Say what to do with the sheet, the command ready to be typed."""
    look = table("mat")
    lines = (
        words("words.teach", sheet.lang),
        f'companion teach {game} PICTURE.jpg --names "..."',
        words("words.teach-names", sheet.lang),
    )
    for base, text in zip(look["small-y"], lines, strict=True):
        sheet.write((look["ruler-x"], base), text, look["small-size"], grey=GREY)
