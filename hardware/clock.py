"""The machine's own clock."""

from __future__ import annotations

import time


class SystemClock:
    """Seconds since some moment before the program began, not disturbed by setting the time of day."""

    def now(self) -> float:
        """Give the monotonic time in seconds."""
        return time.monotonic()
