"""Taught looks made ready to be compared with pieces that are seen without a mat: by shape, in every turn.

A look may have been taught, or the table be seen, through a camera that mirrors its picture, as webcams do; so each
look stands here mirrored too. One picture is either mirrored or not: its reader decides that for all pieces together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bare.patch import Field, Grid, blurred, grid, halved, opponent
from vision.gallery import Look
from vision.observation import Kind
from vision.picture import Picture

SAME_SHAPE = 1.15  # looks whose heights by widths differ by less share a grid
SQUARE = 1.15
COARSE_BLUR = 1.0  # px of the quarter grid


@dataclass(frozen=True, eq=False)
class Print:
    """A look as it may lie on the grid.

    ``upright`` are its colours; ``stood`` tells that it was taught lying and was stood up, a right angle clockwise.
    Mirrored where it is, it is then turned clockwise by ``turn`` right angles.
    """

    name: str
    kind: Kind
    upright: Field
    stood: bool
    turn: int
    mirrored: bool

    def field(self) -> Field:
        """Return its colours on the page's grid."""
        return _turned(self.upright, self.turn, mirrored=self.mirrored)

    @property
    def angle_deg(self) -> float:
        """How the piece is turned on the grid against the way it was taught, clockwise."""
        return 90.0 * (self.turn + self.stood)


@dataclass(frozen=True, eq=False)
class Page:
    """The looks of one shape (``aspect``, height by width, 1 or more), on one grid.

    ``halves`` are the prints at half scale; ``coarse`` (prints, n) are unit vectors for a first choice.
    """

    aspect: float
    grid: Grid
    prints: tuple[Print, ...]
    halves: tuple[Field, ...]
    coarse: NDArray[np.float32]

    @property
    def hands(self) -> tuple[range, range]:
        """The numbers of the prints as taught, and of the mirrored ones."""
        count = len(self.prints)
        return range(count // 2), range(count // 2, count)


@lru_cache(maxsize=4)
def album(looks: tuple[Look, ...]) -> tuple[Page, ...]:
    """Return the looks by shape. Kept for the galleries used last: a table is read again and again."""
    groups: list[list[Look]] = []
    for look in sorted(looks, key=aspect):
        if groups and aspect(look) < aspect(groups[-1][0]) * SAME_SHAPE:
            groups[-1].append(look)
        else:
            groups.append([look])
    return tuple(_page(group) for group in groups)


def aspect(look: Look) -> float:
    """Return the longer side by the shorter."""
    height, width, _ = look.picture.shape
    return float(max(height, width) / min(height, width))


def coarse(field: Field) -> NDArray[np.float32]:
    """Return the unit vector of a field at half scale, for a first choice."""
    small = blurred(halved(field), COARSE_BLUR)
    values = small.reshape(-1, 3)
    values = (values - values.mean(0)).ravel()
    return np.asarray(values / max(float(np.linalg.norm(values)), 1e-6), np.float32)


def _page(looks: Sequence[Look]) -> Page:
    shape = float(np.median([aspect(look) for look in looks]))
    shape = 1.0 if shape < SQUARE else shape
    whole = grid(shape)
    turns = (0, 1, 2, 3) if shape == 1.0 else (0, 2)
    prints = []
    for look in looks:
        lies = look.picture.shape[1] > look.picture.shape[0] and shape > 1.0
        upright = _upright(look.picture, whole, lies=lies)
        prints += [Print(look.name, look.kind, upright, lies, turn, mirrored=False) for turn in turns]
    prints += [replace(one, mirrored=True) for one in prints]
    halves = tuple(halved(one.field()) for one in prints)
    return Page(shape, whole, tuple(prints), halves, np.stack([coarse(one) for one in halves]))


def _upright(picture: Picture, to: Grid, *, lies: bool) -> Field:
    """Return a look's colours on the grid; one that was taught lying is stood up, a right angle clockwise."""
    stood = np.ascontiguousarray(np.rot90(picture, -1)) if lies else picture
    how = cv2.INTER_AREA if stood.shape[1] > to.width else cv2.INTER_LINEAR
    return opponent(np.asarray(cv2.resize(stood, (to.width, to.height), interpolation=how), np.uint8))


def _turned(field: Field, turn: int, *, mirrored: bool) -> Field:
    flipped = field[:, ::-1] if mirrored else field
    return np.ascontiguousarray(np.rot90(flipped, -turn))
