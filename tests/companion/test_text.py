"""Words: Korean particles, and every sentence of the application and of every game in both languages."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.text import LANGS, Lang, Speaker, fill, own_text, refusal, say, with_particle
from engines import record, shelf
from engines.core import Ruling
from engines.record import Replay

RECORDS = sorted(Path(__file__).parents[1].glob("engines/*/*.jsonl"))
PAIRS = ("이/가", "은/는", "을/를", "과/와", "이에요/예요", "이라서/라서")


# --- particles --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "pair", "joined"),
    [
        ("다은", "이/가", "다은이"), ("민수", "이/가", "민수가"), ("다은", "은/는", "다은은"),
        ("민수", "은/는", "민수는"),
        ("다은", "을/를", "다은을"), ("민수", "을/를", "민수를"), ("다은", "으로/로", "다은으로"),
        ("민수", "으로/로", "민수로"), ("하늘", "으로/로", "하늘로"), ("하늘", "이/가", "하늘이"),
        ("칼", "을/를", "칼을"),
        ("숲", "이에요/예요", "숲이에요"), ("얼음", "과/와", "얼음과"), ("토끼", "과/와", "토끼와"),
        ("뚫", "으로/로", "뚫으로"), ("값", "은/는", "값은"), ("힣", "이/가", "힣이"), ("가", "이/가", "가가"),
    ],
)  # fmt: skip
def test_a_particle_follows_the_last_syllable(word: str, pair: str, joined: str) -> None:
    assert with_particle(word, pair) == joined


READ_ALOUD = {
    "0": "영",
    "1": "일",
    "2": "이",
    "3": "삼",
    "4": "사",
    "5": "오",
    "6": "육",
    "7": "칠",
    "8": "팔",
    "9": "구",
}
NAMES_OF_LETTERS = """에이 비 씨 디 이 에프 지 에이치 아이 제이 케이 엘 엠
엔 오 피 큐 알 에스 티 유 브이 더블유 엑스 와이 제트"""
LETTERS = dict(zip(string.ascii_lowercase, NAMES_OF_LETTERS.split(), strict=True))


@pytest.mark.parametrize("pair", [*PAIRS, "으로/로"])
@pytest.mark.parametrize("sign", [*READ_ALOUD, *LETTERS, *string.ascii_uppercase])
def test_a_digit_or_letter_takes_the_particle_of_its_korean_name(sign: str, pair: str) -> None:
    spoken = READ_ALOUD.get(sign) or LETTERS[sign.lower()]
    assert with_particle(sign, pair)[1:] == with_particle(spoken, pair)[len(spoken) :]


@pytest.mark.parametrize(
    ("number", "spoken"),
    [
        (10, "십"),
        (11, "십일"),
        (20, "이십"),
        (27, "이십칠"),
        (30, "삼십"),
        (48, "사십팔"),
        (51, "오십일"),
        (100, "백"),
        (-3, "삼"),
    ],
)
@pytest.mark.parametrize("pair", [*PAIRS, "으로/로"])
def test_a_number_takes_the_particle_of_its_last_word(number: int, spoken: str, pair: str) -> None:
    text = str(number)
    assert with_particle(text, pair)[len(text) :] == with_particle(spoken, pair)[len(spoken) :]


@pytest.mark.parametrize("tail", [")", "!", "…", ".", "»", " ", "'", ") ", "👑"])
@pytest.mark.parametrize(
    ("word", "particle"), [("다은", "이"), ("민수", "가"), ("Bo (3", "이"), ("Ana (2", "가"), ("7", "이")]
)
def test_signs_at_the_end_are_not_read(word: str, particle: str, tail: str) -> None:
    assert with_particle(word + tail, "이/가") == word + tail + particle


@pytest.mark.parametrize("word", ["", "…", "()", "👑", "漢"])
def test_what_cannot_be_read_takes_the_open_form(word: str) -> None:
    assert with_particle(word, "이/가") == word + "가"


@given(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3))
def test_every_syllable_takes_the_particle_that_its_letters_ask_for(syllable: str) -> None:
    jamo = unicodedata.normalize("NFD", syllable)
    closed, rieul = len(jamo) == 3, jamo[-1] == "\u11af"
    assert with_particle(syllable, "은/는") == syllable + ("은" if closed else "는")
    assert with_particle(syllable, "으로/로") == syllable + ("으로" if closed and not rieul else "로")


def test_a_list_of_names_takes_the_particle_of_its_last() -> None:
    assert fill("{winners!l:이/가}", {"winners": ["다은", "민수"]}, "ko", {}) == "다은·민수가"
    assert fill("{winners!l}", {"winners": ["Ana", "Bo"]}, "en", {}) == "Ana, Bo"


def test_a_word_is_looked_up_before_its_particle() -> None:
    words = {"ice": {"en": "ice", "ko": "얼음"}}
    assert fill("{clan!w:은/는}", {"clan": "ice"}, "ko", words) == "얼음은"
    assert fill("{clans!w}", {"clans": ["ice", "x"]}, "ko", words) == "얼음·x"


# --- sentences --------------------------------------------------------------------------------------------------------


class Anything(dict[str, Any]):
    """Facts of a template: any name has a value, a list that can be joined, looked up, or have an item taken."""

    def __missing__(self, key: str) -> object:
        return ["7"] * 20


def leaves(table: dict[str, Any], where: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Every sentence of a table of words, with its place."""
    for key, value in table.items():
        if isinstance(value, dict) and not {"en", "ko"} & set(value):
            yield from leaves(value, f"{where}{key}.")
        else:
            yield f"{where}{key}", value


TABLES = {
    "companion": own_text(),
    "shared": shelf.shared_text(),
    **{game: shelf.game(game).table("text") for game in shelf.ids()},
    **{f"{game} clauses": shelf.game(game).table("clauses") for game in shelf.ids()},
}


@pytest.mark.parametrize("table", TABLES)
def test_every_sentence_is_said_in_both_languages(table: str) -> None:
    found = dict(leaves(TABLES[table]))
    assert found
    for where, sentence in found.items():
        assert {"en", "ko"} <= set(sentence), where
        for lang in LANGS:
            assert sentence[lang].strip() == sentence[lang] != "", where


@pytest.mark.parametrize("table", [name for name in TABLES if not name.endswith("clauses")])
@pytest.mark.parametrize("lang", LANGS)
def test_every_template_can_be_filled(table: str, lang: Lang) -> None:
    for where, sentence in leaves(TABLES[table]):
        text = fill(sentence[lang], Anything(), lang, {})
        if "undo" not in where:  # whose sentence shows a line of JSON
            assert "{" not in text, where
            assert "}" not in text, where


@pytest.mark.parametrize("table", TABLES)
def test_both_languages_name_the_same_facts_or_the_korean_fewer(table: str) -> None:
    """A name that only one language knows is a slip of the pen: no ruling would have it."""
    for where, sentence in leaves(TABLES[table]):
        names = {lang: {name for _, name, _, _ in string.Formatter().parse(sentence[lang]) if name} for lang in LANGS}
        assert names["ko"] <= names["en"] or names["en"] <= names["ko"], where


@pytest.mark.parametrize("table", TABLES)
def test_korean_particles_after_a_fact_are_left_to_the_pair(table: str) -> None:
    """``{player}이`` would be wrong for half of all names; ``{player:이/가}`` is right for all."""
    bare = ("}이 ", "}가 ", "}은 ", "}는 ", "}을 ", "}를 ", "}으로 ", "}로 ", "}과 ", "}와 ")
    slips = [where for where, sentence in leaves(TABLES[table]) if any(one in sentence["ko"] for one in bare)]
    assert slips == []


@pytest.mark.parametrize("game", shelf.ids())
def test_a_clause_is_named_by_its_game_and_has_its_page(game: str) -> None:
    clauses = shelf.game(game).table("clauses")
    initials = {number.partition("-")[0] for number in clauses}
    assert len(initials) == 1
    assert [int(number.partition("-")[2]) for number in clauses] == list(range(1, len(clauses) + 1))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("lang", LANGS)
def test_every_ruling_of_recorded_games_is_said_short_and_long(path: Path, lang: Lang) -> None:
    first, *rest = path.read_bytes().splitlines()
    game = Replay(record.header(first))
    speaker = Speaker(game.game, lang)
    told: list[Ruling] = list(game.game.rules.opening(game.state))
    for number, line in enumerate(rest, 2):
        for one in game.game.rules.expects(game.state):
            facts = game.game.rules.view(game.state) | ({one.role: one.who} if one.role else {})
            assert speaker.prompt(one.input, facts)
        game.line(number, line)
        told += [] if b'"undo"' in line else game.steps[-1].rulings
    for ruling in told:
        assert "{" not in speaker.long(ruling)
        assert speaker.short(ruling) != ""
        assert ruling.rule is None or speaker.clause(ruling.rule)


@pytest.mark.parametrize("lang", LANGS)
def test_refusals_that_no_game_is_needed_for_are_said(lang: Lang) -> None:
    assert "24" in refusal(Ruling(None, "header-name", {"player": "x", "most": 24}), lang)


def test_a_word_that_a_game_does_not_have_is_said_as_it_stands() -> None:
    speaker = Speaker(shelf.game("witch-race"), "ko")
    assert speaker.word("storm") == "폭풍"
    assert speaker.word("Ana") == "Ana"


def test_our_own_sentences_are_filled_with_facts() -> None:
    assert say("notices.set-aside", "ko", file="a7") == "a7은 기록이 아니라서 따로 두었어요."
    assert "a7" in say("notices.set-aside", "en", file="a7")
