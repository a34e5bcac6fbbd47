"""Where a session stands: one small value a mode, so that no pair of flags can disagree."""

from dataclasses import dataclass
from typing import Any

from companion.entry import Form, Question
from companion.judge import Ask, Seen
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
    """What a reading rests on: the piece, its cut-out, and the picture's file name where it has one."""

    piece: Seen
    cut: Cut | None
    picture: str | None


@dataclass(frozen=True)
class Asking:
    """The reading is unsure and it matters: two candidates on two buttons."""

    wanted: Expectation
    ask: Ask
    evidence: Evidence


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
    """All that was ruled, the newest first."""

    top: int = 0


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
    """Take the last decision back? Asked once."""

    top: int = 0


Mode = (
    Home
    | Count
    | Options
    | Option
    | Still
    | Table
    | Reading
    | Asking
    | Choosing
    | Entering
    | Saying
    | Why
    | Notice
    | Log
    | Menu
    | TakeBack
)
