"""Make `companion/fonts/` out of the Galmuri release: only the signs a page needs, every Hangul syllable.

Run it by hand when the signs or the release change; the result is checked in, so nobody else needs it:

    python -m venv fonts-venv && fonts-venv/bin/pip install fonttools pillow
    npm pack galmuri@2.40.3
    fonts-venv/bin/python tools/fonts.py galmuri-2.40.3.tgz companion/fonts

fontTools is a tool of this script alone and no dependency of the companion. The npm package is the release of
github.com/quiple/galmuri; the package `galmuri` on PyPI is something else.

Three things make a subset of 1.5 MB out of 4.5 MB without changing one pixel, which the script proves by drawing every
character beside the designer's bitmap: glyphs nobody draws are left out, with their names and the hints; the em
becomes twice the pixels of the design, so that every step of an outline fits one byte; and an outline starts where
its first point is cheapest to write.
"""

# ruff: noqa: INP001 - a script by itself, in no package
from __future__ import annotations

import argparse
import io
import sys
import tarfile
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.ttLib.tables import _g_l_y_f as glyf
from fontTools.ttLib.tables.ttProgram import Program
from PIL import Image, ImageDraw, ImageFont

SIZES_PX = {"Galmuri9": 10, "Galmuri11": 12}
"""Family to the one size at which its pixels fall on ours: the number in the name plus one."""

ARROWS_AND_SHAPES = "▲▼◀▶△▽◁▷●○◎■□◆◇★☆→←↑↓↔↕"
MARKS = "‘’“”–—•…※♪♥♣♠₩×÷=≠≤≥<>·±°①②③④⑤⑥⑦⑧⑨⑩"
"""Galmuri has no ✓: a page that wants one takes ●."""

LARGEST_BYTES = 1_500_000


def characters() -> frozenset[int]:
    """Give the code points kept: ASCII, Latin-1, Korean letters and syllables, and the signs of a page."""
    ranges = (
        range(0x20, 0x7F),  # ASCII
        range(0xA0, 0xAD),  # Latin-1: names like José; without 0xAD, a hyphen that is not to be seen
        range(0xAE, 0x100),
        range(0x3131, 0x318F),  # Korean letters standing alone (ㅋㅋ)
        range(0xAC00, 0xD7A4),  # all 11,172 syllables: KS X 1001's 2,350 lack those of real names
    )
    return frozenset().union(*ranges, map(ord, ARROWS_AND_SHAPES + MARKS))


def shrink(original: bytes, pixels_per_em: int) -> bytes:
    """Cut a font down to `characters()`; raise KeyError if it lacks one of them."""
    font = TTFont(io.BytesIO(original), recalcTimestamp=False)  # the same input gives the same bytes
    if lacking := characters() - font.getBestCmap().keys():
        raise KeyError(f"the font has no {' '.join(map(chr, sorted(lacking)))}")
    subsetter = subset.Subsetter(
        subset.Options(
            hinting=False,
            glyph_names=False,
            notdef_outline=True,
            layout_features=["kern"],
            name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14],
        )
    )
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    scale_upem(font, 2 * pixels_per_em)  # 20 and 24: the format wants at least 16
    for glyph in font["glyf"].glyphs.values():
        _start_cheaply(glyph, font["glyf"])
    _refuse_autohinter(font)
    made = io.BytesIO()
    font.save(made)
    return made.getvalue()


def _refuse_autohinter(font: TTFont) -> None:
    """Add a program that does nothing: FreeType guesses hints for a font whose program has 7 bytes or fewer.

    Our outlines lie on the pixels already; at so small an em the guesses would move them (seen with ←, ① and most
    syllables). The rule stands in FT_Load_Glyph, ftobjs.c.
    """
    font["prep"] = newTable("prep")
    font["prep"].program = Program()
    font["prep"].program.fromBytecode(bytes([0xB0, 0x00, 0x21] * 3))  # PUSHB[0] 0, POP; three times
    font["maxp"].maxStackElements = 1


def _start_cheaply(glyph: Any, table: Any) -> None:  # noqa: ANN401 - fontTools has no types
    """Turn each contour so that its first point shares a coordinate with the point written before it."""
    glyph.expand(table)
    if glyph.numberOfContours < 1:
        return
    before, start, turned = (0, 0), 0, []
    for last in glyph.endPtsOfContours:
        contour = list(glyph.coordinates[start : last + 1])
        start = last + 1
        costs = [(x != before[0]) + (y != before[1]) for x, y in contour]
        first = costs.index(min(costs))
        turned += contour[first:] + contour[:first]
        before = turned[-1]
    # The flags need no turning: a pixel outline has on-curve points only, so all are alike.
    glyph.coordinates = glyf.GlyphCoordinates(turned)


def designed(bdf: str) -> dict[int, tuple[int, frozenset[tuple[int, int]]]]:
    """Read a BDF file: code point to advance and inked pixels, both in pixels, y downward from the base line."""
    glyphs = {}
    for block in bdf.split("STARTCHAR ")[1:]:
        fields = dict(line.partition(" ")[::2] for line in block.partition("BITMAP")[0].splitlines()[1:])
        width, height, left, bottom = map(int, fields["BBX"].split())
        ink = set()
        for row, digits in enumerate(block.partition("BITMAP")[2].split("ENDCHAR")[0].split()):
            bits = f"{int(digits, 16):0{4 * len(digits)}b}"[:width]
            ink |= {(left + column, row - height - bottom) for column, bit in enumerate(bits) if bit == "1"}
        glyphs[int(fields["ENCODING"])] = int(fields["DWIDTH"].split()[0]), frozenset(ink)
    return glyphs


def drawn(font: ImageFont.FreeTypeFont, text: str) -> frozenset[tuple[int, int]]:
    """Draw a text in 1 bit as the pages do; give the inked pixels, y downward from the base line."""
    image = Image.new("1", (32, 32))
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    draw.text((8, 20), text, font=font, fill=1, anchor="ls")
    return frozenset((x - 8, y - 20) for y in range(32) for x in range(32) if image.getpixel((x, y)))


def differences(original: bytes, bdf: str, made: bytes, size_px: int) -> list[str]:
    """List the characters drawn other than designed, and the pairs of ASCII letters kerned other than before.

    The designer's bitmaps are the measure, not the original font as Pillow draws it: in that one FreeType's guesses
    tear 42 accents from their letters (é).
    """
    before, after = (ImageFont.truetype(io.BytesIO(data), size_px) for data in (original, made))
    design = designed(bdf)
    letters = [chr(code) for code in range(0x21, 0x7F)]
    pairs = [first + second for first in letters for second in letters]
    return [
        chr(code)
        for code in sorted(characters())
        if (round(after.getlength(chr(code))), drawn(after, chr(code))) != design[code]
    ] + [pair for pair in pairs if before.getlength(pair) != after.getlength(pair)]


def main() -> int:
    """Write the two fonts and the licence; return 1 if a pixel or the size is not as it must be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("package", type=Path, help="galmuri-VERSION.tgz as `npm pack` leaves it")
    parser.add_argument("folder", type=Path, help="where the fonts go")
    arguments = parser.parse_args()
    with tarfile.open(arguments.package) as package:
        wanted = ("LICENSE.txt", *(f"{family}.{kind}" for family in SIZES_PX for kind in ("ttf", "bdf")))
        members = {name: package.extractfile(f"package/dist/{name}") for name in wanted}
        data = {name: member.read() for name, member in members.items() if member is not None}
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (arguments.folder / "OFL.txt").write_bytes(data["LICENSE.txt"])
    status = 0
    for family, size_px in SIZES_PX.items():
        original = data[f"{family}.ttf"]
        made = shrink(original, size_px)
        differing = differences(original, data[f"{family}.bdf"].decode(), made, size_px)
        print(f"{family}: {len(original)} -> {len(made)} bytes, {len(differing)} characters differ {differing[:10]}")  # noqa: T201
        if differing or len(made) >= LARGEST_BYTES:
            status = 1
            continue
        (arguments.folder / f"{family}.ttf").write_bytes(made)
    return status


if __name__ == "__main__":
    sys.exit(main())
