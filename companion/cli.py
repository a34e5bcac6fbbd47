"""The command line: ``companion run | demo | replay | read | ...``."""

import argparse
import sys
from collections.abc import Callable, Sequence

USAGE = 2


def _replay(options: argparse.Namespace) -> int:
    import msgspec  # noqa: PLC0415 - lazy, as every command's imports: `companion --help` stays quick

    from companion.replay import NO_RECORD, replay_file  # noqa: PLC0415

    statuses = []
    for path in options.files:
        found, one = replay_file(path, options.lang, steps=options.steps)
        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
        statuses.append(one)
    sys.stdout.flush()
    return NO_RECORD if NO_RECORD in statuses else max(statuses)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="companion", description="The referee beside the board.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument("--lang", choices=("ko", "en"), default="en", help="language of sentences (default: en)")
        sub.set_defaults(run=run)
        return sub

    replay = command("replay", _replay, "replay record files and print the state of each game as JSON")
    replay.add_argument("files", nargs="+", metavar="FILE")
    replay.add_argument("--json", action="store_true", help="one JSON object a file, one a line (the only form)")
    replay.add_argument("--steps", action="store_true", help="with the view after every line")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is the command's contract."""
    options = _parser().parse_args(arguments)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
