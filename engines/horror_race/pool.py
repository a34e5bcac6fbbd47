"""The pool of tokens: what lies in the zones, and whether so many can be there (HR-3, HR-22, HR-23)."""

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
    Setup,
    State,
)

Zone = Literal[1, 2, 4]
Token = Literal[
    "gumiho",
    "mummy",
    "vampire",
    "jiangshi",
    "zombie",
    "joker:gumiho",
    "joker:mummy",
    "joker:vampire",
    "joker:jiangshi",
    "joker:zombie",
]
Tokens: TypeAlias = dict[Token, Annotated[int, msgspec.Meta(ge=1)]]
ZONES: tuple[Zone, ...] = (1, 2, 4)
JOKER: dict[str, int] = {f"joker:{name}": index for name, index in INDEX.items()}


class Laid(msgspec.Struct, frozen=True):
    """The tokens of a round: a count by character for each zone (jokers as their character), and all together."""

    zones: tuple[list[int], list[int], list[int]]
    characters: Five
    """By character, jokers not counted."""
    jokers: int
    tokens: int
    told: list[Ruling]
    """HR-3: what each joker stands for."""


def count(first: Tokens, second: Tokens, fourth: Tokens) -> Laid:
    """Count what lies in zones 1, 2 and 4."""
    told: list[Ruling] = []
    total = [0, 0, 0, 0, 0]
    zones = (
        _count_zone(1, first, total, told),
        _count_zone(2, second, total, told),
        _count_zone(4, fourth, total, told),
    )
    characters = cast("Five", tuple(total))
    if not told:
        return Laid(zones, characters, 0, sum(total), told)
    jokers: int = sum([one.facts["tokens"] for one in told])
    return Laid(zones, characters, jokers, sum(total) + jokers, told)


def _count_zone(zone: Zone, tokens: Tokens, total: list[int], told: list[Ruling]) -> list[int]:
    """Count one zone; adds to ``total`` what is no joker and to ``told`` what jokers stand for."""
    here = [0, 0, 0, 0, 0]
    for token, number in tokens.items():
        if token in INDEX:
            index = INDEX[token]
            total[index] += number
        else:
            index = JOKER[token]
            facts = {"zone": zone, "character": CHARACTERS[index], "tokens": number}
            told.append(Ruling("HR-3", "joker-stands", facts))
        here[index] += number
    return here


def most_seen(seen: Five, laid: Five) -> Five:
    """HR-22: s(c) after one more round."""
    return laid if seen == NONE else cast("Five", tuple(map(max, seen, laid)))


def impossible_round(setup: Setup, laid: Laid, seen: Five, turns: int) -> Refused | None:
    """HR-22: refuse what the pool cannot have given; ``seen`` holds this round already."""
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
    known = list(map(max, seen, setup.floor)) if setup.extra else seen
    if sum(known) > setup.pool:
        facts = {"characters": list(CHARACTERS), "known": list(known), "sum": sum(known), "most": setup.pool}
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
    facts: dict[str, Json]
    for pick in picks:
        index = INDEX[pick]
        if seen[index] + hidden[index] > most:
            facts = {"character": pick, "seen": seen[index], "hidden": hidden[index], "most": most}
            return Refused(Ruling("HR-23", "pick-laid", {"player": player, **facts}))
    left = state.shown.count(None) - 1
    free = sum([min(left, most - laid - held) for laid, held in zip(seen, hidden, strict=True)])
    if free < HIDDEN * left:
        facts = {"player": player, "picks": list(picks), "left": left, "free": free, "need": HIDDEN * left}
        return Refused(Ruling("HR-23", "none-left", facts))
    return None
