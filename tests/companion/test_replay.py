"""``companion replay``: the contract of the record file, line by line."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.replay import replay_file
from companion.text import LANGS
from engines import shelf

HEADER = {"record": 1, "game": "witch-race", "players": ["Ana", "Bo"]}
ROLL = {"input": "roll", "player": "Ana", "die": 6}
MOVE = {"input": "move", "player": "Ana", "from": 0}
TILE = {"input": "tile", "clan": "cloud", "face": 7}
UNDO = {"undo": True}
KEYS = ["file", "game", "inputs", "dropped", "over", "expects", "view", "result", "rulings", "error"]
META = ("at", "by", "evidence", "note")
ODD = [None, True, 0, -1, 1.5, "", "한", "\ud83d", [], {}, {"undo": True}, [[{"input": "roll"}]], 10**30, "x" * 5000]


def text(*lines: object) -> bytes:
    """Write lines as a record: objects as JSON, text and bytes as they are, all with their line feed."""
    parts = [
        one if isinstance(one, bytes) else one.encode() if isinstance(one, str) else json.dumps(one).encode()
        for one in lines
    ]
    return b"".join(part + b"\n" for part in parts)


class Files:
    """A folder of records to be replayed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def write(self, data: bytes) -> str:
        self._count += 1
        path = self._folder / f"{self._count}.jsonl"
        path.write_bytes(data)
        return str(path)

    def replay(self, data: bytes, *, steps: bool = False) -> tuple[dict[str, Any], int]:
        return replay_file(self.write(data), "en", steps=steps)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def state(found: dict[str, Any]) -> dict[str, Any]:
    """What a replay says of the game itself."""
    return {key: found[key] for key in ("inputs", "over", "expects", "view", "result")}


def good(files: Files, *lines: object) -> dict[str, Any]:
    found, status = files.replay(text(HEADER, *lines))
    assert (found["error"], status) == (None, 0)
    return found


def stops(files: Files, data: bytes, line: int, inputs: int) -> dict[str, Any]:
    """The file holds an error at ``line``; ``inputs`` of the lines before it stand."""
    found, status = files.replay(data)
    assert status == 3
    assert found["error"]["line"] == line
    assert found["error"]["message"].strip()
    assert (found["inputs"], found["dropped"]) == (inputs, 0)
    return found


# --- what is printed --------------------------------------------------------------------------------------------------


def test_the_object_has_the_keys_of_the_contract_in_order(files: Files) -> None:
    found = good(files, ROLL)
    assert list(found) == KEYS
    assert found["game"] == "witch-race"
    assert found["inputs"] == 1
    assert found["expects"] == [{"input": "move", "player": "Ana"}]
    assert found["rulings"][0] == {"line": 2, "rule": "WR-2", "kind": "rolled", "player": "Ana", "die": 6}


def test_an_input_that_belongs_to_nobody_is_expected_without_a_second_key(files: Files) -> None:
    header = {"record": 1, "game": "dark-horse", "players": ["Ana", "Bo"]}
    assert files.replay(text(header))[0]["expects"] == [{"input": "line"}]


def test_rulings_carry_the_line_they_stand_on_and_only_of_inputs_that_stand(files: Files) -> None:
    found = good(files, ROLL, UNDO, {**ROLL, "die": 5}, MOVE)
    assert {one["line"] for one in found["rulings"]} == {4, 5}
    assert found["inputs"] == 2


def test_steps_hold_the_view_after_the_header_and_after_every_line_undo_included(files: Files) -> None:
    found, _ = files.replay(text(HEADER, ROLL, UNDO, ROLL, MOVE), steps=True)
    assert list(found) == [*KEYS, "steps"]
    views = [files.replay(text(HEADER, *lines))[0]["view"] for lines in ([], [ROLL], [], [ROLL], [ROLL, MOVE])]
    assert found["steps"] == views


def test_steps_of_a_game_with_an_error_end_before_it(files: Files) -> None:
    found, _ = files.replay(text(HEADER, ROLL, "garbage", MOVE), steps=True)
    assert len(found["steps"]) == 2


@pytest.mark.parametrize("data", [b"", text({"record": 2}), b"torn {"], ids=["empty", "version", "torn"])
def test_steps_of_no_game_are_empty(files: Files, data: bytes) -> None:
    assert files.replay(data, steps=True)[0]["steps"] == []


# --- the header -------------------------------------------------------------------------------------------------------

BAD_HEADERS: dict[str, tuple[dict[str, Any], str | None]] = {
    "version 2": ({"record": 2}, "witch-race"),
    "version 0": ({"record": 0}, "witch-race"),
    "version true": ({"record": True}, "witch-race"),
    "version 1.0": ({"record": 1.0}, "witch-race"),
    "version text": ({"record": "1"}, "witch-race"),
    "version null": ({"record": None}, "witch-race"),
    "game unknown": ({"game": "chess"}, None),
    "game null": ({"game": None}, None),
    "game list": ({"game": ["witch-race"]}, None),
    "game object": ({"game": {}}, None),
    "game spelled otherwise": ({"game": "witch_race"}, None),
    "players null": ({"players": None}, "witch-race"),
    "players text": ({"players": "Ana"}, "witch-race"),
    "players object": ({"players": {"Ana": 1, "Bo": 2}}, "witch-race"),
    "players number": ({"players": ["Ana", 2]}, "witch-race"),
    "players none": ({"players": []}, "witch-race"),
    "players one": ({"players": ["Ana"]}, "witch-race"),
    "players five": ({"players": list("abcde")}, "witch-race"),
    "players twins": ({"players": ["Ana", "Ana"]}, "witch-race"),
    "name empty": ({"players": ["Ana", ""]}, "witch-race"),
    "name blank": ({"players": ["Ana", " \t\u3000"]}, "witch-race"),
    "name long": ({"players": ["Ana", "x" * 25]}, "witch-race"),
    "name half a letter": ({"players": ["Ana", "\ud800"]}, "witch-race"),
    "key unknown": ({"speed": 3}, "witch-race"),
    "key input": ({"input": "roll"}, "witch-race"),
    "key undo": ({"undo": True}, "witch-race"),
    "options null": ({"options": None}, "witch-race"),
    "options list": ({"options": []}, "witch-race"),
    "option unknown": ({"options": {"speed": 3}}, "witch-race"),
    "option type": ({"options": {"foreign_sign": 1}}, "witch-race"),
    "option value": ({"options": {"foreign_sign": "sideways"}}, "witch-race"),
    "option null": ({"options": {"start_player": None}}, "witch-race"),
    "option nobody": ({"options": {"start_player": "Cid"}}, "witch-race"),
    "option player missing": ({"options": {"clans": {"Ana": "ice"}}}, "witch-race"),
    "option twice the same": ({"options": {"clans": {"Ana": "ice", "Bo": "ice"}}}, "witch-race"),
    "option required": ({"game": "hare-tortoise"}, "hare-tortoise"),
}


@pytest.mark.parametrize("case", BAD_HEADERS)
def test_a_wrong_header_is_an_error_of_line_1_and_no_game(files: Files, case: str) -> None:
    changed, game = BAD_HEADERS[case]
    found, status = files.replay(text(HEADER | changed, ROLL))
    assert status == 3
    assert found["error"]["line"] == 1
    assert found["error"]["rule"] is None
    assert found["game"] == game
    nothing = {"inputs": 0, "over": False, "expects": [], "view": None, "result": None}
    assert state(found) == nothing
    assert (found["dropped"], found["rulings"]) == (0, [])


@pytest.mark.parametrize(
    ("case", "named"),
    [
        ("key unknown", "speed"), ("option unknown", "speed"), ("option type", "foreign_sign"),
        ("option value", "foreign_sign"), ("option nobody", "start_player"), ("option required", "streams"),
        ("option player missing", "clans"), ("players null", "players"), ("version 2", "record"),
        ("game unknown", "game"), ("options list", "options"), ("players five", "players"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("lang", LANGS)
def test_an_error_of_the_header_names_what_is_wrong(files: Files, case: str, named: str, lang: str) -> None:
    path = files.write(text(HEADER | BAD_HEADERS[case][0]))
    assert named in replay_file(path, "ko" if lang == "ko" else "en", steps=False)[0]["error"]["message"]


@pytest.mark.parametrize("key", ["game", "players"])
def test_a_header_that_lacks_a_key_is_an_error(files: Files, key: str) -> None:
    header = {name: value for name, value in HEADER.items() if name != key}
    assert files.replay(text(header))[1] == 3


@pytest.mark.parametrize(
    "names", [["a", "b"], ["x" * 24, "y"], ["Ana ", "Ana"], ["다은", "👩‍🚀"], ["\u00e9", "e\u0301"]]
)
def test_names_are_compared_exactly_and_counted_in_code_points(files: Files, names: list[str]) -> None:
    assert files.replay(text(HEADER | {"players": names}))[1] == 0


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n", b"   \n", b"null\n", b"[]\n", b"1\n", b'"record"\n', b"{}\n", b"{", b'{"record": 1', b"\xff\xfe\n",
        b'\xef\xbb\xbf{"record": 1, "game": "witch-race", "players": ["Ana", "Bo"]}\n', text({"game": "witch-race"}),
        text('{"record": 1, "record": 1, "game": "witch-race", "players": ["Ana", "Bo"]}'),
        text('{"record": NaN}'), b"\n" + text(HEADER), b"\x00" * 64, b"{" * 100_000,
    ],
    ids=range(18),
)  # fmt: skip
def test_a_file_without_a_header_is_no_record_at_all(files: Files, data: bytes) -> None:
    found, status = files.replay(data)
    assert status == 2
    assert found["error"]["line"] == 1
    assert found["view"] is None
    assert found["inputs"] == 0


@pytest.mark.parametrize("path", ["/nowhere/at/all.jsonl", "/proc", "", "a\x00b"])
def test_a_file_that_cannot_be_opened_is_no_record_at_all(path: str) -> None:
    found, status = replay_file(path, "en", steps=False)
    assert status == 2
    assert list(found) == KEYS
    assert found["file"] == path
    assert found["game"] is None


def test_a_whole_header_without_its_line_feed_is_a_game(files: Files) -> None:
    found, status = files.replay(text(HEADER)[:-1])
    assert (status, found["dropped"], found["error"]) == (0, 0, None)


# --- lines ------------------------------------------------------------------------------------------------------------

UNREADABLE: dict[str, bytes] = {
    "blank": b"",
    "spaces": b"   ",
    "words": b"hello",
    "two objects": b'{"undo": true} {"undo": true}',
    "a list": b"[1]",
    "a number": b"7",
    "null": b"null",
    "cut off": b'{"input": "roll", "player": "Ana"',
    "not UTF-8": b'{"input": "roll", "player": "Ana", "die": 6, "note": "\xff"}',
    "UTF-16": json.dumps(ROLL).encode("utf-16-le"),
    "a key twice": b'{"input": "roll", "player": "Ana", "die": 6, "die": 6}',
    "a key twice, once escaped": b'{"input": "roll", "player": "Ana", "die": 6, "di\\u0065": 6}',
    "a meta key twice": b'{"input": "roll", "player": "Ana", "die": 6, "note": 1, "note": 1}',
    "a key twice, deep": b'{"input": "roll", "player": "Ana", "die": 6, "note": [{"a": {"b": 1, "b": 2}}]}',
    "a key twice beside an escape": b'{"input": "roll", "player": "Ana", "die": 6, "note": {"a": "\\"", "a": 1}}',
    "NaN": b'{"input": "roll", "player": "Ana", "die": 6, "note": NaN}',
    "Infinity": b'{"input": "roll", "player": "Ana", "die": 6, "note": -Infinity}',
    "single quotes": b"{'undo': true}",
    "comment": b'{"undo": true} // back',
    "comma": b'{"undo": true,}',
    "form feed": b'\x0c{"input": "roll", "player": "Ana", "die": 6}',
    "control character": b'{"input": "roll", "player": "Ana", "die": 6, "note": "a\x01"}',
    "leading zero": b'{"input": "roll", "player": "Ana", "die": 06}',
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_an_unreadable_line_stops_the_game_before_it(files: Files, case: str) -> None:
    found = stops(files, text(HEADER, ROLL, UNDO, UNREADABLE[case], ROLL), 4, 0)
    assert found["error"]["rule"] is None
    assert state(found) == state(good(files))


@pytest.mark.parametrize("case", UNREADABLE)
def test_an_unreadable_line_in_the_middle_is_never_taken_for_a_torn_one(files: Files, case: str) -> None:
    stops(files, text(HEADER, ROLL, UNREADABLE[case]), 3, 1)


def test_a_file_may_end_after_its_line_feed_only_once(files: Files) -> None:
    stops(files, text(HEADER, ROLL) + b"\n", 3, 1)


@pytest.mark.parametrize("space", [b"\r", b" ", b"\t", b" \t\r"])
def test_white_space_around_a_line_is_none_of_it(files: Files, space: bytes) -> None:
    lines = text(HEADER, ROLL, MOVE).splitlines()
    for data in (b"".join(one + space + b"\n" for one in lines), b"".join(space + one + b"\n" for one in lines)):
        found, status = files.replay(data)
        assert (status, found["inputs"]) == (0, 2)


@pytest.mark.parametrize("end", ["\u2028", "\u0085", "\x0b"])
def test_lines_end_at_a_line_feed_only(files: Files, end: str) -> None:
    note = json.dumps({**ROLL, "note": f"a{end}b"}, ensure_ascii=False)
    if end == "\x0b":
        note = note.replace("\\u000b", "\\u000b")
    assert good(files, note)["inputs"] == 1


def test_the_order_of_keys_does_not_matter(files: Files) -> None:
    turned = [dict(reversed(one.items())) for one in (HEADER, ROLL, MOVE, TILE)]
    found, status = files.replay(text(*turned))
    assert status == 0
    assert state(found) == state(good(files, ROLL, MOVE, TILE))


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("key", META)
def test_meta_keys_stand_on_any_line_with_any_value_and_change_nothing(files: Files, key: str, value: object) -> None:
    extra = {key: value}
    found, status = files.replay(text(HEADER | extra, ROLL | extra, MOVE | extra, UNDO | extra, MOVE | extra))
    assert (status, found["error"]) == (0, None)
    assert state(found) == state(good(files, ROLL, MOVE))


@pytest.mark.parametrize("value", ["1e999", "-0.0", "1" + "0" * 400, "0.1e-400", '"\\ud800"', '"\\udc00\\ud800"'])
def test_a_meta_value_that_no_number_or_letter_of_ours_holds_is_still_no_error(files: Files, value: str) -> None:
    line = json.dumps(ROLL)[:-1] + f', "note": {value}}}'
    assert good(files, line)["inputs"] == 1


def test_a_meta_key_inside_a_field_is_none(files: Files) -> None:
    header = HEADER | {"options": {"note": 1}}
    assert files.replay(text(header))[1] == 3


# --- inputs -----------------------------------------------------------------------------------------------------------

WRONG_INPUTS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown": ({"input": "jump", "player": "Ana"}, "jump"),
    "empty name": ({"input": ""}, "input"),
    "missing field": ({"input": "roll", "player": "Ana"}, "die"),
    "unknown field": ({**ROLL, "speed": 3}, "speed"),
    "true is not 1": ({**ROLL, "die": True}, "die"),
    "1.0 is not 1": ({**ROLL, "die": 1.0}, "die"),
    "text is not 1": ({**ROLL, "die": "1"}, "die"),
    "null is not absent": ({**ROLL, "die": None}, "die"),
    "too much": ({**ROLL, "die": 7}, "die"),
    "too little": ({**ROLL, "die": 0}, "die"),
    "huge": ({**ROLL, "die": 10**30}, "die"),
    "list": ({**ROLL, "die": [6]}, "die"),
    "nobody": ({**ROLL, "player": "Cid"}, "Cid"),
    "case counts": ({**ROLL, "player": "ana"}, "ana"),
    "not on turn": ({**ROLL, "player": "Bo"}, "Bo"),
    "other phase": ({"input": "tile", "clan": "ice", "face": 4}, "tile"),
    "wrong name": ({"input": "tile", "clan": "fire", "face": 4}, "clan"),
}


@pytest.mark.parametrize("case", WRONG_INPUTS)
def test_an_input_of_the_wrong_shape_phase_or_turn_names_what_is_wrong_and_no_clause(files: Files, case: str) -> None:
    line, named = WRONG_INPUTS[case]
    found = stops(files, text(HEADER, line, ROLL), 2, 0)
    assert found["error"]["rule"] is None
    assert named in found["error"]["message"]
    assert state(found) == state(good(files))


def test_the_shape_is_judged_before_the_turn_and_the_clauses(files: Files) -> None:
    found = stops(files, text(HEADER, {"input": "move", "player": "Cid", "from": "0"}), 2, 0)
    assert "from" in found["error"]["message"]


def test_a_move_that_a_clause_forbids_names_the_clause(files: Files) -> None:
    found = stops(files, text(HEADER, ROLL, {**MOVE, "from": 5}), 3, 1)
    assert found["error"]["rule"] == "WR-2"


@pytest.mark.parametrize(
    "line",
    [
        {}, {"at": 1}, {"undo": False}, {"undo": 1}, {"undo": None}, {"undo": "true"}, {"undo": True, "input": "roll"},
        {**ROLL, "undo": True}, {**ROLL, "undo": False}, {"undo": True, "die": 6}, {"undo": True, "input": None},
        {"input": None}, {"input": 1}, {"input": ["roll"]}, {"input": {}, "undo": True},
    ],
    ids=range(15),
)  # fmt: skip
def test_undo_beside_input_or_neither_is_an_error(files: Files, line: dict[str, Any]) -> None:
    found = stops(files, text(HEADER, ROLL, line), 3, 1)
    assert state(found) == state(good(files, ROLL))


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_takes_back_the_newest_input_that_still_stands(files: Files) -> None:
    assert state(good(files, ROLL, MOVE, UNDO)) == state(good(files, ROLL))
    assert state(good(files, ROLL, MOVE, UNDO, UNDO)) == state(good(files))
    assert state(good(files, ROLL, UNDO, {**ROLL, "die": 5}, UNDO, ROLL)) == state(good(files, ROLL))


@pytest.mark.parametrize("lines", [[UNDO], [ROLL, UNDO, UNDO]])
def test_undo_with_nothing_to_take_back_is_an_error(files: Files, lines: list[dict[str, Any]]) -> None:
    stops(files, text(HEADER, *lines), 1 + len(lines), 0)


# --- a torn last line -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", range(1, len(text(MOVE)) - 1))
def test_a_last_line_cut_off_anywhere_is_dropped_and_said_so(files: Files, cut: int) -> None:
    found, status = files.replay(text(HEADER, ROLL) + text(MOVE)[:cut])
    assert (status, found["dropped"], found["error"]) == (0, 1, None)
    assert state(found) == state(good(files, ROLL))


def test_a_cut_through_the_middle_of_a_letter_is_dropped(files: Files) -> None:
    line = json.dumps({**MOVE, "note": "한"}, ensure_ascii=False).encode()
    cut = line.index("한".encode()) + 1
    assert files.replay(text(HEADER, ROLL) + line[:cut])[0]["dropped"] == 1


def test_a_complete_last_line_without_its_line_feed_is_carried_out(files: Files) -> None:
    found, status = files.replay(text(HEADER, ROLL, MOVE)[:-1])
    assert (status, found["dropped"], found["inputs"]) == (0, 0, 2)


@pytest.mark.parametrize(
    "tail",
    [
        b"7", b"[]", b"null", b'"x"', b"{}", b'{"input": "jump"}', b'{"undo": true, "input": "roll"}',
        b'{"input": "move", "player": "Bo", "from": 0}', b'{"input": "move", "player": "Ana", "from": 0, "from": 0}',
        b'{"input": "move", "player": "\\ud800", "from": 0}',
        b'{"input": "move", "player": "Ana", "from": 0, "\\ud800": 1}',
        b'{"input": "move", "player": "Ana", "from": ' + b"9" * 400 + b"}",
        b'{"input": "move", "player": "Ana", "from": 1e999}',
    ],
    ids=range(13),
)  # fmt: skip
def test_a_complete_last_line_that_is_wrong_is_an_error_not_a_torn_line(files: Files, tail: bytes) -> None:
    found = stops(files, text(HEADER, ROLL) + tail, 3, 1)
    assert state(found) == state(good(files, ROLL))


def test_a_torn_line_behind_an_error_is_not_counted(files: Files) -> None:
    assert stops(files, text(HEADER, ROLL, "garbage") + b'{"inp', 3, 1)["dropped"] == 0


@given(st.binary(max_size=60), st.integers(0, 2**32 - 1).map(Random))
@settings(max_examples=150, deadline=None)
def test_any_bytes_anywhere_give_one_object_and_the_state_before_the_fault(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, dice: Random
) -> None:
    whole = text(HEADER, ROLL, MOVE, TILE)
    at = dice.randint(0, len(whole))
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(whole[:at] + junk + (whole[at:] if dice.random() < 0.5 else b""))
    found, status = replay_file(str(path), "en", steps=True)
    error = found["error"]
    assert status in ((0,) if error is None else (2, 3) if error["line"] == 1 else (3,))
    assert found["inputs"] == len({one["line"] for one in found["rulings"]})
    json.dumps(found, allow_nan=False)


# --- several files ----------------------------------------------------------------------------------------------------

GOOD = text(HEADER, ROLL)
ERROR = text(HEADER, MOVE)
NONE = b""


@pytest.mark.parametrize(
    ("contents", "status"),
    [
        ([GOOD], 0), ([GOOD, GOOD], 0), ([ERROR], 3), ([NONE], 2), ([GOOD, ERROR], 3), ([ERROR, GOOD], 3),
        ([NONE, GOOD], 2), ([NONE, ERROR, GOOD], 2), ([ERROR, NONE], 2), ([GOOD, text({"record": 2})], 3),
    ],
    ids=range(10),
)  # fmt: skip
def test_one_bad_file_never_stops_the_others(
    files: Files, capsysbinary: pytest.CaptureFixture[bytes], contents: list[bytes], status: int
) -> None:
    paths = [files.write(data) for data in contents]
    assert main(["replay", *paths, "--json"]) == status
    printed = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert [one["file"] for one in printed] == paths
    assert [one["error"] is None for one in printed] == [data == GOOD for data in contents]


def test_a_name_that_utf_8_cannot_hold_is_printed_all_the_same(
    files: Files, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = files.write(text(HEADER, {**ROLL, "player": "\ud800"}))
    assert main(["replay", path, "no\udcff.jsonl", "--json"]) == 2
    first, second = capsysbinary.readouterr().out.splitlines()
    assert json.loads(first)["error"]["line"] == 2
    assert json.loads(second)["file"] == "no\udcff.jsonl"


@pytest.mark.parametrize("lang", LANGS)
def test_the_language_changes_the_message_and_nothing_else(
    files: Files, capsysbinary: pytest.CaptureFixture[bytes], lang: str
) -> None:
    path = files.write(text(HEADER, ROLL, MOVE, MOVE))
    main(["replay", path, "--json", "--steps"])
    main(["replay", path, "--json", "--steps", "--lang", lang])
    one, other = (json.loads(line) for line in capsysbinary.readouterr().out.splitlines())
    assert one["error"].pop("message")
    assert other["error"].pop("message")
    assert one == other


@pytest.mark.parametrize("game", shelf.ids())
def test_recorded_games_replay_to_the_end_and_the_same_with_their_keys_turned(files: Files, game: str) -> None:
    folder = Path(__file__).parents[1] / "engines" / game.replace("-", "_")
    records = sorted(folder.glob("*.jsonl"))
    assert records
    for path in records:
        found, status = replay_file(str(path), "en", steps=False)
        assert (status, found["error"], found["game"]) == (0, None, game)
        lines = [turned(json.loads(line)) for line in path.read_bytes().splitlines()]
        again, _ = files.replay(text(*lines))
        assert state(again) == state(found)


def turned(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Give a JSON value with the keys of all its objects in the opposite order."""
    if isinstance(value, dict):
        return {key: turned(one) for key, one in reversed(value.items())}
    return [turned(one) for one in value] if isinstance(value, list) else value


def test_a_thousand_inputs_take_well_under_a_second(files: Files) -> None:
    lines = [ROLL, MOVE, UNDO, UNDO] * 500
    path = files.write(text(HEADER, *lines))
    began = time.process_time()
    assert replay_file(path, "en", steps=False)[1] == 0
    assert time.process_time() - began < 1.0
