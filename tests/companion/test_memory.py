"""Where pieces lay is kept in the record's notes, and read again by the next start."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.memory import noted, remembered
from companion.scene import Lain
from companion.seal import sealed

DIE = Lain("6", (512.04, 300.26), None)
CARD = Lain("animal:2:-1", (80.0, 90.0), (12.3, 45.6))


def lines(*written: dict[str, object]) -> list[bytes]:
    """Lines as a journal writes them, each with its seal."""
    seal = None
    made = []
    for line in written:
        data, seal = sealed(line, seal)
        made.append(data)
    return made


HEADER: dict[str, object] = {"record": 1, "game": "witch-race", "players": ["Ana", "Bo"]}


def test_what_lay_there_is_known_again_to_a_tenth() -> None:
    found = remembered(lines(HEADER, {"input": "roll", "die": 6, **noted([DIE])}, {"input": "card", **noted([CARD])}))
    assert found == {"roll": (Lain("6", (512.0, 300.3), None),), "card": (CARD,)}


def test_of_one_input_the_last_counts_and_others_leave_it() -> None:
    later = Lain("3", (10.0, 20.0), None)
    roll = {"input": "roll", "die": 6, **noted([DIE])}
    found = remembered(lines(HEADER, roll, {"input": "move"}, {**roll, **noted([later])}, {"input": "move"}))
    assert found == {"roll": (later,)}


def test_what_is_taken_back_is_forgotten_and_what_is_put_right_by_hand_is_not() -> None:
    roll = {"input": "roll", "die": 6, **noted([CARD])}
    assert remembered(lines(HEADER, roll, {"undo": True})) == {}
    fixed = remembered(lines(HEADER, roll, {"undo": True, "note": "fix"}, {"input": "roll", "die": 5}))
    assert fixed == {"roll": (CARD,)}


@pytest.mark.parametrize("note", ["lain", "lain ", "lain [", "lain [[1]]", "lain nonsense]", "Ana wins"])
def test_notes_of_somebody_else_are_passed_by(note: str) -> None:
    assert remembered(lines(HEADER, {"input": "roll", "note": note})) == {}


@pytest.mark.parametrize("note", [b"7", b"null", b'["lain"]', b'{"lain": []}'])
def test_notes_that_are_no_text_are_passed_by(note: bytes) -> None:
    assert remembered([b'{"record": 1}', b'{"input": "roll", "note": %s}' % note]) == {}


def test_no_pieces_leave_no_note() -> None:
    assert noted([]) == {}


places = st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
pieces = st.lists(st.builds(Lain, st.text(max_size=30), places, st.none() | places), min_size=1, max_size=8)


@settings(max_examples=30, deadline=None)
@given(pieces)
def test_any_names_and_places_come_back(lain: list[Lain]) -> None:
    (found,) = remembered(lines(HEADER, {"input": "roll", **noted(lain)})).values()
    assert [one.name for one in found] == [one.name for one in lain]
    for one, old in zip(found, lain, strict=True):
        assert one.at_px == pytest.approx(old.at_px, abs=0.051)
