"""Recording: what is to be kept of the game at the table, on disk at once, or as soon as the disk takes it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion import journal
from companion.journal import Journal, JournalError, Resumed

Line = dict[str, Any]


@dataclass
class _Waiting:
    """Lines that are not on disk yet, by record; what stands together is written together."""

    journal: Journal | None
    header: Line | None = None
    together: list[tuple[Line, ...]] = field(default_factory=list)


class Recording:
    """The records of one folder. Nothing here raises: what cannot be written waits, and :attr:`problem` says why."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal: Journal | None = None
        self._waiting: list[_Waiting] = []
        self.problem: JournalError | None = None
        """Why not everything is on disk; None while it is."""

    @property
    def is_waiting(self) -> bool:
        """Tell whether anything waits to be written."""
        return bool(self._waiting)

    def resume(self) -> tuple[Resumed | None, list[Path]]:
        """Go on with the newest record; also gives the files that are none and were set aside."""
        try:
            found, aside = journal.resume(self._folder)
        except JournalError as error:
            self.problem = error
            return None, []
        if found is not None:
            self._waiting.append(_Waiting(found.journal))  # a torn tail is cut off before anything else
            self.save()
        return found, aside

    def begin(self, header: Line) -> None:
        """Begin a new record."""
        self._waiting.append(_Waiting(None, _dated(header)))
        self.save()

    def record(self, lines: Iterable[Line]) -> None:
        """Append lines that belong together to the record at hand."""
        if not self._waiting:
            self._waiting.append(_Waiting(self._journal))
        self._waiting[-1].together.append(tuple(map(_dated, lines)))
        self.save()

    def save(self) -> None:
        """Put on disk what waits, if the disk takes it."""
        try:
            while self._waiting:
                self._write(self._waiting[0])
                del self._waiting[0]
                self.problem = None
        except JournalError as error:
            self.problem = error

    def _write(self, waiting: _Waiting) -> None:
        if waiting.journal is None:
            waiting.journal = journal.create(self._folder, waiting.header or {})
        waiting.journal.mend()
        while waiting.together:
            waiting.journal.append(*waiting.together[0])
            del waiting.together[0]
        self._journal = waiting.journal


def _dated(line: Line) -> Line:
    return {**line, "at": datetime.now(UTC).isoformat(timespec="seconds")}
