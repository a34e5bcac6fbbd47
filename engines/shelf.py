"""The games on the shelf: one folder each, found by looking, loaded when asked for."""

import importlib
import pkgutil
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec

import engines
from engines.core import Rules

Words = Mapping[str, Mapping[str, Any]]
"""``{"WR-8": {"en": ..., "ko": ..., "page": ...}}``: what a TOML table of words holds."""


class Game(msgspec.Struct, frozen=True, eq=False):
    """A game that can be refereed: its id (``witch-race``), its rules and the folder with its data."""

    id: str
    rules: Rules
    folder: Path

    def table(self, name: str) -> dict[str, Any]:
        """Read ``<folder>/<name>.toml`` once: ``clauses``, ``text`` or ``table``."""
        return _toml(self.folder / f"{name}.toml")


@cache
def _toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


def shared_text() -> dict[str, Any]:
    """Give the words that all games share: refusals of shape, phase and turn, and of the header."""
    return _toml(Path(__file__).with_name("text.toml"))


def ids() -> tuple[str, ...]:
    """List the ids of all games, by name: every package inside ``engines`` is one."""
    return _ids(tuple(engines.__path__))


@cache
def _ids(folders: tuple[str, ...]) -> tuple[str, ...]:
    found = pkgutil.iter_modules(folders)
    return tuple(sorted(name.replace("_", "-") for _, name, is_package in found if is_package))


@cache
def game(name: str) -> Game:
    """Load one game by its id. Raises KeyError where no folder has it."""
    if name not in ids():
        raise KeyError(name)
    module = importlib.import_module(f"engines.{name.replace('-', '_')}.rules")
    return Game(name, cast("Rules", module), Path(str(module.__file__)).parent)
