"""Claims: "I say 8 is lost", settled by playing it out.

Whoever claims something plays for it, three games from that total, and the program
takes the other side: it defends as well as can be. A true claim holds if every game is
won; a false one is refuted by the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from ninefold.coach import review
from ninefold.errors import NinefoldError, PositionError
from ninefold.game import Game, Seat
from ninefold.learning.product_slips import read_product
from ninefold.learning.walk import LEARNER, Course, Play, is_won
from ninefold.levels import by_resistance
from ninefold.rules import Rules
from ninefold.text import format_set, shorten
from ninefold.theory import Oracle, Position, explain, oracle_for
from ninefold.theory.explanation_sentences import times

GAMES = 3


class ClaimResult(Enum):
    """What became of a claim."""

    PROVED = "proved"
    SLIPPED = "slipped"
    """It is true, but a game was lost."""
    FALSE = "false"


class Claim(Struct, frozen=True):
    """A total, and whether the player to move there wins or loses."""

    rules: Rules
    """The rules of the game, from its own start."""
    total: int
    lost: bool

    def __str__(self) -> str:
        return f"{shorten(self.total)} is {'lost' if self.lost else 'won'}"

    @property
    def challenge(self) -> str:
        """What the program says to it, before the first game."""
        means, begins = "whoever moves there can win", "You begin"
        if self.lost:
            means, begins = "every move from it loses", "I begin"
        return (
            f"You say: {self}. That is, {means}. Then win from there {GAMES} times,"
            f" against my best. {begins}."
        )

    @property
    def played_by(self) -> Rules:
        """The same rules, from the total that is claimed."""
        rules = self.rules
        return Rules(rules.ending, rules.target, rules.multipliers, self.total)

    @property
    def first(self) -> Seat:
        """Who begins: at a total that is claimed to be lost, the program."""
        return LEARNER.other if self.lost else LEARNER

    @property
    def is_true(self) -> bool:
        return self._oracle().wins(self.total) is not self.lost

    @property
    def winners(self) -> str:
        """Every move that wins at the total."""
        return times(*self._oracle().winning_moves(self.total), last="or")

    def _oracle(self) -> Oracle:
        oracle = Oracle(self.rules)  # one of its own: it takes any total for a position
        oracle.accept(self.total)
        return oracle

    def why(self, *moves: int) -> str:
        """Say who wins from the total, or after some moves, and why.

        It is said by the whole game: played from here, its bands would begin here.
        """
        total = self.total
        for move in moves:
            total = self.rules.after(total, move)
        oracle = Oracle(self.rules)
        oracle.accept(total)
        return explain(Position(self.rules, total), oracle).short

    def opening(self, number: int) -> tuple[int, ...]:
        """Return the program's first move in a game, from 0: another one each time.

        It is empty where the program does not begin, where it begins with the move that
        refutes the claim, and where every move ends the game.
        """
        if not (self.lost and self.is_true):
            return ()
        oracle, rules = self._oracle(), self.rules
        moves = [
            move
            for move in by_resistance(oracle, self.total)
            if rules.verdict(rules.after(self.total, move)) is None
        ]
        return (moves[number % len(moves)],) if moves else ()


class ClaimOutcome(Struct, frozen=True):
    """A claim that was played out."""

    result: ClaimResult
    words: str


def claim(rules: Rules, total: int, *, lost: bool) -> Claim:
    """Claim something about a total; one that cannot occur is refused.

    >>> from ninefold import Ending, Rules
    >>> claim(Rules(Ending.REACH, 100), 8, lost=True).is_true
    True
    >>> claim(Rules(Ending.REACH, 100), 11, lost=True)
    Traceback (most recent call last):
    ninefold.errors.PositionError: 11 is no position of this game: no moves of 2-9 \
lead to it from 1; claim something about another total
    """
    try:
        oracle_for(rules).wins(total)
    except PositionError as error:
        if not rules.start <= total < rules.target:
            raise
        # Not in the oracle's words, which may name the band that is looked for.
        moves, start = format_set(rules.multipliers), shorten(rules.start)
        problem = (
            f"no moves of {moves} lead to it from {start};"
            " claim something about another total"
        )
        raise PositionError(total, problem) from error
    return Claim(rules, total, lost)


def read_claim(rules: Rules, text: str) -> Claim:
    """Read what somebody claims, such as ``claim 8 lost`` or ``8 lost``."""
    match text.lower().removeprefix("claim").split():
        case [typed, "lost" | "won" as says] if total := read_product(typed):
            return claim(rules, total, lost=says == "lost")
    message = "type a total, and lost or won, such as: claim 8 lost"
    raise NinefoldError(message)


def play_out(claimed: Claim, challenge: str = "") -> Course:
    """Play a claim out, and say what became of it; return whether it held.

    It begins with a challenge, by default the claim's own.
    """
    yield challenge or claimed.challenge
    games: list[Game] = []
    settled = None
    while settled is None:
        number = len(games)
        game = yield Play(
            claimed.played_by,
            claimed.first,
            opening=claimed.opening(number),
            caption=f"Game {number + 1} of {GAMES}",
        )
        if isinstance(game, Game):
            games.append(game)
            settled = judge_claim(claimed, games)
    yield settled.words
    return settled.result is ClaimResult.PROVED


def judge_claim(claimed: Claim, games: Sequence[Game]) -> ClaimOutcome | None:
    """Judge a claim by the games that were played for it; None if one is to follow.

    >>> from ninefold import Ending, Game, Rules
    >>> eight = claim(Rules(Ending.REACH, 100), 8, lost=True)
    >>> game = Game.replay(eight.played_by, [2, 9], eight.first)
    >>> print(judge_claim(eight, [game, game, game]).words)
    Proved: 8 is lost. You won all three games.
    """
    last = games[-1]
    if is_won(last):
        if len(games) < GAMES:
            return None
        return ClaimOutcome(
            ClaimResult.PROVED, f"Proved: {claimed}. You won all three games."
        )
    if not claimed.is_true:
        truth = Claim(claimed.rules, claimed.total, not claimed.lost)
        place = f"In my place, play {claimed.winners}. " if claimed.lost else ""
        words = f"False: {truth}. {place}{claimed.why()}"
        return ClaimOutcome(ClaimResult.FALSE, words)
    slips = [
        f"True, but you slipped at {shorten(step.total)}:"
        f" there you win with {times(*step.winning, last='or')}."
        for step in review(last).steps
        if step.seat is LEARNER and step.slip is not None
    ]
    words = slips[0] if slips else "True, but you gave a game up."
    return ClaimOutcome(ClaimResult.SLIPPED, words)
