"""``companion print``: mats, leaflets and teaching sheets as one PDF."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.imprint import table, words
from companion.leaflet import draw_leaflet
from companion.lessons import draw_lessons
from companion.mats import draw_mat
from companion.sheet import Paper, Sheet, papers
from companion.text import Lang, Speaker
from engines import shelf
from engines.shelf import Game
from vision.mat.layout import Layout, layouts

OWNER = 2
"""Exit status for what the owner has to put right."""
ALL, TEACH = "all", "teach"
PDF = b"%PDF-"


class PrintError(ValueError):
    """What cannot be printed, or not to that place; the message says why in one sentence."""


@dataclass(frozen=True)
class Subject:
    """What a page is about: a mat, and the game where it is one's."""

    title: str
    layout: Layout
    game: Game | None


def print_mats(options: argparse.Namespace) -> int:
    """Write the PDF that is asked for; exit status 0, or 2 with one sentence on stderr.

    ``names``: games, ``dice-tray``, ``all`` (also when empty); with ``teach`` among them: teaching sheets. ``paper``:
    A3 or A4. ``out``: None where it is to be named by what is in it, in the working folder. ``lang``.
    """
    lang: Lang = options.lang
    try:
        paper = _paper(options.paper, lang)
        sheet = compose(options.names, paper, lang)
        out = options.out or Path("-".join([*(options.names or [ALL]), paper.name, lang]) + ".pdf")
        save(out, sheet.data(), lang)
    except PrintError as error:
        sys.stderr.write(f"companion: {error}\n")
        return OWNER
    shown = os.fsencode(out).decode(errors="replace")  # a name need not be words
    sys.stdout.write(words("words.written", lang, file=shown, pages=sheet.pages, paper=paper.name) + "\n")
    return 0


def compose(names: Sequence[str], paper: Paper, lang: Lang) -> Sheet:
    """Draw all pages of what is named. Raises PrintError for a name that there is not."""
    teach = TEACH in names
    found = _subjects([name for name in names if name != TEACH], lang, teach=teach)
    sheet = Sheet(paper, lang, " · ".join(s.title for s in found))
    for subject in found:
        if not teach:
            draw_mat(sheet, subject.layout, subject.title)
            draw_leaflet(sheet, subject.layout, subject.title, subject.game)
        elif subject.game is not None:
            draw_lessons(sheet, subject.layout, subject.title, subject.game.id)
    return sheet


def _paper(name: str, lang: Lang) -> Paper:
    known = papers()
    if name.upper() not in known:
        raise PrintError(words("errors.paper", lang, name=name, known=list(known)))
    return known[name.upper()]


def _subjects(names: Sequence[str], lang: Lang, *, teach: bool) -> list[Subject]:
    """Give what the names mean, each once, in their order."""
    known = [s for s in _all(lang) if s[1].game is not None or not teach]
    by_name = dict(known)
    wanted = dict.fromkeys(names or [ALL])
    if unknown := [n for n in wanted if n not in by_name and n != ALL]:
        error = "errors.teach" if teach else "errors.game"
        raise PrintError(words(error, lang, name=unknown[0], known=list(by_name)))
    return [s for _, s in known] if ALL in wanted else [by_name[n] for n in wanted]


def _all(lang: Lang) -> list[tuple[str, Subject]]:
    """Give every game with its mat, then the mats that no game has for its own."""
    mats = {layout.name: layout for layout in layouts()}
    found: list[tuple[str, Subject]] = []
    for name in shelf.ids():
        game = shelf.game(name)
        found.append((name, Subject(Speaker(game, lang).title, mats[game.table("table")["mat"]], game)))
    titles = table("titles")
    owned = {subject.layout.name for _, subject in found}
    for name, layout in mats.items():
        if name not in owned:
            found.append((name, Subject(titles[name][lang] if name in titles else name, layout, None)))
    return found


def save(out: Path, data: bytes, lang: Lang) -> None:
    """Write a file whole or not at all; only a PDF is written over. Raises PrintError."""
    try:
        if out.exists() and not _is_pdf(out):
            raise PrintError(words("errors.other", lang, file=out))
        _replace(out, data)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        if isinstance(error, PrintError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise PrintError(words("errors.write", lang, file=out, reason=reason)) from error


def _replace(out: Path, data: bytes) -> None:
    part = out.with_name(f".{out.name[:100]}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(out)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def _is_pdf(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(PDF)) == PDF
