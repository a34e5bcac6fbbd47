"""A USB webcam through OpenCV and Video4Linux."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import os
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.interfaces import CameraError, Frame
from hardware.live import LiveCamera

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH_PX, HEIGHT_PX = 1280, 720
BUFFERS = 2
"""Buffers asked for: as few as a driver works with, for all of them hold old frames while nobody reads."""
FOCUS_S = 3.0
"""What autofocus is given before the lens is held where it is."""
EXPOSED_S = 0.1
"""An exposure and its way over the cable, at the longest: a webcam in dim light takes ten frames a second."""


class Webcam(LiveCamera):
    """A webcam: `device` is its number (0: /dev/video0) or its path. Times are the system's monotonic ones."""

    def __init__(self, device: int | str, open_capture: Callable[[str], Any] | None = None) -> None:
        path = f"/dev/video{device}" if isinstance(device, int) else device
        super().__init__(lambda: WebcamStream(path, (open_capture or _open_capture)(path)))


class WebcamStream:
    """A running webcam over a `cv2.VideoCapture`.

    Drivers date their frames each in its own way, or not at all. What holds for all: a frame lies in a buffer that was
    handed to the driver `buffers` reads ago at the earliest, and its exposure began no more than EXPOSED_S before.
    """

    def __init__(self, path: str, capture: Any) -> None:  # noqa: ANN401 - OpenCV's types know nothing of it
        self._path = path
        self._capture = capture
        buffers = max(BUFFERS, int(_tuned(capture)))
        self._read_at: deque[float] = deque(maxlen=buffers)
        self._hold_at: float | None = time.monotonic() + FOCUS_S

    def frame(self, after: float, timeout: float) -> Frame:
        """Give the first frame begun no earlier than `after`; raises CameraError."""
        deadline = time.monotonic() + timeout
        while True:
            self._read_at.append(time.monotonic())
            if not self._capture.grab():
                raise CameraError(f"The webcam {self._path} gives no picture: check its plug.")
            at = self._read_at[0] - EXPOSED_S
            if at >= after and len(self._read_at) == self._read_at.maxlen:
                self._hold_focus(at)
                return Frame(self._decoded(), at)
            if time.monotonic() > deadline:
                raise CameraError(f"The webcam {self._path} gave old pictures only for {timeout:.1f} s.")

    def close(self) -> None:
        """Let go of the webcam."""
        self._capture.release()

    def _hold_focus(self, at: float) -> None:
        import cv2

        if self._hold_at is not None and at >= self._hold_at:
            self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
            self._hold_at = None

    def _decoded(self) -> Any:  # noqa: ANN401 - as above
        import numpy as np

        done, picture = self._capture.retrieve()
        if not done or picture is None or picture.ndim != 3 or picture.shape[2] != 3:
            raise CameraError(f"The webcam {self._path} gave half a picture.")
        return np.ascontiguousarray(picture, np.uint8)


def _tuned(capture: Any) -> float:  # noqa: ANN401 - as above
    """Ask for few buffers, the size, and autofocus; give the number of buffers there are.

    Exposure and white balance stay the webcam's own: with many, what is read while they are automatic is not what they
    are, and holding that would darken the picture.
    """
    import cv2

    capture.set(cv2.CAP_PROP_BUFFERSIZE, BUFFERS)
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw pictures of this size take 10 frames/s
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH_PX)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT_PX)
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 1)
    return float(capture.get(cv2.CAP_PROP_BUFFERSIZE))


def _open_capture(path: str) -> Any:  # noqa: ANN401 - as above
    """Open a device; raises CameraError with what to check."""
    import cv2

    if not Path(path).exists():
        raise CameraError(f"There is no webcam {path}: check its plug, and the settings' board.camera.")
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError(f"The webcam {path} may not be used by this user: add it to the group video.")
    capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
    if not capture.isOpened():
        capture.release()
        raise CameraError(f"The webcam {path} cannot be opened: another program may use it, or it is no camera.")
    return capture
