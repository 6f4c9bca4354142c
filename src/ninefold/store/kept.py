"""What is kept of playing: what was agreed, and a match with every game of it."""

from __future__ import annotations

import json
from enum import Enum

from ninefold.errors import MatchError, StoreError
from ninefold.game import HUMAN, Seat
from ninefold.record import Record
from ninefold.record.content import is_key
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from ninefold.game import Game
    from ninefold.match import Match


class Setup(Value):
    """What was agreed before a match, and who plays it: enough to go on with it."""

    __slots__ = __match_args__ = (
        "match",
        "names",
        "players",
        "book",
        "book_text",
        "seed",
        "options",
    )
    match: Match
    """The match, no game of it played."""
    names: dict[Seat, str]
    players: dict[Seat, str]
    """Who answers for each seat: ``human``, or a level's name."""
    book: str
    """The rule book's key; empty where there is none."""
    book_text: str | None
    """The whole file of a person's own rule book; None for one of the five."""
    seed: int | None
    options: dict[str, object]
    """Whatever else the players chose, as JSON can hold it."""

    def __init__(  # noqa: PLR0913, PLR0917 - all of this is agreed on
        self,
        match: Match,
        names: Mapping[Seat, str],
        players: Mapping[Seat, str],
        book: str = "",
        book_text: str | None = None,
        seed: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        """Refuse whatever could not be read back as it is."""
        if match.games:
            message = "a set-up is made before the first game; give it an empty match"
            raise StoreError(message)
        if book and not is_key(book):
            message = f"'{book}' is no rule book's key; use a-z, 0-9 and hyphens"
            raise StoreError(message)
        chosen = dict(options or {})
        if not _is_json(chosen):
            message = (
                "options must be what JSON holds: texts, numbers, true, false, null,"
                " and lists and objects of them"
            )
            raise StoreError(message)
        texts = [text[seat] for text in (names, players) for seat in Seat]
        for text in (*texts, book_text or ""):
            if not is_unicode(text):
                message = f"{text!a} is no text; write it with whole characters"
                raise StoreError(message)
        hold(self, "match", match)
        hold(self, "names", {seat: names[seat] for seat in Seat})
        hold(self, "players", {seat: players[seat] for seat in Seat})
        hold(self, "book", book)
        hold(self, "book_text", book_text)
        hold(self, "seed", seed)
        hold(self, "options", chosen)


def is_unicode(text: str) -> bool:
    """Whether a text can be written to a file: a text can hold half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_json(content: dict[str, object]) -> bool:
    try:
        written = json.dumps(content, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        return False
    again: object = json.loads(written)
    return again == content


class KeptGame(Value):
    """One game of a match, with its times."""

    __slots__ = __match_args__ = ("game", "begun_at", "ended_at")
    game: Game
    begun_at: datetime
    ended_at: datetime | None

    def __init__(
        self, game: Game, begun_at: datetime, ended_at: datetime | None = None
    ) -> None:
        """Take a game, and the time of its end if it has ended."""
        if (game.outcome is None) is not (ended_at is None):
            message = "a game has a time of its end as soon as it has ended"
            raise StoreError(message)
        hold(self, "game", game)
        hold(self, "begun_at", begun_at)
        hold(self, "ended_at", ended_at)


class KeptMatch(Value):
    """A match as it stands: what was agreed, every game begun, and its times."""

    __match_args__ = ("id", "setup", "games", "begun_at", "changed_at", "set_aside_at")
    __slots__ = (*__match_args__, "game", "match")
    id: str
    setup: Setup
    games: tuple[KeptGame, ...]
    begun_at: datetime
    changed_at: datetime
    set_aside_at: datetime | None
    """When it was put away for good, if it was."""
    match: Match
    """The match with every game that has ended."""
    game: Game | None
    """The game that is going on, or None between games and after the last."""

    def __init__(  # noqa: PLR0913, PLR0917 - a match has these parts
        self,
        id: str,  # noqa: A002 - it is called so everywhere
        setup: Setup,
        games: tuple[KeptGame, ...],
        begun_at: datetime,
        changed_at: datetime,
        set_aside_at: datetime | None = None,
    ) -> None:
        """Check that the rules and the match allow these games in this order."""
        match = setup.match
        game = None
        for kept in games:
            if game is not None:
                message = "a game is begun once the one before has ended"
                raise MatchError(message)
            if kept.game.outcome is None:
                _check_begun(match, kept.game)
                game = kept.game
            else:
                match = match.add(kept.game)
        hold(self, "id", id)
        hold(self, "setup", setup)
        hold(self, "games", games)
        hold(self, "begun_at", begun_at)
        hold(self, "changed_at", changed_at)
        hold(self, "set_aside_at", set_aside_at)
        hold(self, "match", match)
        hold(self, "game", game)

    @property
    def ended_at(self) -> datetime | None:
        """When it was won, or None while it goes on."""
        return None if self.match.winner is None else self.games[-1].ended_at

    @property
    def unfinished(self) -> bool:
        """Whether it can be gone on with: neither won nor set aside."""
        return self.match.winner is None and self.set_aside_at is None

    def goes_on_from(self, earlier: KeptMatch) -> bool:
        """Whether this is the same match, played further: nothing of it is missing."""
        if (self.id, self.setup, self.begun_at) != (
            earlier.id,
            earlier.setup,
            earlier.begun_at,
        ) or len(self.games) < len(earlier.games):
            return False
        pairs = zip(earlier.games, self.games, strict=False)
        return all(_goes_on_from(later, before) for before, later in pairs)


def _check_begun(match: Match, game: Game) -> None:
    """Check that a game may be going on: given up now, it would count."""
    match.add(game.resign())


def _goes_on_from(later: KeptGame, before: KeptGame) -> bool:
    if before.ended_at is not None or later.begun_at != before.begun_at:
        return later == before
    made = before.game.moves
    return (
        later.game.first is before.game.first and later.game.moves[: len(made)] == made
    )


class Result(Enum):
    """How a game went for one seat."""

    WON = "won"
    LOST = "lost"
    UNFINISHED = "unfinished"


class PlayedGame(Value):
    """One game out of a kept match, as a history shows it."""

    __slots__ = __match_args__ = ("kept", "number")
    kept: KeptMatch
    number: int
    """Which game of the match it is, from 1."""

    def __init__(self, kept: KeptMatch, number: int) -> None:
        """Point at a game of a match."""
        hold(self, "kept", kept)
        hold(self, "number", number)

    @property
    def match_id(self) -> str:
        """The match it belongs to."""
        return self.kept.id

    @property
    def game(self) -> Game:
        """The game itself."""
        return self.kept.games[self.number - 1].game

    @property
    def record(self) -> Record:
        """Its record, to be written in any form."""
        return Record(self.game, self.kept.setup.book)

    @property
    def names(self) -> dict[Seat, str]:
        """What the players were called."""
        return self.kept.setup.names

    @property
    def players(self) -> dict[Seat, str]:
        """Who played each seat: ``human``, or a level's name."""
        return self.kept.setup.players

    @property
    def begun_at(self) -> datetime:
        """When it was begun."""
        return self.kept.games[self.number - 1].begun_at

    @property
    def ended_at(self) -> datetime | None:
        """When it ended, or None while it goes on."""
        return self.kept.games[self.number - 1].ended_at

    @property
    def score(self) -> dict[Seat, int]:
        """The match's score after this game."""
        winners = self.kept.match.winners[: self.number]
        return {seat: winners.count(seat) for seat in Seat}

    def result_of(self, seat: Seat) -> Result:
        """How it went for one seat."""
        outcome = self.game.outcome
        if outcome is None:
            return Result.UNFINISHED
        return Result.WON if outcome.winner is seat else Result.LOST


class Filter(Value):
    """Which games a history is asked for; what is left out does not matter."""

    __slots__ = __match_args__ = ("book", "player", "since", "until", "result")
    book: str | None
    player: str | None
    """A name, a level's name or ``human``, in either seat."""
    since: datetime | None
    until: datetime | None
    """Games begun before this time."""
    result: Result | None
    """How it went for that player; for people, where no player is named."""

    def __init__(
        self,
        book: str | None = None,
        player: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        result: Result | None = None,
    ) -> None:
        """Name what is wanted."""
        hold(self, "book", book)
        hold(self, "player", player)
        hold(self, "since", since)
        hold(self, "until", until)
        hold(self, "result", result)

    def fits(self, played: PlayedGame) -> bool:
        """Whether a game is one of those asked for."""
        if self.book not in (None, played.kept.setup.book):
            return False
        if self.since is not None and played.begun_at < self.since:
            return False
        if self.until is not None and played.begun_at >= self.until:
            return False
        seats = [seat for seat in Seat if self._means(played, seat)]
        if self.player is None:
            seats = seats or list(Seat)  # computers among themselves
        if self.result is None:
            return bool(seats)
        return any(played.result_of(seat) is self.result for seat in seats)

    def _means(self, played: PlayedGame, seat: Seat) -> bool:
        wanted = HUMAN if self.player is None else self.player
        return wanted == played.players[seat] or self.player == played.names[seat]
