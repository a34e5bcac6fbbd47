"""Button edges become short and long presses, by timestamps alone: no thread, no clock, no library's debounce."""

from dataclasses import dataclass, field

SETTLE_S = 0.02
"""A level counts once it has stood this long. Tactile switches chatter for 1 to 10 ms (datasheets give 5 to 10)."""
LONG_S = 0.8
"""How long a long press is held (table manners)."""
MENU_S = 2.0
"""How long UP and DOWN are held together for the menu (table manners)."""
STUCK_S = 60.0
"""A button that is down for so long is stuck: nobody holds one for a minute."""
CHORD = ("up", "down")


@dataclass(frozen=True)
class Press:
    """One press of a button, short (told at its release) or long (told while it is still held)."""

    button: str
    long: bool
    at: float
    """Seconds, monotonic: when the button went down."""


@dataclass(frozen=True)
class Stuck:
    """A button that has been down for a minute: told once, without any effect of its own."""

    button: str
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
    armed: bool = True
    """Not after it was found down at the start, nor while it is stuck: then it means nothing until it is let go."""
    stuck: bool = False


@dataclass
class Presses:
    """All buttons of one companion.

    A button is taken as released until its first edge says otherwise; one that is known to be down already
    (:meth:`held`) gives nothing before it was let go. Time that runs backwards is taken as standing still.
    """

    _lines: dict[str, _Line] = field(default_factory=dict)
    _menu_told: bool = False

    def held(self, button: str, at: float) -> None:
        """Take a button that is down when one begins to listen: who knows since when, and whether a finger is on it."""
        self._lines[button] = _Line(raw=True, since=at, settled=True, down_at=at, told=True, armed=False)

    def edge(self, button: str, at: float, *, pressed: bool) -> list[Press | Stuck]:
        """Take one raw edge (``at`` in monotonic seconds); gives what has become certain by then."""
        line = self._lines.setdefault(button, _Line())
        certain = self.settle(at)
        if pressed != line.raw:
            line.raw = pressed
            line.since = max(at, line.since)
        return certain

    def settle(self, now: float) -> list[Press | Stuck]:
        """Give what has become certain by ``now``, oldest first."""
        found: list[Press | Stuck] = []
        for button, line in self._lines.items():
            found += _level(button, line, now)
        found += self._chord(now)
        for button, line in self._lines.items():
            found += _long(button, line, now)
            found += _stuck(button, line, now)
        return sorted(found, key=lambda one: one.at)

    def due(self) -> float | None:
        """Give the time at which :meth:`settle` has something to do next, or None."""
        dues = [due for line in self._lines.values() if (due := _due(line)) is not None]
        together = self._together()
        if together is not None and not self._menu_told:
            dues.append(together + MENU_S)
        return min(dues, default=None)

    def _together(self) -> float | None:
        """Give since when UP and DOWN are both held, or None."""
        lines = [self._lines[button] for button in CHORD if button in self._lines]
        held = len(lines) == len(CHORD) and all(line.settled and line.armed for line in lines)
        return max(line.down_at for line in lines) if held else None

    def _chord(self, now: float) -> list[Press]:
        """UP and DOWN held together are the menu, and neither a press of its own."""
        since = self._together()
        if since is None:
            self._menu_told = False
            return []
        for button in CHORD:
            self._lines[button].told = True
        if self._menu_told or now < since + MENU_S:
            return []
        self._menu_told = True
        return [Press("menu", long=True, at=since)]


def _level(button: str, line: _Line, now: float) -> list[Press]:
    """Let a level settle; a release that was not told as a long press before is a press."""
    if line.raw == line.settled or now < line.since + SETTLE_S:
        return []
    line.settled = line.raw
    if line.settled:
        line.down_at = line.since
        line.told = False
        return []
    line.armed, line.stuck = True, False
    # Released before LONG_S, or told so late that nobody looked in between.
    return [] if line.told else [Press(button, line.since >= line.down_at + LONG_S, line.down_at)]


def _long(button: str, line: _Line, now: float) -> list[Press]:
    if not line.settled or not line.raw or line.told or now < line.down_at + LONG_S:
        return []
    line.told = True
    return [Press(button, long=True, at=line.down_at)]


def _stuck(button: str, line: _Line, now: float) -> list[Stuck]:
    if not line.settled or not line.raw or line.stuck or now < line.down_at + STUCK_S:
        return []
    line.stuck, line.armed = True, False
    return [Stuck(button, line.down_at)]


def _due(line: _Line) -> float | None:
    if line.raw != line.settled:
        return line.since + SETTLE_S
    if not line.settled or line.stuck:
        return None
    return line.down_at + (STUCK_S if line.told else LONG_S)
