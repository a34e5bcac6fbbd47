"""Dice with pictures: taught from one sheet, read on a mat; and drawn ones, to try what no picture shows."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vision.faces.bank import PAPER_LEVEL
from vision.faces.reading import Faces, read_faces
from vision.faces.teaching import find_dice, teach_faces
from vision.gallery import Look
from vision.mat.eye import eye_of
from vision.mat.markers import find_mat
from vision.mat.mat import Mat
from vision.picture import Picture, load_picture

FOLDER = Path(__file__).parent / "rendered"
SURE = 0.98
EDGE_MM = 16.0
Shoot = Callable[..., tuple[Picture, Any]]


@cache
def shown(file: str) -> tuple[Picture, Mat]:
    picture = load_picture(FOLDER / file)
    mat = find_mat(picture)
    assert mat is not None
    return picture, mat


@cache
def truth(file: str) -> dict[str, Any]:
    entries = tomllib.loads((FOLDER / "SOURCES.toml").read_text(encoding="utf-8"))["pictures"]
    return next(entry for entry in entries if entry["file"] == file)


@cache
def taught() -> tuple[Look, ...]:
    picture, mat = shown("taught-dice.jpg")
    places = [(name, mat.mm((x, y))) for name, x, y in truth("taught-dice.jpg")["dice"]]
    looks = teach_faces(picture, mat, places)
    return tuple(look for look in looks if isinstance(look, Look))


def read(file: str) -> Faces:
    picture, mat = shown(file)
    cards = [np.array([mat.mm((x, y)) for x, y in card]) for card in truth(file)["cards"]]
    return read_faces(picture, mat, taught(), cards)


def names(faces: Faces) -> list[str]:
    return sorted(die.name or "" for die in faces.dice)


def is_sure(faces: Faces) -> bool:
    return all(die.confidence >= SURE for die in faces.dice) and not faces.complaints and not faces.strange


def test_a_sheet_teaches_each_face_upright_and_at_one_size() -> None:
    looks = taught()
    assert [look.name for look in looks] == [name for name, *_ in truth("taught-dice.jpg")["dice"]]
    sizes = {look.size_mm for look in looks}
    assert len(sizes) == 1
    assert sizes.pop() == pytest.approx((EDGE_MM, EDGE_MM), abs=0.8)
    ghost = next(look for look in looks if look.name == "ghost").picture
    rim, middle = ghost[[2, -3]].mean(), ghost[10:22, 10:22].mean()
    assert middle > rim + 40  # white on black, in the middle of the face


def test_dice_on_a_sheet_are_found_in_the_order_of_reading() -> None:
    picture, mat = shown("taught-dice.jpg")
    places = find_dice(picture, mat)
    expected = [mat.mm((x, y)) for _, x, y in truth("taught-dice.jpg")["dice"]]
    assert len(places) == len(expected)
    for place, middle in zip(places, expected, strict=True):
        assert place == pytest.approx(middle, abs=6)


def test_dice_on_a_mat_are_named_for_sure_where_they_lie() -> None:
    faces = read("two-dice.jpg")
    expected = truth("two-dice.jpg")["dice"]
    assert names(faces) == sorted(name for name, *_ in expected)
    assert is_sure(faces)
    for name, x, y in expected:
        (die,) = (die for die in faces.dice if die.name == name)
        assert die.center_px == pytest.approx((x, y), abs=4)
        assert die.region == "dice"


def test_a_die_that_leans_is_complained_of_and_the_others_are_read() -> None:
    faces = read("leaning-die.jpg")
    assert "cocked-die" in [complaint.kind for complaint in (*faces.complaints, *faces.strange)]
    assert [name for name in names(faces) if name] == ["ghost", "ghost", "move-1"]
    (where,) = ((x, y) for name, x, y in truth("leaning-die.jpg")["dice"] if not name)
    told = [c.center_px for c in (*faces.complaints, *faces.strange) if c.center_px is not None]
    assert min(np.hypot(x - where[0], y - where[1]) for x, y in told) < 25


def test_without_looks_of_dice_nothing_is_read() -> None:
    assert read_faces(*shown("two-dice.jpg"), ()).dice == ()


def test_a_place_without_a_die_teaches_nothing() -> None:
    picture, mat = shown("taught-dice.jpg")
    assert teach_faces(picture, mat, [("ghost", (240.0, 225.0))]) == ("unknown-piece",)


def test_a_face_that_the_lamp_washed_out_is_refused_for_glare() -> None:
    picture, mat = shown("taught-dice.jpg")
    burnt = picture.copy()
    cv2.rectangle(burnt, (297, 408), (324, 432), (255, 255, 255), -1)
    assert teach_faces(burnt, mat, [("ghost", mat.mm((311, 419)))]) == ("glare",)


# Drawn dice


def drawn_face(mark: str) -> Picture:
    """A face at 2 px/mm: black, with a white mark or none."""
    face = np.full((320, 320, 3), 50, np.uint8)
    if mark == "bar":
        cv2.rectangle(face, (70, 60), (130, 260), (200, 200, 200), -1)
        cv2.circle(face, (220, 110), 40, (200, 200, 200), -1)
    if mark == "ring":
        cv2.circle(face, (160, 160), 90, (200, 200, 200), 30)
        cv2.rectangle(face, (60, 230), (110, 280), (200, 200, 200), -1)
    return np.asarray(cv2.resize(face, (32, 32), interpolation=cv2.INTER_AREA), np.uint8)


MARKS = ("bar", "ring", "nothing")
DRAWN = tuple(Look(m, "die", drawn_face(m), np.full((32, 32), 255, np.uint8), (EDGE_MM, EDGE_MM)) for m in MARKS)


def put_block(
    picture: Picture, mat: Mat, mark: str, at: tuple[float, float], turn_deg: float, *, shorter: float = 1.0
) -> None:
    """Draw a die that stands at a page place; ``shorter`` than 1 draws it as short as one that leans looks."""
    eye = eye_of(mat)
    a = np.radians(turn_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * (EDGE_MM, EDGE_MM * shorter)
    top = eye.appears(square @ turn.T + at, EDGE_MM)
    hull = np.array(mat.px([tuple(p) for p in eye.outline(top, EDGE_MM)]))
    cv2.fillConvexPoly(picture, hull.round().astype(np.int32), (45, 45, 45), cv2.LINE_AA)
    face = np.clip(drawn_face(mark) / PAPER_LEVEL * 240, 0, 255).astype(np.float32)
    corners = np.array(mat.px([tuple(p) for p in top]), np.float32)
    m = cv2.getPerspectiveTransform(np.array([[0, 0], [31, 0], [31, 31], [0, 31]], np.float32), corners)
    size = (picture.shape[1], picture.shape[0])
    shape = cv2.warpPerspective(np.ones((32, 32, 1), np.float32), m, size)
    view = picture * (1 - shape[..., None]) + cv2.warpPerspective(face, m, size)
    picture[:] = view.astype(np.uint8)


@pytest.fixture
def mat_view(shoot: Shoot) -> tuple[Picture, Mat]:
    picture = shoot("ghost-hunters", 4, 14)[0]
    mat = find_mat(picture)
    assert mat is not None
    return picture, mat


def look_at(picture: Picture, mat: Mat) -> Faces:
    return read_faces(np.asarray(cv2.GaussianBlur(picture, (3, 3), 0.7), np.uint8), mat, DRAWN)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turn=st.floats(0, 360), x=st.floats(300, 386), y=st.floats(70, 230), mark=st.sampled_from(MARKS))
def test_an_upright_die_is_read_in_any_turn_anywhere(
    mat_view: tuple[Picture, Mat], turn: float, x: float, y: float, mark: str
) -> None:
    picture, mat = mat_view[0].copy(), mat_view[1]
    put_block(picture, mat, mark, (x, y), turn)
    faces = look_at(picture, mat)
    assert names(faces) == [mark]
    assert is_sure(faces)
    assert faces.dice[0].center_mm == pytest.approx((x, y), abs=1.5)


@pytest.mark.parametrize("mark", MARKS)
def test_a_face_too_short_to_lie_level_is_never_sure(mat_view: tuple[Picture, Mat], mark: str) -> None:
    picture, mat = mat_view
    put_block(picture, mat, "bar", (310, 100), 30)
    put_block(picture, mat, mark, (350, 160), 15, shorter=0.8)
    faces = look_at(picture, mat)
    assert not is_sure(faces)
    assert "bar" in names(faces)


@pytest.mark.parametrize("level", [40, 90, 150])
def test_a_dark_patch_on_the_paper_is_no_blank_die(mat_view: tuple[Picture, Mat], level: int) -> None:
    picture, mat = mat_view
    at = tuple(map(int, mat.px([(340.0, 150.0)])[0]))
    cv2.ellipse(picture, at, (40, 24), 30, 0, 360, (level, level, level), -1, cv2.LINE_AA)
    assert "nothing" not in names(look_at(picture, mat))


def test_an_unknown_black_thing_is_strange(mat_view: tuple[Picture, Mat]) -> None:
    picture, mat = mat_view
    at = tuple(map(int, mat.px([(340.0, 150.0)])[0]))
    cv2.ellipse(picture, at, (30, 14), 30, 0, 360, (20, 20, 20), -1, cv2.LINE_AA)
    faces = look_at(picture, mat)
    assert faces.dice == ()
    assert [complaint.kind for complaint in faces.strange] == ["unknown-piece"]


def test_a_soft_shadow_and_the_printed_lines_are_nothing_strange(mat_view: tuple[Picture, Mat]) -> None:
    picture, mat = mat_view
    shade = np.zeros(picture.shape[:2], np.float32)
    cv2.ellipse(shade, tuple(map(int, mat.px([(340.0, 150.0)])[0])), (120, 60), 20, 0, 360, 0.4, -1)
    soft = cv2.GaussianBlur(shade, (0, 0), 9)[..., None]
    faces = look_at(np.asarray(picture * (1 - soft), np.uint8), mat)
    assert (faces.dice, faces.complaints, faces.strange) == ((), (), ())
