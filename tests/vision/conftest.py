"""Pictures that the tests draw themselves."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.mat.layout import Layout, layouts

Picture = NDArray[np.uint8]
PAGE_PX_PER_MM = 4
SIZE = (1280, 720)

PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    cv2.setNumThreads(1)


def page(layout: Layout) -> Picture:
    """The mat as it is printed, 4 px a millimetre."""
    scale = PAGE_PX_PER_MM
    sheet = np.full((int(layout.paper[1] * scale), int(layout.paper[0] * scale)), 245, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in layout.markers:
        x, y = (int(v * scale) for v in layout.marker_corners(marker)[0])
        side = int(layout.marker_side * scale)
        sheet[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, marker, side)
    for r in layout.regions:
        a, b = (int(r.x * scale), int(r.y * scale)), (int((r.x + r.width) * scale), int((r.y + r.height) * scale))
        cv2.rectangle(sheet, a, b, 120, 2)
    return np.asarray(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR), np.uint8)


def camera(layout: Layout, turn_deg: float, tilt_deg: float, *, fill: float = 0.75) -> NDArray[np.float64]:
    """The map from page millimetres to the pixels of a 1280 x 720 picture."""
    w, h = layout.paper
    focal = 1400.0
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    across, along = abs(c) * w + abs(s) * h, abs(s) * w + abs(c) * h
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = np.cos(np.radians(tilt_deg)), np.sin(np.radians(tilt_deg))
    rotation = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ turn
    distance = focal * max(across / SIZE[0], along / SIZE[1]) / fill
    pose = np.column_stack([rotation[:, 0], rotation[:, 1], rotation @ (-w / 2, -h / 2, 0) + (0, 0, distance)])
    inner = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]])
    return np.asarray(inner @ pose)


def photograph(layout: Layout, sheet: Picture, to_px: NDArray[np.float64]) -> Picture:
    """The page on a dark table."""
    # Twice as fine and then averaged; a pixel's middle lies half a pixel in
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    finer = np.linalg.inv(half) @ np.diag([2, 2, 1]) @ half
    from_page = finer @ to_px @ np.diag([1 / PAGE_PX_PER_MM, 1 / PAGE_PX_PER_MM, 1]) @ half
    picture = cv2.warpPerspective(sheet, from_page, (2 * SIZE[0], 2 * SIZE[1]), borderValue=(60, 70, 80))
    picture = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)


@pytest.fixture
def shoot() -> Callable[..., tuple[Picture, NDArray[np.float64]]]:
    def make(
        name: str, turn_deg: float = 0, tilt_deg: float = 0, hide: tuple[int, ...] = ()
    ) -> tuple[Picture, NDArray[np.float64]]:
        layout = next(m for m in layouts() if m.name == name)
        sheet = page(layout)
        for marker in hide:
            x, y = (int((v - 4) * PAGE_PX_PER_MM) for v in layout.marker_corners(marker)[0])
            side = int((layout.marker_side + 8) * PAGE_PX_PER_MM)
            sheet[max(y, 0) : y + side, max(x, 0) : x + side] = (140, 170, 200)
        to_px = camera(layout, turn_deg, tilt_deg)
        return photograph(layout, sheet, to_px), to_px

    return make


def die(
    picture: Picture, at: tuple[int, int], value: int, *, edge: int = 44, turn_deg: float = 20,
    body: tuple[int, int, int] = (235, 240, 240), pip: tuple[int, int, int] = (25, 25, 25),
) -> None:  # fmt: skip
    """A die seen from straight above, with the shadow that its edges throw."""
    scale = 8
    n = edge * 2
    tile = np.zeros((n * scale, n * scale), np.uint8)
    inner, r = int(edge * scale * 0.36), int(edge * scale * 0.14)
    middle = n * scale // 2
    cv2.rectangle(tile, (middle - inner, middle - inner), (middle + inner, middle + inner), 255, 2 * r)
    cv2.rectangle(tile, (middle - inner, middle - inner), (middle + inner, middle + inner), 255, -1)
    ink = np.zeros_like(tile)
    for u, v in PIPS[value]:
        centre = (int(middle + u * 0.25 * edge * scale), int(middle + v * 0.25 * edge * scale))
        cv2.circle(ink, centre, int(0.1 * edge * scale), 255, -1)
    m = cv2.getRotationMatrix2D((middle, middle), turn_deg, 1.0)
    turned = (cv2.warpAffine(p, m, p.shape) for p in (tile, ink))
    tile, ink = (cv2.resize(p, (n, n), interpolation=cv2.INTER_AREA) / 255.0 for p in turned)
    x, y = at[0] - edge, at[1] - edge
    view = picture[y : y + n, x : x + n].astype(float)
    shade = cv2.GaussianBlur(np.roll(tile, (edge // 10, edge // 12), (0, 1)), (0, 0), edge / 12)[..., None]
    view *= 1 - 0.45 * shade
    view = view * (1 - tile[..., None]) + np.array(body) * tile[..., None]
    view = view * (1 - ink[..., None]) + np.array(pip) * ink[..., None]
    picture[y : y + n, x : x + n] = view.astype(np.uint8)


@pytest.fixture
def put_die() -> Callable[..., None]:
    return die


@pytest.fixture
def table() -> Picture:
    """A wooden table without anything on it, 640 x 480."""
    rng = np.random.default_rng(7)
    grain = cv2.GaussianBlur(rng.normal(size=(480, 640)).astype(np.float32), (0, 0), sigmaX=18, sigmaY=1.2)
    fine = rng.normal(size=(480, 640)).astype(np.float32)
    picture = np.array([95, 140, 175]) + (grain * 60 + fine * 2)[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)
