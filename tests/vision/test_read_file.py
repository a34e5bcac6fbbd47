from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.read import read_file
from vision.picture import Picture

KEYS = ["file", "size", "mat", "corners_px", "pieces", "complaints", "sure", "ms", "error"]

Matrix = NDArray[np.float64]


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    def write(picture: Picture, name: str = "a.jpg") -> Path:
        path = tmp_path / name
        path.write_bytes(cv2.imencode(path.suffix, picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())
        return path

    return write


def test_the_object_has_the_contracts_keys_in_order(
    save: Callable[..., Path], table: Picture, put_die: Callable[..., None]
) -> None:
    put_die(table, (300, 200), 4)
    seen = read_file(save(table))
    assert list(seen) == KEYS
    assert seen["size"] == [640, 480]
    assert seen["error"] is None
    assert list(seen["ms"]) == ["decode", "mat", "pieces", "total"]
    assert list(seen["pieces"][0]) == [
        "kind", "name", "confidence", "alternatives", "face", "region", "center_px", "center_mm", "angle_deg",
    ]  # fmt: skip
    assert json.loads(json.dumps(seen)) == seen


def test_a_mats_corners_and_a_dies_place_are_told(
    save: Callable[..., Path], shoot: Callable[..., tuple[Picture, Matrix]], put_die: Callable[..., None]
) -> None:
    picture, _ = shoot("dice-tray")
    put_die(picture, (640, 360), 5, edge=26)
    seen = read_file(save(picture))
    assert seen["mat"] == "dice-tray"
    assert len(seen["corners_px"]) == 4
    assert [p["name"] for p in seen["pieces"]] == ["5"]
    assert seen["pieces"][0]["region"] == "dice"
    assert seen["pieces"][0]["center_mm"] == pytest.approx([210, 148.5], abs=4)


@pytest.mark.parametrize(
    ("data", "word"), [(b"", "empty"), (b"no picture at all", "not a picture"), (None, "does not exist")]
)
def test_a_bad_file_is_a_sentence_and_not_an_exception(tmp_path: Path, data: bytes | None, word: str) -> None:
    path = tmp_path / "bad.jpg"
    if data is not None:
        path.write_bytes(data)
    seen = read_file(path)
    assert list(seen) == KEYS
    assert word in seen["error"]
    assert (seen["sure"], seen["pieces"], seen["size"]) == (False, [], None)


def test_a_truncated_photograph_is_refused(save: Callable[..., Path], table: Picture) -> None:
    path = save(table)
    path.write_bytes(path.read_bytes()[:-2000])
    assert "truncated" in read_file(path)["error"]


def test_complaints_carry_the_words_asked_for(save: Callable[..., Path]) -> None:
    seen = read_file(save(np.zeros((240, 320, 3), np.uint8)), say=lambda c: f"<{c.kind}>")
    assert seen["complaints"] == [{"kind": "dark", "message": "<dark>", "center_px": None}]
