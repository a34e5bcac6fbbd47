"""Horror Race (호러 레이스): five figures, tokens in three zones, hidden bets; clauses HR-1 to HR-23."""

from typing import Literal, TypeAlias

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
    refused,
    ruled,
    unknown_player,
    winners,
)
from engines.horror_race import garnets, pool, race, track
from engines.horror_race.inputs import INPUTS, Guess, Options, Reveal, Round, Start
from engines.horror_race.race import (
    CHARACTERS,
    DRAWN,
    EXTRA,
    FEW,
    JOKERS,
    PLAYERS,
    Five,
    Rulings,
    Setup,
    State,
)

__all__ = ["INPUTS", "PLAYERS", "Options", "apply", "expects", "opening", "result", "start", "view"]


Outcome: TypeAlias = Allowed[State] | Refused

_TOKENS_BACK = Ruling("HR-10", "tokens-back")
_WRITE_GUESSES = Ruling("HR-19", "write-guesses")
_SHOW_TOKENS = Ruling("HR-16", "show-tokens")


# --- setting up -------------------------------------------------------------------------------------------------------


def start(players: tuple[str, ...], options: Options) -> State:
    """Set the table: all figures on START."""
    number = len(players)
    first = players[0] if options.start_player is msgspec.UNSET else options.start_player
    if first not in players:
        misfit("start_player", "option-player", player=first)
    extra = EXTRA.get(number, 0)
    setup = Setup(
        players,
        steps=options.steps,
        jokers=options.jokers,
        passing=options.passing,
        deduction=options.deduction,
        once=options.second_tie == "player",
        extra=extra,
        laps=2 if number <= FEW else 1,
        races=race.LONG if number <= race.LONG_MATCH else race.SHORT,
        most=number + extra,
        pool=DRAWN * number + len(CHARACTERS) * extra,
        floor=(extra, extra, extra, extra, extra),
    )
    return race.set_up(players, Seat(players.index(first)), setup)


def opening(state: State) -> Rulings:
    """Say what lies ready, how many races there are (HR-20) and who begins (HR-4)."""
    begins = ruled("HR-4", "begins", player=race.order(state)[0], order=list(race.order(state)))
    return (ruled("HR-20", "races", races=state.setup.races), *_make_pool(state.setup), begins)


def _make_pool(setup: Setup) -> Rulings:
    """HR-1, HR-2, HR-3, HR-5: what is hidden, what goes into the pool, how many laps a round has."""
    number = len(setup.players)
    told = [ruled("HR-1", "hide", players=number, pool=DRAWN * number)]
    if setup.extra:
        told.append(ruled("HR-2", "extra", extra=setup.extra, players=number, pool=setup.pool))
    if setup.jokers:
        told.append(ruled("HR-3", "jokers", jokers=JOKERS))
    if setup.laps > 1:
        told.append(ruled("HR-5", "laps-pass" if setup.passing else "laps", laps=setup.laps, players=number))
    return tuple(told)


# --- inputs -----------------------------------------------------------------------------------------------------------


def apply(state: State, data: Input) -> Outcome:
    """Carry out one input."""
    if type(data) is Round:
        return _round(state, data)
    if type(data) is Reveal:
        return _reveal(state, data)
    if type(data) is Guess:
        return _guess(state, data)
    if type(data) is Start:
        return _start(state, data)
    raise TypeError(f"no input of this game: {data!r}")


def _round(state: State, data: Round) -> Outcome:
    """HR-4 to HR-7: all turns of a round are taken, and the zones are counted."""
    setup = state.setup
    passed = data.passed
    if passed is not None and passed not in setup.players:
        return unknown_player(passed)
    if state.phase != "round":
        return not_now("round", state.phase)
    if passed is not None and not setup.passing:
        return refused("HR-13", "no-passing", player=passed)
    turns = len(setup.players) * setup.laps - (passed is not None)
    zones = data.zones
    laid = pool.count(zones.first, zones.second, zones.fourth)
    seen = pool.most_seen(state.seen, laid.characters)
    impossible = pool.impossible_round(state, laid, seen, turns)
    if impossible is not None:
        return impossible
    told = [Ruling("HR-4", "laid", {"tokens": laid.tokens, "turns": turns, "drawn": DRAWN})]
    if passed is not None:
        told.append(Ruling("HR-6", "passed", {"player": passed}))
    told += laid.told
    spaces = track.run(state.track, laid.zones, setup.steps, told)
    if setup.steps in spaces:
        return _end_race(state, spaces, seen, told)
    return _next_round(state, spaces, seen, passed, told)


def _next_round(state: State, spaces: Five, seen: Five, passed: str | None, told: list[Ruling]) -> Outcome:
    """HR-10 to HR-13: tokens back, and who starts the next round."""
    players = state.setup.players
    last = state.first if passed is None else players.index(passed)
    first = Seat((last + 1) % len(players))
    if not state.setup.passing:
        clause, kind = "HR-13", "start-turns"
    elif passed is None:
        clause, kind = "HR-11", "nobody-passed"
    else:
        clause, kind = "HR-12", "passer-last"
    number = state.round + 1
    told.append(_TOKENS_BACK)
    told.append(Ruling(clause, kind, {"player": players[first], "last": players[last], "round": number}))
    after = msgspec.structs.replace(state, first=first, round=number, track=spaces, seen=seen)
    return Allowed(after, tuple(told))


def _end_race(state: State, spaces: Five, seen: Five, told: list[Ruling]) -> Outcome:
    """HR-15: the places; then everybody guesses (HR-19) or shows (HR-16)."""
    placing = track.places(spaces, told)
    guessing = state.setup.deduction
    told.append(_WRITE_GUESSES if guessing else _SHOW_TOKENS)
    phase: Literal["guess", "reveal"] = "guess" if guessing else "reveal"
    after = msgspec.structs.replace(state, track=spaces, seen=seen, placing=placing, phase=phase)
    return Allowed(after, tuple(told))


def _guess(state: State, data: Guess) -> Outcome:
    """HR-19: one character for each opponent, before the showing."""
    players = state.setup.players
    player, guesses = data.player, data.guesses
    for name in (player, *guesses):
        if name not in players:
            return unknown_player(name)
    if player in guesses:
        return refused(None, "guess-self", player=player)
    if len(guesses) != len(players) - 1:
        return refused(None, "guess-missing", missing=[n for n in players if n != player and n not in guesses])
    if state.phase != "guess":
        return not_now("guess", state.phase)
    seat = players.index(player)
    if state.guesses[seat] is not None:
        return refused(None, "guessed-already", player=player)
    written = (*state.guesses[:seat], tuple([guesses.get(name) for name in players]), *state.guesses[seat + 1 :])
    left = written.count(None)
    told: Rulings = (Ruling("HR-19", "guessed", {"player": player, "left": left}),)
    if left:
        return Allowed(msgspec.structs.replace(state, guesses=written), told)
    told = (*told, _SHOW_TOKENS)
    return Allowed(msgspec.structs.replace(state, guesses=written, phase="reveal"), told)


def _reveal(state: State, data: Reveal) -> Outcome:
    """HR-16, HR-23: a player shows the two hidden tokens; the last one has the garnets paid."""
    players = state.setup.players
    player, picks = data.player, data.picks
    if player not in players:
        return unknown_player(player)
    if state.phase != "reveal":
        return not_now("reveal", state.phase)
    seat = players.index(player)
    if state.shown[seat] is not None:
        return refused(None, "shown-already", player=player)
    if picks[0] == picks[1]:
        return refused("HR-1", "pick-twice", player=player, character=picks[0])
    hidden = pool.with_picks(state.hidden, picks)
    impossible = pool.impossible_picks(state, player, picks, hidden)
    if impossible is not None:
        return impossible
    shown = (*state.shown[:seat], picks, *state.shown[seat + 1 :])
    after = msgspec.structs.replace(state, shown=shown, hidden=hidden)
    told = (Ruling("HR-16", "shown", {"player": player, "picks": list(picks)}),)
    return Allowed(after, told) if None in shown else _pay(after, told)


def _pay(state: State, told: Rulings) -> Outcome:
    """HR-16 to HR-21: pay the race; then somebody names the next start, or the game is over."""
    setup = state.setup
    sums, paid = garnets.pay(state)
    standing = ruled("HR-20", "standing", race=state.race, players=list(setup.players), garnets=list(sums))
    over = state.race == setup.races
    after = msgspec.structs.replace(state, garnets=sums, phase="over" if over else "start")
    if over:
        scores = dict(zip(setup.players, sums, strict=True))
        best = winners(setup.players, scores)
        last = ruled("HR-20", "wins" if len(best) == 1 else "win-shared", winners=best, garnets=max(sums))
    else:
        least = list(race.fewest(after))
        kind = "names-start" if len(least) == 1 else "names-start-level"
        last = ruled("HR-21", kind, players=least, garnets=min(sums), race=state.race + 1)
    return Allowed(after, (*told, *paid, standing, last))


def _start(state: State, data: Start) -> Outcome:
    """HR-21: whoever has the fewest garnets names the start; everything is set up afresh."""
    setup = state.setup
    for name in (data.player, data.chosen_by):
        if name not in setup.players:
            return unknown_player(name)
    if state.phase != "start":
        return not_now("start", state.phase)
    least = race.fewest(state)
    if data.chosen_by not in least:
        return refused("HR-21", "not-fewest", player=data.chosen_by, fewest=list(least), garnets=min(state.garnets))
    fresh = race.set_up(setup.players, Seat(setup.players.index(data.player)), setup)
    after = msgspec.structs.replace(fresh, race=state.race + 1, garnets=state.garnets)
    begins = ruled("HR-21", "start-named", player=data.player, chosen_by=data.chosen_by, race=after.race)
    return Allowed(after, (*_make_pool(setup), begins))


# --- what comes next, and what is -------------------------------------------------------------------------------------


def expects(state: State) -> tuple[Expectation, ...]:
    """List what may come next; a round belongs to nobody, a start to those with the fewest garnets."""
    phase = state.phase
    if phase == "round":
        return (Expectation("round"),)
    if phase == "start":
        return tuple(Expectation("start", "player", name, stands_in="chosen_by") for name in race.fewest(state))
    if phase == "over":
        return ()
    done = state.guesses if phase == "guess" else state.shown
    return tuple(
        Expectation(phase, "player", name)
        for name, given in zip(state.setup.players, done, strict=True)
        if given is None
    )


def view(state: State) -> dict[str, Json]:
    """Show the state as the page lays it down."""
    players = state.setup.players
    placing = state.placing
    return {
        "phase": state.phase,
        "race": state.race,
        "races": state.setup.races,
        "round": state.round,
        "order": list(race.order(state)),
        "track": dict(zip(CHARACTERS, state.track, strict=True)),
        "placing": None if placing is None else [list(group) for group in placing],
        "guessed": [name for name, given in zip(players, state.guesses, strict=True) if given is not None],
        "revealed": {name: list(picks) for name, picks in zip(players, state.shown, strict=True) if picks is not None},
        "garnets": dict(zip(players, state.garnets, strict=True)),
    }


def result(state: State) -> dict[str, Json] | None:
    """HR-20: the garnets are the scores; a tie is a shared win."""
    if state.phase != "over":
        return None
    scores = dict(zip(state.setup.players, state.garnets, strict=True))
    return {"scores": scores, "winners": winners(state.setup.players, scores)}
