"""By hand: any input of any game, chosen with four buttons.

The questions come from the types of the engine's inputs, the answers that are offered from the engine itself: what
the rules would refuse is not offered where that can be told, so the cursor walks over possible answers only.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

import msgspec
from msgspec import inspect

from engines.core import Allowed, Expectation, Json
from engines.record import Replay

TRIALS = 600
"""Inputs tried to find which answers are possible; beyond it all are offered and the engine judges the last one."""
DONE = "\0done"
"""The answer that ends a list."""
MANY = 99
"""Pieces counted one by one, at most."""
LONG = 40
"""Answers beyond which a name such as ``rank:4,6:~2`` is chosen part by part."""


@dataclass(frozen=True)
class Question:
    """One thing to choose: a field, or the value behind one ``key`` of a field that is an object."""

    field: str
    key: str | None
    answers: tuple[Json, ...]
    least: int = 1
    most: int = 1
    form: Literal["one", "parts", "list", "counts"] = "one"


@dataclass(frozen=True)
class Form:
    """An input on its way: what is known, and the questions that are still open, the first one being asked."""

    input: str
    given: tuple[tuple[str, Json], ...]
    questions: tuple[Question, ...]
    picked: tuple[Json, ...] = ()
    """What has been picked so far for the first open question, where it takes several."""
    before: "Form | None" = None
    """The form before the last answer, to go back to."""

    def fields(self) -> dict[str, Json]:
        """Give the fields that are known."""
        return {key: value for key, value in self.given if value is not msgspec.UNSET}


def form(game: Replay, wanted: Expectation, read: dict[str, Json] | None = None) -> Form:
    """Begin an input that is expected: who gives it is known, and what was ``read``; the rest is asked."""
    given = {**({wanted.field: wanted.who} if wanted.field else {}), **(read or {})}
    asked = questions(game.game.rules.INPUTS[wanted.input], game.header.players, wanted.who)
    return Form(wanted.input, tuple(given.items()), tuple(one for one in asked if one.field not in given))


def questions(
    kind: type[msgspec.Struct], players: tuple[str, ...] = (), who: str | None = None
) -> tuple[Question, ...]:
    """Give the questions of an input or of a game's options; where there is a default, it is the first answer."""
    return tuple(question for field in _fields(kind) for question in _questions(field, field.type, players, who))


def _fields(kind: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    if not isinstance(info, inspect.StructType):
        raise TypeError(f"{kind} is no struct")
    return info.fields


def _questions(
    field: inspect.Field, kind: inspect.Type, players: tuple[str, ...], who: str | None
) -> Iterator[Question]:
    name = field.encode_name
    inner = kind.type if isinstance(kind, inspect.Metadata) else kind
    if isinstance(inner, inspect.ListType | inspect.VarTupleType):
        least = inner.min_length or 0
        yield Question(name, None, _answers(inner.item_type, players), least, inner.max_length or 12, "list")
    elif isinstance(inner, inspect.TupleType):
        answers = _answers(inner.item_types[0], players)
        yield Question(name, None, answers, len(inner.item_types), len(inner.item_types), "list")
    elif isinstance(inner, inspect.DictType):
        yield from _object(field, inner, players, who)
    elif isinstance(inner, inspect.StructType):
        if all(isinstance(part.type, inspect.IntType) and not part.required for part in inner.fields):
            yield Question(name, None, tuple(part.encode_name for part in inner.fields), 0, MANY, "counts")
            return
        for part in inner.fields:
            yield from _keyed(name, part.encode_name, part, part.type, players)
    else:
        answers = _answers(inner, players)
        if field.required and len(answers) > LONG and all(isinstance(one, str) for one in answers):
            yield Question(name, None, answers, form="parts")
        else:
            yield Question(name, None, answers if field.required else (msgspec.UNSET, *answers))


def _object(
    field: inspect.Field, kind: inspect.DictType, players: tuple[str, ...], who: str | None
) -> Iterator[Question]:
    """Ask an object key by key: each player but the one who answers, or counts of named things."""
    name = field.encode_name
    if isinstance(kind.key_type, inspect.StrType):
        for key in players:
            if key != who:
                yield from _keyed(name, key, field, kind.value_type, players)
    else:
        yield Question(name, None, _answers(kind.key_type, players), 0, MANY, "counts")


def _keyed(
    name: str, key: str, field: inspect.Field, kind: inspect.Type, players: tuple[str, ...]
) -> Iterator[Question]:
    """Ask what stands behind one key of an object."""
    for one in _questions(field, kind, players, None):
        answers = tuple(value for value in one.answers if value is not msgspec.UNSET)
        yield replace(one, field=name, key=key, answers=answers)


def _answers(kind: inspect.Type, players: tuple[str, ...]) -> tuple[Json, ...]:
    """List every value of a simple type; text is a player's name."""
    if isinstance(kind, inspect.Metadata):
        return _answers(kind.type, players)
    if isinstance(kind, inspect.LiteralType):
        return kind.values
    if isinstance(kind, inspect.IntType) and kind.ge is not None and kind.le is not None:
        return tuple(range(kind.ge, kind.le + 1))
    if isinstance(kind, inspect.UnionType):
        return tuple(value for one in kind.types for value in _answers(one, players))
    if isinstance(kind, inspect.NoneType):
        return (None,)
    if isinstance(kind, inspect.BoolType):
        return (False, True)
    if isinstance(kind, inspect.StrType):
        return players
    if isinstance(kind, inspect.RawType | inspect.AnyType):
        return ()
    raise TypeError(f"no buttons for {kind}")


def trial(game: Replay, name: str, fields: dict[str, Json]) -> Any:  # noqa: ANN401 - the engine's outcome
    """Let the engine judge an input without carrying it out: Allowed or Refused, or None for a wrong shape."""
    rules = game.game.rules
    try:
        data = msgspec.convert(fields, rules.INPUTS[name])
    except msgspec.ValidationError:
        return None
    return rules.apply(game.state, data)


def possible(game: Replay, form: Form) -> tuple[Json, ...]:
    """List the answers to the first open question that lead to an input the rules allow, as far as can be told."""
    question = form.questions[0]
    if question.form == "parts":
        return _next_parts(question.answers, form.picked)
    if question.form != "one":
        offered = several(question, form.picked)
        return tuple(one for one in offered if not _is_refused(game, answer(form, one))) or offered
    later = form.questions[1:]
    ways = math.prod(len(one.answers) for one in form.questions)
    if ways > TRIALS or any(one.form != "one" for one in later):
        return question.answers
    # Where nothing is left, something earlier can't be: all is offered, and the engine's refusal says what.
    return tuple(one for one in question.answers if _leads_on(game, form, one, later)) or question.answers


def _next_parts(names: tuple[Json, ...], picked: tuple[Json, ...]) -> tuple[Json, ...]:
    """List what may follow the parts of a name that are picked: of ``rank:5:+1`` first ``rank``, then ``5``."""
    depth = len(picked)
    parts = (name.split(":") for name in names)
    return tuple(dict.fromkeys(one[depth] for one in parts if len(one) > depth and tuple(one[:depth]) == picked))


def several(question: Question, picked: tuple[Json, ...]) -> tuple[Json, ...]:
    """List what may be added to several answers. A list as long as its answers are is an order of them all."""
    rest = question.answers if len(picked) < question.most else ()
    if question.form == "list" and question.least == len(question.answers):
        rest = tuple(one for one in rest if one not in picked)
    return (*rest, DONE) if len(picked) >= question.least else rest


def _is_refused(game: Replay, form: Form) -> bool:
    """Tell whether a form that asks no more would be refused; one that still asks is not judged."""
    return not form.questions and not isinstance(trial(game, form.input, form.fields()), Allowed)


def _leads_on(game: Replay, form: Form, answer: Json, later: tuple[Question, ...]) -> bool:
    first = _with(form.given, form.questions[0], answer)
    for rest in product(*(one.answers for one in later)):
        given = first
        for question, value in zip(later, rest, strict=True):
            given = _with(given, question, value)
        fields = Form(form.input, given, ()).fields()
        if isinstance(trial(game, form.input, fields), Allowed):
            return True
    return False


def answer(form: Form, value: Json) -> Form:
    """Answer the first open question; a list takes answers until DONE or until it is full."""
    question = form.questions[0]
    if question.form == "one":
        return _close(form, value)
    picked = form.picked if value == DONE else (*form.picked, value)
    if question.form == "parts":
        name = ":".join(picked)
        return _close(form, name) if name in question.answers else replace(form, picked=picked, before=form)
    if value != DONE and len(picked) < question.most:
        return replace(form, picked=picked, before=form)
    if question.form == "list":
        return _close(form, list(picked))
    return _close(form, {one: picked.count(one) for one in dict.fromkeys(picked)})


def settled(game: Replay, form: Form) -> Form:
    """Answer by itself what can only be left out: nobody is asked for a direction that the card does not take."""
    while form.questions and possible(game, form) == (msgspec.UNSET,):
        form = replace(_close(form, msgspec.UNSET), before=form.before)
    return form


def _close(form: Form, value: Json) -> Form:
    given = _with(form.given, form.questions[0], value)
    return Form(form.input, given, form.questions[1:], before=form)


def _with(given: tuple[tuple[str, Json], ...], question: Question, value: Json) -> tuple[tuple[str, Json], ...]:
    known = dict(given)
    if question.key is None:
        known[question.field] = value
    else:
        known[question.field] = {**known.get(question.field, {}), question.key: value}
    return tuple(known.items())
