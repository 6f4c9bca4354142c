"""Why a position is won or lost: the reason as data, and the sentences for it.

Every surface says the same, for the sentences are made from the data and from
nothing else. What the data claims can be checked with multiplication alone; see
``ninefold.theory.ladder``.
"""

from __future__ import annotations

from ninefold.errors import TooLarge
from ninefold.game import Game, Outcome
from ninefold.numerals import shorten
from ninefold.rules import Ending, Reason, Rules
from ninefold.theory.ladder import Ladder, Rung
from ninefold.theory.oracle import Oracle
from ninefold.theory.sentences import Telling, times
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Position(Value):
    """A total of a game, however it came about."""

    __slots__ = __match_args__ = ("rules", "total")
    rules: Rules
    total: int

    def __init__(self, rules: Rules, total: int) -> None:
        """Take any total; whether it is a position is for the oracle to say."""
        hold(self, "rules", rules)
        hold(self, "total", total)


class Won(Value):
    """The player to move, who is "you" in the sentences, wins.

    ``moves`` are all that win, and ``move`` is the best of them, which makes the
    total ``leaves``. If that ends the game, ``rung`` is None; else it says why the
    other player loses from there. ``distance`` counts the moves to the end when you
    hurry and the other holds out; None where it is too far to be found.
    """

    __slots__ = __match_args__ = (
        "rules",
        "total",
        "moves",
        "move",
        "leaves",
        "distance",
        "rung",
    )
    rules: Rules
    total: int
    moves: tuple[int, ...]
    move: int
    leaves: int
    distance: int | None
    rung: Rung | None

    def __init__(  # noqa: PLR0913, PLR0917 - its fields
        self,
        rules: Rules,
        total: int,
        moves: tuple[int, ...],
        move: int,
        leaves: int,
        distance: int | None,
        rung: Rung | None,
    ) -> None:
        """Name the move and why it wins."""
        hold(self, "rules", rules)
        hold(self, "total", total)
        hold(self, "moves", moves)
        hold(self, "move", move)
        hold(self, "leaves", leaves)
        hold(self, "distance", distance)
        hold(self, "rung", rung)

    @property
    def short(self) -> str:
        """The reason in three sentences at most."""
        if self.rung is None:
            return self._at_once()
        telling = Telling(self.rules, winner="you", again=" again")
        leaves = f"{times(self.move)} leaves {shorten(self.leaves)}."
        length = f" {_within(self.distance)}" if self.distance is not None else ""
        return f"{leaves} {telling.in_short(self.rung)}{length}"

    def _at_once(self) -> str:
        target, made = shorten(self.rules.target), shorten(self.leaves)
        if self.rules.ending is Ending.EXACT:
            return f"{times(self.move)} makes exactly {target}, and that wins."
        if self.leaves == self.rules.target:
            return f"{times(self.move)} reaches {target}, and that wins."
        return f"{times(self.move)} makes {made}, which is past {target}, and wins."

    def rungs(self, oracle: Oracle | None = None) -> Iterator[Rung]:
        """Yield the whole proof: why what you leave is lost, down to the end."""
        return _down_from(self.rules, self.rung, oracle)

    def chain(self, oracle: Oracle | None = None) -> Iterator[str]:
        """Yield the whole proof in sentences, the first of which says what to play."""
        yield (
            self._at_once()
            if self.rung is None
            else (f"{times(self.move)} leaves {shorten(self.leaves)}.")
        )
        yield from _told(self.rules, self.rungs(oracle))


class Lost(Value):
    """The player to move, who is "you" in the sentences, loses against best play.

    ``longest`` are all the moves that hold out longest, ``move`` is the first of
    them, and ``rung`` says why every move fails. ``distance`` counts the moves to the
    end then; None where it is too far to be found. There ``longest`` is empty, and
    ``move`` the smallest of all. ``moves``, those that win, are none.
    """

    __slots__ = __match_args__ = (
        "rules",
        "total",
        "longest",
        "move",
        "distance",
        "rung",
    )
    rules: Rules
    total: int
    longest: tuple[int, ...]
    move: int
    distance: int | None
    rung: Rung
    moves = ()

    def __init__(  # noqa: PLR0913, PLR0917 - its fields
        self,
        rules: Rules,
        total: int,
        longest: tuple[int, ...],
        move: int,
        distance: int | None,
        rung: Rung,
    ) -> None:
        """Name the moves that hold out longest and why all fail."""
        hold(self, "rules", rules)
        hold(self, "total", total)
        hold(self, "longest", longest)
        hold(self, "move", move)
        hold(self, "distance", distance)
        hold(self, "rung", rung)

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

    def rungs(self, oracle: Oracle | None = None) -> Iterator[Rung]:
        """Yield the whole proof: why every move fails, down to the end."""
        return _down_from(self.rules, self.rung, oracle)

    def chain(self, oracle: Oracle | None = None) -> Iterator[str]:
        """Yield the whole proof in sentences."""
        return _told(self.rules, self.rungs(oracle))


class Ended(Value):
    """The game is over, and this is how it ended."""

    __slots__ = __match_args__ = ("rules", "total", "outcome")
    rules: Rules
    total: int
    outcome: Outcome

    def __init__(self, rules: Rules, total: int, outcome: Outcome) -> None:
        """Name the last total and the outcome."""
        hold(self, "rules", rules)
        hold(self, "total", total)
        hold(self, "outcome", outcome)

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

    def rungs(self, oracle: Oracle | None = None) -> Iterator[Rung]:
        """Yield nothing: there is nothing left to prove."""
        return _down_from(self.rules, None, oracle)

    def chain(self, oracle: Oracle | None = None) -> Iterator[str]:
        """Yield the one sentence."""
        yield self.short
        yield from _told(self.rules, self.rungs(oracle))


def explain(
    position: Game | Position, oracle: Oracle | None = None
) -> Won | Lost | Ended:
    """Say why the player to move wins or loses, or how the game ended.

    An oracle for the same rules, if there is one at hand, saves work.

    >>> from ninefold import Ending, Game, Rules
    >>> game = Game(Rules(Ending.REACH, 1000))
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
    if isinstance(position, Game) and position.outcome is not None:
        return Ended(rules, total, position.outcome)
    if oracle is None:
        oracle = Oracle(rules)
    if isinstance(position, Game):
        oracle.accept(total)
    moves = oracle.winning_moves(total)
    longest: tuple[int, ...] = ()
    try:
        move = oracle.best_move(total)
        distance = oracle.distance(total)
        if not moves:
            longest = oracle.longest_moves(total)
    except TooLarge:
        # Who wins is known; only how soon is not.
        move = moves[len(moves) // 2] if moves else rules.multipliers[0]
        distance = None
    ladder = Ladder(oracle)
    if not moves:
        return Lost(rules, total, longest, move, distance, ladder.rung(total))
    leaves = rules.after(total, move)
    ends = rules.verdict(leaves) is not None
    rung = None if ends else ladder.rung(leaves)
    return Won(rules, total, moves, move, leaves, distance, rung)


def _down_from(
    rules: Rules, rung: Rung | None, oracle: Oracle | None
) -> Iterator[Rung]:
    if rung is not None:
        yield rung
        yield from Ladder(oracle or Oracle(rules)).below(rung)


def _told(rules: Rules, rungs: Iterator[Rung]) -> Iterator[str]:
    telling = Telling(rules, winner="the other player")
    for rung in rungs:
        clauses = "; ".join(telling.clauses(rung))
        yield f"Whoever faces {rung.faces} loses: {clauses}."


def _within(distance: int) -> str:
    return f"You win within {distance} moves, counting both players'."
