from __future__ import annotations

import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.bare.reading import read_bare, teach_bare
from vision.gallery import Look
from vision.picture import Picture, load_picture

WIDTH, HEIGHT = 120, 180
TABLE = (40, 60, 50)
CARDS = Path(__file__).parent / "cards"
MARKS = {"moon": (40, 40, 190), "kite": (40, 140, 40), "post": (150, 60, 40), "gate": (30, 30, 30)}


def drawn(name: str) -> Picture:
    card = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    ink = MARKS[name]
    if name == "moon":
        cv2.circle(card, (60, 70), 34, ink, -1, cv2.LINE_AA)
        cv2.circle(card, (75, 60), 28, (235, 235, 235), -1, cv2.LINE_AA)
    elif name == "kite":
        cv2.fillPoly(card, [np.array([[60, 30], [95, 90], [60, 160], [25, 90]])], ink, cv2.LINE_AA)
    elif name == "post":
        cv2.rectangle(card, (45, 25), (70, 150), ink, -1)
        cv2.rectangle(card, (70, 25), (100, 60), ink, -1)
    else:
        cv2.rectangle(card, (25, 45), (95, 135), ink, 6)
        cv2.line(card, (25, 75), (95, 75), ink, 6)
    return card


def looks() -> tuple[Look, ...]:
    out = []
    for name in MARKS:
        taught = teach_bare(drawn(name))
        assert not isinstance(taught, str)
        out.append(Look(name, "card", *taught, None))
    return tuple(out)


LOOKS = looks()


def laid(table: Picture, card: Picture, middle: tuple[float, float], turn_deg: float, lean: float = 0.0) -> None:
    """Lay a card on the table, turned clockwise; ``lean`` makes its far side shorter."""
    h, w = card.shape[:2]
    corners = np.array([[-w / 2, -h / 2], [w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2]])
    corners[:2] *= 1 - lean
    a = np.radians(turn_deg)
    at = corners @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + middle
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, at.astype(np.float32))
    size = (table.shape[1], table.shape[0])
    over = cv2.warpPerspective(card, matrix, size, flags=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.full((h, w), 255, np.uint8), matrix, size)[:, :, None] / 255
    table[:] = (over * cover + table * (1 - cover)).astype(np.uint8)


def table() -> Picture:
    noise = np.random.default_rng(5).normal(0, 3, (480, 640, 3))
    return np.clip(np.full((480, 640, 3), TABLE, np.uint8) + noise, 0, 255).astype(np.uint8)


def test_cards_on_a_table_are_named_and_placed() -> None:
    picture = table()
    places = {"moon": (100, 130), "kite": (260, 140), "post": (430, 130), "gate": (540, 340)}
    for turn, (name, at) in enumerate(places.items()):
        laid(picture, drawn(name), at, 8.0 * turn - 12)
    pieces, complaints, sure = read_bare(picture, LOOKS)
    assert (sorted(str(p.name) for p in pieces), complaints, sure) == (sorted(places), (), True)
    for piece in pieces:
        assert piece.center_px == pytest.approx(places[str(piece.name)], abs=2)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(sorted(MARKS)), st.floats(-180, 180), st.floats(0, 0.15), st.floats(0.5, 1.0))
def test_turn_lean_and_light_do_not_change_a_name(name: str, turn: float, lean: float, light: float) -> None:
    picture = table()
    laid(picture, drawn(name), (320, 240), turn, lean)
    tinted = np.clip(picture * np.array([light, 0.9, 0.9 / light**0.3]), 0, 255).astype(np.uint8)
    (piece,), _, _ = read_bare(tinted, LOOKS)
    assert piece.name == name
    assert abs((piece.angle_deg - turn + 180) % 360 - 180) < 3


def test_a_mirroring_camera_is_seen_through() -> None:
    picture = table()
    laid(picture, drawn("moon"), (150, 200), 0)
    laid(picture, drawn("post"), (450, 200), 0)
    pieces, _, sure = read_bare(np.ascontiguousarray(picture[:, ::-1]), LOOKS)
    assert (sorted(str(p.name) for p in pieces), sure) == (["moon", "post"], True)


def test_a_picture_that_one_card_fills_is_that_card() -> None:
    (piece,), complaints, sure = read_bare(drawn("kite"), LOOKS)
    assert (piece.name, complaints, sure) == ("kite", (), True)


def test_a_card_that_was_never_taught_makes_it_unsure() -> None:
    picture = table()
    laid(picture, drawn("moon"), (150, 200), 0)
    strange = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    cv2.circle(strange, (60, 140), 25, (0, 160, 200), -1)
    laid(picture, strange, (450, 200), 0)
    _, complaints, sure = read_bare(picture, LOOKS)
    assert not sure
    assert complaints[0].kind == "unknown-piece"
    assert complaints[0].center_px == pytest.approx((450, 200), abs=3)


def test_a_card_cut_off_by_the_pictures_edge_makes_it_unsure() -> None:
    picture = table()
    laid(picture, drawn("moon"), (150, 200), 0)
    laid(picture, drawn("gate"), (630, 200), 0)
    _, complaints, sure = read_bare(picture, LOOKS)
    assert (sure, {c.kind for c in complaints}) == (False, {"unknown-piece"})


def test_overlapping_cards_are_not_sure() -> None:
    picture = table()
    laid(picture, drawn("moon"), (150, 200), 0)
    laid(picture, drawn("gate"), (400, 200), 0)
    laid(picture, drawn("kite"), (460, 250), 0)
    assert not read_bare(picture, LOOKS)[2]


def test_nothing_that_was_taught_is_not_sure() -> None:
    assert read_bare(table(), LOOKS)[2] is False
    assert read_bare(table(), ())[0] == ()


def test_teaching_cuts_the_ground_away() -> None:
    picture = table()
    laid(picture, cv2.resize(drawn("post"), None, fx=2, fy=2), (320, 240), 0)
    taught = teach_bare(picture)
    assert not isinstance(taught, str)
    crop, mask = taught
    assert crop.shape[:2] == mask.shape == pytest.approx((2 * HEIGHT, 2 * WIDTH), abs=3)


def test_teaching_refuses_the_dark_and_the_blurred() -> None:
    assert teach_bare((drawn("moon") * 0.1).astype(np.uint8)) == "dark"
    assert teach_bare(cv2.GaussianBlur(cv2.resize(drawn("moon"), None, fx=4, fy=4), (0, 0), 25)) == "blurred"


def photographed() -> tuple[Look, ...]:
    """Nine cards that differ in shape and fill alone, each from the picture of another camera."""
    out = []
    for path in sorted(CARDS.glob("2-*.jpg")):
        taught = teach_bare(load_picture(path))
        assert not isinstance(taught, str)
        out.append(Look(path.stem, "card", *taught, None))
    return tuple(out)


@pytest.mark.parametrize("file", ["nine.jpg", "one.jpg"])
def test_other_peoples_photographs_of_look_alikes_are_named(file: str) -> None:
    listed = tomllib.loads((CARDS / "SOURCES.toml").read_text(encoding="utf-8"))["photos"]
    (truth,) = (photo["cards"] for photo in listed if photo["file"] == file)
    pieces, complaints, sure = read_bare(load_picture(CARDS / file), photographed())
    assert (sorted(str(p.name) for p in pieces), complaints, sure) == (truth, (), True)
