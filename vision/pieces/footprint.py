"""Taught looks made ready for comparison: those of one kind and size share a footprint and one frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.gallery import PX_PER_MM as LOOK_PX_PER_MM
from vision.gallery import Look
from vision.observation import Kind
from vision.pieces.compare import Level, Pose, Template, Vector, align, channels, cosine, flat, template
from vision.pieces.ground import PX_PER_MM as PAGE_PX_PER_MM
from vision.pieces.ground import opponents

COARSE, FINE = PAGE_PX_PER_MM / 2, PAGE_PX_PER_MM
"""Scales in px a page mm: to find name and turn, and to tell look-alikes apart."""
SAME_SIZE = 0.12
"""Sides that differ by less belong to one footprint."""
ROUND = 0.86
"""A mask that fills less of its rectangle is a disc (pi/4 = 0.785), one that fills more a rectangle."""
SQUARE = 1.08
"""A rectangle whose sides' ratio is below may be turned by quarters."""
DISC_STEP_DEG = 10.0
RIM_MM = 1.0
"""Not compared: the rim of a piece, where its background shows through."""
KIN = 0.7
"""Looks that correlate more share artwork, and are brought into one frame."""


@dataclass(frozen=True, eq=False)
class Footprint:
    """Looks of one kind and size, in page mm.

    ``turns`` are the turns in degrees that its outline allows. ``bank`` are all looks in all turns, unit vectors at
    COARSE of the pixels ``sparse``, every other one each way, shape (looks * turns, n); ``rings`` of a disc are its
    looks averaged over all turns, unit vectors, shape (looks, n). ``planes`` are the looks' channels at FINE, shape
    (3, looks, m), and ``grams`` their products, (3, looks, looks).
    """

    kind: Kind
    size: tuple[float, float]
    disc: bool
    turns: tuple[float, ...]
    names: tuple[str, ...]
    coarse: tuple[Template, ...]
    fine: tuple[Template, ...]
    sparse: NDArray[np.intp]
    bank: NDArray[np.float32]
    rings: NDArray[np.float32]
    planes: NDArray[np.float32]
    grams: NDArray[np.float64]

    @property
    def area(self) -> float:
        """The area in mm2."""
        return self.size[0] * self.size[1] * (np.pi / 4 if self.disc else 1.0)


def footprints(looks: Sequence[Look]) -> tuple[Footprint, ...]:
    """Group the looks that were taught on a mat; dice are not among them."""
    groups: list[list[Look]] = []
    for look in looks:
        if look.size_mm is None or look.kind == "die":
            continue
        group = next((g for g in groups if _alike(g[0], look)), None)
        if group is None:
            groups.append([look])
        else:
            group.append(look)
    return tuple(_footprint(group) for group in groups)


def _is_disc(look: Look) -> bool:
    return float((look.mask > 0).mean()) < ROUND


def _alike(a: Look, b: Look) -> bool:
    if a.kind != b.kind or _is_disc(a) != _is_disc(b) or a.size_mm is None or b.size_mm is None:
        return False
    return all(abs(x / y - 1) < SAME_SIZE for x, y in zip(a.size_mm, b.size_mm, strict=True))


def _footprint(group: list[Look]) -> Footprint:
    w, h = (float(np.median([look.size_mm[k] for look in group if look.size_mm])) for k in (0, 1))
    disc = _is_disc(group[0])
    if disc:
        w = h = (w + h) / 2
        turns = tuple(np.arange(0, 360, DISC_STEP_DEG).tolist())
    else:
        turns = (0.0, 90.0, 180.0, 270.0) if max(w / h, h / w) < SQUARE else (0.0, 180.0)
    colours = _registered([_level(look) for look in group], (w, h), disc=disc)
    coarse = tuple(_template(c, (w, h), COARSE, disc=disc) for c in colours)
    fine = tuple(_template(c, (w, h), FINE, disc=disc) for c in colours)
    sparse = _every_other(coarse[0])
    bank = np.stack([_unit(_turned(c, coarse[0], turn, sparse)) for c in colours for turn in turns])
    rings = bank.reshape(len(group), len(turns), -1).mean(1)
    rings = np.asarray(rings / (np.linalg.norm(rings, axis=1, keepdims=True) + 1e-9), np.float32)
    planes = np.stack([channels(t.values) for t in fine], 1)
    grams = np.stack([plane.astype(np.float64) @ plane.T for plane in planes])
    names = tuple(look.name for look in group)
    return Footprint(group[0].kind, (w, h), disc, turns, names, coarse, fine, sparse, bank, rings, planes, grams)


Seen = tuple[Level, Pose]
"""A look's colours and the pose in them that is its own frame."""


def _level(look: Look) -> Seen:
    height, width = look.mask.shape
    middle = ((width - 1) / 2 / LOOK_PX_PER_MM, (height - 1) / 2 / LOOK_PX_PER_MM)
    return Level(opponents(look.picture), LOOK_PX_PER_MM, 0.0), Pose(*middle, 0.0)


def _registered(looks: list[Seen], size: tuple[float, float], *, disc: bool) -> list[Seen]:
    """Bring looks that share artwork into the frame of the first of them.

    Their outlines were found to half a millimetre or worse; what differs between twins is often not larger.
    """
    out: list[Seen] = []
    frames: list[tuple[Template, Template]] = []
    for level, pose in looks:
        own = pose
        likeness = [cosine(coarse.of(level, pose), coarse.values) for coarse, _ in frames]
        if likeness and max(likeness) > KIN:
            for frame in frames[int(np.argmax(likeness))]:
                own, _, _ = align(level, frame, own, 10)
        else:
            coarse, fine = (_template((level, pose), size, scale, disc=disc) for scale in (COARSE, FINE))
            frames.append((coarse, fine))
        out.append((level, own))
    return out


def _template(seen: Seen, size: tuple[float, float], px_per_mm: float, *, disc: bool) -> Template:
    w, h = (max(8, round(side * px_per_mm)) for side in size)
    colour = seen[0].sample(seen[1], (w, h), px_per_mm)
    return template(colour, _inside((w, h), RIM_MM * px_per_mm, disc=disc), px_per_mm)


def _inside(size: tuple[int, int], rim: float, *, disc: bool) -> NDArray[np.uint8]:
    w, h = size
    y, x = np.mgrid[:h, :w]
    u, v = np.abs(x - (w - 1) / 2), np.abs(y - (h - 1) / 2)
    inside = np.hypot(u, v) <= w / 2 - rim if disc else (u <= w / 2 - rim) & (v <= h / 2 - rim)
    return np.asarray(inside, np.uint8)


def _every_other(look: Template) -> NDArray[np.intp]:
    rows, columns = np.divmod(look.inside, look.size[0])
    return np.asarray(look.inside[(rows % 2 == 0) & (columns % 2 == 0)], np.intp)


def _turned(seen: Seen, like: Template, turn: float, pixels: NDArray[np.intp]) -> Vector:
    """Show the look as a page would when it lies turned clockwise."""
    level, pose = seen
    turned = Pose(pose.x, pose.y, pose.turn_deg - turn, pose.scale)
    return flat(level.sample(turned, like.size, like.px_per_mm), pixels)


def _unit(values: Vector) -> Vector:
    return np.asarray(values / (np.linalg.norm(values) + 1e-9), np.float32)
