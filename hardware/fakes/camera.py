"""A camera that looks at photographs in a folder."""

# ruff: noqa: PLC0415 - devices are imported when they are used, never sooner
from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.interfaces import CameraError, Frame

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from hardware.interfaces import Clock

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".ppm"})


class FolderCamera:
    """The photographs of a folder by name, one lying on the table until `advance` or `show` lays down another.

    Raises CameraError when the folder is missing or has no photograph.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._at = 0
        try:
            files = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
        except OSError as error:
            raise CameraError(f"The folder of photographs cannot be opened: {folder} ({error.strerror}).") from error
        self._files = [
            path for path in files if not path.name.startswith(".")
        ]  # macOS leaves ._photo.jpg beside photo.jpg
        if not self._files:
            raise CameraError(f"There is no photograph in {folder}: put .jpg or .png files there.")

    @property
    def names(self) -> tuple[str, ...]:
        """The photographs' file names, in order."""
        return tuple(path.name for path in self._files)

    @property
    def name(self) -> str:
        """The file name of the photograph that lies there now."""
        return self._files[self._at].name

    def advance(self) -> bool:
        """Lay down the next photograph; give False, and leave the last, when there is none."""
        if self._at + 1 == len(self._files):
            return False
        self._at += 1
        return True

    def show(self, name: str) -> None:
        """Lay down the photograph of that file name; raises CameraError if there is none."""
        if name not in self.names:
            raise CameraError(f"There is no photograph {name} in {self._folder}.")
        self._at = self.names.index(name)

    def frame(self, after: float, timeout: float) -> Frame:
        """Give the photograph that lies there, taken now, or at a time to come: a photograph need not be waited for.

        Raises CameraError when it is no picture, naming it, and for a time that no camera waits for within its timeout.
        """
        now = self._clock.now()
        if after - now > timeout:
            raise CameraError(f"The camera has no picture from {after - now:.3f} s ahead.")
        name = self.name
        return Frame(_decoded(self._folder / name), max(now, after), name)

    def close(self) -> None:
        """Do nothing."""


def _decoded(path: Path) -> NDArray[np.uint8]:
    import cv2
    import numpy as np

    try:
        data = path.read_bytes()
    except OSError as error:
        raise CameraError(f"The photograph {path.name} cannot be read: {error.strerror}.") from error
    if not data or _is_cut_off(data):
        raise CameraError(f"The photograph {path.name} is incomplete: copy it anew.")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise CameraError(f"The photograph {path.name} cannot be read: {error}") from error
    if picture is None:
        raise CameraError(f"The file {path.name} is no picture.")
    return np.ascontiguousarray(picture, np.uint8)


def _is_cut_off(data: bytes) -> bool:
    """Tell a picture whose end is missing, which the decoder would fill with grey.

    A JPEG's last scan (marker FFDA) is followed by its end (FFD9); neither can occur among the scan's own bytes. A
    PNG's last chunk is IEND.
    """
    if data.startswith(b"\xff\xd8"):
        return data.rfind(b"\xff\xd9") < max(data.rfind(b"\xff\xda"), 2)
    return data.startswith(b"\x89PNG") and b"IEND" not in data[-64:]
