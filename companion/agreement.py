"""Several readings of one still scene: when they are enough, and what they say together."""

from collections.abc import Sequence
from dataclasses import replace

from vision.observation import Observation

MOST = 3
"""Readings of one scene: a sure first one is enough, of unsure ones the majority decides."""


def are_enough(readings: Sequence[Observation]) -> bool:
    """Tell whether no further reading would help: the first is sure, or two are alike and unsure."""
    if len(readings) == 2:
        one, other = readings
        return not one.sure and not other.sure and _named(one) == _named(other)
    return len(readings) >= MOST or (len(readings) == 1 and readings[0].sure)


def agreed(readings: Sequence[Observation]) -> Observation:
    """Give the last reading that most stand for: it is sure where most are, and never where any names other pieces."""
    if len(readings) == 1:
        return readings[0]
    if len({_named(one) for one in readings}) > 1:
        return replace(readings[-1], sure=False)
    is_sure = 2 * sum(one.sure for one in readings) > len(readings)
    return next(one for one in reversed(readings) if one.sure == is_sure)


def _named(reading: Observation) -> tuple[tuple[str, str, str], ...]:
    return tuple(sorted((one.kind, one.name or "", one.region or "") for one in reading.pieces))
