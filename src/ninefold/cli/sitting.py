"""A sitting: a match, and what the players may want once it is over."""

from __future__ import annotations

from ninefold.cli.keeping import Keeper
from ninefold.cli.table import Table
from ninefold.match import Length, Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.cli.agreement import Agreement
    from ninefold.cli.console import Console
    from ninefold.store import KeptMatch

PACE = 0.8
"""How many seconds the computer seems to think, at a terminal."""

_AFTERWARDS = "\nWhat now? (Enter: leave, r: review, t: again from the turning point) "


def sit_down(
    console: Console,
    agreement: Agreement,
    *,
    saves: bool = True,
    pace: float | None = None,
) -> None:
    """Play a match; afterwards, with the computer or the coach, look back at it."""
    keeper = Keeper(console, agreement, saves=saves)
    match = _table(console, agreement, keeper, pace).play()
    if agreement.has_computer or agreement.lessons.coach:
        _look_back(console, agreement, match, saves=saves, pace=pace)


def go_on(console: Console, kept: KeptMatch, *, pace: float | None = None) -> None:
    """Go on with a match that is kept, whoever's turn it is."""
    from ninefold.cli.keeping import agreement_of

    agreement = agreement_of(kept.setup)
    keeper = Keeper(console, agreement, match_id=kept.id)
    keeper.take_up(len(kept.games))
    match = _table(console, agreement, keeper, pace).play(kept.match, kept.game)
    if agreement.has_computer or agreement.lessons.coach:
        _look_back(console, agreement, match, saves=True, pace=pace)


def _table(
    console: Console, agreement: Agreement, keeper: Keeper, pace: float | None
) -> Table:
    if pace is None:
        pace = PACE if console.at_terminal else 0
    return Table(console, agreement, keeper, pace)


def _look_back(
    console: Console,
    agreement: Agreement,
    match: Match,
    *,
    saves: bool,
    pace: float | None,
) -> None:
    """Offer the review of the last game, and another try from its turning point."""
    while console.at_terminal:
        from ninefold.cli.reviewing import say_review
        from ninefold.coach import review

        reviewed = review(match.games[-1])
        answer = console.ask(_AFTERWARDS).lower()
        if answer == "r":
            say_review(console, reviewed, agreement.names)
        elif answer == "t":
            earlier = reviewed.before_the_turn()
            if earlier is None:
                console.say("Nobody slipped in this game: it has no turning point.\n")
                continue
            console.say("\n")
            again = Match(earlier.rules, Length.best_of(1), first=earlier.first)
            agreement = agreement.replace(match=again, first_tossed=False)
            keeper = Keeper(console, agreement, saves=saves)
            match = _table(console, agreement, keeper, pace).play(again, earlier)
        else:
            return
