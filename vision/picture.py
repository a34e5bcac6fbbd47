"""A picture from a file, strictly: a damaged one is refused, never half read."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

MAX_BYTES = 64 * 1024 * 1024
MAX_SIDE_PX = 12_000
MIN_SIDE_PX = 32


class VisionError(Exception):
    """The root of what this package raises."""


class PictureError(VisionError, ValueError):
    """A file that is no usable picture; the message says why, in one sentence."""


def load_picture(path: Path, least_px: int = MIN_SIDE_PX) -> Picture:
    """Return the picture at ``path`` as BGR, shape (height, width, 3); raises PictureError.

    ``least_px`` is the smallest side that can show anything.
    """
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise PictureError(f"{path.name} is a folder, not a picture.")
        if size > MAX_BYTES:
            most = f"at most {MAX_BYTES // 2**20} MB are read"
            raise PictureError(f"{path.name} is too large: {size // 2**20} MB, {most}.")
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureError(f"{path.name} does not exist.") from None
    except OSError as error:
        raise PictureError(f"{path.name} can't be read: {error.strerror}.") from error
    return decode_picture(data, path.name, least_px)


def decode_picture(data: bytes, name: str, least_px: int = MIN_SIDE_PX) -> Picture:
    """Return the picture in ``data`` as BGR; ``name`` is for the message of the PictureError."""
    if not data:
        raise PictureError(f"{name} is empty (0 bytes).")
    if _is_cut_off(data):
        raise PictureError(f"{name} is truncated: the end of the picture is missing.")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureError(f"{name} is not a picture that can be read, or it is damaged.")
    height, width = picture.shape[:2]
    if max(height, width) > MAX_SIDE_PX:
        raise PictureError(f"{name} is too large: {width} x {height} px, at most {MAX_SIDE_PX} px a side are read.")
    if min(height, width) < least_px:
        raise PictureError(f"{name} is too small to show anything: {width} x {height} px.")
    return np.asarray(picture, np.uint8)


def in_grey(picture: Picture) -> Picture:
    """Return a BGR picture's brightness, shape (height, width); one that is grey already as it is."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _is_cut_off(data: bytes) -> bool:
    """Return true for a JPEG or PNG without its end: decoders fill what is missing with grey and say nothing."""
    if data.startswith(b"\xff\xd8"):
        # Cameras may add bytes after the end marker. Coded data can't hold one by chance (FF is stuffed), but a
        # thumbnail in the header has one of its own: so the last scan must be followed by an end marker.
        return b"\xff\xd9" not in data[data.rfind(b"\xff\xda") + 2 :]
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return b"IEND" not in data[-64:]
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return len(data) < int.from_bytes(data[4:8], "little") + 8
    return False
