"""A match as one seat, or a spectator, sees it: sessions and events as messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ninefold.game import Game, Seat
from ninefold.notation.shapes import OutcomeShape, RulesShape, json_number
from ninefold.online.messages import (
    Happened,
    KeyView,
    LengthShape,
    LessonsShape,
    Message,
    SeatView,
    State,
)
from ninefold.players import HUMAN
from ninefold.rulebooks import Narrator
from ninefold.session import (
    Answered,
    Began,
    Command,
    Ended,
    Event,
    GivenBack,
    Moved,
    Rematch,
    RematchAsked,
    Resigned,
    Scored,
    Seated,
    Session,
    Setup,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
)
from ninefold.store import StoredMatch
from ninefold.text import shorten
from ninefold.views.encoding import numbers
from ninefold.views.number_line import LineView, Scale, number_line

Viewer = Seat | None
"""Who looks: a seat, or a spectator."""

_OPPORTUNITY = "The last move gave you the win. Can you see how?"


class Snapshot(Struct, frozen=True, dict=True):  # dict: what all see is cached in it
    """A match after one command: the session, and what came of the command."""

    id: str
    session: Session
    events: tuple[Event, ...]
    opportunity: bool = False
    """Whether the coach has a word for the seat to move; to find out takes long."""

    def let_coach_look(self) -> Snapshot:
        """Return the same, with what the coach would say; that may take long."""
        return replace(self, opportunity=self.session.opportunity())

    @classmethod
    def of(cls, kept: StoredMatch) -> Snapshot:
        """Return a stored match as it stands."""
        return cls.replay(kept.id, kept.setup, kept.commands)

    @classmethod
    def replay(cls, match_id: str, setup: Setup, log: Sequence[Command]) -> Snapshot:
        """Rebuild the match after the last command of a log."""
        before = Session.replay(setup, log[:-1])
        session, events = before.accept(log[-1])
        return cls(match_id, session, events)

    def after(self, command: Command) -> Snapshot:
        """Return the match after another command."""
        session, events = self.session.accept(command)
        return Snapshot(self.id, session, events)

    def state(self, viewer: Viewer) -> State:
        """Show it to somebody."""
        is_told = viewer is not None and viewer is self.session.to_move
        return replace(
            self._for_all,
            your_seat=viewer,
            said=said(self.session, self.events, viewer),
            coach=_OPPORTUNITY if is_told and self.opportunity else None,
        )

    @cached_property
    def _for_all(self) -> State:
        """What everybody sees."""
        session = self.session
        game, match, setup = session.game, session.match, session.setup
        lessons, outcome = setup.lessons, game.outcome
        one, two = match.score.values()
        return State(
            id=self.id,
            seq=session.revision,
            game=setup.book,
            title=session.book.title,
            aim=session.book.describe(setup.rules),
            rules=RulesShape.of(setup.rules),
            length=LengthShape.of(setup.length),
            match_number=session.match_number,
            number=session.number,
            first=game.first,
            moves=numbers(game.moves),
            total=json_number(game.total),
            product=_product(game),
            to_move=session.to_move,
            outcome=None if outcome is None else OutcomeShape.of(outcome),
            score=(one, two),
            match_over=match.over,
            match_winner=match.winner,
            seats=(_seat(session, Seat.ONE), _seat(session, Seat.TWO)),
            lessons=LessonsShape(lessons.coach, lessons.hints, lessons.mental),
            may_take_back=session.book.take_back,
            takeback=session.take_back_asked,
            rematch=session.rematch_asked,
            your_seat=None,
            said="",
            coach=None,
            line=LineView.of(number_line(setup.rules, game=game)),
            keys=tuple(_keys(session)) if session.to_move is not None else (),
        )

    def message(self, viewer: Viewer) -> Message:
        """Make the message of a stream."""
        happened = tuple(_happened(self.session, self.events))
        return Message(happened, self.state(viewer))


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
    before, multiplier = game.total // game.moves[-1], game.moves[-1]
    return f"{shorten(before)} × {shorten(multiplier)} = {shorten(game.total)}"


def _keys(session: Session) -> Iterator[KeyView]:
    rules, game = session.setup.rules, session.game
    scale = Scale(rules.start, max(rules.target, game.total))
    for multiplier in rules.multipliers:
        makes = game.total * multiplier
        verdict = rules.verdict(makes)
        ends: Literal["wins", "loses"] | None = None
        if verdict is not None:
            ends = "wins" if verdict.mover_wins else "loses"
        yield KeyView(
            multiplier=json_number(multiplier),
            makes=None if session.setup.lessons.mental else shorten(makes),
            place=scale.place(makes),
            ends=ends,
        )


def said(session: Session, events: Sequence[Event], viewer: Viewer) -> str:
    """Tell the last step to somebody.

    One's own moves are told in the rule book's words, which say "you"; those of
    others in the third person, as a program's are.
    """
    setup = session.setup
    others = [seat for seat in Seat if seat is not viewer]
    narrator = Narrator(session.book, setup.rules, setup.names, others)
    heard = [each for each in events if _is_news(session, events, each, viewer)]
    told = _join(_tell(session, narrator, event, viewer) for event in heard)
    if told:
        return told
    # A rule book may have no words for one's own move; then it is told as others'.
    narrator = Narrator(session.book, setup.rules, setup.names, tuple(Seat))
    return _join(_tell(session, narrator, event, viewer) for event in heard)


def _is_news(
    session: Session, events: Sequence[Event], event: Event, viewer: Viewer
) -> bool:
    """Whether an event is told: of a move that stays, only what its asker must know.

    A step declines what is asked back. Whoever asked and moves on knows that, and so
    does whoever moves instead of answering.
    """
    if not isinstance(event, TakeBackDeclined) or len(events) == 1:
        return True
    if any(isinstance(each, Resigned) for each in events):
        return False
    moved = next((each.seat for each in events if isinstance(each, Moved)), None)
    by = moved or session.game.to_move  # who was given a move back is to move still
    return by is event.seat.other and by is not viewer


def _join(told: Iterable[str]) -> str:
    r"""Make one paragraph of the lines of a rule book, each a sentence.

    >>> _join(["You chose: 2\nTotal: 4\n", "", "--- Rounds: 1 to 0 ---\n"])
    'You chose: 2. Total: 4. Rounds: 1 to 0.'
    """
    lines = [line.strip(" -") for line in "\n".join(told).splitlines()]
    return " ".join(line if line[-1] in ".!?" else f"{line}." for line in lines if line)


def _tell(  # noqa: C901, PLR0911 - one return for each event
    session: Session, narrator: Narrator, event: Event, viewer: Viewer
) -> str:
    name = session.setup.name
    match event:
        case Seated(seat=seat):
            return f"{name(seat)} sits down."
        case Began(first=first):
            rematch = session.number == 1 and session.match_number > 1
            begins = "A rematch begins" if rematch else f"Game {session.number} begins"
            return f"{begins}: {name(first)} starts."
        case Moved():
            return narrator.played(session.game)
        case Ended():
            return narrator.ending(session.game)
        case Scored():
            return narrator.score(session.match)
        case GivenBack():
            mover = session.game.to_move
            whom = "you" if mover is viewer else name(mover)
            return f"The coach gives {whom} the move back."
        case TakeBackAsked(seat=seat):
            if seat is viewer:
                return "You asked to take a move back."
            return f"{name(seat)} asks to take a move back."
        case TakeBackDeclined(seat=seat):
            if seat.other is viewer:
                return "You give no move back."
            return f"{name(seat.other)} gives no move back."
        case TakenBack(moves=moves):
            after = session.game
            before = Game.replay(after.rules, (*after.moves, *moves), after.first)
            return narrator.undone(before, after)
        case RematchAsked(seat=seat):
            asks = "You asked" if seat is viewer else f"{name(seat)} asks"
            return f"{asks} for a rematch."
    return ""  # Resigned is told with the end, Answered with the move


def _happened(  # noqa: C901 - one branch for each event
    session: Session, events: Sequence[Event]
) -> Iterator[Happened]:
    answer = next((e.product.answer for e in events if isinstance(e, Answered)), None)
    for event in events:
        match event:
            case Seated(seat=seat, name=name):
                yield Happened(type="seated", seat=seat, name=name)
            case Began(first=first):
                again = isinstance(session.log[-1], Rematch)
                yield Happened(type="rematch" if again else "next", seat=first)
            case Moved(seat=seat, multiplier=multiplier, total=total):
                yield Happened(
                    type="moved",
                    seat=seat,
                    multiplier=json_number(multiplier),
                    total=json_number(total),
                    answer=None if answer is None else json_number(answer),
                )
            case GivenBack():
                # Which move it was would tell the other seat what to avoid.
                yield Happened(type="given_back", seat=session.game.to_move)
            case TakeBackAsked(seat=seat):
                yield Happened(type="takeback_asked", seat=seat)
            case TakeBackDeclined(seat=seat):
                yield Happened(type="takeback_declined", seat=seat)
            case TakenBack(moves=moves, total=total):
                yield Happened(
                    type="taken_back", moves=numbers(moves), total=json_number(total)
                )
            case Resigned(seat=seat):
                yield Happened(type="resigned", seat=seat)
            case Ended(outcome=outcome):
                yield Happened(type="ended", outcome=OutcomeShape.of(outcome))
            case Scored(score=score):
                yield Happened(type="scored", score=score)
            case RematchAsked(seat=seat):
                yield Happened(type="rematch_asked", seat=seat)
        # Answered is told with the move.
