"""``companion rules``: the clauses of a game, the referee's rule book at hand."""

from companion.text import Lang, Speaker
from engines import shelf


class UnknownError(LookupError):
    """No such game or clause; the message lists what there is."""


def lines(game: str, clause: str | None, lang: Lang) -> list[str]:
    """Give the clauses of a game, or one of them, a line each. Raises UnknownError."""
    if game not in shelf.ids():
        raise UnknownError(f"There is no game {game!r}; there are {', '.join(shelf.ids())}.")
    found = shelf.game(game)
    speaker = Speaker(found, lang)
    numbers = list(found.table("clauses"))
    if clause is not None:
        if clause.upper() not in numbers:
            raise UnknownError(f"{speaker.title} has no clause {clause!r}; it has {numbers[0]} to {numbers[-1]}.")
        numbers = [clause.upper()]
    return [f"{number}  {speaker.clause(number)}" for number in numbers]
