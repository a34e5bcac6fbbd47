"""Sound and lamp: one short sound a ruling, another a question, none for the rest; nobody waits for them."""

import logging
import queue
import threading
from collections.abc import Mapping
from typing import Literal

from companion.events import Begin, Effect, Loudness, Record
from companion.page import Page
from hardware.interfaces import Board, SignalError

log = logging.getLogger(__name__)

Sound = Literal["ruling", "question"]

SOUNDS: Mapping[Sound, tuple[tuple[int, float], ...]] = {
    "ruling": ((2000, 0.06),),
    "question": ((1500, 0.08), (0, 0.06), (1900, 0.12)),
}
"""Pitches in Hz and how long each lasts in seconds; 0 is a pause. Small piezo discs are loudest at about 2 kHz."""
LOUDNESS: Mapping[Loudness, float] = {"off": 0.0, "quiet": 0.05, "loud": 1.0}


def sound_of(effects: list[Effect], before: Page | None, after: Page) -> Sound | None:
    """Tell which sound goes with what was done: a question's as its page comes, a ruling's as one is recorded."""
    if after.kind == "question" and (before is None or before.kind != "question"):
        return "question"
    ruled = any(isinstance(one, Begin) or (isinstance(one, Record) and "input" in one.lines[-1]) for one in effects)
    return "ruling" if ruled else None


class Signals:
    """The board's lamp and buzzer on a thread of their own; what cannot be used is logged and left alone."""

    def __init__(self, board: Board) -> None:
        self._lamp = board.lamp
        self._buzzer = board.buzzer
        self._lit = False
        self._wishes: queue.SimpleQueue[tuple[Sound, Loudness] | bool | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="signals", daemon=True)
        self._silence = threading.Event()

    def start(self) -> None:
        """Begin to signal, if there is anything to signal with."""
        if self._lamp is not None or self._buzzer is not None:
            self._thread.start()

    def light(self, *, on: bool) -> None:
        """Switch the lamp."""
        if self._lamp is not None and on != self._lit:
            self._lit = on
            self._wishes.put(on)

    def play(self, sound: Sound, loudness: Loudness) -> None:
        """Play a sound."""
        if self._buzzer is not None and loudness != "off":
            self._wishes.put((sound, loudness))

    def stop(self) -> None:
        """Fall silent."""
        self._silence.set()
        self._wishes.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)

    def _work(self) -> None:
        while (wish := self._wishes.get()) is not None:
            try:
                if isinstance(wish, bool):
                    self._switch(on=wish)
                else:
                    self._sound(*wish)
            except SignalError as error:
                log.warning("%s", error)

    def _switch(self, *, on: bool) -> None:
        if self._lamp is not None:
            self._lamp.light(on=on)

    def _sound(self, sound: Sound, loudness: Loudness) -> None:
        if self._buzzer is None:
            return
        for pitch_hz, seconds in SOUNDS[sound]:
            self._buzzer.tone(pitch_hz or 1, LOUDNESS[loudness] if pitch_hz else 0.0)
            if self._silence.wait(seconds):
                break
        self._buzzer.tone(1, 0.0)
