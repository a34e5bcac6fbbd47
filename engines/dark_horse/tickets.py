"""The tickets that are shown at the end (DH-12), and how many there can be of one animal (DH-15)."""

from msgspec.structs import replace

from engines.core import Allowed, Refused, not_now, refused, unknown_player
from engines.dark_horse import scoring
from engines.dark_horse.inputs import Reveal
from engines.dark_horse.state import TICKETS_ALIKE, TICKETS_EACH, Outcome, State


def reveal(state: State, data: Reveal) -> Outcome:
    """DH-12: tickets are shown; DH-15: they must add up with those thrown and shown before."""
    no = _refuse(state, data) or _impossible(state, data)
    if no is not None:
        return no
    setup = state.setup
    seat = setup.players.index(data.player)
    shown = (*state.shown[:seat], data.tickets, *state.shown[seat + 1 :])
    told = scoring.shown(data.player, data.tickets, state.order, setup.points)
    if not all(shown):
        return Allowed(replace(state, shown=shown), (told,))
    over = replace(state, phase="over", shown=shown)
    return Allowed(over, (told, *scoring.told(finish(over))))


def _refuse(state: State, data: Reveal) -> Refused | None:
    players = state.setup.players
    if data.player not in players:
        return unknown_player(data.player)
    many = TICKETS_EACH[len(players)]
    if len(data.tickets) != many:
        return refused(None, "ticket-count", player=data.player, tickets=len(data.tickets), many=many)
    if state.phase != "reveal":
        return not_now("reveal", state.phase)
    if state.shown[players.index(data.player)]:
        return refused(None, "shown-already", player=data.player)
    return None


def _impossible(state: State, data: Reveal) -> Refused | None:
    """DH-15: of one animal there are two tickets, thrown or shown."""
    for animal in sorted(set(data.tickets)):
        here = data.tickets.count(animal)
        thrown = state.discarded.count(animal)
        before = sum(tickets.count(animal) for tickets in state.shown)
        if here + thrown + before > TICKETS_ALIKE:
            facts = {"here": here, "thrown": thrown, "before": before, "sum": here + thrown + before}
            return refused("DH-15", "third-shown", player=data.player, animal=animal, **facts, most=TICKETS_ALIKE)
    return None


def finish(state: State) -> scoring.Finish:
    """Give the end of the race as the scoring wants it."""
    setup = state.setup
    return scoring.Finish(setup.players, setup.points, state.order, state.dark_horse, state.shown, state.tokens)
