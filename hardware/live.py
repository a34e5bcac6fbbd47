"""A camera that runs: opened by its first use and kept open, let go of after a failure."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

from hardware.interfaces import CameraError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.interfaces import Frame

log = logging.getLogger(__name__)


class Stream(Protocol):
    """An open camera that takes one frame after the other, whether anybody looks or not."""

    def frame(self, after: float, timeout: float) -> Frame:
        """Give the first frame begun no earlier than `after`; those that lay ready before it are dropped.

        Raises whatever the driver raises, and CameraError after `timeout` seconds where the driver lets it.
        """
        ...

    def close(self) -> None:
        """Let go of the camera; may raise what it likes."""
        ...


class LiveCamera:
    """A Camera over a stream, to be used by one thread. Opening is not counted in a frame's timeout."""

    def __init__(self, open_stream: Callable[[], Stream]) -> None:
        self._open_stream = open_stream
        self._stream: Stream | None = None

    def frame(self, after: float, timeout: float) -> Frame:
        """Give a frame begun no earlier than `after`; raises CameraError, and opens anew the next time."""
        try:
            self._stream = self._stream or self._open_stream()
            return self._stream.frame(after, timeout)
        except Exception as error:
            self.close()
            if isinstance(error, CameraError):
                raise
            raise CameraError(f"The camera failed: {error!r}.") from error

    def close(self) -> None:
        """Let go of the camera; never raises, and may be called twice."""
        stream, self._stream = self._stream, None
        if stream is None:
            return
        try:
            stream.close()
        except Exception:  # it is broken already: the next opening tells whether for good
            log.warning("the camera could not be closed", exc_info=True)
