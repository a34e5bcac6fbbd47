"""Exposure, gains and focus of a libcamera camera: left to settle, then held until the light has changed."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

SETTLING_S = 2.0
"""What libcamera's loops are given; they converge in well under a second, autofocus in about one."""
CHANGED_STOPS = 0.6
"""A picture this much brighter or darker than when exposure was held has another light, or a hand over all of it."""
CHANGED_S = 2.0
"""How long it must be so: a hand that reaches in is gone by then."""

HELD = ("ExposureTime", "AnalogueGain", "ColourGains")
AUTO = {"AeEnable": True, "AwbEnable": True}
AF_MANUAL, AF_CONTINUOUS = 0, 2
"""libcamera's AfMode."""


class Exposure:
    """Tells which controls to set after each frame. ``has_focus``: the lens moves."""

    def __init__(self, *, has_focus: bool) -> None:
        self._has_focus = has_focus
        self._settling_since: float | None = None
        self._held_stops: float | None = None
        self._changed_since: float | None = None

    def start(self) -> dict[str, Any]:
        """Give the controls that let everything settle."""
        self._settling_since = self._held_stops = self._changed_since = None
        return {**AUTO, **({"AfMode": AF_CONTINUOUS} if self._has_focus else {})}

    def after(self, picture: NDArray[np.uint8], metadata: Mapping[str, Any], at: float) -> dict[str, Any]:
        """Give the controls to set after a frame that began at `at` seconds; none as a rule."""
        stops = log2(1.0 + float(picture[::16, ::16].mean()))
        if self._held_stops is None:
            self._settling_since = at if self._settling_since is None else self._settling_since
            if at - self._settling_since < SETTLING_S:
                return {}
            self._held_stops = stops
            return self._hold(metadata)
        if abs(stops - self._held_stops) < CHANGED_STOPS:
            self._changed_since = None
            return {}
        self._changed_since = at if self._changed_since is None else self._changed_since
        return self.start() if at - self._changed_since >= CHANGED_S else {}

    def _hold(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        held = {"AeEnable": False, "AwbEnable": False, **{key: metadata[key] for key in HELD if key in metadata}}
        if self._has_focus and "LensPosition" in metadata:
            held |= {"AfMode": AF_MANUAL, "LensPosition": metadata["LensPosition"]}
        return held
