"""Hints, reasons and reviews of a match; solutions, lines and puzzles of any game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from random import Random

from msgspec.structs import asdict

from ninefold.coach import TOO_FAR, hints, try_review
from ninefold.errors import NinefoldError, PositionError, TooLarge
from ninefold.game import Seat
from ninefold.learning import PUZZLE_LEVELS, Answer
from ninefold.levels import LEVELS
from ninefold.online import messages
from ninefold.playing.page_walk import show_puzzle
from ninefold.playing.scene import Scene
from ninefold.playing.state import seats_of
from ninefold.rulebooks import KEYS, find, load
from ninefold.rules import parse_number, vary
from ninefold.session import Session
from ninefold.store import GameRow
from ninefold.text import shorten
from ninefold.theory import Position
from ninefold.views.match_text import format_bands, format_distinction
from ninefold.views.number_line import (
    ExploredLine,
    LineView,
    lost_bands,
    number_line,
)
from ninefold.views.practice import choose_puzzles
from ninefold.views.review import ReviewView
from ninefold.views.solutions import EndedView, PuzzleView, RulebookRow, SolutionView
from ninefold.views.solutions import solve as solution

_USUAL_LEVEL = 2


def choices() -> messages.Choices:
    """Return the games and levels to choose from."""
    return messages.Choices(
        games=tuple(
            messages.GameChoice(
                **asdict(RulebookRow.of(book)), apart=format_distinction(book)
            )
            for book in map(load, KEYS)
        ),
        levels=tuple(
            messages.LevelRow(level.name, level.title, level.character)
            for level in LEVELS.values()
        ),
    )


def rules_in_words(session: Session) -> messages.RulesInWords:
    """Return the rules of a match in the words of its rule book."""
    book, rules = session.book, session.setup.rules
    return messages.RulesInWords(book.title, book.describe(rules), book.explain(rules))


def hint(session: Session) -> messages.HintView:
    """Return a hint in steps; without steps after the end of the game."""
    game, mental = session.game, session.setup.lessons.mental
    if game.outcome is not None:
        return messages.HintView(())
    return messages.HintView(
        tuple(
            messages.HintStep(each.text, each.move)
            for each in hints(game, products=not mental)
        )
    )


def reason(session: Session, viewer: Seat | None) -> messages.WhyView:
    """Explain who wins from here, or where a finished game turned.

    For the viewer to move, "you" is that seat; for others, the text names it.
    """
    game = session.game
    if game.outcome is None:
        text = Scene(session, seats_of(session, viewer)).reason
    else:
        reviewed = try_review(game)
        text = TOO_FAR if reviewed is None else reviewed.story(_names(session))
    line = number_line(game.rules, lost_bands(game.rules), game)
    return messages.WhyView(text, LineView.of(line))


def game_review(
    session: Session,
    viewer: Seat | None,
    answers: tuple[int | None, ...],
    ended: Iterable[Session],
) -> messages.GameReview:
    """Grade every move of a session's game, and show where it turned.

    ``answers`` are the products entered in it, ``ended`` all games to choose from.
    """
    game, scene = session.game, Scene(session, seats_of(session, viewer))
    reviewed = scene.review
    if reviewed is None:
        raise TooLarge(TOO_FAR)
    view = ReviewView.of(reviewed, _names(session), session.given_back)
    bands = lost_bands(game.rules)
    line = number_line(game.rules, bands, game, turning_point=view.turning_point)
    games = tuple(
        messages.EndedGame(each.match_number, each.number, each.game.outcome.winner)
        for each in ended
        if each.game.outcome is not None
    )
    return messages.GameReview(
        session.match_number,
        session.number,
        game.first,
        view,
        LineView.of(line),
        format_bands(bands),
        answers,
        games,
        scene.retry_offer,
    )


def _names(session: Session) -> dict[Seat, str]:
    return dict(zip(Seat, session.setup.names, strict=True))


# Of any game: public, as the page tells people


def solve(**query: str | None) -> SolutionView | EndedView:
    """Return the solution of a position, as ``ninefold solve --json`` does."""
    book, found = position(**query)
    return solution(book, found)


def line(**query: str | None) -> ExploredLine:
    """Return the number line of a game with its losing bands, to explore."""
    _, found = position(**query)
    rules, at = found.rules, found.total
    if at < rules.start:
        start = shorten(rules.start)
        problem = f"the game starts at {start}; choose that total or a later one"
        raise PositionError(at, problem)
    return ExploredLine.at(rules, at)


def position(
    game: str | None,
    target: str | None,
    multipliers: str | None,
    start: str | None,
    total: str | None,
) -> tuple[str, Position]:
    """Parse a position of any game; return it with the key of the rule book."""
    book = find(game or "")
    rules = vary(book.rules, target=target, multipliers=multipliers, start=start)
    at = rules.start if total is None else parse_number(total, "total")
    return book.key, Position(rules, at)


def puzzle(
    level: str | None,
    seed: str | None,
    game: str | None,
    *,
    games: Sequence[GameRow],
    answers: Sequence[Answer],
    at: datetime,
) -> messages.PosedPuzzle:
    """Return a puzzle, preferably from a learner's games and answers.

    Without these, the same seed gives the same puzzle.
    """
    book = None if game is None else find(game)
    chosen = _USUAL_LEVEL if level is None else parse_number(level, "level")
    if chosen not in PUZZLE_LEVELS:
        message = f"a level is {PUZZLE_LEVELS[0]} to {PUZZLE_LEVELS[-1]}"
        raise NinefoldError(message)
    found = choose_puzzles(
        games, None, answers, at, Random(seed), book=book, level=chosen
    )
    posed, origin = next(found)
    view = asdict(PuzzleView.of(posed, origin))
    return messages.PosedPuzzle(**view, task=posed.task, state=show_puzzle(posed))
