"""companion teach: photographs become looks; what can't teach is refused with its reason, the others are taught."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from tests.vision.conftest import page
from tests.vision.test_taught_pieces import MAT, draw, lay, shot
from vision.mat.layout import layouts

NAMES = ["hare", "tortoise", "wolf"]
LOOKS = dict(zip(NAMES, ("red-3", "green-5", "blue-8"), strict=True))


def photograph_of(path: Path, names: list[str], mat_name: str = MAT.name) -> Path:
    layout = next(one for one in layouts() if one.name == mat_name)
    sheet = page(layout)
    for index, name in enumerate(names):
        lay(sheet, draw(LOOKS[name]), 70 + 90 * index, 150, 0)
    cv2.imwrite(str(path), shot(sheet))
    return path


def teach(tmp_path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    status = main(["teach", *arguments, "--gallery", str(tmp_path / "gallery"), "--json", "--lang", "en"])
    return status, json.loads(capsys.readouterr().out)


def test_a_sheet_is_taught_in_reading_order_and_read_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = photograph_of(tmp_path / "sheet.png", NAMES)
    status, lesson = teach(tmp_path, capsys, "hare-tortoise", str(sheet), "--names", " ".join(NAMES))
    assert status == 0
    assert list(lesson) == ["game", "taught", "refused", "look_alikes", "missing"]
    assert (lesson["game"], lesson["taught"], lesson["refused"]) == ("hare-tortoise", NAMES, [])
    assert sorted(lesson["missing"]) == ["back", "fox", "howl", "lamb"]  # type: ignore[call-overload]
    seen_at = photograph_of(tmp_path / "table.png", ["wolf", "hare"])
    assert main(["read", str(seen_at), "--gallery", str(tmp_path / "gallery"), "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert sorted(piece["name"] for piece in seen["pieces"]) == ["hare", "wolf"]
    assert seen["sure"] is True


def test_one_piece_a_picture_is_named_by_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [photograph_of(tmp_path / name, ["hare"]) for name in ("hare.png", "hare.2.png")]
    status, lesson = teach(tmp_path, capsys, "hare-tortoise", *map(str, files))
    assert (status, lesson["taught"]) == (0, ["hare", "hare"])
    assert len(list((tmp_path / "gallery" / "hare-tortoise").glob("hare*.png"))) == 2


def test_a_refused_picture_says_why_and_the_others_are_taught(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = photograph_of(tmp_path / "hare.png", ["hare"])
    unknown = photograph_of(tmp_path / "zebra.png", ["hare"])
    crowd = photograph_of(tmp_path / "wolf.png", ["hare", "wolf"])
    wrong = photograph_of(tmp_path / "fox.png", ["hare"], "horror-race")
    bare = tmp_path / "lamb.png"
    cv2.imwrite(str(bare), np.full((400, 600, 3), 120, np.uint8))
    broken = tmp_path / "howl.png"
    broken.write_bytes(b"no picture")
    files = [good, unknown, crowd, wrong, bare, broken]
    status, lesson = teach(tmp_path, capsys, "hare-tortoise", *map(str, files))
    assert status == 2
    assert lesson["taught"] == ["hare"]
    why = {Path(one["file"]).stem: one["message"] for one in lesson["refused"]}  # type: ignore[attr-defined]
    assert set(why) == {"zebra", "wolf", "fox", "lamb", "howl"}
    assert "tortoise" in why["zebra"]
    assert "2 pieces" in why["wolf"]
    assert "another game's mat" in why["fox"]
    assert "No mat" in why["lamb"]
    assert "not a picture" in why["howl"]


def test_a_name_that_the_game_has_not_refuses_the_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = photograph_of(tmp_path / "sheet.png", ["hare", "wolf"])
    status = main(["teach", "hare-tortoise", str(sheet), "--names", "hare zebra", "--gallery", str(tmp_path / "g")])
    assert status == 2
    said = capsys.readouterr().err
    assert "zebra" in said
    assert "tortoise" in said
    assert not (tmp_path / "g").exists()


def test_forget_removes_a_piece(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = photograph_of(tmp_path / "hare.png", ["hare"])
    teach(tmp_path, capsys, "hare-tortoise", str(file))
    status, lesson = teach(tmp_path, capsys, "hare-tortoise", "--forget", "hare")
    assert status == 0
    assert "hare" in lesson["missing"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "arguments",
    [
        ["chess", "a.jpg"],
        ["hare-tortoise"],
        ["hare-tortoise", "a.jpg", "b.jpg", "--names", "hare fox"],
        ["hare-tortoise", "--forget", "zebra"],
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["teach", *arguments, "--gallery", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("companion: ")


def test_any_takes_free_names_and_pictures_without_a_mat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, look in (("sunrise", "red-3"), ("meadow", "green-5")):
        cv2.imwrite(str(tmp_path / f"{name}.png"), draw(look))
    files = [str(tmp_path / f"{name}.png") for name in ("sunrise", "meadow")]
    status, lesson = teach(tmp_path, capsys, "any", *files)
    assert (status, lesson["taught"], lesson["missing"]) == (0, ["sunrise", "meadow"], [])
