"""From what was seen to what the rules take: ask only where the answer changes the ruling."""

from dataclasses import dataclass
from typing import Protocol

from companion.entry import trial
from engines.core import Allowed, Expectation, Json
from engines.record import Replay
from vision.observation import Complaint

HINDERING = frozenset({"cocked-die", "touching", "covered", "outside"})
"""Complaints that make any answer a guess: the table has to be put right first. Others leave a question to ask."""
PLAUSIBLE = 0.02
"""A name that the reader gives less than this is not asked about; its own threshold of sureness is far above."""


class Seen(Protocol):
    """What is judged of a sighting (vision's own type has it)."""

    @property
    def kind(self) -> str: ...  # noqa: D102 - the fields are vision's
    @property
    def name(self) -> str | None: ...  # noqa: D102
    @property
    def confidence(self) -> float: ...  # noqa: D102
    @property
    def alternatives(self) -> tuple[tuple[str, float], ...]: ...  # noqa: D102
    @property
    def region(self) -> str | None: ...  # noqa: D102
    @property
    def center_px(self) -> tuple[float, float]: ...  # noqa: D102


class Scene(Protocol):
    """What is judged of an observation."""

    @property
    def mat(self) -> str | None: ...  # noqa: D102
    @property
    def pieces(self) -> tuple[Seen, ...]: ...  # noqa: D102
    @property
    def sure(self) -> bool: ...  # noqa: D102
    @property
    def complaints(self) -> tuple[Complaint, ...]: ...  # noqa: D102


@dataclass(frozen=True)
class Rule:
    """The reading decides: this input is carried out."""

    fields: dict[str, Json]
    piece: Seen


@dataclass(frozen=True)
class Ask:
    """Two readings are plausible and lead to different rulings. ``second`` is None where only one is known."""

    first: dict[str, Json]
    second: dict[str, Json] | None
    names: tuple[str, str | None]
    piece: Seen


@dataclass(frozen=True)
class Trouble:
    """Nothing can be read for this input; ``reason`` is a key of the application's words."""

    reason: str
    count: int = 0
    complaint: Complaint | None = None
    """The reader's own complaint, where that says what is in the way."""


def can_read(game: Replay, wanted: Expectation) -> bool:
    """Tell whether the camera can give this input."""
    return wanted.input in game.game.table("table")["reads"]


def judge(game: Replay, wanted: Expectation, scene: Scene) -> Rule | Ask | Trouble:
    """Make an input of an observation: rule, ask the one thing that decides, or say what is in the way."""
    table = game.game.table("table")
    read = table["reads"][wanted.input]
    if scene.mat is not None and scene.mat not in (table["mat"], "dice-tray"):
        return Trouble("wrong-mat")
    pieces = [one for one in scene.pieces if one.kind == read["kind"] and one.region in (read["region"], None)]
    if scene.mat == "dice-tray":
        pieces = [one for one in scene.pieces if one.kind == read["kind"]]
    hindering = [one for one in scene.complaints if one.kind in HINDERING or not pieces]
    if hindering and not scene.sure:
        return Trouble("complaint", complaint=hindering[0])
    if len(pieces) != 1:
        return Trouble("nothing" if not pieces else "too-many", len(pieces))
    piece = pieces[0]
    if piece.name is None or (read.get("number") and not piece.name.isdigit()):
        return Trouble("unread", complaint=next(iter(scene.complaints), None))
    return _decide(game, wanted, read, piece, sure=scene.sure)


def _decide(
    game: Replay, wanted: Expectation, read: dict[str, Json], piece: Seen, *, sure: bool
) -> Rule | Ask | Trouble:
    names = [piece.name] if piece.name is not None else []
    if sure and names:
        return Rule(_fields(wanted, read, names[0]), piece)
    names += [name for name, chance in piece.alternatives if chance >= PLAUSIBLE and name != piece.name]
    different: list[tuple[str, dict[str, Json], object]] = []
    ruled_out = False
    for name in names:
        fields = _fields(wanted, read, name)
        outcome = trial(game, wanted.input, fields)
        if not isinstance(outcome, Allowed):
            ruled_out = True
        elif all(outcome != other for _, _, other in different):
            different.append((name, fields, outcome))
    if not different:
        return Trouble("unread")
    name, fields, _ = different[0]
    if len(different) > 1:
        return Ask(fields, different[1][1], (name, different[1][0]), piece)
    if len(names) > 1 and not ruled_out:
        return Rule(fields, piece)  # every plausible reading rules the same
    return Ask(fields, None, (name, None), piece)  # the rules may rule a reading out, never one in


def _fields(wanted: Expectation, read: dict[str, Json], name: str) -> dict[str, Json]:
    fields: dict[str, Json] = {read["field"]: int(name) if read.get("number") else name}
    return {wanted.field: wanted.who, **fields} if wanted.field else fields
