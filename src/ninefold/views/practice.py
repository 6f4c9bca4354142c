"""The sentences of practice: verdicts, improvement, next dates; and puzzles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import chain
from random import Random

from msgspec.structs import replace

from ninefold.errors import NinefoldError, PuzzleError, StoreError, TooLarge
from ninefold.game import Seat
from ninefold.learning import (
    Answer,
    Improvement,
    Item,
    Puzzle,
    Response,
    Skill,
    check,
    due_puzzles,
    make_puzzle,
    practise_game,
    read_puzzle,
)
from ninefold.learning.knowledge import fact_of
from ninefold.levels import HUMAN
from ninefold.notation import is_record
from ninefold.rulebooks import Rulebook
from ninefold.rules import Ending
from ninefold.session import Setup
from ninefold.store import DEFAULT_LEARNER, GameRow, Store
from ninefold.text import join_words, shorten
from ninefold.theory.explanation_sentences import times
from ninefold.views.solutions import MISSED_BEFORE

HELP = "Type ? for help, skip for the next one, or quit to stop."
_SKILLS = {
    Skill.TENS.value: ("tens", "40 × 7"),
    Skill.ADDING.value: ("adding parts", "280 + 35"),
    Skill.DOUBLING.value: ("doubling", "86 × 2"),
    Skill.TWO_DIGITS.value: ("two digits times one", "45 × 7"),
    Skill.THREE_DIGITS.value: ("three digits times one", "315 × 4"),
    Skill.RANGE.value: ("hitting a range", "7 × ? in 56 to 111"),
}
_MOST_NAMED = 6
_USUAL_LEVEL = 2
_GAMES_LOOKED_THROUGH = 40
_LARGEST_TARGET = 1_000_000
"""Puzzles of larger games are no fun, and take long to find."""
_SAID_ALREADY = ("Right.", "Not ", "Noted.")
NOTHING_IMPROVED = "Nothing improved this time."


def name_card(card: str, *, example: bool = False) -> str:
    """Return the name of a fact, a skill or a puzzle.

    >>> name_card("7x8"), name_card("tens"), name_card("two digits", example=True)
    ('7 × 8', 'tens', 'two digits times one (45 × 7)')
    """
    fact = fact_of(card)
    if fact is not None:
        return str(fact)
    if card not in _SKILLS:
        return "another one"
    name, shown = _SKILLS[card]
    return f"{name} ({shown})" if example else name


def name_cards(cards: Collection[str]) -> str:
    """Join the names of several cards; of many, only the first ones.

    >>> name_cards(["7x8", "tens"]), name_cards([f"{n}x9" for n in range(2, 10)])
    ('7 × 8 and tens', '2 × 9, 3 × 9, 4 × 9, 5 × 9, 6 × 9 and 3 more')
    """
    names = list(dict.fromkeys(map(name_card, cards)))
    if len(names) > _MOST_NAMED:
        shown = names[: _MOST_NAMED - 1]
        names = [*shown, f"{len(names) - len(shown)} more"]
    return join_words(names)


def begin_round(count: int, name: str = "") -> str:
    """Return the announcement of a round of practice.

    >>> begin_round(12, "Ada"), begin_round(1, DEFAULT_LEARNER)
    ('12 items for Ada. Take your time.', '1 item. Take your time.')
    """
    whose = f" for {name}" if name and name != DEFAULT_LEARNER else ""
    return f"{count_of(count, 'item')}{whose}. Take your time."


def count_of(count: int, noun: str) -> str:
    """Format a count with its noun: ``1 item``, ``12 items``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def format_response(response: Response | None) -> list[str]:
    """Return the reply to an entry; for a solved puzzle, also why other moves fail."""
    if response is None:
        return []
    text = response.text
    if response.right is not None and not text.startswith(_SAID_ALREADY):
        text = f"{'Right.' if response.right else 'Not quite.'} {text}".strip()
    return [text, *(why_others_fail(response.item) if response.right else ())]


def format_due_time(due: datetime, at: datetime) -> str:
    """Format a due date relative to now.

    >>> at = datetime(2026, 1, 31, 9, 30)
    >>> [format_due_time(at + timedelta(hours=h), at) for h in (-1, 3, 22, 80)]
    ['now', 'later today', 'tomorrow', 'in 3 days']
    """
    if due <= at:
        return "now"
    days = round((due - at) / timedelta(days=1))
    return {0: "later today", 1: "tomorrow"}.get(days, f"in {days} days")


def format_improvement(gain: Improvement, at: datetime) -> str:
    """Return what a round of practice improved, and when the next one is due."""
    names = name_cards(gain.improved)
    text = f"Improved: {names}." if names else NOTHING_IMPROVED
    return (
        text
        if gain.next_due is None
        else f"{text} {format_next_due(gain.next_due, at)}"
    )


def format_next_due(due: datetime, at: datetime) -> str:
    """Return when the next practice is due, as a sentence."""
    if due <= at:
        return "You can practise more whenever you like."
    return f"Next practice: {format_due_time(due, at)}."


# Puzzles


def recent_games(store: Store) -> Sequence[GameRow]:
    """Return the games to choose puzzles from; none if the store cannot be read."""
    with suppress(StoreError):
        return store.history(limit=_GAMES_LOOKED_THROUGH)
    return ()


def choose_puzzles(
    games: Sequence[GameRow],
    names: Collection[str] | None,
    answers: Sequence[Answer],
    at: datetime,
    rng: Random,
    *,
    book: Rulebook | None = None,
    level: int | None = None,
) -> Iterator[tuple[Puzzle, str]]:
    """Yield puzzles without end, each with a sentence about its origin, or "".

    First the player's own slips in games, latest first, then puzzles that are due
    again, then new ones for variants of the rules of these games.
    """
    own = own_slips(games[:_GAMES_LOOKED_THROUGH], names, answers)
    for puzzle, origin in chain(own, _due(answers, at)):
        is_of_game = book is None or puzzle.book == book.key
        if is_of_game and level in (None, puzzle.level):
            yield puzzle, origin
    setups = [row.setup for row in games if book is None or row.book == book.key]
    while True:
        yield _new_puzzle(setups, rng, level or _USUAL_LEVEL, book), ""


def _due(answers: Sequence[Answer], at: datetime) -> Iterator[tuple[Puzzle, str]]:
    for key in due_puzzles(answers, at):
        with suppress(NinefoldError):  # another version may have stored it
            yield read_puzzle(key), MISSED_BEFORE


def _new_puzzle(
    setups: Sequence[Setup], rng: Random, level: int, book: Rulebook | None
) -> Puzzle:
    if setups:
        setup = rng.choice(setups)
        with suppress(PuzzleError, TooLarge):
            played = replace(setup.rulebook(), rules=setup.rules)
            return make_puzzle(rng, level, played)
    return make_puzzle(rng, level, book)


def own_slips(
    games: Iterable[GameRow], names: Collection[str] | None, answers: Iterable[Answer]
) -> Iterator[tuple[Puzzle, str]]:
    """Yield a puzzle and a sentence for each slip of a player against levels.

    ``names`` are the player's names; None is anyone. Puzzles with an answer are left
    out: they return by their schedule.
    """
    seen = {answer.item for answer in answers}
    for row in games:
        seat = seat_of(row, names)
        level = None if seat is None else row.setup.level(seat.other)
        is_large = row.rules.target > _LARGEST_TARGET * row.rules.start
        if seat is None or level is None or row.winner is None or is_large:
            continue
        for item in practise_game(row.game, seat, row.book):
            if is_record(item.key) and item.key not in seen:
                seen.add(item.key)
                yield read_puzzle(item.key), f"You slipped here against {level}."


def seat_of(row: GameRow, names: Collection[str] | None) -> Seat | None:
    """Return the local seat of a person with one of these names, or None."""
    for seat in Seat:
        is_here = row.origin is None or seat in row.origin.seats
        is_named = names is None or row.names[seat.value - 1] in names
        if is_here and is_named and row.setup.player_kind(seat) == HUMAN:
            return seat
    return None


def why_others_fail(item: Item) -> list[str]:
    """Return why each other move of a puzzle fails; nothing for other items.

    >>> from ninefold.learning import read_item
    >>> for words in why_others_fail(read_item("nf1.multiplier.avoid1000.3x9")):
    ...     print(words)
    ×3 to ×9: then the other player can leave 500 to 999.
    """
    if not is_record(item.key):
        return []
    puzzle = read_puzzle(item.key)
    rules = puzzle.game.rules
    reach = "make exactly" if rules.ending is Ending.EXACT else "reach"
    failing: dict[str, list[int]] = {}
    for multiplier in rules.multipliers:
        refutation = check(puzzle, multiplier).refutation
        if refutation is None:
            continue
        how = f"then the other player can {reach} {shorten(rules.target)} at once"
        if refutation.then is None:
            how = "you lose at once"
        elif refutation.lands is not None:
            how = f"then the other player can leave {refutation.lands}"
        failing.setdefault(how, []).append(multiplier)
    return [f"{times(*moves)}: {how}." for how, moves in failing.items()]
