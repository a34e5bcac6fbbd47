"""The real screen's adapter and luma's real driver over a simulated bus and panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.fakes.bus import FakeBus, FakeI2c
from hardware.fakes.panel import Panel
from hardware.pi.screen import LumaScreen

if TYPE_CHECKING:
    from PIL.Image import Image


class FakeScreen(LumaScreen):
    """A screen on I2C whose glass the program can look at. bus: make it fail there."""

    def __init__(self, driver: str = "ssd1306", *, rotation_deg: int = 0) -> None:
        self.bus = FakeBus(Panel(driver))
        self._upside_down_deg = rotation_deg
        super().__init__(driver, FakeI2c(self.bus), rotation_deg=rotation_deg)

    def picture(self) -> Image:
        """Give what somebody before the screen sees, mode "1"; never half of a picture being sent."""
        with self._lock:
            return self.bus.panel.picture().rotate(self._upside_down_deg)
