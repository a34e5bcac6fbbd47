"""The Pi's camera through picamera2, kept running in one configuration."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

import logging
import time
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from hardware.interfaces import CameraError, Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)

WIDTH_PX, HEIGHT_PX = 1280, 720
BUFFERS = 4
"""Frames in the pipeline: fewer drop frames, more only lie about getting old (picamera2 issue 426)."""

CLOSING_S = 1.0
"""How long closing waits for a camera that hangs; its thread ends with the program at the latest."""

APT_ADVICE = "sudo apt install python3-picamera2, and a venv with --system-site-packages"


class _Request:
    """One call of `frame` on its way to the worker and back."""

    def __init__(self, after: float, deadline: float) -> None:
        self.after = after
        self.deadline = deadline
        self.frame: Frame | None = None
        self.error: Exception | None = None
        self.too_old = 0  # frames refused for their age
        self.done = Event()


class PiCamera:
    """A camera in the hands of one worker thread, which opens it at the first call and keeps it running.

    While the worker hangs in a call that never returns, further calls fail in their time and no second worker is
    started: threads would pile up, and the camera has one owner. After any other failure it is opened anew. Times are
    the system's monotonic ones.
    """

    def __init__(self, open_camera: Callable[[], Any] | None = None) -> None:
        self._open_camera = open_camera or open_picamera2
        self._camera: Any = None
        self._requests: SimpleQueue[_Request | None] = SimpleQueue()
        self._last: _Request | None = None
        self._worker: Thread | None = None
        self._lock = Lock()
        self._closed = False

    def frame(self, after: float, timeout: float) -> Frame:
        """Give a frame whose exposure began no earlier than `after`, in `timeout` seconds; raises CameraError."""
        deadline = time.monotonic() + timeout
        if not self._lock.acquire(timeout=max(0.0, timeout)):
            raise CameraError("The camera is busy with another picture.")
        try:
            request = self._sent(after, deadline)
            if not request.done.wait(max(0.0, deadline - time.monotonic())):
                raise CameraError(_why_none(request, timeout))
        finally:
            self._lock.release()
        if request.frame is None:
            told = request.error if isinstance(request.error, CameraError) else f"The camera failed: {request.error!r}."
            raise CameraError(str(told)) from request.error
        return request.frame

    def _sent(self, after: float, deadline: float) -> _Request:
        """Hand a request to the worker once it is free."""
        if self._closed:
            raise CameraError("The camera has been closed.")
        if self._last is not None and not self._last.done.wait(max(0.0, deadline - time.monotonic())):
            raise CameraError("The camera hangs: pull the plug and put it in again, and check the ribbon cable.")
        if self._worker is None:
            self._worker = Thread(target=self._work, name="camera", daemon=True)
            self._worker.start()
        self._last = _Request(after, deadline)
        self._requests.put(self._last)
        return self._last

    def close(self) -> None:
        """Let go of the camera; never raises, and waits a second at most for one that hangs."""
        self._closed = True
        if self._worker is not None:
            self._requests.put(None)
            self._worker.join(CLOSING_S)

    def _work(self) -> None:
        while (request := self._requests.get()) is not None:
            try:
                request.frame = self._capture(request)
            except Exception as error:  # noqa: BLE001 - whatever libcamera says becomes the caller's CameraError
                request.error = error
                if not isinstance(error, _TooOldError):
                    self._let_go()
            finally:
                request.done.set()
        self._let_go()

    def _capture(self, request: _Request) -> Frame:
        """Take frames until one is young enough; the pipeline gives those that lay ready first."""
        if self._camera is None:
            self._camera = self._open_camera()
        while True:
            frame = _next_frame(self._camera)
            if frame.at >= request.after:
                return frame
            request.too_old += 1
            if time.monotonic() > request.deadline:
                raise _TooOldError

    def _let_go(self) -> None:
        camera, self._camera = self._camera, None
        if camera is None:
            return
        try:
            camera.stop()
            camera.close()
        except Exception:  # it is broken already: the next opening tells whether for good
            log.warning("the camera could not be closed", exc_info=True)


class _TooOldError(CameraError):
    """The camera works but lags; opening it anew would not help. Nobody waits for the answer any more."""


def _why_none(request: _Request, timeout: float) -> str:
    if request.too_old:
        return (
            f"All {request.too_old} pictures the camera gave within {timeout:.1f} s were taken before they were wanted."
        )
    return f"The camera gave no picture within {timeout:.1f} s: check its ribbon cable."


def _next_frame(camera: Any) -> Frame:  # noqa: ANN401 - picamera2 has no types
    request = camera.capture_request()
    try:
        picture = _checked(request.make_array("main"))
        metadata = request.get_metadata()
    finally:
        request.release()
    return Frame(picture, _began_at(metadata))


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
        # "RGB888" is libcamera's name for bytes that lie as B, G, R in memory: what OpenCV calls BGR.
        main = {"size": (WIDTH_PX, HEIGHT_PX), "format": "RGB888"}
        # queue=False: do not hold a frame back for the next call; it would be old by then.
        camera.configure(camera.create_video_configuration(main=main, buffer_count=BUFFERS, queue=False))
        camera.start()
    except BaseException:
        camera.close()
        raise
    return camera
