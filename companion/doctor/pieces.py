"""What the reader has been taught: one line a game that has pieces to teach."""

from companion.doctor.check import Check
from engines import shelf

MOST = 6
"""So many missing pieces are named; the others are counted."""


def looks() -> list[Check]:
    """Look which pieces of each game are still to be taught."""
    return [check for game in shelf.ids() for check in _of(game)]


def _of(game: str) -> list[Check]:
    from companion.taught import Taught, gallery_folder, kinds  # noqa: PLC0415 - OpenCV takes a quarter of a second
    from vision.gallery import GalleryError  # noqa: PLC0415

    wanted = kinds(shelf.game(game))
    try:
        have = {look.name for look in Taught(gallery_folder()).looks(game)}
    except GalleryError as error:
        return [Check("looks", "fail", "broken", {"game": game, "detail": str(error)})]
    missing = [name for name in wanted if name not in have]
    facts = {"game": game, "all": len(wanted), "missing": _told(missing)}
    if len(missing) == len(wanted):
        return [Check("looks", "ok", "none", facts)] if wanted else []
    return [Check("looks", "warn", "some", facts)] if missing else [Check("looks", "ok", facts=facts)]


def _told(names: list[str]) -> str:
    more = f" + {len(names) - MOST}" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more
