"""The two small networks of ``model/``, run by OpenCV's own engine. Loaded when first used, not before.

The finder looks over a picture for the top faces of dice; the reader judges one crop. ``training/`` makes them.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Picture, VisionError

Array = NDArray[Any]

CROP_PX = 64
CROP_EDGE_PX = 28.0
CELL_PX = 4
COCKED, NOTHING = 6, 7
READER_CLASSES = 8
_ALIGN_PX = 16
BATCH = 16
"""Crops that are judged at once: more are no faster, and take 2 MB each."""
WHOLE_PX = 500_000
"""Pixels of a picture that the finder looks over in one piece."""
SEEN_PX = 144
"""How far around itself a cell of the finder sees; with 128 px its maps still differ in the fourth digit."""

_ENGINE: dict[str, Any] = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
"""The one with Winograd's convolution, a quarter faster; up to OpenCV 4.10 there is no other."""


@cache
def _load(name: str) -> cv2.dnn.Net:
    path = resources.files("vision.dice.model").joinpath(name)
    try:
        net = cv2.dnn.readNetFromONNX(np.frombuffer(path.read_bytes(), np.uint8), **_ENGINE)
    except (OSError, cv2.error) as error:
        raise VisionError(f"The network {name} is missing or damaged: install the companion again.") from error
    net.enableWinograd(True)
    return net


def _run(name: str, batch: Array) -> Array:
    net = _load(name)
    net.setInput(batch)
    return np.asarray(net.forward(), np.float32)


def look_over(picture: Picture) -> Array:
    """Return the finder's maps, shape (8, h/4, w/4): heat 0..1, six value probabilities, log size.

    The size is log(edge / 32 px). A picture whose sides are no multiples of 16 is filled up at the right and below.
    """
    h, w = picture.shape[:2]
    down, right = -h % _ALIGN_PX, -w % _ALIGN_PX
    if down or right:
        picture = np.asarray(cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    out = _found(picture)
    out = out[:, : -(-h // CELL_PX), : -(-w // CELL_PX)].copy()
    out[0] = 1 / (1 + np.exp(-out[0]))
    out[1:7] = softmax(out[1:7], 0)
    return out


def _found(picture: Picture) -> Array:
    """Run the finder, over a large picture in two halves: OpenCV would need 130 MB for one of 1280 x 720."""
    h, w, _ = picture.shape
    if h * w <= WHOLE_PX:
        return np.asarray(_run("finder.onnx", cv2.dnn.blobFromImage(picture))[0])
    if h > w:
        return np.concatenate(_halves(picture, h // 2 // _ALIGN_PX * _ALIGN_PX, 0), 1)
    return np.concatenate(_halves(picture, w // 2 // _ALIGN_PX * _ALIGN_PX, 1), 2)


def _halves(picture: Picture, middle: int, axis: int) -> list[Array]:
    """Run the finder over both halves, each with what its last cells see of the other."""
    first, second = np.split(picture, [middle + SEEN_PX], axis)[0], np.split(picture, [middle - SEEN_PX], axis)[1]
    one, two = (np.asarray(_run("finder.onnx", cv2.dnn.blobFromImage(part))[0]) for part in (first, second))
    return [np.split(one, [middle // CELL_PX], axis + 1)[0], np.split(two, [SEEN_PX // CELL_PX], axis + 1)[1]]


def judge(crops: list[Picture]) -> tuple[Array, Array]:
    """Class probabilities (n, 8) and geometry (n, 5) of crops of 64 x 64 px.

    Classes: values 1..6, cocked, nothing. Geometry: log size, two of the face's stretch, the middle's offset in edges.
    """
    if not crops:
        return np.zeros((0, READER_CLASSES), np.float32), np.zeros((0, 5), np.float32)
    parts = [crops[start : start + BATCH] for start in range(0, len(crops), BATCH)]
    out = np.concatenate([_run("reader.onnx", cv2.dnn.blobFromImages(part)).copy() for part in parts])
    return softmax(out[:, :READER_CLASSES], 1), out[:, READER_CLASSES:]


def softmax(scores: Array, axis: int) -> Array:
    """Scores to probabilities along an axis."""
    grown = np.exp(scores - scores.max(axis, keepdims=True))
    return np.asarray(grown / grown.sum(axis, keepdims=True), np.float32)
