from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.observation import Observation
from vision.picture import Picture, load_picture
from vision.reading import read

PHOTOS = Path(__file__).parent / "photos"
BOX_IN_EDGES = 1.4
SOURCES = tomllib.loads((PHOTOS / "SOURCES.toml").read_text(encoding="utf-8"))["photos"]


def right_or_unsure(seen: Observation, values: tuple[str, ...]) -> bool:
    return not seen.sure or seen.names() == values


@pytest.mark.parametrize("photo", SOURCES, ids=lambda p: p["file"])
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_photograph_is_never_silently_wrong_however_it_is_turned(photo: dict[str, list[int]], turns: int) -> None:
    picture = np.ascontiguousarray(np.rot90(load_picture(PHOTOS / str(photo["file"])), turns))
    assert right_or_unsure(read(picture), tuple(str(v) for v in photo["values"]))


@pytest.mark.parametrize("photo", [p for p in SOURCES if p["easy"]], ids=lambda p: p["file"])
def test_an_easy_photograph_is_read_and_sure(photo: dict[str, list[int]]) -> None:
    seen = read(load_picture(PHOTOS / str(photo["file"])))
    assert seen.names() == tuple(str(v) for v in photo["values"])
    assert seen.sure
    assert all(p.confidence > 0.9 for p in seen.pieces)


@pytest.mark.parametrize("photo", [p for p in SOURCES if p["easy"]], ids=lambda p: p["file"])
def test_dice_smaller_than_any_that_was_measured_are_asked_about(photo: dict[str, list[int]]) -> None:
    picture = load_picture(PHOTOS / str(photo["file"]))
    scale = 15 * BOX_IN_EDGES / read(picture).pieces[0].box_px[2]
    small = read(np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8))
    assert small.pieces
    assert not small.sure


@pytest.mark.parametrize("value", range(1, 7))
def test_a_drawn_die_on_the_tray_is_read(
    shoot: Callable[..., tuple[Picture, object]], put_die: Callable[..., None], value: int
) -> None:
    picture, _ = shoot("dice-tray")
    put_die(picture, (640, 360), value, edge=28)
    seen = read(picture)
    assert seen.names() == (str(value),)
    assert seen.pieces[0].region == "dice"
    assert seen.pieces[0].center_px == pytest.approx((640, 360), abs=4)


def test_dice_on_another_games_mat_are_none_of_our_business(shoot: Callable[..., tuple[Picture, object]]) -> None:
    seen = read(shoot("horror-race")[0])
    assert (seen.mat, seen.pieces, seen.sure) == ("horror-race", (), False)


def test_an_empty_tray_is_surely_empty(shoot: Callable[..., tuple[Picture, object]]) -> None:
    seen = read(shoot("dice-tray")[0])
    assert (seen.mat, seen.pieces, seen.complaints, seen.sure) == ("dice-tray", (), (), True)


def test_a_thing_that_is_no_die_makes_an_empty_tray_unsure(shoot: Callable[..., tuple[Picture, object]]) -> None:
    picture, _ = shoot("dice-tray")
    cv2.ellipse(picture, (600, 350), (80, 30), 20, 0, 360, (90, 120, 190), -1)
    seen = read(picture)
    assert not seen.sure
    assert seen.names() == ()


@pytest.mark.parametrize(("level", "complaint"), [(0, "dark"), (12, "dark"), (255, "glare")])
def test_a_frame_without_a_picture_is_complained_of(level: int, complaint: str) -> None:
    seen = read(np.full((480, 640, 3), level, np.uint8))
    assert [c.kind for c in seen.complaints] == [complaint]
    assert (seen.sure, seen.pieces) == (False, ())


@pytest.mark.parametrize("seed", [1, 2])
def test_noise_is_never_sure(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (480, 640, 3)).astype(np.uint8)
    assert not read(noise).sure


@pytest.mark.parametrize(("values", "gap"), [((3, 5), 1.0), ((3, 5), 1.06), ((6, 6), 1.0), ((1, 4), 1.03)])
def test_the_gap_of_touching_dice_is_no_pip(
    table: Picture, put_die: Callable[..., None], values: tuple[int, int], gap: float
) -> None:
    for i, value in enumerate(values):
        put_die(table, (250 + int(i * gap * 44), 220), value, turn_deg=0)
    assert right_or_unsure(read(table), tuple(sorted(str(v) for v in values)))


@pytest.mark.parametrize(("value", "size"), [(5, 4), (6, 10), (6, 20)])
def test_shiny_pips_never_make_another_number(
    table: Picture, put_die: Callable[..., None], value: int, size: int
) -> None:
    put_die(table, (300, 220), value, turn_deg=0)
    for dx, dy in ((-11, -11), (11, 11)) if size == 4 else ((11, 0),):
        cv2.circle(table, (300 + dx, 220 + dy), size // 2, (250, 252, 255), -1, cv2.LINE_AA)
    assert right_or_unsure(read(table), (str(value),))


@pytest.mark.parametrize("value", [2, 4, 6])
def test_a_shadow_over_half_a_die_never_makes_another_number(
    table: Picture, put_die: Callable[..., None], value: int
) -> None:
    put_die(table, (300, 220), value, turn_deg=0)
    table[:, :300] = (table[:, :300] * 0.45).astype(np.uint8)
    assert right_or_unsure(read(table), (str(value),))


@pytest.mark.parametrize("period", [4, 9, 23, 60])
def test_bands_of_a_pulsing_lamp_never_make_another_number(
    table: Picture, put_die: Callable[..., None], period: int
) -> None:
    put_die(table, (300, 220), 5, turn_deg=10)
    bands = 1 + 0.25 * np.sin(2 * np.pi * np.arange(480) / period)
    banded = np.clip(table * bands[:, None, None], 0, 255).astype(np.uint8)
    assert right_or_unsure(read(banded), ("5",))


@pytest.mark.parametrize("row", [208, 214, 220, 226, 232])
def test_a_torn_frame_is_never_sure_and_wrong(table: Picture, put_die: Callable[..., None], row: int) -> None:
    after = table.copy()
    put_die(table, (300, 220), 6, turn_deg=0)
    put_die(after, (340, 220), 3, turn_deg=40)
    table[row:] = after[row:]
    seen = read(table)
    # Torn near its rim, a die still shows what one of the two frames had
    whole = row in (208, 232) and seen.names() in (("3",), ("6",))
    assert not seen.sure or whole


@pytest.mark.parametrize("place", [(-11, 0), (11, 0), (0, 11)])
def test_a_finger_over_pips_is_never_another_number(
    table: Picture, put_die: Callable[..., None], place: tuple[int, int]
) -> None:
    put_die(table, (300, 220), 6, turn_deg=0)
    x, y = 300 + place[0], 220 + place[1]
    far = (x + 30 * np.sign(place[0]) * 5, y + 30 * np.sign(place[1]) * 5)
    cv2.line(table, (int(x), int(y)), (int(far[0]), int(far[1])), (130, 160, 210), 26, cv2.LINE_AA)
    assert right_or_unsure(read(table), ("6",))


@pytest.mark.parametrize("value", [1, 3, 5])
def test_ten_times_the_exposure_is_refused(table: Picture, put_die: Callable[..., None], value: int) -> None:
    put_die(table, (300, 220), value)
    seen = read(np.clip(table.astype(int) * 10, 0, 255).astype(np.uint8))
    assert [c.kind for c in seen.complaints] == ["glare"]
    assert seen.pieces == ()


def test_a_blurred_picture_is_not_sure(table: Picture, put_die: Callable[..., None]) -> None:
    put_die(table, (300, 220), 5)
    seen = read(np.asarray(cv2.GaussianBlur(table, (0, 0), 9), np.uint8))
    assert not seen.sure


def test_a_die_across_the_trays_line_is_outside(
    shoot: Callable[..., tuple[Picture, object]], put_die: Callable[..., None]
) -> None:
    picture, to_px = shoot("dice-tray")
    x, y, w = np.asarray(to_px) @ (210, 36, 1)
    put_die(picture, (int(x / w), int(y / w)), 4, edge=28)
    seen = read(picture)
    assert not seen.sure
    assert "outside" in [c.kind for c in seen.complaints]
