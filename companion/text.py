"""Words for people: rulings and refusals in Korean and English, Korean particles right after any name."""

import string
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from engines import shelf
from engines.core import Ruling
from engines.shelf import Game

Lang = Literal["ko", "en"]
LANGS: tuple[Lang, ...] = ("ko", "en")

# How a last letter is read aloud in Korean decides the particle. True: it ends in a consonant.
_DIGIT_CLOSED = dict(zip("0123456789", (True, True, False, True, False, False, True, True, True, False), strict=True))
# Letters whose Korean name ends in a consonant: 엘, 엠, 엔, 알 (and 엑스, 에이치 ... end open).
_LATIN_CLOSED = frozenset("lmnr")
# ㄹ as the last sound takes 로, not 으로: 1 일, 7 칠, 8 팔; L 엘, R 알.
_DIGIT_RIEUL = frozenset("178")
_LATIN_RIEUL = frozenset("lr")
_HANGUL_FIRST, _HANGUL_LAST, _FINALS, _RIEUL = 0xAC00, 0xD7A3, 28, 8


def _ending(word: str) -> tuple[bool, bool]:
    """Tell how a word ends when read aloud: in a consonant, and in ㄹ. Signs at its end are not read."""
    for letter in reversed(word):
        code = ord(letter)
        if _HANGUL_FIRST <= code <= _HANGUL_LAST:
            final = (code - _HANGUL_FIRST) % _FINALS
            return final != 0, final == _RIEUL
        if letter in _DIGIT_CLOSED:
            return _DIGIT_CLOSED[letter], letter in _DIGIT_RIEUL
        if letter.isalnum():
            low = letter.lower()
            return low in _LATIN_CLOSED, low in _LATIN_RIEUL
    return False, False


def with_particle(word: str, pair: str) -> str:
    """Join a word and the fitting half of a pair such as ``이/가``, ``은/는``, ``을/를``, ``으로/로``.

    The first half follows a consonant; of ``으로/로`` a final ㄹ takes the second.
    """
    closed_form, _, open_form = pair.partition("/")
    closed, rieul = _ending(word)
    if closed_form.startswith("으로") and rieul:
        closed = False
    return word + (closed_form if closed else open_form)


class _Sentence(string.Formatter):
    """``str.format`` with ``!w`` (look the word up), ``!l`` (join a list) and particle pairs as format spec."""

    def __init__(self, words: Mapping[str, Mapping[str, str]], lang: Lang) -> None:
        super().__init__()
        self._words = words
        self._lang = lang

    def convert_field(self, value: Any, conversion: str | None) -> Any:  # noqa: ANN401 - the base class's type
        if conversion == "w":
            if isinstance(value, list | tuple):
                return self._join([self._word(one) for one in value])
            return self._word(value)
        if conversion == "l":
            return self._join([str(one) for one in value])
        return super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ANN401 - the base class's type
        text = str(value)
        return with_particle(text, format_spec) if "/" in format_spec else text

    def _word(self, value: object) -> str:
        found = self._words.get(str(value))
        return found[self._lang] if found else str(value)

    def _join(self, parts: Sequence[str]) -> str:
        return ("·" if self._lang == "ko" else ", ").join(parts)


def fill(template: str, facts: Mapping[str, Any], lang: Lang, words: Mapping[str, Mapping[str, str]]) -> str:
    """Put facts into a template of a ``text.toml``."""
    return _Sentence(words, lang).vformat(template, (), facts)


@cache
def own_text() -> dict[str, Any]:
    """Give the application's own words."""
    import tomllib  # noqa: PLC0415 - only when something is said

    with Path(__file__).with_name("text.toml").open("rb") as file:
        return tomllib.load(file)


def say(key: str, lang: Lang, **facts: object) -> str:
    """Say one of the application's own sentences; ``key`` is ``table.name`` of ``companion/text.toml``."""
    table, _, name = key.partition(".")
    return fill(own_text()[table][name][lang], facts, lang, {})


class Speaker:
    """The words of one game in one language."""

    def __init__(self, game: Game, lang: Lang) -> None:
        self._text = game.table("text")
        self._game = game
        self.lang = lang

    def _fill(self, template: str, facts: Mapping[str, Any]) -> str:
        return fill(template, facts, self.lang, self._text["words"])

    @property
    def title(self) -> str:
        """The game's name."""
        return str(self._text["name"][self.lang])

    def word(self, name: str) -> str:
        """Say one of the game's words (``storm``), or give it back where it has none."""
        found = self._text["words"].get(name)
        return found[self.lang] if found else name

    def option(self, name: str) -> str:
        """Say what an option is about."""
        return str(self._text["options"][name][self.lang])

    def prompt(self, name: str, facts: Mapping[str, Any]) -> str:
        """Say what comes next."""
        return self._fill(self._text["prompts"][name][self.lang], facts)

    def short(self, ruling: Ruling) -> str | None:
        """Give the line for the ruling page; None for what is only told on the why page."""
        entry = self._text["rulings"][ruling.kind].get("short")
        return self._fill(entry[self.lang], ruling.facts) if entry else None

    def long(self, ruling: Ruling) -> str:
        """Give the whole sentence of a ruling."""
        return self._fill(self._text["rulings"][ruling.kind]["long"][self.lang], ruling.facts)

    def refusal(self, ruling: Ruling) -> str:
        """Say what was refused, why, and what to do."""
        own = self._text["refusals"].get(ruling.kind)
        return self._fill(own[self.lang], ruling.facts) if own else refusal(ruling, self.lang)

    def standings(self, view: Mapping[str, Any]) -> tuple[str, ...]:
        """Tell how a game stands, from its view: what is there, then each entry of a mapping, the most first."""
        known = self._text.get("standings", {})
        lines = [entry[self.lang] for name, entry in known.get("line", {}).items() if view[name] not in (None, [])]
        told = [self._fill(line, view) for line in lines]
        for name, entry in known.get("each", {}).items():
            found = list(view[name].items())
            if all(isinstance(value, int) for _, value in found):
                found.sort(key=lambda one: -one[1])
            for key, value in found:
                facts = value if isinstance(value, dict) else {"value": value}
                told.append(self._fill(entry[self.lang], {"key": key, **facts}))
        return tuple(told)

    def clause(self, number: str) -> str:
        """Give a clause of the rules in one sentence."""
        return str(self._game.table("clauses")[number][self.lang])


def refusal(ruling: Ruling, lang: Lang) -> str:
    """Say a refusal that no game is needed for: a header's, a line's shape."""
    return fill(shelf.shared_text()["refusals"][ruling.kind][lang], ruling.facts, lang, {})
