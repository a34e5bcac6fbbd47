"""Draw `docs/wiring.svg` and write the pin tables of `docs/wiring.md`, both from the pins that the program has.

    python tools/wiring.py

Run it after a change of the default pins; a test compares what is checked in with what this makes.
"""

# ruff: noqa: INP001 - a script by itself, in no package
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hardware.pins import BCM_OF_BOARD, DEFAULT_PINS, SUGGESTED_PINS

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- pins: written by tools/wiring.py -->", "<!-- end of pins -->"

POWER, GROUND = {1: "3V3", 2: "5V", 4: "5V", 17: "3V3"}, (6, 9, 14, 20, 25, 30, 34, 39)  # pinout.xyz
BOARD_OF_BCM = {bcm: board for board, bcm in BCM_OF_BOARD.items()}
ROWS = 20

PITCH, TOP, MIDDLE, WIDTH = 30, 70, 450, 900  # px of the drawing
HEIGHT = TOP + ROWS * PITCH + 70
PAD, WIRE_END = 22, 250  # from the middle to a pin, and to a part

Symbol = Literal["plain", "button", "lamp", "buzzer"]


@dataclass(frozen=True)
class Wire:
    """One wire: from a pin of the header to a terminal of a part."""

    pin: int
    part: str
    terminal: str
    colour: str
    symbol: Symbol = "plain"
    optional: bool = False

    @property
    def gpio(self) -> str:
        """The chip's number of the pin, or a dash for power and ground."""
        return str(BCM_OF_BOARD.get(self.pin, "-"))


def _button(name: str, caption: str, pins: dict[str, int], *, optional: bool = False) -> Wire:
    return Wire(BOARD_OF_BCM[pins[name]], caption, "", "#1f6f3d", "button", optional)


def wires() -> list[Wire]:
    """Give every wire: the screen's, the buttons' at their default pins, the optional parts' at the suggested ones."""
    own, more = dict(DEFAULT_PINS), dict(SUGGESTED_PINS)
    screen = [(1, "VCC (3.3 V)", "#c0392b"), (BOARD_OF_BCM[2], "SDA", "#2457a8"), (BOARD_OF_BCM[3], "SCL", "#8e44ad")]
    found = [Wire(pin, "OLED", terminal, colour) for pin, terminal, colour in screen]
    found.append(Wire(9, "OLED", "GND", "#222222"))
    found += [_button(name, name.upper(), own) for name in own]
    found.append(_button("read", "READ", more, optional=True))
    found.append(Wire(BOARD_OF_BCM[more["lamp"]], "READ's lamp", "330 Ω", "#b9770e", "lamp", optional=True))
    found.append(_button("push", "encoder's push", more, optional=True))
    for name, terminal in (("turn_a", "A"), ("turn_b", "B")):
        found.append(Wire(BOARD_OF_BCM[more[name]], "encoder", terminal, "#1f6f3d", optional=True))
    found.append(Wire(39, "encoder", "C (ground)", "#222222", optional=True))
    found.append(Wire(BOARD_OF_BCM[more["buzzer"]], "buzzer", "passive", "#b9770e", "buzzer", optional=True))
    return found


def table() -> str:
    """Write the wires as a table in Markdown."""
    lines = ["| part | GPIO | header pin | |", "|---|---|---|---|"]
    for wire in wires():
        name = f"{wire.part} {wire.terminal}" if wire.symbol == "plain" else wire.part
        lines.append(f"| {name} | {wire.gpio} | {wire.pin} | {'optional' if wire.optional else ''} |")
    return "\n".join(lines)


def spi_table() -> str:
    """Write the signals of a screen on SPI as a table in Markdown; power and ground are as on I2C."""
    more = SUGGESTED_PINS
    signals = [("CS", 8), ("CLK, D0", 11), ("MOSI, D1", 10), ("DC", more["screen_dc"]), ("RES", more["screen_reset"])]
    lines = ["| OLED on SPI | GPIO | header pin |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {bcm} | {BOARD_OF_BCM[bcm]} |" for name, bcm in signals)])


def page(text: str) -> str:
    """Put the tables of today into the text of the wiring page."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table()}\n\n{spi_table()}\n\n{END}{after}"


def drawing() -> str:
    """Draw the diagram as SVG."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="13">\n<title>Wiring of the table companion</title>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    )
    return "\n".join([head, *_header(), *(line for wire in wires() for line in _wire(wire)), *_boxes(), *_legend()]) + (
        "\n</svg>\n"
    )


def _side(pin: int) -> int:
    return -1 if pin % 2 else 1  # odd pins are the left column, seen with pin 1 at the top left


def _y(pin: int) -> float:
    return TOP + (pin + 1) // 2 * PITCH - PITCH / 2


def _text(x: float, y: float, words: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{more}>{words}</text>'


def _line(points: list[tuple[float, float]], colour: str = "#222222", width: float = 1.5) -> str:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def _header() -> Iterator[str]:
    """Draw the 40 pins, with the header's number inside and the chip's name beside."""
    yield _text(MIDDLE, 24, "Raspberry Pi, 40-pin header", more=' font-weight="bold" font-size="16"')
    yield _text(MIDDLE, 44, "pin 1 is at the end with the memory card; the outer edge of the board is on the right")
    yield (
        f'<rect x="{MIDDLE - 42}" y="{TOP - 6}" width="84" height="{ROWS * PITCH + 12}" rx="6" fill="#eeeeee" '
        f'stroke="#888888"/>'
    )
    for pin in range(1, 2 * ROWS + 1):
        x, y = MIDDLE + _side(pin) * PAD, _y(pin)
        fill = "#f5b7b1" if pin in POWER else "#bbbbbb" if pin in GROUND else "#fdf2d0"
        yield f'<circle cx="{x}" cy="{y:g}" r="11" fill="{fill}" stroke="#666666"/>'
        yield _text(x, y + 4, str(pin), more=' font-size="11"')


def _name(pin: int) -> str:
    return POWER.get(pin) or ("GND" if pin in GROUND else f"GPIO{BCM_OF_BOARD[pin]}")


def _wire(wire: Wire) -> Iterator[str]:
    side, y = _side(wire.pin), _y(wire.pin)
    start, end = MIDDLE + side * (PAD + 11), MIDDLE + side * WIRE_END
    dashes = ' stroke-dasharray="6 4"' if wire.optional else ""
    yield (f'<line x1="{start}" y1="{y:g}" x2="{end}" y2="{y:g}" stroke="{wire.colour}" stroke-width="2.5"{dashes}/>')
    yield _text(MIDDLE + side * 78, y - 4, _name(wire.pin), more=' font-size="10" fill="#555555"')
    yield from SYMBOLS[wire.symbol](wire, side, end, y)


def _plain(wire: Wire, side: int, x: float, y: float) -> Iterator[str]:
    yield _text(x + side * 8, y + 4, wire.terminal, "end" if side < 0 else "start")


def _push_button(wire: Wire, side: int, x: float, y: float) -> Iterator[str]:
    yield f'<circle cx="{x}" cy="{y:g}" r="3" fill="#ffffff" stroke="#222222" stroke-width="1.5"/>'
    far = x + side * 34
    yield f'<circle cx="{far}" cy="{y:g}" r="3" fill="#ffffff" stroke="#222222" stroke-width="1.5"/>'
    yield _line([(x - side * 2, y - 9), (far + side * 2, y - 9)], width=2)
    yield _line([((x + far) / 2, y - 9), ((x + far) / 2, y - 13)], width=2)
    yield from _to_ground(side, far + side * 3, y)
    yield _caption(wire.part, side, far, y)


def _lamp(wire: Wire, side: int, x: float, y: float) -> Iterator[str]:
    left = min(x, x + side * 24)
    yield f'<rect x="{left:g}" y="{y - 5:g}" width="24" height="10" fill="#ffffff" stroke="#222222"/>'
    yield _text(left + 12, y - 8, wire.terminal, more=' font-size="10"')
    a, b = x + side * 32, x + side * 46
    yield _line([(x + side * 24, y), (a, y)])
    yield f'<polygon points="{a:g},{y - 7:g} {a:g},{y + 7:g} {b:g},{y:g}" fill="#f9d77e" stroke="#222222"/>'
    yield _line([(b, y - 7), (b, y + 7)], width=2)
    yield from _to_ground(side, b, y)
    yield _caption(wire.part, side, b, y)


def _buzzer(wire: Wire, side: int, x: float, y: float) -> Iterator[str]:
    yield f'<circle cx="{x + side * 14:g}" cy="{y:g}" r="12" fill="#dddddd" stroke="#222222"/>'
    yield f'<circle cx="{x + side * 14:g}" cy="{y:g}" r="3" fill="#222222"/>'
    yield from _to_ground(side, x + side * 26, y)
    yield _caption(f"{wire.part} ({wire.terminal})", side, x + side * 26, y)


def _to_ground(side: int, x: float, y: float) -> Iterator[str]:
    """Draw a short wire and the sign for ground."""
    end = x + side * 14
    yield _line([(x, y), (end, y), (end, y + 5)])
    for half, down in ((7, 5), (4, 8), (1.5, 11)):
        yield _line([(end - half, y + down), (end + half, y + down)])


def _caption(words: str, side: int, x: float, y: float) -> str:
    return _text(x + side * 30, y + 4, words, "end" if side < 0 else "start", ' font-weight="bold"')


SYMBOLS: dict[Symbol, Callable[[Wire, int, float, float], Iterator[str]]] = {
    "plain": _plain,
    "button": _push_button,
    "lamp": _lamp,
    "buzzer": _buzzer,
}


def _boxes() -> Iterator[str]:
    """Draw a box around the terminals of each part that has more than one."""
    for part in ("OLED", "encoder"):
        rows = [_y(w.pin) for w in wires() if w.part == part]
        low, high = min(rows) - 13, max(rows) + 13
        yield (
            f'<rect x="30" y="{low:g}" width="{MIDDLE - WIRE_END - 30}" height="{high - low:g}" rx="6" fill="none" '
            f'stroke="#222222" stroke-width="1.5"/>'
        )
        yield _text(45, (low + high) / 2 + 4, part, "start", ' font-weight="bold"')


def _legend() -> Iterator[str]:
    grounds = ", ".join(map(str, GROUND))
    y = TOP + ROWS * PITCH + 30
    yield from _to_ground(1, 30, y - 8)
    yield _text(62, y, f"ground: any of the header's pins {grounds}", "start")
    dashes = 'stroke-width="2.5" stroke-dasharray="6 4"'
    yield f'<line x1="470" y1="{y - 4}" x2="510" y2="{y - 4}" stroke="#222222" {dashes}/>'
    yield _text(518, y, "optional, where the settings name a pin", "start")
    yield _text(30, y + 22, "the camera's ribbon has a socket of its own", "start")


def main() -> None:
    """Write both."""
    (DOCS / "wiring.svg").write_text(drawing(), encoding="utf-8")
    place = DOCS / "wiring.md"
    place.write_text(page(place.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
