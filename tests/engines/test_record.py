"""The record as values: lines in, a game in the making out."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import record, shelf
from engines.core import Allowed, Refused
from engines.record import Header, NoRecordError, RecordError, Replay

HEADER = Header("witch-race", ("Ana", "Bo"), {})
ROLL = {"input": "roll", "player": "Ana", "die": 6}
MOVE = {"input": "move", "player": "Ana", "from": 0}

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(names, values, max_size=4)


# --- one line ---------------------------------------------------------------------------------------------------------


@given(objects, st.booleans())
@settings(max_examples=150, deadline=None)
def test_any_object_is_read_as_it_was_written(value: dict[str, Any], escaped: bool) -> None:  # noqa: FBT001
    assert record.parse(json.dumps(value, ensure_ascii=escaped).encode()) == value


@given(objects.filter(bool), values)
@settings(max_examples=150, deadline=None)
def test_a_key_twice_is_found_at_any_depth(value: dict[str, Any], other: object) -> None:
    key = json.dumps(next(iter(value)))
    twins = f"{json.dumps(value)[:-1]}, {key}: {json.dumps(other)}}}"
    for line in (twins, f'{{"note": [1, {twins}]}}', f'{{"a": {{"b": {twins}}}}}'):
        with pytest.raises(ValueError, match=r"."):
            record.parse(line.encode())


@given(st.binary(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_an_object_or_a_value_error(line: bytes) -> None:
    try:
        found = record.parse(line)
    except ValueError:
        return
    assert type(found) is dict


@pytest.mark.parametrize("line", [b"[" * 100_000, b'{"a":' * 100_000])
def test_what_is_nested_too_deeply_is_unreadable(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        record.parse(line)


def test_a_whole_object_nested_thousands_deep_is_read_or_unreadable_but_no_crash() -> None:
    with suppress(ValueError):  # how deep Python reads depends on its version
        assert type(record.parse(b'{"a":' * 5000 + b"1" + b"}" * 5000)) is dict


@given(objects)
@settings(max_examples=50, deadline=None)
def test_every_cut_of_a_line_is_torn_and_the_whole_is_not(value: dict[str, Any]) -> None:
    line = json.dumps(value, ensure_ascii=False).encode()
    assert not record.is_torn(line)
    assert all(record.is_torn(line[:cut]) for cut in range(len(line)))


@pytest.mark.parametrize(
    ("text", "lines", "tail"),
    [
        (b"", [], b""), (b"a", [], b"a"), (b"a\n", [b"a"], b""), (b"a\nb", [b"a"], b"b"), (b"\n\n", [b"", b""], b""),
        (b"a\r\nb\x0bc\n", [b"a\r", b"b\x0bc"], b""),
    ],
)  # fmt: skip
def test_a_file_is_parted_at_line_feeds_only(text: bytes, lines: list[bytes], tail: bytes) -> None:
    assert record.split(text) == (lines, tail)


# --- the header -------------------------------------------------------------------------------------------------------


def test_a_header_is_read_with_its_options_as_written() -> None:
    line = b'{"record": 1, "game": "witch-race", "players": ["Ana", "Bo"], "options": {"start_player": "Bo"}, "at": 0}'
    assert record.header(line) == Header("witch-race", ("Ana", "Bo"), {"start_player": "Bo"})


@pytest.mark.parametrize("line", [b"", b"{}", b"[]", b'{"game": "witch-race"}', b'{"record": 1, "record": 1}'])
def test_without_the_key_record_there_is_no_record(line: bytes) -> None:
    with pytest.raises(NoRecordError) as caught:
        record.header(line)
    assert caught.value.line == 1


@pytest.mark.parametrize("game", shelf.ids())
def test_every_game_starts_with_each_number_of_players_and_with_no_other(game: str) -> None:
    options = {"streams": [4, 8]} if game == "hare-tortoise" else {}
    allowed = shelf.game(game).rules.PLAYERS
    for number in range(25):
        header = Header(game, tuple(f"p{n}" for n in range(number)), options)
        if number in allowed:
            assert Replay(header).steps == []
        else:
            with pytest.raises(RecordError) as caught:
                Replay(header)
            assert caught.value.ruling.kind == "header-count"
            assert caught.value.line == 1


@pytest.mark.parametrize("game", shelf.ids())
@pytest.mark.parametrize("wrong", [None, [], {}, "\ud800", 10**30, -1, 1.5, True, [[]], {"\ud800": 1}, "sideways"])
def test_no_option_of_any_game_takes_a_value_of_another_shape_silently(game: str, wrong: object) -> None:
    """Every option set to something odd is either refused, naming it, or begins a game that can be played on."""
    info = shelf.game(game).rules.Options.__struct_encode_fields__
    required = {"streams": [4, 8]} if game == "hare-tortoise" else {}
    for option in info:
        header = Header(game, tuple("abcd"), required | {option: wrong})
        refusal = refusal_of(header)
        if refusal is None:
            started = Replay(header)
            assert started.game.rules.expects(started.state)
        else:
            assert (refusal.line, refusal.ruling.rule) == (1, None)


def refusal_of(header: Header) -> RecordError | None:
    try:
        Replay(header)
    except RecordError as error:
        return error
    return None


# --- the game in the making -------------------------------------------------------------------------------------------


def test_an_input_that_is_carried_out_stands_with_its_line_and_the_state_before_it() -> None:
    game = Replay(HEADER)
    before = game.state
    outcome = game.carry_out(2, {**ROLL, "at": "now", "by": "file"})
    assert isinstance(outcome, Allowed)
    (step,) = game.steps
    assert (step.line, step.input, step.before, step.rulings) == (2, "roll", before, outcome.rulings)
    assert game.state == outcome.state != before


@pytest.mark.parametrize(
    "line", [{}, {"input": "roll"}, {**ROLL, "die": 7}, {**ROLL, "player": "Bo"}, MOVE, {"undo": True}, {"undo": False}]
)
def test_a_refused_line_changes_nothing(line: dict[str, Any]) -> None:
    game = Replay(HEADER)
    before = game.state
    assert isinstance(game.carry_out(2, line), Refused)
    assert (game.state, game.steps) == (before, [])
    with pytest.raises(RecordError):
        game.line(2, json.dumps(line).encode())
    assert (game.state, game.steps) == (before, [])


def test_a_line_is_not_changed_by_carrying_it_out() -> None:
    line = {**ROLL, "note": "x"}
    Replay(HEADER).carry_out(2, line)
    assert line == {**ROLL, "note": "x"}


def test_undo_gives_back_every_state_there_was() -> None:
    game = Replay(HEADER)
    states = [game.state]
    for number, line in enumerate([ROLL, MOVE, {"input": "tile", "clan": "cloud", "face": 7}], 2):
        game.carry_out(number, line)
        states.append(game.state)
    while game.steps:
        assert game.state == states.pop()
        game.undo()
    assert game.state == states.pop()
    with pytest.raises(IndexError):
        game.undo()


def test_undo_works_after_the_end_of_a_game_too(request: pytest.FixtureRequest) -> None:
    for path in sorted(request.path.parent.glob("*/*.jsonl")):
        first, *lines = path.read_bytes().splitlines()
        game = Replay(record.header(first))
        for number, line in enumerate(lines, 2):
            game.line(number, line)
        rules = game.game.rules
        assert rules.result(game.state) is not None
        assert rules.expects(game.state) == ()
        game.line(99_999, b'{"undo": true}')
        assert rules.result(game.state) is None
        assert rules.expects(game.state)


@given(objects)
@settings(max_examples=200, deadline=None)
def test_any_object_is_carried_out_or_refused_and_never_raises(line: dict[str, Any]) -> None:
    for extra in ({}, {"input": "roll"}, {"input": "move", "player": "Ana"}):
        game = Replay(HEADER)
        before = game.state
        if isinstance(game.carry_out(2, {**line, **extra}), Refused):
            assert (game.state, game.steps) == (before, [])


@pytest.mark.parametrize("field", ["\ud800", "a`b", "x - at `$.y`", "", "한", "'", "{die}", "die.x"])
def test_an_unknown_field_of_any_name_is_refused(field: str) -> None:
    game = Replay(HEADER)
    outcome = game.carry_out(2, {**ROLL, field: 1})
    assert isinstance(outcome, Refused)
    assert outcome.ruling.rule is None
    assert game.steps == []


@pytest.mark.parametrize("game", shelf.ids())
def test_every_input_of_every_game_refuses_fields_that_are_missing_or_unknown(game: str) -> None:
    options = {"streams": [4, 8]} if game == "hare-tortoise" else {}
    played = Replay(Header(game, ("a", "b", "c"), options))
    for name, kind in played.game.rules.INPUTS.items():
        if kind.__struct_fields__:
            outcome = played.carry_out(2, {"input": name})
            assert isinstance(outcome, Refused)
            assert outcome.ruling.kind == "missing-field"
            assert outcome.ruling.facts["field"] in kind.__struct_encode_fields__
        assert isinstance(played.carry_out(2, {"input": name, "speed": 1}), Refused)
    assert played.steps == []
