"""Where a session stands: one small value a mode, so that no pair of flags can disagree."""

from dataclasses import dataclass
from typing import Any

from companion.entry import Form, Question
from companion.judge import Answers, Ask
from companion.memory import noted
from companion.scene import Lain
from engines.core import Expectation, Json
from engines.record import Step

Cut = tuple[bytes, int, int]
"""A 1-bit cut-out of a picture: rows of packed bits, width and height in pixels."""


@dataclass(frozen=True)
class Home:
    """Which game is played."""

    games: tuple[str, ...]
    cursor: int = 0


@dataclass(frozen=True)
class Count:
    """How many play."""

    game: str
    counts: tuple[int, ...]
    cursor: int = 0


@dataclass(frozen=True)
class Options:
    """The game's options: begin, or change one first. ``chosen`` has what differs from the defaults."""

    game: str
    players: tuple[str, ...]
    questions: tuple[tuple[str, tuple[Question, ...]], ...]
    chosen: tuple[tuple[str, Json], ...] = ()
    cursor: int = 0


@dataclass(frozen=True)
class Seats:
    """Who sits where: one is chosen to be named."""

    options: Options
    cursor: int = 0


@dataclass(frozen=True)
class Naming:
    """Who sits on one seat: a name that is known, or a colour."""

    seats: Seats
    names: tuple[str, ...]
    cursor: int = 0


@dataclass(frozen=True)
class Option:
    """One option is being answered."""

    options: Options
    form: Form
    cursor: int = 0


@dataclass(frozen=True)
class Still:
    """After a restart: the table is asked whether it is still like this."""

    top: int = 0


@dataclass(frozen=True)
class Table:
    """The game at rest: the last ruling, and what comes next."""

    top: int = 0


@dataclass(frozen=True)
class Reading:
    """The camera looks; an answer to another request is stale and dropped."""

    wanted: Expectation
    request: int


@dataclass(frozen=True)
class Evidence:
    """What a reading rests on: its cut-out where it is one piece, the picture's file name, all that lay there."""

    cut: Cut | None
    picture: str | None
    lain: tuple[Lain, ...]
    count: int
    """How many pieces gave the input."""
    overview: Cut | None = None
    """The whole picture, with a box around each piece."""

    def meta(self) -> dict[str, Json]:
        """Give the record's keys that say so."""
        return {"by": "camera", **({"evidence": self.picture} if self.picture else {}), **noted(self.lain)}


@dataclass(frozen=True)
class Asking:
    """The reading is unsure and it matters: two candidates on two buttons, or a list of what a piece stands for."""

    wanted: Expectation
    ask: Ask
    sight: Any
    """The Saw that is being judged."""
    answers: Answers
    evidence: Evidence
    cursor: int = 0


@dataclass(frozen=True)
class Choosing:
    """Several inputs may come next: one is chosen. ``fixing`` as with Entering."""

    wanted: tuple[Expectation, ...]
    cursor: int = 0
    fixing: Step | None = None


@dataclass(frozen=True)
class Entering:
    """An input by hand; ``fixing`` is the step it replaces, taken back in memory, not yet in the record."""

    form: Form
    cursor: int = 0
    fixing: Step | None = None
    evidence: Evidence | None = None
    """What the camera saw of it, where the rest is entered only."""


Laid = tuple[str | None, Json]
"""A piece of a list or a count: the key that it is counted behind, and what it is."""


@dataclass(frozen=True)
class Amending:
    """An input of several pieces is put right by hand; ``before`` are the pieces that it began with."""

    wanted: Expectation
    before: tuple[Laid, ...]
    pieces: tuple[Laid, ...]
    changing: Laid | str | None = None
    """The piece that is being changed, or the row that adds one."""
    key: str | None = None
    """Where the added piece lies, once chosen."""
    cursor: int = 0
    fixing: Step | None = None


@dataclass(frozen=True)
class Saying:
    """Something is in the way, with what to do about it. OK tries again, BACK goes on by hand."""

    message: str
    rule: str | None
    again: Any
    by_hand: Any
    top: int = 0


@dataclass(frozen=True)
class Why:
    """The clauses and sentences behind the last ruling."""

    top: int = 0


@dataclass(frozen=True)
class Log:
    """All that was ruled, an input a line, the newest first."""

    cursor: int = 0


@dataclass(frozen=True)
class Past:
    """One input of the log, with all that it led to; ``back`` inputs stand after it."""

    back: int
    top: int = 0


@dataclass(frozen=True)
class Standings:
    """How everybody stands, in the game and at its end."""

    top: int = 0


@dataclass(frozen=True)
class Overview:
    """The whole picture that the last reading rests on."""

    then: Any


@dataclass(frozen=True)
class Notice:
    """Something to know, such as what a power cut has cost; then on to where the session stands."""

    message: str
    then: Any
    top: int = 0


@dataclass(frozen=True)
class Menu:
    """The menu of the whole companion; BACK goes on where it was opened."""

    then: Any
    cursor: int = 0


@dataclass(frozen=True)
class TakeBack:
    """Take the last decision back, or the last ``count``? Asked once."""

    count: int = 1
    top: int = 0


@dataclass(frozen=True)
class About:
    """What this is, and where it is in its network."""

    then: Any


@dataclass(frozen=True)
class Examining:
    """The doctor's findings, a line each; None while it looks."""

    then: Any
    findings: tuple[str, ...] | None = None
    top: int = 0


@dataclass(frozen=True)
class PowerOff:
    """Switch the machine off? Only by holding OK."""

    then: Any


Mode = (
    Home
    | Count
    | Options
    | Seats
    | Naming
    | Option
    | Still
    | Table
    | Reading
    | Asking
    | Choosing
    | Entering
    | Amending
    | Saying
    | Why
    | Overview
    | Notice
    | Log
    | Past
    | TakeBack
    | Standings
    | Menu
    | About
    | Examining
    | PowerOff
)
