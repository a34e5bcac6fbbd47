"""The command line: ``companion run | demo | replay | read | ...``."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

BUG = 70
"""Exit status of a fault of ours (EX_SOFTWARE of sysexits.h)."""
INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells give it."""
OWNER = 2
"""Exit status for what the owner has to put right: a name, a folder, a device."""
UNREADABLE = 2
"""Exit status of `read` where any file is no usable picture."""


def _print_json(found: dict[str, Any]) -> None:
    import json  # noqa: PLC0415

    import msgspec  # noqa: PLC0415

    try:
        line = msgspec.json.encode(found)
    except UnicodeEncodeError:  # half a surrogate pair in a name or a file's name: only escaped it can be written
        line = json.dumps(found).encode("ascii")
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def _replay(options: argparse.Namespace) -> int:
    import gc  # noqa: PLC0415

    gc.disable()  # a replay makes no cycles; collecting would walk all kept steps again and again
    # Imports stand inside the commands, so that `companion --help` stays quick.
    from companion.replay import NO_RECORD, replay_file, transcript  # noqa: PLC0415

    statuses = []
    for path in options.files:
        found, one = replay_file(path, options.lang, steps=options.steps)
        if options.json or options.steps:
            _print_json(found)
        else:
            print("\n".join(transcript(found, options.lang)))
        statuses.append(one)
    return NO_RECORD if NO_RECORD in statuses else max(statuses)


def _run(options: argparse.Namespace) -> int:
    from companion.start import run  # noqa: PLC0415

    return run(options)


def _demo(options: argparse.Namespace) -> int:
    from companion.start import demo  # noqa: PLC0415

    return demo(options)


def _read(options: argparse.Namespace) -> int:
    from functools import partial  # noqa: PLC0415

    from companion.read import read_file  # noqa: PLC0415
    from companion.taught import Taught, gallery_folder  # noqa: PLC0415
    from vision.complaint import say  # noqa: PLC0415

    if not _is_game(options.game):
        return OWNER
    if options.as_input is not None:
        return _read_as_input(options)
    known = Taught(options.gallery or gallery_folder(), options.game)
    status = 0
    for path in options.pictures:
        found = read_file(path, game=options.game, known=known, say=partial(say, lang=options.lang))
        _print_json(found)
        status = UNREADABLE if found["error"] else status
    return status


def _read_as_input(options: argparse.Namespace) -> int:
    from functools import partial  # noqa: PLC0415

    from companion.as_input import GameError, as_input, load, transcript  # noqa: PLC0415
    from companion.read import read_file  # noqa: PLC0415
    from companion.taught import Taught, gallery_folder  # noqa: PLC0415
    from vision.complaint import say  # noqa: PLC0415

    try:
        game = load(options.as_input, options.lang)
    except GameError as error:
        print(f"companion: {error}", file=sys.stderr)
        return OWNER
    if options.game not in (None, game.game.id):
        print(f"companion: {options.as_input} is a game of {game.game.id}, not {options.game}.", file=sys.stderr)
        return OWNER
    status = 0
    for path in options.pictures:
        found = read_file(
            path,
            game=game.game.id,
            known=Taught(options.gallery or gallery_folder(), game.game.id),
            say=partial(say, lang=options.lang),
            more=lambda scene: {"as_input": as_input(game, scene, options.lang)},
        )
        if options.json:
            _print_json(found)
        else:
            print("\n".join(transcript(game, found, options.lang)))
        status = UNREADABLE if found["error"] else status
    return status


def _teach(options: argparse.Namespace) -> int:
    from companion.text import say  # noqa: PLC0415

    if not _is_game(options.game):
        return OWNER
    if not options.pictures and not options.forget:
        print(f"companion: {say('teach.no-picture', options.lang, game=options.game)}", file=sys.stderr)
        return OWNER
    if options.names and len(options.pictures) != 1:
        print(f"companion: {say('teach.one-sheet', options.lang)}", file=sys.stderr)
        return OWNER
    from companion.teach import run  # noqa: PLC0415 - OpenCV takes a quarter of a second

    return run(options)


def _is_game(name: str | None) -> bool:
    """Tell whether there is a game of that name, "any" among them; if not, say which there are."""
    from engines import shelf  # noqa: PLC0415

    if name in (None, "any", *shelf.ids()):
        return True
    print(f"companion: There is no game {name!r}; there are {', '.join(shelf.ids())} and any.", file=sys.stderr)
    return False


def _calibrate(options: argparse.Namespace) -> int:
    from companion.calibrate import run  # noqa: PLC0415

    return run(options)


def _print(options: argparse.Namespace) -> int:
    from companion.printing import print_mats  # noqa: PLC0415

    return print_mats(options)


def _doctor(options: argparse.Namespace) -> int:
    from companion.doctor import run  # noqa: PLC0415

    return run(options)


def _rules(options: argparse.Namespace) -> int:
    from companion.rules import UnknownError, lines  # noqa: PLC0415

    try:
        print("\n".join(lines(options.game, options.clause, options.lang)))
    except UnknownError as error:
        print(f"companion: {error}", file=sys.stderr)
        return OWNER
    return 0


def _own_lang() -> str:
    """Give the language that the user's locale asks for."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "ko" if locale.startswith("ko") else "en"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="companion", description="The referee beside the board.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument("--lang", choices=("ko", "en"), default=_own_lang(), help="language (default: the machine's)")
        sub.set_defaults(run=run, command=name)
        return sub

    replay = command("replay", _replay, "replay record files: every ruling with its clause, and how the game stands")
    replay.add_argument("files", nargs="+", metavar="FILE")
    replay.add_argument("--json", action="store_true", help="one JSON object a file, one a line")
    replay.add_argument("--steps", action="store_true", help="JSON, with the view after every line")

    read = command("read", _read, "read pictures of the table and print what lies there as JSON")
    read.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE")
    read.add_argument("--game", metavar="GAME", help="the game whose pieces are looked for (default: told by the mat)")
    read.add_argument(
        "--as-input",
        type=Path,
        metavar="RECORD",
        help="show which input of this recorded game each picture would become",
    )
    read.add_argument("--json", action="store_true", help="one JSON object a picture, one a line (the usual form)")

    gallery = "where taught looks are kept, one folder a game (default: with the user's state files)"
    read.add_argument("--gallery", type=Path, metavar="DIR", help=gallery)

    teach = command("teach", _teach, "teach pieces from photographs: one piece a picture, or a sheet of several")
    teach.add_argument("game", metavar="GAME", help="a game, or any (names are free)")
    teach.add_argument("pictures", nargs="*", type=Path, metavar="PICTURE", help="named as the piece: hare.jpg")
    teach.add_argument("--names", default="", metavar='"NAME ..."', help="a sheet's pieces, rows from the top")
    teach.add_argument("--forget", action="append", default=[], metavar="NAME", help="remove a piece; may be repeated")
    teach.add_argument("--gallery", type=Path, metavar="DIR", help=gallery)
    teach.add_argument("--json", action="store_true", help="one JSON object")

    rules = command("rules", _rules, "print the clauses of a game")
    rules.add_argument("game", metavar="GAME")
    rules.add_argument("clause", nargs="?", metavar="CLAUSE", help="one clause only, such as WR-8")

    sheets = command("print", _print, "write the mats, quick starts, rules and teaching sheets as a PDF to be printed")
    sheets.add_argument(
        "names", nargs="*", metavar="GAME", help="games, dice-tray, all (default); teach: teaching sheets"
    )
    sheets.add_argument("--paper", default="A4", metavar="A3|A4", help="paper (default: %(default)s)")
    sheets.add_argument("--out", type=Path, metavar="FILE", help="the PDF (default: here, named by what is in it)")

    demo = command("demo", _demo, "watch the companion referee a short Witch Race with fake hardware")
    demo.add_argument("--fast", action="store_true", help="without pauses")
    demo.add_argument("--save", type=Path, metavar="DIR", help="write the pages as PNG and the record there")

    run = command("run", _run, "referee at the table")
    run.add_argument("--fake", action="store_true", help="on a desk: keys for buttons, photographs for the camera")
    run.add_argument("--camera", type=Path, metavar="DIR", help="with --fake: the folder of photographs")
    run.set_defaults(lang=None, own_lang=_own_lang())

    calibrate = command("calibrate", _calibrate, "measure the camera's lens on pictures of a mat, once and for all")
    calibrate.add_argument("pictures", nargs="*", type=Path, metavar="PICTURE", help="(default: they are taken now)")

    doctor = command("doctor", _doctor, "check everything the companion needs, one line each with the remedy")
    doctor.add_argument("--json", action="store_true", help="one JSON object")
    doctor.add_argument("--bundle", type=Path, metavar="FILE.zip", help="write a parcel for a bug report")

    kept = "where records are kept (default: with the user's state files)"
    for sub in (demo, run, doctor):
        sub.add_argument("--data", type=Path, metavar="DIR", help=kept)
    own = "the owner's settings (default: STATE_DIRECTORY or ~/.config/table-companion/settings.toml)"
    for sub in (run, calibrate, doctor):
        sub.add_argument("--settings", type=Path, metavar="FILE", help=own)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is the command's contract, or BUG where the fault is ours."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - the last line of defence: the details go to a file, not at the user
        print(
            f"companion: a fault of ours ({type(error).__name__}: {error}). {_kept_details(options.command)}",
            file=sys.stderr,
        )
        return BUG


def _kept_details(command: str) -> str:
    """Put the traceback into a file and say where; under systemd it goes to the journal as well."""
    import traceback  # noqa: PLC0415

    from companion import crash  # noqa: PLC0415

    details = traceback.format_exc()
    try:
        file = crash.keep(details, command)
    except OSError:  # nothing can be written: then it is better seen than lost
        return details
    if "INVOCATION_ID" in os.environ:  # set by systemd for its services
        return details
    return f"Nothing recorded is lost. Please report it with {file} (companion doctor --bundle FILE.zip holds it)."


if __name__ == "__main__":
    sys.exit(main())
