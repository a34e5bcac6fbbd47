"""The red and the blue patch of a printed mat, seen by cameras of either colour order in any light."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray

from companion.doctor.devices import camera as camera_check
from companion.events import LookFailed, Saw
from companion.looking import Looking
from companion.printing import compose, papers
from companion.settings import BoardTable, Settings
from hardware.board import BoardSettings, open_board, open_fake_board
from hardware.fakes.clock import SetClock
from vision.mat.markers import find_mat
from vision.mat.patches import order
from vision.observation import Observation, Sighting
from vision.reading import read

Picture = NDArray[np.uint8]
MATS = ("horror-race", "dark-horse", "ghost-hunters", "witch-race", "hare-tortoise", "dice-tray")
LIGHTS = {"day": (1.0, 1.0, 1.0), "warm": (0.5, 0.8, 1.0), "cold": (1.0, 0.9, 0.75), "dim": (0.3, 0.35, 0.4)}
"""Factors of blue, green and red."""


@cache
def printed(name: str, paper: str, *, in_black: bool = False) -> Picture:
    """A mat's sheet, 4 px a millimetre of an A3 paper."""
    page = pdfium.PdfDocument(compose((name,), papers()[paper], "en").data())[0]
    sheet = page.render(scale=4 * 420 / papers()[paper].width * 25.4 / 72).to_numpy()[:, :, :3]
    if in_black:
        sheet = cv2.cvtColor(cv2.cvtColor(sheet, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.ascontiguousarray(cv2.resize(sheet, (1680, 1188), interpolation=cv2.INTER_AREA))


def photograph(sheet: Picture, light: str = "day", turn_deg: float = 20.0, seed: int = 1) -> Picture:
    """The sheet on a dark table in 1280 x 720, turned and seen a little from the side, with noise."""
    turn = cv2.getRotationMatrix2D((840, 594), turn_deg, 0.4)
    corners = np.array([(0, 0), (1680, 0), (1680, 1188), (0, 1188)], np.float32)
    there = (corners @ turn[:, :2].T + turn[:, 2] - (840, 594)) * (1 + 0.0001 * (corners[:, 1:] - 594)) + (640, 360)
    to_px = cv2.getPerspectiveTransform(corners, there.astype(np.float32))
    picture = cv2.warpPerspective(sheet, to_px, (1280, 720), borderValue=(60, 60, 60))
    lit = picture * np.array(LIGHTS[light]) + np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.clip(lit, 0, 255).astype(np.uint8)


def seen_order(picture: Picture) -> str | None:
    mat = find_mat(picture)
    assert mat is not None
    return order(picture, mat.corners_px())


@pytest.mark.parametrize("name", MATS)
@pytest.mark.parametrize("paper", ["A3", "A4"])
def test_every_printed_mat_tells_the_order_of_the_colours(name: str, paper: str) -> None:
    picture = photograph(printed(name, paper))
    assert seen_order(picture) == "right"
    assert seen_order(np.ascontiguousarray(picture[:, :, ::-1])) == "swapped"


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("turn_deg", [0.0, 95.0, 200.0])
def test_in_any_light_and_from_any_side(light: str, turn_deg: float) -> None:
    picture = photograph(printed("witch-race", "A3"), light, turn_deg)
    assert seen_order(picture) == "right"
    assert seen_order(np.ascontiguousarray(picture[:, :, ::-1])) == "swapped"


@pytest.mark.parametrize("light", LIGHTS)
def test_a_mat_printed_in_black_says_nothing(light: str) -> None:
    picture = photograph(printed("witch-race", "A3", in_black=True), light)
    assert seen_order(picture) is None
    assert seen_order(np.ascontiguousarray(picture[:, :, ::-1])) is None


@pytest.mark.parametrize("light", LIGHTS)
def test_a_mat_without_patches_is_found_all_the_same_and_says_nothing(light: str) -> None:
    sheet = printed("witch-race", "A3").copy()
    sheet[268 * 4 : 284 * 4, 338 * 4 : 370 * 4] = 255
    assert seen_order(photograph(sheet, light)) is None


@pytest.mark.parametrize("name", MATS)
def test_the_patches_are_no_pieces_and_nothing_unexplained(name: str) -> None:
    sheet = printed(name, "A3")
    bare = sheet.copy()
    bare[268 * 4 : 284 * 4, 338 * 4 : 370 * 4] = 255
    with_patches, without = read(photograph(sheet)), read(photograph(bare))
    assert with_patches.pieces == without.pieces == ()
    assert (with_patches.sure, with_patches.complaints) == (without.sure, without.complaints)


# --- what a camera with swapped colours meets -------------------------------------------------------------------------


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "mat.png"), photograph(printed("dark-horse", "A3")))
    return tmp_path


@pytest.mark.parametrize(("swapped", "verdict"), [(False, ("ok", "right")), (True, ("fail", "swapped"))])
def test_the_doctor_tells(photos: Path, *, swapped: bool, verdict: tuple[str, str]) -> None:
    own = Settings(board=BoardTable(pin_factory="mock", camera=f"folder:{photos}", swap_red_blue=swapped))
    found = {one.name: one for one in camera_check(own, held=False)}
    assert (found["colours"].verdict, found["colours"].finding) == verdict


def looked(photos: Path, *pieces: Sighting) -> Saw | LookFailed:
    """What a look with a swapped camera says of a scene with these pieces."""
    clock = SetClock(100.0)
    settings = BoardSettings("fake", "mock", camera=f"folder:{photos}", swap_red_blue=True)
    board = open_fake_board(settings, clock)
    mat = find_mat(board.camera.frame(100.0, 1.0).picture)
    assert mat is not None
    scene = Observation((1280, 720), mat.layout.name, mat.corners_px(), pieces, (), sure=True)
    return Looking(board, lambda _: None, lambda _: scene)._look(1)


def piece(kind: str, name: str) -> Sighting:
    return Sighting(kind, name, 0.99, (), "up", None, (9.0, 9.0), None, 0.0, (0.0, 0.0, 9.0, 9.0))  # type: ignore[arg-type]


def test_no_coloured_piece_is_ruled_on_with_swapped_colours(photos: Path) -> None:
    assert looked(photos, piece("card", "animal:4:+1")) == LookFailed(1, "swapped")
    assert looked(photos) == LookFailed(1, "swapped")


def test_dice_with_pips_need_no_colours(photos: Path) -> None:
    assert isinstance(looked(photos, piece("die", "4")), Saw)


def test_the_setting_puts_swapped_colours_right(photos: Path) -> None:
    settings = BoardSettings("pi", "mock", camera=f"folder:{photos}")
    right = open_board(settings, SetClock(1.0)).camera.frame(1.0, 1.0)
    swapped = open_board(BoardSettings("pi", "mock", camera=f"folder:{photos}", swap_red_blue=True), SetClock(1.0))
    assert np.array_equal(swapped.camera.frame(1.0, 1.0).picture[:, :, ::-1], right.picture)
