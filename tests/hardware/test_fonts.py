"""The fonts that the pages are drawn in."""

import struct
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

import companion

FONTS = Path(companion.__file__).parent / "fonts"
SIZES_PX = {"Galmuri9.ttf": 10, "Galmuri11.ttf": 12}
SYLLABLES = [chr(code) for code in range(0xAC00, 0xD7A4)]
NEEDED = (
    [chr(code) for code in range(0x21, 0x7F)]
    + [chr(code) for code in range(0x3131, 0x3164)]
    + list("▲▼◀▶△▽◁▷●○◎■□◆◇★☆→←↑↓↔↕‘’“”–—•…※♪♥♣♠₩×÷=≠≤≥<>·±°①②③④⑤⑥⑦⑧⑨⑩éÀñü¿¡")
)


def ink(font: ImageFont.FreeTypeFont, text: str) -> bytes:
    image = Image.new("1", (24, 24))
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    draw.text((4, 4), text, font=font, fill=1)
    return image.tobytes()


def covered(path: Path) -> set[int]:
    """Read the code points of a TrueType file's character map, format 12 or 4 (OpenType specification, cmap)."""
    data = path.read_bytes()
    tables = {
        data[at : at + 4]: struct.unpack(">II", data[at + 8 : at + 16]) for at in range(12, 12 + 16 * data[5], 16)
    }
    cmap = data[tables[b"cmap"][0] :]
    points: set[int] = set()
    for record in range(struct.unpack(">H", cmap[2:4])[0]):
        table = cmap[struct.unpack(">I", cmap[8 + 8 * record : 12 + 8 * record])[0] :]
        kind, _, _, doubled = struct.unpack(">4H", table[:8])
        if kind != 4:
            continue
        ends = struct.unpack(f">{doubled // 2}H", table[14 : 14 + doubled])
        starts = struct.unpack(f">{doubled // 2}H", table[16 + doubled : 16 + 2 * doubled])
        for start, end in zip(starts, ends, strict=True):
            points |= set(range(start, end + 1))
    return points - {0xFFFF}


@pytest.fixture(params=SIZES_PX)
def path(request: pytest.FixtureRequest) -> Path:
    return FONTS / str(request.param)


@pytest.fixture
def font(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, SIZES_PX[path.name])


def test_every_syllable_and_sign_is_in_the_font(path: Path) -> None:
    points = covered(path)
    assert not [sign for sign in SYLLABLES + NEEDED if ord(sign) not in points]


def test_no_sign_is_drawn_as_the_missing_one(font: ImageFont.FreeTypeFont) -> None:
    missing = {ink(font, "\ufffe"), ink(font, " ")}
    assert not [sign for sign in NEEDED + SYLLABLES[::97] + list("뷁똠찌확힣") if ink(font, sign) in missing]


def test_the_syllables_of_a_sample_look_different_from_one_another(font: ImageFont.FreeTypeFont) -> None:
    sample = SYLLABLES[::97]
    assert len({ink(font, syllable) for syllable in sample}) == len(sample)


def test_twelve_syllables_of_the_small_and_ten_of_the_large_fill_a_line(
    path: Path, font: ImageFont.FreeTypeFont
) -> None:
    assert font.getlength("가" * {10: 12, 12: 10}[SIZES_PX[path.name]]) <= 128


def test_an_accent_stands_where_it_was_designed(path: Path, font: ImageFont.FreeTypeFont) -> None:
    """Hints that FreeType guesses tear it from its letter."""
    image = Image.new("1", (16, 16))
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    draw.text((2, 14), "é", font=font, fill=1, anchor="ls")
    rows = [any(image.getpixel((x, y)) for x in range(16)) for y in range(16)]
    assert rows.index(True) == 14 - {"Galmuri9.ttf": 9, "Galmuri11.ttf": 11}[path.name]


def test_the_fonts_are_small_and_their_licence_lies_beside_them(path: Path) -> None:
    assert path.stat().st_size < 1_500_000
    licence = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL Open Font License, Version 1.1" in licence
    assert "Lee Minseo" in licence
