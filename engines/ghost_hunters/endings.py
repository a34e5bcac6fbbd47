"""How a turn and the game end (GH-19 to GH-23)."""

from msgspec.structs import replace

from engines.core import Allowed, ruled
from engines.ghost_hunters.house import OUTSIDE
from engines.ghost_hunters.state import JEWELS, RED_GHOST, Rulings, State


def checked(state: State, told: Rulings) -> Allowed[State]:
    """GH-21, looked at after every input: the game is lost when all hunters are held fast apart."""
    if None in state.bags:
        return Allowed(state, told)
    places = state.at
    if len(set(places)) < len(places) or any(state.ghosts_at(place) != RED_GHOST for place in places):
        return Allowed(state, told)
    rooms = dict(zip(state.setup.hunters, places, strict=True))
    return _over(state, "lost", (*told, ruled("GH-21", "lost-held", rooms=list(rooms.values()), held=rooms)))


def next_turn(state: State, told: Rulings) -> Allowed[State]:
    """GH-23: the turn goes to the next hunter, unless the game is lost (GH-21)."""
    lost = checked(state, told)
    if lost.state.phase == "over":
        return lost
    turn = (state.turn + 1) % len(state.at)
    after = replace(state, turn=turn, phase="roll", die=None)
    return Allowed(after, (*told, ruled("GH-23", "next", hunter=after.hunter, player=after.player)))


def won(state: State, told: Rulings) -> Allowed[State] | None:
    """GH-19, looked at after a move: won when all hunters and all jewels are outside; None if not."""
    if state.saved < JEWELS or any(place != OUTSIDE for place in state.at):
        return None
    return _over(state, "won", (*told, ruled("GH-19", "won", jewels=JEWELS, hunters=list(state.setup.hunters))))


def overrun(state: State, told: Rulings) -> Allowed[State]:
    """GH-20: lost at once by the sixth red ghost; draws that are left and the closing shuffle lapse."""
    lapsed = state.draws - 1
    facts = {"reds": state.reds, "rooms": list(state.red_rooms()), "lapsed": lapsed}
    if lapsed:
        return _over(state, "lost", (*told, ruled("GH-20", "lost-overrun-drawing", **facts)))
    return _over(state, "lost", (*told, ruled("GH-20", "lost-overrun", **facts)))


def warning(state: State) -> Rulings:
    """GH-22: warn where every bag is full and none holds the next number; only a take can make it so."""
    if not state.setup.advanced or None in state.bags or state.saved + 1 in state.bags:
        return ()
    return (ruled("GH-22", "none-is-next", next=state.saved + 1, numbers=list(state.bags)),)


def _over(state: State, outcome: str, told: Rulings) -> Allowed[State]:
    return Allowed(replace(state, phase="over", outcome=outcome, die=None, draws=0, drawing=None), told)
