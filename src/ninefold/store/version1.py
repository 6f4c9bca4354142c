"""Matches, answers and tries of version 1, and what becomes of them.

A match of version 1 holds its games, not a log; one is made from the moves. Where it
lies beyond the bounds of today it cannot be played: it keeps its line, and is listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Raw, Struct
from msgspec.structs import force_setattr

from ninefold.errors import MatchError, RecordError
from ninefold.game import Game, Seat
from ninefold.match import MOST_GAMES, Count, Length, Match, Starts
from ninefold.notation.codec import decode, encode
from ninefold.notation.content import is_key, make_rules, play_moves, resign
from ninefold.notation.shapes import Number
from ninefold.players import HUMAN
from ninefold.rules import SMALLEST_MULTIPLIER, Ending, Rules
from ninefold.session import (
    Command,
    Lessons,
    Move,
    NextGame,
    Resign,
    Retry,
    Setup,
)
from ninefold.session.setup import MOST_GIVE_BACKS
from ninefold.store.checks import check_match, check_setup, check_time
from ninefold.store.learned import ProductAnswer, PuzzleTry
from ninefold.store.played import (
    GameColumns,
    MatchColumns,
    StateColumns,
    read_number,
    write_number,
    write_time,
)
from ninefold.store.shapes import Time, refuse, utc
from ninefold.store.values import KeptMatch, Logged, OldMatch
from ninefold.text import excerpt, is_digits

LongNumber: TypeAlias = Annotated[
    int | Annotated[str, Meta(pattern=r"^-?[0-9]+$(?!\n)")],
    Meta(title="a whole number"),
]
"""Numbers had no bound."""

_SETUP_KEYS = {
    "names": "names",
    "levels": "players",
    "seed": "seed",
    "lessons": "options",
    "book": "book",
}
_RULES_KEYS = {part: f"rules.{part}" for part in ("target", "multipliers", "start")}
_ANY_RULES = Rules(Ending.REACH, 100)


def _whole(number: LongNumber) -> int:
    return number if isinstance(number, int) else read_number(number)


class Rules1(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules without bounds."""

    ending: Ending
    target: LongNumber
    multipliers: tuple[LongNumber, ...]
    start: LongNumber

    def rules(self) -> Rules:
        """Make the rules; a ``RecordError`` refuses those beyond the bounds."""
        return make_rules(
            _RULES_KEYS,
            self.ending,
            _whole(self.target),
            map(_whole, self.multipliers),
            _whole(self.start),
        )

    def unbounded(self) -> Rules:
        """Make the rules whatever their size, to tell how a game ended."""
        start, target = _whole(self.start), _whole(self.target)
        multipliers = sorted(map(_whole, self.multipliers))
        try:
            return self.rules()
        except RecordError:
            if (
                not 1 <= start < target
                or multipliers[:1] < [SMALLEST_MULTIPLIER]
                or len({*multipliers}) < len(multipliers)
            ):
                raise
        rules = copy(_ANY_RULES)  # a copy is not checked
        force_setattr(rules, "ending", self.ending)
        force_setattr(rules, "target", target)
        force_setattr(rules, "multipliers", tuple(multipliers))
        force_setattr(rules, "start", start)
        return rules


class Length1(Struct, frozen=True, forbid_unknown_fields=True):
    """The length of a match: one of two keys."""

    best_of: LongNumber | None = None
    first_to: LongNumber | None = None

    def counted(self) -> tuple[Count, int]:
        """Return what is counted, and up to which number."""
        if self.best_of is not None:
            return Count.BEST_OF, _whole(self.best_of)
        if self.first_to is None:
            refuse("length.first_to", "this key is missing")
        return Count.FIRST_TO, _whole(self.first_to)

    def length(self) -> Length:
        """Make the length; a ``RecordError`` refuses one beyond the bounds."""
        count, number = self.counted()
        try:
            return Length(count, number)
        except MatchError as error:
            refuse("length", str(error))

    def unbounded(self) -> tuple[Length, str]:
        """Make a length that ends no earlier than any match did, and its words."""
        count, number = self.counted()
        if number <= MOST_GAMES or (count is Count.BEST_OF and number % 2 == 0):
            length = self.length()
            return length, str(length)
        return Length(count, MOST_GAMES - 1), f"{count.value} {write_number(number)}"


class Game1(Struct, frozen=True, forbid_unknown_fields=True):
    """One game of a match."""

    first: Seat
    moves: tuple[LongNumber, ...]
    begun_at: Time
    resigned: Seat | None = None
    ended_at: Time | None = None

    def game(self, rules: Rules, place: str) -> Game:
        """Replay the game; a ``RecordError`` names the key, behind this place."""
        moves = enumerate(map(_whole, self.moves))
        game = play_moves(
            rules, self.first, ((f"{place}.moves[{n}]", move) for n, move in moves)
        )
        if self.resigned is not None:
            game = resign(game, self.resigned, f"{place}.resigned")
        if (game.outcome is None) is not (self.ended_at is None):
            problem = "a game has a time of its end as soon as it has ended"
            refuse(f"{place}.ended_at", problem)
        return game


class MatchLine1(Struct, frozen=True, forbid_unknown_fields=True):
    """A match, as a line of an export of version 1."""

    ninefold: Literal[1]
    kind: Literal["match"]
    id: str
    begun_at: Time
    changed_at: Time
    rules: Rules1
    length: Length1
    starts: Starts
    first: Seat
    names: tuple[str, str]
    players: tuple[str, str]
    options: dict[str, Raw]
    games: tuple[Game1, ...]
    set_aside_at: Time | None = None
    book: str | None = None
    book_text: str | None = None
    seed: LongNumber | None = None

    def check_times(self) -> None:
        """Refuse times at which nobody played."""
        check_time(self.begun_at, "begun_at")
        check_time(self.changed_at, "changed_at")
        if self.set_aside_at is not None:
            check_time(self.set_aside_at, "set_aside_at")
        for number, game in enumerate(self.games):
            check_time(game.begun_at, f"games[{number}].begun_at")
            if game.ended_at is not None:
                check_time(game.ended_at, f"games[{number}].ended_at")

    # As it was: whatever its size

    def columns(
        self, line: str, beyond: str
    ) -> tuple[MatchColumns, StateColumns, list[GameColumns]]:
        """Make the columns of a match that is listed, but cannot be played.

        A ``RecordError`` says that the match is damaged.
        """
        levels = self._levels()
        played = [*self._replay()]
        match = played[-1][1] if played else self._begun()
        games = [
            GameColumns.of_game(
                game,
                after,
                moves=encode(kept.moves),
                number=number,
                begun_at=kept.begun_at,
                ended_at=kept.ended_at,
                is_retry=self._is_retry,
            )
            for number, (kept, (game, after)) in enumerate(
                zip(self.games, played, strict=True), start=1
            )
        ]
        constant = MatchColumns(
            id=self.id,
            begun_at=write_time(utc(self.begun_at, "begun_at")),
            book=self.book or "",
            book_text=self.book_text,
            rules=encode(self.rules),
            name1=self.names[0],
            name2=self.names[1],
            level1=levels[0],
            level2=levels[1],
            line=line,
            beyond=beyond,
        )
        state = StateColumns.of(
            match,
            played[-1][0] if played else None,
            revision=0,
            changed_at=utc(self.changed_at, "changed_at"),
            length=self.length.unbounded()[1],
            set_aside_at=self.set_aside_at,
        )
        return constant, state, games

    def check(self) -> None:
        """Refuse a match that the rules of version 1 refused: it is damaged."""
        if self.book and not is_key(self.book):
            key = excerpt(self.book)
            problem = f"'{key}' is no rule book's key; use a-z, 0-9 and hyphens"
            refuse("book", problem)
        self._begun()
        for _ in self._replay():
            pass

    def _begun(self) -> Match:
        length, _ = self.length.unbounded()
        return Match(self.rules.unbounded(), length, self.starts, self.first)

    def _replay(self) -> Iterator[tuple[Game, Match]]:
        """Replay each game; with it comes the match after it."""
        match, game = self._begun(), None
        for number, kept in enumerate(self.games):
            place = f"games[{number}]"
            if game is not None and game.outcome is None:
                refuse(place, "a game is begun once the one before has ended")
            game = kept.game(match.rules, place)
            try:
                # A game may be going on if, given up now, it would count.
                after = match.add(game.resign() if game.outcome is None else game)
            except MatchError as error:
                refuse(place, str(error))
            match = match if game.outcome is None else after
            yield game, match

    # As it can be played now

    def match(self) -> KeptMatch:
        """Make a match with a log; a ``RecordError`` refuses one beyond the bounds."""
        setup = Setup(
            rules=self.rules.rules(),
            length=self.length.length(),
            starts=self.starts,
            first=self.first,
            first_tossed=self._option("first_tossed"),
            names=self.names,
            levels=self._levels(),
            book=self.book or "",
            book_text=self.book_text,
            seed=0 if self.seed is None else _whole(self.seed),
            lessons=Lessons(
                self._option("coach"), self._give_backs(), self._option("mental")
            ),
        )
        check_setup(setup, _SETUP_KEYS)
        aside = self.set_aside_at
        return KeptMatch(
            id=self.id,
            setup=setup,
            log=tuple(
                Logged(number, command, utc(at, "changed_at"))
                for number, (command, at) in enumerate(self._log(), start=1)
            ),
            begun_at=utc(self.begun_at, "begun_at"),
            changed_at=utc(self.changed_at, "changed_at"),
            set_aside_at=None if aside is None else utc(aside, "set_aside_at"),
        )

    def _log(self) -> Iterator[tuple[Command, datetime]]:
        """Make the commands; of a game's moves only the end has a known time.

        Moves that were taken back are unknown. A retry may have begun with moves made.
        """
        if self._is_retry:
            yield Retry(()), self.begun_at
        for number, game in enumerate(self.games):
            if number:
                yield NextGame(game.first), game.begun_at
            commands: list[Command] = [Move(_whole(move)) for move in game.moves]
            if game.resigned is not None:
                commands.append(Resign(game.resigned))
            for command in commands[:-1]:
                yield command, game.begun_at
            for command in commands[-1:]:
                yield command, game.ended_at or self.changed_at

    def _levels(self) -> tuple[str | None, str | None]:
        one, two = (None if name == HUMAN else name for name in self.players)
        return one, two

    @property
    def _is_retry(self) -> bool:
        return self._option("retry") and self.length.counted() == (Count.BEST_OF, 1)

    def _option(self, name: str) -> bool:
        return self._written(name) == "true"

    def _give_backs(self) -> int:
        """Return how many moves the coach gives back; the usual number if unclear."""
        digits = self._written("give_backs")
        if digits.startswith("-"):
            return 0
        if not is_digits(digits):
            return Lessons().give_backs
        return min(int(digits[: len(str(MOST_GIVE_BACKS)) + 1]), MOST_GIVE_BACKS)

    def _written(self, option: str) -> str:
        return bytes(self.options.get(option, b"")).decode()


class AnswerLine1(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer, as a line of an export of version 1."""

    ninefold: Literal[1]
    kind: Literal["answer"]
    id: str
    at: Time
    a: Number
    b: Number
    answer: Number

    def product_answer(self) -> ProductAnswer:
        """Make the answer; its learner is not known."""
        return ProductAnswer(
            id=self.id,
            a=int(self.a),
            b=int(self.b),
            answer=int(self.answer),
            at=utc(self.at, "at"),
            learner="",
        )


class AttemptLine1(Struct, frozen=True, forbid_unknown_fields=True):
    """A try, as a line of an export of version 1."""

    ninefold: Literal[1]
    kind: Literal["attempt"]
    id: str
    at: Time
    puzzle: str
    multiplier: Number
    right: bool

    def puzzle_try(self) -> PuzzleTry:
        """Make the try; its learner is not known."""
        return PuzzleTry(
            id=self.id,
            puzzle=self.puzzle,
            multiplier=int(self.multiplier),
            right=self.right,
            at=utc(self.at, "at"),
            learner="",
        )


def read_match(line: str) -> MatchLine1:
    """Read the line of a match that version 1 would have accepted."""
    match = decode(line, MatchLine1)
    match.check()
    return match


def import_match(line: str) -> KeptMatch | OldMatch:
    """Read the line of a match; one that cannot be played now is an ``OldMatch``."""
    match = read_match(line)
    try:
        match.check_times()
        kept = match.match()
        check_match(kept)
    except RecordError as error:
        return OldMatch(match.id, line, str(error))
    return kept
