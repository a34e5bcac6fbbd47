"""Recorded games, and what was ruled in them: clause, kind and facts, which the words may be improved without."""

import json
from pathlib import Path

import pytest

from engines import record, shelf
from engines.core import Ruling
from engines.record import Replay

RECORDS = sorted(Path(__file__).parent.glob("*.jsonl"))


def told(rulings: tuple[Ruling, ...]) -> list[str]:
    return [f"  {one.rule} {one.kind} {json.dumps(one.facts, ensure_ascii=False)}" for one in rulings]


def transcript(path: Path) -> str:
    """Replay a record; to renew an expected transcript write what this gives beside it, and read it."""
    first, *lines = path.read_bytes().splitlines()
    game = Replay(record.header(first))
    rules = game.game.rules
    said = [f"> {first.decode()}", *told(rules.opening(game.state))]
    for number, line in enumerate(lines, 2):
        before = len(game.steps)
        game.line(number, line)
        said.append(f"> {line.decode()}")
        if len(game.steps) > before:
            said += told(game.steps[-1].rulings)
    ends = (rules.view(game.state), rules.result(game.state))
    return "\n".join([*said, *(json.dumps(end, ensure_ascii=False) for end in ends), ""])


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    assert transcript(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_the_records_cite_every_clause_but_the_one_that_only_refuses() -> None:
    said = "\n".join(path.with_suffix(".txt").read_text(encoding="utf-8") for path in RECORDS)
    clauses = shelf.game("dark-horse").table("clauses")
    assert [clause for clause in clauses if f"  {clause} " not in said] == ["DH-15"]
