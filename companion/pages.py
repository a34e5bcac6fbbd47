"""What the OLED shows, as values: a page is words, not pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from companion import amend, entry, setup
from companion.entry import DONE
from companion.letters import LEFT, RIGHT, width
from companion.modes import (
    Amending,
    Asking,
    Choosing,
    Count,
    Cut,
    Entering,
    Home,
    Log,
    Menu,
    Mode,
    Notice,
    Option,
    Options,
    Reading,
    Saying,
    Still,
    Table,
    TakeBack,
    Why,
)
from companion.reads import reads
from companion.text import Lang, Speaker, say
from companion.wording import answer_text, called, told
from engines import shelf
from engines.core import Expectation, Json, Ruling

if TYPE_CHECKING:
    from companion.session import Session

HEAD_ROOM = RIGHT - LEFT - 10
"""Width in px of a first line beside one sign; a player's name is cut to fit it, the sentence never."""


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
    """Small signs in the head: ``unsaved``, ``no-camera``."""
    top: int = 0
    """The first body line that shows."""
    chosen: int | None = None
    """The body entry under the cursor, where one can be chosen; it is drawn inverted and kept in view."""
    asks: str | None = None
    """The field of an input that is asked for, on a page to enter it."""
    candidates: tuple[str, ...] = ()
    """The names that a question offers, as the reader knows them: UP takes the first, DOWN the second."""
    picture: Cut | None = field(default=None, repr=False)
    """What was seen, at the left of the body."""


def hello(lang: Lang) -> Page:
    """Show that the companion lives, before anything else is ready."""
    return Page("hello", say("pages.hello", lang), (say("pages.starting", lang),), "")


def goodbye(session: Session) -> Page:
    """Say goodbye; the game is kept, or why not."""
    return Page("goodbye", say("pages.hello", session.lang), (session.unsaved or say("pages.kept", session.lang),), "")


def page(session: Session) -> Page:
    """Show where a session stands."""
    makers: dict[type[Mode], Callable[[Session, Any], Page]] = {
        Home: _home,
        Count: _count,
        Options: _options,
        Option: _option,
        Still: _still,
        Table: _table,
        Reading: _reading,
        Asking: _asking,
        Choosing: _choosing,
        Entering: _entering,
        Amending: _amending,
        Saying: _saying,
        Why: _why,
        Log: _log,
        TakeBack: _take_back,
        Notice: _notice,
        Menu: _menu,
    }
    made = makers[type(session.mode)](session, session.mode)
    if session.unsaved:
        body = made.body if made.chosen is not None else (*made.body, session.unsaved)
        made = replace(made, signs=(*made.signs, "unsaved"), body=body)
    return made


# --- setting up -------------------------------------------------------------------------------------------------------


def _home(session: Session, mode: Home) -> Page:
    titles = tuple(Speaker(shelf.game(name), session.lang).title for name in mode.games)
    return Page("home", say("pages.home", session.lang), titles, say("foots.home", session.lang), chosen=mode.cursor)


def _count(session: Session, mode: Count) -> Page:
    counts = tuple(str(number) for number in mode.counts)
    return Page("setup", say("pages.count", session.lang), counts, _choose(session), chosen=mode.cursor)


def _options(session: Session, mode: Options) -> Page:
    speaker = Speaker(shelf.game(mode.game), session.lang)
    chosen = dict(mode.chosen)
    rows = [say("pages.begin", session.lang)]
    for name, _ in mode.questions:
        default = "?" if name in setup.required(mode.game) else say("pages.default", session.lang)
        value = answer_text(speaker, chosen[name], session.lang) if name in chosen else default
        rows.append(say("pages.option", session.lang, name=speaker.option(name), value=value))
    return Page("setup", speaker.title, tuple(rows), _choose(session), chosen=mode.cursor)


def _option(session: Session, mode: Option) -> Page:
    speaker = Speaker(shelf.game(mode.options.game), session.lang)
    question = mode.form.questions[0]
    head = question.key or speaker.option(question.field)
    rows = tuple(answer_text(speaker, one, session.lang) for one in setup.answers(mode))
    return Page("setup", head, rows, _choose(session), chosen=mode.cursor)


def _choose(session: Session) -> str:
    return say("foots.choose", session.lang)


# --- the game ---------------------------------------------------------------------------------------------------------


def _prompt(session: Session, wanted: tuple[Expectation, ...]) -> str:
    if len(wanted) != 1:
        return say("pages.next" if wanted else "pages.over", session.lang)
    facts = session.table.game.rules.view(session.table.state)
    role, who = wanted[0].role, wanted[0].who
    if role is None or who is None:
        return session.speaker.prompt(wanted[0].input, facts)
    names = (who, *(f"{who[:letters]}…" for letters in range(len(who) - 1, 0, -1)))
    prompts = [session.speaker.prompt(wanted[0].input, {**facts, role: name}) for name in names]
    return next((text for text in prompts if width(text) <= HEAD_ROOM), prompts[-1])


def _last(session: Session) -> tuple[Ruling, ...]:
    """Give the rulings that stand on the table page: the last input's, or how the game is laid out."""
    game = session.table
    return game.steps[-1].rulings if game.steps else game.game.rules.opening(game.state)


def _clauses(rulings: tuple[Ruling, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.rule for one in rulings if one.rule))


def _shorts(session: Session, rulings: tuple[Ruling, ...]) -> tuple[str, ...]:
    return tuple(line for one in rulings if (line := session.speaker.short(one)) is not None)


def _table(session: Session, mode: Table) -> Page:
    wanted = session.wanted()
    rulings = _last(session)
    foot = "again" if not wanted else "read" if any(session.can_read(one) for one in wanted) else "enter"
    lines = _shorts(session, rulings)
    if not wanted:
        lines = (*lines[-1:], *lines[:-1])  # who won stands first, the last move right below it
    if session.is_many:
        lines = (*lines, _seen(session))
    return Page(
        "table",
        _prompt(session, wanted),
        lines,
        say(f"foots.{foot}", session.lang),
        _clauses(rulings),
        top=mode.top,
        picture=session.cut,
    )


def _still(session: Session, mode: Still) -> Page:
    rulings = _last(session)
    head, foot = say("pages.still", session.lang), say("foots.still", session.lang)
    return Page("still", head, _shorts(session, rulings), foot, _clauses(rulings), top=mode.top)


def _notice(session: Session, mode: Notice) -> Page:
    head, foot = say("pages.notice", session.lang), say("foots.notice", session.lang)
    return Page("notice", head, (mode.message,), foot, top=mode.top)


def _reading(session: Session, _mode: Reading) -> Page:
    head, body = say("pages.reading", session.lang), say("pages.hold-still", session.lang)
    return Page("reading", head, (body,), say("foots.reading", session.lang))


def _seen(session: Session) -> str:
    """Say which pieces the last ruling rests on."""
    step = session.table.steps[-1]
    read = reads(session.table.game)[step.input]
    return say("pages.seen", session.lang, seen=told(session.speaker, read, msgspec.to_builtins(step.data)))


def _asking(session: Session, mode: Asking) -> Page:
    read = reads(session.table.game)[mode.wanted.input]
    names = mode.ask.names
    words = [called(session.speaker, read, name) for name in names]
    if mode.ask.choice != "name":
        return _which(session, mode, words)
    made = _is_it(session, words)
    place = say("pages.piece", session.lang, number=mode.ask.number, count=mode.ask.count)
    body = (place, *made.body) if mode.ask.count > 1 else made.body
    head = _prompt(session, (mode.wanted,))
    return replace(made, head=head, body=body, candidates=names, picture=mode.evidence.cut)


def _is_it(session: Session, words: list[str]) -> Page:
    key = "" if len(words) > 1 else "-one"
    facts = dict(zip(("first", "second"), words, strict=False))
    body = say(f"pages.is-it{key}", session.lang, **facts)
    return Page("question", "", (body,), say(f"foots.question{key}", session.lang, **facts))


def _which(session: Session, mode: Asking, words: list[str]) -> Page:
    """Offer a list: what a piece stands for, with its cut-out, or which of several came first."""
    ask = mode.ask
    is_first = ask.choice == "first"
    key = "first" if is_first else "piece" if ask.count > 1 else "which"
    head = say(f"pages.{key}", session.lang, number=ask.number, count=ask.count)
    picture = None if is_first else mode.evidence.cut
    made = Page("which", head, tuple(words), _choose(session), candidates=ask.names, picture=picture)
    return replace(made, chosen=mode.cursor)


def _choosing(session: Session, mode: Choosing) -> Page:
    rows = tuple(_prompt(session, (one,)) for one in mode.wanted)
    return Page("choose", say("pages.next", session.lang), rows, _choose(session), chosen=mode.cursor)


def _entering(session: Session, mode: Entering) -> Page:
    question = mode.form.questions[0]
    answers = entry.possible(session.table, mode.form)
    rows = tuple(answer_text(session.speaker, one, session.lang) for one in answers)
    role = session.table.game.rules.INPUTS[mode.form.input]
    wanted = next((one for one in session.wanted() if one.input == mode.form.input), Expectation(role.__name__))
    said = [answer_text(session.speaker, one, session.lang) for one in mode.form.picked]
    head = " ".join(
        [_prompt(session, (wanted,)), *([session.speaker.word(question.key)] if question.key else []), *said]
    )
    return Page(
        "enter", head, rows, _choose(session), chosen=min(mode.cursor, max(0, len(rows) - 1)), asks=question.field
    )


def _amending(session: Session, mode: Amending) -> Page:
    rows = tuple(_amending_row(session, mode, row) for row in amend.rows(session.table, mode))
    return Page("amend", _prompt(session, (mode.wanted,)), rows, _choose(session), chosen=mode.cursor)


def _amending_row(session: Session, mode: Amending, row: Json) -> str:
    if row == amend.MORE:
        return say("pages.more", session.lang)
    if mode.changing is not None or row == DONE:
        return say("pages.take-away", session.lang) if row is None else answer_text(session.speaker, row, session.lang)
    (key, name), number = row
    piece = f"{answer_text(session.speaker, name, session.lang)} {number}"
    return f"{key}: {piece}" if key else piece


def _saying(session: Session, mode: Saying) -> Page:
    clauses = (mode.rule,) if mode.rule else ()
    head, foot = say("pages.trouble", session.lang), say("foots.trouble", session.lang)
    return Page("refusal" if mode.rule else "trouble", head, (mode.message,), foot, clauses, top=mode.top)


def _why(session: Session, mode: Why) -> Page:
    rows: list[str] = []
    rulings = _last(session)
    for one in rulings:
        rows.append(session.speaker.long(one))
        if one.rule:
            rows.append(f"{one.rule}: {session.speaker.clause(one.rule)}")
    head, foot = say("pages.why", session.lang), say("foots.back", session.lang)
    return Page("why", head, tuple(rows), foot, _clauses(rulings), top=mode.top)


def _log(session: Session, mode: Log) -> Page:
    rows = [line for step in reversed(session.table.steps) for line in _shorts(session, step.rulings)]
    head, foot = say("pages.log", session.lang), say("foots.back", session.lang)
    return Page("log", head, tuple(rows) or (say("pages.empty-log", session.lang),), foot, top=mode.top)


def _menu(session: Session, mode: Menu) -> Page:
    rows = tuple(say(f"menu.{name}", session.lang) for name in session.menu)
    return Page("menu", say("pages.menu", session.lang), rows, _choose(session), chosen=mode.cursor)


def _take_back(session: Session, mode: TakeBack) -> Page:
    head, foot = say("pages.take-back", session.lang), say("foots.take-back", session.lang)
    rulings = _last(session)
    return Page("take-back", head, _shorts(session, rulings), foot, _clauses(rulings), top=mode.top)
