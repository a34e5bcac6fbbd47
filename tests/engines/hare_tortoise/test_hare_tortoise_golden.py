"""Recorded games, and what the referee said in them, word for word."""

import json
from pathlib import Path

import pytest

from companion.text import LANGS, Speaker
from engines import record, shelf
from engines.core import Ruling
from engines.record import Replay

RECORDS = sorted(Path(__file__).parent.glob("*.jsonl"))


def told(game: Replay, rulings: tuple[Ruling, ...]) -> list[str]:
    """Give two lines a ruling: its clause and English sentence, and the Korean one."""
    english, korean = (Speaker(game.game, lang) for lang in reversed(LANGS))
    return [
        line for one in rulings for line in (f"  {one.rule} {english.long(one)}", f"  {one.rule} {korean.long(one)}")
    ]


def transcript(path: Path) -> str:
    """Replay a record; to renew an expected transcript write what this gives beside it, and read it."""
    first, *lines = path.read_bytes().splitlines()
    game = Replay(record.header(first))
    said = [f"> {first.decode()}", *told(game, game.game.rules.opening(game.state))]
    for number, line in enumerate(lines, 2):
        before = len(game.steps)
        game.line(number, line)
        said.append(f"> {line.decode()}")
        if len(game.steps) > before:
            said += told(game, game.steps[-1].rulings)
    rules = game.game.rules
    return "\n".join([*said, json.dumps(rules.view(game.state)), json.dumps(rules.result(game.state)), ""])


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    assert transcript(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_the_records_cite_every_clause_but_the_one_that_only_refuses() -> None:
    game = shelf.game("hare-tortoise")
    said = "\n".join(path.with_suffix(".txt").read_text(encoding="utf-8") for path in RECORDS)
    assert [clause for clause in game.table("clauses") if f"  {clause} " not in said] == ["HT-4"]
