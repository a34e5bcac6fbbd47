"""The screen's adapter over luma, smbus2 and an I2C bus of the kernel's; what was sent is read as a controller does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops, ImageDraw

from hardware.interfaces import ScreenError
from hardware.pi.place import I2cPlace
from hardware.pi.screen import LumaScreen
from tests.kernel.devices import Oled


def page(number: int) -> Image.Image:
    """A picture of which no part looks like another."""
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    for step in range(0, 128, 7):
        draw.line((step, 0, (step * step + number * 31) % 128, 63), fill=1)
    return image


def same(a: Image.Image, b: Image.Image) -> bool:
    return ImageChops.logical_xor(a, b).getbbox() is None


@pytest.fixture(params=["ssd1306", "sh1106"])
def chip(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def screen(chip: str) -> Iterator[LumaScreen]:
    screen = LumaScreen(chip, I2cPlace())
    yield screen
    screen.close()


def test_the_panel_shows_the_very_picture(chip: str, screen: LumaScreen, oled: Oled) -> None:
    for number in range(3):
        screen.show(page(number))
        panel = oled.panel(chip)
        assert panel.on
        assert same(panel.picture(), page(number))


def test_whichever_message_fails_the_next_picture_is_whole(chip: str, screen: LumaScreen, oled: Oled) -> None:
    screen.show(page(0))
    failed = 0
    for nth in range(1, 60):
        oled.say("clear")
        oled.say(f"fail {nth}")
        try:
            screen.show(page(nth))
        except ScreenError:
            failed += 1
        else:
            oled.say("fail 0")
            break
        screen.show(page(nth + 100))
        assert same(oled.panel(chip).picture(), page(nth + 100))
    assert failed >= 2
    assert nth == failed + 1


def test_a_pulled_cable_is_said_and_a_put_one_shows_again(chip: str, screen: LumaScreen, oled: Oled) -> None:
    screen.show(page(1))
    oled.say("unplug")
    for _ in range(3):
        with pytest.raises(ScreenError, match="bus 1, address 0x3c"):
            screen.show(page(2))
    oled.say("clear")
    oled.say("plug")
    screen.show(page(3))
    panel = oled.panel(chip)
    assert panel.on
    assert same(panel.picture(), page(3))


def test_an_address_that_nobody_has_is_said(oled: Oled) -> None:
    screen = LumaScreen("ssd1306", I2cPlace(1, 0x3D))
    with pytest.raises(ScreenError, match="0x3d"):
        screen.show(page(0))
    screen.close()


def test_a_bus_that_is_not_switched_on_is_said(oled: Oled) -> None:
    screen = LumaScreen("ssd1306", I2cPlace(7, 0x3C))
    with pytest.raises(ScreenError, match="no I2C bus 7"):
        screen.show(page(0))
    screen.close()


def test_closing_blanks_the_panel(oled: Oled) -> None:
    screen = LumaScreen("ssd1306", I2cPlace())
    screen.show(page(1))
    screen.close()
    panel = oled.panel("ssd1306")
    assert not panel.on
    assert panel.picture().getbbox() is None
