"""What the record hands in: the header's options and the four inputs, by the shape that is demanded of them."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from engines.core import Input
from engines.dark_horse.cards import CardName
from engines.dark_horse.race import Direction

Animal: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=7)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header's options; what is left out follows the usual box."""

    scores: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=0, le=20)], ...], msgspec.Meta(min_length=7, max_length=7)
    ] = (10, 8, 6, 4, 3, 2, 1)
    start_player: str | msgspec.UnsetType = msgspec.UNSET
    overrun: Literal["stop", "turn"] = "stop"
    no_token_on_last_card: bool = False


class Line(Input, frozen=True):
    """The start line, front to rear."""

    order: Annotated[tuple[Animal, ...], msgspec.Meta(min_length=7, max_length=7)]


class Token(Input, frozen=True):
    """A dark-horse token is taken."""

    player: str


class Play(Input, frozen=True):
    """An action card; ``direction`` with ``~`` only, ``target`` and ``discarded`` with ``exchange`` only."""

    player: str
    card: CardName
    direction: Direction | msgspec.UnsetType = msgspec.UNSET
    target: str | msgspec.UnsetType = msgspec.UNSET
    discarded: Animal | msgspec.UnsetType | None = msgspec.UNSET


class Reveal(Input, frozen=True):
    """A player's tickets: three with two players, else two."""

    player: str
    tickets: Annotated[tuple[Animal, ...], msgspec.Meta(min_length=2, max_length=3)]


INPUTS: dict[str, type[Input]] = {"line": Line, "token": Token, "play": Play, "reveal": Reveal}
