"""The garnets: what places and right guesses are paid (HR-16 to HR-19)."""

from collections.abc import Sequence

from engines.core import Ruling
from engines.horror_race.race import CHARACTERS, Character, Rulings, State


def worth(placing: Sequence[Sequence[Character]]) -> dict[Character, int]:
    """HR-16 to HR-18: what one shown token of each character is paid."""
    paid: dict[Character, int] = dict.fromkeys(CHARACTERS, 0)
    paid[placing[0][0]] = 3  # exactly one figure is first: the race ends when it arrives
    if len(placing[1]) > 1:
        for character in placing[1]:
            paid[character] = 1
        return paid
    paid[placing[1][0]] = 2
    if len(placing[2]) == 1:
        paid[placing[2][0]] = 1
    return paid


def pay(state: State) -> tuple[tuple[int, ...], Rulings]:
    """Pay a race when all have shown. Gives the garnets by seat after it, and what to tell."""
    setup = state.setup
    placing = state.placing or ()
    told = _shared(placing, once=setup.once)
    paid = worth(placing)
    once = placing[1] if setup.once and len(placing[1]) > 1 else ()
    garnets = list(state.garnets)
    for seat, picks in enumerate(state.shown):
        if picks is None:
            continue
        one, other = picks
        rule, kind = "HR-16", "paid"
        each = [paid[one], paid[other]]
        if one in once and other in once:
            each[1] = 0
            rule, kind = "HR-18", "paid-once"
        total = each[0] + each[1]
        garnets[seat] += total
        facts = {"player": setup.players[seat], "picks": [one, other], "each": each, "sum": total}
        told.append(Ruling(rule, kind, facts))
    if setup.deduction:
        told += _pay_guesses(state, garnets)
    return tuple(garnets), tuple(told)


def _shared(placing: Sequence[Sequence[Character]], *, once: bool) -> list[Ruling]:
    """HR-17, HR-18: say which place is shared, and what that changes."""
    if len(placing[1]) > 1:
        kind = "second-shared-once" if once else "second-shared"
        return [Ruling("HR-18", kind, {"characters": list(placing[1])})]
    if len(placing[2]) > 1:
        return [Ruling("HR-17", "third-shared", {"characters": list(placing[2])})]
    return []


def _pay_guesses(state: State, garnets: list[int]) -> list[Ruling]:
    """HR-19: one garnet for each opponent who holds the guessed character; ``garnets`` grows by it."""
    told = []
    players = state.setup.players
    for seat, guesses in enumerate(state.guesses):
        hits = [
            name
            for name, guess, picks in zip(players, guesses or (), state.shown, strict=True)
            if guess is not None and guess in (picks or ())
        ]
        garnets[seat] += len(hits)
        kind = "guesses-right" if hits else "guesses-wrong"
        told.append(Ruling("HR-19", kind, {"player": players[seat], "opponents": hits, "sum": len(hits)}))
    return told
