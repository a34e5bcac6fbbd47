"""The buttons' adapter over lgpio and a gpiochip of the kernel's."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from hardware.clock import SystemClock
from hardware.interfaces import ButtonsError
from hardware.pi.buttons import GpioButtons
from hardware.pi.pin_factory import PinChip, open_pin_factory
from hardware.pins import DEFAULT_PINS
from tests.kernel.devices import Finger

HOLD = """
import lgpio, sys, time
chip = lgpio.gpiochip_open(0)
lgpio.gpio_claim_input(chip, int(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def test_each_button_is_heard_by_its_name(buttons: GpioButtons, finger: Finger) -> None:
    buttons.listen(finger.hear)
    for name, pin in DEFAULT_PINS.items():
        finger.edges.clear()
        finger.pull(pin, down=True)
        finger.wait(1)
        finger.pull(pin, down=False)
        assert [(e.button, e.pressed) for e in finger.wait(2)] == [(name, True), (name, False)]


def test_an_edge_has_the_time_at_which_it_happened(buttons: GpioButtons, finger: Finger) -> None:
    buttons.listen(finger.hear)
    late = []
    for _ in range(10):
        finger.edges.clear()
        before = time.monotonic()
        finger.pull(DEFAULT_PINS["ok"], down=True)
        after = time.monotonic()
        at = finger.wait(1)[0].at
        late.append(at - after)
        assert at >= before - 0.001
        finger.pull(DEFAULT_PINS["ok"], down=False)
        finger.wait(2)
    assert sorted(late)[5] < 0.05


def test_after_chatter_the_last_edge_tells_the_level(buttons: GpioButtons, finger: Finger) -> None:
    # Faster than the chip tells: edges between may melt into one, the last must not
    buttons.listen(finger.hear)
    for down in (True, False) * 6 + (True,):
        finger.pull(DEFAULT_PINS["up"], down=down)
    finger.wait_for(lambda edges: edges and edges[-1].pressed)
    finger.pull(DEFAULT_PINS["up"], down=False)
    edges = finger.wait_for(lambda edges: not edges[-1].pressed)
    assert [e.pressed for e in edges] == [n % 2 == 0 for n in range(len(edges))]
    assert [e.at for e in edges] == sorted(e.at for e in edges)


def test_the_pins_pull_themselves_up(buttons: GpioButtons, finger: Finger) -> None:
    for pin in DEFAULT_PINS.values():
        finger.pull(pin, down=True)
    buttons.listen(finger.hear)
    assert {(finger.line(p) / "pull").read_text().strip() for p in DEFAULT_PINS.values()} == {"pull-up"}


def test_a_pin_that_another_program_holds_is_named(buttons: GpioButtons, finger: Finger) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(DEFAULT_PINS["ok"])], stdout=subprocess.PIPE)  # noqa: S603 - our own lines
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(ButtonsError, match=r"'ok' cannot use GPIO22.*another program"):
            buttons.listen(finger.hear)
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    buttons.listen(finger.hear)
    finger.pull(DEFAULT_PINS["ok"], down=True)
    assert finger.wait(1)[0].button == "ok"


def test_closed_and_opened_again_the_pins_are_free(finger: Finger) -> None:
    for _ in range(3):
        buttons = GpioButtons(DEFAULT_PINS, PinChip(lambda: open_pin_factory("lgpio")), SystemClock())
        buttons.listen(finger.hear)
        finger.edges.clear()
        finger.pull(DEFAULT_PINS["back"], down=True)
        assert finger.wait(1)[0].button == "back"
        finger.pull(DEFAULT_PINS["back"], down=False)
        finger.wait(2)
        buttons.close()
