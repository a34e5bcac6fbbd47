"""What a record of Horror Race may hold: the header's options and the inputs' fields."""

from typing import Annotated, Literal

import msgspec

from engines.core import Input
from engines.horror_race.pool import Tokens
from engines.horror_race.race import Character


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header's options."""

    steps: Annotated[int, msgspec.Meta(ge=5, le=40)] = 13
    jokers: bool = False
    passing: bool = True
    deduction: bool = False
    start_player: str | msgspec.UnsetType = msgspec.UNSET
    second_tie: Literal["token", "player"] = "token"


class Zones(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    gc=False,
    rename={"first": "1", "second": "2", "fourth": "4"},
):
    """What lies in zones 1, 2 and 4; a joker bears the name of its character (``joker:mummy``)."""

    first: Tokens
    second: Tokens
    fourth: Tokens


class Round(Input, frozen=True, gc=False):
    """The tokens of a whole round, and who passed."""

    zones: Zones
    passed: str | None


class Guess(Input, frozen=True, gc=False):
    """One character for each opponent."""

    player: str
    guesses: dict[str, Character]

    def __hash__(self) -> int:
        return hash((self.player, frozenset(self.guesses.items())))


class Reveal(Input, frozen=True, gc=False):
    """The two hidden tokens of a player."""

    player: str
    picks: tuple[Character, Character]


class Start(Input, frozen=True, gc=False):
    """Who starts the next race, and who of those with the fewest garnets said so."""

    player: str
    chosen_by: str


INPUTS: dict[str, type[Input]] = {"round": Round, "guess": Guess, "reveal": Reveal, "start": Start}
