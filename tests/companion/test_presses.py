"""Button edges in, short and long presses out: what a contact does, what a thread's delay does."""

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.presses import LONG_S, MENU_S, SETTLE_S, STUCK_S, Press, Presses, Stuck

Timeline = list[tuple[float, str, bool]]
MS = 0.001


def told(
    edges: Iterable[tuple[float, str, bool]], polls: Iterable[float] = (), *, until: float = 100.0
) -> list[Press | Stuck]:
    """Hand over edges, look at the clock at ``polls`` in between, and once more when all is long over."""
    presses = Presses()
    found: list[Press | Stuck] = []
    moments = sorted([(at, 1, button, pressed) for at, button, pressed in edges] + [(at, 0, "", False) for at in polls])
    for at, is_edge, button, pressed in moments:
        found += presses.edge(button, at, pressed=pressed) if is_edge else presses.settle(at)
    return found + presses.settle(until)


def often(until: float, step: float = 0.005) -> list[float]:
    return [step * n for n in range(round(until / step))]


def kinds(presses: Iterable[Press | Stuck]) -> list[tuple[str, bool]]:
    return [(one.button, one.long) for one in presses if isinstance(one, Press)]


def chatter(at: float, *, pressed: bool, edges: int, within: float) -> Timeline:
    """A contact that goes to a level in an odd number of edges, the last one at ``at + within``."""
    return [(at + within * n / max(edges - 1, 1), "ok", pressed == (n % 2 == 0)) for n in range(edges)]


SHORT = [(1.0, "ok", True), (1.2, "ok", False)]
LONG = [(1.0, "ok", True), (2.5, "ok", False)]


@pytest.mark.parametrize("polls", [[], often(4.0)], ids=["late", "watched"])
@pytest.mark.parametrize(("edges", "is_long"), [(SHORT, False), (LONG, True)], ids=["short", "long"])
def test_one_press_is_told_once(edges: Timeline, is_long: bool, polls: list[float]) -> None:  # noqa: FBT001
    assert told(edges, polls) == [Press("ok", is_long, 1.0)]


def test_a_short_press_is_told_when_its_release_has_settled() -> None:
    presses = Presses()
    assert presses.edge("ok", 1.0, pressed=True) == []
    assert presses.settle(1.1) == []
    assert presses.edge("ok", 1.2, pressed=False) == []
    assert presses.settle(1.2 + SETTLE_S / 2) == []
    assert presses.settle(1.2 + SETTLE_S + MS) == [Press("ok", False, 1.0)]


def test_a_long_press_is_told_while_the_button_is_still_held() -> None:
    presses = Presses()
    presses.edge("ok", 1.0, pressed=True)
    assert presses.settle(1.0 + LONG_S - MS) == []
    assert presses.settle(1.0 + LONG_S + MS) == [Press("ok", True, 1.0)]
    assert presses.settle(9.0) == []
    assert presses.edge("ok", 9.5, pressed=False) == []
    assert presses.settle(20.0) == []


@pytest.mark.parametrize("held", [0.2, 1.5], ids=["short", "long"])
@pytest.mark.parametrize("polls", [[], often(5.0), often(5.0, 0.0013)], ids=["late", "watched", "busy"])
def test_a_dozen_edges_in_thirty_milliseconds_are_one_press(held: float, polls: list[float]) -> None:
    down = chatter(1.0, pressed=True, edges=13, within=30 * MS)
    up = chatter(1.0 + 30 * MS + held, pressed=False, edges=13, within=30 * MS)
    assert kinds(told([*down, *up], polls)) == [("ok", held >= LONG_S)]


@pytest.mark.parametrize("polls", [[], often(3.0)], ids=["late", "watched"])
def test_a_tap_of_8_ms_is_no_press_and_the_next_one_is_delivered(polls: list[float]) -> None:
    tap = [(1.0, "ok", True), (1.008, "ok", False)]
    assert told(tap, polls) == []
    assert told([*tap, (1.1, "ok", True), (1.3, "ok", False)], polls) == [Press("ok", False, 1.1)]


@pytest.mark.parametrize("polls", [[], often(3.0)], ids=["late", "watched"])
def test_a_spike_of_1_ms_neither_presses_nor_releases(polls: list[float]) -> None:
    spike = [(0.5, "ok", True), (0.501, "ok", False)]
    dropout = [(1.1, "ok", False), (1.101, "ok", True)]
    assert told(spike, polls) == []
    assert told([*spike, SHORT[0], *dropout, SHORT[1]], polls) == [Press("ok", False, 1.0)]


def test_a_dropout_does_not_restart_a_long_press() -> None:
    presses = Presses()
    for at, pressed in ((1.0, True), (1.7, False), (1.701, True)):
        assert presses.edge("ok", at, pressed=pressed) == []
    assert presses.settle(1.0 + LONG_S + MS) == [Press("ok", True, 1.0)]


@pytest.mark.parametrize("polls", [[], often(30.0, 0.1)], ids=["late", "watched"])
def test_a_button_held_at_the_start_gives_nothing_before_it_was_let_go(polls: list[float]) -> None:
    release = [(10.0, "ok", False)]
    assert told(release, polls) == []
    assert kinds(told([*release, (11.0, "ok", True), (11.2, "ok", False)], polls)) == [("ok", False)]


def test_chatter_of_a_button_let_go_after_the_start_gives_nothing() -> None:
    assert told(chatter(10.0, pressed=False, edges=13, within=30 * MS), often(12.0)) == []


def test_time_that_dips_neither_loses_nor_invents_a_press() -> None:
    presses = Presses()
    found = presses.edge("ok", 5.0, pressed=True)
    found += presses.settle(4.0)  # as if another thread's clock had been read before
    found += presses.settle(5.1)
    found += presses.edge("ok", 5.3, pressed=False)
    found += presses.edge("ok", 5.299, pressed=True)
    found += presses.edge("ok", 5.298, pressed=False)
    found += presses.settle(1.0)
    found += presses.settle(5.4)
    assert kinds(found) == [("ok", False)]


@pytest.mark.parametrize(("held", "is_long"), [(0.1, False), (LONG_S - 0.01, False), (LONG_S + 0.01, True)])
def test_edges_that_come_late_are_judged_by_when_they_happened(held: float, is_long: bool) -> None:  # noqa: FBT001
    presses = Presses()
    presses.settle(9.0)
    found = presses.edge("ok", 1.0, pressed=True) + presses.edge("ok", 1.0 + held, pressed=False)
    assert kinds(found + presses.settle(9.0)) == [("ok", is_long)]


def test_two_buttons_do_not_disturb_each_other() -> None:
    edges = [(1.0, "up", True), (1.05, "ok", True), (1.2, "ok", False), (2.5, "up", False)]
    assert kinds(told(edges, often(4.0))) == [("ok", False), ("up", True)]


def test_what_became_certain_together_is_told_oldest_first() -> None:
    edges = [(1.0, "back", True), (1.1, "ok", True), (1.3, "back", False), (1.31, "ok", False)]
    assert kinds(told(edges)) == [("back", False), ("ok", False)]


@pytest.mark.parametrize("start", [0.0, 1.1, 12345.678, 1e6 + 1 / 3])
def test_what_is_due_is_due_at_that_moment_and_nothing_is_due_in_the_end(start: float) -> None:
    """An event loop that sleeps until ``due()`` must get on: a moment that never comes would have it spin."""
    presses = Presses()
    found: list[Press | Stuck] = []
    presses.edge("ok", start, pressed=True)
    for _ in range(3):  # the level settles, then the press is long, then the button is stuck
        due = presses.due()
        assert due is not None
        found += presses.settle(due)
    assert found == [Press("ok", long=True, at=start), Stuck("ok", start)]
    assert presses.due() is None
    presses.edge("ok", start + 65, pressed=False)
    due = presses.due()
    assert due is not None
    assert presses.settle(due) == []
    assert presses.due() is None


def random_presses(dice: Random, count: int) -> tuple[Timeline, list[tuple[str, bool]], float]:
    """A contact's life: presses with chatter, and spikes between. Gives the edges, the presses meant, and the end."""
    button = dice.choice(("up", "down", "ok", "back"))
    now, edges, meant = dice.uniform(0, 1000), [], []

    def turn(level: bool) -> None:  # noqa: FBT001
        nonlocal now
        for n in range(2 * dice.randint(0, 8) + 1):
            edges.append((now, button, level == (n % 2 == 0)))
            now += dice.uniform(0, 6 * MS)

    def rest(seconds: float, level: bool) -> None:  # noqa: FBT001
        """Stand still, with a spike in the middle now and then."""
        nonlocal now
        if seconds > 0.1 and dice.random() < 0.3:
            middle = now + seconds / 2
            edges.extend([(middle, button, not level), (middle + dice.uniform(0.1, 5) * MS, button, level)])
        now += seconds

    for _ in range(count):
        rest(dice.uniform(0.03, 0.5), level=False)
        is_long = dice.random() < 0.3
        turn(True)
        rest(dice.uniform(0.9, 2.0) if is_long else dice.uniform(0.03, 0.6), level=True)
        turn(False)
        meant.append((button, is_long))
    return edges, meant, now + 1


@given(st.integers(0, 2**32 - 1).map(Random))
@settings(max_examples=30, deadline=None)
def test_of_many_of_chattering_presses_none_is_lost_and_none_invented(dice: Random) -> None:
    edges, meant, end = random_presses(dice, 50)
    polls = [dice.uniform(edges[0][0], end) for _ in range(dice.choice((0, 10, 1000)))]
    assert kinds(told(edges, polls, until=end)) == meant


def test_of_ten_thousand_chattering_presses_none_is_lost_and_none_invented() -> None:
    dice = Random(20261130)  # noqa: S311 - not for cryptography
    edges, meant, end = random_presses(dice, 10_000)
    polls = [dice.uniform(edges[0][0], end) for _ in range(10_000)]
    assert len(meant) == 10_000
    assert kinds(told(edges, polls, until=end)) == meant


def test_a_spike_of_1_ms_every_ten_seconds_for_ten_minutes_is_nothing() -> None:
    spikes = [(at + off, "ok", off == 0) for at in range(10, 610, 10) for off in (0, MS)]
    assert told(spikes, often(610.0, 0.5), until=700.0) == []


# --- armed, stuck -----------------------------------------------------------------------------------------------------


def test_a_button_down_for_the_first_two_seconds_gives_nothing_and_then_works() -> None:
    presses = Presses()
    presses.held("ok", 0.0)
    found = [one for at in often(2.0) for one in presses.settle(at)]
    found += presses.edge("ok", 2.0, pressed=False) + presses.settle(2.5)
    assert found == []
    presses.edge("ok", 3.0, pressed=True)
    presses.edge("ok", 3.2, pressed=False)
    assert presses.settle(3.5) == [Press("ok", long=False, at=3.0)]


def test_a_button_that_never_comes_up_is_told_as_stuck_once_after_a_minute() -> None:
    presses = Presses()
    presses.held("back", 5.0)
    assert presses.due() == 5.0 + STUCK_S
    assert presses.settle(5.0 + STUCK_S - MS) == []
    assert presses.settle(5.0 + STUCK_S + MS) == [Stuck("back", 5.0)]
    assert presses.settle(1000.0) == []
    assert presses.due() is None


def test_a_button_that_sticks_in_a_game_is_told_after_its_one_long_press_and_works_when_it_is_free_again() -> None:
    edges = [(1.0, "ok", True), (200.0, "ok", False), (201.0, "ok", True), (201.2, "ok", False)]
    found = told(edges, often(210.0, 0.1), until=300.0)
    assert found == [Press("ok", long=True, at=1.0), Stuck("ok", 1.0), Press("ok", long=False, at=201.0)]


@pytest.mark.parametrize("stuck", ["up", "down"])
def test_the_other_arrow_works_beside_one_that_is_stuck(stuck: str) -> None:
    other = "down" if stuck == "up" else "up"
    presses = Presses()
    presses.held(stuck, 0.0)
    for at, pressed in ((10.0, True), (10.2, False), (100.0, True), (103.0 + MENU_S, False)):
        presses.edge(other, at, pressed=pressed)
        presses.settle(at + 0.1)
    edges = [(110.0, other, True), (110.2, other, False)]
    found = [one for at, button, pressed in edges for one in presses.edge(button, at, pressed=pressed)]
    assert kinds(found + presses.settle(111.0)) == [(other, False)]
