"""When a scene lies still, on photographs of dice with noise, lamps, shadows, and movements of a few pixels."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.steady import Stillness, is_still

Picture = NDArray[np.uint8]
PHOTOS = sorted((Path(__file__).parent / "photos").glob("*.jpg"))
DIE_PX = 40
"""A die of 16 mm on a mat seen whole in 1280 x 720."""


def drawn(x: float = 600.0, y: float = 350.0, angle_deg: float = 0.0, pips: int = 3) -> Picture:
    """A white die on a grey mat, from above."""
    picture = np.full((720, 1280, 3), 150, np.uint8)
    die = np.full((DIE_PX, DIE_PX, 3), 235, np.uint8)
    for i in range(pips):
        cv2.circle(die, (8 + 12 * i, 8 + 12 * i), 4, (20, 20, 20), -1)
    turn = cv2.getRotationMatrix2D((DIE_PX / 2, DIE_PX / 2), angle_deg, 1.0)
    turn[:, 2] += (x - DIE_PX / 2, y - DIE_PX / 2)
    cv2.warpAffine(die, turn, (1280, 720), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    return picture


def noisy(picture: Picture, seed: int, sigma: float = 6.0) -> Picture:
    noise = np.random.default_rng(seed).normal(0.0, sigma, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def torn(before: Picture, after: Picture, row: int) -> Picture:
    """The upper rows of one moment, the lower of another."""
    return np.concatenate([before[:row], after[row:]])


@pytest.fixture(params=PHOTOS[:6], ids=lambda path: path.stem)
def photo(request: pytest.FixtureRequest) -> Picture:
    picture = cv2.imread(str(request.param))
    assert picture is not None
    return np.asarray(cv2.resize(picture, (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)


def test_noise_moves_nothing(photo: Picture) -> None:
    assert is_still(noisy(photo, 1), noisy(photo, 2))


def test_lamps_and_shadows_move_nothing(photo: Picture) -> None:
    rows = np.arange(720)[:, None, None] / 90
    bands = [np.clip(photo * (1 + 0.04 * np.sin(rows + at)), 0, 255).astype(np.uint8) for at in (0.0, 2.0)]
    assert is_still(bands[0], bands[1])
    darker = 1 - 0.25 / (1 + np.exp((600 - np.arange(1280)[None, :, None]) / 60))
    assert is_still(photo, (photo * darker).astype(np.uint8))


@pytest.mark.parametrize(
    "change", [{"x": 602.0}, {"y": 352.0}, {"angle_deg": 15.0}, {"pips": 2}], ids=["x", "y", "turned", "pips"]
)
def test_a_die_that_moves_a_little_moves(change: dict[str, float]) -> None:
    assert not is_still(noisy(drawn(), 1), noisy(drawn(**change), 2))  # type: ignore[arg-type]


@pytest.mark.parametrize("row", [340, 350, 360])
def test_a_torn_picture_of_a_die_that_moves_is_like_neither_of_its_halves(row: int) -> None:
    one, other = noisy(drawn(x=600.0), 1), noisy(drawn(x=606.0, angle_deg=10.0), 2)
    assert not is_still(one, torn(one, other, row))
    assert not is_still(torn(one, other, row), other)


def test_a_picture_of_another_size_is_another_scene() -> None:
    stillness = Stillness()
    assert stillness.add(drawn(), 1.0) == 0.0
    assert stillness.add(drawn()[:360], 1.5) == 0.0
    assert not is_still(drawn(), drawn()[:360])


def test_stillness_counts_from_the_first_picture_of_the_still_run() -> None:
    stillness = Stillness()
    told = [stillness.add(drawn(x=x), at) for x, at in ((500, 1.0), (600, 1.1), (600, 1.2), (600, 1.6), (620, 1.7))]
    assert told == pytest.approx([0.0, 0.0, 0.1, 0.5, 0.0])


def test_what_creeps_is_never_still_for_long() -> None:
    stillness = Stillness()
    told = [stillness.add(drawn(x=600.0 + 0.8 * step), step * 0.1) for step in range(40)]
    assert max(told) < 0.5
