"""The lamp, the buzzer and the rotary encoder over lgpio and a gpiochip of the kernel's."""

from __future__ import annotations

from itertools import pairwise

from hardware.clock import SystemClock
from hardware.interfaces import Turn
from hardware.pi.buttons import GpioButtons
from hardware.pi.pin_factory import PinChip, open_pin_factory
from hardware.pi.signals import GpioBuzzer, GpioLamp
from hardware.pins import DEFAULT_PINS, SUGGESTED_PINS
from tests.kernel.devices import Finger

LAMP, BUZZER = SUGGESTED_PINS["lamp"], SUGGESTED_PINS["buzzer"]
A, B = SUGGESTED_PINS["turn_a"], SUGGESTED_PINS["turn_b"]


def chip() -> PinChip:
    return PinChip(lambda: open_pin_factory("lgpio"))


def test_the_lamps_pin_is_high_while_it_shines(finger: Finger) -> None:
    lamp = GpioLamp(LAMP, chip())
    seen = []
    for on in (True, False, True):
        lamp.light(on=on)
        seen.append((finger.line(LAMP) / "value").read_text().strip())
    lamp.close()
    assert seen == ["1", "0", "1"]


def test_the_buzzers_pin_moves_while_it_sounds_and_rests_when_closed(finger: Finger) -> None:
    buzzer = GpioBuzzer(BUZZER, chip())
    level = finger.line(BUZZER) / "value"
    buzzer.tone(440, 1.0)
    levels = [level.read_text() for _ in range(2000)]
    buzzer.close()
    assert sum(a != b for a, b in pairwise(levels)) > 4
    assert len({level.read_text() for _ in range(200)}) == 1


def test_a_turned_knob_says_which_way(finger: Finger) -> None:
    for pin in (A, B):
        finger.pull(pin, down=False)
    turns: list[Turn] = []
    buttons = GpioButtons(DEFAULT_PINS, chip(), SystemClock(), (A, B))

    def hear(what: object) -> None:
        if isinstance(what, Turn):
            turns.append(what)
            finger.hear(what)  # type: ignore[arg-type]

    buttons.listen(hear)
    try:
        for first, second in ((A, B), (B, A)):
            # each contact closes and opens in turn; the chip is asked for the level before the next one moves
            for pin, down in ((first, True), (second, True), (first, False), (second, False)):
                finger.pull(pin, down=down)
                for _ in range(200):
                    (finger.line(pin) / "value").read_text()
            finger.wait_for(lambda _, first=first: len(turns) == (1 if first == A else 2))
    finally:
        buttons.close()
    assert [turn.clockwise for turn in turns] in ([True, False], [False, True])
