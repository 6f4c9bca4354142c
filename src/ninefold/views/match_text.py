"""Each fact of a match in one sentence, for terminal, app and page alike.

Moves, endings and scores use the rule book's wording; everything else is here. A text
depends on the session, the event and the viewer: the seat that reads, or None for
spectators and for two people who share a screen.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from ninefold.coach import Slip
from ninefold.game import Game, Seat
from ninefold.learning import Product
from ninefold.rulebooks import Narrator, Rulebook
from ninefold.rules import Ending
from ninefold.session import (
    Answered,
    Began,
    Ended,
    Event,
    GivenBack,
    Lessons,
    LossQuestion,
    Moved,
    ProductQuestion,
    Question,
    RematchAsked,
    Resigned,
    Scored,
    Seated,
    Session,
    Setup,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
    Withdrawn,
)
from ninefold.text import join_words, shorten
from ninefold.theory import Band
from ninefold.theory.explanation_sentences import NO_MISTAKE, times

DISCONNECTED = "Connection lost. Reconnecting …"
RECONNECTED = "Connected again."
ONE_AT_A_TIME = "One thing at a time: please finish this first."
SKIPPED = "A lot has happened since. Here is the match now."
NOBODY_YET = "Nobody has joined yet. Send the link to someone."
SEND_LINK = "Send this link to a friend:"
LINK_IS_LOCAL = "Only this machine can open this link."
LET_OTHERS_IN = "To let others join, start the server with --host 0.0.0.0."
LEAVE_HOST_OUT = "To let others join, leave --host out."
WATCHING = "You are watching."
NO_HINTS = "Hints are off in this match. You can review the game when it is over."
COACH_CANNOT_SEE = "This game is too big for the coach to work out."
NO_MORE_GIVE_BACKS = "No second chances left in this game."
NO_CLAIMS = "You can make claims only in a game against the computer on this machine."
ANOTHER_TRY = "Another try from here."
STRIPED = f"From a striped band every move loses, {NO_MISTAKE}."
NOTHING_TO_PRACTISE = "There is nothing to practise in this game."
NOTHING_LOST = "No total of this game is lost: some move wins from each."
_TOO_MANY_LOST = "There are too many lost totals to draw."
_SMALL_NUMBERS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
)
_NUMBER = re.compile("[0-9]+")


def viewer_of(seats: Sequence[Seat]) -> Seat | None:
    """Return the viewer of a screen: its only local seat, or None."""
    return seats[0] if len(seats) == 1 else None


def narrator_for(session: Session, seats: Collection[Seat]) -> Narrator:
    """Return the rule book's narrator for a screen with these local seats."""
    return _narrator(session.setup, tuple(seats))


@lru_cache(maxsize=1024)
def _narrator(setup: Setup, seats: tuple[Seat, ...]) -> Narrator:
    elsewhere = [
        seat for seat in Seat if seat not in seats or not setup.is_person(seat)
    ]
    return Narrator(setup.rulebook(), setup.rules, setup.names, elsewhere)


def sentence(error: object) -> str:
    """Format an error as a sentence: a capital letter first, a full stop last.

    >>> sentence(ValueError("the target must be above the start"))
    'The target must be above the start.'
    """
    message = str(error)
    message = f"{message[:1].upper()}{message[1:]}"
    return message if message.endswith((".", "!", "?")) else f"{message}."


def format_score(score: Sequence[int]) -> str:
    """Format a score, the first seat's games first.

    >>> format_score((2, 1))
    '2 : 1'
    """
    return " : ".join(map(str, score))


def format_standing(names: tuple[str, str], score: Sequence[int]) -> str:
    """Format a score between the players' names: ``Ada 2 : 1 Bo``."""
    return f"{names[0]} {format_score(score)} {names[1]}"


def format_distinction(book: Rulebook) -> str:
    """Return what distinguishes a game from others with the same aim, or ""."""
    overreaches = book.rules.ending is Ending.EXACT and not book.questions_losses
    parts = [
        "You choose the target." if "target" in book.settles else "",
        "Moves cannot be taken back." if not book.take_back else "",
        "It asks before you lose by mistake." if book.questions_losses else "",
        "It never asks if you are sure." if overreaches else "",
    ]
    return " ".join(filter(None, parts))


def format_verdict(total: int, winning_moves: Sequence[int]) -> str:
    """Tell the player to move who wins at a total, and with which moves.

    >>> print(format_verdict(27, [3, 4]))
    You can win from 27: play ×3 or ×4.
    >>> print(format_verdict(60, []))
    From 60 every move loses, if the other player makes no mistake.
    """
    at = shorten(total)
    if winning_moves:
        return f"You can win from {at}: play {times(*winning_moves, last='or')}."
    return f"From {at} every move loses, {NO_MISTAKE}."


def format_bands(bands: Sequence[Band] | None) -> str:
    """Explain the lost bands of a line; None stands for too many to compute.

    >>> print(format_bands(()))
    No total of this game is lost: some move wins from each.
    """
    if bands is None:
        return _TOO_MANY_LOST
    return STRIPED if bands else NOTHING_LOST


# What happened


def format_events(
    session: Session, events: Sequence[Event], seats: Sequence[Seat]
) -> str:
    """Return the events of the last command as one paragraph for these local seats.

    A last move that the rule book repeats in its ending is not said twice.
    """
    viewer = viewer_of(seats)
    news = [event for event in events if should_report(event, events, session, seats)]
    if any(_tells_last_move(event, session, viewer) for event in news):
        news = [event for event in news if not isinstance(event, Moved)]
    text = paragraph(format_event(event, session, viewer) for event in news)
    if not text and any(isinstance(event, Moved) for event in events):
        return paragraph([format_last_move(session)])
    return text


def should_report(
    event: Event, events: Sequence[Event], session: Session, seats: Sequence[Seat]
) -> bool:
    """Whether a screen with these local seats reports an event.

    A second chance is reported to the mover only, except the last one of a game: both
    players share the limit.

    Any command declines an open take-back request. That is reported only if the other
    seat issued the command, but not to that seat, and not after a resignation.
    """
    if isinstance(event, GivenBack):
        return event.seat in seats or (bool(seats) and not event.left)
    if not isinstance(event, TakeBackDeclined) or len(events) == 1:
        return True
    if any(isinstance(each, Resigned) for each in events):
        return False
    moved = next((each.seat for each in events if isinstance(each, Moved)), None)
    by = moved or session.game.to_move  # after a second chance the turn is the same
    return by is event.seat.other and by is not viewer_of(seats)


def _tells_last_move(event: Event, session: Session, viewer: Seat | None) -> bool:
    if not isinstance(event, Ended):
        return False
    lines = format_event(event, session, viewer).splitlines()
    return any(tells_move(line, session.game) for line in lines)


def tells_move(line: str, game: Game) -> bool:
    """Whether a line has every number of the last move."""
    if not game.moves:
        return False
    before, multiplier = game.total // game.moves[-1], game.moves[-1]
    numbers = set(_NUMBER.findall(line))
    return {str(before), str(multiplier), str(game.total)} <= numbers


def format_event(  # noqa: PLR0911 - one return for each event
    event: Event, session: Session, viewer: Seat | None
) -> str:
    """Return the text of an event for a viewer, or "".

    A rule book's text may have several lines.
    """
    name = session.setup.name

    def who(seat: Seat, you: str, they: str) -> str:
        return f"You {you}" if seat is viewer else f"{name(seat)} {they}"

    match event:
        case Seated(seat=seat):
            return f"{name(seat)} has joined."
        case Began(is_retry=True):
            return ANOTHER_TRY
        case Began(first=first, tossed=tossed):
            is_rematch = session.number == 1 and session.match_number > 1
            begins = "A rematch" if is_rematch else f"Game {session.number}"
            starts = "won the toss and starts" if tossed else "starts"
            return f"{begins} begins: {name(first)} {starts}."
        case GivenBack(seat=seat, left=left):
            return _given_back(session, seat, left, viewer)
        case TakeBackAsked(seat=seat):
            asks = who(seat, "asked", "asks")
            what = "the last two moves" if session.to_move is seat else "a move"
            return f"{asks} to take {what} back.{_wait(session, seat, viewer)}"
        case TakeBackDeclined(seat=seat):
            plays = who(seat.other, "said no", "said no")
            return f"{plays}; the move stays."
        case RematchAsked(seat=seat):
            asks = who(seat, "asked", "asks")
            return f"{asks} for a rematch.{_wait(session, seat, viewer)}"
        case Withdrawn(seat=seat):
            wants = who(seat, "no longer want", "no longer wants")
            return f"{wants} {'a move back' if session.to_move else 'a rematch'}."
        case _:
            return _narrate(event, session, viewer)


def _narrate(event: Event, session: Session, viewer: Seat | None) -> str:
    """Return the rule book's text for an event, or ""."""
    game = session.game
    narrator = narrator_for(session, () if viewer is None else (viewer,))
    match event:
        case Moved():
            return narrator.played(game)
        case TakenBack(moves=moves):
            before = Game.replay(game.rules, (*game.moves, *moves), game.first)
            return narrator.undone(before, game)
        case Ended():
            return narrator.ending(game)
        case Scored():
            return narrator.score(session.match)
    return ""  # Resigned belongs to the end, Answered to the move


def _given_back(session: Session, seat: Seat, left: int, viewer: Seat | None) -> str:
    whom = "you" if seat is viewer else session.setup.name(seat)
    more = f"{left} left in this game." if left else NO_MORE_GIVE_BACKS
    return f"The coach gives {whom} a second chance. {more}"


def format_second_chances(count: int) -> str:
    """Return the second chances that the coach gave, after a result; "" if none.

    >>> f"Ada won{format_second_chances(2)}.", f"Bo lost{format_second_chances(1)}."
    ('Ada won, with two second chances.', 'Bo lost, with one second chance.')
    """
    if not count:
        return ""
    many = _SMALL_NUMBERS[count - 1] if count <= len(_SMALL_NUMBERS) else str(count)
    return f", with {many} second chance{'' if count == 1 else 's'}"


def _wait(session: Session, seat: Seat, viewer: Seat | None) -> str:
    if seat is not viewer:
        return ""
    return f" Waiting for {session.setup.name(seat.other)} to agree."


def format_last_move(session: Session) -> str:
    """Return the last move in the third person.

    For rule books without a text for the viewer's own move: they show it only with the
    next turn, which is announced to the other seat.
    """
    setup = session.setup
    narrator = Narrator(session.book, setup.rules, setup.names, elsewhere=tuple(Seat))
    return narrator.played(session.game)


def paragraph(texts: Iterable[str]) -> str:
    r"""Join the lines of rule book texts into one paragraph of sentences.

    >>> paragraph(["You chose: 2\nTotal: 4\n", "", "--- Rounds: 1 to 0 ---\n"])
    'You chose: 2. Total: 4. Rounds: 1 to 0.'
    """
    lines = [line.strip(" -") for line in "\n".join(texts).splitlines()]
    return " ".join(line if line[-1] in ".!?" else f"{line}." for line in lines if line)


def format_answer(product: Product, whom: str = "") -> str:
    """Return whether a product was right; ``whom`` names the player if two read it."""
    to = f", {whom}" if whom else ""
    return f"Right{to}." if product.right else f"Not quite{to}: {product.correction}"


def format_answered(event: Answered, session: Session, seats: Sequence[Seat]) -> str:
    """Return whether a product was right; "" if no local seat gave it."""
    if event.seat not in seats:
        return ""
    whom = session.setup.name(event.seat) if viewer_of(seats) is None else ""
    return format_answer(event.product, whom)


# The coach, and questions


def format_opponent_slip(session: Session, viewer: Seat | None) -> str:
    """Tell the seat to move that the opponent slipped."""
    mover = session.game.to_move
    whom = f"{session.setup.name(mover)}, " if viewer is None else ""
    slipped = f"{session.setup.name(mover.other)} slipped"
    return f"{whom}{slipped}. You can win from here."


def format_slip_warning(session: Session, slip: Slip, viewer: Seat | None) -> str:
    """Return the coach's warning about a slip, without the winning move.

    On a shared screen the reason is left out too: it names the opponent's reply.
    """
    if viewer is not None:
        return slip.warning
    return _to_mover(session, viewer, f"That gives the win away. {slip.winners}")


def format_takeback_question(give_backs: int) -> str:
    """Return the question whether to take a slip back."""
    return f"Take it back ({give_backs} left)?"


def format_resign_question(session: Session, viewer: Seat | None) -> str:
    """Return the question that confirms a resignation."""
    return _to_mover(session, viewer, "Resign this game?")


def question_words(session: Session, question: Question, viewer: Seat | None) -> str:
    """Return the text of a question that must be answered before a move counts."""
    match question:
        case ProductQuestion(total=total, multiplier=multiplier):
            return f"What is {shorten(total)} × {shorten(multiplier)}?"
        case LossQuestion(multiplier=multiplier):
            narrator = narrator_for(session, tuple(Seat))
            text = narrator.confirm(session.game, multiplier).partition(" (y/N)")[0]
            return " ".join(text.split())
    return format_slip_warning(session, question.slip, viewer)


def _to_mover(session: Session, viewer: Seat | None, text: str) -> str:
    """Address the mover by name on a shared screen."""
    if viewer is not None:
        return text
    mover = session.setup.name(session.game.to_move)
    return f"{mover}, {text[0].lower()}{text[1:]}"


# Sitting down


def format_invitation(session: Session) -> str:
    """Return who invites to which game, and with which lessons."""
    setup = session.setup
    several = "" if setup.length.is_single else f", {setup.length}"
    game = f"{session.book.title}{several}{format_lessons(setup.lessons)}"
    return f"{setup.name(Seat.ONE)} invites you to play {game}."


def format_watched_match(session: Session) -> str:
    """Tell a spectator who plays which game."""
    setup = session.setup
    names = [setup.name(seat) for seat in Seat if seat not in session.empty_seats]
    if len(names) == 1:
        return f"{names[0]} is waiting for someone to play {session.book.title}."
    lessons = format_lessons(setup.lessons)
    return f"{join_words(names)} are playing {session.book.title}{lessons}."


def format_lessons(lessons: Lessons) -> str:
    """Return the agreed lessons as a phrase; "" if there are none.

    >>> format_lessons(Lessons(coach=True, hints=True, mental=True))
    ', with a coach, hints and mental arithmetic'
    """
    wanted = {
        "a coach": lessons.coach,
        "hints": lessons.hints,
        "mental arithmetic": lessons.mental,
    }
    agreed = [each for each, wants in wanted.items() if wants]
    return f", with {join_words(agreed)}" if agreed else ""


# Waiting


def format_turn(session: Session) -> str:
    """Return whose turn it is, or that the other player has not joined."""
    if session.empty_seats:
        return NOBODY_YET
    mover = session.game.to_move
    name = session.setup.name(mover)
    if session.setup.is_person(mover):
        return f"It is {name}'s turn."
    return f"{name} is thinking …"


def request_lost_message(server: str, *, is_move: bool) -> str:
    """Return the message for a request whose outcome is unknown."""
    what = "your move" if is_move else "your request"
    look = "check the total" if is_move else "check the match"
    again = "repeat the move" if is_move else "ask again"
    return (
        f"the server at {server} does not answer, so {what} may be lost;"
        f" once you are connected again, {look} and {again} if it is missing"
    )


def away_message(name: str) -> str:
    """Return the message for an opponent who has been disconnected for a while."""
    return f"{name} is away. The match will wait."


def table_closed_message(name: str) -> str:
    """Return the message for a host who quit, which stops their server."""
    return (
        f"{name} has left, so the table is closed. It opens again when {name} is back."
    )


def back_message(name: str) -> str:
    """Return the message for an opponent who is connected again."""
    return f"{name} is back."
