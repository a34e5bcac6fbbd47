"""A page becomes a picture of 128 x 64 pixels in one bit, in Korean and Latin bitmap letters."""

from PIL import Image, ImageDraw

from companion.letters import LEFT, RIGHT, font, shorten, width, wrap
from companion.pages import Page

SIZE = (128, 64)
HEAD_Y, FOOT_Y = 0, 53
BODY_Y = (14, 26, 38)
BODY_LINES = len(BODY_Y)
CELL_LEAST, CELL_MOST = 15, 38
"""Width in px of an answer that stands beside others: two digits, at most three syllables and a bit."""
_SIGNS = {"unsaved": "!", "no-camera": "×"}


def _room(page: Page) -> int:
    taken = page.picture[1] + 4 if page.picture else 0
    return RIGHT - LEFT - taken


def body_lines(page: Page) -> list[tuple[str, int]]:
    """Wrap a page's body: each line with the number of the entry that it belongs to."""
    return [(line, entry) for entry, text in enumerate(page.body) for line in wrap(text, _room(page))]


def last_top(page: Page) -> int:
    """Give the furthest that the body can scroll."""
    return max(0, len(body_lines(page)) - BODY_LINES)


def _first_line(page: Page, lines: list[tuple[str, int]]) -> int:
    """Where the body starts: as scrolled, or so that all of the entry under the cursor shows."""
    if page.chosen is None:
        return min(page.top, max(0, len(lines) - BODY_LINES))
    rows = [row for row, (_, entry) in enumerate(lines) if entry == page.chosen]
    return max(0, min(rows[0], max(0, len(lines) - BODY_LINES)) if rows[-1] >= BODY_LINES else 0)


def draw(page: Page) -> Image.Image:
    """Draw a page: mode "1", 128 x 64, lit pixels are 1."""
    image = Image.new("1", SIZE, 0)
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    signs = "".join(_SIGNS[sign] for sign in page.signs)
    head_room = RIGHT - LEFT - (width(signs) + 3 if signs else 0)
    pen.text((LEFT, HEAD_Y), shorten(page.head, head_room), fill=1, font=font())
    if signs:
        pen.text((RIGHT - width(signs), HEAD_Y), signs, fill=1, font=font())
    pen.line((LEFT, 12, RIGHT - 1, 12), fill=1)
    left = LEFT
    if page.picture:
        bits, wide, high = page.picture
        image.paste(Image.frombytes("1", (wide, high), bits), (LEFT, BODY_Y[0]))
        left += wide + 4
    if _body_grid(pen, page) if _is_grid(page) else _body(pen, page, left):
        _more(pen)
    if page.foot:
        pen.text((LEFT, FOOT_Y), page.foot, fill=1, font=font())
    return image


def _body(pen: ImageDraw.ImageDraw, page: Page, left: int) -> bool:
    """Draw the body as lines; tells whether there is more below."""
    lines = body_lines(page)
    first = _first_line(page, lines)
    for y, (line, entry) in zip(BODY_Y, lines[first : first + BODY_LINES], strict=False):
        lit = entry == page.chosen
        if lit:
            pen.rectangle((left, y - 1, RIGHT - 1, y + 10), fill=1)
        pen.text((left + (1 if lit else 0), y), line, fill=0 if lit else 1, font=font())
    return first + BODY_LINES < len(lines)


def _is_grid(page: Page) -> bool:
    """Tell whether the answers are so short that several fit a line: numbers, clans, rooms."""
    return page.chosen is not None and all(width(text) <= CELL_MOST for text in page.body)


def _body_grid(pen: ImageDraw.ImageDraw, page: Page) -> bool:
    """Draw short answers side by side, the chosen one inverted; tells whether there is more below."""
    rows: list[list[tuple[int, int]]] = [[]]
    x = LEFT
    for entry, text in enumerate(page.body):
        wide = max(width(text) + 3, CELL_LEAST)
        if x + wide > RIGHT:
            rows.append([])
            x = LEFT
        rows[-1].append((entry, x))
        x += wide + 2
    chosen = next(row for row, cells in enumerate(rows) if any(entry == page.chosen for entry, _ in cells))
    first = max(0, min(chosen - 1, len(rows) - BODY_LINES))
    for y, cells in zip(BODY_Y, rows[first : first + BODY_LINES], strict=False):
        for entry, left in cells:
            text = page.body[entry]
            wide = max(width(text) + 3, CELL_LEAST)
            lit = entry == page.chosen
            if lit:
                pen.rectangle((left, y - 1, left + wide - 1, y + 10), fill=1)
            pen.text((left + (wide - width(text) + 1) // 2, y), text, fill=0 if lit else 1, font=font())
    return first + BODY_LINES < len(rows)


def _more(pen: ImageDraw.ImageDraw) -> None:
    """Draw a small triangle between the body and the last line: there is more below."""
    for row in range(3):
        pen.line((RIGHT - 5 + row, FOOT_Y - 3 + row, RIGHT - 1 - row, FOOT_Y - 3 + row), fill=1)
