"""Where things above the paper appear, against a camera whose pose is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.mat.eye import eye_of
from vision.mat.markers import find_mat

Shoot = Callable[..., tuple[Any, Any]]
FOCAL = 1400.0


Matrix = NDArray[np.float64]


def pose_of(to_px: Matrix) -> tuple[Matrix, Matrix]:
    inner = np.array([[FOCAL, 0, 640], [0, FOCAL, 360], [0, 0, 1.0]])
    pose = np.linalg.inv(inner) @ to_px
    return inner, pose / np.linalg.norm(pose[:, 0])


@pytest.mark.parametrize("tilt", [12, 25])
@pytest.mark.parametrize("turn", [0, 130])
def test_a_point_above_the_paper_appears_where_the_camera_sees_it(shoot: Shoot, tilt: float, turn: float) -> None:
    picture, to_px = shoot("ghost-hunters", turn, tilt)
    mat = find_mat(picture)
    assert mat is not None
    inner, pose = pose_of(to_px)
    up = -np.cross(pose[:, 0], pose[:, 1])
    at, height = np.array([330.0, 90.0]), 16.0
    x, y, w = inner @ (pose @ (*at, 1.0) + height * up)
    (appears,) = eye_of(mat).appears(at[None], height)
    assert mat.px([tuple(appears)])[0] == pytest.approx((x / w, y / w), abs=2.0)


def test_what_stands_there_appears_there_again(shoot: Shoot) -> None:
    mat = find_mat(shoot("ghost-hunters", 20, 18)[0])
    assert mat is not None
    eye, places = eye_of(mat), np.array([[20.0, 40.0], [400.0, 250.0]])
    assert eye.stands(eye.appears(places, 16.0), 16.0) == pytest.approx(places)


def test_a_blocks_outline_holds_its_upper_face_and_its_foot(shoot: Shoot) -> None:
    mat = find_mat(shoot("ghost-hunters", 0, 20)[0])
    assert mat is not None
    eye = eye_of(mat)
    foot = np.array([[300.0, 60.0], [316.0, 60.0], [316.0, 76.0], [300.0, 76.0]])
    outline = eye.outline(eye.appears(foot, 16.0), 16.0)
    low, high = outline.min(0), outline.max(0)
    assert (low <= foot.min(0) + 1e-3).all()
    assert (high >= foot.max(0) - 1e-3).all()
    assert 4 <= len(outline) <= 6
