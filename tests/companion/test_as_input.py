"""``companion read --as-input``: which input a picture would become."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.as_input import GameError, as_input, load, transcript
from companion.text import LANGS, Lang
from engines.core import Json
from vision.observation import Observation, Sighting

PHOTOS = Path(cli.__file__).parent / "demo" / "photos"
WITCHES = {"record": 1, "game": "witch-race", "players": ["Ana", "Bo"]}
HARES = {"record": 1, "game": "hare-tortoise", "players": ["Ana", "Bo"], "options": {"streams": [4, 8]}}
HORSES = {"record": 1, "game": "dark-horse", "players": ["Ana", "Bo"]}
LINE = {"input": "line", "order": [1, 2, 3, 4, 5, 6, 7]}


@pytest.fixture
def record(tmp_path: Path) -> Any:  # noqa: ANN401
    def write(*lines: dict[str, Json], tail: str = "") -> Path:
        path = tmp_path / "game.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines) + tail)
        return path

    return write


def card(name: str, region: str, *others: tuple[str, float], at: float = 40.0) -> Sighting:
    place = (at, 80.0)
    return Sighting("card", name, 0.6 if others else 0.999, others, "up", region, place, place, 0.0, (*place, 9.0, 9.0))


def mat(name: str, *seen: Sighting, sure: bool = True) -> Observation:
    return Observation((1280, 720), name, None, seen, (), sure)


def one(path: Path, scene: Observation, lang: Lang = "en") -> dict[str, Any]:
    (found,) = as_input(load(path, lang), scene, lang)
    return found


def test_the_line_is_the_records(record: Any) -> None:  # noqa: ANN401
    found = one(record(HARES), mat("hare-tortoise", card("hare", "cards"), card("hare", "cards", at=90.0)))
    assert found == {
        "expects": {"input": "play", "player": "Ana"},
        "line": {"input": "play", "player": "Ana", "cards": ["hare", "hare"]},
        "open": [],
        "question": None,
        "trouble": None,
    }


def test_cards_that_the_record_has_played_are_not_new(record: Any) -> None:  # noqa: ANN401
    path = record(HARES, {"input": "play", "player": "Ana", "cards": ["fox"]})
    found = one(path, mat("hare-tortoise", card("fox", "cards"), card("lamb", "cards", at=90.0)))
    assert found["line"] == {"input": "play", "player": "Bo", "cards": ["lamb"]}


def test_every_input_that_may_come_next_has_its_object(record: Any) -> None:  # noqa: ANN401
    found = as_input(load(record(HORSES, LINE), "en"), mat("dark-horse", card("animal:4:~1", "action")), "en")
    assert [entry["expects"]["input"] for entry in found] == ["token", "play"]
    assert found[0]["trouble"]["reason"] == "by-hand"
    assert found[1]["line"] == {"input": "play", "player": "Ana", "card": "animal:4:~1"}
    assert found[1]["open"] == ["direction", "target", "discarded"]


def test_a_question_names_its_candidates_and_the_piece(record: Any) -> None:  # noqa: ANN401
    found = one(record(HARES), mat("hare-tortoise", card("hare", "cards", ("lamb", 0.4)), sure=False))
    assert found["question"] == {
        "message": "Piece 1 of 1: hare or lamb?",
        "names": ["hare", "lamb"],
        "piece": 1,
        "of": 1,
        "center_px": [40.0, 80.0],
    }


def test_a_refusal_names_its_clause_and_what_was_seen(record: Any) -> None:  # noqa: ANN401
    found = one(record(HARES), mat("hare-tortoise", card("hare", "cards"), card("fox", "cards", at=90.0)))
    assert found["trouble"]["rule"] == "HT-2"
    assert "I see: hare 1, fox 1." in found["trouble"]["message"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_person_is_told_in_sentences_and_the_line(record: Any, lang: Lang) -> None:  # noqa: ANN401
    game = load(record(HARES), lang)
    scene = mat("hare-tortoise", card("hare", "cards"))
    lines = transcript(game, {"file": "a.jpg", "error": None, "as_input": as_input(game, scene, lang)}, lang)
    assert lines[0].startswith("a.jpg: ")
    assert json.loads(lines[-1]) == {"input": "play", "player": "Ana", "cards": ["hare"]}


def test_the_command_reads_a_real_photograph_for_a_record(record: Any, capsys: Any) -> None:  # noqa: ANN401
    path = record(WITCHES)
    assert cli.main(["read", str(PHOTOS / "six-a.jpg"), "--as-input", str(path), "--lang", "en"]) == 0
    assert '{"input": "roll", "player": "Ana", "die": 6}' in capsys.readouterr().out
    assert cli.main(["read", str(PHOTOS / "six-a.jpg"), str(path), "--as-input", str(path), "--json"]) == 2
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["as_input"][0]["line"] == {"input": "roll", "player": "Ana", "die": 6}
    assert (first["mat"], first["sure"], first["error"]) == (None, True, None)
    assert "as_input" not in second
    assert second["error"]


BROKEN = [
    ([], "", "record"),
    ([{"record": 1, "game": "chess", "players": ["a", "b"]}], "", "line 1"),
    ([WITCHES, {"input": "roll", "player": "Bo", "die": 2}], "", "line 2"),
    ([WITCHES, {"input": "roll", "player": "Ana", "die": 9}], "", "line 2"),
]


@pytest.mark.parametrize(("lines", "tail", "says"), BROKEN)
def test_a_broken_record_is_refused_in_one_sentence(lines: Any, tail: str, says: str, record: Any, capsys: Any) -> None:  # noqa: ANN401
    path = record(*lines, tail=tail)
    with pytest.raises(GameError, match=says):
        load(path, "en")
    assert cli.main(["read", str(PHOTOS / "six-a.jpg"), "--as-input", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("companion: ")
    assert len(captured.err.splitlines()) == 1


def test_a_record_that_is_not_there_or_of_another_game_is_refused(record: Any, tmp_path: Path, capsys: Any) -> None:  # noqa: ANN401
    with pytest.raises(GameError, match="No such file"):
        load(tmp_path / "none.jsonl", "en")
    path = record(WITCHES)
    assert cli.main(["read", str(PHOTOS / "six-a.jpg"), "--as-input", str(path), "--game", "dark-horse"]) == 2
    assert "witch-race" in capsys.readouterr().err


def test_a_torn_last_line_is_left_out(record: Any) -> None:  # noqa: ANN401
    path = record(WITCHES, {"input": "roll", "player": "Ana", "die": 3}, tail='{"input": "mo')
    assert [one.input for one in load(path, "en").game.rules.expects(load(path, "en").state)] == ["move"]
