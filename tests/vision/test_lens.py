"""A lens bends pictures; the bend is found out from one mat and taken out again."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.mat.lens import Lens
from vision.mat.markers import find_mat
from vision.picture import Picture

Matrix = NDArray[np.float64]
SIZE = (1280, 720)
MIDDLE = np.array([639.5, 359.5])


def bent(picture: Picture, k1: float, focal: float = 1400.0) -> Picture:
    """The picture as a lens with the polynomial model of OpenCV's calibration shows it."""
    inner = np.array([[focal, 0, MIDDLE[0]], [0, focal, MIDDLE[1]], [0, 0, 1]])
    seen = np.stack(np.meshgrid(np.arange(1280.0), np.arange(720.0)), -1).reshape(-1, 1, 2)
    straight = cv2.undistortPoints(seen, inner, np.array([k1, 0, 0, 0]), P=inner).reshape(720, 1280, 2)
    x, y = cv2.split(straight.astype(np.float32))
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_CUBIC, borderValue=(60, 70, 80)), np.uint8)


def seen_at(to_px: Matrix, k1: float, place: tuple[float, float], focal: float = 1400.0) -> tuple[float, float]:
    """Where such a lens shows a place on the page."""
    x, y, w = to_px @ (*place, 1)
    offset = (np.array([x / w, y / w]) - MIDDLE) / focal
    u, v = MIDDLE + offset * (1 + k1 * (offset @ offset)) * focal
    return float(u), float(v)


@given(st.floats(-0.4, 0.2), st.tuples(st.floats(0, 1279), st.floats(0, 719)))
def test_a_seen_pixel_made_straight_is_seen_there(bend: float, pixel: tuple[float, float]) -> None:
    lens = Lens(bend)
    assert lens.seen(lens.straight(pixel, SIZE), SIZE) == pytest.approx(pixel, abs=1e-6)


@given(st.floats(-0.4, 0.2))
def test_one_lens_serves_every_size_of_picture(bend: float) -> None:
    lens = Lens(bend)
    middle = np.array([319.5, 179.5])
    small = lens.straight(middle + np.array([300, 150]), (640, 360)) - middle
    assert lens.straight(MIDDLE + np.array([600, 300]), SIZE) - MIDDLE == pytest.approx(2 * small)


@pytest.mark.parametrize("k1", [-0.13, -0.05, 0.05])
@pytest.mark.parametrize(("turn", "tilt"), [(0, 0), (135, 30)])
def test_through_a_lens_that_nobody_measured_regions_are_right_to_half_a_millimetre(
    shoot: Callable[..., tuple[Picture, Matrix]], turn: float, tilt: float, k1: float
) -> None:
    picture, to_px = shoot("hare-tortoise", turn, tilt)
    mat = find_mat(bent(picture, k1))
    assert mat is not None
    for r in mat.layout.regions:
        for place in ((r.x, r.y), (r.x + r.width, r.y), (r.x + r.width, r.y + r.height), (210, 148)):
            assert mat.mm(seen_at(to_px, k1, place)) == pytest.approx(place, abs=0.5)
            assert mat.px([place])[0] == pytest.approx(seen_at(to_px, k1, place), abs=1.0)


def test_the_bend_is_found_with_its_doubt(shoot: Callable[..., tuple[Picture, Matrix]]) -> None:
    k1 = -0.1
    for turn in (0, 60, 200):
        mat = find_mat(bent(shoot("dice-tray", turn, 15)[0], k1))
        assert mat is not None
        assert mat.lens.doubt < 0.05
        assert mat.lens.bend == pytest.approx(k1 * (1280 / 1400) ** 2, abs=3 * mat.lens.doubt)


def smeared(picture: Picture) -> Picture:
    """The picture of a camera that moved across its own diagonal; light adds up before gamma, so white paper wins."""
    x, y = np.meshgrid(*[np.arange(-8.0, 9.0)] * 2)
    streak = np.exp(-(((x + y) / 1.5) ** 2 + ((x - y) / 0.5) ** 2) / 4)
    light = cv2.filter2D((picture / 255.0) ** 2.2, -1, streak / streak.sum())
    return np.asarray(np.clip(light, 0, 1) ** (1 / 2.2) * 255, np.uint8)


def test_blur_is_not_taken_for_a_bend(shoot: Callable[..., tuple[Picture, Matrix]]) -> None:
    picture, to_px = shoot("dice-tray", 20, 10)
    mat = find_mat(smeared(picture))
    assert mat is not None
    assert mat.lens.bend == pytest.approx(0, abs=2 * mat.lens.doubt)
    r = mat.layout.regions[0]
    for place in ((r.x, r.y), (r.x + r.width, r.y), (r.x + r.width, r.y + r.height), (210, 148)):
        assert mat.mm(seen_at(to_px, 0, place)) == pytest.approx(place, abs=0.5)


def test_a_straightened_view_has_straight_lines_where_the_layout_has_them(
    shoot: Callable[..., tuple[Picture, Matrix]],
) -> None:
    picture, _ = shoot("hare-tortoise", 0, 20)
    seen = bent(picture, -0.13)
    mat = find_mat(seen)
    assert mat is not None
    region = mat.layout.regions[0]
    view = cv2.cvtColor(mat.straightened(seen, region, 3), cv2.COLOR_BGR2GRAY)
    # The frame is the view's own edge; a plain homography leaves it 8 px inside at the middle of the long sides
    assert view[:4].min(0).max() < 215
    assert view[8:-8, 8:-8].min() > 215


def test_a_lens_that_was_measured_is_believed(shoot: Callable[..., tuple[Picture, Matrix]]) -> None:
    picture, _ = shoot("dice-tray", 0, 0)
    mat = find_mat(picture, Lens(-0.1, 1e-6, 0.8))
    assert mat is not None
    assert mat.lens.bend == pytest.approx(-0.1, abs=1e-4)
    assert mat.focal == pytest.approx(0.8 * 1280)
