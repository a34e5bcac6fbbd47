"""Recorded games, and what came of them: rulings with their facts and both sentences, and what each line changed.

A record ``<game>/<name>.jsonl`` has its transcript beside it, ``<name>.txt``. To renew the transcripts run this file as
a program, and read what changed.
"""

import json
from pathlib import Path

import pytest

from companion.text import Speaker
from engines import record, shelf
from engines.core import Json, Ruling
from engines.record import Replay

RECORDS = sorted(Path(__file__).parent.glob("*/*.jsonl"))
UNCITED: dict[str, set[str]] = {
    "dark-horse": {"DH-15"},
    "ghost-hunters": {"GH-9", "GH-21", "GH-22"},
    "hare-tortoise": {"HT-4"},
    "horror-race": {"HR-13", "HR-18", "HR-22", "HR-23"},
    "witch-race": {"WR-20"},
}
"""Clauses that only refuse, or that the recorded games do not come to."""


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def written(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def told(game: Replay, rulings: tuple[Ruling, ...]) -> list[str]:
    english, korean = Speaker(game.game, "en"), Speaker(game.game, "ko")
    return [
        line
        for one in rulings
        for line in (
            f"  {one.rule} {one.kind} {written(one.facts)}",
            f"    {english.long(one)}",
            f"    {korean.long(one)}",
        )
    ]


def transcript(path: Path) -> str:
    """Replay a record: each line, its rulings, and after ``=`` what it changed of the view; at the end the result."""
    first, *lines = path.read_bytes().splitlines()
    game = Replay(record.header(first))
    rules = game.game.rules
    view = rules.view(game.state)
    said = [f"> {first.decode()}", *told(game, rules.opening(game.state)), f"  = {written(view)}"]
    for number, line in enumerate(lines, 2):
        before, count = view, len(game.steps)
        game.line(number, line)
        said.append(f"> {line.decode()}")
        if len(game.steps) > count:
            said += told(game, game.steps[-1].rulings)
        view = rules.view(game.state)
        said.append(f"  = {written({key: value for key, value in view.items() if value != before[key]})}")
    return "\n".join([*said, written(rules.result(game.state)), ""])


@pytest.mark.parametrize("path", RECORDS, ids=named)
def test_a_recorded_game_is_ruled_and_told_as_before(path: Path) -> None:
    assert transcript(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", shelf.ids())
def test_the_recorded_games_cite_every_clause_but_a_few(name: str) -> None:
    folder = Path(__file__).parent / name.replace("-", "_")
    said = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt")))
    assert {clause for clause in shelf.game(name).table("clauses") if f"\n  {clause} " not in said} == UNCITED[name]


if __name__ == "__main__":
    for each in RECORDS:
        each.with_suffix(".txt").write_text(transcript(each), encoding="utf-8")
