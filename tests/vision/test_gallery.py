"""The gallery: taught looks are kept as plain pictures; whatever is damaged is named, nothing is half written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision import gallery
from vision.gallery import GalleryError, Look, file_stem


def look(name: str, kind: str = "card", *, bare: bool = False) -> Look:
    rng = np.random.default_rng(len(name))
    picture = rng.integers(0, 255, (60, 40, 3)).astype(np.uint8)
    mask = np.full((60, 40), 255, np.uint8)
    mask[:5] = 0
    return Look(name, kind, picture, mask, None if bare else (20.0, 30.0))  # type: ignore[arg-type]


def test_a_look_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    kept = look("rank:4,6:~2", "tile")
    gallery.save(tmp_path, [kept])
    (back,) = gallery.load(tmp_path, ["rank:4,6:~2"])
    assert (back.name, back.kind, back.size_mm) == (kept.name, kept.kind, kept.size_mm)
    assert (back.picture == kept.picture).all()
    assert (back.mask == kept.mask).all()


@pytest.mark.parametrize(
    ("name", "stem"), [("rank:4,6:~2", "rank_4,6_x2"), ("animal:2:-1", "animal_2_-1"), ("hare", "hare")]
)
def test_names_in_file_names_are_written_as_the_contract_says(name: str, stem: str) -> None:
    assert file_stem(name) == stem


def test_teaching_a_name_again_adds_a_picture_and_forgetting_removes_all(tmp_path: Path) -> None:
    gallery.save(tmp_path, [look("hare"), look("fox")])
    gallery.save(tmp_path, [look("hare")])
    assert [one.name for one in gallery.load(tmp_path)] == ["fox", "hare", "hare"]
    assert gallery.names(tmp_path, ["hare", "wolf"]) == {"hare"}
    assert gallery.forget(tmp_path, "hare") == 2
    assert [one.name for one in gallery.load(tmp_path)] == ["fox"]
    assert gallery.forget(tmp_path, "hare") == 0


def test_a_piece_taught_without_a_mat_has_no_size(tmp_path: Path) -> None:
    gallery.save(tmp_path, [look("box", bare=True)])
    assert gallery.load(tmp_path)[0].size_mm is None


@pytest.mark.parametrize("text", [None, "no toml [", "kinds = 3\nbare = 4"])
def test_a_lost_or_damaged_index_loses_no_picture(tmp_path: Path, text: str | None) -> None:
    gallery.save(tmp_path, [look("hare")])
    index = tmp_path / gallery.INDEX
    if text is None:
        index.unlink()
    else:
        index.write_text(text, encoding="utf-8")
    assert [one.name for one in gallery.load(tmp_path)] == ["hare"]


@pytest.mark.parametrize("keep", [0, 1, 40, 400])
def test_a_damaged_picture_is_named(tmp_path: Path, keep: int) -> None:
    (path,) = gallery.save(tmp_path, [look("hare")])
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(GalleryError, match=r"hare\.png"):
        gallery.load(tmp_path)


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(GalleryError, match="file"):
        gallery.save(tmp_path / "file", [look("hare")])


def test_no_folder_is_an_empty_gallery(tmp_path: Path) -> None:
    assert gallery.load(tmp_path / "none") == ()
    assert gallery.names(tmp_path / "none", ["hare"]) == frozenset()
