"""What devices say, in the language of the table: ``hardware`` speaks English and knows nothing of people."""

import re
import tomllib
from functools import cache
from pathlib import Path

from companion.text import Lang, fill


def told(message: str, lang: Lang) -> str:
    """Say a device's sentence; one that nobody has translated is said as it is."""
    if lang == "en":
        return message
    for pattern, korean in _sentences():
        found = pattern.fullmatch(message)
        if found is not None:
            return fill(korean, found.groupdict(), lang, {})
    return message


@cache
def _sentences() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Give patterns of what may be said, the most exact first."""
    text = tomllib.loads(Path(__file__).with_name("devices.toml").read_text(encoding="utf-8"))
    by_length = sorted(text, key=lambda english: -len(re.sub(r"{\w+}", "", english)))
    return tuple((re.compile(_pattern(english), re.DOTALL), text[english]) for english in by_length)


def _pattern(english: str) -> str:
    """Turn ``The file {name} is no picture.`` into a pattern with the group ``name``."""
    return re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(english))
