"""What reading costs: ``python benchmarks/speed.py PICTURE...``, one thread, in units of decoding the same file."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from vision.picture import PictureError, decode_picture
from vision.reading import read

REPEATS = 5


def main() -> int:
    """Time each picture: the best of five, after a first reading that loads the networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="+", metavar="PICTURE")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    ratios, warm = [], False
    print(f"{'picture':36}{'decode':>8}{'mat':>8}{'pieces':>8}{'read':>8}{'x decode':>10}")
    for path in args.pictures:
        try:
            data = path.read_bytes()
            picture = decode_picture(data, path.name)
        except (OSError, PictureError) as error:
            print(f"speed: {error}", file=sys.stderr)
            return 2
        if not warm:
            read(picture)
            warm = True
        decode = min(_decode_ms(data) for _ in range(REPEATS))
        best = min((read(picture).ms for _ in range(REPEATS)), key=lambda ms: ms["total"])
        ratios.append(best["total"] / decode)
        row = f"{decode:8.1f}{best['mat']:8.1f}{best['pieces']:8.1f}{best['total']:8.1f}{ratios[-1]:10.1f}"
        print(f"{path.name[-34:]:36}{row}")
    print(f"median {statistics.median(ratios):.1f} x decode, 95 % {float(np.percentile(ratios, 95)):.1f} x")
    return 0


def _decode_ms(data: bytes) -> float:
    begin = time.perf_counter()
    cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return (time.perf_counter() - begin) * 1e3


if __name__ == "__main__":
    sys.exit(main())
