"""The buttons of a board: taken with patience, and what comes from them made presses."""

from collections.abc import Callable

from companion.events import Warned
from companion.presses import Press, Presses, Stuck
from hardware.interfaces import Board, Edge, PinBusyError, Turn

RETRY_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Waits after the first, second, ... failure in a row to take the pins; the last one again and again."""
MEANT = {"push": "ok"}
"""A button that is another one's twin: the shaft of a rotary encoder."""


class Fingers:
    """Takes the pins, and again after a while if they cannot be had: the companion plays on meanwhile."""

    def __init__(self, board: Board, put: Callable[[Edge | Turn], None], taken: Callable[[], None]) -> None:
        self._board = board
        self._put = put
        self._taken = taken
        self._presses = Presses()
        self._failures = 0
        self._trouble: str | None = None
        self._again: float | None = board.clock.now()
        """When to try to take the pins next; None once they are taken."""

    def due(self) -> float | None:
        """Give the time at which :meth:`settle` has something to do next, or None."""
        return self._presses.due() if self._again is None else self._again

    def take(self, came: Edge | Turn) -> list[Press | Stuck]:
        """Take what a pin did; gives the presses that it makes certain."""
        if isinstance(came, Turn):
            return [Press("down" if came.clockwise else "up", long=False, at=came.at)]
        return self._presses.edge(MEANT.get(came.button, came.button), came.at, pressed=came.pressed)

    def settle(self) -> list[Press | Stuck | Warned]:
        """Give what has become certain by now; a pin in use is told of once as long as it is the same.

        Raises ButtonsError where no waiting helps: a library is missing, this machine has no pins.
        """
        now = self._board.clock.now()
        if self._again is None or now < self._again:
            return [*self._presses.settle(now)]
        try:
            self._board.buttons.listen(self._put)
        except PinBusyError as error:
            self._again = now + RETRY_S[min(self._failures, len(RETRY_S) - 1)]
            self._failures += 1
            told, self._trouble = self._trouble, str(error)
            return [] if told == self._trouble else [Warned(self._trouble)]
        self._again = None
        for button in self._board.buttons.held():
            self._presses.held(MEANT.get(button, button), now)
        self._taken()
        return []
