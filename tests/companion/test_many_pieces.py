"""Readings of several pieces at the table: ruled, asked piece by piece, filled up by hand, put right by hand."""

from __future__ import annotations

from typing import Any

import pytest

from companion.draw import draw
from companion.events import Effect, Look, Record, Saw
from companion.pages import Page, page
from companion.presses import Press
from companion.reads import known
from companion.session import Session
from companion.text import LANGS, Lang, say
from engines import shelf
from engines.core import Json
from engines.record import Header
from vision.observation import Complaint, Observation, Sighting

HARES = Header("hare-tortoise", ("Ana", "Bo"), {"streams": [4, 8]})
HORSES = Header("dark-horse", ("Ana", "Bo"), {})
HORROR = Header("horror-race", ("Ana", "Bo", "Cem", "Dee", "Eva", "Fay"), {"jokers": True})
CUT = (b"\x00" * 8, 8, 8)


class Table:
    """A table with a camera and buttons: what is pressed and seen, and the lines that are recorded."""

    def __init__(self, header: Header, lang: Lang = "en") -> None:
        self.session = Session(lang, taught=lambda name: set(known(shelf.game(name))))
        self.lines: list[dict[str, Json]] = []
        self._request = 0
        self._take(self.session.begin(header))

    def _take(self, effects: list[Effect]) -> Page:
        for effect in effects:
            if isinstance(effect, Look):
                self._request = effect.request
            elif isinstance(effect, Record):
                self.lines += effect.lines
        draw(self.page)
        return self.page

    @property
    def page(self) -> Page:
        return page(self.session)

    def press(self, *buttons: str) -> Page:
        for button in buttons:
            self._take(self.session.handle(Press(button, long=False, at=0.0)))
        return self.page

    def see(self, *pieces: Sighting, sure: bool = True, complaints: tuple[Complaint, ...] = ()) -> Page:
        """Show pieces on the game's mat to the camera; each has a cut-out of its own."""
        mat = self.session.table.game.table("table")["mat"]
        corners = ((0.0, 0.0), (420.0, 0.0), (420.0, 297.0), (0.0, 297.0))
        scene = Observation((1280, 720), mat, corners, pieces, complaints, sure)
        cuts = tuple((bytes([number] * 8), 8, 8) for number in range(len(pieces)))
        return self._take(self.session.handle(Saw(self._request, scene, cuts, "a.jpg")))

    def read(self, *pieces: Sighting, sure: bool = True) -> Page:
        assert self.press("ok").kind == "reading"
        return self.see(*pieces, sure=sure)

    def choose(self, text: str) -> Page:
        """Move the cursor to the entry that says this, and take it."""
        while self.page.chosen != self.page.body.index(text):
            self.press("down")
        return self.press("ok")


def piece(kind: Any, name: str, region: str, *others: tuple[str, float], at: int = 0) -> Sighting:  # noqa: ANN401
    place = (30.0 + 25 * (at % 12), 60.0 + 40 * (at // 12))
    return Sighting(kind, name, 0.6 if others else 0.999, others, "up", region, place, place, 0.0, (*place, 9.0, 9.0))


def cards(*names: str, start: int = 0) -> list[Sighting]:
    return [piece("card", name, "cards", at=start + at) for at, name in enumerate(names)]


def tokens(*laid: tuple[str, str, int]) -> list[Sighting]:
    every = [(zone, name) for zone, name, number in laid for _ in range(number)]
    return [piece("token", name, f"zone-{zone}", at=at) for at, (zone, name) in enumerate(every)]


SIX_TURNS = (("1", "gumiho", 6), ("2", "mummy", 6), ("4", "zombie", 6))


@pytest.fixture
def hares() -> Table:
    return Table(HARES)


@pytest.fixture
def horror() -> Table:
    return Table(HORROR)


def test_several_sure_pieces_are_ruled_at_once_and_the_page_says_what_was_seen(hares: Table) -> None:
    shown = hares.read(*cards("hare", "hare"))
    assert shown.kind == "table"
    assert "seen: hare 2" in shown.body
    (line,) = hares.lines
    assert line.items() >= {"player": "Ana", "cards": ["hare", "hare"], "by": "camera", "evidence": "a.jpg"}.items()
    assert str(line["note"]).startswith('lain [["hare",')


def test_the_next_player_lays_beside_what_lies_there(hares: Table) -> None:
    hares.read(*cards("hare", "hare"))
    hares.read(*cards("hare", "hare", "fox"))
    assert hares.lines[-1].items() >= {"player": "Bo", "cards": ["fox"], "by": "camera", "evidence": "a.jpg"}.items()
    assert hares.read(*cards("hare", "hare", "fox")).kind == "trouble"
    assert say("troubles.nothing-new", "en") in hares.page.body[0]


def test_a_card_that_was_taken_away_is_missed_by_name(hares: Table) -> None:
    hares.read(*cards("hare"))
    shown = hares.read(*cards("fox"))
    assert (shown.kind, shown.body) == ("trouble", (say("troubles.vanished", "en", names="hare"),))


def test_a_card_in_another_field_is_sent_to_its_own_by_the_name_that_is_printed_there() -> None:
    table = Table(HORSES)
    table.session.table.carry_out(2, {"input": "line", "order": [1, 2, 3, 4, 5, 6, 7]})
    table.press("ok")
    table.choose("Ana: play a card")
    assert "Move it to: Action card." in table.see(piece("card", "fall", "tickets")).body[0]


@pytest.mark.parametrize(("button", "laid"), [("up", ["hare", "hare"]), ("down", ["hare"])])
def test_one_piece_of_several_is_asked_about_with_its_number_and_cut_out(button: str, laid: list[str]) -> None:
    table = Table(Header("hare-tortoise", ("Ana", "Bo"), {"streams": [4, 8]}))
    table.read(*cards("hare"))
    seen = [*cards("hare", "fox"), piece("card", "fox", "cards", ("back", 0.4), at=2)]
    shown = table.read(*seen, sure=False)
    assert (shown.kind, shown.candidates) == ("question", ("fox", "back"))
    assert shown.body[0] == "Piece 3 of 3"
    assert shown.picture == (bytes([2] * 8), 8, 8)
    table.press(button)
    assert table.lines[-1]["cards"] == ["fox"] * len(laid)


@pytest.mark.parametrize("lang", LANGS)
def test_the_longest_names_of_candidates_stand_beside_their_buttons(lang: Lang) -> None:
    table = Table(HORSES, lang)
    table.session.table.carry_out(2, {"input": "line", "order": [1, 2, 3, 4, 5, 6, 7]})
    table.press("ok", "down", "ok")
    shown = table.see(piece("card", "rank:4,6:~2", "action", ("rank:4,6:~3", 0.4)), sure=False)
    assert (shown.kind, shown.candidates) == ("question", ("rank:4,6:~2", "rank:4,6:~3"))
    assert [row[0] for row in shown.body] == ["▲", "▼"]
    assert table.press("down").asks == "direction"


def test_hr_3_each_joker_is_asked_for_its_character_by_a_list(horror: Table) -> None:
    laid = tokens(("1", "gumiho", 5), ("1", "joker", 1), ("2", "mummy", 6), ("4", "zombie", 5), ("4", "joker", 1))
    shown = horror.read(*laid)
    assert (shown.kind, shown.head) == ("which", "Piece 6 of 18")
    assert shown.picture == (bytes([5] * 8), 8, 8)
    assert horror.choose("joker (mummy)").head == "Piece 18 of 18"
    assert horror.choose("joker (zombie)").kind == "table"
    assert horror.lines[-1]["zones"] == {
        "1": {"gumiho": 5, "joker:mummy": 1},
        "2": {"mummy": 6},
        "4": {"zombie": 5, "joker:zombie": 1},
    }


def test_hr_22_a_joker_that_was_not_asked_about_yet_is_told_as_a_joker() -> None:
    table = Table(Header(HORROR.game, HORROR.players, {}))
    shown = table.read(*tokens(("1", "gumiho", 5), ("1", "joker", 1), ("2", "mummy", 6), ("4", "zombie", 6)))
    assert "I see: 1: gumiho 5, joker 1 / 2: mummy 6 / 4: zombie 6." in shown.body[0]


def test_dh_9_what_a_card_does_not_tell_is_asked_and_the_reading_stays_the_cameras() -> None:
    table = Table(HORSES)
    table.session.table.carry_out(2, {"input": "line", "order": [1, 2, 3, 4, 5, 6, 7]})
    table.press("ok")
    table.choose("Ana: play a card")
    shown = table.see(piece("card", "animal:4:~1", "action"))
    assert (shown.kind, shown.asks) == ("enter", "direction")
    assert table.choose("backward").kind == "table"
    given = {"input": "play", "player": "Ana", "card": "animal:4:~1", "direction": "backward", "by": "camera"}
    assert table.lines[-1].items() >= given.items()


def test_hr_22_what_can_not_be_is_refused_with_what_was_seen_and_put_right_from_there(horror: Table) -> None:
    shown = horror.read(*tokens(("1", "gumiho", 7), ("2", "mummy", 5), ("4", "zombie", 6)))
    assert (shown.kind, shown.clauses) == ("refusal", ("HR-22",))
    assert "I see: 1: gumiho 7 / 2: mummy 5 / 4: zombie 6." in shown.body[0]
    shown = horror.press("back")
    assert shown.kind == "amend"
    assert shown.body == ("- done -", "1: gumiho 7", "2: mummy 5", "4: zombie 6", "+ one more")
    horror.choose("1: gumiho 7")
    assert horror.choose("mummy").body[:3] == ("- done -", "1: gumiho 6", "1: mummy 1")
    assert horror.choose("- done -").asks == "passed"
    horror.choose("none")
    line = horror.lines[-1]
    assert line["zones"] == {"1": {"gumiho": 6, "mummy": 1}, "2": {"mummy": 5}, "4": {"zombie": 6}}
    assert line["by"] == "buttons"


def test_a_piece_is_taken_away_or_added_by_hand_with_its_place(horror: Table) -> None:
    horror.read(*tokens(("1", "gumiho", 7), ("2", "mummy", 5), ("4", "zombie", 6)))
    horror.press("back")
    horror.choose("1: gumiho 7")
    assert horror.choose("not there").body[1] == "1: gumiho 6"
    assert horror.choose("+ one more").body == ("1", "2", "4")
    horror.choose("2")
    assert "2: vampire 1" in horror.choose("vampire").body


def test_back_from_changing_a_piece_leaves_it_and_back_again_leaves_the_page(hares: Table) -> None:
    hares.read(*cards("hare", "fox"))
    hares.press("back")
    hares.choose("hare 1")
    assert hares.press("back").body == ("- done -", "hare 1", "fox 1", "+ one more")
    assert hares.press("back").kind == "table"
    assert hares.lines == []


def test_the_fix_of_several_pieces_begins_with_what_was_read(hares: Table) -> None:
    hares.read(*cards("hare", "hare"))
    state = hares.session.table.state
    assert hares.press("back").body == ("- done -", "hare 2", "+ one more")
    assert hares.choose("- done -").kind == "table"
    assert hares.session.table.state == state
    assert len(hares.lines) == 1

    hares.press("back")
    hares.choose("hare 2")
    hares.choose("not there")
    assert hares.choose("- done -").kind == "table"
    assert hares.lines[1:] == [
        {"undo": True, "by": "buttons", "note": "fix"},
        {"input": "play", "player": "Ana", "cards": ["hare"], "by": "buttons"},
    ]


def test_a_fix_that_the_rules_refuse_comes_back_to_the_pieces(hares: Table) -> None:
    hares.read(*cards("hare", "hare"))
    hares.press("back")
    hares.choose("hare 2")
    hares.choose("fox")
    assert hares.choose("- done -").kind == "refusal"
    assert hares.press("back").body == ("- done -", "hare 1", "fox 1", "+ one more")
    assert len(hares.lines) == 1


def test_with_too_many_doubts_the_reading_is_looked_through_by_hand(horror: Table) -> None:
    laid = tokens(*SIX_TURNS)
    doubted = [piece("token", one.name or "", one.region or "", ("vampire", 0.4), at=at) for at, one in enumerate(laid)]
    shown = horror.read(*doubted, sure=False)
    assert (shown.kind, shown.body) == ("trouble", (say("troubles.unsure-many", "en", count=18),))
    assert horror.press("back").body == ("- done -", "1: gumiho 6", "2: mummy 6", "4: zombie 6", "+ one more")
    assert horror.choose("- done -").asks == "passed"


def test_wr_10_where_no_card_lies_none_is_the_answer_at_hand() -> None:
    table = Table(Header("witch-race", ("Ana", "Bo"), {}))
    for line in (
        {"input": "roll", "player": "Ana", "die": 3},
        {"input": "move", "player": "Ana", "from": 0},
        {"input": "tile", "clan": "storm", "face": "sign"},
    ):
        table.session.table.carry_out(2, line)
    assert table.read().body == (say("troubles.nothing", "en"),)
    shown = table.press("back")
    assert shown.body[shown.chosen or 0] == "none"
    table.press("ok")
    assert table.lines == [{"input": "decide", "clan": "storm", "card": None, "by": "buttons"}]


def test_after_a_take_back_the_pieces_may_lie_as_they_lay(hares: Table) -> None:
    hares.read(*cards("hare", "hare"))
    hares.session.handle(Press("back", long=True, at=0.0))
    hares.press("ok")
    assert hares.read(*cards("hare", "hare")).kind == "table"
    assert [line.get("cards", "undo") for line in hares.lines] == [["hare", "hare"], "undo", ["hare", "hare"]]


def test_pieces_that_nobody_taught_are_entered_by_hand_without_a_look() -> None:
    session = Session("en")
    session.begin(HARES)
    assert say("keys.enter", "en") in page(session).foot
    session.handle(Press("ok", long=False, at=0.0))
    assert page(session).kind == "enter"


@pytest.mark.parametrize("lang", LANGS)
def test_every_trouble_is_said_in_both_languages(lang: Lang) -> None:
    table = Table(HARES, lang)
    table.read(*cards("hare"))
    for seen in ([], cards("hare"), cards("fox"), cards("hare", "hare", "fox"), cards("hare", *["fox"] * 5)):
        table.press("ok")
        shown = table.see(*seen)
        assert shown.kind in ("trouble", "refusal")
        assert "{" not in shown.body[0]
