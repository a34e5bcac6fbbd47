from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.mat.calibration import CalibrationError, calibrate
from vision.mat.layout import layouts
from vision.mat.lens import Lens
from vision.mat.markers import find_mat
from vision.mat.mat import Mat
from vision.picture import Picture

LAYOUT = layouts()[0]
SIZE = (1280, 720)


def seen(turn: float, tilt: float, *, focal: float = 0.8, bend: float = -0.1, doubt: float = 0.02) -> Mat:
    """A mat as it would be found under a camera of that focal length, straight above its middle, then tilted."""
    inner = np.array([[focal * 1280, 0, 639.5], [0, focal * 1280, 359.5], [0, 0, 1]])
    a, b = np.radians(turn), np.radians(tilt)
    about = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    over = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    r = over @ about
    w, h = LAYOUT.paper
    pose = np.column_stack([r[:, 0], r[:, 1], r @ (-w / 2, -h / 2, 0) + (0, 0, 600)])
    return Mat(LAYOUT, inner @ pose, SIZE, LAYOUT.markers, Lens(bend, doubt))


VIEWS = [seen(0, 5), seen(60, 20), seen(120, 25), seen(200, 30)]


def test_the_lens_comes_out_that_the_views_have_in_common() -> None:
    lens = calibrate(VIEWS)
    assert lens.focal == pytest.approx(0.8, rel=0.02)
    assert lens.bend == pytest.approx(-0.1)
    assert 0.005 < lens.doubt < 0.02


def test_from_pictures_of_a_drawn_camera(shoot: Callable[..., tuple[Picture, NDArray[np.float64]]]) -> None:
    found = [find_mat(shoot("dark-horse", turn, tilt)[0]) for turn, tilt in ((0, 10), (70, 25), (140, 30), (250, 20))]
    lens = calibrate([mat for mat in found if mat is not None])
    assert lens.focal == pytest.approx(1400 / 1280, rel=0.03)
    assert lens.bend == pytest.approx(0, abs=3 * lens.doubt)


@pytest.mark.parametrize("views", [[], VIEWS[:2], [VIEWS[0]] * 9, [*VIEWS[:2], replace(VIEWS[2], markers=(0, 1, 2))]])
def test_too_few_different_views_are_refused(views: list[Mat]) -> None:
    with pytest.raises(CalibrationError, match="few"):
        calibrate(views)


def test_views_from_straight_above_tell_no_focal_length() -> None:
    with pytest.raises(CalibrationError, match="level"):
        calibrate([seen(turn, 0) for turn in (0, 50, 100, 150)])


def test_a_mat_far_away_tells_no_bend() -> None:
    with pytest.raises(CalibrationError, match="small"):
        calibrate([replace(view, lens=Lens(-0.1, 0.09)) for view in VIEWS])


def test_pictures_of_two_cameras_are_refused() -> None:
    with pytest.raises(CalibrationError, match="disagree"):
        calibrate([*VIEWS, seen(300, 20, bend=0.1)])
    with pytest.raises(CalibrationError, match="shapes"):
        calibrate([*VIEWS, replace(VIEWS[0], size=(1640, 1232))])
