"""What has been taught: looks of pieces, kept as plain pictures in a folder, one folder a game.

A file ``gumiho.2.png`` is the second picture of ``gumiho``: straightened, upright as taught, transparent where the
piece is not. ``index.toml`` says of which kind each piece is and how large a pixel was; it can be made again from the
pictures (the scale of a mat's pictures is PX_PER_MM, a bare one has none).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.observation import Kind
from vision.picture import Picture, PictureError, VisionError, load_picture

PX_PER_MM = 2.0
"""Scale of the pictures that were taught on a mat, in px a page millimetre."""
SMALLEST_PX = 12
"""A die of 6 mm; anything smaller was never taught."""
INDEX = "index.toml"


class GalleryError(VisionError, ValueError):
    """A gallery that can't be read or written; the message names the file and says what to do."""


@dataclass(frozen=True, eq=False)
class Look:
    """One taught picture of a piece.

    ``picture`` is BGR uint8, shape (height, width, 3), the piece upright as taught and, where it was taught on a mat,
    in colours relative to the paper; ``mask`` is 255 on the piece. ``size_mm`` is its width and height in page
    millimetres, None without a mat.
    """

    name: str
    kind: Kind
    picture: Picture
    mask: NDArray[np.uint8]
    size_mm: tuple[float, float] | None


def file_stem(name: str) -> str:
    """Return a piece's name as a file may be called: ``rank:4,6:~2`` -> ``rank_4,6_x2``."""
    return name.replace("~", "x").replace(":", "_").replace("/", "_")


def load(folder: Path, names: Iterable[str] = ()) -> tuple[Look, ...]:
    """Return all looks of a folder, by file name; none where there is no folder. Raises GalleryError.

    ``names`` are the game's, so that a file's name can be turned back into the piece's.
    """
    if not folder.is_dir():
        return ()
    kinds, bare = _index(folder)
    known = {file_stem(name): name for name in names}
    out = []
    for path in sorted(folder.glob("*.png"), key=_order):
        stem = path.name.split(".")[0]
        picture, mask = _open(path)
        size = None if stem in bare else (picture.shape[1] / PX_PER_MM, picture.shape[0] / PX_PER_MM)
        out.append(Look(known.get(stem, stem), kinds.get(stem, "card"), picture, mask, size))
    return tuple(out)


def names(folder: Path, known: Iterable[str]) -> frozenset[str]:
    """Return which of the known names have a picture in a folder; none where it can't be read."""
    try:
        stems = {path.name.split(".")[0] for path in folder.glob("*.png")}
    except OSError:
        return frozenset()
    return frozenset(name for name in known if file_stem(name) in stems)


def save(folder: Path, looks: Sequence[Look]) -> list[Path]:
    """Add looks to a folder; each is whole on the disk before the index names it. Raises GalleryError."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        kinds, bare = _index(folder)
        for look in looks:
            stem = file_stem(look.name)
            path = _free(folder, stem)
            data = cv2.imencode(".png", np.dstack([look.picture, look.mask]))[1].tobytes()
            _put(path, data)
            written.append(path)
            kinds[stem] = look.kind
            bare = bare | {stem} if look.size_mm is None else bare - {stem}
        _put(folder / INDEX, _index_text(kinds, bare).encode())
    except OSError as error:
        raise GalleryError(
            f"{folder} can't be written: {error.strerror}. Choose another folder with --gallery."
        ) from error
    return written


def forget(folder: Path, name: str) -> int:
    """Remove all pictures of a piece; returns how many there were."""
    stem = file_stem(name)
    gone = [path for path in folder.glob("*.png") if path.name.split(".")[0] == stem] if folder.is_dir() else []
    try:
        for path in gone:
            path.unlink()
    except OSError as error:
        raise GalleryError(f"{error.filename} can't be removed: {error.strerror}.") from error
    return len(gone)


def _order(path: Path) -> tuple[str, int]:
    parts = path.name.split(".")
    return parts[0], int(parts[1]) if len(parts) > 2 and parts[1].isdigit() else 1


def _free(folder: Path, stem: str) -> Path:
    """Return the first free file name of a piece: ``hare.png``, ``hare.2.png``, ..."""
    path, number = folder / f"{stem}.png", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}.{number}.png"
    return path


def _put(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _open(path: Path) -> tuple[Picture, NDArray[np.uint8]]:
    try:
        picture = load_picture(path, SMALLEST_PX)
    except PictureError as error:
        raise GalleryError(f"The gallery's {path} is damaged ({error}) Teach that piece again.") from error
    whole = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if whole is None or whole.ndim != 3 or whole.shape[2] != 4:
        return picture, np.full(picture.shape[:2], 255, np.uint8)
    return np.ascontiguousarray(whole[..., :3]), np.ascontiguousarray(whole[..., 3])


def _index(folder: Path) -> tuple[dict[str, Kind], frozenset[str]]:
    """Read each file stem's kind, and which were taught without a mat; an index that is damaged counts as none."""
    try:
        data = tomllib.loads((folder / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}, frozenset()
    kinds = data.get("kinds", {})
    good = {stem: kind for stem, kind in kinds.items() if kind in get_args(Kind)} if isinstance(kinds, dict) else {}
    bare = data.get("bare", [])
    return good, frozenset(stem for stem in bare if isinstance(stem, str)) if isinstance(bare, list) else frozenset()


def _index_text(kinds: dict[str, Kind], bare: frozenset[str]) -> str:
    quoted = ", ".join(_quoted(stem) for stem in sorted(bare))
    lines = [f"bare = [{quoted}] # taught without a mat", "", "[kinds]"]
    return "\n".join([*lines, *(f"{_quoted(stem)} = {_quoted(kind)}" for stem, kind in sorted(kinds.items())), ""])


def _quoted(text: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
