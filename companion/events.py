"""What happens to a session, and what it wants done: values only."""

from dataclasses import dataclass
from typing import Literal

from companion.modes import Cut
from companion.presses import Press, Stuck
from companion.scene import Scene
from companion.text import Lang
from engines.core import Json

Loudness = Literal["off", "quiet", "loud"]
"""Of the buzzer."""


@dataclass(frozen=True)
class Saw:
    """The camera's answer to a Look: what was seen, cut-outs of its pieces, and the picture's name."""

    request: int
    scene: Scene
    cuts: tuple[Cut | None, ...] = ()
    evidence: str | None = None
    overview: Cut | None = None
    """The whole picture, with a box around each piece."""


@dataclass(frozen=True)
class LookFailed:
    """The camera gave no answer; ``reason`` is a key of the application's words, ``message`` the device's sentence."""

    request: int
    reason: str
    message: str = ""


@dataclass(frozen=True)
class Warned:
    """A device cannot be used: its own sentence, told once."""

    message: str


@dataclass(frozen=True)
class Examined:
    """The doctor's findings, a line each."""

    findings: tuple[str, ...]


Event = Press | Stuck | Saw | LookFailed | Warned | Examined


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


@dataclass(frozen=True)
class Keep:
    """Keep what people like in the settings."""

    lang: Lang
    sound: Loudness
    lamp: bool


@dataclass(frozen=True)
class Examine:
    """Have the doctor look at the machine."""


@dataclass(frozen=True)
class SwitchOff:
    """Switch the machine off: somebody held the button for it."""


Effect = Look | Begin | Record | Keep | Examine | SwitchOff
