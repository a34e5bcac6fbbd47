"""A board whose buttons can be pressed and whose screen can be looked at by the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.interfaces import Board

if TYPE_CHECKING:
    from hardware.fakes.buttons import FakeButtons
    from hardware.fakes.screen import FakeScreen


@dataclass(frozen=True, slots=True)
class FakeBoard(Board):
    """A Board of fakes; its camera is a FolderCamera or absent."""

    buttons: FakeButtons
    screen: FakeScreen
