"""What several readings of one still scene say together."""

import pytest

from companion.agreement import agreed, are_enough
from vision.observation import Observation, Sighting


def seen(*names: str, sure: bool) -> Observation:
    pieces = tuple(
        Sighting("die", name, 0.9, (), "up", None, (i * 50.0, 9.0), None, 0.0, (0.0, 0.0, 9.0, 9.0))
        for i, name in enumerate(names)
    )
    return Observation((640, 480), None, None, pieces, (), sure=sure)


SURE, UNSURE, OTHER = seen("4", sure=True), seen("4", sure=False), seen("5", sure=True)


@pytest.mark.parametrize(
    ("readings", "enough"),
    [
        ([], False),
        ([SURE], True),
        ([UNSURE], False),
        ([UNSURE, UNSURE], True),
        ([UNSURE, SURE], False),
        ([UNSURE, seen("5", sure=False)], False),
        ([UNSURE, SURE, SURE], True),
    ],
)
def test_how_many_readings_a_scene_takes(readings: list[Observation], *, enough: bool) -> None:
    assert are_enough(readings) is enough


@pytest.mark.parametrize(
    ("readings", "sure"),
    [
        ([SURE], True),
        ([UNSURE, UNSURE], False),
        ([UNSURE, SURE, SURE], True),
        ([UNSURE, SURE, UNSURE], False),
        ([UNSURE, OTHER, OTHER], False),
        ([UNSURE, SURE, OTHER], False),
    ],
)
def test_a_scene_is_sure_where_most_readings_are_and_none_names_other_pieces(
    readings: list[Observation], *, sure: bool
) -> None:
    assert agreed(readings).sure is sure


def test_the_order_in_which_dice_are_found_is_no_difference() -> None:
    one, other = seen("2", "5", sure=True), seen("5", "2", sure=True)
    assert agreed([seen("2", "5", sure=False), one, other]).sure
