"""The tile that a witch comes to: turned over, and carried out (WR-7 to WR-9, WR-20)."""

from msgspec.structs import replace

from engines.core import Allowed, Refused, Ruling, refused, ruled
from engines.witch_race import endings, signs
from engines.witch_race.state import LAST_TILE, ClanName, Face, Outcome, Rulings, State
from engines.witch_race.track import obstacle

SECTION = 16
NUMBERS_A_SECTION = 3


def arrive(state: State, source: int, to: int, told: Rulings, *, forced: bool = False) -> Outcome:
    """Stand the witch on its new place, and carry out what lies there (WR-7)."""
    three = list(state.witches[state.turn])
    three[three.index(source)] = to
    three.sort()
    witches = (*state.witches[: state.turn], tuple(three), *state.witches[state.turn + 1 :])
    if to > LAST_TILE:
        return endings.home(replace(state, witches=witches), to, told)
    here = replace(state, witches=witches, phase="tile", at=to, deciding=None, forced=forced)
    face_up = state.tiles[to - 1]
    if face_up is None:
        return Allowed(here, (*told, ruled("WR-7", "turn-over", at=to)))
    return _carry_out(here, face_up[0], face_up[1], told)


def turn_over(state: State, clan: ClanName, face: Face) -> Outcome:
    """WR-7, WR-20: turn over the tile that the witch stands on."""
    at = state.here
    impossible = _impossible(state, at, clan, face)
    if impossible is not None:
        return impossible
    tiles = (*state.tiles[: at - 1], (clan, face), *state.tiles[at:])
    turned = ruled("WR-7", "turned", at=at, clan=clan, face=face)
    return _carry_out(replace(state, tiles=tiles), clan, face, (turned,))


def _impossible(state: State, at: int, clan: ClanName, face: Face) -> Refused | None:
    """WR-20: of a clan each number once and three signs; in a section four tiles, one sign, three numbers."""
    section = (at - 1) // SECTION
    first = section * SECTION + 1
    lying = enumerate(state.tiles[first - 1 : first - 1 + SECTION], first)
    near = [(space, tile[1]) for space, tile in lying if tile is not None and tile[0] == clan]
    facts = {"clan": clan, "face": face, "at": at, "section": section + 1}
    if face == "sign":
        others = [space for space, other in near if other == "sign"]
        # Three sections of one sign each: the clan's three signs need no check of their own.
        return refused("WR-20", "second-sign", **facts, other=others[0]) if others else None
    if (clan, face) in state.tiles:
        return refused("WR-20", "twin-tile", **facts, other=state.tiles.index((clan, face)) + 1)
    numbers = [space for space, other in near if other != "sign"]
    if len(numbers) == NUMBERS_A_SECTION:
        return refused("WR-20", "fourth-number", **facts, others=numbers)
    return None


def _carry_out(state: State, clan: ClanName, face: Face, told: Rulings) -> Outcome:
    if face == "sign":
        return signs.ask(state, clan, told)
    if clan != state.clan:
        return endings.next_turn(state, (*told, ruled("WR-9", "foreign-number", at=state.at, clan=clan, face=face)))
    return _own_number(state, clan, int(face), told)


def _own_number(state: State, clan: ClanName, number: int, told: Rulings) -> Outcome:
    """WR-8: on by the number at once; where the place is occupied or beyond the end, the witch stays."""
    at = state.here
    to = at + number
    no = obstacle(state, to)
    facts = {"clan": clan, "from": at, "to": to, "face": number}
    if no is not None:
        return endings.next_turn(state, (*told, Ruling("WR-8", f"stays-{no[1]}", facts)))
    return arrive(state, at, to, (*told, Ruling("WR-8", "on", facts)))
