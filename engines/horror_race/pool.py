"""The pool of tokens: what lies in the zones, and whether so many can be there (HR-3, HR-22, HR-23)."""

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Literal, TypeAlias, cast

import msgspec

from engines.core import Json, Refused, Ruling, refused
from engines.horror_race.race import (
    CHARACTERS,
    DRAWN,
    HIDDEN,
    INDEX,
    JOKERS,
    NONE,
    Five,
    Picks,
    State,
)

Zone = Literal[1, 2, 4]
ZONES: tuple[Zone, ...] = (1, 2, 4)
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
_JOKER_FIELDS = {f"joker_{name}": f"joker:{name}" for name in CHARACTERS}


class Tokens(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, rename=_JOKER_FIELDS
):
    """What lies in a zone: at least one of each token named; what is not named is 0. A joker bears its character."""

    gumiho: Number = 0
    mummy: Number = 0
    vampire: Number = 0
    jiangshi: Number = 0
    zombie: Number = 0
    joker_gumiho: Number = 0
    joker_mummy: Number = 0
    joker_vampire: Number = 0
    joker_jiangshi: Number = 0
    joker_zombie: Number = 0


_characters: Callable[[Tokens], Five] = attrgetter(*CHARACTERS)
_jokers: Callable[[Tokens], Five] = attrgetter(*_JOKER_FIELDS)


class Laid(msgspec.Struct, frozen=True, gc=False):
    """The tokens of a round: a count by character for each zone (jokers as their character), and all together."""

    zones: tuple[Five, ...]
    characters: Five
    """By character, jokers not counted."""
    jokers: int
    tokens: int
    told: list[Ruling]
    """HR-3: what each joker stands for."""


def count(first: Tokens, second: Tokens, fourth: Tokens) -> Laid:
    """Count what lies in zones 1, 2 and 4."""
    one, two, four = _characters(first), _characters(second), _characters(fourth)
    a, b, c, d, e = one
    f, g, h, i, j = two
    v, w, x, y, z = four
    total = a + f + v, b + g + w, c + h + x, d + i + y, e + j + z
    jokers = (_jokers(first), _jokers(second), _jokers(fourth))
    if jokers == _NO_JOKERS:
        return Laid((one, two, four), total, 0, sum(total), [])
    number = sum(map(sum, jokers))
    zones = tuple(map(_plus, (one, two, four), jokers))
    return Laid(zones, total, number, sum(total) + number, _tell_jokers(jokers))


_NO_JOKERS = (NONE, NONE, NONE)


def _plus(some: Five, more: Five) -> Five:
    a, b, c, d, e = some
    v, w, x, y, z = more
    return a + v, b + w, c + x, d + y, e + z


def _tell_jokers(jokers: tuple[Five, ...]) -> list[Ruling]:
    return [
        Ruling("HR-3", "joker-stands", {"zone": zone, "character": character, "tokens": number})
        for zone, numbers in zip(ZONES, jokers, strict=True)
        for character, number in zip(CHARACTERS, numbers, strict=True)
        if number
    ]


def most_seen(seen: Five, laid: Five) -> Five:
    """HR-22: s(c) after one more round; ``seen`` itself where the round shows nothing new."""
    a, b, c, d, e = seen
    v, w, x, y, z = laid
    if v <= a and w <= b and x <= c and y <= d and z <= e:
        return seen
    return cast("Five", tuple(map(max, seen, laid)))


def impossible_round(state: State, laid: Laid, seen: Five, turns: int) -> Refused | None:
    """HR-22: refuse what the pool cannot have given; ``seen`` holds this round already."""
    setup = state.setup
    if laid.jokers and not setup.jokers:
        return refused("HR-22", "jokers-out", jokers=laid.jokers)
    if laid.jokers > JOKERS:
        return refused("HR-22", "jokers-many", jokers=laid.jokers, most=JOKERS)
    tokens = max(laid.characters)
    if tokens > setup.most:
        character = CHARACTERS[laid.characters.index(tokens)]
        return refused("HR-22", "character-many", character=character, tokens=tokens, most=setup.most)
    tokens, need = laid.tokens, DRAWN * turns
    if tokens != need:
        kind = "tokens-missing" if tokens < need else "tokens-many"
        return refused("HR-22", kind, tokens=tokens, need=need, turns=turns, difference=abs(tokens - need))
    if seen is state.seen:
        return None
    known = list(map(max, seen, setup.floor))
    if sum(known) > setup.pool:
        facts = {"characters": list(CHARACTERS), "known": known, "sum": sum(known), "most": setup.pool}
        return Refused(Ruling("HR-22", "race-many", facts))
    return None


def with_picks(hidden: Five, picks: Picks) -> Five:
    """HR-23: h(c) after one more player has shown."""
    counts = list(hidden)
    counts[INDEX[picks[0]]] += 1
    counts[INDEX[picks[1]]] += 1
    return cast("Five", tuple(counts))


def impossible_picks(state: State, player: str, picks: Picks, hidden: Five) -> Refused | None:
    """HR-23: refuse hidden tokens that lay in the zones, or that leave nothing for those still to show."""
    most, seen = state.setup.most, state.seen
    room = [most - laid - held for laid, held in zip(seen, hidden, strict=True)]
    left = state.shown.count(None) - 1
    facts: dict[str, Json]
    for pick in picks:
        index = INDEX[pick]
        if room[index] < 0:
            facts = {"character": pick, "seen": seen[index], "hidden": hidden[index], "most": most}
            return Refused(Ruling("HR-23", "pick-laid", {"player": player, **facts}))
    free = sum(map(min, room, (left, left, left, left, left)))
    if free < HIDDEN * left:
        facts = {"player": player, "picks": list(picks), "left": left, "free": free, "need": HIDDEN * left}
        return Refused(Ruling("HR-23", "none-left", facts))
    return None
