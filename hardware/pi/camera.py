"""The Pi's camera through picamera2, kept running in one configuration."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import logging
import time
from threading import Event
from typing import TYPE_CHECKING, Any

from hardware.exposure import Exposure
from hardware.interfaces import CameraError, Frame
from hardware.live import LiveCamera

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)

WIDTH_PX, HEIGHT_PX = 1280, 720
BUFFERS = 4
"""Frames in the pipeline: fewer drop frames, more only lie about getting old (picamera2 issue 426)."""

FORMAT = "RGB888"
"""libcamera's name for bytes that lie as B, G, R in memory: what OpenCV calls BGR (picamera2 manual, "RGB888")."""

APT_ADVICE = "sudo apt install python3-picamera2, and a venv with --system-site-packages"


class PiCamera(LiveCamera):
    """The first camera that libcamera finds. Times are the system's monotonic ones."""

    def __init__(self) -> None:
        super().__init__(PiStream)


class PiStream:
    """A running camera; raises CameraError when there is none."""

    def __init__(self) -> None:
        self._camera = open_picamera2()
        self._exposure = Exposure(has_focus="AfMode" in self._camera.camera_controls)
        self._set(self._exposure.start())

    def frame(self, after: float, timeout: float) -> Frame:
        """Give the first frame begun no earlier than `after`; raises CameraError after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        old = 0
        while True:
            request = self._captured(deadline - time.monotonic())
            try:
                metadata = request.get_metadata()
                at = _began_at(metadata)
                picture = _checked(request.make_array("main")) if at >= after else None
            finally:
                request.release()
            if picture is not None:
                self._set(self._exposure.after(picture, metadata, at))
                return Frame(picture, at)
            old += 1
            if time.monotonic() > deadline:
                raise CameraError(
                    f"All {old} pictures that came in {timeout:.1f} s were taken before they were wanted."
                )

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.stop()
        self._camera.close()

    def _captured(self, timeout: float) -> Any:  # noqa: ANN401 - picamera2 has no types
        """Wait for the next request. One that never comes is called off, else stopping would wait behind it."""
        done = Event()
        job = self._camera.capture_request(wait=False, signal_function=lambda _: done.set())
        if not done.wait(max(0.0, timeout)):
            self._camera.cancel_all_and_flush()
            raise CameraError("The camera gives no picture: check its ribbon cable.")
        return job.get_result()

    def _set(self, controls: dict[str, Any]) -> None:
        """Set controls; a sensor that lacks one goes on as it is."""
        if not controls:
            return
        try:
            self._camera.set_controls(
                {key: one for key, one in controls.items() if key in self._camera.camera_controls}
            )
        except Exception:  # libcamera raises what it likes, and a picture is better than none
            log.warning("the camera took no controls", exc_info=True)


def _checked(picture: Any) -> NDArray[np.uint8]:  # noqa: ANN401 - as above
    import numpy as np

    if picture.shape != (HEIGHT_PX, WIDTH_PX, 3) or picture.dtype != np.uint8:
        raise CameraError(f"The camera gave {picture.shape} of {picture.dtype}, not {WIDTH_PX} x {HEIGHT_PX} in BGR.")
    return np.ascontiguousarray(picture)


def _began_at(metadata: dict[str, Any]) -> float:
    """Give the monotonic time in seconds at which a frame's exposure began, at the latest guess.

    libcamera dates frames in nanoseconds since the machine was switched on (CLOCK_BOOTTIME), which counts sleep too,
    by the sensor's first row. Whether that row's exposure begins or ends then differs among its drivers; taking it to
    end makes the frame older by ExposureTime (microseconds), and costs one frame at most.
    """
    if "SensorTimestamp" not in metadata:
        raise CameraError("The camera does not date its frames: update libcamera.")
    asleep_s = time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
    return float(metadata["SensorTimestamp"]) / 1e9 - asleep_s - float(metadata.get("ExposureTime", 0)) / 1e6


def open_picamera2() -> Any:  # noqa: ANN401 - as above
    """Open and start the first camera at 1280 x 720; raises CameraError."""
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraError(f"picamera2 cannot be loaded ({error}): {APT_ADVICE}.") from error
    except ValueError as error:  # "numpy.dtype size changed": built for another numpy, picamera2 issue 1088
        raise CameraError(f"picamera2 and numpy do not fit together ({error}): take both from apt.") from error
    if not Picamera2.global_camera_info():
        raise CameraError("No camera was found: check its ribbon cable and that it is switched on in config.txt.")
    camera = Picamera2()
    try:
        main = {"size": (WIDTH_PX, HEIGHT_PX), "format": FORMAT}
        # queue=False: do not hold a frame back for the next call; it would be old by then.
        camera.configure(camera.create_video_configuration(main=main, buffer_count=BUFFERS, queue=False))
        _check_format(camera.camera_configuration()["main"]["format"])
        camera.start()
    except BaseException:
        camera.close()
        raise
    return camera


def _check_format(given: str) -> None:
    """Raise CameraError where libcamera put another format in place of the one that was asked for."""
    if given != FORMAT:
        raise CameraError(f"The camera gives {given} in place of {FORMAT}: red and blue cannot be told.")
