from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.dice.lattice import compare, straighten
from vision.picture import Picture

Colours = tuple[tuple[int, int, int], tuple[int, int, int]]


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("turn", [0, 11, 29, 45, 63, 88])
@pytest.mark.parametrize("colours", [((235, 240, 240), (25, 25, 25)), ((40, 30, 160), (240, 240, 240))])
def test_a_drawn_face_is_read_at_any_turn(
    table: Picture, put_die: Callable[..., None], value: int, turn: float, colours: Colours
) -> None:
    put_die(table, (300, 200), value, turn_deg=turn, body=colours[0], pip=colours[1])
    pattern = compare(straighten(table, np.array([300.0, 200.0]), 44, (0.0, 0.0)))
    assert pattern.best == value
    assert pattern.lead(value) > 0.02


def test_a_squeezed_face_is_straightened_first(table: Picture, put_die: Callable[..., None]) -> None:
    put_die(table, (300, 200), 5, turn_deg=0)
    squeezed = np.asarray(cv2.resize(table, (640, 240)), np.uint8)
    # Half as high: the logarithm of the shape diag(1, 1/4) without its trace
    a = np.log(4) / 2
    pattern = compare(straighten(squeezed, np.array([300.0, 100.0]), 44 / np.sqrt(2), (float(a), 0.0)))
    assert pattern.best == 5


def test_bare_wood_is_like_no_face(table: Picture) -> None:
    pattern = compare(straighten(table, np.array([300.0, 200.0]), 44, (0.0, 0.0)))
    assert pattern.scores.max() < 0.6
