"""A sitting: a match, and what the players may want once it is over."""

from __future__ import annotations

from ninefold.cli.agreement import new_seed
from ninefold.cli.console import InputEnded
from ninefold.cli.keeping import Keeper
from ninefold.cli.table import Table
from ninefold.match import Length, Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.cli.agreement import Agreement
    from ninefold.cli.console import Console
    from ninefold.coach import Review
    from ninefold.game import Game
    from ninefold.store import KeptMatch

PACE = 0.8
"""How many seconds the computer seems to think, at a terminal."""

_AFTERWARDS = "\nWhat now? (Enter: go on, r: review, t: again from the turning point) "


def sit_down(
    console: Console,
    agreement: Agreement,
    *,
    saves: bool = True,
    pace: float | None = None,
) -> None:
    """Play a match; afterwards, with the computer or the coach, look back at it."""
    _Sitting(console, saves=saves, pace=pace).play(agreement)


def go_on(
    console: Console,
    agreement: Agreement,
    kept: KeptMatch,
    *,
    pace: float | None = None,
) -> None:
    """Go on with a match that is kept, whoever's turn it is."""
    sitting = _Sitting(console, saves=True, pace=pace)
    keeper = Keeper(console, agreement, match_id=kept.id, begun=len(kept.games))
    sitting.play(agreement, keeper, kept.match, kept.game)


class _Sitting:
    def __init__(self, console: Console, *, saves: bool, pace: float | None) -> None:
        self._console = console
        self._saves = saves
        self._pace = (PACE if console.at_terminal else 0) if pace is None else pace

    def play(
        self,
        agreement: Agreement,
        keeper: Keeper | None = None,
        match: Match | None = None,
        game: Game | None = None,
    ) -> None:
        """Play a match to its end, and then whatever grows out of looking back."""
        keeper = keeper or Keeper(self._console, agreement, saves=self._saves)
        table = Table(self._console, agreement, keeper, self._pace)
        match = table.play(match, game)
        if agreement.has_computer or agreement.lessons.coach:
            self._look_back(agreement, match.games[-1])

    def _look_back(self, agreement: Agreement, game: Game) -> None:
        """Offer the review of a game, and another try from its turning point."""
        while self._console.at_terminal:
            try:
                answer = self._console.ask(_AFTERWARDS).lower()
            except InputEnded:
                return  # the game had ended, so nothing was cut short
            match answer:
                case "":
                    return
                case "r" | "review":
                    self._review(agreement, game)
                case "t" | "try":
                    earlier = self._before_the_turn(agreement, game)
                    if earlier is not None:
                        self._try_again(agreement, earlier)
                        return
                case _:
                    self._console.say("Press Enter, or type r or t.\n")

    def _review(self, agreement: Agreement, game: Game) -> None:
        from ninefold.cli.reviewing import say_review

        reviewed = self._reviewed(game)
        if reviewed is not None:
            say_review(self._console, reviewed, agreement.names)

    def _reviewed(self, game: Game) -> Review | None:
        from ninefold.coach import review
        from ninefold.errors import TooLarge

        try:
            return review(game)
        except TooLarge:
            self._console.say("This game goes further than can be seen.\n")
            return None

    def _before_the_turn(self, agreement: Agreement, game: Game) -> Game | None:
        """Return the game as it was when a person last gave the win away.

        Whoever lost did so at the turning point. Whoever won has more to learn from a
        slip of their own, if there was one, than from the other's.
        """
        reviewed = self._reviewed(game)
        if reviewed is None:
            return None
        gave_up = reviewed.resignation
        if gave_up and gave_up.was_won and agreement.is_human(gave_up.seat):
            return game.undo()
        for step in reversed(reviewed.steps):
            if step.slip is not None and agreement.is_human(step.seat):
                moves = game.moves[: step.number - 1]
                return type(game)(game.rules, moves, game.first)
        earlier = reviewed.before_the_turn()
        if earlier is None:
            self._console.say("Nobody slipped in this game: it has no turning point.\n")
        return earlier

    def _try_again(self, agreement: Agreement, game: Game) -> None:
        self._console.say("\n")
        again = Match(game.rules, Length.best_of(1), first=game.first)
        another = agreement.replace(
            match=again, seed=new_seed(), first_tossed=False, retry=True
        )
        self.play(another, game=game)
