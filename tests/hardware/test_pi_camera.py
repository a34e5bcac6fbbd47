"""The Pi's camera over a stand-in for the picamera2 library: stale frames, hangs, failures."""

import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hardware.interfaces import CameraError
from hardware.pi.camera import PiCamera

PICTURE = np.zeros((720, 1280, 3), np.uint8)
CONTROLS = dict.fromkeys(("AeEnable", "AwbEnable", "ExposureTime", "AfMode", "LensPosition"))


Step = float | str | Exception | np.ndarray
Install = Callable[..., "tuple[Sensor, PiCamera]"]


class Sensor:
    """Scripted frames: a number is the frame's age (negative) or youth in seconds, an exception is raised."""

    def __init__(self, *script: Step) -> None:
        self.script = list(script)
        self.start = time.monotonic()
        self.opened = 0
        self.closed = 0
        self.called_off = 0
        self.asked: dict[str, object] = {}
        self.given: str | None = None
        self.metadata: dict[str, object] = {}
        self.controls: list[dict[str, object]] = []

    def module(self) -> ModuleType:  # noqa: C901 - the library has many doors
        sensor = self

        class Picamera2:
            camera_controls = CONTROLS

            def __init__(self) -> None:
                sensor.opened += 1

            @staticmethod
            def global_camera_info() -> list[dict[str, str]]:
                return [{"Model": "imx708"}]

            def create_video_configuration(self, **asked: object) -> dict[str, object]:
                return asked

            def configure(self, configuration: dict[str, object]) -> None:
                sensor.asked = configuration

            def camera_configuration(self) -> dict[str, Any]:
                main: Any = sensor.asked["main"]
                return {"main": main | ({"format": sensor.given} if sensor.given else {})}

            def start(self) -> None: ...

            def stop(self) -> None: ...

            def close(self) -> None:
                sensor.closed += 1

            def set_controls(self, controls: dict[str, object]) -> None:
                sensor.controls.append(controls)

            def cancel_all_and_flush(self) -> None:
                sensor.called_off += 1

            def capture_request(self, *, wait: bool, signal_function: Callable[[object], None]) -> SimpleNamespace:
                assert not wait
                job = SimpleNamespace(get_result=sensor.next)
                if not isinstance(sensor.script[0], str):
                    signal_function(job)
                return job

        module = ModuleType("picamera2")
        module.Picamera2 = Picamera2  # type: ignore[attr-defined]
        return module

    def next(self) -> SimpleNamespace:
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        picture = step if isinstance(step, np.ndarray) else PICTURE
        at = self.start + (step if isinstance(step, float) else 0.0)
        asleep = time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
        metadata = {"SensorTimestamp": int((at + asleep) * 1e9)} | self.metadata
        return SimpleNamespace(make_array=lambda _: picture, get_metadata=lambda: metadata, release=lambda: None)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    sensors: list[Sensor] = []
    cameras: list[PiCamera] = []

    def installed(*script: Step) -> tuple[Sensor, PiCamera]:
        sensors.append(Sensor(*script))
        monkeypatch.setitem(sys.modules, "picamera2", sensors[-1].module())
        cameras.append(PiCamera())
        return sensors[-1], cameras[-1]

    yield installed
    for camera in cameras:
        camera.close()


def test_frames_older_than_asked_are_never_given(install: Install) -> None:
    sensor, camera = install(-0.400, -0.050, 0.030)
    frame = camera.frame(after=sensor.start, timeout=5.0)
    assert frame.at == pytest.approx(sensor.start + 0.030, abs=0.005)
    assert not sensor.script


def test_a_frame_is_as_old_as_the_beginning_of_its_exposure(install: Install) -> None:
    sensor, camera = install(0.010, 0.050)
    sensor.metadata = {"ExposureTime": 20_000}
    assert camera.frame(after=sensor.start, timeout=5.0).at == pytest.approx(sensor.start + 0.030, abs=0.005)


def test_old_frames_only_is_told_from_no_frames(install: Install) -> None:
    sensor, camera = install(-3.0, -2.0)
    with pytest.raises(CameraError, match="All 1 pictures"):
        camera.frame(after=sensor.start, timeout=0.0)


def test_the_camera_is_opened_once_in_one_configuration(install: Install) -> None:
    sensor, camera = install(0.1, 0.2, 0.3)
    for _ in range(3):
        camera.frame(after=sensor.start, timeout=5.0)
    assert sensor.opened == 1
    assert sensor.asked["main"] == {"size": (1280, 720), "format": "RGB888"}  # B, G, R in memory
    camera.close()
    assert sensor.closed == 1


def test_a_frame_that_never_comes_is_called_off_and_the_camera_is_opened_anew(install: Install) -> None:
    sensor, camera = install("hang")
    with pytest.raises(CameraError, match="ribbon cable"):
        camera.frame(after=sensor.start, timeout=0.0)
    assert (sensor.called_off, sensor.closed) == (1, 1)
    sensor.script = [0.2]
    assert camera.frame(after=sensor.start + 0.1, timeout=5.0).at == pytest.approx(sensor.start + 0.2, abs=0.005)
    assert sensor.opened == 2


def test_after_a_failure_the_camera_is_opened_anew(install: Install) -> None:
    sensor, camera = install(OSError("dequeue failed"), 0.1)
    with pytest.raises(CameraError, match="dequeue failed"):
        camera.frame(after=sensor.start, timeout=5.0)
    camera.frame(after=sensor.start, timeout=5.0)
    assert (sensor.opened, sensor.closed) == (2, 1)


def test_a_picture_of_another_shape_is_refused(install: Install) -> None:
    sensor, camera = install(np.zeros((480, 640, 3), np.uint8))
    with pytest.raises(CameraError, match="not 1280 x 720"):
        camera.frame(after=sensor.start - 1.0, timeout=5.0)


def test_a_camera_that_gives_another_format_than_asked_is_refused(install: Install) -> None:
    sensor, camera = install(0.1)
    sensor.given = "BGR888"  # red and blue change places
    with pytest.raises(CameraError, match="red and blue"):
        camera.frame(after=sensor.start, timeout=5.0)
    assert sensor.closed == 1


def test_exposure_gains_and_focus_are_held_after_settling(install: Install) -> None:
    sensor, camera = install(0.1, 1.0, 2.2, 2.3)
    sensor.metadata = {"ExposureTime": 9000, "AnalogueGain": 1.5, "LensPosition": 2.5}
    for _ in range(4):
        camera.frame(after=sensor.start, timeout=5.0)
    assert sensor.controls == [
        {"AeEnable": True, "AwbEnable": True, "AfMode": 2},
        {"AeEnable": False, "AwbEnable": False, "ExposureTime": 9000, "AfMode": 0, "LensPosition": 2.5},
    ]  # this sensor has no control for its gain, and is not asked for it


class Unfit:
    """An import that ends in numpy's complaint, which is no ImportError."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "picamera2":
            raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")


def test_a_library_built_for_another_numpy_is_a_camera_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Unfit(), *sys.meta_path])
    camera = PiCamera()
    with pytest.raises(CameraError, match="do not fit together"):
        camera.frame(after=0.0, timeout=5.0)
    camera.close()


def test_a_missing_library_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    camera = PiCamera()
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        camera.frame(after=0.0, timeout=5.0)
    camera.close()


def test_no_camera_found_is_said(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    _, camera = install()
    monkeypatch.setattr(sys.modules["picamera2"].Picamera2, "global_camera_info", staticmethod(list))
    with pytest.raises(CameraError, match="No camera was found"):
        camera.frame(after=0.0, timeout=5.0)
