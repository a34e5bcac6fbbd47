"""``companion print``: what is written where, and what is refused."""

from __future__ import annotations

import argparse
import errno
from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from companion.printing import print_mats
from companion.text import LANGS

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*names: str, paper: str = "A4", lang: str = "en", out: Path | None = None) -> tuple[int, str, str]:
        status = print_mats(argparse.Namespace(names=list(names), paper=paper, lang=lang, out=out))
        said = capsys.readouterr()
        return status, said.out, said.err

    return go


def test_a_file_is_named_by_what_is_in_it(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run("dice-tray", paper="a3", lang="ko")
    assert (status, err) == (0, "")
    assert "dice-tray-A3-ko.pdf" in out
    assert [p.name for p in tmp_path.iterdir()] == ["dice-tray-A3-ko.pdf"]


def test_a_pdf_is_written_over(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "mat.pdf"
    out.write_bytes(b"%PDF-1.7 older")
    assert run("dice-tray", out=out)[0] == 0
    assert len(pdfium.PdfDocument(out.read_bytes())) == 2
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    ("names", "paper", "mentions"),
    [
        (("chess",), "A4", "chess"),
        (("",), "A4", "witch-race"),
        (("witch-race", "chess"), "A4", "chess"),
        (("teach", "dice-tray"), "A4", "dice-tray"),
        (("witch-race",), "A5", "A5"),
        (("{x}",), "{0}", "{0}"),
    ],
)
def test_what_there_is_not_is_refused_in_one_line(
    run: Run, tmp_path: Path, names: tuple[str, ...], paper: str, mentions: str
) -> None:
    for lang in LANGS:
        status, out, err = run(*names, paper=paper, lang=lang, out=tmp_path / "mat.pdf")
        assert (status, out) == (2, "")
        assert mentions in err
        assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "place", ["", ".", "notes.txt", "notes.txt/mat.pdf", "no/where/mat.pdf", "a\0b.pdf", "x" * 300]
)
def test_a_place_that_cannot_be_written_is_refused_in_one_line(run: Run, tmp_path: Path, place: str) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    status, out, err = run("dice-tray", out=tmp_path / place)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("notes.txt", "mine")]


@pytest.mark.parametrize("place", [".", "/", "/dev/null"])
def test_a_folder_and_a_device_are_no_pdf(run: Run, place: str) -> None:
    assert run("dice-tray", out=Path(place))[0] == 2


def test_a_full_disk_leaves_the_old_pdf(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "mat.pdf"
    out.write_bytes(b"%PDF-1.7 older")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    status, _, err = run("dice-tray", out=out)
    assert status == 2
    assert "No space left" in err
    assert out.read_bytes() == b"%PDF-1.7 older"
    assert list(tmp_path.iterdir()) == [out]
