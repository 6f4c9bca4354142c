"""Each fact of a match in one sentence, for terminal, app and page alike.

Moves, ends and scores are in the rule book's words; these are for the rest. They depend
on the session, the event and the viewer: the seat that reads, or None for spectators
and for two people who share a screen.
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
    """Return the viewer of a screen at which these seats are played."""
    return seats[0] if len(seats) == 1 else None


def narrator_for(session: Session, seats: Collection[Seat]) -> Narrator:
    """Return the rule book's narrator for a screen at which these seats are played."""
    return _narrator(session.setup, tuple(seats))


@lru_cache(maxsize=1024)
def _narrator(setup: Setup, seats: tuple[Seat, ...]) -> Narrator:
    elsewhere = [
        seat for seat in Seat if seat not in seats or not setup.is_person(seat)
    ]
    return Narrator(setup.rulebook(), setup.rules, setup.names, elsewhere)


def sentence(error: object) -> str:
    """Write an error as a sentence.

    >>> sentence(ValueError("the target must be above the start"))
    'The target must be above the start.'
    """
    message = str(error)
    message = f"{message[:1].upper()}{message[1:]}"
    return message if message.endswith((".", "!", "?")) else f"{message}."


def format_score(score: Sequence[int]) -> str:
    """Write how a match stands, the first seat's games first.

    >>> format_score((2, 1))
    '2 : 1'
    """
    return " : ".join(map(str, score))


def format_standing(names: tuple[str, str], score: Sequence[int]) -> str:
    """Write how a match stands between its names, as in ``Ada 2 : 1 Bo``."""
    return f"{names[0]} {format_score(score)} {names[1]}"


def format_distinction(book: Rulebook) -> str:
    """Say what tells a game from others with the same aim; "" if nothing does."""
    overreaches = book.rules.ending is Ending.EXACT and not book.questions_losses
    told = [
        "You choose the target." if "target" in book.settles else "",
        "Moves cannot be taken back." if not book.take_back else "",
        "It asks before you lose by mistake." if book.questions_losses else "",
        "It never asks if you are sure." if overreaches else "",
    ]
    return " ".join(filter(None, told))


def format_verdict(total: int, winning_moves: Sequence[int]) -> str:
    """Say who wins at a total, and with which moves, to the player to move.

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
    """Say what the lost bands of a line mean; None where these could not be found.

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
    """Return the events of the last command as one paragraph, as these seats read them.

    A move that the rule book tells again at the end is told there.
    """
    viewer = viewer_of(seats)
    news = [event for event in events if should_report(event, events, session, seats)]
    if any(_tells_last_move(event, session, viewer) for event in news):
        news = [event for event in news if not isinstance(event, Moved)]
    words = paragraph(format_event(event, session, viewer) for event in news)
    if not words and any(isinstance(event, Moved) for event in events):
        return paragraph([format_last_move(session)])
    return words


def should_report(
    event: Event, events: Sequence[Event], session: Session, seats: Sequence[Seat]
) -> bool:
    """Whether a screen at which these seats are played needs words for an event.

    That the coach gave a move back is between it and the mover, unless it was the last
    one: then the other player has none left either.

    Any step declines a take-back. That is news only if the other seat made the step,
    and not to that seat; after a resignation it does not matter.
    """
    if isinstance(event, GivenBack):
        return event.seat in seats or (bool(seats) and not event.left)
    if not isinstance(event, TakeBackDeclined) or len(events) == 1:
        return True
    if any(isinstance(each, Resigned) for each in events):
        return False
    moved = next((each.seat for each in events if isinstance(each, Moved)), None)
    by = moved or session.game.to_move  # a move given back leaves the turn
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
    """Say an event to a viewer; "" if it needs no words.

    The words of a rule book may be several lines.
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
    """Say what the rule book has words for."""
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
    """Say the last move as another's, where the rule book has no words for one's own.

    Such a rule book shows a move by the turn that follows, which is announced to the
    other seat.
    """
    setup = session.setup
    narrator = Narrator(session.book, setup.rules, setup.names, elsewhere=tuple(Seat))
    return narrator.played(session.game)


def paragraph(words: Iterable[str]) -> str:
    r"""Make one paragraph of the lines of a rule book, each a sentence.

    >>> paragraph(["You chose: 2\nTotal: 4\n", "", "--- Rounds: 1 to 0 ---\n"])
    'You chose: 2. Total: 4. Rounds: 1 to 0.'
    """
    lines = [line.strip(" -") for line in "\n".join(words).splitlines()]
    return " ".join(line if line[-1] in ".!?" else f"{line}." for line in lines if line)


def format_answer(product: Product, whom: str = "") -> str:
    """Say whether a product was right; ``whom`` names one of two who read it."""
    to = f", {whom}" if whom else ""
    return f"Right{to}." if product.right else f"Not quite{to}: {product.correction}"


def format_answered(event: Answered, session: Session, seats: Sequence[Seat]) -> str:
    """Say whether a product was right, if one of these seats gave it."""
    if event.seat not in seats:
        return ""
    whom = session.setup.name(event.seat) if viewer_of(seats) is None else ""
    return format_answer(event.product, whom)


# The coach, and questions


def format_opponent_slip(session: Session, viewer: Seat | None) -> str:
    """Say to the seat to move that the other one has slipped."""
    mover = session.game.to_move
    whom = f"{session.setup.name(mover)}, " if viewer is None else ""
    slipped = f"{session.setup.name(mover.other)} slipped"
    return f"{whom}{slipped}. You can win from here."


def format_slip_warning(session: Session, slip: Slip, viewer: Seat | None) -> str:
    """Warn of a slip before it counts; the move that wins stays secret.

    The reason names the other's reply, so it is left out where the other reads along.
    """
    if viewer is not None:
        return slip.warning
    return _to_mover(session, viewer, f"That gives the win away. {slip.winners}")


def format_takeback_question(give_backs: int) -> str:
    """Ask whether a slip is taken back."""
    return f"Take it back ({give_backs} left)?"


def format_resign_question(session: Session, viewer: Seat | None) -> str:
    """Ask whether somebody really gives up."""
    return _to_mover(session, viewer, "Resign this game?")


def question_words(session: Session, question: Question, viewer: Seat | None) -> str:
    """Return the words of a question before a move counts."""
    match question:
        case ProductQuestion(total=total, multiplier=multiplier):
            return f"What is {shorten(total)} × {shorten(multiplier)}?"
        case LossQuestion(multiplier=multiplier):
            narrator = narrator_for(session, tuple(Seat))
            asked = narrator.confirm(session.game, multiplier).partition(" (y/N)")[0]
            return " ".join(asked.split())
    return format_slip_warning(session, question.slip, viewer)


def _to_mover(session: Session, viewer: Seat | None, text: str) -> str:
    """Put the mover's name in front, where two people share a screen."""
    if viewer is not None:
        return text
    mover = session.setup.name(session.game.to_move)
    return f"{mover}, {text[0].lower()}{text[1:]}"


# Sitting down


def format_invitation(session: Session) -> str:
    """Say who invites, to what, and what sitting down agrees to."""
    setup = session.setup
    several = "" if setup.length.is_single else f", {setup.length}"
    game = f"{session.book.title}{several}{format_lessons(setup.lessons)}"
    return f"{setup.name(Seat.ONE)} invites you to play {game}."


def format_watched_match(session: Session) -> str:
    """Say who plays what, to a spectator."""
    setup = session.setup
    names = [setup.name(seat) for seat in Seat if seat not in session.empty_seats]
    if len(names) == 1:
        return f"{names[0]} is waiting for someone to play {session.book.title}."
    lessons = format_lessons(setup.lessons)
    return f"{join_words(names)} are playing {session.book.title}{lessons}."


def format_lessons(lessons: Lessons) -> str:
    """Say what the two agreed to learn by; nothing where it is nothing.

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
    """Say for whom a match waits."""
    if session.empty_seats:
        return NOBODY_YET
    mover = session.game.to_move
    name = session.setup.name(mover)
    if session.setup.is_person(mover):
        return f"It is {name}'s turn."
    return f"{name} is thinking …"


def request_lost_message(server: str, *, is_move: bool) -> str:
    """Say that nobody knows whether a server has done what it was asked for."""
    what = "your move" if is_move else "your request"
    look = "check the total" if is_move else "check the match"
    again = "repeat the move" if is_move else "ask again"
    return (
        f"the server at {server} does not answer, so {what} may be lost;"
        f" once you are connected again, {look} and {again} if it is missing"
    )


def away_message(name: str) -> str:
    """Say that the other person has been disconnected for a while, for any reason."""
    return f"{name} is away. The match will wait."


def table_closed_message(name: str) -> str:
    """Say that the host has left on purpose, and the server with them."""
    return (
        f"{name} has left, so the table is closed. It opens again when {name} is back."
    )


def back_message(name: str) -> str:
    """Say that the other person is connected again."""
    return f"{name} is back."
