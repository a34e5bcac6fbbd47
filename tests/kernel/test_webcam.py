"""The webcam's adapter over OpenCV and a camera of the kernel's (vivid, which shows moving colour bars)."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from hardware.interfaces import CameraError
from hardware.pi.webcam import Webcam


@pytest.fixture
def webcam() -> Iterator[Webcam]:
    webcam = Webcam(0)
    yield webcam
    webcam.close()


def test_frames_come_in_colour_and_none_is_older_than_asked(webcam: Webcam) -> None:
    for _ in range(5):
        asked = time.monotonic()
        frame = webcam.frame(asked, 10.0)
        assert asked <= frame.at <= time.monotonic()
        assert frame.picture.shape == (720, 1280, 3)
        assert frame.picture.dtype == np.uint8
        assert frame.picture.reshape(-1, 3).std(0).min() > 20


def test_closed_it_is_free_for_the_next() -> None:
    before = threading.active_count()
    for _ in range(3):
        webcam = Webcam(0)
        webcam.frame(time.monotonic(), 10.0)
        webcam.close()
    assert threading.active_count() <= before + 1


def test_a_device_that_is_not_there_is_said() -> None:
    webcam = Webcam("/dev/video9")
    with pytest.raises(CameraError, match="no webcam /dev/video9"):
        webcam.frame(time.monotonic(), 5.0)
    webcam.close()
