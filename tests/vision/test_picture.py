from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.picture import PictureError, VisionError, decode_picture, load_picture


@pytest.fixture
def jpeg() -> bytes:
    picture = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def test_a_whole_picture_is_read(tmp_path: Path, jpeg: bytes) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(jpeg)
    assert load_picture(path).shape == (120, 160, 3)


def test_bytes_after_the_end_do_no_harm(jpeg: bytes) -> None:
    assert decode_picture(jpeg + b"\0" * 500, "a.jpg").shape == (120, 160, 3)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
def test_a_truncated_picture_is_refused(kind: str, share: float) -> None:
    picture = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    data = cv2.imencode(kind, picture)[1].tobytes()
    with pytest.raises(PictureError, match=r"truncated|damaged"):
        decode_picture(data[: int(len(data) * share)], "cut" + kind)


@pytest.mark.parametrize("data", [b"hello", b"\xff\xd8\xff\xd9", b"\0" * 5000, b"%PDF-1.4"])
def test_what_is_no_picture_is_refused(data: bytes | None) -> None:
    with pytest.raises(PictureError, match="not a picture"):
        decode_picture(data, "x.jpg")


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(PictureError, match="empty"):
        decode_picture(b"", "x.jpg")


def test_a_speck_and_a_giant_are_refused() -> None:
    for shape, word in (((4, 4, 3), "too small"), ((13_000, 40, 3), "too large")):
        data = cv2.imencode(".png", np.zeros(shape, np.uint8))[1].tobytes()
        with pytest.raises(PictureError, match=word):
            decode_picture(data, "x.png")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="does not exist"):
        load_picture(tmp_path / "none.jpg")
    with pytest.raises(PictureError, match="folder"):
        load_picture(tmp_path)


def test_the_error_is_a_vision_error_and_a_value_error() -> None:
    assert issubclass(PictureError, VisionError)
    assert issubclass(PictureError, ValueError)
