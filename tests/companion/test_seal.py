"""Seals: whatever happens to a line of a journal is noticed, and a record stays a record."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.seal import SealError, checked, goes_on, sealed
from engines import record

LINE: dict[str, Any] = {"input": "roll", "player": "다은", "die": 6}


def whole(*lines: dict[str, Any]) -> list[bytes]:
    seal, found = None, []
    for line in lines:
        data, seal = sealed(line, seal)
        found.append(data)
    return found


def test_a_sealed_line_is_an_object_with_a_note_and_the_lines_own_fields() -> None:
    found = record.parse(whole(LINE)[0])
    assert {key: value for key, value in found.items() if key != "note"} == LINE
    assert isinstance(found["note"], str)


@given(note=st.text(st.characters(exclude_categories=["Cs"])))
def test_a_note_stays_in_front_of_its_seal(note: str) -> None:
    (data,) = whole({**LINE, "note": note})
    assert str(record.parse(data)["note"]).startswith(note)
    assert checked(data, None) is not None


@given(at=st.integers(0, len(whole(LINE)[0]) * 8 - 1))
def test_a_changed_bit_is_noticed(at: int) -> None:
    first, second = whole(LINE, LINE)
    changed = bytearray(second)
    changed[at // 8 % len(second)] ^= 1 << at % 8
    with pytest.raises(SealError):
        checked(bytes(changed), checked(first, None))


def test_a_missing_a_doubled_and_a_moved_line_are_noticed() -> None:
    one, two, three = whole(LINE, {"undo": True}, LINE)
    seal = checked(one, None)
    for wrong in (one, three):
        with pytest.raises(SealError, match="broken"):
            checked(wrong, seal)
    assert checked(three, checked(two, seal)) is not None


def test_a_line_without_a_seal_is_good_before_the_first_seal_only() -> None:
    bare = b'{"input":"roll","player":"Bo","die":2}'
    assert checked(bare, None) is None
    with pytest.raises(SealError, match="missing"):
        checked(bare, checked(whole(LINE)[0], None))


def test_a_line_that_belongs_to_the_next_says_so() -> None:
    data, seal = sealed({"undo": True, "note": "fix"}, None, goes_on=True)
    assert goes_on(data)
    assert checked(data, None) == seal
    assert not goes_on(whole(LINE)[0])
