"""``companion replay``: a record file in, the state of its game as one JSON object out."""

from pathlib import Path
from typing import Any

from companion.text import Lang, Speaker, refusal, say
from engines import record, shelf
from engines.core import Ruling
from engines.record import NoRecordError, RecordError, Replay

NO_RECORD, HAS_ERROR = 2, 3
"""Exit statuses of the contract."""


def replay_file(path: str, lang: Lang, *, steps: bool) -> tuple[dict[str, Any], int]:
    """Replay one file. Gives the contract's object and this file's exit status (0, 2 or 3)."""
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        error_of = {"line": 1, "rule": None, "message": f"{path}: {reason}"}
        return _no_game(path, None, error_of, steps=steps), NO_RECORD
    lines = text.split(b"\n")
    try:
        game = Replay(record.header(lines[0]))
    except NoRecordError as error:
        return _no_game(path, _named_game(lines[0]), _error(error, refusal(error.ruling, lang)), steps=steps), NO_RECORD
    except RecordError as error:
        return _no_game(
            path, _named_game(lines[0]), _error(error, header_message(error, lines[0], lang)), steps=steps
        ), HAS_ERROR
    views = [game.game.rules.view(game.state)] if steps else None
    dropped, stop = carry_out(game, lines[1:], views)
    message = Speaker(game.game, lang).refusal(stop.ruling) if stop else ""
    found = _object(path, game, dropped, _error(stop, message) if stop else None)
    if views is not None:
        found["steps"] = views
    return found, HAS_ERROR if stop else 0


def carry_out(game: Replay, lines: list[bytes], views: list[Any] | None) -> tuple[int, RecordError | None]:
    """Carry the lines behind the header out. Gives how many were dropped as torn (0 or 1), and what stopped it."""
    for number, line in enumerate(lines, 2):
        is_tail = number == len(lines) + 1  # behind the last line feed
        if is_tail and not line:
            break
        try:
            game.line(number, line)
        except RecordError as error:
            if is_tail and error.ruling.kind == "unreadable" and record.is_torn(line):
                return 1, None
            return 0, error
        if views is not None:
            views.append(game.game.rules.view(game.state))
    return 0, None


def _object(path: str, game: Replay, dropped: int, error: dict[str, Any] | None) -> dict[str, Any]:
    rules = game.game.rules
    result = rules.result(game.state)
    return {
        "file": path,
        "game": game.game.id,
        "inputs": len(game.steps),
        "dropped": dropped,
        "over": result is not None,
        "expects": [one.as_json() for one in rules.expects(game.state)],
        "view": rules.view(game.state),
        "result": result,
        "rulings": [{"line": step.line, **one.as_json()} for step in game.steps for one in step.rulings],
        "error": error,
    }


def _no_game(path: str, name: str | None, error: dict[str, Any], *, steps: bool) -> dict[str, Any]:
    rest = {"inputs": 0, "dropped": 0, "over": False, "expects": [], "view": None, "result": None, "rulings": []}
    return {"file": path, "game": name, **rest, "error": error} | ({"steps": []} if steps else {})


def _error(error: RecordError, message: str) -> dict[str, Any]:
    return {"line": error.line, "rule": error.ruling.rule, "message": message}


def _named_game(line: bytes) -> str | None:
    """Give the game that a wrong header names, if it is one of ours."""
    try:
        name = record.parse(line).get("game")
    except ValueError:
        return None
    return name if name in shelf.ids() else None


def header_message(error: RecordError, line: bytes, lang: Lang) -> str:
    """Say what is wrong with a header, in the words of the game that it names."""
    name = _named_game(line)
    return Speaker(shelf.game(name), lang).refusal(error.ruling) if name else refusal(error.ruling, lang)


def transcript(found: dict[str, Any], lang: Lang) -> list[str]:
    """Tell a replayed file to a person: each ruling with its line and clause, then what is expected, or the error."""
    told = [f"{found['file']}"]
    if found["game"] and found["view"] is not None:
        speaker = Speaker(shelf.game(found["game"]), lang)
        told[0] += f": {speaker.title}"
        told += [_told(speaker, one) for one in found["rulings"]]
        told += [f"    >  {speaker.prompt(one['input'], found['view'] | one)}" for one in found["expects"]]
    told += [say("notices.torn", lang)] if found["dropped"] else []
    if found["error"]:
        error = found["error"]
        told.append(f"{error['line']:>5}  {error['rule'] or '':<6} {error['message']}")
    return told


def _told(speaker: Speaker, one: dict[str, Any]) -> str:
    facts = {key: value for key, value in one.items() if key not in ("line", "rule", "kind")}
    return f"{one['line']:>5}  {one['rule'] or '':<6} {speaker.long(Ruling(one['rule'], one['kind'], facts))}"
