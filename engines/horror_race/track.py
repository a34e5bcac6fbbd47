"""The track: which figure each zone moves, when the race ends, and the places (HR-7 to HR-9, HR-14, HR-15)."""

from functools import lru_cache
from typing import cast

from engines.core import Ruling
from engines.horror_race.pool import ZONES, Zone
from engines.horror_race.race import CHARACTERS, Character, Five


def run(track: Five, zones: tuple[Five, ...], steps: int, told: list[Ruling]) -> Five:
    """HR-7: zone 1, then 2, then 4. Gives the track after it and adds to ``told``; a figure on ``steps`` is at GOAL."""
    spaces = list(track)
    for zone, counts in zip(ZONES, zones):  # noqa: B905 - three zones by type; this is the hottest loop of all
        most = max(counts)
        mover = counts.index(most) if most and counts.count(most) == 1 else _set_aside(zone, counts, told)
        if mover is None:
            continue
        character, source = CHARACTERS[mover], spaces[mover]
        to = source + zone
        lost = to - steps
        if lost > 0:
            to = steps
        spaces[mover] = to
        facts = {"zone": zone, "character": character, "tokens": counts[mover], "from": source, "to": to}
        told.append(Ruling("HR-7", "moved", facts))
        if to == steps:
            _goal(zone, character, steps, lost, told)
            break
    return cast("Five", tuple(spaces))


def _set_aside(zone: Zone, counts: Five, told: list[Ruling]) -> int | None:
    """HR-8, HR-9: tell who is level and set aside, and that nobody moves. Gives who moves, if anybody."""
    level, mover = _ranked(counts)
    for tokens, characters in level:
        told.append(Ruling("HR-8", "level", {"zone": zone, "characters": list(characters), "tokens": tokens}))
    if mover is None:
        told.append(Ruling("HR-9", "nobody-level" if level else "zone-empty", {"zone": zone}))
    return mover


@lru_cache(maxsize=4096)
def _ranked(counts: Five) -> tuple[tuple[tuple[int, tuple[Character, ...]], ...], int | None]:
    """HR-8: those that share a count, from the highest down, until one character has a count alone: that one."""
    level: list[tuple[int, tuple[Character, ...]]] = []
    for tokens in sorted(set(counts) - {0}, reverse=True):
        if counts.count(tokens) == 1:
            return tuple(level), counts.index(tokens)
        level.append((tokens, tuple(name for name, number in zip(CHARACTERS, counts, strict=True) if number == tokens)))
    return tuple(level), None


def _goal(zone: Zone, character: Character, steps: int, lost: int, told: list[Ruling]) -> None:
    """HR-14: the race ends now; surplus steps are lost and later zones do not move."""
    told.append(Ruling("HR-14", "goal", {"character": character, "to": steps}))
    if lost:
        told.append(Ruling("HR-14", "steps-lost", {"character": character, "zone": zone, "lost": lost, "to": steps}))
    if zone != ZONES[-1]:
        skipped = list(ZONES[ZONES.index(zone) + 1 :])
        told.append(Ruling("HR-14", "zones-skipped", {"zones": skipped, "character": character}))


def places(track: Five, told: list[Ruling]) -> tuple[tuple[Character, ...], ...]:
    """HR-15: groups of equal space, foremost first; adds one ruling a place to ``told``."""
    groups: dict[int, list[Character]] = {}
    for character, space in zip(CHARACTERS, track, strict=True):
        groups.setdefault(space, []).append(character)
    spaces = sorted(groups, reverse=True)
    for place, space in enumerate(spaces, 1):
        group = groups[space]
        kind = "place" if len(group) == 1 else "place-shared"
        told.append(Ruling("HR-15", kind, {"place": place, "characters": group, "at": space}))
    return tuple([tuple(groups[space]) for space in spaces])
