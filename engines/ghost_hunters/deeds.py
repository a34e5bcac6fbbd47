"""What a hunter does after moving: take a jewel (GH-13, GH-15), fight (GH-16 to GH-18), or neither."""

from msgspec.structs import replace

from engines.core import Refused, refused, ruled
from engines.ghost_hunters import endings
from engines.ghost_hunters.state import RED_GHOST, Face, Outcome, Rulings, State


def may_take(state: State) -> bool:
    """GH-13: tell whether a jewel lies here and the bag is empty."""
    return state.bag is None and state.place in state.jewels


def fight_due(state: State) -> bool:
    """GH-16, GH-18: tell whether there are ghosts here, or a red ghost and two hunters."""
    ghosts = state.ghosts_at(state.place)
    return ghosts != 0 and (ghosts != RED_GHOST or len(state.company()) > 1)


def found(state: State) -> Rulings:
    """Tell what the hunter finds here: a jewel to take or not, and whom to fight or not."""
    hunter, place = state.hunter, state.place
    told: Rulings = ()
    if place in state.jewels:
        told = (ruled("GH-13", "may-take" if state.bag is None else "bag-full", hunter=hunter, room=place),)
    return (*told, *_foes(state))


def _foes(state: State) -> Rulings:
    """GH-16, GH-18: whom the hunter must fight here, and with how many dice."""
    hunter, place = state.hunter, state.place
    ghosts = state.ghosts_at(place)
    if not ghosts:
        return ()
    company = state.company()
    if ghosts == RED_GHOST:
        if len(company) == 1:
            return (ruled("GH-18", "alone-with-red", hunter=hunter, room=place),)
        return (ruled("GH-18", "must-fight-red", hunter=hunter, room=place, hunters=company),)
    if len(company) == 1:
        return (ruled("GH-16", "must-fight", hunter=hunter, room=place, ghosts=ghosts),)
    return (ruled("GH-16", "must-fight-together", hunter=hunter, room=place, ghosts=ghosts, hunters=company),)


def take(state: State, number: int) -> Outcome:
    """GH-13, GH-15: a jewel goes into the bag; ``number`` is 0 in the basic game."""
    hunter, place = state.hunter, state.place
    if state.bag is not None:
        return refused("GH-13", "bag-is-full", hunter=hunter)
    if place not in state.jewels:
        return refused("GH-13", "no-jewel", hunter=hunter, room=place)
    if state.setup.advanced:
        taken = _taken(state, number)
        if taken is not None:
            return taken
    after = replace(state, bags=state.with_bag(number), jewels=state.jewels - {place})
    told: Rulings = (ruled("GH-13", "took", hunter=hunter, room=place),)
    if state.setup.advanced:
        told = (ruled("GH-15", "took-number", hunter=hunter, room=place, number=number, next=state.saved + 1),)
    if fight_due(after):
        return endings.checked(after, (*told, *endings.warning(after), *_foes(after)))
    lost = endings.checked(after, told)
    if lost.state.phase == "over":
        return lost
    return endings.next_turn(after, (*told, *endings.warning(after)))


def _taken(state: State, number: int) -> Refused | None:
    """GH-15: each number is there once."""
    if number <= state.saved:
        return refused("GH-15", "number-outside", number=number, saved=state.saved)
    if number in state.bags:
        return refused("GH-15", "number-carried", number=number, by=state.setup.hunters[state.bags.index(number)])
    return None


def fight(state: State, dice: tuple[Face, ...]) -> Outcome:
    """GH-16 to GH-18: roll the fighting dice; then the turn is over."""
    hunter, place = state.hunter, state.place
    ghosts = state.ghosts_at(place)
    company = state.company()
    if ghosts == RED_GHOST:
        if len(company) == 1:
            return refused("GH-18", "not-alone", hunter=hunter, room=place)
        if len(dice) == 1:
            return refused("GH-18", "two-dice", room=place)
        return _fight_red(state, dice)
    if not ghosts:
        return refused("GH-16", "no-ghost", hunter=hunter, room=place)
    if len(dice) > len(company):
        return refused("GH-16", "one-die", hunter=hunter, room=place)
    hits = dice.count("ghost")
    off = min(hits, ghosts)
    facts = {"hunter": hunter, "room": place, "dice": list(dice), "hits": hits, "off": off, "left": ghosts - off}
    told = ruled("GH-17", "ghosts-off" if off else "ghosts-stay", **facts)
    return endings.next_turn(replace(state, ghosts=state.with_ghosts(place, ghosts - off)), (told,))


def _fight_red(state: State, dice: tuple[Face, ...]) -> Outcome:
    """GH-18: at least one red face takes the red ghost off."""
    after = state
    if "red" in dice:
        after = replace(state, ghosts=state.with_ghosts(state.place, 0))
    kind = "red-stays" if after is state else "red-off"
    facts = {"hunter": state.hunter, "room": state.place, "dice": list(dice), "reds": after.reds}
    return endings.next_turn(after, (ruled("GH-18", kind, **facts),))


def end(state: State) -> Outcome:
    """GH-13: decline the jewel; a fight that is due cannot be declined (GH-16, GH-18)."""
    hunter, place = state.hunter, state.place
    if fight_due(state):
        if state.ghosts_at(place) == RED_GHOST:
            return refused("GH-18", "red-fight-due", hunter=hunter, room=place)
        return refused("GH-16", "fight-due", hunter=hunter, room=place, ghosts=state.ghosts_at(place))
    return endings.next_turn(state, (ruled("GH-13", "declined", hunter=hunter, room=place),))
