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
VALUES = 6
COCKED, NOTHING = 6, 7
READER_CLASSES = 8
_ALIGN_PX = 16


@cache
def _load(name: str) -> cv2.dnn.Net:
    path = resources.files("vision").joinpath("model", name)
    try:
        return cv2.dnn.readNetFromONNX(np.frombuffer(path.read_bytes(), np.uint8))
    except (OSError, cv2.error) as error:
        raise VisionError(f"The network {name} is missing or damaged: install the companion again.") from error


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
    out: Array = _run("finder.onnx", cv2.dnn.blobFromImage(picture))[0]
    out = out[:, : -(-h // CELL_PX), : -(-w // CELL_PX)].copy()
    out[0] = 1 / (1 + np.exp(-out[0]))
    out[1:7] = softmax(out[1:7], 0)
    return out


def judge(crops: list[Picture]) -> tuple[Array, Array]:
    """Class probabilities (n, 8) and geometry (n, 5) of crops of 64 x 64 px.

    Classes: values 1..6, cocked, nothing. Geometry: log size, two of the face's stretch, the middle's offset in edges.
    """
    if not crops:
        return np.zeros((0, READER_CLASSES), np.float32), np.zeros((0, 5), np.float32)
    out = _run("reader.onnx", cv2.dnn.blobFromImages(crops))
    return softmax(out[:, :READER_CLASSES], 1), out[:, READER_CLASSES:]


def softmax(scores: Array, axis: int) -> Array:
    """Scores to probabilities along an axis."""
    grown = np.exp(scores - scores.max(axis, keepdims=True))
    return np.asarray(grown / grown.sum(axis, keepdims=True), np.float32)
