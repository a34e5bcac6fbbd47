"""The names that this table is known by: whoever played last sits first."""

from collections.abc import Iterable
from pathlib import Path

from engines import record

RECORDS = 20
"""Records looked into, the newest first: families come back within so many games."""


def remembered(folder: Path, preset: Iterable[str] = ()) -> tuple[str, ...]:
    """List the players of the newest records, then the preset names, each once; what is no record is passed over."""
    found: dict[str, None] = {}
    for path in sorted(folder.glob("*.jsonl"), reverse=True)[:RECORDS]:
        try:
            with path.open("rb") as file:
                found |= dict.fromkeys(record.header(file.readline()).players)
        except (OSError, record.RecordError):
            continue
    return tuple(found | dict.fromkeys(preset))
