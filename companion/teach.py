"""``companion teach``: photographs of pieces become looks in the gallery, each refused picture with its reason."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.taught import ANY, Taught, gallery_folder, kinds
from companion.text import Lang, say
from engines import shelf
from vision import gallery
from vision.bare.reading import teach_bare
from vision.complaint import say as say_complaint
from vision.faces.teaching import find_dice, teach_faces
from vision.gallery import Look, file_stem
from vision.mat.markers import find_mat
from vision.mat.mat import Mat
from vision.observation import Complaint, Kind
from vision.picture import Picture, VisionError, load_picture
from vision.pieces.lookalike import look_alikes
from vision.pieces.teach import Cut, Unfit, cut_pieces

Kinds = Mapping[str, Kind]
REFUSED = 2
"""Exit status where a picture or a name was refused."""
PAIRS_TOLD = 5
"""Pairs of look-alikes that a person is told of."""


class UnknownPieceError(ValueError):
    """A name that the game does not have; the message lists those that it has."""


@dataclass
class Lesson:
    """What came of teaching: names in order, refused files with the reason, pairs that look alike, names to come."""

    game: str
    taught: list[str] = field(default_factory=list)
    refused: list[dict[str, str]] = field(default_factory=list)
    look_alikes: list[tuple[str, str, float]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Give the contract's object."""
        return {
            "game": self.game,
            "taught": self.taught,
            "refused": self.refused,
            "look_alikes": [list(pair) for pair in self.look_alikes],
            "missing": self.missing,
        }


def teach(game: str, pictures: Sequence[Path], root: Path, names: Sequence[str], lang: Lang) -> Lesson:
    """Teach from pictures: one piece each, or one sheet with ``names`` in the page's reading order.

    Raises UnknownPieceError for a name in ``names``, GalleryError where the gallery can't be written.
    """
    known = None if game == ANY else kinds(shelf.game(game))
    lesson = Lesson(game)
    folder = root / game
    given = [_name(name, known, lang) for name in names]
    for path in pictures:
        try:
            wanted = given or [_name(path.name.split(".")[0], known, lang)]
            looks = _looks(load_picture(path), game, wanted, known, lang)
        except (VisionError, UnknownPieceError, RefusedError) as error:
            lesson.refused.append({"file": str(path), "message": str(error)})
            continue
        gallery.save(folder, looks)
        lesson.taught += [look.name for look in looks]
    return _reported(lesson, root, known)


def forget(game: str, names: Iterable[str], root: Path, lang: Lang) -> int:
    """Remove pieces from the gallery; returns how many pictures went. Raises UnknownPieceError, GalleryError."""
    known = None if game == ANY else kinds(shelf.game(game))
    return sum(gallery.forget(root / game, name) for name in [_name(name, known, lang) for name in names])


class RefusedError(ValueError):
    """A picture that can't teach; the message says why and what to do."""


def _reported(lesson: Lesson, root: Path, known: Kinds | None) -> Lesson:
    """Add what the gallery as a whole now says."""
    looks = Taught(root).looks(lesson.game)
    have = {look.name for look in looks}
    lesson.missing = [name for name in known or () if name not in have]
    new = set(lesson.taught)
    lesson.look_alikes = [pair for pair in look_alikes(looks) if new & set(pair[:2])]
    return lesson


def _name(text: str, known: Kinds | None, lang: Lang) -> str:
    """Give the piece that a name or a file's stem means."""
    if known is None:
        if not text or text != file_stem(text) or "." in text:
            raise UnknownPieceError(say("teach.odd-name", lang, name=text))
        return text
    means = {file_stem(name): name for name in known} | {name: name for name in known}
    if text not in means:
        raise UnknownPieceError(say("teach.unknown-name", lang, name=text, names=", ".join(known)))
    return means[text]


def _looks(picture: Picture, game: str, names: Sequence[str], known: Kinds | None, lang: Lang) -> list[Look]:
    """Cut the pieces out. Raises RefusedError."""
    mat = find_mat(picture)
    if mat is None:
        if game != ANY or len(names) != 1:
            raise RefusedError(say_complaint(Complaint("mat-not-found"), lang))
        return [_bare(picture, names[0], lang)]
    if mat.layout.name != game and known is not None:
        raise RefusedError(say_complaint(Complaint("wrong-mat"), lang))
    if known is not None and all(known[name] == "die" for name in names):
        return _dice(picture, mat, names, lang)
    cuts = cut_pieces(picture, mat, len(names))
    if isinstance(cuts, Unfit):
        raise RefusedError(_reason(cuts, len(names), lang))
    return [
        _look(name, known[name] if known is not None else cut.kind, cut, lang)
        for name, cut in zip(names, cuts, strict=True)
    ]


def _look(name: str, kind: Kind, cut: Cut, lang: Lang) -> Look:
    if kind == "die" or cut.burnt:
        raise RefusedError(say_complaint(Complaint("glare" if cut.burnt else "unknown-piece"), lang))
    return Look(name, kind, cut.picture, cut.mask, cut.size_mm)


def _bare(picture: Picture, name: str, lang: Lang) -> Look:
    """Take a picture without a mat, filled by one piece. Raises RefusedError."""
    taught = teach_bare(picture)
    if isinstance(taught, str):
        raise RefusedError(say_complaint(Complaint(taught), lang))
    return Look(name, "card", *taught, None)


def _dice(picture: Picture, mat: Mat, names: Sequence[str], lang: Lang) -> list[Look]:
    """Cut out the upper faces of dice that lie alone on a mat. Raises RefusedError."""
    places = find_dice(picture, mat)
    if len(places) != len(names):
        raise RefusedError(_reason(Unfit(None, len(places)), len(names), lang))
    looks = []
    for look in teach_faces(picture, mat, list(zip(names, places, strict=True))):
        if not isinstance(look, Look):
            raise RefusedError(say_complaint(Complaint(look), lang))
        looks.append(look)
    return looks


def _reason(unfit: Unfit, wanted: int, lang: Lang) -> str:
    if unfit.reason is not None:
        return say_complaint(Complaint(unfit.reason), lang)
    return say("teach.count", lang, found=unfit.count, wanted=wanted)


def told(lesson: Lesson, lang: Lang) -> Iterator[str]:
    """Tell a lesson to a person, line by line."""
    if lesson.taught:
        yield say("teach.taught", lang, names=", ".join(lesson.taught))
    for one in lesson.refused:
        yield say("teach.refused", lang, file=one["file"], message=one["message"])
    for first, second, _ in lesson.look_alikes[:PAIRS_TOLD]:
        yield say("teach.alike", lang, first=first, second=second)
    if len(lesson.look_alikes) > PAIRS_TOLD:
        yield say("teach.more-alike", lang, count=len(lesson.look_alikes) - PAIRS_TOLD)
    if lesson.missing:
        yield say("teach.missing", lang, names=", ".join(lesson.missing))
    elif lesson.game != ANY:
        yield say("teach.complete", lang, game=lesson.game)


def run(options: argparse.Namespace) -> int:
    """Carry out the command. Gives the exit status: 0 when nothing was refused."""
    game, root, names = options.game, options.gallery or gallery_folder(), options.names.split()
    try:
        if options.forget:
            gone = forget(game, options.forget, root, options.lang)
            if not options.json:
                print(say("teach.forgotten", options.lang, names=", ".join(options.forget), count=gone))
        lesson = teach(game, options.pictures, root, names, options.lang)
    except (UnknownPieceError, VisionError) as error:
        print(f"companion: {error}", file=sys.stderr)
        return REFUSED
    print(json.dumps(lesson.as_json(), ensure_ascii=False) if options.json else "\n".join(told(lesson, options.lang)))
    return REFUSED if lesson.refused else 0
