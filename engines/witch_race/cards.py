"""The card that is used at a sign, drawn, or left alone (WR-10 to WR-14, WR-16)."""

from msgspec.structs import replace

from engines.core import Ruling, refused, ruled
from engines.witch_race import endings, signs, tiles
from engines.witch_race.state import CLANS, ClanName, Face, Outcome, State


def decide(state: State, clan: ClanName, card: Face | None) -> Outcome:
    """WR-10 to WR-16: a card is used, drawn, or not used."""
    if clan != state.deciding:
        return refused(None, "not-deciding", clan=clan, deciding=state.deciding)
    if clan not in state.setup.clans:
        return _draw(state, clan, card)
    own = clan == state.clan
    at = state.here
    if card is None:
        if state.forced:
            return refused("WR-14", "must-use-refused", at=at, clan=clan)
        return endings.next_turn(state, (ruled("WR-10" if own else "WR-11", "left-alone", at=at, clan=clan),))
    spent = _spend(state, clan, card)
    if spent is None:
        return refused("WR-20", "card-gone", clan=clan, card=card)
    to = signs.target(state, clan, card)
    if to is None:
        return refused(_clause(card, own=own), "card-unusable", at=at, clan=clan, card=card)
    return _use(spent, clan, card, to)


def _draw(state: State, clan: ClanName, card: Face | None) -> Outcome:
    """WR-16: a neutral clan's card is carried out if it can be; it is out either way."""
    if card is None:
        return refused("WR-16", "must-draw", clan=clan)
    spent = _spend(state, clan, card)
    if spent is None:
        return refused("WR-20", "card-gone", clan=clan, card=card)
    to = signs.target(state, clan, card)
    if to is None:
        return endings.next_turn(spent, (ruled("WR-16", "draw-ignored", at=state.here, clan=clan, card=card),))
    return _use(spent, clan, card, to)


def _spend(state: State, clan: ClanName, card: Face) -> State | None:
    """WR-13: a used card is out; None where the clan has it no longer."""
    index = CLANS.index(clan)
    hand = state.hands[index]
    if not hand.holds(card):
        return None
    return replace(state, hands=(*state.hands[:index], hand.without(card), *state.hands[index + 1 :]))


def _clause(card: Face, *, own: bool) -> str:
    """Give the clause that says where a card leads."""
    return "WR-10" if own else "WR-12" if card == "sign" else "WR-11"


def _use(state: State, clan: ClanName, card: Face, to: int) -> Outcome:
    at = state.here
    own = clan == state.clan
    facts = {"clan": clan, "card": card, "from": at, "to": to}
    told = (
        Ruling(_clause(card, own=own), "card-sign" if card == "sign" else "card-number", facts),
        ruled("WR-13", "card-out", **facts),
    )
    return tiles.arrive(state, at, to, told, forced=not own and card != "sign")
