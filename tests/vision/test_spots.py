from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.dice.spots import spots
from vision.mat.layout import Region
from vision.mat.markers import find_mat
from vision.mat.mat import Mat
from vision.picture import Picture

Shoot = Callable[..., tuple[Picture, object]]
Colours = tuple[tuple[int, int, int], tuple[int, int, int]]
DIE_MM = 16
VIEWS = [(0, 0), (180, 0), (37, 25)]


def mat_and_region(picture: Picture) -> tuple[Mat, Region]:
    mat = find_mat(picture)
    assert mat is not None
    region = mat.layout.region("dice")
    assert region is not None
    return mat, region


@pytest.mark.parametrize("name", ["dice-tray", "witch-race", "ghost-hunters"])
@pytest.mark.parametrize(("turn", "tilt"), VIEWS)
def test_a_bare_region_with_its_printed_line_has_no_spots(shoot: Shoot, name: str, turn: float, tilt: float) -> None:
    picture = shoot(name, turn, tilt)[0]
    assert spots(picture, *mat_and_region(picture)) == []


def test_a_soft_shadow_is_no_spot(shoot: Shoot) -> None:
    picture = shoot("dice-tray")[0]
    shade = cv2.GaussianBlur(cv2.circle(np.zeros(picture.shape[:2], np.float32), (640, 360), 120, 0.5, -1), (0, 0), 25)
    picture = np.asarray(picture * (1 - shade[..., None]), np.uint8)
    assert spots(picture, *mat_and_region(picture)) == []


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "place", [(0.5, 0.5), (0.3, 0.7), (0.0, 0.4), (1.0, 1.0)], ids=["middle", "left", "line", "corner"]
)
@pytest.mark.parametrize("colours", [((238, 242, 242), (25, 25, 25)), ((40, 40, 45), (230, 230, 230))])
def test_a_die_lies_wholly_in_one_spot_wherever_it_lies(
    shoot: Shoot, put_die: Callable[..., None], view: tuple[int, int], place: tuple[float, float], colours: Colours
) -> None:
    picture = shoot("witch-race", *view)[0]
    mat, region = mat_and_region(picture)
    x, y = region.x + place[0] * region.width, region.y + place[1] * region.height
    at = mat.px([(x, y)])[0]
    edge = round(DIE_MM * mat.px_per_mm((x, y)))
    put_die(picture, (round(at[0]), round(at[1])), 1, edge=edge, body=colours[0], pip=colours[1])
    half = DIE_MM / 2
    inside = [
        left <= x - half and x + half <= right and top <= y - half and y + half <= bottom
        for left, top, right, bottom in spots(picture, mat, region)
    ]
    assert any(inside)


def test_when_nearly_everything_is_covered_the_whole_region_is_one_spot(shoot: Shoot) -> None:
    picture = shoot("dice-tray")[0]
    mat, region = mat_and_region(picture)
    noise = np.random.default_rng(1).integers(0, 256, picture.shape).astype(np.uint8)
    x0, y0 = (int(v) for v in mat.px([(region.x, region.y)])[0])
    x1, y1 = (int(v) for v in mat.px([(region.x + region.width, region.y + region.height)])[0])
    picture[y0:y1, x0:x1] = noise[y0:y1, x0:x1]
    [(left, top, right, bottom)] = spots(picture, mat, region)
    assert left <= region.x
    assert top <= region.y
    assert right >= region.x + region.width
    assert bottom >= region.y + region.height
