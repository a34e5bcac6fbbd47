"""The screen's own thread: only the newest picture is shown, and the game never waits for the panel."""

import threading

from PIL import Image

from hardware.interfaces import Screen, ScreenError

RETRY_S = (0.5, 1.0, 2.0, 5.0)
"""Waits after the first, second, ... failure in a row; the last one again and again."""


class Display:
    """Shows pictures on a screen that may be slow, absent, or come and go."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._wake = threading.Condition()
        self._newest: tuple[Image.Image, bool] | None = None
        self._stopping = False
        self.error: str | None = None
        """The screen's last complaint, while it stands."""
        self.failures = 0
        """How many pictures did not get through since the start."""
        self._thread = threading.Thread(target=self._work, name="display", daemon=True)

    def start(self) -> None:
        """Begin to show."""
        self._thread.start()

    def show(self, image: Image.Image, *, dim: bool = False) -> None:
        """Show a picture as soon as the panel can; one that was not shown yet is dropped."""
        with self._wake:
            self._newest = image, dim
            self._wake.notify()

    def stop(self) -> None:
        """Show what was last asked for, then stop; a dead panel is waited for one second at most."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        self._thread.join(timeout=1.0)

    def _work(self) -> None:
        failures = 0
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._newest is not None or self._stopping)
                wanted, self._newest = self._newest, None
                if wanted is None:
                    return
            image, dim = wanted
            try:
                self._screen.show(image, dim=dim)
                failures, self.error = 0, None
            except ScreenError as error:
                self.error = str(error)
                self.failures += 1
                with self._wake:
                    if self._stopping:
                        return
                    self._newest = self._newest or wanted
                    self._wake.wait_for(lambda: self._stopping, RETRY_S[min(failures, len(RETRY_S) - 1)])
                failures += 1
