"""What a person is told about the mat itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.read import read_file
from vision.picture import Picture
from vision.reading import read

Shoot = Callable[..., tuple[Picture, np.ndarray]]


def kinds(picture: Picture) -> list[str]:
    seen = read(picture)
    assert not (seen.sure and seen.complaints)
    return [c.kind for c in seen.complaints]


@pytest.mark.parametrize("hidden", [(20, 21), (21, 23), (22, 23), (20, 21, 22), (21, 22, 23)])
def test_a_mat_with_two_corners_or_more_hidden_is_said_to_be_missed(shoot: Shoot, hidden: tuple[int, int]) -> None:
    assert "mat-not-found" in kinds(shoot("dice-tray", 20, 10, hide=hidden)[0])


@pytest.mark.parametrize("hidden", [(), (20,), (22,)])
def test_a_mat_with_one_corner_hidden_is_not(shoot: Shoot, hidden: tuple[int, ...]) -> None:
    assert not {"mat-not-found", "mat-partly-covered"} & set(kinds(shoot("dice-tray", 20, 10, hide=hidden)[0]))


@pytest.mark.parametrize("name", ["dice-tray", "horror-race", "hare-tortoise"])
def test_a_mat_that_leaves_the_picture_is_partly_hidden(shoot: Shoot, name: str) -> None:
    picture, to_px = shoot(name, 30, 0)
    corners = [to_px @ (x, y, 1) for x in (16, 404) for y in (44, 253)]  # of the outermost regions
    right = 1290 - max(x / w for x, _, w in corners)
    moved = cv2.warpAffine(picture, np.array([[1.0, 0, right], [0, 1, 0]]), (1280, 720), borderValue=(60, 70, 80))
    assert "mat-partly-covered" in kinds(np.asarray(moved, np.uint8))


def test_a_bare_table_has_no_mat_to_miss(table: Picture) -> None:
    assert "mat-not-found" not in kinds(table)


def test_another_games_mat_is_said(shoot: Shoot, tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), shoot("horror-race", 0, 10)[0])
    asked, own = (read_file(path, game=game) for game in ("witch-race", "horror-race"))
    assert [c["kind"] for c in asked["complaints"]] == ["wrong-mat"]
    assert not asked["sure"]
    assert "lay the mat of this game" in asked["complaints"][0]["message"]
    assert own["complaints"] == []
