"""What is printed, rendered back to pixels and measured."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray

from companion.imprint import region_words, table
from companion.mats import draw_mat
from companion.printing import compose
from companion.sheet import Sheet, papers
from companion.text import LANGS, Lang, Speaker
from engines import shelf
from vision.mat.layout import Layout, layouts
from vision.mat.markers import find_markers, find_mat
from vision.reading import read

Grey = NDArray[np.uint8]
Matrix = NDArray[np.float64]

MATS = [m.name for m in layouts()]
PAPERS = list(papers())
SOME = [pytest.param(m, marks=[] if m == "witch-race" else pytest.mark.slow) for m in MATS]
FINE = 10  # px a true millimetre
VIEW = (1280, 720)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    cv2.setNumThreads(1)


@cache
def document(paper: str, lang: Lang, names: tuple[str, ...] = ()) -> bytes:
    with complaints() as said:
        data = compose(names, papers()[paper], lang).data()
    assert not said  # fpdf2 tells of missing glyphs
    return data


@contextmanager
def complaints() -> Iterator[list[logging.LogRecord]]:
    said: list[logging.LogRecord] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = said.append  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    yield said
    logging.getLogger().removeHandler(handler)


@cache
def texts(paper: str, lang: Lang) -> dict[str, list[str]]:
    """All words of each page, mat by mat, without spaces: lines break where they like."""
    found: dict[str, list[str]] = {}
    for page in pdfium.PdfDocument(document(paper, lang)):
        words = re.sub(r"\s", "", page.get_textpage().get_text_range())
        if mat := re.search(rf"·([a-z-]+)·{paper}", words):
            found[mat[1]] = []
        [*found.values()][-1].append(words)
    return found


def place(name: str, paper: str, lang: Lang) -> int:
    """Which page a mat is on."""
    pages = texts(paper, lang)
    return sum(len(pages[other]) for other in [*pages][: [*pages].index(name)])


@cache
def rendered(name: str, paper: str, lang: Lang = "en", px_per_mm: int = FINE, *, teach: bool = False) -> Grey:
    pdf = pdfium.PdfDocument(document(paper, lang, ("teach", name) if teach else ()))
    page = pdf[0 if teach else place(name, paper, lang)]
    scale = px_per_mm * 25.4 / 72 * (1 - 1e-5)  # pdfium rounds the picture's size up and stretches the page to it
    sheet = np.asarray(page.render(scale=scale, grayscale=True).to_numpy())
    assert sheet.shape == (papers()[paper].height * px_per_mm, papers()[paper].width * px_per_mm)
    return sheet


def layout_of(name: str) -> Layout:
    return next(m for m in layouts() if m.name == name)


def shrink(paper: str) -> float:
    return 1.0 if paper == "A3" else float(np.sqrt(0.5))


def has(page: str, sentence: str) -> bool:
    # pdfium gives a hyphen at a line's end as U+FFFE or not at all
    def bare(text: str) -> str:
        return re.sub(r"[\s\-\ufffe\x02]", "", text)

    return bare(sentence) in bare(page)


# --- the size of things -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("paper", "points"), [("A3", (1190.55, 841.89)), ("A4", (841.89, 595.28))])
def test_every_page_has_the_papers_size(paper: str, points: tuple[float, float], lang: Lang) -> None:
    pdf = pdfium.PdfDocument(document(paper, lang))
    for page in pdf:
        assert page.get_mediabox() == pytest.approx((0, 0, *points), abs=0.006)
        assert page.get_rotation() == 0


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", SOME)
def test_markers_lie_right_to_a_tenth_of_a_millimetre(name: str, paper: str) -> None:
    sheet, layout = rendered(name, paper), layout_of(name)
    for marker in layout.markers:
        corners = layout.marker_corners(marker) * shrink(paper)
        near = 3 * FINE
        (x0, y0), (x1, y1) = (corners[0] * FINE).astype(int) - near, (corners[2] * FINE).astype(int) + near
        x0, y0 = max(x0, 0), max(y0, 0)
        ys, xs = np.nonzero(sheet[y0:y1, x0:x1] < 128)
        edges = np.array([xs.min() + x0, ys.min() + y0, xs.max() + x0 + 1, ys.max() + y0 + 1]) / FINE
        assert edges == pytest.approx([*corners[0], *corners[2]], abs=0.1)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", SOME)
def test_regions_lie_right_to_a_tenth_of_a_millimetre(name: str, paper: str) -> None:
    sheet, scale = rendered(name, paper), shrink(paper) * FINE
    for r in layout_of(name).regions:
        row, column = sheet[int((r.y + r.height / 2) * scale)], sheet[:, int((r.x + r.width / 2) * scale)]
        for line, start, length in ((row, r.x, r.width), (column, r.y, r.height)):
            for edge in (start, start + length):
                near = round(edge * scale) - FINE
                dark = np.nonzero(line[near : near + 2 * FINE] < 170)[0] + near + 0.5
                assert dark.mean() == pytest.approx(edge * scale, abs=0.1 * FINE)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", SOME)
def test_the_ruler_has_the_length_that_it_says(name: str, paper: str, lang: Lang) -> None:
    sheet = rendered(name, paper, lang)
    x, y = (table("mat")[k] * shrink(paper) * FINE for k in ("ruler-x", "ruler-y"))
    columns = np.nonzero((sheet[int(y - 3) : int(y + 4)] < 100).any(0))[0]
    columns = columns[(columns > x - FINE) & (columns < x + 102 * FINE)]
    assert len(columns) == columns[-1] - columns[0] + 1
    width = table("mat")["line-width"] * shrink(paper)  # half a line stands out at either end
    assert len(columns) / FINE == pytest.approx(100 + width, abs=0.15)
    assert has(texts(paper, lang)[name][0], "100 mm")


# --- the markers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", MATS)
def test_every_marker_is_read_back_and_no_other(name: str, paper: str) -> None:
    for thorough in (False, True):
        seen = find_markers(rendered(name, paper, px_per_mm=6), thorough=thorough)
        # the tolerant decoder sees one in letters now and then; it must be no mat's
        assert sorted(m for m in seen if m < 24 or not thorough) == list(layout_of(name).markers)


def test_a_document_of_all_has_all_24_markers() -> None:
    pdf = pdfium.PdfDocument(document("A4", "en"))
    seen: list[int] = []
    for page in pdf:
        seen += find_markers(page.render(scale=1.5, grayscale=True).to_numpy(), thorough=False)
    assert sorted(seen) == list(range(24))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", SOME)
def test_quiet_zones_are_pure_white(name: str, paper: str, lang: Lang) -> None:
    sheet, layout = rendered(name, paper, lang), layout_of(name)
    for marker in layout.markers:
        corners = layout.marker_corners(marker) * shrink(paper) * FINE
        quiet = round(4 * shrink(paper) * FINE)
        (x0, y0), (x1, y1) = np.floor(corners[0]).astype(int), np.ceil(corners[2]).astype(int)
        around = sheet[max(y0 - quiet, 0) : y1 + quiet, max(x0 - quiet, 0) : x1 + quiet].copy()
        top, left = min(quiet, y0), min(quiet, x0)
        around[top - 1 : top + y1 - y0 + 1, left - 1 : left + x1 - x0 + 1] = 255
        assert around.min() == 255


@pytest.mark.parametrize("name", SOME)
def test_a_markers_modules_are_even_and_unseamed(name: str) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    layout, sheet = layout_of(name), rendered(name, "A3")
    for marker in layout.markers:
        x, y = (int(v * FINE) for v in layout.marker_corners(marker)[0])
        side = int(layout.marker_side * FINE)
        wanted = cv2.aruco.generateImageMarker(dictionary, marker, side)
        differs = np.abs(sheet[y : y + side, x : x + side].astype(int) - wanted) > 8
        # only along the edges between black and white may a pixel be grey
        edges = cv2.dilate(wanted, np.ones((5, 5), np.uint8)) != cv2.erode(wanted, np.ones((5, 5), np.uint8))
        inner = differs[2:-2, 2:-2] & ~edges[2:-2, 2:-2]
        assert not inner.any()


# --- under a camera -----------------------------------------------------------------------------------------------


def photograph(sheet: Grey, px_per_mm: float, true_size: tuple[float, float], rng: np.random.Generator) -> tuple[
    NDArray[np.uint8], Matrix
]:  # fmt: skip
    """The sheet on a dark table from any side, up to 35 degrees tilted; and the map from true millimetres to pixels."""
    turn, tilt, way = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(0, 35)), rng.uniform(0, 2 * np.pi)
    turned, _ = cv2.Rodrigues(np.array([0, 0, turn]))
    tilted, _ = cv2.Rodrigues(tilt * np.array([np.cos(way), np.sin(way), 0]))
    w, h = true_size
    focal = 1400.0
    across = abs(np.cos(turn)) * w + abs(np.sin(turn)) * h
    along = abs(np.sin(turn)) * w + abs(np.cos(turn)) * h
    distance = focal * max(across / VIEW[0], along / VIEW[1]) / rng.uniform(0.66, 0.8)
    rotation = tilted @ turned
    pose = np.column_stack([rotation[:, 0], rotation[:, 1], rotation @ (-w / 2, -h / 2, 0) + (0, 0, distance)])
    to_px = np.array([[focal, 0, VIEW[0] / 2], [0, focal, VIEW[1] / 2], [0, 0, 1]]) @ pose
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])  # a pixel's middle lies half a pixel in
    from_sheet = np.linalg.inv(half) @ np.diag([2, 2, 1]) @ half @ to_px @ np.diag([1 / px_per_mm] * 2 + [1]) @ half
    picture = cv2.warpPerspective(sheet, from_sheet, (2 * VIEW[0], 2 * VIEW[1]), borderValue=70)
    picture = cv2.GaussianBlur(cv2.resize(picture, VIEW, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    noisy = picture * rng.uniform(0.7, 0.95) + rng.normal(0, 2, picture.shape)
    grey = np.clip(noisy, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8), to_px


def worst_mm(name: str, paper: str, rng: np.random.Generator, *, teach: bool = False, hide: int | None = None) -> float:
    """How far the corners of the mat's regions are off at most, in page millimetres; `hide`: a marker to cover."""
    px_per_mm = {"A3": 4, "A4": 6}[paper]
    size = papers()[paper]
    sheet = rendered(name, paper, "ko", px_per_mm, teach=teach).copy()
    if hide is not None:
        corners = layout_of(name).marker_corners(hide) * shrink(paper) * px_per_mm
        cv2.rectangle(sheet, corners[0].astype(int).tolist(), corners[2].astype(int).tolist(), 150, -1)
    picture, to_px = photograph(sheet, px_per_mm, (size.width, size.height), rng)
    mat = find_mat(picture)
    assert mat is not None
    assert mat.layout.name == name
    assert len(mat.markers) == (4 if hide is None else 3)
    worst = 0.0
    for r in mat.layout.regions:
        for x, y in ((r.x, r.y), (r.x + r.width, r.y), (r.x + r.width, r.y + r.height), (r.x, r.y + r.height)):
            u, v, w = to_px @ (x * shrink(paper), y * shrink(paper), 1)
            worst = max(worst, float(np.hypot(*(np.array(mat.mm((u / w, v / w))) - (x, y)))))
    return worst


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", MATS)
def test_the_mat_is_found_and_its_regions_are_right_to_half_a_millimetre(name: str, paper: str) -> None:
    rng = np.random.default_rng([MATS.index(name), PAPERS.index(paper)])
    assert worst_mm(name, paper, rng) <= 0.5


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", MATS)
def test_from_any_side_regions_are_right_to_half_a_millimetre(name: str, paper: str) -> None:
    rng = np.random.default_rng([7, MATS.index(name), PAPERS.index(paper)])
    assert max(worst_mm(name, paper, rng) for _ in range(20)) <= 0.5


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", MATS)
def test_a_covered_marker_leaves_its_corner_right_to_two_millimetres(name: str, paper: str) -> None:
    # Beyond the three markers the map is drawn out: a tenth of a pixel there is a millimetre at the fourth corner
    rng = np.random.default_rng([8, MATS.index(name), PAPERS.index(paper)])
    found = [worst_mm(name, paper, rng, hide=marker) for marker in layout_of(name).markers for _ in range(3)]
    assert np.mean(found) <= 1
    assert max(found) <= 2


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", shelf.ids())
def test_a_teaching_sheet_is_its_games_mat(name: str, paper: str) -> None:
    assert worst_mm(name, paper, np.random.default_rng(3), teach=True) <= 0.5


@pytest.mark.parametrize("name", MATS)
def test_nothing_printed_is_taken_for_a_piece(name: str) -> None:
    picture, _ = photograph(rendered(name, "A3", px_per_mm=4), 4, (420, 297), np.random.default_rng(5))
    assert read(picture).pieces == ()


# --- the words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("lang", LANGS)
def test_every_mat_says_its_title_and_its_regions(lang: Lang, paper: str) -> None:
    for layout in layouts():
        page = texts(paper, lang)[layout.name][0]
        own = layout.name in shelf.ids()
        assert has(page, Speaker(shelf.game(layout.name), lang).title if own else table("titles")[layout.name][lang])
        for region in layout.regions:
            assert has(page, table("mats")[layout.name][region.name]["name"][lang])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", shelf.ids())
def test_every_clause_and_step_is_printed(name: str, lang: Lang, paper: str) -> None:
    pages = texts(paper, lang)[name]
    speaker = Speaker(shelf.game(name), lang)
    for number in shelf.game(name).table("clauses"):
        assert any(has(page, number) for page in pages[1:])
        assert any(has(page, speaker.clause(number)) for page in pages[1:]), number
    for heading in ("start", "buttons", "places", "clauses"):
        assert has(pages[1], table("words")[heading][lang])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("lang", LANGS)
def test_text_keeps_the_margins(lang: Lang, paper: str) -> None:
    pdf = pdfium.PdfDocument(document(paper, lang))
    for page in pdf:
        sheet = page.render(scale=2, grayscale=True).to_numpy()
        if sheet[80:200].min() < 60 and find_markers(sheet, thorough=False):
            continue
        margin = round(12 * 2 / 25.4 * 72)
        inside = np.zeros_like(sheet, bool)
        inside[margin:-margin, margin:-margin] = True
        assert sheet[~inside].min() == 255


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("names", [(), ("teach",)])
def test_no_glyph_is_missing(names: tuple[str, ...], lang: Lang) -> None:
    assert document("A4", lang, names)


def test_a_rare_syllable_is_printed_with_the_other_font() -> None:
    sheet = Sheet(papers()["A4"], "ko", "뷁")
    sheet.page()
    sheet.write((20, 20), "뷁 a", 12)
    with complaints() as said:
        pdf = pdfium.PdfDocument(sheet.data())
    assert not said
    assert "뷁" in pdf[0].get_textpage().get_text_range()


def test_a_glyph_that_no_font_has_is_told() -> None:
    sheet = Sheet(papers()["A4"], "ko", "")
    sheet.page()
    sheet.write((20, 20), "\N{OLD ITALIC LETTER A}", 12)
    with complaints() as said:
        sheet.data()
    assert said


def test_a_mat_without_words_shows_its_ids() -> None:
    assert region_words("seventh", "left", "en") == ("left", "")


def test_a_long_title_keeps_clear_of_the_markers() -> None:
    layout = layout_of("witch-race")
    sheet = Sheet(papers()["A4"], "en", "")
    draw_mat(sheet, layout, "The long and winding race of the witches and their many animals " * 3)
    page = pdfium.PdfDocument(sheet.data())[0].render(scale=2, grayscale=True).to_numpy()
    assert sorted(find_markers(page, thorough=False)) == list(layout.markers)


def test_every_game_has_its_mat() -> None:
    assert {shelf.game(name).table("table")["mat"] for name in shelf.ids()} <= set(MATS)
