"""The track: which figure each zone moves, when the race ends, and the places (HR-7 to HR-9, HR-14, HR-15)."""

from collections.abc import Sequence
from typing import cast

from engines.core import Ruling
from engines.horror_race.pool import ZONES, Zone
from engines.horror_race.race import CHARACTERS, Character, Five

_EACH = range(len(CHARACTERS))


def run(track: Five, zones: tuple[Sequence[int], ...], steps: int, told: list[Ruling]) -> Five:
    """HR-7: zone 1, then 2, then 4. Gives the track after it and adds to ``told``; a figure on ``steps`` is at GOAL."""
    spaces = list(track)
    for zone, counts in zip(ZONES, zones, strict=True):
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


def _set_aside(zone: Zone, counts: Sequence[int], told: list[Ruling]) -> int | None:
    """HR-8, HR-9: those that share a count are set aside; the highest count that exactly one has moves, if any."""
    for tokens in sorted(set(counts), reverse=True):
        if not tokens:
            break
        if counts.count(tokens) == 1:
            return counts.index(tokens)
        level = [CHARACTERS[index] for index in _EACH if counts[index] == tokens]
        told.append(Ruling("HR-8", "level", {"zone": zone, "characters": level, "tokens": tokens}))
    told.append(Ruling("HR-9", "nobody-level" if any(counts) else "zone-empty", {"zone": zone}))
    return None


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
