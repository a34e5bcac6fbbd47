"""What the printed pages say and measure: ``print.toml``, and the names of a mat's regions in it."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from companion.text import Lang, fill


@cache
def table(name: str) -> Any:  # noqa: ANN401 - whatever the file holds there
    """Give one table of ``print.toml``."""
    with Path(__file__).with_name("print.toml").open("rb") as file:
        found: dict[str, Any] = tomllib.load(file)
    return found if not name else found[name]


def words(key: str, lang: Lang, **facts: object) -> str:
    """Say a sentence of ``print.toml``; ``key`` is ``table.name``."""
    group, _, name = key.partition(".")
    return fill(table(group)[name][lang], facts, lang, {})


def region_words(mat: str, region: str, lang: Lang) -> tuple[str, str]:
    """Give the name that is printed beside a region, and what lies there."""
    entry = table("mats").get(mat, {}).get(region)
    return (entry["name"][lang], entry["put"][lang]) if entry else (region, "")
