"""A walk as the page shows it, with its games move by move; and a puzzle.

A walk is not stored: replaying its entries leads to the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ninefold.learning import Play, Puzzle, Response, Walk
from ninefold.learning.walk import LEARNER
from ninefold.levels import LEVELS
from ninefold.playing.state import State
from ninefold.rulebooks import KEYS, load
from ninefold.rules import parse_number
from ninefold.session import Event, Lessons, Move, ResignGame, Session, Setup
from ninefold.views.number_line import LineView, lost_bands, number_line
from ninefold.views.practice import format_response

RESIGN = "resign"
"""The entry that resigns a game."""

Shown = tuple[Session, Sequence[Event]]
"""A game, and the events of its last command."""


def start_game(
    task: Play, template: Setup, seed: int, *, name: str = str(LEARNER)
) -> Shown:
    """Start a learner's game against a level, with the rule book of a template."""
    level = LEVELS[task.level].title
    setup = replace(
        template,
        rules=task.rules,
        first=task.first,
        names=(name, f"{level} 2" if name == level else level),
        levels=(None, task.level),
        seed=seed,
        lessons=Lessons(hints=False),
    )
    session, events = Session.start(setup), tuple[Event, ...]()
    for multiplier in task.opening:
        session, events = session.apply_unchecked(Move(multiplier))
    return session, events


class Replay:
    """Replays a walk from its entries: answers and, in a game, multipliers."""

    def __init__(
        self,
        walk: Walk,
        entries: Iterable[str],
        template: Setup | None = None,
        seed: int = 0,
    ) -> None:
        """Replay the entries.

        ``template`` names the rule book of the games; a walk without games needs none.
        """
        self.walk = walk
        self.shown: list[str | Shown] = []
        """The result of the last entry: sentences and games, in order."""
        self.answers: list[Response] = []
        """The answers of the last entry, to be stored."""
        self.right: bool | None = None
        """Whether the last entry was right; None if it was not an answer."""
        self._template, self._seed = template, seed
        self._session: Session | None = None
        self._continue()
        for entry in entries:
            self._enter(entry)

    def _enter(self, entry: str) -> None:
        self.shown, self.answers, self.right = [], [], None
        if self._session is not None:
            ask = ResignGame() if entry == RESIGN else _move(entry)
            self._show(
                *self._session.apply_unchecked(self._session.decide(LEARNER, ask))
            )
            return
        entered = self.walk.enter(entry).entered
        if entered is not None:
            self.shown.append(" ".join(format_response(entered)))
            self.right = entered.right
        self._continue()

    def _continue(self) -> None:
        """Append what the walk says here, and start the game that it asks for."""
        state = self.walk.state
        self.shown += state.said
        self.answers += state.answers
        if state.play is not None and self._template is not None:
            self._seed += 1  # so that a level plays each game differently
            self._show(*start_game(state.play, self._template, self._seed))

    def _show(self, session: Session, events: Sequence[Event]) -> None:
        """Append the game after a move, and after each reply of the level."""
        self.shown.append((session, events))
        while session.game.outcome is None and (
            reply := session.next_automatic_command()
        ):
            session, events = session.apply_unchecked(reply)
            self.shown.append((session, events))
        self._session = session
        if session.game.outcome is not None:
            self._session = None
            self.walk.played(session.game)
            self._continue()


def show_puzzle(puzzle: Puzzle, *, solved: bool = False) -> State:
    """Return a puzzle's position as a state, to be solved in seat 1.

    It hides bands and which keys end the game: they would give the answer away. With
    ``solved``, return the game after the winning move, with its bands.
    """
    game = puzzle.game
    moves, rules = game.moves, game.rules
    first = LEARNER if len(moves) % 2 == 0 else LEARNER.other
    fitting = (each for each in KEYS if load(each).rules.ending is rules.ending)
    book = puzzle.rulebook
    is_fitting = book is not None and book.rules.ending is rules.ending
    template = Setup(rules=rules, book=puzzle.book if is_fitting else next(fitting))
    session, _ = start_game(Play(rules, first, opening=moves), template, seed=0)
    if solved:
        session, _ = session.apply_unchecked(Move(puzzle.answer))
    state = State.of("", session).seen_by(LEARNER, session, ())
    if solved:
        line = number_line(rules, lost_bands(rules) or (), session.game)
        return replace(state, line=LineView.of(line))
    return replace(state, keys=tuple(replace(key, ends=None) for key in state.keys))


def _move(entry: str) -> Move:
    """Read a multiplier; a loss needs no confirmation, because the keys show it."""
    return Move(parse_number(entry, "multiplier"), accepts_loss=True)
