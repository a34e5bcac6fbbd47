"""One check of the doctor: what was found, how bad it is, and what to do, in Korean and English."""

import shutil
import subprocess
import threading
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.text import Lang, fill
from companion.told import told

Verdict = Literal["ok", "warn", "fail"]
MARKS: dict[Verdict, str] = {"ok": " ok ", "warn": "WARN", "fail": "FAIL"}
COMMAND_S = 8.0
"""How long another program may take to answer."""


class Check(msgspec.Struct, frozen=True):
    """What one check found: ``finding`` is the key of its words under ``name`` in ``words.toml``."""

    name: str
    verdict: Verdict
    finding: str = "ok"
    facts: dict[str, Any] = {}


@cache
def words() -> dict[str, Any]:
    """Give the doctor's words."""
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def _say(check: Check, key: str) -> str:
    section = words()[check.name]
    entry = section.get(check.finding) or words()["any"][check.finding]
    lang: Lang = "ko" if key.startswith("ko") else "en"
    facts = {name: told(fact, lang) if isinstance(fact, str) else fact for name, fact in check.facts.items()}
    return fill(entry.get(key, ""), facts, lang, {})


def as_json(check: Check, lang: Lang) -> dict[str, Any]:
    """Give a check with its words; ``remedy`` is empty where there is nothing to do."""
    return {
        "check": check.name,
        "verdict": check.verdict,
        "finding": check.finding,
        "text": _say(check, lang),
        "remedy": _say(check, f"{lang}_do"),
        "facts": check.facts,
    }


def line(check: Check, lang: Lang) -> str:
    """Tell a check in one line."""
    told = as_json(check, lang)
    remedy = f"  -> {told['remedy']}" if told["remedy"] else ""
    whole = f"{MARKS[check.verdict]}  {words()[check.name]['name'][lang]}: {told['text']}{remedy}"
    return " ".join(whole.splitlines())


def guarded(name: str, seconds: float, probe: Callable[[], list[Check]]) -> list[Check]:
    """Give what a probe finds; one that hangs or fails is itself a finding. Never raises."""
    found: list[list[Check]] = []

    def work() -> None:
        try:
            found.append(probe())
        except Exception as error:  # noqa: BLE001 - whatever a library or driver throws is what the doctor is for
            found.append([Check(name, "fail", "fault", {"detail": f"{type(error).__name__}: {error}"})])

    thread = threading.Thread(target=work, name=f"doctor-{name}", daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else [Check(name, "fail", "hangs", {"seconds": round(seconds)})]


def answer(*command: str) -> str | None:
    """Give what another program says on standard output; None where it is absent or silent for too long."""
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - the names are ours
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=COMMAND_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip()
