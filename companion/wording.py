"""Answers and readings in words: what stands in a field, on a card, on a whole mat."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import UNSET

from companion.entry import DONE
from companion.imprint import region_words
from companion.readings import Laid, Trouble
from companion.reads import Read
from companion.text import Lang, Speaker, say
from engines.core import Json
from vision.complaint import say as say_complaint


def answer_text(speaker: Speaker, value: Json, lang: Lang) -> str:
    """Say one answer: a word of the game, a number, a name, or one of our own words for none, done and default."""
    if isinstance(value, list | tuple):
        return " ".join(answer_text(speaker, one, lang) for one in value)
    if isinstance(value, dict):
        return " ".join(
            f"{answer_text(speaker, key, lang)} {answer_text(speaker, one, lang)}" for key, one in value.items()
        )
    for odd, key in ((None, "nothing"), (DONE, "done"), (UNSET, "default"), (True, "yes"), (False, "no")):
        if value is odd or (isinstance(odd, str) and value == odd):
            return say(f"pages.{key}", lang)
    return speaker.word(str(value))


def called(speaker: Speaker, read: Read, name: str) -> str:
    """Say what a piece is: the words of the fields that it gives."""
    values = read.values(name)
    return answer_text(speaker, list(values.values()), speaker.lang) if values else speaker.word(name)


def told(speaker: Speaker, read: Read, fields: Mapping[str, Json]) -> str:
    """Say shortly what was read: ``hare 2, wolf 1``, or counted by place ``1: gumiho 3 / 2: - / 4: zombie 1``."""
    (first, *_) = read.fields
    value = fields.get(first)
    if read.shape == "one":
        return answer_text(speaker, [fields[one] for one in read.fields if one in fields], speaker.lang)
    if read.shape == "list":
        return _counted(speaker, Counter(value or ()))
    return " / ".join(f"{key}: {_counted(speaker, lie) or '-'}" for key, lie in (value or {}).items())


def _laid(speaker: Speaker, read: Read, laid: Sequence[Laid]) -> str:
    """Say which pieces lie there, place by place where they are counted."""
    by_key = {key: Counter(called(speaker, read, name) for at, name in laid if at == key) for key, _ in laid}
    if read.shape == "one":
        return ", ".join(called(speaker, read, name) for _, name in laid)
    return " / ".join(
        f"{key}: {_counted(speaker, lie)}" if key else _counted(speaker, lie) for key, lie in by_key.items()
    )


def _counted(speaker: Speaker, lie: Mapping[Json, int]) -> str:
    return ", ".join(f"{speaker.word(str(name))} {number}" for name, number in lie.items())


def trouble_text(speaker: Speaker, read: Read, trouble: Trouble) -> str:
    """Say what is in the way of a reading, what was seen, and what to do."""
    lang = speaker.lang
    if trouble.complaint is not None:
        return say_complaint(trouble.complaint, lang)
    if trouble.ruling is not None:
        seen = say("troubles.seen", lang, seen=_laid(speaker, read, trouble.laid))
        return f"{speaker.refusal(trouble.ruling)} {seen}"
    facts = dict(trouble.facts)
    if "names" in facts:
        facts["names"] = ", ".join(called(speaker, read, name) for name in facts["names"])
    if "regions" in facts:
        facts["regions"] = ", ".join(region_words(facts["mat"], one, lang)[0] for one in facts["regions"])
    return say(f"troubles.{trouble.reason}", lang, **facts)
