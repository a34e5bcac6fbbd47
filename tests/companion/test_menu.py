"""UP and DOWN held together are the menu, and the menu never costs a game."""

import pytest

from companion.modes import Home, Menu, Reading, Table
from companion.pages import page
from companion.presses import MENU_S, Press, Presses
from companion.session import Session
from engines.record import Header

TWO = Header("witch-race", ("Ana", "Bo"), {})


def told(edges: list[tuple[str, float, bool]], until: float) -> list[Press]:
    presses = Presses()
    found = [one for button, at, pressed in edges for one in presses.edge(button, at, pressed=pressed)]
    for _ in range(20):
        due = presses.due()
        if due is None or due > until:
            break
        found += presses.settle(due)
    return found + presses.settle(until)


@pytest.fixture
def session() -> Session:
    session = Session("en")
    session.begin(TWO)
    return session


def press(session: Session, *buttons: str) -> None:
    for button in buttons:
        session.handle(Press(button, button == "menu", 0.0))


def test_up_and_down_held_for_two_seconds_are_the_menu_and_nothing_else() -> None:
    down = [("up", 1.0, True), ("down", 1.3, True)]
    up = [("down", 4.0, False), ("up", 4.1, False)]

    assert told(down, 1.3 + MENU_S + 0.001) == [Press("menu", long=True, at=1.3)]
    assert told(down + up, 9.0) == [Press("menu", long=True, at=1.3)]


def test_up_and_down_let_go_too_soon_are_nothing() -> None:
    edges = [("up", 1.0, True), ("down", 1.1, True), ("down", 2.5, False), ("up", 2.6, False)]

    assert told(edges, 9.0) == []


def test_after_the_menu_the_buttons_are_themselves_again() -> None:
    chord = [("up", 1.0, True), ("down", 1.0, True), ("down", 4.0, False), ("up", 4.0, False)]
    later = [("up", 5.0, True), ("up", 5.2, False)]

    assert told(chord + later, 9.0)[1:] == [Press("up", long=False, at=5.0)]


def test_back_leaves_the_menu_where_it_was_opened(session: Session) -> None:
    press(session, "menu")
    assert isinstance(session.mode, Menu)
    press(session, "back")
    assert session.mode == Table()


def test_the_language_changes_at_once(session: Session) -> None:
    press(session, "menu", "up", "ok")

    assert session.lang == "ko"
    assert page(session).head == "메뉴"


def test_another_game_can_be_chosen_and_the_old_one_is_a_press_away(session: Session) -> None:
    press(session, "menu", "down", "ok")
    assert isinstance(session.mode, Home)
    press(session, "back")

    assert session.mode == Table()
    assert session.game is not None
    assert session.game.header == TWO


def test_a_fix_that_the_menu_interrupts_is_given_up(session: Session) -> None:
    press(session, "ok", "back", "ok")
    before = session.table.state
    press(session, "back", "menu", "back")

    assert session.table.state == before
    assert session.mode == Table()


def test_a_look_that_the_menu_interrupts_is_not_waited_for(session: Session) -> None:
    press(session, "ok")
    assert isinstance(session.mode, Reading)
    press(session, "menu", "back")

    assert session.mode == Table()
