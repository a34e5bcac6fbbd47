"""The far ends of the kernel's devices: a finger at the simulated pins, the panel on the simulated bus."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from threading import Event

from hardware.fakes.panel import Panel
from hardware.interfaces import Edge

OLED = Path("/proc/oled")


class Finger:
    """Pulls lines of the simulated chip, as a button to ground does, and hears what the adapter says."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self._heard = Event()

    def line(self, pin: int) -> Path:
        """The folder of one line."""
        return Path(os.environ["GPIO_SIM"]) / f"sim_gpio{pin}"

    def pull(self, pin: int, *, down: bool) -> None:
        (self.line(pin) / "pull").write_text("pull-down" if down else "pull-up")

    def hear(self, edge: Edge) -> None:
        self.edges.append(edge)
        self._heard.set()

    def wait(self, count: int) -> list[Edge]:
        """Wait until so many edges were heard."""
        return self.wait_for(lambda edges: len(edges) >= count)

    def wait_for(self, enough: Callable[[list[Edge]], bool]) -> list[Edge]:
        """Wait until what was heard is enough; two seconds at most from one edge to the next."""
        while not enough(self.edges):
            self._heard.clear()
            if not enough(self.edges) and not self._heard.wait(2.0):
                raise AssertionError(f"heard no more than {self.edges}")
        return self.edges


class Oled:
    """The panel at the end of the simulated bus."""

    def __init__(self) -> None:
        self.say("plug")
        self.say("fail 0")
        self.say("clear")

    def say(self, word: str) -> None:
        """One of the words that oled_bus.c knows."""
        OLED.write_text(word)

    def messages(self) -> list[bytes]:
        """All messages it was sent."""
        sent, found = OLED.read_bytes(), []
        while sent:
            end = 2 + int.from_bytes(sent[:2], "little")
            found.append(sent[2:end])
            sent = sent[end:]
        return found

    def panel(self, chip: str) -> Panel:
        """What a controller of that kind shows after all of them."""
        panel = Panel(chip)
        for message in self.messages():
            panel.receive(message)
        return panel
