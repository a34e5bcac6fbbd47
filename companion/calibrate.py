"""``companion calibrate``: the camera's lens from pictures of a mat, and where it is kept."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.disk import make_folder, replace
from companion.settings import SettingsError, data_folder, default_path, load
from hardware.board import open_board
from hardware.interfaces import HardwareError
from vision.mat.calibration import CalibrationError, calibrate
from vision.mat.lens import UNKNOWN, Lens
from vision.mat.markers import find_mat
from vision.mat.mat import Mat
from vision.picture import Picture, VisionError, load_picture

OWNER = 2
"""Exit status for what the owner has to put right."""
SHOTS = 6
FRAME_S = 5.0

Taken = tuple[str, Picture | VisionError]
"""A picture's name, and the picture or why it is none."""


def run(options: argparse.Namespace) -> int:
    """Measure the lens and keep it; exit status 0, or 2 with one sentence on stderr.

    ``pictures``: files; none of them: pictures are taken with the table's camera. ``settings``: which camera that is.
    """
    try:
        taken = [(path.name, _loaded(path)) for path in options.pictures] or _shots(options.settings or default_path())
        lens = calibrate([mat for name, picture in taken if (mat := _told(name, picture)) is not None])
        place = keep(lens)
    except (CalibrationError, HardwareError, SettingsError) as error:
        print(f"companion: {error}", file=sys.stderr)  # noqa: T201
        return OWNER
    except OSError as error:
        print(f"companion: The lens cannot be kept: {error}.", file=sys.stderr)  # noqa: T201
        return OWNER
    print(  # noqa: T201
        f"The lens: bend {lens.bend:+.3f} (give or take {lens.doubt:.3f}), focal length {lens.focal:.2f} of the "
        f"picture's longer side. Kept in {place}; the table uses it from its next start on."
    )
    return 0


def lens_file() -> Path:
    """Give the place where the table's lens is kept."""
    return data_folder("lens.json")


def keep(lens: Lens) -> Path:
    """Keep the lens for the table. Raises OSError."""
    place = lens_file()
    make_folder(place.parent)
    replace(place, msgspec.json.encode(lens))
    return place


def kept() -> Lens:
    """Give the lens that was measured; where none was, or its file is damaged, each picture tells its own."""
    try:
        return msgspec.json.decode(lens_file().read_bytes(), type=Lens)
    except (OSError, msgspec.DecodeError):
        return UNKNOWN


def _told(name: str, picture: Picture | VisionError) -> Mat | None:
    """Look for the mat in a picture, and say what was found."""
    if isinstance(picture, VisionError):
        print(picture)  # noqa: T201
        return None
    mat = find_mat(picture)
    print(f"{name}: {f'{mat.layout.name}, {len(mat.markers)} markers' if mat else 'no mat was found'}.")  # noqa: T201
    return mat


def _loaded(path: Path) -> Picture | VisionError:
    try:
        return load_picture(path)
    except VisionError as error:
        return error


def _shots(settings: Path) -> Iterator[Taken]:
    """Take pictures, one at each press of Enter; Ctrl-D ends sooner."""
    board = open_board(load(settings).settings.board_settings())
    print(  # noqa: T201
        f"Lay a mat under the camera so that it fills the picture. Enter takes one of {SHOTS} pictures: turn the mat "
        f"before each, and lay a book under another of its edges."
    )
    try:
        for number in range(1, SHOTS + 1):
            try:
                input(f"{number} of {SHOTS}: ")
            except EOFError:
                return
            yield f"picture {number}", board.camera.frame(board.clock.now(), FRAME_S).picture
    finally:
        board.camera.close()
