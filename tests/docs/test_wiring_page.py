"""The wiring page and its drawing say what the program does."""

import importlib.util
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

from hardware.pins import BCM_OF_BOARD, DEFAULT_PINS, SUGGESTED_PINS

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs" / "wiring.md").read_text(encoding="utf-8")
DRAWING = (REPOSITORY / "docs" / "wiring.svg").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \|", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def wiring() -> ModuleType:
    spec = importlib.util.spec_from_file_location("wiring", REPOSITORY / "tools" / "wiring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_page_names_the_default_pins() -> None:
    assert {name.lower(): int(bcm) for name, bcm, _ in ROWS if name.isupper() and name.lower() in DEFAULT_PINS} == dict(
        DEFAULT_PINS
    )


def test_every_suggested_pin_is_on_the_page() -> None:
    assert set(SUGGESTED_PINS.values()) <= {int(bcm) for _, bcm, _ in ROWS}


def test_each_gpio_has_its_own_pin_of_the_header() -> None:
    assert len(ROWS) > len(DEFAULT_PINS)
    assert all(BCM_OF_BOARD[int(board)] == int(bcm) for _, bcm, board in ROWS)


def test_no_pin_of_the_drawing_has_two_wires(wiring: ModuleType) -> None:
    pins = [wire.pin for wire in wiring.wires()]
    assert len(pins) == len(set(pins))


def test_drawing_and_tables_are_those_of_today(wiring: ModuleType) -> None:
    assert wiring.drawing() == DRAWING, "run: python tools/wiring.py"
    assert wiring.page(PAGE) == PAGE, "run: python tools/wiring.py"


def test_the_drawing_is_svg_with_every_part_named() -> None:
    words = {text.text for text in ET.fromstring(DRAWING).iter("{http://www.w3.org/2000/svg}text")}  # noqa: S314 - ours
    assert {"UP", "DOWN", "OK", "BACK", "OLED", "READ", "SDA", "SCL"} <= words
