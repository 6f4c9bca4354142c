"""Why a position is won or lost: the reason as data, and the sentences for it.

Every surface shows the same sentences: they are made from the data alone. Every claim
of the data can be checked with multiplication alone; see ``ninefold.theory.proof``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from ninefold.errors import TooLarge
from ninefold.game import Game, Outcome
from ninefold.rules import Ending, Reason, Rules
from ninefold.text import shorten
from ninefold.theory.explanation_sentences import RungWriter, every_move_loses, times
from ninefold.theory.oracle import Band, Oracle, oracle_for
from ninefold.theory.proof import Ladder, Rung
from ninefold.theory.work_budget import Budget

_STEPS_FOR_A_CLAUSE = 50
_MOST_BANDS = 4  # so many fit into a sentence of 20 words
_LARGE = 10**6  # of bands at totals this large, only those that come next are named


class Position(Struct, frozen=True):
    """A total of a game, whatever moves led to it."""

    rules: Rules
    total: int


class Ahead(Struct, frozen=True):
    """The lost totals that an explanation names.

    ``band`` contains the total that is explained. ``bands`` are all the bands of the
    game, ascending, with ``band`` among them; if there are many, only those that the
    next replies lead to, and the last of the game. ``later`` are the rungs that follow
    the first one, as long as each leads to a single band.
    """

    band: Band
    bands: tuple[Band, ...]
    later: tuple[Rung, ...]


class _Explanation(Struct, frozen=True):
    """A position, and the proof of who wins there."""

    rules: Rules
    total: int

    def _lost_total(self) -> int | None:
        """Return the total that the proof shows to be lost; None without a proof."""
        return None

    def _before_the_proof(self) -> str | None:
        """Return the part of the chain before the proof, if any."""
        return None

    def rungs(self, oracle: Oracle | None = None) -> Iterator[Rung]:
        """Yield the whole proof: why the band of a total is lost, down to the end.

        Yields nothing if the game is over or ends with the next move. If the proof is
        too long, raises ``TooLarge`` after the first part of it.
        """
        return self._rungs(Ladder(oracle_for(self.rules, oracle)))

    def chain(self, oracle: Oracle | None = None) -> Iterator[str]:
        """Yield the whole proof in parts, a few sentences each.

        From a won position, the first part names the move to play. If the proof is too
        long, the last part says that more follows.
        """
        return self._parts(Ladder(oracle_for(self.rules, oracle)))

    def _rungs(self, ladder: Ladder) -> Iterator[Rung]:
        total = self._lost_total()
        if total is not None:
            rung = ladder.around(total)
            yield rung
            yield from ladder.below(rung)

    def _parts(self, ladder: Ladder) -> Iterator[str]:
        first = self._before_the_proof()
        if first is not None:
            yield first
        writer = RungWriter(self.rules, answer="move")
        try:
            for rung in self._rungs(ladder):
                yield writer.in_full(rung)
                ladder.budget.spend(_STEPS_FOR_A_CLAUSE * len(rung.groups()))
        except TooLarge as refusal:
            yield f"More follows: {refusal}."


class Won(_Explanation, frozen=True):
    """The player to move, called "you" in the sentences, wins.

    ``moves`` are all the winning moves, and ``move`` is the best of them; it makes the
    total ``leaves``. If that ends the game, ``rung`` and ``ahead`` are None; otherwise
    they say why the other player loses from there. ``distance`` is the number of moves
    to the end if you win as fast as possible and the other player lasts as long as
    possible; None if it takes too long to compute.
    """

    moves: tuple[int, ...]
    move: int
    leaves: int
    distance: int | None
    rung: Rung | None
    ahead: Ahead | None

    @property
    def short(self) -> str:
        """The reason in a few short sentences, which name the lost bands."""
        return self._reason("You win")

    @property
    def advice(self) -> str:
        """The same reason without "you", for a missed winning move."""
        return self._reason("That wins")

    def _reason(self, wins: str) -> str:
        if self.rung is None or self.ahead is None:
            return self._at_once()
        sentences = [
            self._move(),
            every_move_loses(self.ahead.band, self.ahead.bands),
            *RungWriter(self.rules, replies="", answer="answer").in_short(
                self.rung, self.ahead.later
            ),
        ]
        if self.distance is not None:
            sentences.append(f"{wins} within {self.distance:,} moves in all.")
        return " ".join(sentences)

    def _at_once(self) -> str:
        target, made = shorten(self.rules.target), shorten(self.leaves)
        if self.rules.ending is Ending.EXACT:
            return f"{times(self.move)} makes exactly {target} and wins at once."
        if self.leaves == self.rules.target:
            return f"{times(self.move)} reaches {target} and wins at once."
        return f"{times(self.move)} makes {made}, past {target}, and wins at once."

    def _lost_total(self) -> int | None:
        return None if self.rung is None else self.leaves

    def _before_the_proof(self) -> str:
        return self._at_once() if self.rung is None else self._move()

    def _move(self) -> str:
        return f"{times(self.move)} leaves {shorten(self.leaves)}."


class Lost(_Explanation, frozen=True):
    """The player to move, called "you" in the sentences, loses against best play.

    ``longest`` are all the moves that last longest, ``move`` is the first of them, and
    ``rung`` and ``ahead`` say why every move fails. ``distance`` is the number of moves
    to the end then. If it takes too long to compute, it is None, ``longest`` is empty,
    and ``move`` is the smallest multiplier. ``moves``, the winning ones, is empty.
    """

    longest: tuple[int, ...]
    move: int
    distance: int | None
    rung: Rung
    ahead: Ahead
    moves = ()

    @property
    def short(self) -> str:
        """The reason in a few short sentences, which name the lost bands."""
        sentences = [
            f"You are at {shorten(self.total)}.",
            every_move_loses(self.ahead.band, self.ahead.bands),
            *RungWriter(self.rules, answer="move").in_short(
                self.rung, self.ahead.later
            ),
        ]
        if self.rung.lines and self.distance is not None:
            sentences.append(self._end())
        return " ".join(sentences)

    def _end(self) -> str:
        end = f"the game is over in {self.distance:,} moves"
        if len(self.longest) < len(self.rules.multipliers):
            return f"{times(self.move)} lasts longest: {end}, counting yours."
        if len(self.longest) > 1:
            return f"Whatever you play, {end}."
        return f"{end[0].upper()}{end[1:]}, counting yours."

    def _lost_total(self) -> int:
        return self.total


class Ended(_Explanation, frozen=True):
    """A game that is over: how it ended."""

    outcome: Outcome

    @property
    def short(self) -> str:
        """How it ended, in one sentence."""
        winner, reason = self.outcome.winner, self.outcome.reason
        target, made = shorten(self.rules.target), shorten(self.total)
        if reason is Reason.RESIGNED:
            return f"{winner} has won: {winner.other} resigned at {made}."
        if reason is Reason.EXACT:
            return f"{winner} has won by making exactly {target}."
        mover = winner if self.rules.ending is Ending.REACH else winner.other
        past = "reaches" if self.total == self.rules.target else "is past"
        return f"{winner} has won: {mover} made {made}, which {past} {target}."

    def _before_the_proof(self) -> str:
        return self.short


def explain(
    position: Game | Position,
    oracle: Oracle | None = None,
    budget: Budget | None = None,
) -> Won | Lost | Ended:
    """Return why the player to move wins or loses, or how the game ended.

    Passing an oracle for the same rules saves work; one for other rules raises
    ``TheoryError``. Several explanations may share a ``budget``; by default each has
    its own.

    >>> from ninefold import Ending, Game, Rules
    >>> game = Game.start(Rules(Ending.REACH, 1000))
    >>> print(explain(game).short)
    ×5 leaves 5. From 4 to 6 and from 56 to 111 every move loses. After any answer, \
leave 56 to 111, then reach 1,000 with ×9. You win within 5 moves in all.
    >>> for part in explain(game.play(5)).chain():
    ...     print(part)
    From 4 to 6 every move loses. Any move makes 8 to 54. Then the other player can \
leave 56 to 111.
    From 56 to 111 every move loses. Any move makes 112 to 999. Then the other player \
can reach 1,000 with ×9.
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
        # It is known who wins, but not how soon.
        move = moves[len(moves) // 2] if moves else rules.multipliers[0]
        distance = None
    faced = rules.after(total, move) if moves else total
    if rules.verdict(faced) is not None:
        return Won(rules, total, moves, move, faced, distance, None, None)
    ladder = Ladder(oracle, budget)
    rung = ladder.rung(faced)
    ahead = _ahead(ladder, rung)
    if moves:
        return Won(rules, total, moves, move, faced, distance, rung, ahead)
    return Lost(rules, total, longest, move, distance, rung, ahead)


def _ahead(ladder: Ladder, rung: Rung) -> Ahead:
    band = ladder.band_of(rung)
    later = tuple(ladder.single_line_from(rung, _MOST_BANDS - 1))
    try:
        every = tuple(islice(ladder.bands_from_the_end(), _MOST_BANDS + 1))
    except TooLarge:
        every = ()
    if 0 < len(every) <= _MOST_BANDS:
        return Ahead(band, every[::-1], later)
    near = {band, *ladder.handed_over(rung, *later)}
    named = sorted(near, key=_lowest)[:_MOST_BANDS]
    # Most positions of a game are near its end.
    last = [each for each in every if each not in near and each.highest < _LARGE]
    named += last[: _MOST_BANDS - len(named)]
    return Ahead(band, tuple(sorted(named, key=_lowest)), later)


def _lowest(band: Band) -> int:
    return band.lowest
