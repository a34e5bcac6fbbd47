"""The device that is not there, by the owner's wish."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from hardware.interfaces import CameraError

if TYPE_CHECKING:
    from hardware.interfaces import Frame


class AbsentCamera:
    """No camera: everything is entered by hand."""

    def frame(self, after: float, timeout: float) -> Frame:
        """Raise CameraError at once."""
        del after, timeout
        _say_so()

    def close(self) -> None:
        """Do nothing."""


def _say_so() -> NoReturn:
    raise CameraError("No camera is set up: enter by hand, or name one in the settings.")
