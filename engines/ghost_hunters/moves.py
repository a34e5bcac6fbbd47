"""Moves through the house (GH-10 to GH-12, GH-14, GH-15), and what a hunter finds there."""

from msgspec.structs import replace

from engines.core import Refused, Ruling, refused, ruled
from engines.ghost_hunters import deeds, endings
from engines.ghost_hunters.house import FAR, OUTSIDE, Bounds, Path, Place, path
from engines.ghost_hunters.state import JEWELS, RED_GHOST, Outcome, Rulings, State


def move(state: State, to: Place) -> Outcome:
    """GH-10: move up to the number rolled, or stay."""
    start = state.place
    if to == start:
        return _stay(state)
    held = state.held()
    barred = _barred(state, to, held)
    if barred is not None:
        return barred
    bounds = Bounds(
        state.locked,
        held=held,
        free=not state.setup.jump_costs,
        ends=() if state.bag is None else state.red_rooms(),
    )
    way = path(start, to, state.die or 0, bounds)
    if way is None:
        return _no_way(state, to, bounds)
    at = (*state.at[: state.turn], to, *state.at[state.turn + 1 :])
    return _arrive(replace(state, at=at), (_moved(state, way, held),))


def _stay(state: State) -> Outcome:
    """GH-10, GH-12: not moving is allowed, and all that a hunter held by a red ghost can do."""
    hunter, place = state.hunter, state.place
    if state.bag is not None and state.ghosts_at(place) == RED_GHOST:
        return _settle(state, (ruled("GH-12", "held-fast", hunter=hunter, room=place),))
    return _settle(state, (ruled("GH-10", "stayed", hunter=hunter, at=place, die=state.die),))


def _barred(state: State, to: Place, held: tuple[Place, ...]) -> Refused | None:
    """GH-12, GH-11, GH-15: what forbids a place, near or far."""
    hunter, bag = state.hunter, state.bag
    if bag is not None and state.ghosts_at(state.place) == RED_GHOST:
        return refused("GH-12", "may-not-leave", hunter=hunter, room=state.place)
    if to in held:
        others = dict(zip(state.at, state.setup.hunters, strict=True))
        return refused("GH-11", "square-held", to=to, by=others[to])
    if to == OUTSIDE and state.setup.advanced and bag is not None and bag != state.saved + 1:
        return refused("GH-15", "not-the-next", hunter=hunter, number=bag, next=state.saved + 1)
    return None


def _no_way(state: State, to: Place, bounds: Bounds) -> Refused:
    """GH-8, GH-12, GH-10: why a place is out of reach."""
    start, die = state.place, state.die or 0
    facts = {"hunter": state.hunter, "from": start, "to": to, "die": die}
    opened = path(start, to, die, replace(bounds, locked=None))
    if opened is not None:
        return refused("GH-8", "doors-locked", **facts, doors=state.locked, steps=opened.steps)
    through = path(start, to, die, replace(bounds, ends=()))
    if through is not None:
        rooms = [place for place in through.places[1:-1] if place in bounds.ends]
        return refused("GH-12", "through-red", **facts, rooms=rooms)
    nearest = path(start, to, FAR, bounds)
    if nearest is None:
        return refused("GH-10", "no-way", **facts)
    return refused("GH-10", "too-far", **facts, steps=nearest.steps)


def _moved(state: State, way: Path, held: tuple[Place, ...]) -> Ruling:
    """GH-10, GH-11: from where to where, how far, and over whom."""
    places = way.places
    facts = {"hunter": state.hunter, "from": places[0], "to": places[-1], "steps": way.steps, "die": state.die}
    jumped = [place for place in places[1:-1] if place in held] if held else []
    if jumped:
        others = dict(zip(state.at, state.setup.hunters, strict=True))
        over = [others[place] for place in jumped]
        return Ruling("GH-11", "moved-over" if state.setup.jump_costs else "moved-over-free", {**facts, "over": over})
    return Ruling("GH-10", "moved", facts)


def _arrive(state: State, told: Rulings) -> Outcome:
    """GH-14, GH-12: a jewel is put down outside; a red ghost holds whoever comes in with one."""
    bag = state.bag
    if bag is None:
        return _settle(state, told)
    hunter, place = state.hunter, state.place
    if place == OUTSIDE:
        saved = state.saved + 1
        facts = {"hunter": hunter, "saved": saved, "of": JEWELS}
        if state.setup.advanced:
            put_down = ruled("GH-14", "put-down-number", **facts, number=bag)
        else:
            put_down = ruled("GH-14", "put-down", **facts)
        return _settle(replace(state, bags=state.with_bag(None), saved=saved), (*told, put_down))
    if state.ghosts_at(place) == RED_GHOST:
        told = (*told, ruled("GH-12", "caught", hunter=hunter, room=place))
    return _settle(state, told)


def _settle(state: State, told: Rulings) -> Outcome:
    """GH-19; then the turn goes on where there is a choice or a duty."""
    won = endings.won(state, told)
    if won is not None:
        return won
    if state.saved == JEWELS:
        told = (*told, ruled("GH-19", "all-jewels-out", inside=state.inside()))
    found = deeds.found(state)
    if deeds.may_take(state) or deeds.fight_due(state):
        return endings.checked(replace(state, phase="act"), (*told, *found))
    return endings.next_turn(state, (*told, *found))
