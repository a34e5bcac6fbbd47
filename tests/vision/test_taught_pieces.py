"""Cards, tiles and tokens that were taught from a sheet are found and named on a mat; all else is complained of."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.conftest import PAGE_PX_PER_MM, camera, page, photograph
from vision.gallery import Look
from vision.mat.layout import layouts
from vision.mat.markers import find_mat
from vision.observation import Kind, Observation
from vision.pieces.lookalike import look_alikes
from vision.pieces.teach import Unfit, cut_pieces
from vision.reading import Known, read

Picture = NDArray[np.uint8]
MAT = next(one for one in layouts() if one.name == "hare-tortoise")
CARD, TOKEN = (56.0, 88.0), (27.0, 27.0)
COLOURS = {"red": (60, 60, 200), "green": (70, 160, 60), "blue": (190, 110, 40)}
CARDS = [f"{colour}-{digit}" for colour in COLOURS for digit in (3, 5, 8)]
TOKENS = ["sun", "moon", "star"]
Place = tuple[str, float, float, float]
"""A name, the middle on the page in mm, the turn in degrees."""


def draw(name: str) -> Picture:
    """A piece, upright, as large as on the page."""
    if name in TOKENS:
        return _token(name)
    w, h = (int(side * PAGE_PX_PER_MM) for side in CARD)
    if name == "back":
        card = np.full((h, w, 3), (90, 60, 80), np.uint8)
        cv2.circle(card, (w // 2, h // 2), w // 4, (235, 235, 235), -1)
        return card
    colour, digit = name.split("-")
    card = np.full((h, w, 3), COLOURS[colour], np.uint8)
    cv2.circle(card, (w // 2, h // 2), w // 3, (240, 240, 240), -1)
    cv2.putText(card, digit, (w // 2 - 44, h // 2 + 48), cv2.FONT_HERSHEY_SIMPLEX, 4.5, (30, 30, 30), 14)
    cv2.putText(card, digit, (14, 64), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (250, 250, 250), 6)
    return card


def _token(name: str) -> Picture:
    side = int(TOKEN[0] * PAGE_PX_PER_MM)
    ring = {"sun": (40, 130, 230), "moon": (160, 80, 60), "star": (80, 150, 70)}[name]
    token = np.full((side, side, 3), 245, np.uint8)
    cv2.circle(token, (side // 2, side // 2), side // 2 - 1, ring, -1)
    cv2.circle(token, (side // 2, side // 2), side // 3, (225, 225, 225), -1)
    cv2.putText(
        token, name[0].upper(), (side // 2 - 18, side // 2 + 18), cv2.FONT_HERSHEY_SIMPLEX, 1.7, (20, 20, 90), 6
    )
    return token


def lay(sheet: Picture, piece: Picture, x: float, y: float, turn_deg: float, *, disc: bool = False) -> None:
    """Lay a piece on the page, its middle at page mm, turned clockwise."""
    h, w = piece.shape[:2]
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    u, v = (w - 1) / 2, (h - 1) / 2
    cx, cy = x * PAGE_PX_PER_MM, y * PAGE_PX_PER_MM
    matrix = np.array([[c, -s, cx - c * u + s * v], [s, c, cy - s * u - c * v]])
    size = (sheet.shape[1], sheet.shape[0])
    mask = np.zeros((h, w), np.uint8)
    if disc:
        cv2.circle(mask, (w // 2, h // 2), w // 2 - 1, 255, -1)
    else:
        mask[:] = 255
    there = cv2.warpAffine(mask, matrix, size) > 127
    sheet[there] = cv2.warpAffine(piece, matrix, size)[there]


def mat_with(places: list[Place]) -> Picture:
    sheet = page(MAT)
    for name, x, y, turn in places:
        lay(sheet, draw(name), x, y, turn, disc=name in TOKENS)
    return sheet


def shot(sheet: Picture, turn_deg: float = 0.0, tilt_deg: float = 0.0) -> Picture:
    return photograph(MAT, sheet, camera(MAT, turn_deg, tilt_deg, fill=0.9))


def sheet_of(names: list[str]) -> Picture:
    columns = 5
    places = [(name, 55 + 77 * (i % columns), 97 + 97 * (i // columns), 0.0) for i, name in enumerate(names)]
    return shot(mat_with(places))


def taught(names: list[str], kind: Kind) -> list[Look]:
    picture = sheet_of(names)
    mat = find_mat(picture)
    assert mat is not None
    cuts = cut_pieces(picture, mat, len(names))
    assert not isinstance(cuts, Unfit)
    return [Look(n, kind, c.picture, c.mask, c.size_mm) for n, c in zip(names, cuts, strict=True)]


@pytest.fixture(scope="module")
def known() -> Callable[[str | None], Known]:
    looks = (*taught([*CARDS, "back"], "card"), *taught(TOKENS, "token"))
    return lambda _: Known(looks, pips=False)


def names(seen: Observation) -> list[str]:
    return sorted(p.name or "?" for p in seen.pieces)


def kinds(seen: Observation) -> set[str]:
    return {one.kind for one in seen.complaints}


def test_an_empty_mat_is_surely_empty(known: Callable[[str | None], Known]) -> None:
    seen = read(shot(page(MAT), 7, 15), known=known)
    assert seen.sure
    assert not seen.pieces


@pytest.mark.parametrize("name", CARDS)
def test_each_card_is_named_though_its_twins_differ_in_a_digit_only(
    name: str, known: Callable[[str | None], Known]
) -> None:
    seen = read(shot(mat_with([(name, 150, 140, 160)]), 12, 18), known=known)
    assert seen.sure
    assert [p.name for p in seen.pieces] == [name]


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    view=st.tuples(st.floats(0, 359), st.floats(0, 30)),
    turns=st.lists(st.floats(0, 359), min_size=3, max_size=3),
    chosen=st.lists(st.sampled_from([*CARDS, *TOKENS]), min_size=3, max_size=3),
    light=st.tuples(*[st.floats(0.75, 1.0)] * 3),
)
def test_whatever_is_sure_is_right_in_any_turn_view_and_tint(
    view: tuple[float, float],
    turns: list[float],
    chosen: list[str],
    light: tuple[float, float, float],
    known: Callable[[str | None], Known],
) -> None:
    places = [(name, 80 + 125 * i, 145, turn) for i, (name, turn) in enumerate(zip(chosen, turns, strict=True))]
    picture = (shot(mat_with(places), *view) * np.array(light)).astype(np.uint8)
    seen = read(picture, known=known)
    assert names(seen) == sorted(chosen)
    assert seen.sure


def test_where_a_piece_lies_and_how_it_is_turned(known: Callable[[str | None], Known]) -> None:
    (piece,) = read(shot(mat_with([("red-5", 120, 150, 30)])), known=known).pieces
    assert piece.center_mm == pytest.approx((120, 150), abs=1.0)
    assert piece.angle_deg == pytest.approx(30, abs=1.5)
    assert piece.region == "cards"
    assert piece.kind == "card"


def test_touching_tokens_are_parted(known: Callable[[str | None], Known]) -> None:
    ring = [("sun", 100, 100, 0), ("moon", 127, 100, 50), ("star", 113.5, 123.4, 200), ("sun", 140.5, 123.4, 90)]
    seen = read(shot(mat_with([(*one,) for one in ring]), 5, 10), known=known)
    assert names(seen) == ["moon", "star", "sun", "sun"]
    assert seen.sure


def test_a_shadow_is_no_piece(known: Callable[[str | None], Known]) -> None:
    sheet = mat_with([("blue-8", 100, 140, 0)])
    sheet[:, 700:1100] = (sheet[:, 700:1100] * 0.55).astype(np.uint8)
    seen = read(shot(sheet, 3, 10), known=known)
    assert names(seen) == ["blue-8"]
    assert seen.sure


def test_a_face_down_card_has_no_name_and_is_asked_to_be_turned(known: Callable[[str | None], Known]) -> None:
    seen = read(shot(mat_with([("back", 100, 140, 10), ("red-3", 250, 140, 0)])), known=known)
    assert names(seen) == ["?", "red-3"]
    assert [p.face for p in seen.pieces if p.name is None] == ["down"]
    assert kinds(seen) == {"face-down"}
    assert not seen.sure


def test_a_piece_that_was_not_taught_is_unknown(known: Callable[[str | None], Known]) -> None:
    sheet = mat_with([("red-3", 250, 140, 0)])
    cv2.rectangle(sheet, (400, 420), (560, 560), (30, 140, 140), -1)
    seen = read(shot(sheet), known=known)
    assert kinds(seen) == {"unknown-piece"}
    assert names(seen) == ["red-3"]
    assert not seen.sure


def test_what_may_hide_pieces_covers(known: Callable[[str | None], Known]) -> None:
    sheet = mat_with([("red-3", 250, 140, 0)])
    cv2.ellipse(sheet, (500, 700), (260, 330), 20, 0, 360, (120, 150, 190), -1)
    cards = tuple(look for look in known(None).looks if look.kind == "card")
    seen = read(shot(sheet), known=lambda _: Known(cards, pips=False))
    assert "covered" in kinds(seen)
    assert not seen.sure


def test_a_hidden_marker_alone_does_not_make_a_reading_unsure(known: Callable[[str | None], Known]) -> None:
    sheet = mat_with([("green-5", 150, 140, 0)])
    sheet[:140, :140] = (70, 110, 140)
    seen = read(shot(sheet), known=known)
    assert names(seen) == ["green-5"]
    assert seen.sure


def test_a_card_over_a_regions_line_lies_outside(known: Callable[[str | None], Known]) -> None:
    seen = read(shot(mat_with([("red-8", 150, 262, 90)])), known=known)
    assert kinds(seen) == {"outside"}
    assert not seen.sure


def test_a_card_washed_out_by_glare_is_not_passed_over(known: Callable[[str | None], Known]) -> None:
    picture = shot(mat_with([("red-5", 130, 140, 0), ("blue-3", 290, 140, 0)]))
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    lamp = 700 * np.exp(-((x - 845) ** 2 + (y - 350) ** 2) / 85.0**2)
    seen = read(np.clip(picture + lamp[..., None], 0, 255).astype(np.uint8), known=known)
    assert "glare" in kinds(seen)
    assert not seen.sure


def test_overlapping_cards_are_never_surely_wrong(known: Callable[[str | None], Known]) -> None:
    seen = read(shot(mat_with([("red-5", 150, 140, 0), ("blue-3", 170, 170, 20)])), known=known)
    assert "blue-3" in names(seen)
    assert names(seen) == ["blue-3", "red-5"] or not seen.sure


def test_pairs_that_share_artwork_are_told_of() -> None:
    pairs = {(first, second) for first, second, _ in look_alikes(taught(CARDS, "card"))}
    assert ("red-3", "red-5") in pairs
    assert not any(first.split("-")[0] != second.split("-")[0] for first, second in pairs)


@pytest.mark.parametrize("count", [0, 2, 4])
def test_another_number_of_pieces_than_names_does_not_teach(count: int) -> None:
    picture = sheet_of(CARDS[:3])
    mat = find_mat(picture)
    assert mat is not None
    assert cut_pieces(picture, mat, count) == Unfit(None, 3)


def test_a_sheet_is_read_in_the_pages_order() -> None:
    looks = taught([*CARDS[:5], *CARDS[5:8]], "card")
    places = [(one.name, 60.0, 145.0, 0.0) for one in looks[6:7]]
    seen = read(shot(mat_with(places)), known=lambda _: Known(tuple(looks), pips=False))
    assert names(seen) == [CARDS[6]]


def test_a_card_taught_without_a_mat_is_read_on_one() -> None:
    bare = tuple(Look(n, "card", draw(n), np.full(draw(n).shape[:2], 255, np.uint8), None) for n in ("red-5", "blue-3"))
    seen = read(shot(mat_with([("red-5", 150, 140, 0)])), known=lambda _: Known(bare, pips=False))
    assert names(seen) == ["red-5"]
    assert seen.pieces[0].center_mm == pytest.approx((150, 140), abs=2)
    assert seen.pieces[0].region == "cards"


def test_a_card_mostly_under_another_is_to_be_parted_from_it(known: Callable[[str | None], Known]) -> None:
    seen = read(shot(mat_with([("red-5", 150, 140, 0), ("blue-3", 178, 146, 0)])), known=known)
    assert "touching" in kinds(seen)
    assert not seen.sure


def test_where_pieces_need_a_mat_and_none_is_found_nothing_is_read(known: Callable[[str | None], Known]) -> None:
    seen = read(draw("red-5"), known=known)
    assert kinds(seen) == {"mat-not-found"}
    assert not seen.sure
    assert not seen.pieces
