"""A match on the classic screen, and what can be done once it is over."""

from __future__ import annotations

from enum import Enum

from ninefold.cli.console import Console, InputEnded, Left
from ninefold.cli.output import say_review
from ninefold.cli.questions import write_offers
from ninefold.cli.screen import Screen
from ninefold.cli.storage import open_store
from ninefold.coach import Review, review
from ninefold.errors import TooLarge
from ninefold.session import Rematch, Retry, Session, Setup
from ninefold.store import LogWriter, StoredMatch

PACE = 0.8
"""How many seconds a level seems to think, at a terminal."""

SURFACE = "classic"
"""What the store calls this surface."""


class Afterwards(Enum):
    """Where the players go after a match."""

    MENU = "menu"
    AWAY = "away"


def sit_down(
    console: Console,
    setup: Setup,
    *,
    saves: bool = True,
    pace: float | None = None,
    called: str = "",
    has_menu: bool = False,
) -> Afterwards:
    """Play a match, and at a terminal as many more as the players like.

    ``has_menu`` says that they came from the menu and can go back to it.
    """
    session = Session.start(setup)
    keeper = _keeper(console, saves=saves)
    screen = Screen(console, session, keeper, pace=_pace(console, pace), called=called)
    return _play(console, screen, has_menu=has_menu)


def resume(
    console: Console,
    kept: StoredMatch,
    *,
    pace: float | None = None,
    has_menu: bool = False,
) -> Afterwards:
    """Resume a match that is kept, whosever turn it is; go on as ``sit_down`` does."""
    session, called = kept.session, kept.setup.book
    keeper = _keeper(console, match_id=kept.id, revision=session.revision)
    screen = Screen(console, session, keeper, pace=_pace(console, pace), called=called)
    return _play(console, screen, has_menu=has_menu)


def _keeper(
    console: Console,
    *,
    saves: bool = True,
    match_id: str | None = None,
    revision: int = 0,
) -> LogWriter:
    return LogWriter(
        lambda: open_store(console),
        console.notice,
        surface=SURFACE,
        saves=saves,
        match_id=match_id,
        revision=revision,
    )


def _pace(console: Console, pace: float | None) -> float:
    if pace is None:
        return PACE if console.at_terminal else 0
    return pace


def _play(console: Console, screen: Screen, *, has_menu: bool) -> Afterwards:
    """Play; what was entered before is not recalled at the table, nor the reverse."""
    console.prompt.forget()
    try:
        return _play_on(console, screen, has_menu=has_menu)
    finally:
        console.prompt.forget()


def _play_on(console: Console, screen: Screen, *, has_menu: bool) -> Afterwards:
    screen.play()
    while console.at_terminal:
        try:
            command = _ask_what_next(console, screen.session, has_menu=has_menu)
        except (InputEnded, Left):
            break  # the game had ended, so nothing was cut short
        if command is None:
            return Afterwards.MENU
        screen.play_again(command)
    return Afterwards.AWAY


def _ask_what_next(
    console: Console, session: Session, *, has_menu: bool
) -> Rematch | Retry | None:
    """Offer what is possible after a match; return None for the menu."""
    reviewed, retry = _look_back(session)
    rematch = session.rematch()
    starts = f"{session.setup.name(rematch.first)} starts"
    if session.setup.first_tossed:
        starts = "tossed again"
    offers = [f"Enter rematch ({starts})"]
    answers: dict[str, Rematch | Retry | None] = {"": rematch, "rematch": rematch}
    if reviewed is not None:
        offers.append("r review")
    if retry is not None:
        offers.append(f"t try again from move {len(retry.moves) + 1}")
        answers |= {"t": retry, "try": retry}
    if has_menu:
        offers.append("m menu")
        answers |= {"m": None, "menu": None}
    offers.append("q quit")
    question = write_offers(console, offers)
    while True:
        answer = console.ask(question).lower()
        if answer in answers:
            return answers[answer]
        if reviewed is not None and answer in ("r", "review"):
            say_review(console, reviewed, session.setup.names)
        else:
            console.say("Press Enter, or type one of these letters.\n")


def _look_back(session: Session) -> tuple[Review | None, Retry | None]:
    """Return the review of the last game and where to try again, if there are any."""
    try:
        return review(session.game), session.retry()
    except TooLarge:
        return None, None
