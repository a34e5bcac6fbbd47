"""What the companion does with the machine that it runs on: keep likes, examine it, switch it off."""

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion import settings
from companion.events import Keep
from companion.settings import Settings, SettingsError
from companion.text import Lang, say

SWITCH_OFF = ("systemctl", "poweroff")
PATIENCE_S = 5.0
"""How long systemd may take to accept the wish; carrying it out takes longer, and stops us in an orderly way."""

Run = Callable[[Sequence[str]], str]
"""Run a command; gives what went wrong, or nothing."""


def run(command: Sequence[str]) -> str:
    """Run a command of ours. Gives its complaint in a line, empty where it has none."""
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours
            list(command), stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{' '.join(command)}: {error}."
    said = " ".join(done.stderr.decode("utf-8", "replace").split())
    return "" if done.returncode == 0 else said or f"{' '.join(command)} ended with {done.returncode}."


@dataclass
class Machine:
    """The machine under a running companion.

    settings, path: the owner's, and where they are kept; None while they are not to be touched. records: the folder of
    records. run: what runs a command.
    """

    settings: Settings
    path: Path | None
    records: Path
    run: Run = run
    can: frozenset[str] = frozenset({"doctor", "power-off"})

    def keep(self, likes: Keep) -> str:
        """Keep what people like; gives the trouble in a sentence, or nothing."""
        if self.path is None:
            return ""
        try:
            own = settings.load(self.path).settings
            own = msgspec.structs.replace(own, lang=likes.lang, sound=likes.sound, lamp=likes.lamp)
            settings.save(self.path, own)
        except SettingsError as error:
            return say("notices.not-kept", likes.lang, reason=str(error))
        return ""

    def examine(self, lang: Lang) -> tuple[str, ...]:
        """Let the doctor look; gives its findings, a line each."""
        from companion import doctor  # noqa: PLC0415 - only when somebody asks

        return tuple(" ".join(doctor.line(check, lang).split()) for check in doctor.checks(self.settings, self.records))

    def switch_off(self, lang: Lang) -> str:
        """Have systemd switch the machine off, which stops us too; gives the trouble in a sentence, or nothing."""
        trouble = self.run(SWITCH_OFF)
        return say("notices.stays-on", lang, reason=trouble) if trouble else ""
