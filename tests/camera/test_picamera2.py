"""The camera's adapter over the real picamera2."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from hardware.pi.camera import PiCamera
from vision.mat.markers import find_mat


@pytest.fixture
def camera() -> Iterator[PiCamera]:
    camera = PiCamera()
    yield camera
    camera.close()


def test_a_frame_shows_what_lies_before_the_camera(camera: PiCamera) -> None:
    picture = camera.frame(time.monotonic(), 5.0).picture
    assert picture.shape == (720, 1280, 3)
    assert picture.dtype == np.uint8
    mat = find_mat(picture)
    assert mat is not None
    assert mat.layout.name == "horror-race"


def test_its_colours_lie_as_blue_green_red(camera: PiCamera) -> None:
    picture = camera.frame(time.monotonic(), 5.0).picture.astype(int)
    red, blue = picture[350, 350], picture[350, 550]
    assert red[2] > red[0] + 100
    assert blue[0] > blue[2] + 100


def test_no_frame_is_older_than_the_press(camera: PiCamera) -> None:
    for _ in range(20):
        asked = time.monotonic()
        frame = camera.frame(asked, 5.0)
        assert frame.at >= asked
        assert frame.at <= time.monotonic()


def test_a_hundred_frames_need_no_more_threads(camera: PiCamera) -> None:
    camera.frame(time.monotonic(), 5.0)
    before = threading.active_count()
    for _ in range(100):
        camera.frame(time.monotonic(), 5.0)
    assert threading.active_count() == before


def test_closed_the_camera_is_free_for_the_next() -> None:
    for _ in range(3):
        camera = PiCamera()
        camera.frame(time.monotonic(), 5.0)
        camera.close()
