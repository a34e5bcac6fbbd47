"""A page of the OLED as a value: words, not pixels."""

import re
from dataclasses import dataclass, field

from companion.modes import Cut

SIGNS = {"ok": "●", "back": "◀", "up": "▲", "down": "▼"}
"""What the buttons are called on a last line."""


@dataclass(frozen=True)
class Page:
    """One page: the first line says where we are, the last what the buttons do, the body between them scrolls."""

    kind: str
    """What sort of page it is: ``table``, ``question``, ``why``... one word, for tests and the demo."""
    head: str
    body: tuple[str, ...]
    foot: str
    clauses: tuple[str, ...] = ()
    """The clauses that the body rests on, for the terminal beside the picture."""
    signs: tuple[str, ...] = ()
    """Small signs in the head: ``camera-asleep``, ``camera-lost``, ``unsaved``."""
    top: int = 0
    """The first body line that shows."""
    chosen: int | None = None
    """The body entry under the cursor, where one can be chosen; it is drawn inverted and kept in view."""
    asks: str | None = None
    """The field of an input that is asked for, on a page to enter it."""
    candidates: tuple[str, ...] = ()
    """The names that a question offers, as the reader knows them: UP takes the first, DOWN the second."""
    picture: Cut | None = field(default=None, repr=False)
    """What was seen, at the left of the body; a higher one stands at the right of the whole page."""

    def parts(self) -> list[tuple[str, str]]:
        """Part the last line: signs of buttons, and the word for what they do."""
        return [(signs, word.strip()) for signs, word in re.findall(r"([●▲▼◀]+)([^●▲▼◀]*)", self.foot)]

    def offers(self, button: str) -> str | None:
        """Give the word for what a button does here; None where the last line does not tell."""
        sign = SIGNS.get(button, button)
        return next((word for signs, word in self.parts() if sign in signs), None)
