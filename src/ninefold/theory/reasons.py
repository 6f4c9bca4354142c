"""Why a position is won or lost: the reason as data, and the sentences for it.

Every surface says the same, for the sentences are made from the data and from
nothing else. What the data claims can be checked with multiplication alone; see
``ninefold.theory.ladder``.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ninefold.errors import TooLarge
from ninefold.game import Game, Outcome
from ninefold.rules import Ending, Reason, Rules
from ninefold.text import shorten
from ninefold.theory.budget import Budget
from ninefold.theory.ladder import Ladder, Rung
from ninefold.theory.oracle import Oracle, oracle_for
from ninefold.theory.sentences import Telling, times

_STEPS_FOR_A_CLAUSE = 50


class Position(Struct, frozen=True):
    """A total of a game, however it came about."""

    rules: Rules
    total: int


class Won(Struct, frozen=True):
    """The player to move, who is "you" in the sentences, wins.

    ``moves`` are all that win, and ``move`` is the best of them, which makes the
    total ``leaves``. If that ends the game, ``rung`` is None; else it says why the
    other player loses from there. ``distance`` counts the moves to the end when you
    hurry and the other holds out; None where it is too far to be found.
    """

    rules: Rules
    total: int
    moves: tuple[int, ...]
    move: int
    leaves: int
    distance: int | None
    rung: Rung | None

    @property
    def short(self) -> str:
        """The reason in three sentences at most."""
        if self.rung is None:
            return self._at_once()
        telling = Telling(self.rules, winner="you", again=" again")
        leaves = f"{times(self.move)} leaves {shorten(self.leaves)}."
        length = f" {_within(self.distance)}" if self.distance is not None else ""
        return f"{leaves} {telling.in_short(self.rung)}{length}"

    @property
    def hint(self) -> str:
        """The move to play, in one sentence."""
        wins = (
            "wins now" if self.rung is None else "wins from here, if you go on as well"
        )
        return f"{shorten(self.move)} {wins}."

    def _at_once(self) -> str:
        target, made = shorten(self.rules.target), shorten(self.leaves)
        if self.rules.ending is Ending.EXACT:
            return f"{times(self.move)} makes exactly {target}, and that wins."
        if self.leaves == self.rules.target:
            return f"{times(self.move)} reaches {target}, and that wins."
        return f"{times(self.move)} makes {made}, which is past {target}, and wins."

    def rungs(self, oracle: Oracle | None = None) -> Iterator[Rung]:
        """Yield the whole proof: why what you leave is lost, down to the end.

        Where it is too long, ``TooLarge`` is raised after the first part of it.
        """
        return _Proof(self.rules, oracle).rungs(self.rung)

    def chain(self, oracle: Oracle | None = None) -> Iterator[str]:
        """Yield the whole proof in sentences, the first of which says what to play.

        Where it is too long, the last one says that more follows.
        """
        leaves = f"{times(self.move)} leaves {shorten(self.leaves)}."
        first = self._at_once() if self.rung is None else leaves
        return _Proof(self.rules, oracle).sentences(self.rung, first)


class Lost(Struct, frozen=True):
    """The player to move, who is "you" in the sentences, loses against best play.

    ``longest`` are all the moves that hold out longest, ``move`` is the first of
    them, and ``rung`` says why every move fails. ``distance`` counts the moves to the
    end then; None where it is too far to be found. There ``longest`` is empty, and
    ``move`` the smallest of all. ``moves``, those that win, are none.
    """

    rules: Rules
    total: int
    longest: tuple[int, ...]
    move: int
    distance: int | None
    rung: Rung
    moves = ()

    @property
    def short(self) -> str:
        """The reason in three sentences at most."""
        telling = Telling(self.rules, winner="the other player", answer="move")
        reason = telling.in_short(self.rung)
        if not self.rung.lines:
            return reason
        if self.distance is None:
            return f"This is lost against best play. {reason}"
        end = f"the end comes after {self.distance} moves"
        if len(self.longest) < len(self.rules.multipliers):
            end = f"{times(self.move)} holds out longest: {end}, yours included"
        elif len(self.longest) > 1:
            end = f"Whatever you play, {end}"
        else:
            end = f"{end[0].upper()}{end[1:]}, yours included"
        return f"This is lost against best play. {reason} {end}."

    @property
    def hint(self) -> str:
        """The move that holds out longest, unless all do alike, in one sentence."""
        hint = "No move wins here against best play"
        if len(self.longest) < len(self.rules.multipliers):
            hint += f"; {shorten(self.move)} holds out longest"
        return f"{hint}."

    def rungs(self, oracle: Oracle | None = None) -> Iterator[Rung]:
        """Yield the whole proof: why every move fails, down to the end.

        Where it is too long, ``TooLarge`` is raised after the first part of it.
        """
        return _Proof(self.rules, oracle).rungs(self.rung)

    def chain(self, oracle: Oracle | None = None) -> Iterator[str]:
        """Yield the whole proof in sentences.

        Where it is too long, the last one says that more follows.
        """
        return _Proof(self.rules, oracle).sentences(self.rung)


class Ended(Struct, frozen=True):
    """The game is over, and this is how it ended."""

    rules: Rules
    total: int
    outcome: Outcome

    @property
    def short(self) -> str:
        """How it ended, in one sentence."""
        winner, reason = self.outcome.winner, self.outcome.reason
        target, made = shorten(self.rules.target), shorten(self.total)
        if reason is Reason.RESIGNED:
            return f"{winner} has won: {winner.other} gave up at {made}."
        if reason is Reason.EXACT:
            return f"{winner} has won by making exactly {target}."
        mover = winner if self.rules.ending is Ending.REACH else winner.other
        past = "reaches" if self.total == self.rules.target else "is past"
        return f"{winner} has won: {mover} made {made}, which {past} {target}."

    @property
    def hint(self) -> str:
        """The same: there is nothing left to play."""
        return self.short

    def rungs(self, oracle: Oracle | None = None) -> Iterator[Rung]:
        """Yield nothing: there is nothing left to prove."""
        return _Proof(self.rules, oracle).rungs(None)

    def chain(self, oracle: Oracle | None = None) -> Iterator[str]:
        """Yield the one sentence."""
        return _Proof(self.rules, oracle).sentences(None, self.short)


def explain(
    position: Game | Position,
    oracle: Oracle | None = None,
    budget: Budget | None = None,
) -> Won | Lost | Ended:
    """Say why the player to move wins or loses, or how the game ended.

    An oracle for the same rules, if there is one at hand, saves work; one for other
    rules is refused with ``TheoryError``. A budget may be given that several
    explanations share; without one, each has its own.

    >>> from ninefold import Ending, Game, Rules
    >>> game = Game.start(Rules(Ending.REACH, 1000))
    >>> print(explain(game).short)
    ×5 leaves 5. Any answer makes 10 to 45, and from each of those you can hand over \
56 to 111 again. You win within 5 moves, counting both players'.
    >>> for sentence in explain(game.play(5)).chain():
    ...     print(sentence)
    Whoever faces 5 loses: any answer makes 10 to 45, and from each of those the other \
player can hand over 56 to 111.
    Whoever faces 56 to 111 loses: any answer makes 112 to 999, and from each of those \
the other player can reach 1000 with ×9.
    """
    rules, total = position.rules, position.total
    oracle = oracle_for(rules, oracle)
    if isinstance(position, Game) and position.outcome is not None:
        return Ended(rules, total, position.outcome)
    if isinstance(position, Game):
        oracle.accept(total)
    moves = oracle.winning_moves(total)
    longest: tuple[int, ...] = ()
    try:
        move = oracle.best_move(total, budget)
        distance = oracle.distance(total, budget)
        if not moves:
            longest = oracle.longest_moves(total, budget)
    except TooLarge:
        # Who wins is known; only how soon is not.
        move = moves[len(moves) // 2] if moves else rules.multipliers[0]
        distance = None
    ladder = Ladder(oracle, budget)
    if not moves:
        return Lost(rules, total, longest, move, distance, ladder.rung(total))
    leaves = rules.after(total, move)
    ends = rules.verdict(leaves) is not None
    rung = None if ends else ladder.rung(leaves)
    return Won(rules, total, moves, move, leaves, distance, rung)


class _Proof:
    """The rungs below one, and the sentences for them, within one budget."""

    __slots__ = ("_ladder", "_rules")

    def __init__(self, rules: Rules, oracle: Oracle | None) -> None:
        self._rules = rules
        self._ladder = Ladder(oracle_for(rules, oracle))

    def rungs(self, rung: Rung | None) -> Iterator[Rung]:
        if rung is not None:
            yield rung
            yield from self._ladder.below(rung)

    def sentences(self, rung: Rung | None, *before: str) -> Iterator[str]:
        yield from before
        telling = Telling(self._rules, winner="the other player")
        try:
            for each in self.rungs(rung):
                clauses = telling.clauses(each)
                yield f"Whoever faces {each.faces} loses: {'; '.join(clauses)}."
                self._ladder.budget.spend(_STEPS_FOR_A_CLAUSE * len(clauses))
        except TooLarge as refusal:
            yield f"More follows: {refusal}."


def _within(distance: int) -> str:
    return f"You win within {distance} moves, counting both players'."
