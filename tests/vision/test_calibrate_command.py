"""`companion calibrate`: pictures in, a lens kept, or a sentence and nothing kept."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.calibrate import kept, lens_file
from companion.cli import main
from vision.mat.lens import UNKNOWN
from vision.picture import Picture

VIEWS = [(0, 10), (70, 25), (140, 30), (250, 20)]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def pictures(shoot: Callable[..., tuple[Picture, np.ndarray]], tmp_path: Path) -> list[str]:
    found = []
    for number, (turn, tilt) in enumerate(VIEWS):
        path = tmp_path / "pictures" / f"{number}.png"
        path.parent.mkdir(exist_ok=True)
        cv2.imwrite(str(path), shoot("dark-horse", turn, tilt)[0])
        found.append(str(path))
    return found


def test_the_lens_is_measured_and_kept(pictures: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert kept() == UNKNOWN
    assert main(["calibrate", *pictures]) == 0
    lens = kept()
    assert lens.focal == pytest.approx(1400 / 1280, rel=0.03)
    assert lens.bend == pytest.approx(0, abs=0.05)
    said = capsys.readouterr().out
    assert said.count("dark-horse, 4 markers") == 4
    assert str(lens_file()) in said


def test_what_is_no_picture_is_named_and_the_others_count(
    pictures: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = tmp_path / "torn.png"
    torn.write_bytes(Path(pictures[0]).read_bytes()[:500])
    assert main(["calibrate", *pictures, str(torn), str(tmp_path / "none.jpg")]) == 0
    said = capsys.readouterr().out
    assert "torn.png is truncated" in said
    assert "none.jpg does not exist" in said


def test_too_few_pictures_keep_nothing(pictures: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", *pictures[:2]]) == 2
    assert "3 are needed" in capsys.readouterr().err
    assert not lens_file().exists()


@pytest.mark.parametrize(("lang", "said"), [("en", "Only 2 different views"), ("ko", "서로 다른 사진이 2장뿐")])
def test_what_is_wrong_is_said_in_the_persons_language(
    lang: str, said: str, pictures: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--lang", lang, *pictures[:2]]) == 2
    assert said in capsys.readouterr().err


def test_without_pictures_the_tables_camera_takes_them(
    pictures: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[board]\npin_factory = "mock"\ncamera = "folder:{Path(pictures[0]).parent}"\n')
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 4))
    main(["calibrate", "--settings", str(settings)])
    assert "picture 4: dark-horse" in capsys.readouterr().out


def test_a_damaged_file_means_that_each_picture_tells_its_own(pictures: list[str]) -> None:
    assert main(["calibrate", *pictures]) == 0
    lens_file().write_bytes(lens_file().read_bytes()[:9])
    assert kept() == UNKNOWN
