"""How fast records are replayed: inputs a second for each game, and whole games a second.

Replays the recorded games of the tests again and again through the code that `companion replay` uses: decoding of the
line, shape, rules, rulings and the record's own keeping. Where the package `chess` is installed (extra `bench`),
python-chess's `push_uci` is measured in the same run, to compare.
"""

import gc
import random
import time
from pathlib import Path

from engines import record
from engines.record import Replay

ROUNDS = 5
"""Of which the quickest counts: the others had company on the machine."""
LEAST_S = 0.4
"""Seconds that one round lasts at least."""
GAMES = Path(__file__).parent.parent / "tests" / "engines"


def replay(lines: list[bytes]) -> int:
    """Replay one record; gives its number of inputs."""
    game = Replay(record.header(lines[0]))
    for number, line in enumerate(lines[1:], 2):
        game.line(number, line)
    return len(lines) - 1


def rate(records: list[list[bytes]]) -> tuple[float, float]:
    """Give inputs and games a second."""
    best = (0.0, 0.0)
    for _ in range(ROUNDS):
        began, inputs, games = time.perf_counter(), 0, 0
        while time.perf_counter() - began < LEAST_S:
            for lines in records:
                inputs += replay(lines)
                games += 1
        took = time.perf_counter() - began
        best = max(best, (inputs / took, games / took))
    return best


def chess_rate() -> float | None:
    """Give python-chess's moves a second by push_uci over random games, or None where it is not installed."""
    try:
        import chess  # noqa: PLC0415 - an extra that need not be there
    except ImportError:
        return None
    chance = random.Random(1)  # noqa: S311 - the same games each time
    games: list[list[str]] = []
    for _ in range(20):
        board, moves = chess.Board(), []
        while not board.is_game_over() and len(moves) < 150:
            move = chance.choice(list(board.legal_moves))
            board.push(move)
            moves.append(move.uci())
        games.append(moves)
    best = 0.0
    for _ in range(ROUNDS):
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < LEAST_S:
            for moves in games:
                board = chess.Board()
                for uci in moves:
                    board.push_uci(uci)
                count += len(moves)
        best = max(best, count / (time.perf_counter() - began))
    return best


def main() -> None:
    """Print the table."""
    gc.disable()  # as the command does
    print(f"{'game':<16}{'inputs/s':>12}{'games/s':>12}")
    for folder in sorted(path for path in GAMES.iterdir() if path.is_dir()):
        records = [path.read_bytes().splitlines() for path in sorted(folder.glob("*.jsonl"))]
        if records:
            inputs, games = rate(records)
            print(f"{folder.name.replace('_', '-'):<16}{inputs:>12,.0f}{games:>12,.0f}")
    moves = chess_rate()
    said = "not installed (pip install chess)" if moves is None else f"{moves:>12,.0f}"
    print(f"{'push_uci':<16}{said}")


if __name__ == "__main__":
    main()
