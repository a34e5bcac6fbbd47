"""The words of complaints: one sentence a kind, English or Korean, from ``complaints.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from vision.observation import Complaint


def say(complaint: Complaint, lang: str = "en") -> str:
    """Return the sentence that tells a person what to do; ``lang`` is "en" or "ko"."""
    return _sentences()[complaint.kind][lang]


@cache
def _sentences() -> dict[str, dict[str, str]]:
    text = resources.files("vision").joinpath("complaints.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
