"""The camera that looks at photographs in a folder."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.fakes.camera import FolderCamera
from hardware.fakes.clock import SetClock
from hardware.interfaces import CameraError


def photograph(path: Path, blue: int = 0) -> Path:
    picture = np.zeros((20, 30, 3), np.uint8)
    picture[:, :, 0] = blue
    cv2.imwrite(str(path), picture)
    return path


@pytest.fixture
def clock() -> SetClock:
    return SetClock(50.0)


def test_photographs_come_by_name_and_the_last_stays(tmp_path: Path, clock: SetClock) -> None:
    for name in ("b.png", "a.png", "c.JPG"):
        photograph(tmp_path / name)
    (tmp_path / "README.md").write_text("not a photograph")
    (tmp_path / "._a.png").write_bytes(b"what macOS leaves beside a file")
    camera = FolderCamera(tmp_path, clock)
    assert camera.names == ("a.png", "b.png", "c.JPG")
    seen = [camera.frame(50.0, 1.0).name, camera.frame(50.0, 1.0).name]
    while camera.advance():
        seen.append(camera.frame(50.0, 1.0).name)
    assert seen == ["a.png", "a.png", "b.png", "c.JPG"]
    assert camera.name == "c.JPG"


def test_a_frame_is_bgr_and_dated_by_the_clock(tmp_path: Path, clock: SetClock) -> None:
    photograph(tmp_path / "a.png", blue=200)
    clock.advance(2.5)
    frame = FolderCamera(tmp_path, clock).frame(after=51.0, timeout=1.0)
    assert frame.at == 52.5
    assert frame.picture.shape == (20, 30, 3)
    assert frame.picture.dtype == np.uint8
    assert frame.picture[0, 0].tolist() == [200, 0, 0]


def test_a_frame_of_a_time_to_come_is_given_at_once_unless_no_camera_would_wait_so_long(
    tmp_path: Path, clock: SetClock
) -> None:
    photograph(tmp_path / "a.png")
    camera = FolderCamera(tmp_path, clock)
    assert camera.frame(after=50.1, timeout=1.0).at == 50.1
    with pytest.raises(CameraError, match=r"1\.100 s ahead"):
        camera.frame(after=51.1, timeout=1.0)


def test_a_photograph_is_shown_by_its_name(tmp_path: Path, clock: SetClock) -> None:
    photograph(tmp_path / "a.png")
    photograph(tmp_path / "b.png")
    camera = FolderCamera(tmp_path, clock)
    camera.show("b.png")
    assert camera.frame(50.0, 1.0).name == "b.png"
    with pytest.raises(CameraError, match=r"no photograph z\.png"):
        camera.show("z.png")
    assert camera.name == "b.png"


def test_a_missing_folder_is_named(tmp_path: Path, clock: SetClock) -> None:
    with pytest.raises(CameraError, match=r"cannot be opened: .*nowhere"):
        FolderCamera(tmp_path / "nowhere", clock)


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path, clock: SetClock) -> None:
    with pytest.raises(CameraError, match="cannot be opened"):
        FolderCamera(photograph(tmp_path / "a.png"), clock)


def test_a_folder_without_photographs_says_what_to_put_there(tmp_path: Path, clock: SetClock) -> None:
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(CameraError, match="no photograph in"):
        FolderCamera(tmp_path, clock)


def damage(path: Path, how: str) -> None:
    if how == "folder":
        path.mkdir()
        return
    if how in ("cut", "cut late"):
        data = photograph(path).read_bytes()
        path.write_bytes(data[: len(data) // 2 if how == "cut" else -3])
        return
    path.write_bytes({"empty": b"", "text": b"this is no picture"}[how])


@pytest.mark.parametrize("suffix", ["jpg", "png"])
@pytest.mark.parametrize("how", ["empty", "text", "cut", "cut late", "folder"])
def test_a_damaged_photograph_is_named_and_the_next_still_used(
    tmp_path: Path, clock: SetClock, suffix: str, how: str
) -> None:
    damage(tmp_path / f"a.{suffix}", how)
    photograph(tmp_path / "b.png")
    camera = FolderCamera(tmp_path, clock)
    with pytest.raises(CameraError, match=rf"a\.{suffix}"):
        camera.frame(50.0, 1.0)
    assert camera.advance()
    assert camera.frame(50.0, 1.0).name == "b.png"
