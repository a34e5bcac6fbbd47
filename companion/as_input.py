"""``companion read --as-input RECORD``: which input of a recorded game a picture would become."""

import json
from pathlib import Path
from typing import Any

from companion import entry
from companion.judge import Ask, Judged, Rule, can_read, judge
from companion.readings import Trouble
from companion.reads import Read, known, reads
from companion.replay import carry_out, header_message
from companion.scene import Scene
from companion.text import Lang, Speaker, refusal, say
from companion.wording import called, told, trouble_text
from engines import record
from engines.core import Expectation
from engines.record import NoRecordError, RecordError, Replay


class GameError(ValueError):
    """The record is none, can't be opened or is broken; the message names the file and the line."""


def load(path: Path, lang: Lang) -> Replay:
    """Replay a record as far as it goes; a torn last line is left out. Raises GameError."""
    try:
        lines = path.read_bytes().split(b"\n")
    except (OSError, ValueError) as error:
        raise GameError(f"{path}: {getattr(error, 'strerror', None) or error}.") from error
    try:
        game = Replay(record.header(lines[0]))
    except NoRecordError as error:
        raise GameError(f"{path}: {refusal(error.ruling, lang)}") from error
    except RecordError as error:
        raise GameError(f"{path}, line 1: {header_message(error, lines[0], lang)}") from error
    _, stop = carry_out(game, lines[1:], None)
    if stop is not None:
        raise GameError(f"{path}, line {stop.line}: {Speaker(game.game, lang).refusal(stop.ruling)}")
    return game


def as_input(game: Replay, scene: Scene, lang: Lang) -> list[dict[str, Any]]:
    """Give an object for each input that may come next: the line, what is left to ask, a question, or the trouble."""
    return [_one(game, wanted, scene, lang) for wanted in game.game.rules.expects(game.state)]


def _one(game: Replay, wanted: Expectation, scene: Scene, lang: Lang) -> dict[str, Any]:
    nothing: dict[str, Any] = {"expects": wanted.as_json(), "line": None, "open": [], "question": None, "trouble": None}
    if not can_read(game, wanted, set(known(game.game))):
        message = say("troubles.by-hand", lang)
        return {**nothing, "trouble": {"reason": "by-hand", "rule": None, "message": message}}
    found = judge(game, wanted, scene)
    return {**nothing, **_object(game, wanted, found, Speaker(game.game, lang))}


def _object(game: Replay, wanted: Expectation, found: Judged, speaker: Speaker) -> dict[str, Any]:
    read = reads(game.game)[wanted.input]
    if isinstance(found, Trouble):
        reason = found.complaint.kind if found.complaint else found.reason
        rule = found.ruling.rule if found.ruling else None
        return {"trouble": {"reason": reason, "rule": rule, "message": trouble_text(speaker, read, found)}}
    if isinstance(found, Ask):
        return {"question": _question(found, read, speaker)}
    line = {"input": wanted.input, **found.fields}
    if isinstance(found, Rule):
        return {"line": line}
    form = entry.form(game, wanted, dict(found.fields))
    return {"line": line, "open": list(dict.fromkeys(one.field for one in form.questions))}


def _question(asked: Ask, read: Read, speaker: Speaker) -> dict[str, Any]:
    words = [called(speaker, read, name) for name in asked.names]
    facts = dict(zip(("first", "second"), words, strict=False))
    is_it = "is-it" if len(words) > 1 else "is-it-one"
    key = {"name": is_it, "stands-for": "which", "first": "first"}[asked.choice]
    text = say(f"pages.{key}", speaker.lang, **facts)
    place = say("pages.piece", speaker.lang, number=asked.number, count=asked.count)
    x, y = asked.piece.center_px
    return {
        "message": f"{place}: {text}" if asked.number else text,
        "names": list(asked.names),
        "piece": asked.number or None,
        "of": asked.count,
        "center_px": [round(x, 1), round(y, 1)],
    }


def transcript(game: Replay, found: dict[str, Any], lang: Lang) -> list[str]:
    """Tell a person what a picture would become, with what is asked or in the way."""
    if found["error"]:
        return [f"{found['file']}: {found['error']}"]
    speaker, view = Speaker(game.game, lang), game.game.rules.view(game.state)
    lines = [f"{found['file']}: {speaker.title}"]
    for one in found["as_input"]:
        wanted = one["expects"]
        lines.append(f"  {speaker.prompt(wanted['input'], view | wanted)}")
        lines += [f"    {text}" for text in _told(game, one, speaker)]
    return lines if found["as_input"] else [*lines, f"  {say('pages.over', lang)}"]


def _told(game: Replay, one: dict[str, Any], speaker: Speaker) -> list[str]:
    if one["trouble"]:
        rule = one["trouble"]["rule"]
        return [f"{rule}: {one['trouble']['message']}" if rule else one["trouble"]["message"]]
    if one["question"]:
        return [f"{one['question']['message']}  ({', '.join(one['question']['names'])})"]
    read = reads(game.game)[one["line"]["input"]]
    lines = [say("told.seen", speaker.lang, seen=told(speaker, read, one["line"]))]
    lines += [say("troubles.open", speaker.lang, fields=", ".join(one["open"]))] if one["open"] else []
    return [*lines, json.dumps(one["line"], ensure_ascii=False)]
