from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.mat.layout import Layout, layouts
from vision.mat.markers import find_markers, find_mat
from vision.picture import Picture

NAMES = [m.name for m in layouts()]

Matrix = NDArray[np.float64]


def by_name(name: str) -> Layout:
    return next(m for m in layouts() if m.name == name)


def test_six_mats_have_24_markers_of_their_own() -> None:
    assert sorted(i for m in layouts() for i in m.markers) == list(range(24))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("turn", "tilt"), [(0, 0), (37, 0), (90, 15), (180, 0), (211, 25), (300, 35), (0, 35)])
def test_every_marker_of_every_mat_is_found(
    shoot: Callable[..., tuple[Picture, Matrix]], name: str, turn: float, tilt: float
) -> None:
    picture, _ = shoot(name, turn, tilt)
    seen = find_markers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), thorough=True)
    assert set(by_name(name).markers) <= set(seen)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("turn", "tilt"), [(0, 0), (45, 10), (135, 30), (270, 35)])
def test_regions_are_right_to_half_a_millimetre(
    shoot: Callable[..., tuple[Picture, Matrix]], name: str, turn: float, tilt: float
) -> None:
    picture, to_px = shoot(name, turn, tilt)
    mat = find_mat(picture)
    assert mat is not None
    assert mat.layout.name == name
    for r in mat.layout.regions:
        for x, y in ((r.x, r.y), (r.x + r.width, r.y + r.height)):
            px = to_px @ (x, y, 1)
            assert mat.mm((px[0] / px[2], px[1] / px[2])) == pytest.approx((x, y), abs=0.5)


@pytest.mark.parametrize("hidden", [20, 21, 22, 23])
def test_a_covered_marker_changes_nothing(shoot: Callable[..., tuple[Picture, Matrix]], hidden: int) -> None:
    picture, to_px = shoot("dice-tray", 30, 20, hide=(hidden,))
    mat = find_mat(picture)
    assert mat is not None
    assert mat.layout.name == "dice-tray"
    assert hidden not in mat.markers
    px = to_px @ (210, 148, 1)
    assert mat.mm((px[0] / px[2], px[1] / px[2])) == pytest.approx((210, 148), abs=0.5)


def test_two_markers_are_not_enough(shoot: Callable[..., tuple[Picture, Matrix]]) -> None:
    picture, _ = shoot("dice-tray", hide=(20, 22))
    assert find_mat(picture) is None


def test_a_mirrored_mat_is_none(shoot: Callable[..., tuple[Picture, Matrix]]) -> None:
    picture, _ = shoot("witch-race", 10, 10)
    assert find_mat(np.ascontiguousarray(picture[:, ::-1])) is None


def test_corners_go_clockwise_from_the_papers_own_top_left(shoot: Callable[..., tuple[Picture, Matrix]]) -> None:
    upright, turned = (find_mat(shoot("horror-race", turn)[0]).corners_px() for turn in (0, 180))
    assert upright[0] == pytest.approx(turned[2], abs=3)
    assert upright[0][0] < upright[1][0]
    assert upright[1][1] < upright[2][1]


@pytest.mark.parametrize("picture", [np.zeros((480, 640, 3), np.uint8), np.full((480, 640, 3), 255, np.uint8)])
def test_nothing_in_view_is_no_mat(picture: Picture) -> None:
    assert find_mat(picture) is None


def test_a_die_stands_where_its_foot_is(shoot: Callable[..., tuple[Picture, Matrix]]) -> None:
    picture, to_px = shoot("dice-tray", 0, 30)
    mat = find_mat(picture)
    lifted = mat.plane(16.0) @ (100, 100, 1)
    assert mat.mm((lifted[0] / lifted[2], lifted[1] / lifted[2]), 16.0) == pytest.approx((100, 100), abs=0.1)
    flat = to_px @ (100, 100, 1)
    assert lifted[1] / lifted[2] > flat[1] / flat[2] + 5  # this camera stands at the page's top and looks down it


def test_a_place_near_the_line_counts_as_inside() -> None:
    tray = by_name("dice-tray")
    assert tray.region_at(13, 100, 4).name == "dice"
    assert tray.region_at(11, 100, 4) is None
