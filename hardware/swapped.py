"""A camera whose red and blue change places: the remedy for one that gives them so, and a fake of such a one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hardware.interfaces import Camera, Frame


class SwappedCamera:
    """Another camera's pictures with red and blue swapped."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    def frame(self, after: float, timeout: float) -> Frame:
        """Give the camera's frame; raises CameraError as it does."""
        frame = self._camera.frame(after, timeout)
        return replace(frame, picture=np.ascontiguousarray(frame.picture[:, :, ::-1]))

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()
