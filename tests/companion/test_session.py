"""One game at one table: presses and observations in, rulings, questions and record lines out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.draw import draw
from companion.entry import DONE, Question
from companion.events import Begin, Effect, Look, LookFailed, Record, Saw
from companion.modes import Amending, Choosing, Entering, Saying
from companion.pages import Page, page
from companion.presses import Press
from companion.reads import known, pieces
from companion.session import Session
from companion.text import LANGS, Lang, say
from companion.wording import answer_text
from engines import record, shelf
from engines.record import Header, Replay
from vision.complaint import say as say_complaint
from vision.mat.layout import layouts
from vision.observation import Complaint, Observation, Sighting

WITCH_RACE = Header("witch-race", ("Ana", "다은"), {})
BUTTONS = ("up", "down", "ok", "back")


def die(
    name: str | None,
    *others: tuple[str, float],
    at: tuple[float, float] = (100.0, 80.0),
    region: str | None = None,
    kind: Any = "die",  # noqa: ANN401 - a literal of vision's
) -> Sighting:
    return Sighting(kind, name, 0.9, others, "up", region, at, None, 0.0, (at[0] - 9, at[1] - 9, 18.0, 18.0))


def scene(
    *pieces: Sighting, sure: bool = True, mat: str | None = None, complaints: tuple[Complaint, ...] = ()
) -> Observation:
    return Observation((640, 480), mat, None, pieces, complaints, sure)


class Hand:
    """Somebody at the table: reads the page, presses a button; keeps the record as the journal would."""

    def __init__(self, header: Header | None = WITCH_RACE, lang: Lang = "en", names: tuple[str, ...] = ()) -> None:
        self.session = Session(lang, names, taught=lambda game: set(known(shelf.game(game))))
        self.lines: list[dict[str, Any]] = []
        self.request: int | None = None
        self.mirror: Replay | None = None
        if header is not None:
            self.take(self.session.begin(header))

    @property
    def page(self) -> Page:
        shown = page(self.session)
        draw(shown)
        return shown

    @property
    def words(self) -> str:
        return " ".join(self.page.body)

    def take(self, effects: list[Effect]) -> list[Effect]:
        for effect in effects:
            if isinstance(effect, Look):
                self.request = effect.request
            elif isinstance(effect, Begin):
                self.lines = [as_json(effect.header)]
                self.mirror = Replay(record.header(json.dumps(self.lines[0]).encode()))
            elif isinstance(effect, Record):
                for line in map(as_json, effect.lines):
                    self.lines.append(line)
                    assert self.mirror is not None
                    self.mirror.line(len(self.lines), json.dumps(line).encode())  # raises if it was refused
        return effects

    def press(self, button: str, *, long: bool = False) -> Page:
        self.take(self.session.handle(Press(button, long, 0.0)))
        return self.page

    def see(self, observation: Observation, evidence: str | None = None) -> Page:
        assert self.request is not None
        self.take(self.session.handle(Saw(self.request, observation, (None,) * len(observation.pieces), evidence)))
        return self.page

    def read(self, observation: Observation, evidence: str | None = None) -> Page:
        assert self.press("ok").kind == "reading"
        return self.see(observation, evidence)

    def choose(self, row: int) -> Page:
        """Move the cursor to an entry of the page the shorter way, then OK."""
        shown = self.page
        assert shown.chosen is not None
        steps = (row - shown.chosen) % len(shown.body)
        back = len(shown.body) - steps
        for _ in range(min(steps, back)):
            assert self.session.handle(Press("down" if steps <= back else "up", False, 0.0)) == []
        assert self.page.chosen == row
        return self.press("ok")

    def pick(self, value: object) -> Page:
        """Choose the one entry that says a value."""
        body, text = self.page.body, answer_text(self.session.speaker, value, self.session.lang)
        assert body.count(text) == 1
        return self.choose(body.index(text))

    def enter(self, **fields: object) -> Page:
        """Enter an input by hand from the table page, or from a page to enter it."""
        if self.page.kind == "table":
            self.press("ok")
        if self.page.kind == "reading":
            self.press("back")
        while self.page.kind == "enter":
            field = self.page.asks
            assert field is not None
            self.pick(fields[field])
        return self.page

    def rulings(self) -> list[str | None]:
        return [one.rule for step in self.session.table.steps[-1:] for one in step.rulings]


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - no secret


def as_json(line: dict[str, Any]) -> dict[str, Any]:
    return msgspec.json.decode(msgspec.json.encode(line))


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def after_roll() -> Hand:
    """Ana has rolled a 6 that the camera read; a witch is to be moved."""
    hand = Hand()
    hand.read(scene(die("6")), "six.jpg")
    return hand


def inputs(hand: Hand) -> list[tuple[str, ...]]:
    return [(str(line.get("input", "undo")), str(line.get("by"))) for line in hand.lines[1:]]


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_sure_reading_is_ruled_at_once_and_recorded_with_its_evidence(hand: Hand) -> None:
    shown = hand.read(scene(die("6")), "six.jpg")
    assert shown.kind == "table"
    line = {"input": "roll", "player": "Ana", "die": 6, "by": "camera", "evidence": "six.jpg"}
    assert hand.lines[1:] == [line | {"note": 'lain [["6",[100.0,80.0],null]]'}]
    assert "6" in hand.words
    assert "WR-2" in shown.clauses


def test_no_evidence_is_recorded_where_the_picture_has_no_name(hand: Hand) -> None:
    hand.read(scene(die("6")))
    assert "evidence" not in hand.lines[1]


@pytest.mark.parametrize(("button", "value"), [("up", 5), ("down", 6)])
def test_an_unsure_reading_asks_with_one_button_for_each_candidate(hand: Hand, button: str, value: int) -> None:
    shown = hand.read(scene(die("5", ("6", 0.3)), sure=False))
    assert (shown.kind, shown.candidates) == ("question", ("5", "6"))
    assert "5" in shown.body[0]
    assert "6" in shown.body[0]
    assert inputs(hand) == []
    assert hand.press(button).kind == "table"
    assert hand.lines[-1]["die"] == value


def test_a_question_can_be_answered_by_hand(hand: Hand) -> None:
    hand.read(scene(die("5", ("6", 0.3)), sure=False))
    assert hand.press("back").kind == "enter"
    hand.pick(2)
    assert hand.lines[-1] == {"input": "roll", "player": "Ana", "die": 2, "by": "buttons"}


def test_ok_on_a_question_answers_nothing(hand: Hand) -> None:
    hand.read(scene(die("5", ("6", 0.3)), sure=False))
    assert hand.press("ok").kind == "question"
    assert inputs(hand) == []


def test_of_more_than_two_candidates_the_two_best_are_asked(hand: Hand) -> None:
    shown = hand.read(scene(die("5", ("6", 0.2), ("3", 0.1)), sure=False))
    assert shown.candidates == ("5", "6")


def test_a_single_unsure_candidate_is_confirmed_or_looked_at_again(hand: Hand) -> None:
    shown = hand.read(scene(die("5", ("6", 0.001)), sure=False))
    assert (shown.kind, shown.candidates) == ("question", ("5",))
    asked = hand.request
    assert hand.press("down").kind == "reading"
    assert hand.request != asked
    hand.see(scene(die("5"), sure=False))
    hand.press("up")
    assert hand.lines[-1]["die"] == 5


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        (scene(), say("troubles.nothing", "en")),
        (scene(sure=False), say("troubles.nothing", "en")),
        (scene(die("5"), die("6", at=(300, 80))), say("troubles.too-many", "en", count=2)),
        (scene(die("6"), mat="hare-tortoise"), say("troubles.wrong-mat", "en")),
        (scene(die(None), sure=False), say("troubles.unread", "en")),
        (scene(die(None), complaints=(Complaint("cocked-die", (1, 1)),), sure=False), "cocked-die"),
        (scene(die("6"), complaints=(Complaint("touching", (1, 1)),), sure=False), "touching"),
        (scene(complaints=(Complaint("dark"),), sure=False), "dark"),
        (scene(complaints=(Complaint("glare"),), sure=False), "glare"),
        (scene(complaints=(Complaint("mat-partly-covered"),), sure=False), "mat-partly-covered"),
    ],
    ids=["none", "none for sure", "two", "other mat", "unread", "cocked", "touching", "dark", "glare", "covered"],
)
def test_what_is_in_the_way_is_said_and_ok_looks_again_and_back_goes_by_hand(
    hand: Hand, seen: Observation, says: str
) -> None:
    expected = says if " " in says else say_complaint(Complaint(says), "en")  # type: ignore[arg-type]
    shown = hand.read(seen)
    assert shown.kind == "trouble"
    assert expected in shown.body[0]
    assert inputs(hand) == []
    asked = hand.request
    assert hand.press("ok").kind == "reading"
    assert hand.request != asked
    hand.see(seen)
    assert hand.press("back").kind == "enter"
    hand.pick(4)
    assert inputs(hand) == [("roll", "buttons")]


@pytest.mark.parametrize("mat", [None, "witch-race", "dice-tray"])
def test_a_die_is_read_on_the_games_mat_in_the_dice_tray_and_on_a_bare_table(hand: Hand, mat: str | None) -> None:
    region = "dice" if mat == "witch-race" else None
    assert hand.read(scene(die("4", region=region), mat=mat)).kind == "table"
    assert hand.lines[-1]["die"] == 4


def test_a_die_elsewhere_on_the_mat_and_other_pieces_are_not_the_roll(hand: Hand) -> None:
    shown = hand.read(scene(die("4", region="discard"), die("x", kind="token", region="dice"), mat="witch-race"))
    assert shown.kind == "trouble"


@pytest.mark.parametrize("lang", LANGS)
def test_a_lost_camera_is_said_with_what_to_check_and_the_game_goes_on_by_hand(lang: Lang) -> None:
    hand = Hand(lang=lang)
    hand.press("ok")
    assert hand.request is not None
    hand.take(hand.session.handle(LookFailed(hand.request, "no-camera", "Cable out.")))
    assert hand.page.kind == "trouble"
    assert say("troubles.no-camera", lang) in hand.words
    hand.press("back")
    hand.pick(3)
    assert inputs(hand) == [("roll", "buttons")]


def test_while_the_camera_looks_back_goes_by_hand_and_the_answer_comes_too_late(hand: Hand) -> None:
    hand.press("ok")
    assert hand.press("ok").kind == "reading"
    assert hand.press("back").kind == "enter"
    assert hand.see(scene(die("6"))).kind == "enter"
    assert inputs(hand) == []


def test_an_answer_to_an_older_request_is_dropped(hand: Hand) -> None:
    hand.read(scene())
    old = hand.request
    hand.press("ok")
    assert old is not None
    assert hand.session.handle(Saw(old, scene(die("6")))) == []
    assert hand.session.handle(LookFailed(old, "moving")) == []
    assert hand.page.kind == "reading"
    assert hand.see(scene(die("2"))).kind == "table"
    assert hand.lines[-1]["die"] == 2


@pytest.mark.parametrize("mode", ["table", "why", "home"])
def test_an_answer_that_nobody_waits_for_changes_nothing(mode: str) -> None:
    hand = Hand(None if mode == "home" else WITCH_RACE)
    if mode == "why":
        hand.press("ok", long=True)
    before = hand.page
    assert hand.session.handle(Saw(1, scene(die("6")))) == []
    assert hand.page == before


def next_roll(hand: Hand) -> None:
    """Play on until the next player is to roll."""
    hand.enter(**{"from": 0})
    hand.enter(clan="forest", face=2)
    assert [one.input for one in hand.session.wanted()] == ["roll"]


def test_the_same_unmoved_die_is_not_a_new_roll(after_roll: Hand) -> None:
    next_roll(after_roll)
    shown = after_roll.read(scene(die("6", at=(102.0, 78.5))))
    assert shown.kind == "trouble"
    assert shown.body == (say("troubles.unmoved", "en"),)
    assert len(inputs(after_roll)) == 3


def test_a_die_that_was_handled_and_put_back_in_its_place_is_not_a_new_roll(after_roll: Hand) -> None:
    """Pressed while a hand covers it, while it is lifted, and once it lies there again; then it is thrown."""
    next_roll(after_roll)
    covered = scene(complaints=(Complaint("covered", (100.0, 80.0)),), sure=False)
    for seen in (covered, scene(), scene(die("6", at=(98.5, 81.5)))):
        assert after_roll.read(seen).kind == "trouble"
        after_roll.press("back")
        after_roll.press("back")
    assert len(inputs(after_roll)) == 3
    after_roll.read(scene(die("2", at=(160.0, 40.0))))
    assert len(inputs(after_roll)) == 4


@pytest.mark.parametrize("moved", [die("6", at=(140.0, 80.0)), die("5"), die("6", at=(100.0, 60.0))])
def test_a_die_that_moved_or_shows_another_face_is_a_new_roll(after_roll: Hand, moved: Sighting) -> None:
    next_roll(after_roll)
    assert after_roll.read(scene(moved)).kind == "table"
    assert len(inputs(after_roll)) == 4


def test_after_a_roll_was_taken_back_the_die_may_lie_as_it_lay(after_roll: Hand) -> None:
    after_roll.press("back", long=True)
    after_roll.press("ok")
    assert after_roll.read(scene(die("6"))).kind == "table"
    assert inputs(after_roll) == [("roll", "camera"), ("undo", "buttons"), ("roll", "camera")]


def test_a_reading_that_the_rules_refuse_is_said_with_its_clause_and_not_recorded() -> None:
    hand = Hand()
    hand.read(scene(die("9")))
    assert inputs(hand) == []
    assert hand.page.kind in ("trouble", "refusal")


# --- fixing and taking back -------------------------------------------------------------------------------------------


def test_back_fixes_the_last_input_with_an_undo_and_the_right_one_in_one_go(after_roll: Hand) -> None:
    shown = after_roll.press("back")
    assert (shown.kind, shown.asks) == ("enter", "die")
    assert after_roll.page.body[4] == "5"
    for _ in range(4):
        after_roll.press("down")
    effects = after_roll.take(after_roll.session.handle(Press("ok", False, 0.0)))
    assert len(effects) == 1
    assert [line.get("undo", line.get("die")) for line in after_roll.lines[1:]] == [6, True, 5]
    assert after_roll.page.kind == "table"
    assert len(after_roll.session.table.steps) == 1


def test_a_fix_that_is_given_up_restores_everything_and_records_nothing(after_roll: Hand) -> None:
    state, lines, shown = after_roll.session.table.state, list(after_roll.lines), after_roll.page
    after_roll.press("back")
    after_roll.press("down")
    assert after_roll.press("back") == shown
    assert after_roll.session.table.state == state
    assert after_roll.lines == lines
    assert len(after_roll.session.table.steps) == 1


def test_a_fix_of_several_answers_goes_back_answer_by_answer(after_roll: Hand) -> None:
    after_roll.enter(**{"from": 0})
    after_roll.enter(clan="forest", face=2)
    state = after_roll.session.table.state
    assert after_roll.press("back").asks == "clan"
    assert after_roll.pick("ice").asks == "face"
    assert after_roll.press("back").asks == "clan"
    assert after_roll.press("back").kind == "table"
    assert after_roll.session.table.state == state


def test_with_nothing_played_back_does_nothing(hand: Hand) -> None:
    shown = hand.page
    assert hand.press("back") == shown
    assert hand.press("back", long=True) == shown
    assert inputs(hand) == []


def test_long_back_asks_once_and_takes_the_last_input_back(after_roll: Hand) -> None:
    assert after_roll.press("back", long=True).kind == "take-back"
    assert inputs(after_roll) == [("roll", "camera")]
    assert after_roll.press("ok").kind == "table"
    assert inputs(after_roll) == [("roll", "camera"), ("undo", "buttons")]
    assert after_roll.session.table.steps == []


def test_take_back_answered_with_back_changes_nothing(after_roll: Hand) -> None:
    shown = after_roll.page
    after_roll.press("back", long=True)
    assert after_roll.press("back") == shown
    assert inputs(after_roll) == [("roll", "camera")]


def test_what_the_rules_refuse_is_not_offered_where_that_can_be_told(after_roll: Hand) -> None:
    after_roll.enter(**{"from": 0})
    after_roll.enter(clan="storm", face=10)  # own number: on to the next tile, which cannot be the same one
    after_roll.press("ok")
    after_roll.press("back")
    assert "10" not in after_roll.pick("storm").body
    after_roll.press("back")
    assert "10" in after_roll.pick("ice").body


def test_a_long_press_of_back_while_fixing_leaves_the_record_as_it_was(after_roll: Hand) -> None:
    after_roll.press("back")
    after_roll.press("back", long=True)
    assert inputs(after_roll) == [("roll", "camera")]
    assert len(after_roll.session.table.steps) == 1


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_why_cites_the_clause_of_every_ruling_in_full(lang: Lang) -> None:
    hand = Hand(lang=lang)
    for answers in ({"die": 6}, {"from": 0}, {"clan": "storm", "face": 10}, {"clan": "ice", "face": "sign"}):
        hand.enter(**answers)
        shown = hand.press("ok", long=True)
        assert shown.kind == "why"
        clauses = [rule for rule in hand.rulings() if rule]
        assert clauses
        for rule in clauses:
            assert rule in shown.clauses
            assert any(row.startswith(rule) and hand.session.speaker.clause(rule) in row for row in shown.body)
        assert hand.press("back").kind == "table"


def test_why_before_the_first_input_tells_how_the_table_is_laid(hand: Hand) -> None:
    assert "WR-1" in hand.press("ok", long=True).clauses


def test_the_log_has_the_newest_first(after_roll: Hand) -> None:
    after_roll.enter(**{"from": 0})
    rows = after_roll.press("up").body
    assert after_roll.page.kind == "log"
    assert "rolled 6" in rows[-1]
    assert after_roll.press("back").kind == "table"


def test_an_empty_log_says_so(hand: Hand) -> None:
    assert hand.press("up").body == (say("told.empty-log", "en"),)


def test_scrolling_stops_at_the_ends_so_that_the_way_back_is_as_short(after_roll: Hand) -> None:
    after_roll.press("ok", long=True)
    tops = [after_roll.press("down").top for _ in range(50)]
    assert after_roll.press("up").top == tops[-1] - 1
    assert after_roll.press("up", long=True).top == 0
    assert after_roll.press("down", long=True).top == tops[-1]


@pytest.mark.parametrize("lang", LANGS)
def test_after_a_restart_the_table_is_asked_whether_it_is_still_like_this(after_roll: Hand, lang: Lang) -> None:
    session = Session(lang)
    assert after_roll.mirror is not None
    session.resume(after_roll.mirror)
    shown = page(session)
    assert shown.kind == "still"
    assert "6" in " ".join(shown.body)
    session.handle(Press("ok", False, 0.0))
    assert page(session).kind == "table"
    assert page(session).body == shown.body[: len(page(session).body)]


def test_back_after_a_restart_opens_the_history(after_roll: Hand) -> None:
    session = Session("en")
    assert after_roll.mirror is not None
    session.resume(after_roll.mirror)
    session.handle(Press("back", False, 0.0))
    assert page(session).kind == "log"
    session.handle(Press("back", False, 0.0))
    assert page(session).kind == "table"


def test_a_notice_is_shown_before_anything_else_and_once(hand: Hand) -> None:
    shown = hand.page
    hand.session.tell("The last line was cut off.")
    assert (hand.page.kind, hand.page.body) == ("notice", ("The last line was cut off.",))
    assert hand.press("ok") == shown


def test_a_notice_leaves_the_cursor_of_the_shelf_where_it_is() -> None:
    hand = Hand(None)
    hand.session.tell("A file was set aside.")
    hand.press("ok")
    assert (hand.page.kind, hand.page.chosen) == ("home", 0)
    assert hand.press("ok").head == say("pages.count", "en")


def test_unsaved_stands_as_a_sign_on_every_page(after_roll: Hand) -> None:
    after_roll.session.unsaved = "Not saved: disk full"
    for presses in ([], ["up"], ["back"], ["back"], ["ok"]):
        for button in presses:
            after_roll.press(button)
        assert "unsaved" in after_roll.page.signs
    after_roll.session.unsaved = None
    assert after_roll.page.signs == ()


# --- the end ----------------------------------------------------------------------------------------------------------


def play_out(hand: Hand, dice: Random) -> None:
    """Play to the end by hand, always with an answer that the page offers."""
    for _ in range(3000):
        shown = hand.page
        if not hand.session.wanted():
            return
        if shown.kind in ("table", "choose"):
            hand.press("ok")
        elif shown.kind == "reading":
            hand.press("back")
        elif shown.kind == "enter":
            hand.choose(dice.randrange(len(shown.body)))
        else:
            hand.press("back")
    raise AssertionError("the game does not end")


@pytest.fixture(scope="module", params=LANGS)
def over(request: pytest.FixtureRequest) -> Hand:
    hand = Hand(lang=request.param)
    play_out(hand, seeded(7))
    return hand


def test_a_whole_game_can_be_played_with_nothing_but_the_buttons(over: Hand) -> None:
    assert over.mirror is not None
    assert over.mirror.state == over.session.table.state
    assert {by for _, by in inputs(over)} == {"buttons"}


def test_the_page_at_the_end_has_the_winner_first_then_the_last_move(over: Hand) -> None:
    rulings = over.session.table.steps[-1].rulings
    speaker = over.session.speaker
    told = [line for one in rulings if (line := speaker.short(one)) is not None]
    assert rulings[-1].kind in ("wins", "win-shared")
    assert over.page.head == say("pages.over", over.session.lang)
    assert list(over.page.body) == [told[-1], *told[:-1]]


def test_ok_at_the_end_begins_a_new_game_with_the_same_players() -> None:
    hand = Hand(Header("witch-race", ("Ana", "다은"), {"start_player": "다은"}))
    play_out(hand, seeded(3))
    old = hand.lines
    hand.press("ok")
    assert hand.lines == [old[0]]
    assert hand.session.table.steps == []
    assert hand.page.kind == "table"


def test_the_last_input_can_be_taken_back_after_the_end() -> None:
    hand = Hand()
    play_out(hand, seeded(5))
    hand.press("back", long=True)
    hand.press("ok")
    assert hand.session.wanted()
    assert hand.lines[-1]["undo"] is True


# --- setting up -------------------------------------------------------------------------------------------------------

OPTIONS = [(game, name) for game in shelf.ids() for name in shelf.game(game).rules.Options.__struct_encode_fields__]


def at_options(game: str, number: int, lang: Lang = "en", names: tuple[str, ...] = ()) -> Hand:
    hand = Hand(None, lang, names)
    hand.choose(shelf.ids().index(game))
    hand.choose(list(shelf.game(game).rules.PLAYERS).index(number))
    return hand


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("game", "number"), [(g, n) for g in shelf.ids() for n in shelf.game(g).rules.PLAYERS])
def test_every_game_begins_by_buttons_with_every_number_of_players(game: str, number: int, lang: Lang) -> None:
    hand = at_options(game, number, lang)
    if game == "hare-tortoise":
        assert hand.page.chosen == 2  # what has no default is asked first
        hand.press("ok")
        hand.choose(0)
        hand.choose(3)
    shown = hand.choose(0)
    assert shown.kind == "table"
    assert hand.session.table.header.game == game
    assert len(set(hand.session.table.header.players)) == number
    assert all(shown.head for shown in (shown, hand.press("ok")))


def test_a_required_option_that_is_left_out_is_said_and_asked_for_again() -> None:
    hand = at_options("hare-tortoise", 2)
    shown = hand.choose(0)
    assert shown.kind in ("trouble", "refusal")
    assert "streams" in hand.words
    assert hand.press("ok").kind == "setup"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_every_option_of_every_game_is_set_by_buttons(game: str, option: str, lang: Lang) -> None:
    """Whatever is answered, the game begins with it, or what is wrong with it is said and setting up goes on."""
    fields = shelf.game(game).rules.Options.__struct_encode_fields__
    for seed in range(6):
        hand = at_options(game, shelf.game(game).rules.PLAYERS[0] + 1, lang)
        dice = seeded(seed)
        rows = len(hand.page.body)
        assert rows == 2 + len(fields)
        if game == "hare-tortoise" and option != "streams":
            hand.press("ok")
            hand.choose(0)
            hand.choose(3)
        hand.choose(2 + fields.index(option))
        for _ in range(40):
            if len(hand.page.body) == rows and hand.page.body[0] == say("pages.begin", lang):
                break
            hand.choose(dice.randrange(len(hand.page.body)))
        shown = hand.choose(0)
        if shown.kind == "table":
            chosen = hand.session.table.header.options
            assert set(chosen) <= {option, "streams"}
        else:
            assert shown.kind in ("trouble", "refusal")
            assert option in hand.words
            assert hand.press("back").kind == "setup"


def test_an_option_is_shown_with_its_value_and_set_back_to_its_default() -> None:
    hand = at_options("witch-race", 2)
    row = 2 + ["clans", "start_player", "foreign_sign"].index("start_player")
    before = hand.page.body
    hand.choose(row)
    hand.choose(2)
    assert hand.page.body[row] != before[row]
    assert hand.page.chosen == 0
    hand.choose(row)
    hand.choose(0)
    assert hand.page.body == before


def test_back_goes_back_page_by_page_to_the_shelf() -> None:
    hand = at_options("witch-race", 2)
    hand.choose(2)
    heads = [hand.press("back").head for _ in range(3)]
    assert heads == ["Witch Race", say("pages.count", "en"), say("pages.home", "en")]


def test_the_names_that_the_table_is_known_by_are_used_in_seat_order() -> None:
    hand = at_options("witch-race", 3, names=("Ana", "다은"))
    hand.choose(0)
    assert hand.session.table.header.players == ("Ana", "다은", "Red")


def test_up_from_the_first_entry_goes_to_the_last_and_a_long_press_to_the_ends() -> None:
    hand = Hand(None)
    last = len(shelf.ids()) - 1
    assert hand.press("up").chosen == last
    assert hand.press("down").chosen == 0
    assert hand.press("down", long=True).chosen == last
    assert hand.press("up", long=True).chosen == 0


# --- recorded games, entered by hand ----------------------------------------------------------------------------------

RECORDS = sorted(Path(__file__).parents[1].glob("engines/*/*.jsonl"))


def parts_of(question: Question, line: dict[str, Any]) -> list[object]:
    """The entries to pick, one after another, so that a question is answered as a line of a record has it."""
    value = line.get(question.field, msgspec.UNSET)
    if question.key is not None:
        value = value[question.key]
    if question.form == "one":
        return [value]
    if question.form == "parts":
        return str(value).split(":")
    picks = [name for name, count in value.items() for _ in range(count)] if question.form == "counts" else list(value)
    return picks if len(picks) == question.most else [*picks, DONE]


def enter_line(hand: Hand, line: dict[str, Any]) -> None:
    """Give a line of a record with the buttons alone."""
    if "undo" in line:
        hand.press("back", long=True)
        hand.press("ok")
        return
    shown = hand.press("ok")
    wanted = hand.session.wanted()
    giver = [one.who in (None, line.get("chosen_by", line.get(one.role or ""))) for one in wanted]
    rows = [row for row, one in enumerate(wanted) if one.input == line["input"] and giver[row]]
    if shown.kind == "choose":
        shown = hand.choose(rows[0])
    if shown.kind == "reading":
        hand.press("back")
    while isinstance(hand.session.mode, Entering):
        for one in parts_of(hand.session.mode.form.questions[0], line):
            hand.pick(one)
    assert hand.page.kind == "table", hand.words


def by_hand(path: Path, most: int) -> None:
    first, *rest = path.read_bytes().splitlines()
    hand = Hand(record.header(first), lang="ko" if "many" in path.stem else "en")
    truth = Replay(record.header(first))
    for number, line in enumerate(rest[:most], 2):
        truth.line(number, line)
        enter_line(hand, json.loads(line))
        assert hand.session.table.state == truth.state, line
        check(hand)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_beginning_of_recorded_games_can_be_entered_with_four_buttons(path: Path) -> None:
    by_hand(path, 5)


@pytest.mark.slow
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_whole_recorded_games_can_be_entered_with_four_buttons(path: Path) -> None:
    by_hand(path, 10_000)


# --- at random --------------------------------------------------------------------------------------------------------


def random_scene(dice: Random) -> Observation:
    faces = [str(n) for n in range(1, 7)]

    def piece() -> Sighting:
        name = dice.choice([*faces, *faces, None, "9", "joker"])
        others = tuple((face, dice.random()) for face in dice.sample(faces, dice.randint(0, 3)))
        return die(name, *others, at=(dice.choice((100.0, 103.0, 200.0)), 80.0), region=dice.choice((None, "dice")))

    mat = dice.choice((None, None, "witch-race", "dice-tray", "hare-tortoise"))
    found = [piece() for _ in range(dice.choice((0, 1, 1, 1, 1, 2)))]
    return scene(*found, sure=dice.random() < 0.5, mat=mat, complaints=random_complaints(dice))


def random_complaints(dice: Random) -> tuple[Complaint, ...]:
    kinds = ("cocked-die", "touching", "dark", "outside", "blurred", "unknown-piece", "glare")
    count = dice.choice((0, 0, 0, 0, 0, 1, 2))
    return tuple(Complaint(dice.choice(kinds), dice.choice((None, (50.0, 50.0)))) for _ in range(count))  # type: ignore[arg-type]


def random_mat(game: shelf.Game, dice: Random) -> Observation:
    """A mat of this game with pieces of its own, sure or not, up or down, some in odd places."""
    (layout,) = [one for one in layouts() if one.name == game.table("table")["mat"]]
    names = [(kind, name) for kind, many in pieces(game).items() for name in dice.sample(many, min(3, len(many)))]

    def piece() -> Sighting:
        kind, name = dice.choice(names)
        others = tuple((dice.choice(names)[1], dice.random() / 2) for _ in range(dice.choice((0, 0, 0, 1, 2))))
        region = dice.choice([None, *[one.name for one in layout.regions] * 3])
        at = (float(dice.randrange(640)), float(dice.randrange(480)))
        face_up = dice.random() < 0.95
        made = die(name if face_up else None, *others, at=at, region=region, kind=kind)
        return replace(made, face="up" if face_up else "down", confidence=dice.choice((0.999, 0.7)))

    found = [piece() for _ in range(dice.choice((0, 1, 1, 2, 3, 6)))]
    return scene(*found, sure=dice.random() < 0.5, mat=layout.name, complaints=random_complaints(dice))


def fixing(hand: Hand) -> bool:
    """Whether a step is taken back in memory, and not in the record, until it was entered anew."""
    mode = hand.session.mode
    return any(
        isinstance(one, Entering | Amending | Choosing) and one.fixing is not None
        for one in (mode, *((mode.again, mode.by_hand) if isinstance(mode, Saying) else ()))
    )


def check(hand: Hand) -> None:
    """What is recorded gives the very state that is shown."""
    if hand.session.game is None or fixing(hand):
        return
    assert hand.mirror is not None
    assert hand.mirror.state == hand.session.table.state
    assert [step.input for step in hand.mirror.steps] == [step.input for step in hand.session.table.steps]


def press_at_random(hand: Hand, dice: Random, presses: int) -> None:
    for _ in range(presses):
        if hand.page.kind == "reading" and dice.random() < 0.7:
            own = dice.random() < 0.7
            seen = random_mat(hand.session.table.game, dice) if own else random_scene(dice)
            hand.see(seen, dice.choice((None, "a.jpg")))
        elif hand.page.kind == "reading" and dice.random() < 0.2:
            assert hand.request is not None
            hand.take(hand.session.handle(LookFailed(hand.request, dice.choice(("moving", "no-camera")), "?")))
        else:
            button = dice.choices(BUTTONS, (2, 4, 6, 1))[0]
            hand.press(button, long=dice.random() < 0.1)
        check(hand)


HEADERS = [
    WITCH_RACE,
    Header("witch-race", ("a", "b", "c", "d"), {}),
    Header("dark-horse", ("Ana", "다은", "c"), {}),
    Header("ghost-hunters", ("Ana", "다은"), {"mode": "advanced"}),
    Header("hare-tortoise", ("Ana", "다은"), {"streams": [4, 8]}),
    Header("horror-race", ("Ana", "다은", "c"), {"jokers": True, "deduction": True}),
    None,
]


@pytest.mark.parametrize("header", HEADERS, ids=lambda one: one.game + str(len(one.players)) if one else "shelf")
@given(dice=st.integers(0, 2**32 - 1).map(Random), lang=st.sampled_from(LANGS))
@settings(max_examples=4, deadline=None)
def test_whatever_is_pressed_nothing_raises_and_the_record_is_the_game(
    header: Header | None, dice: Random, lang: Lang
) -> None:
    press_at_random(Hand(header, lang), dice, 60)
