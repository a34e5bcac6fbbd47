"""A clan's sign: who decides there, and where each card would take the witch (WR-10 to WR-12, WR-14 to WR-16)."""

from msgspec.structs import replace

from engines.core import Allowed, ruled
from engines.witch_race import endings
from engines.witch_race.state import LAST_SPACE, LAST_TILE, ClanName, Face, Outcome, Rulings, State


def ask(state: State, clan: ClanName, told: Rulings) -> Outcome:
    """WR-10, WR-11, WR-14 to WR-16: who decides, if there is anything to decide."""
    at = state.here
    setup = state.setup
    if clan not in setup.clans:
        hand = state.hand(clan)
        if not hand.numbers and not hand.signs:
            return endings.next_turn(state, (*told, ruled("WR-16", "pile-empty", at=at, clan=clan)))
        asked = ruled("WR-16", "draw", at=at, clan=clan)
    else:
        player = setup.players[setup.clans.index(clan)]
        if not _usable(state, clan):
            return endings.next_turn(state, (*told, ruled("WR-15", "no-card", at=at, clan=clan, player=player)))
        own = clan == state.clan
        clause = "WR-14" if state.forced else "WR-10" if own else "WR-11"
        kind = "must-use" if state.forced else "may-use" if own else "may-decide"
        asked = ruled(clause, kind, at=at, clan=clan, player=player)
    return Allowed(replace(state, phase="decide", deciding=clan), (*told, asked))


def _usable(state: State, clan: ClanName) -> bool:
    """WR-15: tell whether the clan has a card that can be used."""
    hand = state.hand(clan)
    if any(target(state, clan, number) is not None for number in hand.numbers):
        return True
    return hand.signs > 0 and target(state, clan, "sign") is not None


def target(state: State, clan: ClanName, card: Face) -> int | None:
    """Where a card of ``clan`` takes the witch that is carried out, or None where it cannot be used."""
    at = state.here
    own = clan == state.clan
    if card == "sign":
        return _forward(state, clan, at) if own else _either(state, clan, at)
    to = at + int(card) if own else at - int(card)
    return to if 1 <= to <= LAST_SPACE and not state.is_taken(to) else None


def _nearest(state: State, clan: ClanName, spaces: range) -> int | None:
    tiles = state.tiles
    sign = (clan, "sign")
    for space in spaces:
        if tiles[space - 1] == sign and not state.is_taken(space):
            return space
    return None


def _forward(state: State, clan: ClanName, at: int) -> int | None:
    """WR-10: the nearest face-up, free tile ahead with the clan's sign."""
    return _nearest(state, clan, range(at + 1, LAST_TILE + 1))


def _either(state: State, clan: ClanName, at: int) -> int | None:
    """WR-12: the nearest in either direction, the one behind if both are equally near; by option only behind."""
    behind = _nearest(state, clan, range(at - 1, 0, -1))
    ahead = None if state.setup.backward_only else _forward(state, clan, at)
    if behind is None or ahead is None:
        return ahead if behind is None else behind
    return behind if at - behind <= ahead - at else ahead
