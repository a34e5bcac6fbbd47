"""One die, drawn: a rounded cube with pips under one lamp, ray-marched on the ground plane.

Units: the die's edge is 1; the ground is z = 0, z points up; the camera looks down at ``tilt`` from the vertical.
Pictures: BGR float in 0..1. The picture plane passes through the die's middle, ``EDGE_PX`` pixels an edge.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.lattice import PIPS

Array = NDArray[np.float32]

CANVAS_PX = 160
EDGE_PX = 52.0
HALF = 0.5


@dataclass(frozen=True)
class Style:
    """How one die looks: colours are BGR 0..1, lengths in edges."""

    body: tuple[float, float, float]
    body_two: tuple[float, float, float]
    marbling: float
    pip: tuple[float, float, float]
    ace: tuple[float, float, float]
    rounding: float
    ball: float
    spacing: float
    pip_radius: float
    ace_radius: float
    dimple: float
    gloss: float
    shine: float
    glow: float
    chirality: int


@dataclass(frozen=True)
class View:
    """What all dice of one scene share: camera and lamp."""

    tilt_deg: float
    distance: float
    lamp: tuple[float, float, float]
    ambient: float
    lamp_power: float
    softness: float
    sky: float
    shade_tint: tuple[float, float, float]


@dataclass(frozen=True)
class Pose:
    """How one die lies: the value on top, its turn about the vertical and its lean (0 = flat)."""

    value: int
    yaw_deg: float
    lean_deg: float
    lean_axis_deg: float


@dataclass(frozen=True)
class Sprite:
    """A drawn die: ``bgr``, ``alpha``, ``shadow`` (factor on the ground), and the top face's four corners in px."""

    bgr: NDArray[np.uint8]
    alpha: NDArray[np.uint8]
    shadow: NDArray[np.uint8]
    quad: Array


BODIES = (
    (0.93, 0.95, 0.96), (0.80, 0.90, 0.95), (0.07, 0.07, 0.07), (0.12, 0.10, 0.75), (0.60, 0.20, 0.10),
    (0.20, 0.50, 0.10), (0.10, 0.75, 0.90), (0.10, 0.45, 0.90), (0.35, 0.15, 0.40), (0.20, 0.30, 0.45),
    (0.55, 0.70, 0.82), (0.30, 0.85, 0.70), (0.70, 0.55, 0.20), (0.70, 0.55, 0.85), (0.55, 0.55, 0.55),
)  # fmt: skip
FAINT_SHARE = 0.15
BODY_WEIGHTS = np.array([7, 5, 4, 4, 3, 3, 2, 1, 1, 1.5, 2, 1, 1, 1, 1])


def random_style(rng: np.random.Generator) -> Style:
    """Return a body and pips of any colour; one die in seven has pips that hardly differ from it."""
    body = np.array(BODIES[rng.choice(len(BODIES), p=BODY_WEIGHTS / BODY_WEIGHTS.sum())])
    body = np.clip(body * rng.uniform(0.75, 1.1) + rng.normal(0, 0.05, 3), 0.01, 1)
    if rng.random() < 0.12:
        body = rng.uniform(0.02, 1, 3)
    luma = float(body @ (0.11, 0.59, 0.30))
    dark, light = rng.uniform(0.01, 0.15) * np.ones(3), rng.uniform(0.8, 1.0) * np.array((0.95, 0.98, 1.0))
    pip = dark if luma > rng.uniform(0.35, 0.65) else light
    if rng.random() < 0.15:
        colour = rng.uniform(0, 1, 3) * (0.5 if luma > 0.5 else 1.0)
        pip = colour if float(np.abs(colour - body).max()) > 0.3 else pip
    if rng.random() < FAINT_SHARE:
        darker = luma > rng.uniform(0.05, 0.5)
        pip = np.clip(body * rng.uniform(0.2, 0.6) if darker else body + rng.uniform(0.15, 0.4), 0, 1)
    ace = np.array((0.1, 0.1, 0.75)) if luma > 0.6 and rng.random() < 0.25 else pip
    radius = rng.uniform(0.075, 0.125)
    return Style(
        body=tuple(body), body_two=tuple(np.clip(body + rng.normal(0, 0.25, 3), 0, 1)),
        marbling=float(rng.uniform(0.2, 1) if rng.random() < 0.12 else 0),
        pip=tuple(pip), ace=tuple(ace),
        rounding=float(rng.uniform(0.04, 0.2)), ball=float(rng.uniform(0.66, 0.78) if rng.random() < 0.6 else 9.0),
        spacing=float(rng.uniform(0.22, 0.29)), pip_radius=float(radius),
        ace_radius=float(radius * (rng.uniform(1.2, 2.0) if rng.random() < 0.3 else 1.0)),
        dimple=float(rng.uniform(0, 0.6)), gloss=float(rng.uniform(0, 0.9) * rng.integers(0, 2)),
        shine=float(rng.choice([8, 20, 60, 150])), glow=float(rng.uniform(0.1, 0.5) if rng.random() < 0.2 else 0),
        chirality=int(rng.integers(0, 2)),
    )  # fmt: skip


def random_view(rng: np.random.Generator) -> View:
    """Return a camera from straight above to 65 degrees off, a lamp anywhere above the table."""
    tilt = float(rng.choice([rng.uniform(0, 12), rng.uniform(5, 38), rng.uniform(30, 66)], p=[0.25, 0.4, 0.35]))
    azimuth, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(22, 88))
    lamp = (np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height))
    ambient = float(rng.uniform(0.3, 0.85))
    tint = np.ones(3) if rng.random() < 0.6 else rng.uniform(0.5, 1.3, 3)
    return View(
        tilt_deg=tilt, distance=float(rng.uniform(5, 25)), lamp=tuple(float(v) for v in lamp), ambient=ambient,
        lamp_power=float((1.08 - ambient) * rng.uniform(0.7, 1.6)), softness=float(rng.choice([2, 4, 8, 20])),
        sky=float(rng.uniform(0, 0.25)), shade_tint=tuple(float(v) for v in tint),
    )  # fmt: skip


def varied(style: Style, rng: np.random.Generator) -> Style:
    """Return the same make of die, another colour now and then."""
    if rng.random() < 0.6:
        return style
    other = random_style(rng)
    return replace(style, body=other.body, body_two=other.body_two, pip=other.pip, ace=other.ace)


def _turn(axis: Array, deg: float) -> Array:
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], np.float32)
    a = np.radians(deg)
    return (np.eye(3) + np.sin(a) * k + (1 - np.cos(a)) * (k @ k)).astype(np.float32)


def die_to_world(pose: Pose) -> tuple[Array, float]:
    """Rotation from the die's own axes (top face = +z) and the height of its middle above the ground."""
    yaw = _turn(np.array([0, 0, 1], np.float32), pose.yaw_deg)
    a = np.radians(pose.lean_axis_deg)
    lean = _turn(np.array([np.cos(a), np.sin(a), 0], np.float32), pose.lean_deg)
    rotation = lean @ yaw
    height = HALF if pose.lean_deg == 0 else float(0.93 * HALF * np.abs(rotation[2]).sum())
    return rotation, height


def faces_of(value: int, chirality: int) -> dict[tuple[int, int], int]:
    """(axis, sign) -> value, opposite faces adding to seven, ``value`` on +z."""
    others = [v for v in (1, 2, 3) if v not in (value, 7 - value)]
    if chirality:
        others.reverse()
    return {
        (2, 1): value, (2, -1): 7 - value, (0, 1): others[0], (0, -1): 7 - others[0],
        (1, 1): others[1], (1, -1): 7 - others[1],
    }  # fmt: skip


def _distance(p: Array, style: Style) -> Array:
    q = np.abs(p) - (HALF - style.rounding)
    outer = np.sqrt((np.maximum(q, 0) ** 2).sum(1))
    box = outer + np.minimum(q.max(1), 0) - style.rounding
    return np.maximum(box, np.sqrt((p**2).sum(1)) - style.ball)


def _normal(p: Array, style: Style) -> Array:
    q = np.maximum(np.abs(p) - (HALF - style.rounding), 1e-6)
    box = np.sign(p) * q
    size = np.sqrt((p**2).sum(1, keepdims=True))
    n = np.where(size > style.ball - 2e-3, p, box)
    return n / np.sqrt((n**2).sum(1, keepdims=True))


def _march(origin: Array, ray: Array, style: Style, steps: int = 28) -> tuple[Array, NDArray[np.bool_]]:
    """Distance along each ray to the die (die's axes), and whether it is met."""
    t = np.maximum(np.sqrt((origin**2).sum(1)) - 0.95, 0).astype(np.float32)
    live = np.arange(len(ray))
    hit = np.zeros(len(ray), bool)
    for _ in range(steps):
        d = _distance(origin[live] + t[live, None] * ray[live], style)
        t[live] += d
        hit[live[d < 2e-3]] = True
        live = live[(d >= 2e-3) & (d < 1.5)]
        if len(live) == 0:
            break
    return t, hit


def _noise(p: Array, seed: int) -> Array:
    """Return a cheap marble: sums of sines, -1..1."""
    rng = np.random.default_rng(seed)
    out = np.zeros(len(p), np.float32)
    for f in (3, 5, 9, 15):
        out += np.sin(p @ (rng.normal(size=3) * f).astype(np.float32) + rng.uniform(0, 6)) / np.sqrt(f)
    return np.clip(out / 1.6, -1, 1)


def _ink(p: Array, faces: dict[tuple[int, int], int], style: Style) -> tuple[Array, Array, Array]:
    """Pip cover 0..1, pip colour and the bend of the normal at each point of the body."""
    axis = np.abs(p).argmax(1)
    sign = np.sign(p[np.arange(len(p)), axis]).astype(int)
    cover = np.zeros(len(p), np.float32)
    bend = np.zeros_like(p)
    colour = np.tile(np.array(style.pip, np.float32), (len(p), 1))
    for (a, s), value in faces.items():
        here = np.flatnonzero((axis == a) & (sign == s))
        radius = style.ace_radius if value == 1 else style.pip_radius
        one, two = [i for i in range(3) if i != a]
        for u, v in PIPS[value]:
            du, dv = p[here, one] - u * style.spacing, p[here, two] - v * style.spacing
            d = np.sqrt(du**2 + dv**2)
            m = np.clip((radius - d) / 0.018 + 0.5, 0, 1)
            cover[here] = np.maximum(cover[here], m)
            bend[here, one] -= m * du / radius * style.dimple
            bend[here, two] -= m * dv / radius * style.dimple
        if value == 1:
            colour[here] = style.ace
    return cover, colour, bend


@dataclass(frozen=True)
class Surface:
    """Points that the camera sees: place, normal and the ray that found them, in world axes, and their own colour."""

    world: Array
    normal: Array
    ray: Array
    albedo: Array


def _shade(seen: Surface, style: Style, view: View) -> Array:
    """Diffuse light, glow and highlight."""
    world, n, eye, albedo = seen.world, seen.normal, seen.ray, seen.albedo
    lamp = np.array(view.lamp, np.float32)
    lit = np.clip(n @ lamp * (1 - style.glow) + style.glow, 0, 1)
    ground = 0.55 + 0.45 * np.clip(n[:, 2] * 0.5 + 0.5, 0, 1)
    contact = np.clip(0.55 + 1.2 * world[:, 2], 0, 1)
    out = albedo * (view.ambient * ground * contact + view.lamp_power * lit)[:, None]
    half = lamp - eye
    half /= np.sqrt((half**2).sum(1, keepdims=True))
    spot = np.clip((n * half).sum(1), 0, 1) ** style.shine
    rim = (1 - np.clip(-(n * eye).sum(1), 0, 1)) ** 4
    return out + (style.gloss * view.lamp_power * spot + view.sky * rim)[:, None]


def _rays(view: View) -> tuple[Array, Array]:
    """Camera position and one unit ray a pixel, rows first, for a die whose middle is (0, 0, 0.5)."""
    a = np.radians(view.tilt_deg)
    centre = np.array([0, 0, HALF], np.float32)
    eye = centre + view.distance * np.array([0, -np.sin(a), np.cos(a)], np.float32)
    up = np.array([0, np.cos(a), np.sin(a)], np.float32)
    grid = ((np.arange(CANVAS_PX) - (CANVAS_PX - 1) / 2) / EDGE_PX).astype(np.float32)
    u, v = np.meshgrid(grid, grid)
    aim = centre + u.reshape(-1, 1) * np.array([1, 0, 0], np.float32) - v.reshape(-1, 1) * up
    ray = (aim - eye).astype(np.float32)
    return eye.astype(np.float32), ray / np.sqrt((ray**2).sum(1, keepdims=True))


def project(world: Array, view: View) -> Array:
    """World points to sprite pixels."""
    a = np.radians(view.tilt_deg)
    rel = world - np.array([0, 0, HALF], np.float32)
    up = np.array([0, np.cos(a), np.sin(a)], np.float32)
    toward = np.array([0, -np.sin(a), np.cos(a)], np.float32)
    scale = view.distance / (view.distance - rel @ toward)
    middle = (CANVAS_PX - 1) / 2
    return np.stack([middle + EDGE_PX * rel[:, 0] * scale, middle - EDGE_PX * (rel @ up) * scale], 1)


def _shadow(rotation: Array, middle: Array, style: Style, view: View) -> Array:
    """Light that reaches the ground at each pixel, 0..1."""
    eye, ray = _rays(view)
    t = -eye[2] / np.minimum(ray[:, 2], -1e-3)
    p = ((eye + t[:, None] * ray - middle) @ rotation).astype(np.float32)
    lamp = (np.array(view.lamp, np.float32) @ rotation).astype(np.float32)
    light = np.ones(len(p), np.float32)
    s = np.full(len(p), 0.03, np.float32)
    near = np.ones(len(p), np.float32)
    for i in range(18):
        d = _distance(p + s[:, None] * lamp, style)
        if i == 0:
            near = d
        light = np.minimum(light, np.clip(view.softness * d / s * 0.5 + 0.5, 0, 1))
        s += np.clip(d, 0.04, 0.3)
    power = view.lamp_power / (view.lamp_power + view.ambient)
    crease = 1 - 0.45 * np.exp(-np.maximum(near, 0) / 0.12)
    return (1 - power * (1 - light)) * crease


def draw(style: Style, view: View, pose: Pose, seed: int) -> Sprite:
    """Return the die as a sprite; ``seed`` chooses the marble only."""
    rotation, height = die_to_world(pose)
    middle = np.array([0, 0, height], np.float32)
    eye, ray = _rays(view)
    origin = np.broadcast_to(((eye - middle) @ rotation).astype(np.float32), ray.shape)
    local = (ray @ rotation).astype(np.float32)
    t, hit = _march(origin, local, style)
    p = origin[hit] + t[hit, None] * local[hit]
    cover, colour, bend = _ink(p, faces_of(pose.value, style.chirality), style)
    n = _normal(p, style) + bend
    n = (n / np.sqrt((n**2).sum(1, keepdims=True))) @ rotation.T
    mix = style.marbling * (_noise(p, seed) * 0.5 + 0.5) if style.marbling else np.zeros(len(p), np.float32)
    body = np.array(style.body, np.float32) * (1 - mix[:, None]) + np.array(style.body_two, np.float32) * mix[:, None]
    albedo = body * (1 - cover[:, None]) + colour * cover[:, None]
    world = p @ rotation.T + middle
    bgr = np.zeros((len(ray), 3), np.float32)
    bgr[hit] = _shade(Surface(world, n, ray[hit], albedo), style, view)
    shade = _shadow(rotation, middle, style, view)
    top = np.array([(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)], np.float32) * HALF
    quad = project(top @ rotation.T + middle, view).astype(np.float32)
    size = (CANVAS_PX, CANVAS_PX)
    gamma = np.clip(bgr, 0, 1) ** 0.8
    return Sprite(
        (gamma.reshape(*size, 3) * 255).astype(np.uint8), (hit.reshape(size) * 255).astype(np.uint8),
        (np.clip(shade, 0, 1).reshape(size) * 255).astype(np.uint8), quad,
    )  # fmt: skip
