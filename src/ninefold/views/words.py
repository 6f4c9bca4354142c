"""The words for a match, to one viewer: the last step, and questions about a move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ninefold.game import Game, Seat
from ninefold.rulebooks import Narrator
from ninefold.session import (
    AskNeedlessLoss,
    AskProduct,
    Began,
    Ended,
    Event,
    GivenBack,
    Moved,
    Question,
    RematchAsked,
    Resigned,
    Scored,
    Seated,
    Session,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
    Withdrawn,
)
from ninefold.text import shorten

OPPORTUNITY = "The last move gave you the win. Can you see how?"


def said(session: Session, events: Sequence[Event], viewer: Seat | None) -> str:
    """Return the words for the events of the last command, as one paragraph.

    A viewer's own moves are in the rule book's words, which say "you"; those of
    others in the third person, as a program's are.
    """
    setup = session.setup
    others = [seat for seat in Seat if seat is not viewer]
    narrator = Narrator(session.book, setup.rules, setup.names, others)
    news = [each for each in events if _is_news(session, events, each, viewer)]
    words = _join(_words(session, narrator, event, viewer) for event in news)
    if words:
        return words
    # A rule book may have no words for one's own move; use those for others.
    narrator = Narrator(session.book, setup.rules, setup.names, tuple(Seat))
    return _join(_words(session, narrator, event, viewer) for event in news)


def question_words(session: Session, question: Question) -> str:
    """Return the words of a question before a move counts."""
    match question:
        case AskProduct(total=total, multiplier=multiplier):
            return f"What is {shorten(total)} × {shorten(multiplier)}?"
        case AskNeedlessLoss(multiplier=multiplier):
            setup = session.setup
            narrator = Narrator(session.book, setup.rules, setup.names)
            return " ".join(narrator.confirm(session.game, multiplier).split())
    return question.slip.warning


def _is_news(
    session: Session, events: Sequence[Event], event: Event, viewer: Seat | None
) -> bool:
    """Whether a viewer needs words for an event.

    Any step declines a take-back. That is news only if the other seat made the step,
    and not to that seat; after a resignation it does not matter.
    """
    if not isinstance(event, TakeBackDeclined) or len(events) == 1:
        return True
    if any(isinstance(each, Resigned) for each in events):
        return False
    moved = next((each.seat for each in events if isinstance(each, Moved)), None)
    by = moved or session.game.to_move  # who was given a move back is to move still
    return by is event.seat.other and by is not viewer


def _join(words: Iterable[str]) -> str:
    r"""Make one paragraph of the lines of a rule book, each a sentence.

    >>> _join(["You chose: 2\nTotal: 4\n", "", "--- Rounds: 1 to 0 ---\n"])
    'You chose: 2. Total: 4. Rounds: 1 to 0.'
    """
    lines = [line.strip(" -") for line in "\n".join(words).splitlines()]
    return " ".join(line if line[-1] in ".!?" else f"{line}." for line in lines if line)


def _words(  # noqa: C901, PLR0911, PLR0912 - one return for each event
    session: Session, narrator: Narrator, event: Event, viewer: Seat | None
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
        case Withdrawn(seat=seat):
            what = "to take a move back" if session.to_move else "for a rematch"
            if seat is viewer:
                return f"You no longer ask {what}."
            return f"{name(seat)} no longer asks {what}."
        case TakenBack(moves=moves):
            after = session.game
            before = Game.replay(after.rules, (*after.moves, *moves), after.first)
            return narrator.undone(before, after)
        case RematchAsked(seat=seat):
            asks = "You asked" if seat is viewer else f"{name(seat)} asks"
            return f"{asks} for a rematch."
    return ""  # Resigned belongs to the end, Answered to the move
