"""The mats that are printed: markers, regions and a ruler, exact to a tenth of a millimetre."""

from collections.abc import Iterator
from itertools import groupby

import cv2

from companion.imprint import region_words, table, words
from companion.sheet import Box, Sheet
from vision.mat.layout import Layout
from vision.mat.patches import patches

MODULES = 6
"""A marker's side in modules: four of the code and its black border."""
WHITE = 255
GREY = 90
"""Of the small letters."""


def draw_mat(sheet: Sheet, layout: Layout, title: str) -> None:
    """Draw one mat on a page of its own."""
    look = table("mat")
    begin(sheet, layout, title)
    for region in layout.regions:
        box = (region.x, region.y, region.width, region.height)
        sheet.fill(box, look["tint"])
        sheet.frame(box, look["line"], look["line-width"])
        at = (region.x, region.y - look["name-gap"])
        sheet.write(at, region_words(layout.name, region.name, sheet.lang)[0], look["name-size"], grey=GREY)
    for patch, colour in zip(patches(), (look["red"], look["blue"]), strict=True):
        sheet.paint((patch.x, patch.y, patch.width, patch.height), tuple(colour))
    ruler(sheet, layout)


def begin(sheet: Sheet, layout: Layout, title: str) -> None:
    """Begin a page with a mat's markers and a title."""
    look = table("mat")
    sheet.page(scale=shrink(sheet, layout))
    for marker in layout.markers:
        _marker(sheet, layout, marker)
    room = layout.paper[0] - 4 * (layout.marker_inset + layout.marker_side)
    size = look["title-size"] * min(1.0, room / sheet.width(title, look["title-size"], "B"))
    across = (layout.paper[0] - sheet.width(title, size, "B")) / 2
    sheet.write((across, look["title-y"]), title, size, style="B", grey=60)


def shrink(sheet: Sheet, layout: Layout) -> float:
    """How much smaller the paper is than the layout's: 1, 1/sqrt(2), ... the ratio of two ISO papers' sides."""
    steps = round(2 * (layout.paper[0] / sheet.paper.width - 1))
    return float(2 ** (-steps / 2))


def _marker(sheet: Sheet, layout: Layout, marker: int) -> None:
    """Draw a marker's black square, then its white modules."""
    x, y = (float(v) for v in layout.marker_corners(marker)[0])
    side = layout.marker_side
    sheet.fill((x, y, side, side), 0)
    module = side / MODULES
    for column, row, across, down in _white(marker):
        sheet.fill((x + column * module, y + row * module, across * module, down * module), WHITE)


def _white(marker: int) -> Iterator[tuple[int, int, int, int]]:
    """Give the white runs of a marker in modules, across and down.

    Runs of both directions overlap, so that no viewer leaves a hair of black between two white modules.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    modules = cv2.aruco.generateImageMarker(dictionary, marker, MODULES) > 0
    for row in range(MODULES):
        for start, length in _runs(modules[row].tolist()):
            yield start, row, length, 1
        for start, length in _runs(modules[:, row].tolist()):
            yield row, start, 1, length


def _runs(modules: list[bool]) -> Iterator[tuple[int, int]]:
    start = 0
    for white, group in groupby(modules):
        length = len(list(group))
        if white:
            yield start, length
        start += length


def ruler(sheet: Sheet, layout: Layout) -> None:
    """Draw the line that tells whether the printer kept the size, and how to check it."""
    look = table("mat")
    length = look["ruler-true"] / sheet.scale
    x, y = look["ruler-x"], look["ruler-y"]
    ticks: list[Box] = []
    for centimetre in range(11):
        high = look["ruler-tick"] * (2 if centimetre in (0, 10) else 1)
        ticks.append((x + length * centimetre / 10, y, x + length * centimetre / 10, y + high))
    sheet.lines([(x, y, x + length, y), *ticks], 0, look["line-width"])
    lines = (
        words("words.ruler", sheet.lang, length=f"{look['ruler-true']:g}"),
        words("words.corners", sheet.lang),
        words("words.colophon", sheet.lang, mat=layout.name, paper=sheet.paper.name),
    )
    for base, text in zip(look["small-y"], lines, strict=True):
        sheet.write((x + length + 6, base), text, look["small-size"], grey=GREY)
