"""A picture file made into the JSON object of ``companion read``: one object a picture, whatever happens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.scene import DICE_TRAY
from companion.taught import ANY
from vision.complaint import say as say_complaint
from vision.observation import Complaint, Observation, Sighting
from vision.picture import VisionError, load_picture
from vision.reading import Known, read

KnownOn = Callable[[str | None], Known]
"""What may lie on the mat of that name."""
Say = Callable[[Complaint], str]


def read_file(
    path: Path,
    *,
    game: str | None = None,
    known: KnownOn = lambda _: Known(),
    say: Say = say_complaint,
    more: Callable[[Observation], dict[str, Any]] = lambda _: {},
) -> dict[str, Any]:
    """Return the object for one file; ``error`` is a sentence when it is no usable picture. Nothing is raised.

    ``game`` is the one that is played: the mat of another is complained of. ``known`` gives what may lie on a mat;
    ``more`` adds what follows from a reading.
    """
    start = time.perf_counter()
    try:
        picture = load_picture(path)
        decoded = time.perf_counter()
        seen = _of_game(read(picture, known=known), game)
    except VisionError as error:
        return _failed(path, str(error), (time.perf_counter() - start) * 1e3)
    decode = (decoded - start) * 1e3
    ms = {"decode": decode, **seen.ms, "total": decode + seen.ms["total"]}
    return {
        "file": str(path),
        "size": list(seen.size),
        "mat": seen.mat,
        "corners_px": None if seen.corners_px is None else [_place(p) for p in seen.corners_px],
        "pieces": [_piece(s) for s in seen.pieces],
        "complaints": [_complaint(c, say) for c in seen.complaints],
        "sure": seen.sure,
        "ms": {name: round(value, 1) for name, value in ms.items()},
        "error": None,
        **more(seen),
    }


def _of_game(seen: Observation, game: str | None) -> Observation:
    if game in (None, ANY) or seen.mat in (None, game, DICE_TRAY):
        return seen
    return replace(seen, complaints=(*seen.complaints, Complaint("wrong-mat")), sure=False)


def _failed(path: Path, message: str, ms: float) -> dict[str, Any]:
    return {
        "file": str(path),
        "size": None,
        "mat": None,
        "corners_px": None,
        "pieces": [],
        "complaints": [],
        "sure": False,
        "ms": {"decode": round(ms, 1), "mat": 0.0, "pieces": 0.0, "total": round(ms, 1)},
        "error": message,
    }


def _place(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]


def _piece(s: Sighting) -> dict[str, Any]:
    return {
        "kind": s.kind,
        "name": s.name,
        "confidence": s.confidence,
        "alternatives": [[name, probability] for name, probability in s.alternatives],
        "face": s.face,
        "region": s.region,
        "center_px": _place(s.center_px),
        "center_mm": None if s.center_mm is None else _place(s.center_mm),
        "angle_deg": s.angle_deg,
    }


def _complaint(c: Complaint, say: Say) -> dict[str, Any]:
    return {"kind": c.kind, "message": say(c), "center_px": None if c.center_px is None else _place(c.center_px)}
