"""The gallery at the table: which looks and dice belong to which mat."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import cast, get_args

from companion.reads import PIPS, backs, known, pieces
from companion.scene import DICE_TRAY
from companion.settings import data_folder
from engines import shelf
from engines.shelf import Game
from vision import gallery
from vision.gallery import Look
from vision.observation import Kind
from vision.reading import Known

ANY = "any"
"""The game without rules: names are free, a mat is not needed."""


def gallery_folder() -> Path:
    """Give the folder that has one folder of looks a game, unless another is chosen."""
    return data_folder("gallery")


class Taught:
    """What may lie on each mat; ``game`` is the one that is played, None: told by the mat."""

    def __init__(self, root: Path, game: str | None = None) -> None:
        self._root = root
        self._game = game

    def __call__(self, mat: str | None) -> Known:
        """Give what may lie on a mat, or (None) in a picture without one. Raises GalleryError."""
        game = self._game or (mat if mat in shelf.ids() else None)
        if game is None:
            return Known()
        looks = self.looks(game)
        if game == ANY:
            return Known(looks, pips=not looks)
        if mat in (None, DICE_TRAY):
            looks = tuple(look for look in looks if look.kind == "die")
        return Known(looks, pips=has_pips(shelf.game(game)))

    def names(self, game: str) -> frozenset[str]:
        """Give the names of a game's pieces that have been taught; the pictures are not opened."""
        return gallery.names(self._root / game, known(shelf.game(game)))

    def looks(self, game: str) -> tuple[Look, ...]:
        """Give a game's looks; read again only when its folder has changed."""
        folder = self._root / game
        names = () if game == ANY else tuple(known(shelf.game(game)))
        return _looks(folder, _stamp(folder), names)


def has_pips(game: Game) -> bool:
    """Tell whether a game's dice are ordinary ones; a game without dice may use none."""
    return set(pieces(game).get("die", ())) <= PIPS and "die" in pieces(game)


def kinds(game: Game) -> Mapping[str, Kind]:
    """Give the kind of each name that may be taught for a game."""
    out: dict[str, Kind] = {}
    for table in (pieces(game), backs(game)):
        for kind, names in table.items():
            if kind in get_args(Kind):
                out.update(dict.fromkeys(names, cast("Kind", kind)))
    return {name: kind for name, kind in out.items() if not (kind == "die" and name in PIPS)}


def _stamp(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=16)
def _looks(folder: Path, _stamp: int, names: tuple[str, ...]) -> tuple[Look, ...]:
    return gallery.load(folder, names)
