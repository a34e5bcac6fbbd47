"""Witch Race (마녀들의 경주): four clans of witches, 48 tiles, dice and magic cards; clauses WR-1 to WR-20."""

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

import msgspec

from engines.core import (
    Allowed,
    Expectation,
    Input,
    Json,
    Refused,
    Ruling,
    Seat,
    misfit,
    not_now,
    not_your_turn,
    refused,
    ruled,
    unknown_player,
    winners,
)

ClanName = Literal["storm", "cloud", "ice", "forest"]
Sign = Literal["sign"]
Face: TypeAlias = int | str
"""A tile's face or a card: a number 2-10, or "sign"."""

CLANS: tuple[ClanName, ...] = ("storm", "cloud", "ice", "forest")
PLAYERS = range(2, 5)
NUMBERS = range(2, 11)
SIGNS = 3
SECTION = 16
LAST_TILE = 48
LAST_SPACE = 51
POINTS = {49: 2, 50: 3, 51: 4}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header's options; what is left out follows the seats."""

    clans: dict[str, ClanName] | msgspec.UnsetType = msgspec.UNSET
    start_player: str | msgspec.UnsetType = msgspec.UNSET
    foreign_sign: Literal["nearest", "backward"] = "nearest"


class Roll(Input, frozen=True):
    """The die of the player on turn."""

    player: str
    die: Annotated[int, msgspec.Meta(ge=1, le=6)]


class Move(Input, frozen=True, rename={"source": "from"}):
    """Which witch moves: the space where it stands, 0 the start line."""

    player: str
    source: Annotated[int, msgspec.Meta(ge=0, le=LAST_TILE)]


class Tile(Input, frozen=True):
    """The face of the tile that was turned over."""

    clan: ClanName
    face: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, "sign"]


class Decide(Input, frozen=True):
    """The card that the clan's player uses, or null for none; for a neutral clan the card drawn."""

    clan: ClanName
    card: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, "sign"] | None


INPUTS: dict[str, type[Input]] = {"roll": Roll, "move": Move, "tile": Tile, "decide": Decide}


class Hand(msgspec.Struct, frozen=True):
    """The cards that a clan still has: numbers ascending, and how many signs."""

    numbers: tuple[int, ...] = tuple(NUMBERS)
    signs: int = SIGNS

    def holds(self, card: Face) -> bool:
        """Tell whether the card is still there."""
        return self.signs > 0 if card == "sign" else card in self.numbers

    def without(self, card: Face) -> "Hand":
        """Give the hand after a card was used."""
        if card == "sign":
            return Hand(self.numbers, self.signs - 1)
        return Hand(tuple(number for number in self.numbers if number != card), self.signs)


class Setup(msgspec.Struct, frozen=True):
    """What stays the same all game: ``clans`` by seat, ``seats`` by clan (None: neutral)."""

    players: tuple[str, ...]
    clans: tuple[ClanName, ...]
    backward_only: bool


class State(msgspec.Struct, frozen=True):
    """One moment of the game. ``tiles[space - 1]`` is a face-up tile or None; ``forced`` is WR-14's duty at ``at``."""

    setup: Setup
    turn: Seat
    phase: Literal["roll", "move", "tile", "decide", "over"]
    witches: tuple[tuple[int, ...], ...]
    """By seat: three spaces, ascending."""
    tiles: tuple[tuple[ClanName, Face] | None, ...] = (None,) * LAST_TILE
    hands: tuple[Hand, ...] = (Hand(),) * len(CLANS)
    die: int | None = None
    at: int | None = None
    deciding: ClanName | None = None
    forced: bool = False


Outcome: TypeAlias = Allowed[State] | Refused
Rulings: TypeAlias = tuple[Ruling, ...]


def start(players: tuple[str, ...], options: Options) -> State:
    """Seat the clans; everybody stands on the start line."""
    clans = CLANS[: len(players)]
    if options.clans is not msgspec.UNSET:
        chosen = options.clans
        if set(chosen) != set(players):
            misfit("clans", "option-every-player")
        if len(set(chosen.values())) != len(players):
            misfit("clans", "option-different")
        clans = tuple(chosen[name] for name in players)
    first = players[0] if options.start_player is msgspec.UNSET else options.start_player
    if first not in players:
        misfit("start_player", "option-player", player=first)
    setup = Setup(players, clans, options.foreign_sign == "backward")
    return State(setup, Seat(players.index(first)), "roll", ((0, 0, 0),) * len(players))


def opening(state: State) -> Rulings:
    """Say how the track is laid (WR-1)."""
    neutral = [clan for clan in CLANS if clan not in state.setup.clans]
    clans = dict(zip(state.setup.players, state.setup.clans, strict=True))
    return (ruled("WR-1", "lay-track", clans=clans, neutral=neutral, player=state.setup.players[state.turn]),)


# --- where witches may go ---------------------------------------------------------------------------------------------


def _occupied(state: State, space: int) -> bool:
    """WR-3: a tile holds one witch; the start line and the finish spaces hold any number."""
    return 1 <= space <= LAST_TILE and any(space in three for three in state.witches)


def _destination(state: State, source: int, die: int) -> int:
    """Where the die takes a witch: straight on (WR-4), from the start line to the n-th free tile (WR-5)."""
    if source:
        return source + die
    taken = {space for three in state.witches for space in three}
    free = (space for space in range(1, LAST_TILE + 1) if space not in taken)
    for _ in range(die - 1):
        next(free)
    return next(free)


def _obstacle(state: State, space: int) -> tuple[str, str] | None:
    """Tell the clause and kind that keep a witch from a space, or None."""
    if space > LAST_SPACE:
        return "WR-6", "beyond"
    if _occupied(state, space):
        return "WR-3", "occupied"
    return None


def _movable(state: State, die: int) -> bool:
    return any(
        source <= LAST_TILE and _obstacle(state, _destination(state, source, die)) is None
        for source in set(state.witches[state.turn])
    )


def _nearest_sign(state: State, clan: ClanName, spaces: Iterator[int] | range) -> int | None:
    tiles = state.tiles
    sign = (clan, "sign")
    for space in spaces:
        if tiles[space - 1] == sign and not _occupied(state, space):
            return space
    return None


def _forward_sign(state: State, clan: ClanName, at: int) -> int | None:
    """WR-10: the nearest face-up, free tile ahead with the clan's sign."""
    return _nearest_sign(state, clan, range(at + 1, LAST_TILE + 1))


def _either_sign(state: State, clan: ClanName, at: int) -> int | None:
    """WR-12: the nearest in either direction, the one behind if both are equally near; by option only behind."""
    behind = _nearest_sign(state, clan, range(at - 1, 0, -1))
    ahead = None if state.setup.backward_only else _forward_sign(state, clan, at)
    if behind is None or ahead is None:
        return ahead if behind is None else behind
    return behind if at - behind <= ahead - at else ahead


def _card_target(state: State, clan: ClanName, card: Face) -> int | None:
    """Where a card of ``clan`` takes the witch that is carried out, or None where it cannot be used."""
    at = _at(state)
    own = clan == state.setup.clans[state.turn]
    if card == "sign":
        return _forward_sign(state, clan, at) if own else _either_sign(state, clan, at)
    to = at + int(card) if own else at - int(card)
    return to if 1 <= to <= LAST_SPACE and not _occupied(state, to) else None


def _usable(state: State, clan: ClanName) -> bool:
    """WR-15: tell whether the clan has a card that can be used."""
    hand = state.hands[CLANS.index(clan)]
    if any(_card_target(state, clan, number) is not None for number in hand.numbers):
        return True
    return hand.signs > 0 and _card_target(state, clan, "sign") is not None


def _at(state: State) -> int:
    """Give the space of the witch that is carried out; only asked while there is one."""
    return state.at if state.at is not None else 0


# --- inputs -----------------------------------------------------------------------------------------------------------


def apply(state: State, data: Input) -> Outcome:
    """Carry out one input."""
    if type(data) is Roll:
        return _refuse_turn(state, "roll", data.player) or _roll(state, data.die)
    if type(data) is Move:
        return _refuse_turn(state, "move", data.player) or _move(state, data.source)
    if type(data) is Tile:
        return _tile(state, data.clan, data.face) if state.phase == "tile" else not_now("tile", state.phase)
    if type(data) is Decide:
        return _decide(state, data.clan, data.card) if state.phase == "decide" else not_now("decide", state.phase)
    raise TypeError(f"no input of this game: {data!r}")


def _refuse_turn(state: State, phase: str, player: str) -> Refused | None:
    players = state.setup.players
    if player not in players:
        return unknown_player(player)
    if state.phase != phase:
        return not_now(phase, state.phase)
    if players[state.turn] != player:
        return not_your_turn(player, players[state.turn])
    return None


def _roll(state: State, die: int) -> Outcome:
    """WR-2: roll; where no witch can move the turn is over without another roll."""
    player = state.setup.players[state.turn]
    rolled = ruled("WR-2", "rolled", player=player, die=die)
    if _movable(state, die):
        return Allowed(msgspec.structs.replace(state, phase="move", die=die), (rolled,))
    stuck = tuple(_why_not(state, source, die) for source in sorted(set(state.witches[state.turn])))
    return _next_turn(state, (rolled, *stuck, ruled("WR-2", "no-move", player=player, die=die)))


def _why_not(state: State, source: int, die: int) -> Ruling:
    if source > LAST_TILE:
        return ruled("WR-6", "home", at=source)
    to = _destination(state, source, die)
    clause, kind = _obstacle(state, to) or ("WR-3", "occupied")
    return ruled(clause, kind, **{"from": source, "to": to, "die": die})


def _move(state: State, source: int) -> Outcome:
    """WR-2 to WR-6: move one of one's own witches exactly as far as was rolled."""
    die = state.die or 0
    if source not in state.witches[state.turn]:
        return refused("WR-2", "no-witch", at=source, clan=state.setup.clans[state.turn])
    to = _destination(state, source, die)
    obstacle = _obstacle(state, to)
    if obstacle is not None:
        return refused(obstacle[0], obstacle[1], **{"from": source, "to": to, "die": die})
    return _arrive(state, source, to, (_moved(state, source, to, die),))


def _moved(state: State, source: int, to: int, die: int) -> Ruling:
    clan = state.setup.clans[state.turn]
    facts = {"clan": clan, "from": source, "to": to, "die": die}
    if source:
        passed = sum(source < space < to <= LAST_TILE for three in state.witches for space in three)
        return Ruling("WR-4" if passed else "WR-2", "moved-over" if passed else "moved", facts | {"passed": passed})
    skipped = sorted({space for three in state.witches for space in three if 0 < space < to})
    return Ruling("WR-5", "set-off-over" if skipped else "set-off", facts | {"skipped": skipped})


def _arrive(state: State, source: int, to: int, told: Rulings, *, forced: bool = False) -> Outcome:
    """Stand the witch on its new place, and carry out what lies there (WR-7)."""
    three = list(state.witches[state.turn])
    three[three.index(source)] = to
    three.sort()
    witches = (*state.witches[: state.turn], tuple(three), *state.witches[state.turn + 1 :])
    if to > LAST_TILE:
        return _finish(msgspec.structs.replace(state, witches=witches), to, told)
    here = msgspec.structs.replace(state, witches=witches, phase="tile", at=to, deciding=None, forced=forced)
    face_up = state.tiles[to - 1]
    if face_up is None:
        return Allowed(here, (*told, ruled("WR-7", "turn-over", at=to)))
    return _carry_out(here, face_up[0], face_up[1], told)


def _finish(state: State, to: int, told: Rulings) -> Outcome:
    """WR-6, WR-18, WR-19: a witch on a finish space is home; the third one ends the game."""
    clan = state.setup.clans[state.turn]
    home = ruled("WR-6", "home-now", clan=clan, at=to, points=POINTS[to])
    if state.witches[state.turn][0] <= LAST_TILE:
        return _next_turn(state, (*told, home))
    over = msgspec.structs.replace(state, phase="over", die=None, at=None, deciding=None, forced=False)
    scores = _scores(over)
    ends = ruled("WR-18", "third-home", clan=clan, player=state.setup.players[state.turn])
    sums = tuple(
        ruled("WR-19", "points", player=player, at=[space for space in three if space > LAST_TILE], sum=scores[player])
        for player, three in zip(state.setup.players, state.witches, strict=True)
    )
    best = winners(state.setup.players, scores)
    won = ruled("WR-19", "wins" if len(best) == 1 else "win-shared", winners=best, points=scores[best[0]])
    return Allowed(over, (*told, home, ends, *sums, won))


def _tile(state: State, clan: ClanName, face: Face) -> Outcome:
    """WR-7, WR-20: turn over the tile that the witch stands on."""
    at = _at(state)
    impossible = _impossible_tile(state, at, clan, face)
    if impossible is not None:
        return impossible
    tiles = (*state.tiles[: at - 1], (clan, face), *state.tiles[at:])
    turned = ruled("WR-7", "turned", at=at, clan=clan, face=face)
    return _carry_out(msgspec.structs.replace(state, tiles=tiles), clan, face, (turned,))


def _impossible_tile(state: State, at: int, clan: ClanName, face: Face) -> Refused | None:
    """WR-20: of a clan each number once and three signs; in a section four tiles, one sign, three numbers."""
    seen = [(space, tile[1]) for space, tile in enumerate(state.tiles, 1) if tile is not None and tile[0] == clan]
    section = (at - 1) // SECTION
    near = [(space, other) for space, other in seen if (space - 1) // SECTION == section]
    facts = {"clan": clan, "face": face, "at": at, "section": section + 1}
    if face == "sign":
        signs = [space for space, other in near if other == "sign"]
        # Three sections of one sign each: the clan's three signs need no check of their own.
        return refused("WR-20", "second-sign", **facts, other=signs[0]) if signs else None
    twin = [space for space, other in seen if other == face]
    if twin:
        return refused("WR-20", "twin-tile", **facts, other=twin[0])
    numbers = [space for space, other in near if other != "sign"]
    if len(numbers) == 3:
        return refused("WR-20", "fourth-number", **facts, others=numbers)
    return None


# --- what a tile does -------------------------------------------------------------------------------------------------


def _carry_out(state: State, clan: ClanName, face: Face, told: Rulings) -> Outcome:
    if face == "sign":
        return _sign(state, clan, told)
    at = _at(state)
    if clan != state.setup.clans[state.turn]:
        return _next_turn(state, (*told, ruled("WR-9", "foreign-number", at=at, clan=clan, face=face)))
    return _own_number(state, clan, int(face), told)


def _own_number(state: State, clan: ClanName, number: int, told: Rulings) -> Outcome:
    """WR-8: on by the number at once; where the place is occupied or beyond the end, the witch stays."""
    at = _at(state)
    to = at + number
    obstacle = _obstacle(state, to)
    facts = {"clan": clan, "from": at, "to": to, "face": number}
    if obstacle is not None:
        return _next_turn(state, (*told, Ruling("WR-8", f"stays-{obstacle[1]}", facts)))
    return _arrive(state, at, to, (*told, Ruling("WR-8", "on", facts)))


def _sign(state: State, clan: ClanName, told: Rulings) -> Outcome:
    """WR-10, WR-11, WR-14 to WR-16: who decides, if there is anything to decide."""
    at = _at(state)
    setup = state.setup
    if clan not in setup.clans:
        hand = state.hands[CLANS.index(clan)]
        if not hand.numbers and not hand.signs:
            return _next_turn(state, (*told, ruled("WR-16", "pile-empty", at=at, clan=clan)))
        asked = ruled("WR-16", "draw", at=at, clan=clan)
    else:
        player = setup.players[setup.clans.index(clan)]
        if not _usable(state, clan):
            return _next_turn(state, (*told, ruled("WR-15", "no-card", at=at, clan=clan, player=player)))
        own = clan == setup.clans[state.turn]
        clause = "WR-14" if state.forced else "WR-10" if own else "WR-11"
        kind = "must-use" if state.forced else "may-use" if own else "may-decide"
        asked = ruled(clause, kind, at=at, clan=clan, player=player)
    return Allowed(msgspec.structs.replace(state, phase="decide", deciding=clan), (*told, asked))


def _decide(state: State, clan: ClanName, card: Face | None) -> Outcome:
    """WR-10 to WR-16: a card is used, drawn, or not used."""
    if clan != state.deciding:
        return refused(None, "not-deciding", clan=clan, deciding=state.deciding)
    if clan not in state.setup.clans:
        return _draw(state, clan, card)
    own = clan == state.setup.clans[state.turn]
    at = _at(state)
    if card is None:
        if state.forced:
            return refused("WR-14", "must-use-refused", at=at, clan=clan)
        return _next_turn(state, (ruled("WR-10" if own else "WR-11", "left-alone", at=at, clan=clan),))
    spent = _spend(state, clan, card)
    if spent is None:
        return refused("WR-20", "card-gone", clan=clan, card=card)
    to = _card_target(state, clan, card)
    if to is None:
        clause = "WR-10" if own else "WR-12" if card == "sign" else "WR-11"
        return refused(clause, "card-unusable", at=at, clan=clan, card=card)
    return _use(spent, clan, card, to)


def _draw(state: State, clan: ClanName, card: Face | None) -> Outcome:
    """WR-16: a neutral clan's card is carried out if it can be; it is out either way."""
    if card is None:
        return refused("WR-16", "must-draw", clan=clan)
    spent = _spend(state, clan, card)
    if spent is None:
        return refused("WR-20", "card-gone", clan=clan, card=card)
    to = _card_target(state, clan, card)
    if to is None:
        return _next_turn(spent, (ruled("WR-16", "draw-ignored", at=_at(state), clan=clan, card=card),))
    return _use(spent, clan, card, to)


def _spend(state: State, clan: ClanName, card: Face) -> State | None:
    """WR-13: a used card is out; None where the clan has it no longer."""
    index = CLANS.index(clan)
    hand = state.hands[index]
    if not hand.holds(card):
        return None
    hands = (*state.hands[:index], hand.without(card), *state.hands[index + 1 :])
    return msgspec.structs.replace(state, hands=hands)


def _use(state: State, clan: ClanName, card: Face, to: int) -> Outcome:
    at = _at(state)
    own = clan == state.setup.clans[state.turn]
    facts = {"clan": clan, "card": card, "from": at, "to": to}
    clause = "WR-10" if own else "WR-12" if card == "sign" else "WR-11"
    told = (
        Ruling(clause, "card-sign" if card == "sign" else "card-number", facts),
        ruled("WR-13", "card-out", **facts),
    )
    return _arrive(state, at, to, told, forced=not own and card != "sign")


# --- turn's end and game's end ----------------------------------------------------------------------------------------


def _next_turn(state: State, told: Rulings) -> Outcome:
    """WR-17: the witch rests; the next player clockwise rolls."""
    turn = Seat((state.turn + 1) % len(state.setup.players))
    after = msgspec.structs.replace(state, turn=turn, phase="roll", die=None, at=None, deciding=None, forced=False)
    return Allowed(after, (*told, ruled("WR-17", "next", player=state.setup.players[turn])))


def _scores(state: State) -> dict[str, int]:
    return {
        player: sum(POINTS.get(space, 0) for space in three)
        for player, three in zip(state.setup.players, state.witches, strict=True)
    }


def expects(state: State) -> tuple[Expectation, ...]:
    """List what may come next: one input at a time in this game."""
    if state.phase == "over":
        return ()
    if state.phase == "tile":
        return (Expectation("tile"),)
    if state.phase == "decide":
        return (Expectation("decide", "clan", state.deciding),)
    return (Expectation(state.phase, "player", state.setup.players[state.turn]),)


def view(state: State) -> dict[str, Json]:
    """Show the state as the page lays it down."""
    setup = state.setup
    return {
        "phase": state.phase,
        "turn": setup.players[state.turn],
        "die": state.die,
        "witches": {clan: list(three) for clan, three in zip(setup.clans, state.witches, strict=True)},
        "tiles": {str(space): list(tile) for space, tile in enumerate(state.tiles, 1) if tile is not None},
        "cards": {
            clan: {"numbers": list(hand.numbers), "signs": hand.signs}
            for clan, hand in zip(CLANS, state.hands, strict=True)
        },
        "deciding": state.deciding,
        "at": state.at,
    }


def result(state: State) -> dict[str, Json] | None:
    """WR-19: points of the witches on the finish board."""
    if state.phase != "over":
        return None
    scores = _scores(state)
    return {"scores": scores, "winners": winners(state.setup.players, scores)}
