"""Claims: "8 is lost", proved or refuted by playing.

The learner plays three games from the claimed total, and Perfect takes the other side.
A true claim is proved if the learner wins every game; a false one is refuted by the
first.
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
    """The result of a claim."""

    PROVED = "proved"
    SLIPPED = "slipped"
    """The claim is true, but the learner lost a game."""
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
        """The message before the first game: what the claim means, and what to do."""
        means, starts = "the player to move can win", "You start"
        if self.lost:
            means, starts = "every move from it loses", "Perfect starts"
        return (
            f"You say {self}: {means}. Prove it: win {GAMES} games from there against"
            f" Perfect. {starts}."
        )

    @property
    def played_by(self) -> Rules:
        """The same rules, but with the claimed total as the start."""
        rules = self.rules
        return Rules(rules.ending, rules.target, rules.multipliers, self.total)

    @property
    def first(self) -> Seat:
        """Who starts: the learner, or Perfect if the total is claimed to be lost."""
        return LEARNER.other if self.lost else LEARNER

    @property
    def is_true(self) -> bool:
        return self._oracle().wins(self.total) is not self.lost

    @property
    def winners(self) -> str:
        """Every move that wins at the total."""
        return times(*self._oracle().winning_moves(self.total), last="or")

    def _oracle(self) -> Oracle:
        oracle = Oracle(self.rules)  # not shared: it accepts an unchecked total
        oracle.accept(self.total)
        return oracle

    def why(self, *moves: int) -> str:
        """Return who wins from the total, or after some moves from it, and why.

        Explained by the rules of the whole game: ``played_by`` would cut off the bands.
        """
        total = self.total
        for move in moves:
            total = self.rules.after(total, move)
        oracle = Oracle(self.rules)
        oracle.accept(total)
        return explain(Position(self.rules, total), oracle).short

    def opening(self, number: int) -> tuple[int, ...]:
        """Return Perfect's first move in game ``number``, from 0: different each time.

        Empty if Perfect does not start, if it starts with the move that refutes the
        claim, or if every move ends the game.
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
    """The result of a claim, and the message about it."""

    result: ClaimResult
    words: str


def claim(rules: Rules, total: int, *, lost: bool) -> Claim:
    """Return a claim; raise ``PositionError`` if the total cannot be reached.

    >>> from ninefold import Ending, Rules
    >>> claim(Rules(Ending.REACH, 100), 8, lost=True).is_true
    True
    >>> claim(Rules(Ending.REACH, 100), 11, lost=True)
    Traceback (most recent call last):
    ninefold.errors.PositionError: 11 is not a position in this game: it cannot be \
reached from 1 with 2-9; choose another total
    """
    try:
        oracle_for(rules).wins(total)
    except PositionError as error:
        if not rules.start <= total < rules.target:
            raise
        # Not the oracle's message: it may name the band the learner is looking for.
        moves, start = format_set(rules.multipliers), shorten(rules.start)
        problem = (
            f"it cannot be reached from {start} with {moves}; choose another total"
        )
        raise PositionError(total, problem) from error
    return Claim(rules, total, lost)


def read_claim(rules: Rules, text: str) -> Claim:
    """Read a claim that a person typed, such as ``claim 8 lost`` or ``8 lost``."""
    match text.lower().removeprefix("claim").split():
        case [typed, "lost" | "won" as says] if total := read_product(typed):
            return claim(rules, total, lost=says == "lost")
    message = "type a total, and lost or won, such as: claim 8 lost"
    raise NinefoldError(message)


def play_out(claimed: Claim, challenge: str = "") -> Course:
    """Play the games of a claim, then show its result; return whether it was proved.

    ``challenge`` is the message before them, by default the claim's own.
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
    """Judge a claim from the games played for it; None if another game is needed.

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
        win = claimed.lost and f"From the other side, play {claimed.winners}. "
        text = f"False: {truth}. {win or ''}{claimed.why()}"
        return ClaimOutcome(ClaimResult.FALSE, text)
    slips = [
        f"True, but you slipped at {shorten(step.total)}:"
        f" there you win with {times(*step.winning, last='or')}."
        for step in review(last).steps
        if step.seat is LEARNER and step.slip is not None
    ]
    text = slips[0] if slips else "True, but you gave up a game."
    return ClaimOutcome(ClaimResult.SLIPPED, text)
