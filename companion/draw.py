"""A page becomes a picture of 128 x 64 pixels in one bit, in Korean and Latin bitmap letters."""

from itertools import accumulate

from PIL import Image, ImageDraw

from companion.letters import LEFT, RIGHT, font, shorten, width, wrap
from companion.page import Page

SIZE = (128, 64)
HEAD_Y, FOOT_Y = 0, 53
BODY_Y = (14, 26, 38)
BODY_LINES = len(BODY_Y)
KEY_PX, WORD_GAP = 8, 1
"""A button's sign on the last line with the air after it, and more air before its word."""
LEAST_GAP, MOST_GAP = 2, 9
"""Between the keys of a last line, in px."""
CELL_LEAST, CELL_MOST = 15, 38
"""Width in px of an answer that stands beside others: two digits, at most three syllables and a bit."""
_SIGNS = {"unsaved": "!", "camera-asleep": "z", "camera-lost": "×"}


def _is_tall(page: Page) -> bool:
    """Tell whether a page's picture is higher than its body: then it stands at the right of everything."""
    return page.picture is not None and page.picture[2] > FOOT_Y - BODY_Y[0]


def _right(page: Page) -> int:
    """Give where the text ends, in px."""
    return RIGHT - page.picture[1] - 3 if page.picture and _is_tall(page) else RIGHT


def _left(page: Page) -> int:
    """Give where the body begins, in px."""
    return LEFT + page.picture[1] + 4 if page.picture and not _is_tall(page) else LEFT


def _room(page: Page) -> int:
    return _right(page) - _left(page)


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
    right = _right(page)
    signs = "".join(_SIGNS[sign] for sign in page.signs)
    head_room = right - LEFT - (width(signs) + 3 if signs else 0)
    pen.text((LEFT, HEAD_Y), shorten(page.head, head_room), fill=1, font=font())
    if signs:
        pen.text((right - width(signs), HEAD_Y), signs, fill=1, font=font())
    pen.line((LEFT, 12, right - 1, 12), fill=1)
    if page.picture:
        bits, wide, high = page.picture
        place = (RIGHT - wide, 0) if _is_tall(page) else (LEFT, BODY_Y[0])
        image.paste(Image.frombytes("1", (wide, high), bits), place)
    if _body_grid(pen, page) if _is_grid(page) else _body(pen, page):
        _more(pen, right)
    _foot(pen, page)
    return image


def foot_line(page: Page) -> list[tuple[int, str, str]]:
    """Spread a last line's keys over its room, in px: (x, signs of buttons, word) each."""
    parts, wide = page.parts(), _key_widths(page)
    gap = (_right(page) - LEFT - sum(wide)) // max(1, len(parts) - 1)
    starts = accumulate((one + min(MOST_GAP, max(LEAST_GAP, gap)) for one in wide), initial=0)
    return [(x, signs, word) for x, (signs, word) in zip(starts, parts, strict=False)]


def fits(page: Page) -> bool:
    """Tell whether the keys of a page's last line stand apart and whole."""
    wide = _key_widths(page)
    return sum(wide) + LEAST_GAP * (len(wide) - 1) <= _right(page) - LEFT


def _key_widths(page: Page) -> list[int]:
    return [KEY_PX * len(signs) + (WORD_GAP + width(word) if word else 0) for signs, word in page.parts()]


def _foot(pen: ImageDraw.ImageDraw, page: Page) -> None:
    for start, signs, word in foot_line(page):
        x = LEFT + start
        for sign in signs:
            _key(pen, sign, x)
            x += KEY_PX
        pen.text((x + WORD_GAP, FOOT_Y), word, fill=1, font=font())


def _key(pen: ImageDraw.ImageDraw, sign: str, x: int) -> None:
    """Draw a button's sign, seven pixels wide: the font's own are wider, and four keys have to stand in a line."""
    y = FOOT_Y + 2
    if sign == "●":
        pen.ellipse((x, y, x + 6, y + 6), fill=1)
    elif sign == "◀":
        pen.polygon(((x, y + 3), (x + 5, y), (x + 5, y + 6)), fill=1)
    else:
        tip, base = (y, y + 5) if sign == "▲" else (y + 6, y + 1)
        pen.polygon(((x + 3, tip), (x, base), (x + 6, base)), fill=1)


def _body(pen: ImageDraw.ImageDraw, page: Page) -> bool:
    """Draw the body as lines; tells whether there is more below."""
    left, right = _left(page), _right(page)
    lines = body_lines(page)
    first = _first_line(page, lines)
    for y, (line, entry) in zip(BODY_Y, lines[first : first + BODY_LINES], strict=False):
        lit = entry == page.chosen
        if lit:
            pen.rectangle((left, y - 1, right - 1, y + 10), fill=1)
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


def _more(pen: ImageDraw.ImageDraw, right: int) -> None:
    """Draw a small triangle between the body and the last line: there is more below."""
    for row in range(3):
        pen.line((right - 5 + row, FOOT_Y - 3 + row, right - 1 - row, FOOT_Y - 3 + row), fill=1)
