"""The webcam over a stand-in for OpenCV's capture, whose buffers fill while nobody reads."""

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.interfaces import CameraError
from hardware.pi.webcam import EXPOSED_S, Webcam


class Capture:
    """A driver with a few buffers, filled as soon as they are free; each frame's picture holds its number."""

    def __init__(self, buffers: int = 4, most: int | None = None) -> None:
        self.buffers = buffers
        self.most = most
        self.filled = [time.monotonic()] * buffers
        self.reads = 0
        self.began = [time.monotonic()] * buffers
        self.asked: dict[int, float] = {}
        self.released = 0
        self.channels = 3

    def set(self, what: int, value: float) -> bool:
        self.asked[what] = value
        return False

    def get(self, what: int) -> float:
        return float(self.buffers) if what == cv2.CAP_PROP_BUFFERSIZE else 0.0

    def grab(self) -> bool:
        if self.most is not None and self.reads >= self.most:
            return False
        self.reads += 1
        self.began.append(time.monotonic())  # the buffer read before is free, and filled at once
        return True

    def retrieve(self) -> tuple[bool, np.ndarray]:
        shape = (48, 64, self.channels) if self.channels > 1 else (48, 64)
        return True, np.full(shape, self.reads % 256, np.uint8)

    def release(self) -> None:
        self.released += 1

    def shown_began_at(self) -> float:
        """When the frame of the last read was begun, at the earliest."""
        return self.began[self.reads - 1]


@pytest.mark.parametrize("buffers", [1, 2, 4, 10])
def test_frames_that_lay_in_the_buffers_are_never_given(buffers: int) -> None:
    capture = Capture(buffers)
    camera = Webcam(0, lambda _: capture)
    for _ in range(3):
        wanted = time.monotonic() - EXPOSED_S  # the driver is so quick that it exposes nothing
        frame = camera.frame(after=wanted, timeout=5.0)
        assert wanted <= frame.at <= capture.shown_began_at()
        assert frame.picture[0, 0, 0] == capture.reads % 256
    camera.close()


def test_a_webcam_is_asked_for_its_size_and_few_buffers() -> None:
    capture = Capture()
    Webcam(0, lambda _: capture).frame(after=0.0, timeout=1.0)
    assert (capture.asked[cv2.CAP_PROP_FRAME_WIDTH], capture.asked[cv2.CAP_PROP_FRAME_HEIGHT]) == (1280, 720)
    assert capture.asked[cv2.CAP_PROP_BUFFERSIZE] == 2


def test_old_frames_only_are_said() -> None:
    with pytest.raises(CameraError, match="old pictures only"):
        Webcam(0, lambda _: Capture()).frame(after=time.monotonic() + 60.0, timeout=0.0)


def test_an_unplugged_webcam_is_said_let_go_of_and_opened_anew() -> None:
    captures = [Capture(most=2), Capture()]
    opened = iter(captures)
    camera = Webcam(2, lambda _: next(opened))
    with pytest.raises(CameraError, match="/dev/video2 gives no picture: check its plug"):
        camera.frame(after=0.0, timeout=1.0)
    assert captures[0].released == 1
    assert camera.frame(after=0.0, timeout=1.0).picture.shape == (48, 64, 3)
    camera.close()
    camera.close()
    assert captures[1].released == 1


def test_half_a_picture_is_refused() -> None:
    capture = Capture()
    capture.channels = 1
    with pytest.raises(CameraError, match="half a picture"):
        Webcam(0, lambda _: capture).frame(after=0.0, timeout=1.0)


def test_a_webcam_that_is_not_there_is_named() -> None:
    with pytest.raises(CameraError, match="no webcam /dev/video99: check its plug"):
        Webcam(99).frame(after=0.0, timeout=1.0)


def test_a_file_that_is_no_camera_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "video0").write_bytes(b"")
    with pytest.raises(CameraError, match=r"video0 cannot be opened"):
        Webcam(str(tmp_path / "video0")).frame(after=0.0, timeout=1.0)
    capfd.readouterr()  # OpenCV tells about it on its own
