"""The review of a game: every move graded, and the turning point.

With best play one side wins at every position. Only a slip changes which, so the
*turning point* is the last slip; resigning a won position counts as one. A game
without slips was decided by its opening position and has no turning point.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct
from msgspec.structs import asdict, replace

from ninefold.coach.slips import Slip, slip_at
from ninefold.errors import TooLarge
from ninefold.game import NAMES, Game, Seat, Turn
from ninefold.text import shorten
from ninefold.theory import Budget, Oracle, Position, Won, explain, oracle_for
from ninefold.theory.explanation_sentences import times
from ninefold.theory.work_budget import REVIEW_STEPS


class Grade(Enum):
    """The quality of a move."""

    ONLY = "only"
    """The only winning move, found among several multipliers."""
    GOOD = "good"
    """A winning move, when more than one wins or there is only one multiplier."""
    SLIP = "slip"
    """A move that gave the win away."""
    LOST = "lost"
    """A move from a lost position."""


class GradedMove(Turn, frozen=True):
    """One move of a game, graded.

    ``winning`` are all the moves that won at ``total``. ``slip`` explains a slip and
    names the better moves. In a game with too many slips to explain, only the last
    ones have it.
    """

    grade: Grade
    winning: tuple[int, ...]
    slip: Slip | None = None

    @property
    def comment(self) -> str:
        """The grade in words; for a slip, with the better move."""
        if self.slip is not None:
            reason, better = self.slip.reason, self.slip.better.advice
            return f"This gave the win away. {reason} Better: {better}"
        return _COMMENTS[self.grade]


_COMMENTS = {
    Grade.ONLY: "The only winning move.",
    Grade.GOOD: "A winning move.",
    Grade.SLIP: "This gave the win away.",
    Grade.LOST: "Lost anyway: no move won here.",
}


class Resignation(Struct, frozen=True):
    """Who resigned, at which total, and how the player to move could have won.

    ``win`` is None if the player to move loses there.
    """

    seat: Seat
    to_move: Seat
    total: int
    win: Won | None

    @property
    def was_won(self) -> bool:
        """Whether the player who resigned would have won with best play."""
        return (self.seat is self.to_move) is (self.win is not None)

    def comment(self, names: Mapping[Seat, str] = NAMES) -> str:
        """Return the verdict on the resignation; names default to the seats'."""
        at = f"{names[self.seat]} resigned at {shorten(self.total)}"
        if not self.was_won:
            return f"{at}, with the game already lost."
        if self.win is not None:
            return f"{at} and could have won. Better: {self.win.advice}"
        mover = names[self.to_move]
        return f"{at} and could have won: every move of {mover} would have lost."


class OnlyMoves(Struct, frozen=True):
    """How often a player found the only winning move of several, and faced one."""

    found: int
    faced: int


class Review(Struct, frozen=True):
    """A game, every move of it graded.

    ``ahead`` is the seat that wins from here with best play, or has won.
    """

    game: Game
    steps: tuple[GradedMove, ...]
    resignation: Resignation | None
    ahead: Seat

    @property
    def turning_point(self) -> GradedMove | Resignation | None:
        """The last slip, or the resignation of a won position; None without either."""
        if self.resignation is not None and self.resignation.was_won:
            return self.resignation
        slips = [step for step in self.steps if step.grade is Grade.SLIP]
        return slips[-1] if slips else None

    def before_the_turn(self) -> Game | None:
        """Return the game just before the turning point; None if there is none."""
        turn = self.turning_point
        if turn is None:
            return None
        if isinstance(turn, Resignation):
            return self.game.undo()
        moves = self.game.moves[: turn.number - 1]
        return Game.replay(self.game.rules, moves, self.game.first)

    def only_moves(self, seat: Seat) -> OnlyMoves:
        """Count how often a player faced a single winning move, and found it.

        With only one multiplier in the game, there is nothing to find.
        """
        if len(self.game.rules.multipliers) == 1:
            return OnlyMoves(0, 0)
        faced = [s for s in self.steps if s.seat is seat and len(s.winning) == 1]
        return OnlyMoves(sum(s.grade is Grade.ONLY for s in faced), len(faced))

    def story(self, names: Mapping[Seat, str] = NAMES) -> str:
        """Return where the game turned, and the verdict on the resignation, if any.

        Names default to Player 1 and Player 2.
        """
        turn, gave_up = self.turning_point, self.resignation
        if isinstance(turn, Resignation):
            return f"The game turned at its end: {turn.comment(names)}"
        text = self._turned(turn, names)
        return text if gave_up is None else f"{text} {gave_up.comment(names)}"

    def _turned(self, turn: GradedMove | None, names: Mapping[Seat, str]) -> str:
        over = self.game.outcome is not None
        ahead = names[self.ahead]
        if turn is None:
            if over:
                return f"{ahead} could win from the start, and did."
            return f"{ahead} could win from the start, and still can."
        turned = (
            f"The game turned at move {turn.number}: at {shorten(turn.total)},"
            f" {names[turn.seat]} played {times(turn.multiplier)}"
            " and gave the win away."
        )
        return turned if over else f"{turned} {ahead} can win now."


def review(game: Game, oracle: Oracle | None = None) -> Review:
    """Grade every move of a game, finished or not.

    Passing an oracle for the same rules saves work; one for other rules raises
    ``TheoryError``. Rules that are too large for an exact answer raise ``TooLarge``.

    >>> from ninefold import Ending, Game, Rules, Seat
    >>> looked_at = review(Game.replay(Rules(Ending.REACH, 1000), [7, 9, 2, 9]))
    >>> [step.grade.name for step in looked_at.steps]
    ['SLIP', 'GOOD', 'LOST', 'GOOD']
    >>> looked_at.story({Seat.ONE: "Ada", Seat.TWO: "Blaise"})
    'The game turned at move 1: at 1, Ada played ×7 and gave the win away.'
    >>> looked_at.before_the_turn().moves, looked_at.only_moves(Seat.TWO)
    ((), OnlyMoves(found=0, faced=0))
    """
    oracle = oracle_for(game.rules, oracle)
    steps: list[GradedMove] = []
    for turn in game.turns():
        oracle.accept(turn.total)
        winning = oracle.winning_moves(turn.total)
        grade = _grade(turn.multiplier, winning, len(game.rules.multipliers))
        steps.append(GradedMove(**asdict(turn), grade=grade, winning=winning))
    _explain_slips(steps, oracle)
    resignation = None
    if game.resigned_by is not None:
        oracle.accept(game.total)
        position = explain(Position(game.rules, game.total), oracle)
        win = position if isinstance(position, Won) else None
        resignation = Resignation(game.resigned_by, game.to_move, game.total, win)
    if game.outcome is not None:
        ahead = game.outcome.winner
    else:
        ahead = game.to_move if oracle.wins(game.total) else game.to_move.other
    return Review(game, tuple(steps), resignation, ahead)


def try_review(game: Game, oracle: Oracle | None = None) -> Review | None:
    """Return the review of a game; None if its rules are too large for one."""
    try:
        return review(game, oracle)
    except TooLarge:
        return None


def _explain_slips(steps: list[GradedMove], oracle: Oracle) -> None:
    """Explain the slips, the last first, as it may be the turning point.

    The last slip has a budget of its own; the others share one.
    """
    slips = [i for i, step in enumerate(steps) if step.grade is Grade.SLIP]
    budget = None
    for i in reversed(slips):
        total, multiplier = steps[i].total, steps[i].multiplier
        oracle.accept(total)
        try:
            slip = slip_at(oracle, total, multiplier, budget)
        except TooLarge:
            return
        steps[i] = replace(steps[i], slip=slip)
        budget = budget or Budget(REVIEW_STEPS, "there are too many slips to explain")


def _grade(multiplier: int, winning: tuple[int, ...], choices: int) -> Grade:
    if not winning:
        return Grade.LOST
    if multiplier not in winning:
        return Grade.SLIP
    return Grade.ONLY if len(winning) == 1 and choices > 1 else Grade.GOOD
