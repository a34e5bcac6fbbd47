"""One training scene: a ground or a labelled photograph, drawn dice put on it, and a camera's faults over all."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.die import EDGE_PX
from training.ground import Picture, Rng, clutter, surface

HIDDEN = 0.35
LEVEL_DEG = 15.0
EDGE_RANGE_PX = (16.0, 62.0)
ROLL_RAD = 0.2
PHOTOGRAPH_UPRIGHT = 0.75
OBLIQUE_DEG = 28.0  # from here on a drawn view is hardly ever upside down


@dataclass
class Truth:
    """One die in a scene: middle of its top face, edge in px, value (0 = none to be read), shape of the face or None.

    ``shape`` is the 2 x 2 matrix A A^T of the two edge vectors of the top face, in px^2.
    ``use``: "read" (a die to be found and read), "cocked" (to be found but not read: it leans, or its face is covered
    in part or torn), "ignore" (neither right nor wrong).
    """

    centre: NDArray[np.float64]
    edge: float
    value: int
    use: str
    shape: NDArray[np.float64] | None = None
    drawn: bool = False


@dataclass
class Scene:
    """A picture and what is in it."""

    picture: Picture
    dice: list[Truth] = field(default_factory=list)


class Library:
    """The drawn sprites, a group at a time."""

    def __init__(self, directory: Path) -> None:
        self.paths = sorted(directory.glob("[0-9]*[0-9].npz"))
        self.cache: dict[Path, dict[str, np.ndarray]] = {}

    def group(self, rng: Rng) -> dict[str, np.ndarray]:
        """Return a random group's arrays, kept in memory once read."""
        path = self.paths[int(rng.integers(len(self.paths)))]
        if path not in self.cache:
            with np.load(path) as data:
                self.cache[path] = {k: data[k] for k in data.files}
        return self.cache[path]


def quad_shape(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a A^T of a parallelogram given by its four corners."""
    u = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    v = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    a = np.stack([u, v], 1)
    return np.asarray(a @ a.T)


def moved(truth: Truth, m: NDArray[np.float64]) -> Truth:
    """Return the same die after the affine map ``m`` (2 x 3)."""
    a = m[:, :2]
    scale = float(np.sqrt(abs(np.linalg.det(a))))
    shape = None if truth.shape is None else a @ truth.shape @ a.T
    return Truth(a @ truth.centre + m[:, 2], truth.edge * scale, truth.value, truth.use, shape, truth.drawn)


def warp(picture: Picture, m: NDArray[np.float64], size: int, border: float) -> Picture:
    """``warpAffine`` without aliasing when it shrinks."""
    scale = float(np.sqrt(abs(np.linalg.det(m[:, :2]))))
    m = m.copy()
    while scale < 0.6 and min(picture.shape[:2]) > 40:
        picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        m[:, :2] *= 2
        scale *= 2
    flags = cv2.INTER_LINEAR if scale < 1.5 else cv2.INTER_CUBIC
    value = (border, border, border)
    return np.asarray(cv2.warpAffine(picture, m, (size, size), flags=flags, borderValue=value), np.uint8)


def roll(rng: Rng, upright: float) -> float:
    """Return a turn of the picture in radians: nearly upright with that probability, else any.

    People hold cameras upright, so the sides of dice show below their tops: in a steep view nothing else tells them.
    """
    return float(rng.normal(0, ROLL_RAD) if rng.random() < upright else rng.uniform(0, 2 * np.pi))


def turn(rng: Rng, scale: float, at: NDArray[np.float64], to: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a map with a roll and perhaps mirrored, with ``at`` brought to ``to``."""
    t = roll(rng, PHOTOGRAPH_UPRIGHT)
    a = scale * np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    if rng.random() < 0.5:
        a = a @ np.diag([-1.0, 1.0])
    squeeze = np.diag([1.0, float(rng.uniform(0.85, 1.0))]) if rng.random() < 0.3 else np.eye(2)
    a = squeeze @ a
    return np.concatenate([a, (to - a @ at)[:, None]], 1)


def random_edge(rng: Rng) -> float:
    """Return a die's edge in px: mostly what the finder is to find, now and then one for another level."""
    if rng.random() < 0.12:
        return float(rng.uniform(75, 180)) if rng.random() < 0.8 else float(rng.uniform(6, 11))
    return float(np.exp(rng.uniform(np.log(17), np.log(58))))


def from_photograph(scene: Scene, rng: Rng, size: int) -> Scene:
    """Return a turned and scaled cut of a labelled photograph."""
    known = [d for d in scene.dice if d.use != "ignore"]
    h, w = scene.picture.shape[:2]
    if known:
        die = known[int(rng.integers(len(known)))]
        scale, at = random_edge(rng) / die.edge, die.centre
    else:
        scale, at = np.exp(rng.uniform(np.log(0.3), np.log(1.5))), rng.uniform(0, 1, 2) * (w, h)
    m = turn(rng, float(scale), at, rng.uniform(0.2, 0.8, 2) * size)
    picture = warp(scene.picture, m, size, float(rng.uniform(0, 255)))
    return Scene(picture, [moved(d, m) for d in scene.dice])


def _places(rng: Rng, count: int, span: float, taken: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Ground places in edges, some huddled together, none closer than dice can be."""
    out: list[NDArray[np.float64]] = []
    huddle = rng.random() < 0.35
    for _ in range(count * 8):
        if len(out) == count:
            break
        if huddle and out:
            a, gap = rng.uniform(0, 2 * np.pi), rng.uniform(1.05, 1.5)
            p = out[int(rng.integers(len(out)))] + gap * np.array([np.cos(a), np.sin(a)])
        else:
            p = rng.uniform(-span / 2, span / 2, 2)
        free = all(np.hypot(*(p - q)) > rng.uniform(1.02, 1.3) for q in out)
        if free and all(np.hypot(*(p - q)) > 1.9 for q in taken):
            out.append(p)
    return out


@dataclass
class Canvas:
    """A scene being made; ``owner`` says which die is seen at each pixel, -1 for none."""

    scene: Scene
    owner: NDArray[np.int16]


def _paste(canvas: Canvas, group: dict[str, np.ndarray], i: int, m: NDArray[np.float64], mark: int) -> Truth:
    """Put sprite ``i`` of the group down by the map ``m``; say where its top face came to lie."""
    scene, owner = canvas.scene, canvas.owner
    h, w = scene.picture.shape[:2]
    n = group["shadow"].shape[1]
    corners = (m[:, :2] @ np.array([[0, n, n, 0], [0, 0, n, n]], float)).T + m[:, 2]
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int), (w, h))
    quad = group["quad"][i] @ m[:, :2].T + m[:, 2]
    cocked = float(group["lean_deg"][i]) > 0
    edge = float(np.sqrt(abs(np.linalg.det(m[:, :2]))) * EDGE_PX)
    truth = Truth(quad.mean(0), edge, int(group["value"][i]), "cocked" if cocked else "read", quad_shape(quad), True)
    if x1 <= x0 or y1 <= y0:
        return truth
    local = m.copy()
    local[:, 2] -= (x0, y0)
    if edge < EDGE_PX * 0.6:
        blur = EDGE_PX / edge * 0.35
        bgra = cv2.GaussianBlur(group["bgra"][i], (0, 0), blur)
    else:
        bgra = group["bgra"][i]
    layer = cv2.warpAffine(bgra, local, (int(x1 - x0), int(y1 - y0)))
    shade = cv2.warpAffine(group["shadow"][i], local, (int(x1 - x0), int(y1 - y0)), borderValue=255)
    ramp = cv2.warpAffine(_fade(n), local, (int(x1 - x0), int(y1 - y0)))
    dark = (255 - shade.astype(np.float32)) / 255 * ramp
    view = scene.picture[y0:y1, x0:x1].astype(np.float32)
    view *= np.clip(1 - dark[..., None] * group["tint"], 0, 1.2)
    alpha = layer[..., 3:].astype(np.float32) / 255
    colour = layer[..., :3].astype(np.float32)
    colour = np.where(alpha > 0.02, colour / np.maximum(alpha, 0.02), colour) if edge < EDGE_PX * 0.6 else colour
    view = view * (1 - alpha) + np.clip(colour, 0, 255) * alpha
    scene.picture[y0:y1, x0:x1] = np.clip(view, 0, 255).astype(np.uint8)
    owner[y0:y1, x0:x1][alpha[..., 0] > 0.5] = mark
    return truth


_FADE: dict[int, NDArray[np.float32]] = {}


def _fade(n: int) -> NDArray[np.float32]:
    """1 in the sprite's middle, 0 at its rim: shadows end softly where the sprite ends."""
    if n not in _FADE:
        r = np.abs((np.arange(n) - (n - 1) / 2) / (n / 2))
        edge = np.clip((1 - r) / 0.2, 0, 1).astype(np.float32)
        _FADE[n] = np.minimum.outer(edge, edge)
    return _FADE[n]


def add_dice(scene: Scene, library: Library, rng: Rng, count: int) -> None:
    """Up to ``count`` drawn dice of one group, far ones first; hidden ones are marked to be ignored."""
    group = library.group(rng)
    if float(group["tilt_deg"]) < LEVEL_DEG and rng.random() < 0.4:
        group = library.group(rng)  # the reader must learn how oblique faces look: two in five level views give way
    size = scene.picture.shape[0]
    edge = random_edge(rng)
    tilt = np.cos(np.radians(float(group["tilt_deg"])))
    t = roll(rng, 0.95 if float(group["tilt_deg"]) > OBLIQUE_DEG else 0.5)
    rot = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    if rng.random() < 0.5:
        rot = rot @ np.diag([-1.0, 1.0])
    middle = np.array([size / 2, size / 2])
    flat = np.diag([1.0, 1 / tilt])
    taken = [flat @ (rot.T @ (d.centre - middle)) / edge for d in scene.dice]
    places = sorted(_places(rng, count, size * 1.1 / edge, taken), key=lambda p: float(p[1]))
    owner = np.full(scene.picture.shape[:2], -1, np.int16)
    mixed = rng.random() < 0.3
    half = (group["shadow"].shape[1] - 1) / 2
    new: list[tuple[int, Truth]] = []
    for mark, p in enumerate(places):
        i = int(rng.integers(len(group["value"])))
        a = rot * edge / EDGE_PX * (rng.uniform(0.8, 1.25) if mixed else 1.0)
        at = middle + rot @ (np.array([1.0, tilt]) * p) * edge
        m = np.concatenate([a, (at - a @ np.array([half, half]))[:, None]], 1)
        truth = _paste(Canvas(scene, owner), group, i, m, mark)
        new.append((mark, truth))
    for mark, truth in new:
        seen = _visible(truth, owner, mark)
        if truth.use != "ignore" and seen < 1 - HIDDEN:
            truth.use = "cocked" if 0.3 < seen < 0.55 else "ignore"
            truth.shape = None
    scene.dice += [truth for _, truth in new]


def _visible(truth: Truth, owner: NDArray[np.int16], mark: int) -> float:
    """Share of a disc of the top face that still shows this die."""
    r = max(2, int(truth.edge * 0.38))
    x, y = (int(v) for v in truth.centre)
    window = owner[max(y - r, 0) : y + r + 1, max(x - r, 0) : x + r + 1]
    return float((window == mark).mean()) if window.size else 0.0


def degrade(picture: Picture, rng: Rng) -> Picture:
    """Lens blur, a little motion, exposure, white balance, sensor noise, sharpening, JPEG."""
    out = picture.astype(np.float32)
    if rng.random() < 0.5:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.3, 1.3)))
    if rng.random() < 0.08:
        k = int(rng.integers(2, 6))
        kernel = np.zeros((k, k), np.float32)
        cv2.line(kernel, (0, int(rng.integers(0, k))), (k - 1, int(rng.integers(0, k))), 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    out *= (1 + rng.normal(0, 0.08, 3)).astype(np.float32) * rng.uniform(0.55, 1.3)
    out = 255 * (np.clip(out, 0, 255) / 255) ** rng.uniform(0.75, 1.3)
    if rng.random() < 0.3:
        yy, xx = np.mgrid[: out.shape[0], : out.shape[1]].astype(np.float32) / out.shape[0] - 0.5
        out *= np.clip(1 + rng.normal(0, 0.5) * xx + rng.normal(0, 0.5) * yy, 0.3, 1.6)[..., None]
    if rng.random() < 0.3:
        out += rng.uniform(0.2, 1.2) * (out - cv2.GaussianBlur(out, (0, 0), 1.2))
    out += rng.normal(0, 1, out.shape).astype(np.float32) * rng.uniform(0, 7)
    out = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))])
        out = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.asarray(out, np.uint8)


def make(rng: Rng, library: Library, photographs: list[list[Scene]], grounds: list[Picture], size: int) -> Scene:
    """Return a whole scene; ``photographs`` are labelled scenes by source, ``grounds`` pictures without a pip die."""
    draw = rng.random()
    if photographs and draw < 0.38:
        source = photographs[int(rng.integers(len(photographs)))]
        scene = from_photograph(source[int(rng.integers(len(source)))], rng, size)
        drawn = int(rng.integers(1, 4)) if rng.random() < 0.4 else 0
    else:
        if grounds and draw < 0.6:
            ground = Scene(grounds[int(rng.integers(len(grounds)))])
            scene = from_photograph(ground, rng, size)
        else:
            scene = Scene(surface(rng, size))
        drawn = int(rng.choice([0, 1, 2, 3, 5, 7, 9], p=[0.06, 0.14, 0.2, 0.2, 0.2, 0.12, 0.08]))
        if rng.random() < 0.5:
            clutter(scene.picture, rng, int(rng.integers(1, 9)), float(rng.uniform(14, 60)))
    if drawn:
        add_dice(scene, library, rng, drawn)
    fault = rng.random()
    if fault < 0.12:
        _finger(scene, rng)
    elif fault < 0.17:
        _tear(scene, rng)
    for die in scene.dice:
        if (die.centre < 0.45 * die.edge).any() or (die.centre > size - 0.45 * die.edge).any():
            die.use = "ignore"
    scene.picture = degrade(scene.picture, rng)
    return scene


def _finger(scene: Scene, rng: Rng) -> None:
    """Something lies over the dice: those whose face it hides in part are not to be read."""
    size = scene.picture.shape[0]
    cover = np.zeros((size, size), np.uint8)
    dice = [d for d in scene.dice if d.use == "read"]
    near = dice[int(rng.integers(len(dice)))].centre if dice and rng.random() < 0.8 else rng.uniform(0, size, 2)
    edge = dice[0].edge if dice else 30.0
    a = near + rng.normal(0, 0.4, 2) * edge
    b = a + rng.normal(0, 1, 2) * size
    ends = [tuple(int(v) for v in p) for p in (a, b)]
    cv2.line(cover, ends[0], ends[1], 1, max(2, int(edge * rng.uniform(0.15, 1.0))))
    skin = np.array((120, 150, 205)) * rng.uniform(0.3, 1.15) if rng.random() < 0.5 else rng.uniform(0, 255, 3)
    scene.picture[cover > 0] = np.clip(skin, 0, 255).astype(np.uint8)
    for die in scene.dice:
        x, y = (int(v) for v in die.centre)
        r = max(2, int(die.edge * 0.42))
        window = cover[max(y - r, 0) : y + r + 1, max(x - r, 0) : x + r + 1]
        share = float(window.mean()) if window.size else 0.0
        if share > 0.01 and die.use == "read":
            die.use = "cocked" if 0.1 < share < 0.75 else "ignore"
            die.shape = None


def _tear(scene: Scene, rng: Rng) -> None:
    """Two frames in one: below a row everything has moved on; dice that the row cuts are not to be read."""
    size = scene.picture.shape[0]
    dice = [d for d in scene.dice if d.use == "read"]
    row = dice[int(rng.integers(len(dice)))].centre[1] if dice else rng.uniform(0, size)
    row = int(np.clip(row + rng.normal(0, 4), 1, size - 2))
    shift = int(rng.choice([-1, 1]) * rng.uniform(8, 60))
    scene.picture[row:] = np.roll(scene.picture[row:], shift, 1)
    for die in scene.dice:
        low, high = die.centre[1] - 0.75 * die.edge, die.centre[1] + 0.75 * die.edge
        if low < row < high:
            cut = abs(die.centre[1] - row) < 0.3 * die.edge and abs(shift) > 0.25 * die.edge
            die.use, die.shape = ("cocked" if cut and die.use == "read" else "ignore"), None
        elif die.centre[1] > row:
            die.centre = die.centre + np.array([shift, 0.0])
            if not 0 < die.centre[0] < size:
                die.use = "ignore"
