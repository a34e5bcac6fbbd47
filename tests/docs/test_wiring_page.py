"""The wiring page says what the program does."""

import re
from pathlib import Path

from hardware.pins import BCM_OF_BOARD, DEFAULT_PINS

PAGE = (Path(__file__).parents[2] / "docs" / "wiring.md").read_text(encoding="utf-8")


def test_the_wiring_page_names_the_default_pins() -> None:
    rows = re.findall(r"^\| (UP|DOWN|OK|BACK) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)

    assert {name.lower(): int(bcm) for name, bcm, _ in rows} == dict(DEFAULT_PINS)
    assert all(BCM_OF_BOARD[int(board)] == int(bcm) for _, bcm, board in rows)
