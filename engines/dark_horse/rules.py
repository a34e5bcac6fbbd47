"""Dark Horse (다크호스): seven animals in one line, action cards, tickets and tokens; clauses DH-1 to DH-15."""

from itertools import pairwise

import msgspec

from engines.core import (
    Allowed,
    Expectation,
    Input,
    Json,
    Refused,
    Ruling,
    Seat,
    misfit,
    not_now,
    not_your_turn,
    refused,
    ruled,
    unknown_player,
)
from engines.dark_horse import race, scoring, tickets
from engines.dark_horse.cards import ANIMALS, CARDS, Card
from engines.dark_horse.inputs import INPUTS, Line, Options, Play, Reveal, Token
from engines.dark_horse.race import Order
from engines.dark_horse.state import (
    CARDS_EACH,
    TICKETS,
    TICKETS_ALIKE,
    TICKETS_EACH,
    TOKENS,
    Outcome,
    Rulings,
    Setup,
    State,
)

__all__ = ["INPUTS", "PLAYERS", "Options", "apply", "expects", "opening", "result", "start", "view"]

PLAYERS = range(2, 7)


def start(players: tuple[str, ...], options: Options) -> State:
    """Deal tickets and action cards, lay out the tokens."""
    points = options.scores
    if any(later > earlier for earlier, later in pairwise(points)):
        misfit("scores", "option-rising")
    first = players[0] if options.start_player is msgspec.UNSET else options.start_player
    if first not in players:
        misfit("start_player", "option-player", player=first)
    count = len(players)
    seat = Seat(players.index(first))
    setup = Setup(players, seat, points, options.overrun == "turn", options.no_token_on_last_card)
    return State(
        setup=setup,
        phase="line",
        turn=seat,
        cards=(CARDS_EACH[count],) * count,
        tokens=(False,) * count,
        pile=TICKETS - TICKETS_EACH[count] * count,
        shown=((),) * count,
    )


def opening(state: State) -> Rulings:
    """Say what is dealt, and how the line is built (DH-1)."""
    count = len(state.setup.players)
    dealt = {"tickets": TICKETS_EACH[count], "cards": CARDS_EACH[count], "tokens": TOKENS[count], "pile": state.pile}
    return (Ruling("DH-1", "deal", {**dealt, "player": state.player}),)


# --- inputs -----------------------------------------------------------------------------------------------------------


def apply(state: State, data: Input) -> Outcome:
    """Carry out one input."""
    if type(data) is Play:
        return _play(state, data)
    if type(data) is Token:
        return _refuse_turn(state, "token", data.player) or _token(state)
    if type(data) is Reveal:
        return tickets.reveal(state, data)
    if type(data) is Line:
        return _line(state, data.order) if state.phase == "line" else not_now("line", state.phase)
    raise TypeError(f"no input of this game: {data!r}")


def _refuse_turn(state: State, name: str, player: str) -> Refused | None:
    players = state.setup.players
    if player not in players:
        return unknown_player(player)
    if state.phase != "play":
        return not_now(name, state.phase)
    if players[state.turn] != player:
        return not_your_turn(player, players[state.turn])
    return None


def _line(state: State, order: Order) -> Outcome:
    """DH-1, DH-2: the whole line; the rearmost is the dark horse."""
    if len(set(order)) != len(order):
        twins = sorted({animal for animal in order if order.count(animal) > 1})
        return refused("DH-1", "twin-animal", twins=twins, missing=[one for one in ANIMALS if one not in order])
    told = (
        ruled("DH-1", "lined-up", order=list(order)),
        ruled("DH-2", "dark-horse", animal=order[-1], tokens=state.tokens_left()),
        ruled("DH-5", "begins", player=state.player),
    )
    return Allowed(msgspec.structs.replace(state, phase="play", order=order, dark_horse=order[-1]), told)


def _no_token(state: State) -> Refused | None:
    """DH-3: why the player on turn may not take a token, or None."""
    player = state.player
    if state.tokens[state.turn]:
        return refused("DH-3", "token-twice", player=player)
    if not state.tokens_left():
        holders = state.holders()
        return refused("DH-3", "token-gone", player=player, holders=holders)
    if state.setup.spare_last and state.cards[state.turn] == 1:
        return refused("DH-3", "token-last-card", player=player)
    return None


def _token(state: State) -> Outcome:
    """DH-3: take a token, for good."""
    no = _no_token(state)
    if no is not None:
        return no
    tokens = (*state.tokens[: state.turn], True, *state.tokens[state.turn + 1 :])
    after = msgspec.structs.replace(state, tokens=tokens)
    player = state.player
    return Allowed(after, (ruled("DH-3", "token-taken", player=player, left=after.tokens_left()),))


def _misfitting(state: State, data: Play, card: Card) -> Refused | None:
    """Refuse a field that the card has no use for, and a missing one that it needs: the shape, so no clause."""
    if data.direction is not msgspec.UNSET and card.sign != "~":
        return refused(None, "field-unused", card=card.name, field="direction")
    for name, value in (("target", data.target), ("discarded", data.discarded)):
        if card.form != "exchange" and value is not msgspec.UNSET:
            return refused(None, "field-unused", card=card.name, field=name)
        if card.form == "exchange" and value is msgspec.UNSET:
            return refused(None, "missing-field", input="play", field=name)
    if data.target is not msgspec.UNSET and data.target not in state.setup.players:
        return unknown_player(data.target)
    return None


def _play(state: State, data: Play) -> Outcome:
    """DH-4: one action card, whatever it does."""
    card = CARDS[data.card]
    no = _misfitting(state, data, card) or _refuse_turn(state, "play", data.player)
    if no is not None:
        return no
    left = state.cards[state.turn] - 1
    played = ruled("DH-4", "played", player=data.player, card=card.name, left=left)
    if card.form == "exchange":
        return _exchange(state, data, played)
    named = None if data.direction is msgspec.UNSET else data.direction
    moved = race.run(state.order, card, named, whole=state.setup.whole)
    if isinstance(moved, Refused):
        return moved
    order, told = moved
    return _next_turn(state, (played, *told), order=order)


def _exchange(state: State, data: Play, played: Ruling) -> Outcome:
    """DH-11: somebody throws a ticket and draws; with an empty pile nothing happens."""
    facts: dict[str, Json] = {"player": data.target, "by": data.player}
    animal = data.discarded
    if not state.pile:
        if animal is not None:
            return refused("DH-11", "pile-is-empty", **facts, animal=animal)
        return _next_turn(state, (played, Ruling("DH-11", "pile-empty", facts)))
    if animal is None or animal is msgspec.UNSET:
        return refused("DH-11", "ticket-needed", **facts, pile=state.pile)
    if state.discarded.count(animal) == TICKETS_ALIKE:
        return refused("DH-15", "third-thrown", **facts, animal=animal, most=TICKETS_ALIKE)
    pile = state.pile - 1
    kind = "exchanged-own" if data.target == data.player else "exchanged"
    thrown = Ruling("DH-11", kind, {**facts, "animal": animal, "pile": pile})
    return _next_turn(state, (played, thrown), pile=pile, discarded=(*state.discarded, animal))


def _next_turn(
    state: State,
    told: Rulings,
    *,
    order: Order | None = None,
    pile: int | None = None,
    discarded: tuple[int, ...] | None = None,
) -> Outcome:
    """DH-5: clockwise on, until nobody has a card."""
    players, seat = state.setup.players, state.turn
    cards = (*state.cards[:seat], state.cards[seat] - 1, *state.cards[seat + 1 :])
    turn = Seat((seat + 1) % len(players))
    raced = any(cards)
    after = State(
        setup=state.setup,
        phase="play" if raced else "reveal",
        turn=turn,
        cards=cards,
        tokens=state.tokens,
        pile=state.pile if pile is None else pile,
        order=state.order if order is None else order,
        dark_horse=state.dark_horse,
        discarded=state.discarded if discarded is None else discarded,
        shown=state.shown,
    )
    if raced:
        last = Ruling("DH-5", "next", {"player": players[turn], "cards": cards[turn]})
    else:
        last = Ruling("DH-5", "race-over", {"order": list(after.order), "tickets": TICKETS_EACH[len(players)]})
    return Allowed(after, (*told, last))


# --- what can be asked ------------------------------------------------------------------------------------------------


def expects(state: State) -> tuple[Expectation, ...]:
    """List what may come next."""
    players = state.setup.players
    if state.phase == "line":
        return (Expectation("line"),)
    if state.phase == "play":
        player = players[state.turn]
        play = Expectation("play", "player", player)
        return (play,) if _no_token(state) is not None else (Expectation("token", "player", player), play)
    if state.phase == "reveal":
        waiting = zip(players, state.shown, strict=True)
        return tuple(Expectation("reveal", "player", player) for player, tickets in waiting if not tickets)
    return ()


def view(state: State) -> dict[str, Json]:
    """Show the state as the page lays it down."""
    players = state.setup.players
    return {
        "phase": state.phase,
        "turn": players[state.turn] if state.phase == "play" else None,
        "line": list(state.order) or None,
        "dark_horse": state.dark_horse or None,
        "tokens_left": state.tokens_left(),
        "tokens": state.holders(),
        "cards_left": dict(zip(players, state.cards, strict=True)),
        "pile": state.pile,
        "discarded": list(state.discarded),
        "revealed": {player: list(tickets) for player, tickets in zip(players, state.shown, strict=True) if tickets},
    }


def result(state: State) -> dict[str, Json] | None:
    """DH-12 to DH-14: scores and winners."""
    if state.phase != "over":
        return None
    end = tickets.finish(state)
    return {"scores": scoring.scores(end), "winners": scoring.decide(end)[0]}
