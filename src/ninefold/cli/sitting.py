"""A match on the classic screen, and what can be done once it is over."""

from __future__ import annotations

from ninefold.cli.console import Console, InputEnded
from ninefold.cli.reviewing import say_review
from ninefold.cli.screen import Screen
from ninefold.cli.storage import open_store
from ninefold.coach import review
from ninefold.errors import TooLarge
from ninefold.session import Session, Setup
from ninefold.store import Keeper, KeptMatch

PACE = 0.8
"""How many seconds a level seems to think, at a terminal."""

SURFACE = "classic"
"""What the store calls this surface."""

_AFTERWARDS = "\nWhat now? (Enter: go on, r: review, t: again from the turning point) "


def sit_down(
    console: Console,
    setup: Setup,
    *,
    saves: bool = True,
    pace: float | None = None,
    called: str = "",
) -> None:
    """Play a match; afterwards, with a level or the coach, look back at it."""
    keeper = _keeper(console, saves=saves)
    _play(console, Session.start(setup), keeper, pace, called)


def resume(console: Console, kept: KeptMatch, *, pace: float | None = None) -> None:
    """Resume a match that is kept, whosever turn it is."""
    session = kept.session
    keeper = _keeper(console, match_id=kept.id, revision=session.revision)
    _play(console, session, keeper, pace, kept.setup.book)


def _keeper(
    console: Console,
    *,
    saves: bool = True,
    match_id: str | None = None,
    revision: int = 0,
) -> Keeper:
    return Keeper(
        lambda: open_store(console),
        console.notice,
        surface=SURFACE,
        saves=saves,
        match_id=match_id,
        revision=revision,
    )


def _play(
    console: Console, session: Session, keeper: Keeper, pace: float | None, called: str
) -> None:
    if pace is None:
        pace = PACE if console.at_terminal else 0
    screen = Screen(console, session, keeper, pace=pace, called=called)
    session = screen.play()
    if console.at_terminal and (session.setup.has_level or session.setup.lessons.coach):
        _look_back(console, screen)


def _look_back(console: Console, screen: Screen) -> None:
    """Offer the review of a game, and another try from its turning point."""
    while True:
        try:
            answer = console.ask(_AFTERWARDS).lower()
        except InputEnded:
            return  # the game had ended, so nothing was cut short
        match answer:
            case "":
                return
            case "r" | "review":
                _review(console, screen.session)
            case "t" | "try":
                _try_again(console, screen)
            case _:
                console.say("Press Enter, or type r or t.\n")


def _review(console: Console, session: Session) -> None:
    try:
        reviewed = review(session.game)
    except TooLarge:
        console.say("This game goes further than can be seen.\n")
        return
    say_review(console, reviewed, session.setup.names)


def _try_again(console: Console, screen: Screen) -> None:
    try:
        retry = screen.session.retry()
    except TooLarge:
        console.say("This game goes further than can be seen.\n")
        return
    if retry is None:
        console.say("Nobody slipped in this game: it has no turning point.\n")
        return
    screen.try_again(retry)
