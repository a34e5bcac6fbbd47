"""The log, taking several inputs back, the standings: what has been, at the press of a button."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.events import Record
from companion.modes import Log, Table, TakeBack
from companion.pages import page
from companion.presses import Press
from companion.session import Session
from companion.text import LANGS, Lang
from engines import record
from engines.record import Replay

RECORDS = sorted(Path(__file__).parents[1].glob("engines/*/*.jsonl"))
WITCHES = next(path for path in RECORDS if path.parent.name == "witch_race")


def played(path: Path, lines: int | None = None, lang: Lang = "en") -> Session:
    first, *rest = path.read_bytes().splitlines()
    game = Replay(record.header(first))
    for number, line in enumerate(rest[:lines], 2):
        game.line(number, line)
    session = Session(lang)
    session.resume(game)
    session.mode = Table()
    return session


def press(session: Session, *buttons: str) -> list[Any]:
    """Press buttons one after another, in capitals long; gives the effects of the last."""
    done: list[Any] = []
    for button in buttons:
        done = session.handle(Press(button.lower(), button.isupper(), 0.0))
    return done


def test_the_log_has_a_line_an_input_the_newest_first() -> None:
    session = played(WITCHES, 12)
    press(session, "up")
    shown = page(session)
    assert (shown.kind, len(shown.body), shown.chosen) == ("log", len(session.table.steps), 0)
    assert shown.body[0] == session.speaker.short(session.table.steps[-1].rulings[0])


def test_an_input_of_the_log_tells_all_that_it_led_to() -> None:
    session = played(WITCHES, 12)
    press(session, "up", "down", "ok")
    shown = page(session)
    step = session.table.steps[-2]
    assert shown.kind == "past"
    assert len(shown.body) == len(step.rulings)
    assert set(shown.clauses) == {one.rule for one in step.rulings if one.rule}
    press(session, "back")
    assert session.mode == Log(1)


def test_the_game_goes_back_to_before_an_input_of_the_log_after_asking_once() -> None:
    session = played(WITCHES, 12)
    before = session.table.steps[-3].before
    press(session, "up", "down", "down", "ok")
    assert press(session, "ok") == []
    assert session.mode == TakeBack(3)
    assert page(session).head == "Take 3 back?"
    assert press(session, "ok") == [Record(({"undo": True, "by": "buttons"},) * 3)]
    assert session.table.state == before
    assert session.mode == Table()


def test_taking_back_can_be_thought_better_of() -> None:
    session = played(WITCHES, 12)
    state = session.table.state
    press(session, "up", "ok", "ok")
    assert press(session, "back") == []
    assert (session.mode, session.table.state) == (Table(), state)


def test_an_empty_log_says_so_and_is_left_again() -> None:
    session = played(WITCHES, 0)
    press(session, "up")
    assert page(session).body == ("Nothing yet.",)
    press(session, "ok")
    assert session.mode == Table()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("lang", LANGS)
def test_every_game_tells_how_it_stands_after_every_input(path: Path, lang: Lang) -> None:
    session = played(path, 0, lang)
    for number, line in enumerate(path.read_bytes().splitlines()[1:], 2):
        session.table.line(number, line)
        session.mode = Table()
        for _ in range(200):
            if (shown := page(session)).kind == "standings":
                break
            press(session, "down")
        assert shown.kind == "standings"
        assert all(shown.body)
        assert shown.body


def test_numbers_stand_in_order_the_most_first() -> None:
    session = played(next(path for path in RECORDS if path.stem == "four-players"), 20)
    garnets = session.table.game.rules.view(session.table.state)["garnets"]
    body = session.speaker.standings(session.table.game.rules.view(session.table.state))
    ranked = sorted(garnets, key=lambda name: -garnets[name])
    assert [line.partition(":")[0] for line in body[: len(garnets)]] == ranked


def test_at_the_end_the_winner_then_the_points_then_what_decided() -> None:
    path = next(path for path in RECORDS if path.parent.name == "hare_tortoise" and "many" in path.stem)
    session = played(path)
    while page(session).kind != "standings":
        press(session, "down")
    body = page(session).body
    assert body[0] == "shared: Ana, 민수"
    assert body[1:6] == ("Ana: 5", "민수: 5", "Eve: 5", "Cid 7: 2", "다은: 0")
    assert body[6] == "best bet: Ana, 민수"
    assert "HT-20" in page(session).clauses
