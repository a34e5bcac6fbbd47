"""The screen's adapter over luma's real drivers, a simulated bus and a panel that decodes the bytes."""

import errno
import sys
from itertools import count

import numpy as np
import pytest
import smbus2
from gpiozero import DigitalOutputDevice
from PIL import Image, ImageChops, ImageDraw

from hardware.board import I2C_DRIVERS
from hardware.fakes.bus import FakeBus, FakeI2c
from hardware.fakes.clock import SetClock
from hardware.fakes.panel import Panel
from hardware.fakes.pins import fake_chip
from hardware.fakes.screen import FakeScreen
from hardware.fakes.spi import FakeSpi, GreyPanel
from hardware.interfaces import ScreenError
from hardware.pi.pin_factory import PinChip, open_pin_factory
from hardware.pi.place import I2cPlace, SpiPlace
from hardware.pi.screen import DIM, LumaScreen


def page(seed: int = 1) -> Image.Image:
    """A frame around noise: every bit, row and column matters."""
    image = Image.frombytes("1", (128, 64), np.random.default_rng(seed).bytes(128 * 64 // 8))
    ImageDraw.Draw(image).rectangle((0, 0, 127, 63), outline=1)
    image.putpixel((127, 0), 0)  # no symmetry: a mirrored or shifted picture is another picture
    return image


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


@pytest.mark.parametrize("rotation_deg", [0, 180])
@pytest.mark.parametrize("driver", I2C_DRIVERS)
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
    screen = LumaScreen("ssd1306", FakeI2c(FakeBus(panel)))
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


@pytest.mark.slow
def test_ten_thousand_pictures_over_a_bus_that_loses_every_twentieth_write() -> None:
    screen, dice = FakeScreen(), np.random.default_rng(6)
    image, failures = page(), 0
    for _ in range(10_000):
        if dice.random() < 0.1:  # of two writes a picture
            screen.bus.fail_at(int(dice.integers(1, 3)))
        try:
            screen.show(image)
        except ScreenError:
            failures += 1
    screen.show(image)
    assert same(screen.picture(), image)
    assert 800 < failures < 1200


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


# --- dimmed, frozen, small blocks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_dim_picture_is_the_picture_with_little_light_and_the_next_one_shines_again(driver: str) -> None:
    screen = FakeScreen(driver)
    screen.show(page(1))
    bright = screen.bus.panel.contrast
    screen.show(page(1), dim=True)
    assert same(screen.picture(), page(1))
    assert screen.bus.panel.contrast == DIM
    screen.show(page(2))
    assert same(screen.picture(), page(2))
    assert screen.bus.panel.contrast == bright > 100


def test_a_panel_that_froze_without_a_word_is_started_anew_when_it_dims() -> None:
    screen = FakeScreen()
    screen.show(page(1))
    screen.bus.panel.restart()  # as after a spark: off, and its memory empty
    screen.show(page(2))
    assert screen.picture().getbbox() is None
    screen.show(page(2), dim=True)
    assert same(screen.picture(), page(2))


def test_a_dim_panel_that_failed_comes_back_dim() -> None:
    screen = FakeScreen()
    screen.show(page(1), dim=True)
    screen.bus.fail_at(1)
    with pytest.raises(ScreenError):
        screen.show(page(2), dim=True)
    screen.show(page(2), dim=True)
    assert screen.bus.panel.contrast == DIM
    assert same(screen.picture(), page(2))


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_an_adapter_that_refuses_large_blocks_is_given_small_ones_from_then_on(driver: str) -> None:
    screen = FakeScreen(driver)
    screen.bus.largest = 32
    with pytest.raises(ScreenError, match="not supported"):
        screen.show(page(1))
    for seed in range(3):
        screen.show(page(seed))
        assert same(screen.picture(), page(seed))


# --- SPI --------------------------------------------------------------------------------------------------------------


class SpiScreen:
    """A screen on a simulated SPI bus, with its parts at hand."""

    def __init__(self, driver: str, panel: Panel | GreyPanel) -> None:
        self.panel = panel
        self.chip = fake_chip(SetClock())
        self.spi = FakeSpi(panel, self.chip, 24)
        self.screen = LumaScreen(driver, SpiPlace(self.chip, 24, 25, make=lambda: self.spi))


@pytest.mark.parametrize("driver", I2C_DRIVERS)
def test_the_bytes_on_spi_are_the_picture_too(driver: str) -> None:
    table = SpiScreen(driver, Panel(driver))
    for seed in range(3):
        table.screen.show(page(seed))
        assert same(table.panel.picture(), page(seed))
    table.screen.close()
    assert table.panel.picture().getbbox() is None


@pytest.mark.parametrize(("driver", "left"), [("ssd1322", 64), ("ssd1322_nhd", 0)])
def test_a_grey_panel_shows_the_picture_in_its_middle_and_no_noise_beside(driver: str, left: int) -> None:
    table = SpiScreen(driver, GreyPanel(doubled=driver == "ssd1322_nhd"))
    for seed in range(3):
        table.screen.show(page(seed))
        shown = table.panel.picture()
        assert same(shown.crop((left, 0, left + 128, 64)), page(seed))
        assert shown.width == 128 + 2 * left
        shown.paste(0, (left, 0, left + 128, 64))
        assert shown.getbbox() is None
    table.screen.show(page(1), dim=True)
    assert table.panel.contrast == DIM


def test_an_spi_bus_that_is_not_there_says_so_and_is_opened_later() -> None:
    table = SpiScreen("sh1106", Panel("sh1106"))
    table.spi.gone = True
    with pytest.raises(ScreenError, match=r"There is no SPI bus 0, device 0 .*: switch SPI on"):
        table.screen.show(page())
    table.spi.gone = False
    table.screen.show(page())
    assert same(table.panel.picture(), page())


def test_a_pin_in_use_and_a_missing_library_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    table = SpiScreen("sh1106", Panel("sh1106"))
    other = DigitalOutputDevice(25, pin_factory=table.chip.take("the test"))
    with pytest.raises(ScreenError, match=r"The screen cannot use GPIO25: .*in use"):
        table.screen.show(page())
    other.close()
    table.screen.show(page())
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(ScreenError, match="sudo apt install python3-spidev"):
        LumaScreen("sh1106", SpiPlace(table.chip, 24)).show(page())


def test_without_a_pin_library_a_screen_on_spi_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    spi = FakeSpi(Panel(), fake_chip(SetClock()), 24)
    place = SpiPlace(PinChip(lambda: open_pin_factory("lgpio")), 24, make=lambda: spi)
    with pytest.raises(ScreenError, match="python3-lgpio"):
        LumaScreen("ssd1306", place).show(page())
