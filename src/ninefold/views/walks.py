"""A walk, which is a step of the path or a claim, as a page shows it.

Nothing of it is stored: what was entered leads to the same place again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from ninefold.errors import NinefoldError
from ninefold.learning import Item, Practice, Response
from ninefold.learning.claims import CLAIMANT, Play, Result, Walk
from ninefold.learning.path import TRIES
from ninefold.rules import parse_number
from ninefold.session import Event, Lessons, Move, ResignGame, Session, Setup
from ninefold.views.practice import say_response

HELP, SKIP, RESIGN = "?", "skip", "resign"
"""What is entered for help, to leave an item out, and to give a game up."""


Shown = tuple[Session, Sequence[Event]]
"""A game, and what has just happened in it."""


def begin_game(wanted: Play, like: Setup, seed: int) -> Shown:
    """Begin a game against a level, by the rule book of another set-up."""
    setup = replace(
        like,
        rules=wanted.rules,
        first=wanted.first,
        names=(str(CLAIMANT), wanted.level.capitalize()),
        levels=(None, wanted.level),
        seed=seed,
        lessons=Lessons(hints=False),
    )
    session, events = Session.start(setup), tuple[Event, ...]()
    for multiplier in wanted.opening:
        session, events = session.accept(Move(multiplier))
    return session, events


class WalkState(Struct, kw_only=True):
    """What came of the last entry, and what is wanted next."""

    right: bool | None = None
    """Whether the entry was right; None where it was no answer."""
    answered: tuple[Item, Response] | None = None
    """The answer that was given, if it counts."""
    shown: list[str | Shown] = field(default_factory=list)
    """What is said, and the game after each move, in the order in which it came."""
    caption: str = ""
    """Which game is played now, of several."""
    item: Item | None = None
    """What is asked now."""
    is_over: bool = False
    is_done: bool = False
    """Whether it is over, and everything was right."""


Walking = Generator[WalkState, str, tuple[WalkState, Result]]


def replay(walk: Walk, entries: Iterable[str], like: Setup, seed: int) -> WalkState:
    """Walk as far as what was entered leads; ``like`` names the games' rule book."""
    walking = _walk(walk, like, seed)
    at = next(walking)
    for entry in entries:
        if at.is_over:
            message = "this is over; begin it again"
            raise NinefoldError(message)
        at = walking.send(entry)
    return at


def _walk(walk: Walk, like: Setup, seed: int) -> Generator[WalkState, str, None]:
    """Yield where the walk stands, and be sent the next entry; the last state stays."""
    at, result = WalkState(), None
    while not at.is_over:
        try:
            part = walk.send(result)
        except StopIteration as end:
            at.is_over, at.is_done = True, bool(end.value)
            break
        match part:
            case str():
                at.shown.append(part)
                result = None
            case Item():
                at, result = yield from _ask(part, at)
            case Play():
                seed += 1  # so that a level plays another game
                at, result = yield from _play(part, at, *begin_game(part, like, seed))
    yield at


def _ask(item: Item, at: WalkState) -> Walking:
    practice = Practice([item], tries=TRIES)
    while practice.item is not None:
        at.item = item
        entry = yield at
        at = WalkState()
        if entry == SKIP:
            practice.skip()
            continue
        response = practice.hint() if entry == HELP else practice.enter(entry)
        at.shown, at.right = [say_response(response)], response.right
        at.answered = (item, response) if response.counts else None
    return at, practice.given or None


def _play(
    wanted: Play, at: WalkState, session: Session, events: Sequence[Event]
) -> Walking:
    while True:
        at.shown.append((session, events))
        while session.game.outcome is None and (reply := session.automatic_command()):
            session, events = session.accept(reply)
            at.shown.append((session, events))
        if session.game.outcome is not None:
            return at, session.game
        at.caption = wanted.caption
        entry = yield at
        at = WalkState()
        ask = ResignGame() if entry == RESIGN else _move(entry)
        session, events = session.accept(session.decide(CLAIMANT, ask))


def _move(entry: str) -> Move:
    """Read a multiplier; nobody asks whether a loss is meant, as the keys tell it."""
    return Move(parse_number(entry, "multiplier"), accepts_loss=True)
