"""The screen's adapter over luma's real drivers, a simulated bus and a panel that decodes the bytes."""

import errno
from itertools import count

import numpy as np
import pytest
import smbus2
from PIL import Image, ImageChops, ImageDraw

from hardware.board import SCREEN_DRIVERS
from hardware.fakes.bus import FakeBus, luma_interface
from hardware.fakes.panel import Panel
from hardware.fakes.screen import FakeScreen
from hardware.interfaces import ScreenError
from hardware.pi.screen import I2cPlace, LumaScreen


def page(seed: int = 1) -> Image.Image:
    """A frame around noise: every bit, row and column matters."""
    image = Image.frombytes("1", (128, 64), np.random.default_rng(seed).bytes(128 * 64 // 8))
    ImageDraw.Draw(image).rectangle((0, 0, 127, 63), outline=1)
    image.putpixel((127, 0), 0)  # no symmetry: a mirrored or shifted picture is another picture
    return image


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


@pytest.mark.parametrize("rotation_deg", [0, 180])
@pytest.mark.parametrize("driver", SCREEN_DRIVERS)
def test_the_bytes_on_the_bus_are_the_picture_that_was_drawn(driver: str, rotation_deg: int) -> None:
    screen = FakeScreen(driver, rotation_deg=rotation_deg)
    for seed in range(3):
        screen.show(page(seed))
        assert same(screen.picture(), page(seed))


def test_a_panel_mounted_upside_down_is_sent_the_picture_turned() -> None:
    screen = FakeScreen(rotation_deg=180)
    screen.show(page())
    assert same(screen.bus.panel.picture(), page().rotate(180))


def test_a_panel_of_another_chip_shows_something_else() -> None:
    panel = Panel("sh1106")
    screen = LumaScreen("ssd1306", open_bus=lambda: luma_interface(FakeBus(panel)))
    screen.show(page())
    assert not same(panel.picture(), page())


def test_a_picture_goes_out_in_one_piece_as_on_a_pi() -> None:
    screen = FakeScreen("ssd1306")
    screen.show(page(1))
    before = screen.bus.writes
    screen.show(page(2))
    assert screen.bus.writes - before == 2  # the addresses, then 1024 bytes; the block path would take 33


@pytest.mark.parametrize(
    "image",
    [Image.new("L", (128, 64)), Image.new("RGB", (128, 64)), Image.new("1", (64, 128)), Image.new("1", (128, 63))],
)
def test_another_mode_or_size_is_refused_and_nothing_is_sent(image: Image.Image) -> None:
    screen = FakeScreen()
    with pytest.raises(ValueError, match="the screen takes mode '1'"):
        screen.show(image)
    assert screen.bus.writes == 0


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_any_write_of_a_picture_may_fail_and_the_next_picture_is_whole(driver: str) -> None:
    whole = FakeScreen(driver)
    whole.show(page(1))
    before = whole.bus.writes
    whole.show(page(2))
    writes = whole.bus.writes - before
    for write in range(1, writes + 1):
        screen = FakeScreen(driver)
        screen.show(page(1))
        screen.bus.fail_at(write)
        with pytest.raises(ScreenError, match="does not answer"):
            screen.show(page(2))
        screen.show(page(3))
        assert same(screen.picture(), page(3))


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_any_write_of_the_start_may_fail_and_the_next_picture_is_whole(driver: str) -> None:
    for write in count(1):
        screen = FakeScreen(driver)
        screen.bus.fail_at(write)
        try:
            screen.show(page(1))
        except ScreenError:
            screen.show(page(2))
            assert same(screen.picture(), page(2))
        else:
            assert write > 5  # contrast, blank picture, on, picture: all have been tried
            return


def test_a_panel_that_lost_its_current_is_started_anew_with_its_contrast() -> None:
    screen = FakeScreen()
    screen.show(page(1))
    screen.bus.dead = True
    with pytest.raises(ScreenError):
        screen.show(page(2))
    screen.bus.dead = False
    screen.bus.panel.restart()
    screen.show(page(3))
    assert same(screen.picture(), page(3))
    assert screen.bus.panel.contrast == 0xCF


def test_a_panel_absent_at_first_appears_later() -> None:
    screen = FakeScreen()
    screen.bus.dead = True
    for _ in range(3):
        with pytest.raises(ScreenError, match="address 0x3c"):
            screen.show(page())
    screen.bus.dead = False
    screen.show(page())
    assert same(screen.picture(), page())


def test_a_bus_that_loses_every_twentieth_write_lets_no_other_error_out() -> None:
    screen, dice, shown = FakeScreen(), np.random.default_rng(5), 0
    images = [page(seed) for seed in range(4)]
    for number in range(200):
        if dice.random() < 0.1:
            screen.bus.fail_at(int(dice.integers(1, 3)))
        try:
            screen.show(images[number % 4])
        except ScreenError:
            continue
        shown += 1
        assert same(screen.picture(), images[number % 4])
    assert shown > 150


def test_closing_blanks_the_panel_and_a_second_time_does_nothing() -> None:
    screen = FakeScreen()
    screen.show(page())
    screen.close()
    assert not screen.bus.panel.on
    writes = screen.bus.writes
    screen.close()
    assert screen.bus.writes == writes
    with pytest.raises(ScreenError, match="closed"):
        screen.show(page())


def test_closing_on_a_dead_bus_raises_nothing() -> None:
    screen = FakeScreen()
    screen.show(page())
    screen.bus.dead = True
    screen.close()


def test_a_screen_never_used_touches_no_bus_when_closed() -> None:
    screen = FakeScreen()
    screen.close()
    assert screen.bus.writes == 0


def test_luma_at_the_end_of_the_program_finds_nothing_to_say() -> None:
    screen = FakeScreen()
    screen.show(page())
    screen.close()
    writes = screen.bus.writes
    screen._panel.cleanup()  # what luma registers to be called at exit
    assert screen.bus.writes == writes


@pytest.mark.parametrize(
    ("number", "said"), [(errno.ENOENT, "switch I2C on"), (errno.EACCES, "group i2c"), (errno.EPERM, "group i2c")]
)
def test_a_bus_that_cannot_be_opened_says_what_to_do(number: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(port: int) -> None:
        raise OSError(number, "refused", f"/dev/i2c-{port}")

    monkeypatch.setattr(smbus2, "SMBus", refuse)
    with pytest.raises(ScreenError, match=said):
        LumaScreen("ssd1306", I2cPlace(port=1)).show(page())


def test_the_bus_is_opened_by_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    panel, ports = Panel(), []

    def opened(port: int) -> FakeBus:
        ports.append(port)
        return FakeBus(panel)

    monkeypatch.setattr(smbus2, "SMBus", opened)
    screen = LumaScreen("ssd1306", I2cPlace(port=3))
    screen.show(page())
    assert same(panel.picture(), page())
    assert ports == [3]
