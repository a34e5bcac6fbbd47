"""``companion calibrate``: the camera's lens from pictures of a mat, and where it is kept."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.disk import make_folder, replace
from companion.settings import SettingsError, data_folder, default_path, load
from companion.text import Lang, say
from hardware.board import open_board
from hardware.interfaces import HardwareError
from vision.mat.calibration import ENOUGH, CalibrationError, calibrate
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
    lang: Lang = options.lang
    settings = options.settings or default_path()
    try:
        taken = [(path.name, _loaded(path)) for path in options.pictures] or _shots(settings, lang)
        lens = calibrate([mat for name, picture in taken if (mat := _told(name, picture, lang)) is not None])
        place = keep(lens)
    except CalibrationError as error:
        return _refused(say(f"calibrate.{error.lack}", lang, views=error.views, enough=ENOUGH))
    except (HardwareError, SettingsError) as error:
        return _refused(str(error))
    except OSError as error:
        return _refused(say("calibrate.not-kept", lang, reason=str(error)))
    bend, doubt, focal = f"{lens.bend:+.3f}", f"{lens.doubt:.3f}", f"{lens.focal:.2f}"
    print(say("calibrate.kept", lang, bend=bend, doubt=doubt, focal=focal, place=place))  # noqa: T201
    return 0


def _refused(why: str) -> int:
    print(f"companion: {why}", file=sys.stderr)  # noqa: T201
    return OWNER


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


def _told(name: str, picture: Picture | VisionError, lang: Lang) -> Mat | None:
    """Look for the mat in a picture, and say what was found."""
    if isinstance(picture, VisionError):
        print(picture)  # noqa: T201
        return None
    mat = find_mat(picture)
    if mat is None:
        print(say("calibrate.no-mat", lang, picture=name))  # noqa: T201
    else:
        print(say("calibrate.mat", lang, picture=name, mat=mat.layout.name, markers=len(mat.markers)))  # noqa: T201
    return mat


def _loaded(path: Path) -> Picture | VisionError:
    try:
        return load_picture(path)
    except VisionError as error:
        return error


def _shots(settings: Path, lang: Lang) -> Iterator[Taken]:
    """Take pictures, one at each press of Enter; Ctrl-D ends sooner."""
    board = open_board(load(settings).settings.board_settings())
    print(say("calibrate.lay", lang, shots=SHOTS))  # noqa: T201
    try:
        for number in range(1, SHOTS + 1):
            try:
                input(f"{say('calibrate.shot', lang, number=number, shots=SHOTS)} ")
            except EOFError:
                return
            yield say("calibrate.picture", lang, number=number), board.camera.frame(board.clock.now(), FRAME_S).picture
    finally:
        board.camera.close()
