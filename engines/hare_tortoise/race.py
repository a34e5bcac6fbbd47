"""One race of The Hare and the Tortoise: HT-6 to HT-16."""

import msgspec

from engines.core import Ruling, ruled
from engines.hare_tortoise.animals import (
    ANIMALS,
    FINISH,
    HARE,
    LAMB,
    LAST_TILE,
    MOST_OF_ONE,
    PODIUM,
    WOLF,
    Animal,
    Laid,
    Track,
)

ORDER = tuple(range(len(ANIMALS)))

STEPS: tuple[tuple[int, ...], ...] = (
    (0, 2, 2, 2, 2),  # HT-7: hare
    (1, 1, 1, 1, 2),  # HT-9: tortoise
    (0, 1, 1, 2, 3),  # HT-10: wolf
    (0, 1, 2, 3, 4),  # HT-12: fox
    (0, 2, 3, 4, 5),  # HT-13: lamb
)
"""By animal and number of its cards on the table: how many spaces it moves."""
CLAUSES = ("HT-7", "HT-9", "HT-10", "HT-12", "HT-13")


class Course(msgspec.Struct, frozen=True):
    """What stays the same all game: the two stream tiles, ascending, and who may lead before the hare."""

    streams: tuple[int, int]
    podium_leads: bool


class Standing(msgspec.Struct, frozen=True):
    """Where the animals are: on the track, and on the podium in the order of arrival."""

    track: Track = (0,) * len(ANIMALS)
    podium: tuple[Animal, ...] = ()


def run(course: Course, standing: Standing, laid: Laid, howls: int) -> tuple[Standing, list[Ruling]]:
    """HT-6: move the animals in their order, until all have moved or the third is on the podium."""
    track = list(standing.track)
    podium = list(standing.podium)
    told: list[Ruling] = []
    movers: tuple[int, ...] = ORDER
    if howls:
        told.append(_howl(track, howls))
        movers = (WOLF,) if track[WOLF] != FINISH else ()
    for index in movers:
        at = track[index]
        if at == FINISH:
            place = podium.index(ANIMALS[index]) + 1
            told.append(Ruling("HT-6", "on-podium", {"animal": ANIMALS[index], "place": place}))
            continue
        if index == HARE and laid[HARE] == MOST_OF_ONE:
            naps, why = _nap(course, standing)
            told.append(why)
            if naps:
                continue
        track[index] = _move(course, index, at, laid[index], told)
        if track[index] == FINISH and _arrive(index, at + STEPS[index][laid[index]], podium, told):
            _third(track, [later for later in movers if later > index], podium, told)
            break
    return Standing(tuple(track), tuple(podium)), told


def _howl(track: list[int], howls: int) -> Ruling:
    """HT-11: only the wolf moves, or nobody where it is on the podium already."""
    held = [animal for index, animal in enumerate(ANIMALS) if index != WOLF and track[index] != FINISH]
    return ruled("HT-11", "howl-nobody" if track[WOLF] == FINISH else "howl", howls=howls, held=held)


def _nap(course: Course, standing: Standing) -> tuple[bool, Ruling]:
    """HT-8: with four hare cards a leading hare stays where it is, but not on the start tile."""
    track = standing.track
    at = track[HARE]
    if at == 0:
        return False, ruled("HT-8", "no-nap-start", at=at)
    if course.podium_leads and standing.podium:
        return False, ruled("HT-8", "no-nap-podium", at=at, ahead=list(standing.podium))
    ahead = [animal for animal, space in zip(ANIMALS, track, strict=True) if at < space < FINISH]
    if ahead:
        return False, ruled("HT-8", "no-nap-behind", at=at, ahead=ahead)
    level = [animal for animal, space in zip(ANIMALS, track, strict=True) if at == space and animal != "hare"]
    return True, ruled("HT-8", "nap-level" if level else "nap", at=at, level=level)


def _move(course: Course, index: int, at: int, cards: int, told: list[Ruling]) -> int:
    """HT-7, HT-9, HT-10, HT-12 to HT-14: tell where the animal goes, FINISH where it crosses the line."""
    animal = ANIMALS[index]
    steps = STEPS[index][cards]
    if steps == 0:
        told.append(Ruling(CLAUSES[index], f"{animal}-stays", {"animal": animal, "at": at}))
        return at
    to = min(at + steps, FINISH)
    stream = _stream(course, at, to) if index == LAMB else None
    if stream is not None:
        to = stream
    kind = "wolf-fewer" if index == WOLF and cards > 2 else f"{animal}-moves"
    facts = {"animal": animal, "cards": cards, "steps": steps, "from": at, "to": to}
    told.append(Ruling(CLAUSES[index], kind, facts))
    if index == LAMB and at in course.streams:
        told.append(ruled("HT-14", "leaves-stream", animal=animal, at=at))
    if stream is not None:
        told.append(ruled("HT-14", "stream", animal=animal, at=stream, lost=at + steps - stream))
    return to


def _stream(course: Course, at: int, to: int) -> int | None:
    """HT-14: give the first stream tile that the lamb reaches on its way; the one it starts on is none."""
    for stream in course.streams:
        if at < stream <= to:
            return stream
    return None


def _arrive(index: int, reach: int, podium: list[Animal], told: list[Ruling]) -> bool:
    """HT-15: the next free place of the podium; tell whether it was the last one (HT-16)."""
    podium.append(ANIMALS[index])
    told.append(ruled("HT-15", "finish", animal=ANIMALS[index], place=len(podium), lost=reach - LAST_TILE - 1))
    return len(podium) == PODIUM


def _third(track: list[int], later: list[int], podium: list[Animal], told: list[Ruling]) -> None:
    """HT-16: the game is over at once; name those whose move falls away."""
    held = [ANIMALS[index] for index in later if track[index] != FINISH]
    told.append(ruled("HT-16", "third-held" if held else "third", podium=list(podium), held=held))
