"""A match as one seat or a spectator sees it: the data that the page shows.

``State.of`` holds what everyone sees; ``seen_by`` adds the scene of one viewer. The
page is JavaScript and knows no rules, so it gets text, line and keys from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ninefold.game import Game, Outcome, Seat
from ninefold.levels import HUMAN
from ninefold.match import Length
from ninefold.playing.scene import Label, Offer, Scene
from ninefold.rules import Rules
from ninefold.session import (
    Answered,
    Ended,
    Event,
    Lessons,
    LossQuestion,
    Moved,
    ProductQuestion,
    Question,
    Session,
    commands,
)
from ninefold.text import format_product, shorten
from ninefold.views.match_text import format_answered, format_events, paragraph
from ninefold.views.number_line import LineView, Scale, number_line

Viewer: TypeAlias = Seat | None
"""A seat, or None for a spectator."""


class SeatView(Struct, frozen=True):
    """The player in a seat."""

    name: str
    kind: str
    """``human`` or a level."""
    taken: bool


class KeyView(Struct, frozen=True):
    """A multiplier, and what it would make."""

    multiplier: int
    makes: str | None
    """The product, shortened if it is long; None in mental arithmetic."""
    place: float | None
    """Where its hop would land on the line, above 1 if beyond its end.

    None in mental arithmetic: it would give the product away.
    """
    ends: Literal["wins", "loses"] | None
    """How the move would end the game for the player who makes it, if it does.

    None in mental arithmetic too.
    """


class AnswerView(Struct, frozen=True):
    """One answer to a question."""

    label: str
    ask: commands.RemoteAsk | None
    """The ask to send; null drops the move. A product is added as ``answer``."""
    says: str = ""
    """The text to show once it is given."""


class QuestionView(Struct, frozen=True, kw_only=True):
    """A question about a multiplier that must be answered before the move counts."""

    kind: Literal["product", "loss", "slip"]
    multiplier: int
    title: str
    text: str
    answers: tuple[AnswerView, ...]
    """The first one is the default for Enter."""
    give_backs: int | None = None
    """How many second chances are left; None if the question is not the coach's."""
    help: tuple[str, ...] = ()
    """The steps of help with a product."""
    told: AnswerView | None = None
    """The answer after the last step of help, which reveals the product."""
    marked: str = ""
    """Whether the product that came with the move was right."""

    @classmethod
    def of(cls, session: Session, move: commands.Move, question: Question) -> Self:
        """Return the view of a question about a move of the seat to move."""
        scene = Scene(session, seats_of(session, session.game.to_move))
        asked = scene.ask_about(question, move)
        multiplier = shorten(move.multiplier)
        match question:
            case ProductQuestion():
                product = asked.product(None)
                told = replace(move, answer=product.answer, helped=True)
                return cls(
                    kind="product",
                    multiplier=move.multiplier,
                    title=asked.text,
                    text=asked.text,
                    answers=(AnswerView("Play it", move),),
                    help=asked.steps_to_come,
                    told=AnswerView("Play it", told, product.correction),
                )
            case LossQuestion():
                loses = AnswerView(
                    f"Play ×{multiplier} and lose", asked.ask_for(yes=True)
                )
                return cls(
                    kind="loss",
                    multiplier=move.multiplier,
                    title="This move loses",
                    text=asked.text,
                    answers=(AnswerView("Choose another", None), loses),
                    marked=scene.mark(move),
                )
        back = AnswerView(
            f"Take it back ({question.give_backs} left)",
            asked.ask_for(yes=True),
            scene.reason_after(asked),
        )
        stays = AnswerView(f"Play ×{multiplier} anyway", asked.ask_for(yes=False))
        return cls(
            kind="slip",
            multiplier=move.multiplier,
            title="Coach",
            text=asked.text,
            answers=(back, stays),
            give_backs=question.give_backs,
            marked=scene.mark(move),
        )


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
    """One more with each rematch."""
    number: int
    """Which game of the match this is."""
    first: Seat
    """The seat that started this game."""
    moves: tuple[int, ...]
    total: int
    product: str | None
    """The last move in full, such as ``5 × 3 = 15``."""
    to_move: Seat | None
    """None once the game is over."""
    outcome: Outcome | None
    score: tuple[int, int]
    """The games won by each seat."""
    match_over: bool
    match_winner: Seat | None
    """None where the match ended level."""
    seats: tuple[SeatView, SeatView]
    lessons: Lessons
    may_take_back: bool
    """Whether the rule book allows taking back."""
    takeback: Seat | None
    """The seat that requests a take-back."""
    rematch: Seat | None
    """The seat that requests a rematch."""
    your_seat: Seat | None
    """The seat that the viewer plays; on a shared screen, the one to move."""
    is_shared: bool
    """Whether both players share a screen."""
    may: tuple[commands.PlainAsk, ...]
    """The asks, other than moves, that this seat may send now."""
    notes: tuple[str, str]
    """The note beside each name: ``your move``, ``wins``."""
    turn: str
    """Whose turn it is, as a sentence."""
    headline: Label
    """Who has won; empty during a game."""
    offers: tuple[Offer, ...]
    """What this viewer can do after a game, except a retry."""
    no_hint: str
    """Why this viewer gets no hint now, or empty."""
    ending: str
    """How the game ended, if ``said`` is about something later; else empty."""
    said: str
    """The events of the last command as a paragraph, in the viewer's perspective."""
    marked: str
    """The verdict on the product that this viewer gave with the last command."""
    warning: str
    """The coach's warning about the last move, for the player who made it."""
    coach: str | None
    """The coach's remarks, for the seat to move only."""
    line: LineView
    keys: tuple[KeyView, ...]

    @classmethod
    def of(cls, match_id: str, session: Session) -> Self:
        """Return what everyone sees of a match, without text."""
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
            match_over=match.is_over,
            match_winner=match.winner,
            seats=(_seat(session, Seat.ONE), _seat(session, Seat.TWO)),
            lessons=setup.lessons,
            may_take_back=session.book.take_back,
            takeback=session.take_back_asked,
            rematch=session.rematch_asked,
            your_seat=None,
            is_shared=session.is_shared,
            may=(),
            notes=("", ""),
            turn="",
            headline=Label(""),
            offers=(),
            no_hint="",
            ending="",
            said="",
            marked="",
            warning="",
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
        warning: str = "",
    ) -> Self:
        """Return what one viewer sees after a command, with the text of its events.

        ``opportunity``: whether the last move gave the win to the seat to move;
        ``warning``: the coach's warning to the player who made that move.
        """
        scene = Scene(session, seats_of(session, viewer))
        marks = [
            format_answered(event, session, scene.seats)
            for event in events
            if isinstance(event, Answered)
        ]
        movers = [event.seat for event in events if isinstance(event, Moved)]
        is_own = any(seat in scene.seats for seat in movers)
        remarks = scene.remarks(opportunity=opportunity)
        has_ended = any(isinstance(event, Ended) for event in events)
        is_told = has_ended or not events or not scene.is_over
        return replace(
            self,
            your_seat=scene.acting_seat,
            may=scene.allowed,
            notes=(scene.note(Seat.ONE), scene.note(Seat.TWO)),
            turn=scene.turn_text,
            headline=scene.headline,
            offers=scene.offers,
            no_hint=scene.no_hint,
            ending="" if is_told else paragraph([scene.narrator.ending(session.game)]),
            said=format_events(session, events, scene.seats),
            marked=" ".join(marks).strip(),
            warning=warning if is_own else "",
            coach=" ".join(remarks) or None,
        )


def seats_of(session: Session, viewer: Viewer) -> tuple[Seat, ...]:
    """Return the seats that a viewer plays: both on a shared screen."""
    if viewer is None:
        return ()
    return tuple(Seat) if session.is_shared else (viewer,)


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
    return format_product(game.total // last, last)


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
