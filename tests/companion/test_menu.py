"""UP and DOWN held together are the menu, and the menu never costs a game."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from companion import menu, names
from companion.address import own_address
from companion.draw import draw
from companion.events import Effect, Examine, Examined, Keep, SwitchOff, Warned
from companion.machine import Machine, run
from companion.modes import Home, Menu, Reading, Table
from companion.pages import page
from companion.presses import MENU_S, Press, Presses, Stuck
from companion.qr import code
from companion.session import Session
from companion.settings import ADDRESS_LENGTH, Settings, load, save
from engines.record import Header

TWO = Header("witch-race", ("Ana", "Bo"), {})


def told(edges: list[tuple[str, float, bool]], until: float) -> list[Press | Stuck]:
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


def press(session: Session, *buttons: str) -> list[Effect]:
    """Press buttons, in capitals long; gives what the last one does."""
    done: list[Effect] = []
    for button in buttons:
        done = session.handle(Press(button.lower(), button == "menu" or button.isupper(), 0.0))
    return done


def open_entry(session: Session, entry: str) -> list[Effect]:
    """Open the menu and choose an entry."""
    press(session, "menu")
    for _ in range(menu.entries(session).index(entry)):
        press(session, "down")
    return press(session, "ok")


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
    press(session, "menu", "down", "down", "ok")

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


def able(session: Session) -> Session:
    session.can = menu.OPTIONAL
    return session


def test_the_menu_offers_what_the_machine_can_do(session: Session) -> None:
    assert menu.entries(session) == ("go-on", "another", "language", "about")
    assert menu.entries(able(session)) == menu.ENTRIES


@pytest.mark.parametrize("entry", ["language", "sound", "lamp"])
def test_what_people_like_changes_at_once_and_is_kept(session: Session, entry: str) -> None:
    before = Keep(session.lang, session.sound, session.lamp)
    (keep,) = open_entry(able(session), entry)
    assert isinstance(keep, Keep)
    assert keep != before
    assert keep == Keep(session.lang, session.sound, session.lamp)
    assert isinstance(session.mode, Menu)


def test_the_sound_goes_round_off_quiet_and_loud(session: Session) -> None:
    open_entry(able(session), "sound")
    heard = [session.sound]
    for _ in range(2):
        press(session, "ok")
        heard.append(session.sound)
    assert heard == ["loud", "off", "quiet"]


def test_likes_are_kept_in_the_settings_and_nothing_else_changes(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    save(path, Settings("ko", ("다은",), address="here"))
    assert Machine(Settings(), path, tmp_path).keep(Keep("en", "loud", lamp=False)) == ""
    assert load(path).settings == Settings("en", ("다은",), sound="loud", lamp=False, address="here")


def test_likes_that_cannot_be_kept_are_said(tmp_path: Path) -> None:
    path = tmp_path / "file" / "settings.toml"
    path.parent.write_text("no folder")
    trouble = Machine(Settings(), path, tmp_path).keep(Keep("en", "loud", lamp=False))
    assert trouble.startswith("Not kept for next time: ")
    assert str(path) in trouble


def test_after_a_careful_start_the_settings_are_left_alone(tmp_path: Path) -> None:
    assert Machine(Settings(), None, tmp_path).keep(Keep("en", "loud", lamp=False)) == ""
    assert list(tmp_path.iterdir()) == []


# --- switching off ----------------------------------------------------------------------------------------------------


def test_only_holding_ok_on_its_own_page_switches_off(session: Session) -> None:
    assert open_entry(able(session), "power-off") == []
    assert page(session).kind == "power-off"
    for button in ("ok", "up", "down", "read"):
        assert SwitchOff() not in press(session, button)
        session.mode = Table()
        open_entry(session, "power-off")
    assert press(session, "OK") == [SwitchOff()]


def test_back_does_not_switch_off(session: Session) -> None:
    open_entry(able(session), "power-off")
    assert press(session, "back", "back") == []
    assert session.mode == Table()


@given(st.integers(0, 2**32 - 1).map(Random))
@settings(max_examples=100, deadline=None)
def test_a_child_that_mashes_the_buttons_does_not_switch_off(dice: Random) -> None:
    """The menu takes two buttons held for two seconds: no button pressed by itself, however long, opens it."""
    session = able(Session("en"))
    session.begin(TWO)
    for _ in range(200):
        done = session.handle(Press(dice.choice(("up", "down", "ok", "back", "read")), dice.random() < 0.5, 0.0))
        assert SwitchOff() not in done


def test_systemd_is_asked_to_switch_off_and_its_refusal_is_told(tmp_path: Path) -> None:
    asked: list[Sequence[str]] = []

    def refuse(command: Sequence[str]) -> str:
        asked.append(command)
        return "Access denied"

    machine = Machine(Settings(), None, tmp_path, run=refuse)
    assert machine.switch_off("en").startswith("It cannot be switched off from here: Access denied")
    assert asked == [("systemctl", "poweroff")]
    assert Machine(Settings(), None, tmp_path, run=lambda _: "").switch_off("ko") == ""


@pytest.mark.parametrize(
    ("command", "said"),
    [(("true",), ""), (("false",), "false ended with 1."), (("sh", "-c", "echo 'no  way' >&2; exit 1"), "no way")],
)
def test_a_command_that_fails_says_why(command: tuple[str, ...], said: str) -> None:
    assert run(command) == said


def test_a_command_that_is_not_there_is_said() -> None:
    assert run(("no-such-command-here",)).startswith("no-such-command-here: ")


# --- about, the doctor ------------------------------------------------------------------------------------------------


def read_back(drawn: Image.Image) -> str:
    """Read the QR code of a page as a phone sees it: larger, with the room's dark around the panel."""
    grey = np.asarray(drawn.convert("L").resize((128 * 8, 64 * 8), Image.Resampling.NEAREST))
    return str(cv2.QRCodeDetector().detectAndDecode(np.pad(grey, 40))[0])


@pytest.mark.parametrize("address", ["192.168.100.155", "https://example.org/table", "x" * ADDRESS_LENGTH])
def test_the_page_about_has_the_address_as_a_code_that_can_be_read(session: Session, address: str) -> None:
    session.address = address
    open_entry(session, "about")
    assert address in page(session).body
    assert read_back(draw(page(session))) == address


def test_an_address_too_long_for_the_screen_has_no_code() -> None:
    assert code("x" * 300) is None


def test_the_own_address_is_four_numbers_or_none() -> None:
    address = own_address()
    assert address == "" or [part.isdigit() for part in address.split(".")] == [True] * 4


def test_the_doctor_looks_and_then_tells(session: Session) -> None:
    assert open_entry(able(session), "doctor") == [Examine()]
    assert page(session).body == ("Looking at everything ...",)
    session.handle(Examined(("ok Python: 3.11", "FAIL Pins: gone")))
    assert page(session).body == ("ok Python: 3.11", "FAIL Pins: gone")
    assert isinstance(press_back(session), Menu)


def press_back(session: Session) -> object:
    press(session, "back")
    return session.mode


def test_findings_that_nobody_waits_for_are_dropped(session: Session) -> None:
    session.handle(Examined(("ok Python: 3.11",)))
    assert session.mode == Table()


def test_the_doctor_tells_of_the_machine_a_line_a_check(tmp_path: Path) -> None:
    found = Machine(Settings(), None, tmp_path).examine("en")
    assert any("Python" in line for line in found)
    assert all(line == " ".join(line.split()) for line in found)


def test_a_device_s_own_sentence_is_a_notice(session: Session) -> None:
    session.handle(Warned("The lamp cannot use GPIO6."))
    assert page(session).body == ("The lamp cannot use GPIO6.",)
    press(session, "ok")
    assert session.mode == Table()


# --- names ------------------------------------------------------------------------------------------------------------


def header_of(*players: str) -> bytes:
    names = ", ".join(f'"{name}"' for name in players)
    return f'{{"record": 1, "game": "witch-race", "players": [{names}], "options": {{}}}}\n'.encode()


def test_whoever_played_last_sits_first_and_nobody_twice(tmp_path: Path) -> None:
    (tmp_path / "0001-witch-race.jsonl").write_bytes(header_of("Ana", "Bo"))
    (tmp_path / "0002-witch-race.jsonl").write_bytes(header_of("다은", "Ana"))
    (tmp_path / "0003-witch-race.jsonl").write_bytes(b"no record")
    (tmp_path / "0004-witch-race.jsonl").write_bytes(b"")
    assert names.remembered(tmp_path, ("Zoe", "Bo")) == ("다은", "Ana", "Bo", "Zoe")
    assert names.remembered(tmp_path / "nowhere", ("Zoe",)) == ("Zoe",)


def test_a_name_is_given_to_a_seat_and_who_sat_there_changes_places() -> None:
    session = Session("en", ("Ana", "Bo", "Cid"))
    press(session, "up", "ok", "ok", "down", "ok")
    assert page(session).kind == "seats"
    press(session, "ok", "down", "ok")  # the first seat: one name further down
    assert page(session).body[:2] == ("1. Bo", "2. Ana")
    press(session, "ok", "down", "down", "ok")
    assert page(session).body[:2] == ("1. Bo", "2. Cid")
    press(session, "ok", "ok")
    assert session.table.header.players == ("Bo", "Cid")
    assert session.names[:2] == ("Bo", "Cid")


def test_without_any_name_the_seats_have_colours() -> None:
    session = Session("ko")
    press(session, "up", "ok", "ok", "ok")
    assert session.table.header.players == ("빨강", "파랑")
