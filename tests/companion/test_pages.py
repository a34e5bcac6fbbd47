"""What the OLED shows: golden pictures, and what must hold for every page.

After a change that is meant, draw the golden pictures anew and look at them:
``COMPANION_GOLDEN=write python -m pytest tests/companion/test_pages.py -k golden``
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from companion import pages
from companion.cutout import SIDE, cut_out, whole
from companion.draw import BODY_LINES, body_lines, draw, fits, last_top
from companion.events import Examined, LookFailed, Saw
from companion.letters import shorten, width, wrap
from companion.menu import OPTIONAL
from companion.modes import Table
from companion.pages import Page, goodbye, hello, page
from companion.presses import Press, Stuck
from companion.reads import known
from companion.session import Session
from companion.text import LANGS, Lang, own_text, say
from engines import record, shelf
from engines.record import Header, Replay
from vision.observation import Complaint, Observation, Sighting

GOLDEN = Path(__file__).with_name("golden")
RECORDS = sorted(Path(__file__).parents[1].glob("engines/*/*.jsonl"))
ROOM = 124
"""Pixels of a line: 128 without the two outer columns at either side."""
NAMES = {
    "short": ("Ana", "다은", "Bo", "c", "민수", "d", "e"),
    "eight": ("Mathilda", "다은이네집사람", "Wolfgang", "Beatrice", "민수네고양이둘", "Jonathan", "Klemens1"),
    "long": ("Maximiliane Meier", "다은이네집의첫째딸이요", "Bartholomew J.", "W" * 24, "d" * 20, "e" * 15, "f" * 12),
}


def die(name: str | None, *others: tuple[str, float], at: tuple[float, float] = (100.0, 80.0)) -> Sighting:
    return Sighting("die", name, 0.9, others, "up", None, at, None, 0.0, (at[0] - 9, at[1] - 9, 18.0, 18.0))


def seen(*pieces: Sighting, sure: bool = True, complaints: tuple[Complaint, ...] = ()) -> Observation:
    return Observation((640, 480), None, None, pieces, complaints, sure)


def begun(lang: Lang, header: Header | None = None) -> Session:
    session = Session(lang)
    names = ("다은", "민수") if lang == "ko" else ("Ana", "Bo")
    session.begin(header or Header("witch-race", names, {}))
    return session


def press(session: Session, *buttons: str) -> Session:
    """Press buttons one after another; in capitals: long."""
    for button in buttons:
        session.handle(Press(button.lower(), button.isupper(), 0.0))
    return session


def see(session: Session, observation: Observation, cut: tuple[bytes, int, int] | None = None) -> Session:
    press(session, "ok")
    session.handle(Saw(session._requests, observation, (cut,)))
    return session


def a_die() -> tuple[bytes, int, int]:
    """A cut-out of a drawn die that shows five."""
    picture = np.full((60, 60, 3), 40, np.uint8)
    picture[12:48, 12:48] = 220
    for x, y in ((20, 20), (40, 20), (30, 30), (20, 40), (40, 40)):
        picture[y - 3 : y + 3, x - 3 : x + 3] = 20
    cut = cut_out(picture, (12, 12, 36, 36))
    assert cut is not None
    return cut


def rolled(lang: Lang) -> Session:
    return see(begun(lang), seen(die("6")))


def decided(lang: Lang) -> Session:
    """A foreign sign: somebody else decides."""
    return press(rolled(lang), "ok", "ok", "ok", "down", "ok", "UP", "DOWN", "ok")


def unsaved(session: Session) -> Session:
    session.unsaved = say("notices.unsaved", session.lang, reason="No space left on device")
    return session


def resumed(lang: Lang) -> Session:
    session = Session(lang)
    session.resume(rolled(lang).table)
    return session


def noticed(lang: Lang) -> Session:
    session = resumed(lang)
    session.tell(say("notices.torn", lang))
    return session


def lost(lang: Lang) -> Session:
    session = press(begun(lang), "ok")
    session.handle(LookFailed(session._requests, "no-camera", ""))
    return session


def played(lang: Lang, path: Path, lines: int | None = None) -> Session:
    first, *rest = path.read_bytes().splitlines()
    game = Replay(record.header(first))
    for number, line in enumerate(rest[:lines], 2):
        game.line(number, line)
    session = Session(lang)
    session.resume(game)
    return press(session, "ok")


def able(session: Session) -> Session:
    """A machine with everything that there can be."""
    session.can = OPTIONAL
    session.address = "192.168.0.17"
    return session


def examined(session: Session) -> Session:
    session.handle(Examined(("ok Python: 3.11.2", "warn Voltage: too low now -> use a better supply")))
    return session


def stand(session: Session) -> Session:
    """Press DOWN until there is nothing more to scroll, and once more."""
    while page(session).kind != "standings":
        press(session, "down")
    return session


def overseen(lang: Lang) -> Session:
    """A table with three drawn dice on it, of which two were found."""
    picture = np.full((480, 640, 3), 60, np.uint8)
    boxes = [(100, 80, 90, 90), (300, 250, 90, 90), (480, 100, 90, 90)]
    for x, y, wide, high in boxes:
        picture[y : y + high, x : x + wide] = 230
    session = press(begun(lang), "ok")
    session.handle(Saw(session._requests, seen(die("6")), (None,), None, whole(picture, boxes[:2])))
    return session


def stuck(lang: Lang) -> Session:
    session = rolled(lang)
    session.handle(Stuck("back", 0.0))
    return session


def with_jokers(lang: Lang) -> Session:
    """Six players of Horror Race with all tokens taught, and the table being read."""
    session = Session(lang, taught=lambda name: set(known(shelf.game(name))))
    names = (
        ("다은", "민수", "하나", "두리", "세찬", "나래") if lang == "ko" else ("Ana", "Bo", "Cem", "Dee", "Eva", "Fay")
    )
    session.begin(Header("horror-race", names, {"jokers": True}))
    return press(session, "ok")


def tokens(session: Session, zones: dict[str, dict[str, int]], *unsure: tuple[str, float]) -> Session:
    """Lay tokens and see them; the last one is unsure where it has other names."""
    laid = [(zone, name) for zone, lie in zones.items() for name, number in lie.items() for _ in range(number)]
    places = [(30.0 + 15 * at, 60.0) for at in range(len(laid))]
    found = [
        Sighting("token", name, 0.999, (), "up", f"zone-{zone}", place, place, 0.0, (*place, 9.0, 9.0))
        for (zone, name), place in zip(laid, places, strict=True)
    ]
    if unsure:
        found[-1] = replace(found[-1], confidence=0.6, alternatives=unsure)
    corners = ((0.0, 0.0), (420.0, 0.0), (420.0, 297.0), (0.0, 297.0))
    scene = Observation((640, 480), "horror-race", corners, tuple(found), (), not unsure)
    session.handle(Saw(session._requests, scene, (a_die(),) * len(found)))
    return session


LAID = {"1": {"gumiho": 6}, "2": {"mummy": 6}, "4": {"zombie": 3, "vampire": 3}}
JOKER = {**LAID, "4": {"zombie": 5, "joker": 1}}
SEVEN = {**LAID, "1": {"gumiho": 7}, "2": {"mummy": 5}}
WITCHES = next(path for path in RECORDS if path.parent.name == "witch_race")
HORRORS = next(path for path in RECORDS if path.stem == "four-players")
HARES = next(path for path in RECORDS if path.parent.name == "hare_tortoise" and "many" in path.stem)
UNSURE = seen(die("5", ("6", 0.3)), sure=False)
COCKED = seen(die(None), sure=False, complaints=(Complaint("cocked-die", (1, 1)),))

SCENES: dict[str, Callable[[Lang], Session]] = {
    "shelf": Session,
    "players": lambda lang: press(Session(lang), "up", "ok"),
    "options": lambda lang: press(Session(lang), "up", "ok", "ok", "down", "down", "down"),
    "option": lambda lang: press(Session(lang), "up", "ok", "ok", "down", "down", "down", "ok", "down"),
    "begin": begun,
    "reading": lambda lang: press(begun(lang), "ok"),
    "question": lambda lang: see(begun(lang), UNSURE, a_die()),
    "is-it": lambda lang: see(begun(lang), seen(die("5"), sure=False), a_die()),
    "is-it-of-many": lambda lang: tokens(with_jokers(lang), LAID, ("zombie", 0.4)),
    "which": lambda lang: press(tokens(with_jokers(lang), JOKER), "down"),
    "cannot-be": lambda lang: tokens(with_jokers(lang), SEVEN),
    "amend": lambda lang: press(tokens(with_jokers(lang), SEVEN), "back", "down"),
    "amend-piece": lambda lang: press(tokens(with_jokers(lang), SEVEN), "back", "down", "ok", "down"),
    "ruled-many": lambda lang: press(tokens(with_jokers(lang), LAID), "DOWN"),
    "cocked": lambda lang: see(begun(lang), COCKED),
    "no-camera": lost,
    "by-hand": lambda lang: press(begun(lang), "ok", "back", "down", "down"),
    "rolled": rolled,
    "rolled-seen": lambda lang: see(begun(lang), seen(die("5")), a_die()),
    "move": lambda lang: press(rolled(lang), "ok"),
    "tile": lambda lang: press(rolled(lang), "ok", "ok", "ok", "ok"),
    "face": lambda lang: press(rolled(lang), "ok", "ok", "ok", "ok", "DOWN"),
    "decide": decided,
    "why": lambda lang: press(decided(lang), "OK"),
    "why-scrolled": lambda lang: press(decided(lang), "OK", "DOWN"),
    "log": lambda lang: press(played(lang, WITCHES, 30), "up"),
    "take-back": lambda lang: press(rolled(lang), "BACK"),
    "still": resumed,
    "notice": noticed,
    "seats": lambda lang: press(Session(lang, NAMES["short"][:3]), "up", "ok", "ok", "down", "ok", "down"),
    "naming": lambda lang: press(Session(lang, NAMES["short"][:3]), "up", "ok", "ok", "down", "ok", "down", "ok"),
    "past": lambda lang: press(played(lang, WITCHES, 30), "up", "down", "ok"),
    "take-back-two": lambda lang: press(played(lang, WITCHES, 30), "up", "down", "ok", "ok"),
    "standings": lambda lang: stand(played(lang, HORRORS, 20)),
    "standings-over": lambda lang: stand(played(lang, HARES)),
    "overview": lambda lang: press(overseen(lang), "OK", "ok"),
    "menu": lambda lang: press(able(rolled(lang)), "MENU", "DOWN", "up", "up", "up"),
    "about": lambda lang: press(able(rolled(lang)), "MENU", "DOWN", "up", "ok"),
    "doctor": lambda lang: examined(press(able(rolled(lang)), "MENU", "DOWN", "up", "up", "ok")),
    "power-off": lambda lang: press(able(rolled(lang)), "MENU", "DOWN", "ok"),
    "stuck": stuck,
    "unsaved": lambda lang: unsaved(rolled(lang)),
    "over": lambda lang: played(lang, WITCHES),
}


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("lang", LANGS)
def test_golden_picture(scene: str, lang: Lang) -> None:
    drawn = draw(page(SCENES[scene](lang)))
    assert (drawn.mode, drawn.size) == ("1", (128, 64))
    path = GOLDEN / f"{scene}-{lang}.png"
    if os.environ.get("COMPANION_GOLDEN") == "write":
        drawn.save(path, optimize=True)
    with Image.open(path) as golden:
        assert same(drawn, golden.convert("1")), f"not as in {path.name}: see this file's first lines"


def test_every_golden_picture_is_compared() -> None:
    assert sorted(path.stem for path in GOLDEN.iterdir()) == sorted(f"{s}-{lang}" for s in SCENES for lang in LANGS)


@pytest.mark.parametrize("lang", LANGS)
def test_each_scene_shows_another_picture(lang: Lang) -> None:
    drawn = {scene: draw(page(make(lang))).tobytes() for scene, make in SCENES.items()}
    assert len(set(drawn.values())) == len(drawn)


# --- every page of many games -----------------------------------------------------------------------------------------


def renamed(path: Path, names: tuple[str, ...]) -> list[bytes]:
    """A recorded game with other players."""
    text = path.read_text(encoding="utf-8")
    old = json.loads(text.splitlines()[0])["players"]
    for seat, name in enumerate(old):
        text = text.replace(json.dumps(name, ensure_ascii=False), f"@{seat}@")
    for seat, name in enumerate(names[: len(old)]):
        text = text.replace(f"@{seat}@", json.dumps(name, ensure_ascii=False))
    return text.encode().splitlines()


def sessions(path: Path, lang: Lang, names: str = "short") -> Iterator[Session]:
    """A recorded game seen after every line."""
    first, *rest = renamed(path, NAMES[names])
    session = Session(lang)
    session.resume(Replay(record.header(first)))
    press(session, "ok")
    yield session
    for number, line in enumerate(rest, 2):
        session.table.line(number, line)
        yield session


def columns_with_ink(image: Image.Image) -> set[int]:
    return set(np.flatnonzero(np.asarray(image).any(axis=0)).tolist())


games = pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")


@games
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("names", NAMES)
def test_every_prompt_fits_its_line_whoever_is_on_turn(path: Path, lang: Lang, names: str) -> None:
    too_wide = set()
    for session in sessions(path, lang, names):
        heads = [page(session).head]
        if len(session.wanted()) > 1:
            heads += page(press(session, "ok")).body
            press(session, "back")
        too_wide |= {head for head in heads if width(head) > ROOM}
    assert too_wide == set()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("foot", own_text()["foots"])
def test_every_foot_fits_its_line(foot: str, lang: Lang) -> None:
    for face in range(1, 7):  # what is asked about so far: a die
        assert fits(Page("", "", (), say(f"foots.{foot}", lang, first=face, second=face)))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("key", [key for key in own_text()["pages"] if key != "option"])
def test_every_word_of_a_head_or_an_entry_fits_its_line(key: str, lang: Lang) -> None:
    assert width(say(f"pages.{key}", lang, first=6, second=6, number=36, count=36)) <= ROOM


@games
@pytest.mark.parametrize("lang", LANGS)
def test_no_page_of_a_game_has_ink_in_the_outer_columns(path: Path, lang: Lang) -> None:
    inked: set[int] = set()
    for number, session in enumerate(sessions(path, lang, "long")):
        shown = page(session)
        inked |= columns_with_ink(draw(shown))
        if number % 5 == 0:  # now and then the pages around it
            for buttons in (("OK",), ("up",), ("BACK",)):
                inked |= columns_with_ink(draw(page(press(session, *buttons))))
                press(session, "back")
            assert page(session).kind == "table"
    assert not inked & {0, 1, 126, 127}


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("saved", [True, False])
def test_no_scene_has_ink_in_the_outer_columns(scene: str, lang: Lang, saved: bool) -> None:  # noqa: FBT001
    session = SCENES[scene](lang)
    drawn = draw(page(session if saved else unsaved(session)))
    assert not columns_with_ink(drawn) & {0, 1, 126, 127}


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("lang", LANGS)
def test_every_foot_and_head_stands_whole(scene: str, lang: Lang) -> None:
    shown = page(SCENES[scene](lang))
    assert width(shown.head) <= ROOM
    assert shown.foot
    assert fits(shown)


def lines_shown(session: Session) -> set[int]:
    """The body lines that can be seen by pressing DOWN again and again."""
    reached: set[int] = set()
    for _ in range(400):
        shown = page(session)
        first = min(shown.top, last_top(shown))
        if set(range(first, first + BODY_LINES)) <= reached:
            return reached
        reached |= set(range(first, first + BODY_LINES))
        press(session, "down")
    raise AssertionError("the page scrolls without end")


UNSCROLLED = ("question", "is-it", "why-scrolled")
SCROLLING = [name for name in SCENES if name not in UNSCROLLED and page(SCENES[name]("en")).chosen is None]


@pytest.mark.parametrize("scene", SCROLLING)
@pytest.mark.parametrize("lang", LANGS)
def test_every_line_of_a_body_can_be_scrolled_into_view(scene: str, lang: Lang) -> None:
    session = SCENES[scene](lang)
    count = len(body_lines(page(session)))
    assert set(range(count)) <= lines_shown(session)


@games
@pytest.mark.parametrize("lang", LANGS)
def test_every_line_of_every_ruling_can_be_scrolled_into_view(path: Path, lang: Lang) -> None:
    for session in sessions(path, lang):
        count = len(body_lines(page(session)))
        assert set(range(count)) <= lines_shown(session)
        session.mode = Table()


@pytest.mark.parametrize("scene", ["question", "is-it"])
@pytest.mark.parametrize("lang", LANGS)
def test_a_question_is_seen_at_once(scene: str, lang: Lang) -> None:
    shown = page(SCENES[scene](lang))
    assert len(body_lines(shown)) <= BODY_LINES
    assert shown.picture is not None
    assert shown.picture[1:] == (SIDE, SIDE)


def inverted(image: Image.Image) -> bool:
    """Whether a block of light as high as a letter stands in the body: the entry under the cursor."""
    lit = np.asarray(image)[13:52]
    return any(lit[y : y + 11, x : x + 2].all() for y in range(lit.shape[0] - 10) for x in range(2, 125))


CHOICES = [scene for scene, make in SCENES.items() if page(make("en")).chosen is not None]


@pytest.mark.parametrize("scene", CHOICES)
@pytest.mark.parametrize("lang", LANGS)
def test_the_entry_under_the_cursor_is_always_in_view_and_each_looks_different(scene: str, lang: Lang) -> None:
    session = SCENES[scene](lang)
    pictures = []
    for _ in page(session).body:
        drawn = draw(page(session))
        assert inverted(drawn)
        pictures.append(drawn.tobytes())
        press(session, "down")
    assert len(set(pictures)) == len(pictures)
    assert draw(page(session)).tobytes() == pictures[0]


@given(
    st.lists(st.text("가나다 abcW…→1", min_size=1, max_size=30).filter(str.strip), min_size=1, max_size=40),
    st.integers(0, 39),
)
@settings(max_examples=60, deadline=None)
def test_the_chosen_entry_of_any_list_is_in_view(body: list[str], chosen: int) -> None:
    assert inverted(draw(Page("enter", "head", tuple(body), "foot", chosen=chosen % len(body))))


@given(st.text("가나다은 abcWil…→1", max_size=80), st.integers(12, ROOM))
@settings(max_examples=200, deadline=None)
def test_wrapping_loses_no_letter_and_no_line_is_too_wide(text: str, room: int) -> None:
    lines = wrap(text, room)
    assert all(width(line) <= room for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.text("가나다은 abcWil…→1", max_size=40), st.integers(12, ROOM))
@settings(max_examples=200, deadline=None)
def test_only_what_does_not_fit_is_shortened(text: str, room: int) -> None:
    short = shorten(text, room)
    assert width(short) <= room
    assert short == text if width(text) <= room else short.endswith("…")


def test_a_body_longer_than_the_page_says_that_there_is_more() -> None:
    def marked(shown: Page) -> bool:
        return bool(np.asarray(draw(shown))[50:53, 121:126].any())

    body = tuple("abcdefgh")
    assert marked(Page("why", "", body, ""))
    assert not marked(Page("why", "", body, "", top=len(body) - BODY_LINES))
    assert not marked(Page("why", "", body[:BODY_LINES], ""))


def test_a_page_scrolled_too_far_shows_its_end() -> None:
    body = tuple("abcdefgh")
    end = draw(Page("why", "", body, "", top=len(body) - BODY_LINES))
    assert same(draw(Page("why", "", body, "", top=10_000)), end)


@pytest.mark.parametrize("lang", LANGS)
def test_hello_and_goodbye_fit(lang: Lang) -> None:
    for shown in (hello(lang), goodbye(Session(lang))):
        assert len(body_lines(shown)) <= BODY_LINES
        assert width(shown.head) <= ROOM


def test_every_letter_that_a_sentence_of_ours_uses_is_in_the_font() -> None:
    """A letter that the font does not have is drawn as its box for missing ones."""
    missing = draw(Page("", "\uf8fe", (), "")).tobytes()
    tables: list[dict[str, Any]] = [own_text(), shelf.shared_text()]
    tables += [shelf.game(game).table(name) for game in shelf.ids() for name in ("text", "clauses")]
    letters = set(json.dumps(tables, ensure_ascii=False)) - {" "}
    assert [letter for letter in sorted(letters) if draw(Page("", letter, (), "")).tobytes() == missing] == []


@pytest.mark.parametrize(
    "box", [(10, 10, 20, 20), (0, 0, 5, 5), (55, 55, 20, 20), (-10, -10, 20, 20), (0, 0, 60, 60), (20, 20, 1, 30)]
)
def test_a_cut_out_has_the_size_of_three_lines(box: tuple[float, float, float, float]) -> None:
    picture = np.random.default_rng(1).integers(0, 255, (60, 60, 3), np.uint8)
    cut = cut_out(picture, box)
    assert cut is not None
    bits, wide, high = cut
    assert (wide, high) == (SIDE, SIDE)
    assert Image.frombytes("1", (wide, high), bits).getbbox() is not None


@pytest.mark.parametrize("box", [(100, 100, 5, 5), (-50, 10, 5, 5)])
def test_a_box_outside_of_the_picture_gives_no_cut_out(box: tuple[float, float, float, float]) -> None:
    assert cut_out(np.zeros((60, 60, 3), np.uint8), box) is None


@pytest.mark.parametrize("lang", LANGS)
def test_candidates_too_long_for_the_last_line_stand_above_it_whole(lang: Lang) -> None:
    session = see(begun(lang), UNSURE, a_die())
    words = ["forest with a sign", "storm with a sign"]
    shown = pages._is_it(session, words, (), "")
    assert shown.body == ("▲ forest with a sign", "▼ storm with a sign")
    assert fits(shown)
    assert [shown.offers(button) is not None for button in ("up", "down", "back")] == [True] * 3
