"""Setting a game up with four buttons: which game, how many, which options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import UNSET, inspect

from companion import entry
from companion.entry import Form, Question
from companion.modes import Count, Home, Naming, Option, Options, Saying, Seats, Table
from companion.presses import Press
from companion.text import Lang, Speaker, say
from engines import shelf
from engines.core import Json
from engines.record import Header, RecordError

if TYPE_CHECKING:
    from companion.events import Effect
    from companion.session import Session

Setting = Home | Count | Options | Seats | Naming | Option
FIRST_OPTION = 2
"""The row of the first option, below "begin" and "who plays"."""
COLOURS = ("red", "blue", "green", "yellow", "white", "black", "orange", "purple", "pink", "brown", "grey", "mint")
"""What a player without a name is called: the colour of the pieces, by its key in the application's words."""


def home() -> Home:
    """Begin with the shelf."""
    return Home(tuple(shelf.ids()))


def count(game: str) -> Count:
    """Ask how many play."""
    return Count(game, tuple(shelf.game(game).rules.PLAYERS))


def named(number: int, names: tuple[str, ...], lang: Lang) -> tuple[str, ...]:
    """Name the seats: the names that the table is known by, then colours, then plain numbers."""
    plain = (say("pages.names", lang, number=seat + 1) for seat in range(number))
    return tuple(dict.fromkeys([*names, *_colours(lang), *plain]))[:number]


def _colours(lang: Lang) -> tuple[str, ...]:
    return tuple(say(f"colours.{name}", lang) for name in COLOURS)


def name_seat(mode: Seats, names: tuple[str, ...], lang: Lang) -> Naming:
    """Ask who sits on the seat under the cursor: whoever sits there now is under the cursor first."""
    own = mode.options.players[mode.cursor]
    offered = tuple(dict.fromkeys([*names, *mode.options.players, *_colours(lang)]))
    return Naming(mode, offered, offered.index(own))


def seated(mode: Naming) -> Seats:
    """Seat the name under the cursor; somebody who sits elsewhere changes places. The next seat is next.

    Options may name players: they have their defaults again.
    """
    before, seat = mode.seats.options, mode.seats.cursor
    old, new = before.players[seat], mode.names[mode.cursor]
    players = tuple({old: new, new: old}.get(name, name) for name in before.players)
    return Seats(replace(options(before.game, players), cursor=1), seat + 1)


def options(game: str, players: tuple[str, ...]) -> Options:
    """Offer the game's options; those that have no default are asked first."""
    kind = shelf.game(game).rules.Options
    by_name: dict[str, list[Question]] = {}
    for question in entry.questions(kind, players):
        by_name.setdefault(question.field, []).append(question)
    mode = Options(game, players, tuple((name, tuple(questions)) for name, questions in by_name.items()))
    missing = [row for row, name in enumerate(by_name, FIRST_OPTION) if name in required(game)]
    return replace(mode, cursor=missing[0]) if missing else mode


def required(game: str) -> frozenset[str]:
    """List the options that have no default."""
    info = inspect.type_info(shelf.game(game).rules.Options)
    return frozenset(field.encode_name for field in getattr(info, "fields", ()) if field.required)


def ask_option(mode: Options) -> Option:
    """Ask the option under the cursor."""
    _, questions = mode.questions[mode.cursor - FIRST_OPTION]
    return Option(mode, Form("", (), questions))


def answers(mode: Option) -> tuple[Json, ...]:
    """List the answers to the question that is open."""
    question = mode.form.questions[0]
    return question.answers if question.form == "one" else entry.several(question, mode.form.picked)


def answer(mode: Option, value: Json) -> Options | Option:
    """Take an answer; after the last one the option is set."""
    form = entry.answer(mode.form, value)
    if form.questions:
        return Option(mode.options, form)
    chosen = dict(mode.options.chosen)
    name = mode.options.questions[mode.options.cursor - FIRST_OPTION][0]
    chosen.pop(name, None)
    fields = form.fields()
    if fields.get(name, UNSET) is not UNSET:
        chosen[name] = fields[name]
    return replace(mode.options, chosen=tuple(chosen.items()), cursor=0)


def press(mode: Setting, press: Press, names: tuple[str, ...], lang: Lang) -> Setting | Header:
    """Take one press; gives where setting up stands now, or the header that is wished for."""
    if press.button == "ok":
        return _onward(mode, names, lang)
    if press.button == "back":
        return _backward(mode)
    return replace(mode, cursor=moved(mode.cursor, _rows(mode), press))


def _rows(mode: Setting) -> int:
    if isinstance(mode, Home):
        return len(mode.games)
    if isinstance(mode, Count):
        return len(mode.counts)
    if isinstance(mode, Seats):
        return len(mode.options.players) + 1
    if isinstance(mode, Naming):
        return len(mode.names)
    return len(mode.questions) + FIRST_OPTION if isinstance(mode, Options) else len(answers(mode))


def _onward(mode: Setting, names: tuple[str, ...], lang: Lang) -> Setting | Header:
    if isinstance(mode, Home):
        return count(mode.games[mode.cursor])
    if isinstance(mode, Count):
        return options(mode.game, named(mode.counts[mode.cursor], names, lang))
    if isinstance(mode, Options):
        return _from_options(mode)
    if isinstance(mode, Seats):
        is_done = mode.cursor == len(mode.options.players)
        return options(mode.options.game, mode.options.players) if is_done else name_seat(mode, names, lang)
    return seated(mode) if isinstance(mode, Naming) else answer(mode, answers(mode)[mode.cursor])


def _from_options(mode: Options) -> Setting | Header:
    if mode.cursor == 0:
        return Header(mode.game, mode.players, dict(mode.chosen))
    return Seats(mode) if mode.cursor == 1 else ask_option(mode)


def _backward(mode: Setting) -> Setting:
    if isinstance(mode, Options):
        return count(mode.game)
    if isinstance(mode, Seats):
        return mode.options
    if isinstance(mode, Naming):
        return mode.seats
    if isinstance(mode, Option):
        return mode.options if mode.form.before is None else Option(mode.options, mode.form.before)
    return home()


def moved(cursor: int, count: int, press: Press) -> int:
    """Move a cursor: up or down, around the ends; a long press goes to the first or the last."""
    if press.button not in ("up", "down") or not count:
        return cursor
    if press.long:
        return 0 if press.button == "up" else count - 1
    return (cursor + (1 if press.button == "down" else -1)) % count


def press_at(session: Session, mode: Setting, pressed: Press) -> list[Effect]:
    """Go on setting up, back to the game that is being played, or begin."""
    if isinstance(mode, Home) and pressed.button == "back" and session.game is not None:
        session.mode = Table()
        return []
    after = press(mode, pressed, session.names, session.lang)
    if not isinstance(after, Header):
        session.mode = after
        return []
    try:
        return session.begin(after)
    except RecordError as error:
        message = Speaker(shelf.game(after.game), session.lang).refusal(error.ruling)
        session.mode = Saying(message, None, again=mode, by_hand=mode)
        return []
