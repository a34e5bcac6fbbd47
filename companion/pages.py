"""What the OLED shows, as values: a page is words, not pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from companion import amend, entry, history, menu, setup
from companion.draw import BODY_LINES, body_lines, fits, last_top
from companion.entry import DONE
from companion.history import clauses, last, shorts
from companion.letters import LEFT, RIGHT, width
from companion.modes import (
    About,
    Amending,
    Asking,
    Choosing,
    Count,
    Entering,
    Examining,
    Home,
    Log,
    Menu,
    Mode,
    Naming,
    Notice,
    Option,
    Options,
    Overview,
    Past,
    PowerOff,
    Reading,
    Saying,
    Seats,
    Standings,
    Still,
    Table,
    TakeBack,
    Why,
)
from companion.page import Page
from companion.reads import reads
from companion.text import Lang, Speaker, say
from companion.wording import answer_text, called, told
from engines import shelf
from engines.core import Expectation, Json

if TYPE_CHECKING:
    from companion.session import Session

__all__ = ["Page", "answer_text", "goodbye", "hello", "page"]

HEAD_ROOM = RIGHT - LEFT - 10
"""Width in px of a first line beside one sign; a player's name is cut to fit it, the sentence never."""


def hello(lang: Lang) -> Page:
    """Show that the companion lives, before anything else is ready."""
    return Page("hello", say("pages.hello", lang), (say("pages.starting", lang),), "")


def goodbye(session: Session) -> Page:
    """Say goodbye; the game is kept, or why not."""
    return Page("goodbye", say("pages.hello", session.lang), (session.unsaved or say("told.kept", session.lang),), "")


def page(session: Session) -> Page:
    """Show where a session stands."""
    makers: dict[type[Mode], Callable[[Session, Any], Page]] = {
        Home: _home,
        Count: _count,
        Options: _options,
        Seats: _seats,
        Naming: _naming,
        Option: _option,
        Still: _still,
        Table: _table,
        Reading: _reading,
        Asking: _asking,
        Choosing: _choosing,
        Entering: _entering,
        Amending: _amending,
        Saying: _saying,
        Why: history.why,
        Overview: history.overview,
        Log: history.log,
        Past: history.past,
        TakeBack: history.take_back,
        Standings: history.standings,
        Notice: _notice,
        Menu: menu.page,
        About: menu.about,
        Examining: menu.examining,
        PowerOff: menu.power_off,
    }
    made = makers[type(session.mode)](session, session.mode)
    if session.camera in ("asleep", "lost"):
        made = replace(made, signs=(*made.signs, f"camera-{session.camera}"))
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
    rows = [say("pages.begin", session.lang), say("told.who", session.lang, names=list(mode.players))]
    for name, _ in mode.questions:
        default = "?" if name in setup.required(mode.game) else say("pages.default", session.lang)
        value = answer_text(speaker, chosen[name], session.lang) if name in chosen else default
        rows.append(say("pages.option", session.lang, name=speaker.option(name), value=value))
    return Page("setup", speaker.title, tuple(rows), _choose(session), chosen=mode.cursor)


def _seats(session: Session, mode: Seats) -> Page:
    rows = tuple(
        say("told.seat", session.lang, number=seat, name=name) for seat, name in enumerate(mode.options.players, 1)
    )
    head, foot = say("pages.seats", session.lang), say("foots.choose", session.lang)
    return Page("seats", head, (*rows, say("pages.done", session.lang)), foot, chosen=mode.cursor)


def _naming(session: Session, mode: Naming) -> Page:
    head = say("pages.naming", session.lang, number=mode.seats.cursor + 1)
    return Page("naming", head, mode.names, _choose(session), chosen=mode.cursor)


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


def _table(session: Session, mode: Table) -> Page:
    wanted = session.wanted()
    rulings = last(session)
    lines = shorts(session, rulings)
    if not wanted:
        lines = (*lines[-1:], *lines[:-1])  # who won stands first, the last move right below it
    if session.is_many:
        lines = (*lines, _seen(session))
    shown = Page("table", _prompt(session, wanted), lines, "", clauses(rulings), top=mode.top, picture=session.cut)
    return replace(shown, foot=_table_foot(session, mode, shown))


def _table_foot(session: Session, mode: Table, shown: Page) -> str:
    """Say what each button does here: the arrows scroll as long as there is something to scroll to."""
    wanted = session.wanted()
    keys = [
        "again" if not wanted else "read" if any(session.can_read(one) for one in wanted) else "enter",
        "up" if mode.top else "log",
        "more" if mode.top < last_top(shown) else "standings",
        *(["fix"] if session.table.steps else []),
    ]
    return " ".join(say(f"keys.{key}", session.lang) for key in keys)


def _still(session: Session, mode: Still) -> Page:
    rulings = last(session)
    head, foot = say("pages.still", session.lang), say("foots.still", session.lang)
    stands = session.speaker.standings(session.table.game.rules.view(session.table.state))
    return Page("still", head, (*shorts(session, rulings), *stands), foot, clauses(rulings), top=mode.top)


def _notice(session: Session, mode: Notice) -> Page:
    head, foot = say("pages.notice", session.lang), say("foots.notice", session.lang)
    return Page("notice", head, (mode.message,), foot, top=mode.top)


def _reading(session: Session, _mode: Reading) -> Page:
    head, body = say("pages.reading", session.lang), say("told.hold-still", session.lang)
    return Page("reading", head, (body,), say("foots.reading", session.lang))


def _seen(session: Session) -> str:
    """Say which pieces the last ruling rests on."""
    step = session.table.steps[-1]
    read = reads(session.table.game)[step.input]
    return say("told.seen", session.lang, seen=told(session.speaker, read, msgspec.to_builtins(step.data)))


def _asking(session: Session, mode: Asking) -> Page:
    read = reads(session.table.game)[mode.wanted.input]
    names = mode.ask.names
    words = [called(session.speaker, read, name) for name in names]
    if mode.ask.choice != "name":
        return _which(session, mode, words)
    place = (
        (say("pages.piece", session.lang, number=mode.ask.number, count=mode.ask.count),) if mode.ask.count > 1 else ()
    )
    made = _is_it(session, words, place, _prompt(session, (mode.wanted,)))
    shown = replace(made, candidates=names, picture=mode.evidence.cut)
    return shown if len(body_lines(shown)) <= BODY_LINES else replace(shown, picture=None)


def _is_it(session: Session, words: list[str], place: tuple[str, ...], prompt: str) -> Page:
    """Ask for one piece: its candidates stand beside their buttons, in the body where the last line is too short."""
    key = "" if len(words) > 1 else "-one"
    facts = dict(zip(("first", "second"), words, strict=False))
    body = say(f"pages.is-it{key}", session.lang, **facts)
    made = Page("question", prompt, (*place, body), say(f"foots.question{key}", session.lang, **facts))
    if fits(made):
        return made
    rows = tuple(f"{button} {word}" for button, word in zip("▲▼", words, strict=False))
    return Page("question", "".join(place) or prompt, rows, say("foots.question-long", session.lang))


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
