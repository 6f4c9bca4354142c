"""A match as one seat, or a spectator, sees it: all that the page shows, as data.

``State.of`` makes what everybody sees of a session, ``seen_by`` adds what one viewer
does. The page is JavaScript and knows no rules: words, line and keys come from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ninefold.game import Game, Outcome, Seat
from ninefold.match import Length
from ninefold.players import HUMAN
from ninefold.rules import Rules
from ninefold.session import PLAIN_ASKS, Event, Lessons, PlainAsk, Session
from ninefold.text import shorten, write_product
from ninefold.views.number_line import LineView, Scale, number_line
from ninefold.views.words import say_events, say_slipped

Viewer: TypeAlias = Seat | None
"""A seat that looks, or a spectator."""


class SeatView(Struct, frozen=True):
    """Who sits in a seat."""

    name: str
    kind: str
    """``human`` or a level."""
    taken: bool


class KeyView(Struct, frozen=True):
    """A multiplier, and what it would make."""

    multiplier: int
    makes: str | None
    """Shortened where it is long; None in mental arithmetic."""
    place: float | None
    """Where its hop would land on the line; past 1 where that lies beyond the line.

    None in mental arithmetic: the product could be read off.
    """
    ends: Literal["wins", "loses"] | None
    """Whether the move would end the game, and how for the one who makes it.

    None in mental arithmetic too.
    """


class State(Struct, frozen=True, kw_only=True):
    """A match as one seat, or a spectator, sees it."""

    id: str
    seq: int
    """The number of the last command in the match's log; it never restarts."""
    game: str
    title: str
    aim: str
    """The aim of the game in one line."""
    rules: Rules
    length: Length
    match_number: int
    number: int
    """Which game of the match this is."""
    first: Seat
    moves: tuple[int, ...]
    total: int
    product: str | None
    """The last move in full, such as ``5 × 3 = 15``."""
    to_move: Seat | None
    outcome: Outcome | None
    score: tuple[int, int]
    match_over: bool
    match_winner: Seat | None
    seats: tuple[SeatView, SeatView]
    lessons: Lessons
    may_take_back: bool
    """Whether the rule book allows taking back."""
    takeback: Seat | None
    """The seat that asks for a move back."""
    rematch: Seat | None
    """The seat that asks for a rematch."""
    your_seat: Seat | None
    """The seat that the viewer plays; where both play at one place, the one to move."""
    is_shared: bool
    """Whether both play at one place, and read the same screen."""
    may: tuple[PlainAsk, ...]
    """What this seat may ask for now, beside a move."""
    said: str
    """The last step in words."""
    coach: str | None
    """The coach's word, for the seat to move alone."""
    line: LineView
    keys: tuple[KeyView, ...]

    @classmethod
    def of(cls, match_id: str, session: Session) -> Self:
        """Return what everybody sees of a match, without words."""
        game, match, setup = session.game, session.match, session.setup
        one, two = match.score.values()
        return cls(
            id=match_id,
            seq=session.revision,
            game=setup.book,
            title=session.book.title,
            aim=session.book.describe(setup.rules),
            rules=setup.rules,
            length=setup.length,
            match_number=session.match_number,
            number=session.number,
            first=game.first,
            moves=game.moves,
            total=game.total,
            product=_product(game),
            to_move=session.to_move,
            outcome=game.outcome,
            score=(one, two),
            match_over=match.over,
            match_winner=match.winner,
            seats=(_seat(session, Seat.ONE), _seat(session, Seat.TWO)),
            lessons=setup.lessons,
            may_take_back=session.book.take_back,
            takeback=session.take_back_asked,
            rematch=session.rematch_asked,
            your_seat=None,
            is_shared=session.is_shared,
            may=(),
            said="",
            coach=None,
            line=LineView.of(number_line(setup.rules, game=game)),
            keys=tuple(_keys(session)) if session.to_move is not None else (),
        )

    def seen_by(
        self,
        viewer: Viewer,
        session: Session,
        events: Sequence[Event],
        *,
        opportunity: bool = False,
    ) -> Self:
        """Return what one viewer sees after a command, with the words for its events.

        ``opportunity`` says whether the last move gave the win to the seat to move.
        """
        seat = None if viewer is None else session.acting(viewer)
        reader = None if session.is_shared else viewer
        may: tuple[PlainAsk, ...] = ()
        if seat is not None:
            may = tuple(ask for ask in PLAIN_ASKS if session.may(seat, ask))
        is_coached = seat is not None and seat is session.to_move and opportunity
        return replace(
            self,
            your_seat=seat,
            may=may,
            said=say_events(session, events, reader),
            coach=say_slipped(session, reader) if is_coached else None,
        )


def _seat(session: Session, seat: Seat) -> SeatView:
    setup = session.setup
    return SeatView(
        name=setup.name(seat),
        kind=setup.level(seat) or HUMAN,
        taken=seat not in session.empty_seats,
    )


def _product(game: Game) -> str | None:
    if not game.moves:
        return None
    last = game.moves[-1]
    return write_product(game.total // last, last)


def _keys(session: Session) -> Iterator[KeyView]:
    rules, game = session.setup.rules, session.game
    if session.setup.lessons.mental:
        for multiplier in rules.multipliers:
            yield KeyView(multiplier, makes=None, place=None, ends=None)
        return
    scale = Scale(rules.start, max(rules.target, game.total))
    for multiplier in rules.multipliers:
        makes = game.total * multiplier
        verdict = rules.verdict(makes)
        ends: Literal["wins", "loses"] | None = None
        if verdict is not None:
            ends = "wins" if verdict.mover_wins else "loses"
        yield KeyView(
            multiplier=multiplier,
            makes=shorten(makes),
            place=scale.place(makes),
            ends=ends,
        )
