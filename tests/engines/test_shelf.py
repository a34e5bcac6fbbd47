"""The shelf: a game is one more folder, and nothing else changes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import msgspec
import pytest

import engines
from companion.judge import Rule, judge
from companion.reads import pieces
from companion.replay import replay_file
from companion.text import LANGS, Speaker
from engines import shelf
from engines.core import Input
from engines.record import Header, Replay
from vision.observation import Observation, Sighting

if TYPE_CHECKING:
    from collections.abc import Iterator

FIVE = ("dark-horse", "ghost-hunters", "hare-tortoise", "horror-race", "witch-race")

RULES = '''
    """Nim, the last match loses: one heap, take one to three."""

    from typing import Annotated

    import msgspec

    from engines.core import Allowed, Expectation, Input, not_your_turn, refused, ruled

    PLAYERS = range(2, 3)


    class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
        matches: Annotated[int, msgspec.Meta(ge=1, le=99)] = 5


    class Take(Input, frozen=True):
        player: str
        matches: Annotated[int, msgspec.Meta(ge=1, le=3)]


    INPUTS = {"take": Take}


    class State(msgspec.Struct, frozen=True):
        players: tuple[str, ...]
        left: int
        turn: int = 0


    def start(players, options):
        return State(players, options.matches)


    def opening(state):
        return (ruled("NI-1", "heap", left=state.left),)


    def apply(state, data):
        if data.player != state.players[state.turn]:
            return not_your_turn(data.player, state.players[state.turn])
        if data.matches > state.left:
            return refused("NI-2", "too-many", left=state.left)
        after = State(state.players, state.left - data.matches, 1 - state.turn)
        return Allowed(after, (ruled("NI-2", "taken", player=data.player, matches=data.matches, left=after.left),))


    def expects(state):
        return (Expectation("take", "player", state.players[state.turn]),) if state.left else ()


    def view(state):
        return {"left": state.left}


    def result(state):
        if state.left:
            return None
        winner = state.players[state.turn]
        return {"scores": {name: int(name == winner) for name in state.players}, "winners": [winner]}
'''
TEXT = """
    [name]
    en = "Nim"
    ko = "님"
    [words]
    [prompts]
    take = { en = "{player}: take", ko = "{player:이/가} 가져가요" }
    [options]
    matches = { en = "how many matches", ko = "성냥 수" }
    [rulings.heap]
    long = { en = "{left} matches.", ko = "성냥 {left}개." }
    [rulings.taken]
    short = { en = "{player}: {matches}", ko = "{player}: {matches}개" }
    long = { en = "{player} takes {matches}.", ko = "{player:이/가} {matches}개 가져가요." }
    [refusals]
    too-many = { en = "Only {left} are left.", ko = "{left}개뿐이에요." }
"""
CLAUSES = """
    NI-1 = { en = "One heap.", ko = "한 더미예요.", page = 1 }
    NI-2 = { en = "Take one to three.", ko = "한 개에서 세 개.", page = 1 }
"""
TABLE = """
    mat = "dice-tray"
    [reads.take]
    kind = "die"
    regions = ["dice"]
    name = "{matches}"
"""


@pytest.fixture
def with_nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A shelf with a sixth game on it, in a folder of its own."""
    folder = tmp_path / "games" / "tiny_nim"
    folder.mkdir(parents=True)
    for name, text in {
        "__init__.py": "",
        "rules.py": RULES,
        "text.toml": TEXT,
        "clauses.toml": CLAUSES,
        "table.toml": TABLE,
    }.items():
        (folder / name).write_text(dedent(text), encoding="utf-8")
    monkeypatch.setattr(engines, "__path__", [*engines.__path__, str(folder.parent)])
    yield folder
    shelf.game.cache_clear()
    for name in [name for name in sys.modules if name.startswith("engines.tiny_nim")]:
        del sys.modules[name]
    vars(engines).pop("tiny_nim", None)


def test_the_five_games_are_found_by_name_and_nothing_else() -> None:
    assert shelf.ids() == FIVE


@pytest.mark.parametrize("name", ["chess", "", "witch_race", "core", "record", "../witch-race"])
def test_a_game_that_is_not_there_is_a_key_error(name: str) -> None:
    with pytest.raises(KeyError):
        shelf.game(name)


@pytest.mark.parametrize("name", FIVE)
def test_a_game_has_its_rules_its_words_and_its_clauses(name: str) -> None:
    game = shelf.game(name)
    assert shelf.game(name) is game
    assert game.folder.name == name.replace("-", "_")
    for word in ("start", "opening", "apply", "expects", "view", "result"):
        assert callable(getattr(game.rules, word))
    assert all(issubclass(kind, Input) for kind in game.rules.INPUTS.values())
    assert issubclass(game.rules.Options, msgspec.Struct)
    assert {"name", "words", "prompts", "options", "rulings", "refusals"} <= set(game.table("text"))
    assert game.table("clauses")


@pytest.mark.parametrize("name", FIVE)
def test_a_game_has_words_for_each_of_its_inputs_and_options(name: str) -> None:
    game = shelf.game(name)
    assert set(game.table("text")["prompts"]) == set(game.rules.INPUTS)
    assert set(game.table("text")["options"]) == set(game.rules.Options.__struct_encode_fields__)


def test_a_sixth_game_is_found(with_nim: Path) -> None:
    assert shelf.ids() == tuple(sorted([*FIVE, "tiny-nim"]))
    assert shelf.game("tiny-nim").folder == with_nim


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.usefixtures("with_nim")
def test_a_sixth_game_is_replayed_and_worded(tmp_path: Path, lang: str) -> None:
    lines = [
        {"record": 1, "game": "tiny-nim", "players": ["Ana", "다은"], "options": {"matches": 3}},
        {"input": "take", "player": "Ana", "matches": 1},
        {"input": "take", "player": "다은", "matches": 2},
    ]
    path = tmp_path / "nim.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    speech = "ko" if lang == "ko" else "en"
    found, status = replay_file(str(path), speech, steps=False)
    assert status == 0
    assert found["result"] == {"scores": {"Ana": 1, "다은": 0}, "winners": ["Ana"]}

    path.write_text(path.read_text().replace('"matches": 2', '"matches": 3'))
    found, status = replay_file(str(path), speech, steps=False)
    assert status == 3
    message = {"en": "Only 2 are left.", "ko": "2개뿐이에요."}[speech]
    assert found["error"] == {"line": 3, "rule": "NI-2", "message": message}
    assert Speaker(shelf.game("tiny-nim"), speech).title in ("Nim", "님")


@pytest.mark.usefixtures("with_nim")
def test_a_sixth_game_is_read_from_the_table_as_its_own_table_says() -> None:
    nim = Replay(Header("tiny-nim", ("Ana", "Bo"), {}))
    die = Sighting("die", "2", 0.999, (), "up", None, (9, 9), None, 0.0, (0, 0, 18, 18))
    found = judge(nim, nim.game.rules.expects(nim.state)[0], Observation((640, 480), None, None, (die,), (), sure=True))
    assert isinstance(found, Rule)
    assert found.fields == {"player": "Ana", "matches": 2}
    assert pieces(nim.game) == {"die": ("1", "2", "3")}


@pytest.mark.usefixtures("with_nim")
def test_an_option_of_a_sixth_game_out_of_range_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nim.jsonl"
    path.write_text('{"record": 1, "game": "tiny-nim", "players": ["a", "b"], "options": {"matches": 100}}\n')
    found, status = replay_file(str(path), "en", steps=False)
    assert (status, found["game"]) == (3, "tiny-nim")
    assert "matches" in found["error"]["message"]


def test_the_shelf_is_as_it_was_afterwards() -> None:
    assert shelf.ids() == FIVE
    with pytest.raises(KeyError):
        shelf.game("tiny-nim")
