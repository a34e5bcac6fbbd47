"""What happens to a session, and what it wants done: values only."""

from dataclasses import dataclass

from companion.modes import Cut
from companion.presses import Press
from companion.scene import Scene
from engines.core import Json


@dataclass(frozen=True)
class Saw:
    """The camera's answer to a Look: what was seen, cut-outs of its pieces, and the picture's name."""

    request: int
    scene: Scene
    cuts: tuple[Cut | None, ...] = ()
    evidence: str | None = None


@dataclass(frozen=True)
class LookFailed:
    """The camera gave no answer; ``reason`` is a key of the application's words, ``message`` the device's sentence."""

    request: int
    reason: str
    message: str = ""


Event = Press | Saw | LookFailed


@dataclass(frozen=True)
class Look:
    """Have the camera look, for this request."""

    request: int


@dataclass(frozen=True)
class Begin:
    """Begin a new record with this header."""

    header: dict[str, Json]


@dataclass(frozen=True)
class Record:
    """Append these lines to the record, before anything is shown."""

    lines: tuple[dict[str, Json], ...]


Effect = Look | Begin | Record
