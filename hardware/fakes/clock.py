"""A clock that stands until it is moved."""

from __future__ import annotations


class SetClock:
    """A clock set by hand, in seconds."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    def now(self) -> float:
        """Give the time it was set to."""
        return self._now

    def set(self, now: float) -> None:
        """Move to a time; raises ValueError for an earlier one, as a monotonic clock never goes back."""
        if now < self._now:
            raise ValueError(f"a monotonic clock cannot go back from {self._now} to {now}")
        self._now = now

    def advance(self, seconds: float) -> None:
        """Move on by so many seconds, 0 or more."""
        self.set(self._now + seconds)
