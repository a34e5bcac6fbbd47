"""The real picamera2 over libcamera's `virtual` pipeline, which has no sensor. Elsewhere these tests are not collected.

What stands in here for a sensor's driver: the virtual one gives NV12 only and has no raw modes, and wants its buffers
from libcamera's own allocator. Requests, their dates, the event loop, starting and stopping are picamera2's own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import cv2
import numpy as np
import pytest

from vision.mat.layout import Layout, layouts

FRAMES = os.environ.get("COMPANION_FRAMES", "")
collect_ignore_glob = [] if FRAMES else ["test_*.py"]

PX_PER_MM = 2.4
RED, BLUE = (0, 0, 255), (255, 0, 0)  # as B, G, R


def drawn(layout: Layout) -> np.ndarray:
    """A mat that fills 1280 x 720 px, with a red and a blue square."""
    picture = np.full((720, 1280, 3), 235, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(layout.marker_side * PX_PER_MM)
    for marker in layout.markers:
        x, y = (round(v * PX_PER_MM) for v in layout.marker_corners(marker)[0])
        picture[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, marker, side)[..., None]
    picture[300:400, 300:400] = RED
    picture[300:400, 500:600] = BLUE
    return picture


def put_frames() -> None:
    """Put the pictures where virtual.yaml has the sensor look."""
    picture = drawn(next(m for m in layouts() if m.name == "horror-race"))
    for number in range(3):
        cv2.imwrite(str(Path(FRAMES) / f"{number}.jpg"), picture)


def use_folder() -> None:
    """Put a Picamera2 in place that the virtual pipeline can serve."""
    sys.modules.setdefault("kms", MagicMock())  # the library of a preview that nobody asks for
    import libcamera  # noqa: PLC0415 - there in the root only
    import picamera2  # noqa: PLC0415 - as above
    from picamera2.allocators import LibcameraAllocator  # noqa: PLC0415 - as above

    class FolderCamera(picamera2.Picamera2):
        def __init__(self) -> None:
            super().__init__()
            self.allocator = LibcameraAllocator(self.camera)

        def _get_raw_modes(self) -> list[dict[str, Any]]:
            formats = self.camera.generate_configuration([libcamera.StreamRole.VideoRecording]).at(0).formats
            return [
                {"format": str(one), "size": (size.width, size.height)}
                for one in formats.pixel_formats
                for size in formats.sizes(one)
            ]

        def create_video_configuration(self, main: dict[str, Any] = {}, **more: Any) -> dict[str, Any]:  # noqa: ANN401, B006 - never changed
            return super().create_video_configuration(main=main | {"format": "NV12"}, **more)

        def camera_configuration(self) -> dict[str, Any]:
            given = super().camera_configuration()
            return given | {"main": given["main"] | {"format": "RGB888"}}

    def make_array(self: Any, name: str) -> np.ndarray:  # noqa: ANN401 - picamera2 has no types
        return np.asarray(cv2.cvtColor(nv12(self, name), cv2.COLOR_YUV2BGR_NV12))

    nv12 = picamera2.request.CompletedRequest.make_array
    picamera2.request.CompletedRequest.make_array = make_array
    picamera2.Picamera2 = FolderCamera


@pytest.fixture(scope="session", autouse=True)
def virtual_camera() -> None:
    put_frames()
    use_folder()
