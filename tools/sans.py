"""Make `companion/fonts/sans/` out of the Pretendard release: the fonts of what is printed.

Run it by hand when the signs or the release change; the result is checked in, so nobody else needs it:

    python -m venv fonts-venv && fonts-venv/bin/pip install fonttools
    npm pack pretendard@1.3.9
    fonts-venv/bin/python tools/sans.py pretendard-1.3.9.tgz companion/fonts/sans

The syllables are the 2,350 of KS X 1001, which hold every word of ours; what else a sixth game may say is printed with
Galmuri, which has all 11,172. "Pretendard" is a name reserved by the licence, so what was cut down is called otherwise.
"""

# ruff: noqa: INP001 - a script by itself, in no package
from __future__ import annotations

import argparse
import io
import sys
import tarfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FAMILY = "Companion Sans"
RESERVED = "Pretendard"
STYLES = ("Regular", "Bold")
SIGNS = "▲▼◀▶△▽●○■□◆★☆→←↑↓‘’“”–—•…※×÷=≠≤≥·±°①②③④⑤⑥⑦⑧⑨⑩"
LARGEST_BYTES = 500_000


def characters() -> frozenset[int]:
    """Give the code points kept: ASCII, Latin-1, the syllables of KS X 1001 and the signs of a page."""
    rows, cells = range(0xB0, 0xC9), range(0xA1, 0xFF)
    syllables = (ord(bytes((row, cell)).decode("euc_kr")) for row in rows for cell in cells)
    return frozenset([*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, SIGNS), *syllables])


def shrink(original: bytes, style: str) -> bytes:
    """Cut a font down to `characters()` and rename it; raise KeyError if it lacks one of them."""
    font = TTFont(io.BytesIO(original), recalcTimestamp=False)  # the same input gives the same bytes
    if lacking := characters() - font.getBestCmap().keys():
        raise KeyError(f"the font has no {' '.join(map(chr, sorted(lacking)))}")
    subsetter = subset.Subsetter(
        subset.Options(hinting=False, glyph_names=False, layout_features=["kern"], name_IDs=[0, 1, 2, 5, 13, 14])
    )
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    names = {1: FAMILY, 2: style, 3: f"{FAMILY} {style}", 4: f"{FAMILY} {style}", 6: f"CompanionSans-{style}"}
    for number, name in names.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    font["name"].names = [n for n in font["name"].names if n.nameID == 0 or RESERVED not in n.toUnicode()]
    made = io.BytesIO()
    font.save(made)
    return made.getvalue()


def main() -> int:
    """Write the fonts and the licence; return 1 if one is too large."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("package", type=Path, help="pretendard-VERSION.tgz as `npm pack` leaves it")
    parser.add_argument("folder", type=Path, help="where the fonts go")
    arguments = parser.parse_args()
    wanted = {"OFL.txt": "LICENSE.txt"}
    wanted |= {f"{style}.ttf": f"public/static/alternative/{RESERVED}-{style}.ttf" for style in STYLES}
    arguments.folder.mkdir(parents=True, exist_ok=True)
    status = 0
    with tarfile.open(arguments.package) as package:
        for name, member in wanted.items():
            file = package.extractfile(f"package/dist/{member}")
            data = file.read() if file else b""
            made = shrink(data, name.removesuffix(".ttf")) if name.endswith(".ttf") else data
            print(f"{name}: {len(data)} -> {len(made)} bytes")  # noqa: T201
            status = max(status, int(len(made) >= LARGEST_BYTES))
            (arguments.folder / name).write_bytes(made)
    return status


if __name__ == "__main__":
    sys.exit(main())
