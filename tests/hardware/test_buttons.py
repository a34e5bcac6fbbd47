"""The buttons' adapter over gpiozero's mock pins, and the pin libraries that may be missing."""

import logging
import os
import sys
import threading
from collections.abc import Iterator
from types import ModuleType

import pytest
from gpiozero import DigitalOutputDevice

from hardware.clock import SystemClock
from hardware.fakes.buttons import FakeButtons
from hardware.fakes.clock import SetClock
from hardware.fakes.pins import fake_chip
from hardware.interfaces import ButtonsError, Edge, SignalError, Turn
from hardware.pi.buttons import GpioButtons
from hardware.pi.pin_factory import PinChip, mock_factory, open_pin_factory
from hardware.pi.signals import GpioBuzzer, GpioLamp


@pytest.fixture
def clock() -> SetClock:
    return SetClock(100.0)


@pytest.fixture
def buttons(clock: SetClock) -> Iterator[FakeButtons]:
    made = FakeButtons(clock=clock)
    yield made
    made.close()


def test_there_are_four_buttons_by_default(buttons: FakeButtons) -> None:
    assert buttons.names == ("up", "down", "ok", "back")


def test_every_edge_arrives_in_order_with_its_time(buttons: FakeButtons, clock: SetClock) -> None:
    edges: list[Edge | Turn] = []
    buttons.listen(edges.append)
    buttons.press("ok")
    clock.advance(0.2)
    buttons.press("up")
    clock.advance(0.5)
    buttons.release("ok")
    buttons.release("up")
    assert edges == [
        Edge("ok", True, 100.0),
        Edge("up", True, 100.2),
        Edge("ok", False, 100.7),
        Edge("up", False, 100.7),
    ]


def test_bounces_are_passed_on_raw(buttons: FakeButtons, clock: SetClock) -> None:
    edges: list[Edge | Turn] = []
    buttons.listen(edges.append)
    for _ in range(6):
        buttons.press("ok")
        clock.advance(0.002)
        buttons.release("ok")
        clock.advance(0.002)
    assert [edge.pressed for edge in edges if isinstance(edge, Edge)] == [True, False] * 6


def test_pressing_what_is_pressed_is_no_edge(buttons: FakeButtons) -> None:
    edges: list[Edge | Turn] = []
    buttons.listen(edges.append)
    buttons.press("ok")
    buttons.press("ok")
    assert len(edges) == 1


def test_a_listener_that_fails_is_logged_and_the_next_press_works(
    buttons: FakeButtons, caplog: pytest.LogCaptureFixture
) -> None:
    edges: list[Edge | Turn] = []

    def fail_once(edge: Edge | Turn) -> None:
        edges.append(edge)
        if len(edges) == 1:
            raise LookupError("once")

    buttons.listen(fail_once)
    with caplog.at_level(logging.ERROR):
        buttons.press("ok")
    assert "the listener failed" in caplog.text
    buttons.release("ok")
    assert [edge.pressed for edge in edges if isinstance(edge, Edge)] == [True, False]


def test_a_second_listener_replaces_the_first(buttons: FakeButtons) -> None:
    first: list[Edge | Turn] = []
    second: list[Edge | Turn] = []
    buttons.listen(first.append)
    buttons.listen(second.append)
    buttons.press("ok")
    assert (len(first), len(second)) == (0, 1)


def test_closed_buttons_are_silent_and_may_be_closed_and_opened_again(buttons: FakeButtons) -> None:
    edges: list[Edge | Turn] = []
    buttons.listen(edges.append)
    buttons.close()
    buttons.close()
    buttons.listen(edges.append)
    buttons.press("back")
    assert [edge.button for edge in edges if isinstance(edge, Edge)] == ["back"]


def test_an_unknown_button_cannot_be_pressed(buttons: FakeButtons) -> None:
    buttons.listen(lambda _: None)
    with pytest.raises(ValueError, match="there is no button 'left'"):
        buttons.press("left")


def test_nobody_can_press_before_somebody_listens(buttons: FakeButtons) -> None:
    with pytest.raises(ValueError, match="nobody listens"):
        buttons.press("ok")


def test_a_date_of_another_clock_is_replaced_by_now(clock: SetClock) -> None:
    factory = mock_factory()  # its pins are dated by the system's clock
    factory.ticks = lambda: 1e9  # ... and now by one far ahead
    buttons = GpioButtons({"ok": 17}, PinChip(lambda: factory), clock)
    edges: list[Edge | Turn] = []
    buttons.listen(edges.append)
    factory.pin(17).drive_low()
    assert edges == [Edge("ok", True, 100.0)]


def test_a_busy_pin_is_named_with_its_button_and_can_be_had_later() -> None:
    factory = mock_factory()
    other = DigitalOutputDevice(22, pin_factory=factory)
    buttons = GpioButtons({"up": 17, "ok": 22}, PinChip(lambda: factory), SystemClock())
    with pytest.raises(ButtonsError, match=r"Button 'ok' cannot use GPIO22: .*in use"):
        buttons.listen(lambda _: None)
    other.close()
    buttons.listen(lambda _: None)
    buttons.close()


def test_no_thread_is_left_by_any_number_of_buttons(buttons: FakeButtons) -> None:
    before = threading.active_count()
    buttons.listen(lambda _: None)
    assert threading.active_count() == before


def test_the_environment_does_not_choose_the_mock_pins(monkeypatch: pytest.MonkeyPatch, clock: SetClock) -> None:
    monkeypatch.setenv("GPIOZERO_MOCK_PIN_CLASS", "mockchargingpin")
    monkeypatch.setenv("GPIOZERO_MOCK_REVISION", "0002")  # the first Pi had no GPIO27
    buttons = FakeButtons(clock=clock)
    edges: list[Edge | Turn] = []
    buttons.listen(edges.append)
    buttons.press("down")
    assert len(edges) == 1
    buttons.close()


def test_lgpio_missing_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(ButtonsError, match="sudo apt install python3-lgpio"):
        open_pin_factory("lgpio")


def test_lgpio_the_empty_placeholder_is_told_from_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(ButtonsError, match="empty placeholder"):
        open_pin_factory("lgpio")


def test_lgpio_is_given_a_folder_for_its_pipe_before_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setenv("LG_WD", "unset")
    monkeypatch.delenv("LG_WD")
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/companion:/run/other")
    with pytest.raises(ButtonsError):
        open_pin_factory("lgpio")
    assert os.environ["LG_WD"] == "/run/companion"


def test_a_folder_in_which_lgpio_cannot_make_its_pipe_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoPipe:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "lgpio":
                raise FileNotFoundError(2, "No such file or directory", ".lgd-nfy-3")  # as lgpio 0.2.2 says in /proc

    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.setattr(sys, "meta_path", [NoPipe(), *sys.meta_path])
    monkeypatch.setenv("LG_WD", "/proc")
    with pytest.raises(ButtonsError, match="LG_WD=/proc: name a folder"):
        open_pin_factory("lgpio")


def test_rpigpio_on_a_pi_5_says_to_name_lgpio(monkeypatch: pytest.MonkeyPatch) -> None:
    class OnPi5:
        def find_spec(self, name: str, *_: object) -> None:
            if name.partition(".")[0] == "RPi":
                raise RuntimeError("Cannot determine SOC peripheral base address")

    monkeypatch.delitem(sys.modules, "RPi", raising=False)
    monkeypatch.setattr(sys, "meta_path", [OnPi5(), *sys.meta_path])
    with pytest.raises(ButtonsError, match="on a Pi 5 name lgpio instead"):
        open_pin_factory("rpigpio")


def test_rpigpio_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(ButtonsError, match=r"RPi\.GPIO is not installed"):
        open_pin_factory("rpigpio")


@pytest.mark.parametrize("name", ["", "native", "pigpio", "LGPIO"])
def test_another_pin_factory_is_not_guessed(name: str) -> None:
    with pytest.raises(ButtonsError, match="name lgpio, rpigpio or mock"):
        open_pin_factory(name)


# --- what is there besides --------------------------------------------------------------------------------------------


def test_a_button_down_before_anybody_listens_is_named_and_gives_no_edge(clock: SetClock) -> None:
    buttons = FakeButtons(clock=clock, down=["ok"])
    edges: list[Edge | Turn] = []
    assert buttons.held() == ()
    buttons.listen(edges.append)
    assert buttons.held() == ("ok",)
    assert edges == []
    buttons.release("ok")
    assert buttons.held() == ()
    assert edges == [Edge("ok", pressed=False, at=100.0)]
    buttons.close()


def test_a_click_of_the_encoder_is_one_turn_whichever_way(clock: SetClock) -> None:
    buttons = FakeButtons({"ok": 22, "push": 13}, clock, encoder=(19, 26))
    turns: list[Edge | Turn] = []
    buttons.listen(turns.append)
    for clockwise in (True, True, False):
        buttons.turn(clockwise=clockwise)
        clock.advance(0.5)
    assert turns == [Turn(clockwise=True, at=100.0), Turn(clockwise=True, at=100.5), Turn(clockwise=False, at=101.0)]
    buttons.close()


def test_an_encoder_whose_contact_is_in_use_is_named_and_nothing_is_kept() -> None:
    factory = mock_factory()
    other = DigitalOutputDevice(26, pin_factory=factory)
    buttons = GpioButtons({"ok": 22}, PinChip(lambda: factory), SystemClock(), (19, 26))
    with pytest.raises(ButtonsError, match=r"rotary encoder cannot use GPIO19 and GPIO26: .*in use"):
        buttons.listen(lambda _: None)
    other.close()


def test_a_bounce_time_is_asked_of_no_pin_library(clock: SetClock) -> None:
    """Some of them refuse what another takes: gpiozero issues 826, 828, 549."""
    buttons = FakeButtons({"ok": 22}, clock, encoder=(19, 26))
    buttons.listen(lambda _: None)
    pins = [buttons._knob.a.pin, buttons._knob.b.pin, buttons._buttons["ok"].pin]
    assert [pin.bounce for pin in pins] == [None, None, None]
    buttons.close()


def test_the_lamp_shines_and_goes_out_when_it_is_closed(clock: SetClock) -> None:
    chip = fake_chip(clock)
    lamp = GpioLamp(6, chip)
    pin = chip.take("the test").pin(6)
    lamp.light(on=True)
    assert pin.state == 1
    lamp.light(on=False)
    assert pin.state == 0
    lamp.light(on=True)
    lamp.close()
    assert pin.function == "input"
    lamp.close()


def test_the_buzzer_sounds_at_a_pitch_as_loud_as_asked_and_falls_silent(clock: SetClock) -> None:
    chip = fake_chip(clock)
    buzzer = GpioBuzzer(16, chip)
    pin = chip.take("the test").pin(16)
    buzzer.tone(2000, 1.0)
    assert (pin.frequency, pin.state) == (2000, 0.5)
    buzzer.tone(1500, 0.1)
    assert (pin.frequency, pin.state) == (1500, 0.05)
    buzzer.tone(1500, 0.0)
    assert pin.state == 0
    buzzer.close()
    assert pin.function == "input"


def test_a_lamp_on_a_pin_in_use_says_which_and_works_once_it_is_free(clock: SetClock) -> None:
    chip = fake_chip(clock)
    other = DigitalOutputDevice(6, pin_factory=chip.take("the test"))
    lamp = GpioLamp(6, chip)
    with pytest.raises(SignalError, match=r"The lamp cannot use GPIO6: .*in use"):
        lamp.light(on=True)
    other.close()
    lamp.light(on=True)
    lamp.close()


def test_without_a_pin_library_a_lamp_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(SignalError, match=r"The lamp cannot use GPIO6: .*python3-lgpio"):
        GpioLamp(6, PinChip(lambda: open_pin_factory("lgpio"))).light(on=True)


def test_the_pins_are_let_go_by_the_last_that_leaves_only(clock: SetClock) -> None:
    chip = fake_chip(clock)
    buttons, lamp = FakeButtons(clock=clock, chip=chip), GpioLamp(6, chip)
    buttons.listen(lambda _: None)
    lamp.light(on=True)
    lamp.close()
    edges: list[Edge | Turn] = []
    buttons.listen(edges.append)
    buttons.press("ok")
    assert len(edges) == 1
    buttons.close()
