"""Every test that the page of pitfalls names is there."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "pitfalls.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([a-z_0-9/]+)::([a-z_0-9]+)`", PAGE)))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_test_that_is_named_is_there(file: str, name: str) -> None:
    text = (TESTS / f"{file}.py").read_text(encoding="utf-8")
    assert re.search(rf"^def test_{name}\(", text, re.MULTILINE)


def test_every_row_has_its_number_once_and_names_a_test() -> None:
    rows = re.findall(r"^\| (\d+) \|.*\| (.+) \|$", PAGE, re.MULTILINE)
    assert len(rows) >= 100
    assert len({number for number, _ in rows}) == len(rows)
    assert all("::" in shown for _, shown in rows)
