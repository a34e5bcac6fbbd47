"""What holds for every game on the shelf: its clauses, the kinds of its rulings and refusals, and its words agree."""

import ast
import re
from collections.abc import Iterator

import msgspec
import pytest

from companion.text import LANGS
from engines import shelf
from engines.core import Json
from engines.shelf import Game

HANGUL = re.compile("[가-힣]")


@pytest.fixture(params=shelf.ids())
def game(request: pytest.FixtureRequest) -> Game:
    return shelf.game(request.param)


def plain(english: str) -> bool:
    """Tell whether a text needs no sign but those of ASCII, and the one of Dark Horse's cards."""
    return english.replace("±", "").isascii()


def code(game: Game) -> Iterator[ast.AST]:
    for path in sorted(game.folder.glob("*.py")):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def kinds(game: Game, *makers: str) -> set[str]:
    """Give the kinds that stand in calls of these functions, as their second argument: as they are, or one of two."""
    calls = [node for node in code(game) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    asked = [call.args[1] for call in calls if call.func.id in makers and len(call.args) > 1]
    both = [half for kind in asked if isinstance(kind, ast.IfExp) for half in (kind.body, kind.orelse)]
    return {kind.value for kind in (*asked, *both) if isinstance(kind, ast.Constant)}


def test_every_clause_is_cited_in_the_code_and_every_cited_one_exists(game: Game) -> None:
    clauses = game.table("clauses")
    (letters,) = {clause.partition("-")[0] for clause in clauses}
    assert list(clauses) == [f"{letters}-{number}" for number in range(1, len(clauses) + 1)]
    constants = {node.value for node in code(game) if isinstance(node, ast.Constant)}
    assert {one for one in constants if isinstance(one, str) and re.fullmatch(r"[A-Z]+-\d+", one)} == set(clauses)


def test_every_clause_stands_in_both_languages_and_says_what_it_rests_on(game: Game) -> None:
    for clause in game.table("clauses").values():
        assert set(clause) == {*LANGS, "page"}
        assert plain(clause["en"])
        assert HANGUL.search(clause["ko"])


def test_every_kind_in_the_code_has_words(game: Game) -> None:
    text = game.table("text")
    assert kinds(game, "ruled") <= set(text["rulings"])
    assert kinds(game, "Ruling") <= {*text["rulings"], *text["refusals"]}
    assert kinds(game, "refused", "misfit") <= {*text["refusals"], *shelf.shared_text()["refusals"]}


def test_no_words_are_idle(game: Game) -> None:
    text = game.table("text")
    said = {node.value for node in code(game) if isinstance(node, ast.Constant)}
    filled = [
        "".join(re.escape(str(one.value)) if isinstance(one, ast.Constant) else "[a-z]+" for one in node.values)
        for node in code(game)
        if isinstance(node, ast.JoinedStr)
    ]
    idle = {*text["rulings"], *text["refusals"]} - said
    assert [kind for kind in idle if not re.fullmatch("|".join(filled), kind)] == []


def pairs(table: Json) -> Iterator[dict[str, str]]:
    """Give every entry of a table of words, however deep it lies."""
    if any(isinstance(value, str) for value in table.values()):
        yield table
    else:
        for value in table.values():
            yield from pairs(value)


def test_all_words_stand_in_both_languages(game: Game) -> None:
    text = game.table("text")
    for pair in pairs(text):
        assert set(pair) == set(LANGS), pair
        assert all(pair.values()), pair
        assert plain(pair["en"]), pair
    assert all("long" in forms for forms in text["rulings"].values())
    assert all(set(forms) <= {"short", "long"} for forms in text["rulings"].values())


def test_players_inputs_and_options_are_there(game: Game) -> None:
    rules = game.rules
    assert isinstance(rules.PLAYERS, range)
    assert rules.PLAYERS.step == 1
    assert min(rules.PLAYERS) >= 2
    for shape in (*rules.INPUTS.values(), rules.Options):
        assert shape.__struct_config__.frozen
        assert shape.__struct_config__.forbid_unknown_fields
    assert all(re.fullmatch("[a-z]+", name) for name in rules.INPUTS)


def test_prompts_are_there_for_every_input_and_words_for_every_option(game: Game) -> None:
    text = game.table("text")
    assert set(text["prompts"]) == set(game.rules.INPUTS)
    assert set(text["options"]) == {field.encode_name for field in msgspec.structs.fields(game.rules.Options)}
