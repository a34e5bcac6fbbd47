"""Ghost cards: what each one does (GH-3 to GH-9)."""

from msgspec.structs import replace

from engines.core import Ruling, refused, ruled
from engines.ghost_hunters import endings
from engines.ghost_hunters.house import INDEX, ROOMS, Colour
from engines.ghost_hunters.state import LAST_RED, RED_GHOST, Card, Outcome, Rulings, State

ADVANCED: frozenset[Card] = frozenset(("draw-2", "draw-3", "blue-doors", "green-doors"))
"""Cards that the basic game leaves in the box."""
EXTRAS: dict[Card, int] = {"draw-2": 2, "draw-3": 3}
DOORS: dict[Card, Colour] = {"blue-doors": "blue", "green-doors": "green"}
ALL_CARDS = len(ROOMS) + 1 + len(EXTRAS) + 2 * len(DOORS)
"""Cards of the advanced game: letters, shuffle, draw cards, two door cards a colour."""


def draw(state: State, card: Card) -> Outcome:
    """Carry out one card that was drawn, or refuse one that cannot be in the pile (GH-9)."""
    told: Rulings = ()
    if len(state.out) == ALL_CARDS:
        told = (ruled("GH-9", "pile-empty", cards=ALL_CARDS, draws=state.draws),)
        state = replace(state, out=())
    pieces = 2 if card in DOORS else 1
    if state.out.count(card) == pieces:
        return refused("GH-9", "card-out" if pieces == 1 else "cards-out", card=card, out=list(state.out))
    after = replace(state, out=(*state.out, card))
    if card in INDEX:
        return _ghost(after, card, told)
    if card in DOORS:
        return _drawn(replace(after, locked=DOORS[card]), (*told, _lock(state, DOORS[card])))
    if state.drawing is not None:
        ignored = ruled("GH-7", "ignored", card=card, drawing=state.drawing, draws=state.draws)
        return endings.checked(after, (*told, ignored))
    return _shuffle(after) if card == "shuffle" else _draw_more(after, card)


def _shuffle(state: State) -> Outcome:
    """GH-6, GH-8: no ghost; all discards go back and all doors open."""
    told: Rulings = (ruled("GH-6", "shuffled", cards=len(state.out)),)
    if state.locked is not None:
        told = (*told, ruled("GH-8", "doors-open", doors=state.locked))
    return endings.checked(replace(state, phase="move", draws=0, out=(), locked=None), told)


def _draw_more(state: State, card: Card) -> Outcome:
    """GH-7: more cards are due."""
    told = ruled("GH-7", "draw-more", card=card, more=EXTRAS[card])
    return endings.checked(replace(state, drawing=card, draws=EXTRAS[card]), (told,))


def _lock(state: State, colour: Colour) -> Ruling:
    """GH-8: one colour is locked, the other open."""
    if state.locked is None:
        return ruled("GH-8", "doors-lock", doors=colour)
    if state.locked == colour:
        return ruled("GH-8", "doors-same", doors=colour)
    return ruled("GH-8", "doors-swap", doors=colour, opened=state.locked)


def _ghost(state: State, letter: Card, told: Rulings) -> Outcome:
    """GH-3 to GH-5, GH-20: one ghost into the room, or into the next one without a red ghost."""
    index = INDEX[letter]
    skipped = []
    while state.ghosts[index] == RED_GHOST:  # fewer than six of twelve rooms hold one
        skipped.append(ROOMS[index])
        index = (index + 1) % len(ROOMS)
    room = ROOMS[index]
    ghosts = state.ghosts[index] + 1
    here = replace(state, ghosts=state.with_ghosts(room, ghosts))
    if skipped:
        told = (*told, ruled("GH-4", "ghost-on", card=letter, skipped=skipped, room=room, ghosts=ghosts))
    else:
        told = (*told, ruled("GH-3", "ghost", card=letter, room=room, ghosts=ghosts))
    if ghosts < RED_GHOST:
        return _drawn(here, told)
    reds = here.reds
    told = (*told, ruled("GH-5", "red-rises", room=room, reds=reds, most=LAST_RED))
    if reds == LAST_RED:
        return endings.overrun(here, told)
    return _drawn(here, told)


def _drawn(state: State, told: Rulings) -> Outcome:
    """One card that was due is carried out; after the last extra all discards are shuffled in (GH-7)."""
    draws = state.draws - 1
    if draws:
        return endings.checked(replace(state, draws=draws), (*told, ruled("GH-7", "draws-left", draws=draws)))
    if state.drawing is None:
        return endings.checked(replace(state, phase="move", draws=0), told)
    told = (*told, ruled("GH-7", "closing-shuffle", drawing=state.drawing, cards=len(state.out)))
    locked = state.locked
    if locked is not None:
        opens = state.setup.draw_unlocks
        told = (*told, ruled("GH-8", "draw-opens" if opens else "doors-stay", doors=locked))
        locked = None if opens else locked
    return endings.checked(replace(state, phase="move", draws=0, drawing=None, out=(), locked=locked), told)
