"""Button edges become short and long presses, by timestamps alone: no thread, no clock, no library's debounce."""

from dataclasses import dataclass, field

SETTLE_S = 0.02
"""A level counts once it has stood this long. Tactile switches chatter for 1 to 10 ms (datasheets give 5 to 10)."""
LONG_S = 0.8
"""How long a long press is held (table manners)."""


@dataclass(frozen=True)
class Press:
    """One press of a button, short (told at its release) or long (told while it is still held)."""

    button: str
    long: bool
    at: float
    """Seconds, monotonic: when the button went down."""


@dataclass
class _Line:
    """One button: the raw level and since when, and the level that has settled."""

    raw: bool = False
    since: float = 0.0
    settled: bool = False
    down_at: float = 0.0
    told: bool = False


@dataclass
class Presses:
    """All buttons of one companion.

    A button is taken as released until its first edge says otherwise, so one that is held down at the start gives
    nothing before it was let go. Time that runs backwards is taken as standing still.
    """

    _lines: dict[str, _Line] = field(default_factory=dict)

    def edge(self, button: str, at: float, *, pressed: bool) -> list[Press]:
        """Take one raw edge (``at`` in monotonic seconds); gives the presses that have become certain by then."""
        line = self._lines.setdefault(button, _Line())
        certain = _settle(button, line, at)
        if pressed != line.raw:
            line.raw = pressed
            line.since = max(at, line.since)
        return certain

    def settle(self, now: float) -> list[Press]:
        """Give the presses that have become certain by ``now``, oldest first."""
        found = [press for button, line in self._lines.items() for press in _settle(button, line, now)]
        return sorted(found, key=lambda press: press.at)

    def due(self) -> float | None:
        """Give the time at which :meth:`settle` has something to do next, or None."""
        return min((due for line in self._lines.values() if (due := _due(line)) is not None), default=None)


def _settle(button: str, line: _Line, now: float) -> list[Press]:
    found = []
    if line.raw != line.settled and now >= line.since + SETTLE_S:
        line.settled = line.raw
        if line.settled:
            line.down_at = line.since
            line.told = False
        elif not line.told:
            # Released after SETTLE_S < held < LONG_S, or so late told that nobody looked in between.
            found.append(Press(button, line.since >= line.down_at + LONG_S, line.down_at))
    if line.settled and line.raw and not line.told and now >= line.down_at + LONG_S:
        line.told = True
        found.append(Press(button, long=True, at=line.down_at))
    return found


def _due(line: _Line) -> float | None:
    if line.raw != line.settled:
        return line.since + SETTLE_S
    return line.down_at + LONG_S if line.settled and not line.told else None
