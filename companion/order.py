"""In which order pieces that came at once can have come: every one is an input, and the rules must take them all."""

from collections.abc import Sequence

import msgspec

from companion.reads import Read
from engines.core import Allowed, State
from engines.shelf import Game

MOST = 5
"""Pieces whose orders are tried; more have not come in one turn."""


def may_begin(game: Game, state: State, read: Read, names: Sequence[str]) -> tuple[str, ...]:
    """Give the names that the first input can have so that the others can follow, in the order given; each once."""
    if len(names) > MOST:
        return ()
    return tuple(
        name
        for name in dict.fromkeys(names)
        if (after := _after(game, state, read, name)) is not None and _can_follow(game, after, read, _less(names, name))
    )


def _can_follow(game: Game, state: State, read: Read, names: Sequence[str]) -> bool:
    return not names or bool(may_begin(game, state, read, names))


def _less(names: Sequence[str], name: str) -> list[str]:
    at = names.index(name)
    return [*names[:at], *names[at + 1 :]]


def _after(game: Game, state: State, read: Read, name: str) -> State | None:
    """Give the state after one piece's input, None where it is not expected, not allowed, or needs more than that."""
    wanted = next((one for one in game.rules.expects(state) if one.input == read.input), None)
    if wanted is None:
        return None
    fields = {**({wanted.field: wanted.who} if wanted.field else {}), **(read.values(name) or {})}
    try:
        outcome = game.rules.apply(state, msgspec.convert(fields, game.rules.INPUTS[read.input]))
    except msgspec.ValidationError:
        return None
    return outcome.state if isinstance(outcome, Allowed) else None
