"""The errors that ninefold raises, as one tree.

::

    NinefoldError
    ├── RulesError               rules that do not make a game
    ├── MoveError
    │   ├── IllegalMove          not one of the multipliers
    │   ├── GameOver             the game has ended
    │   ├── NothingToUndo        no move has been made yet
    │   └── TakebackNotAllowed   the rule book does not allow backtracking
    ├── MatchError               the match cannot take that game, or has ended
    ├── SetupError               a setup that cannot be played
    │   └── ProposalError        one field of a proposal, which it names
    ├── SessionError             a command that the current session does not allow
    │   ├── QuestionOpen         a move whose question must be answered first
    │   ├── OutOfTurn            the other seat is to move
    │   ├── NoPendingRequest     an answer to a request that nobody made
    │   ├── SeatVacant           a command before both players have joined
    │   └── SeatTaken            the seat belongs to another player
    ├── ClassError               a command that the class does not allow
    │   └── NameInUse            someone in the class has this name
    ├── RecordError              a record that cannot be read, with the place
    ├── TheoryError
    │   ├── PositionError        a total that is not a position of the game
    │   └── TooLarge             an exact answer that would take too long
    ├── PuzzleError              there is no such puzzle
    ├── BotFailed                a bot that does not follow the protocol
    ├── MissingExtra             an optional package that is not installed
    ├── OnlineError              a match on a server that cannot be played
    │   ├── InvalidLink          not the address of a match or of a server
    │   ├── ServerUnreachable    the server does not answer
    │   ├── MatchChanged         the log on the server differs from the one here
    │   ├── ResponseTooLarge     the server sent more than a match can have
    │   └── RequestRefused       the server's own sentence, with its code
    ├── RulebookError            a rule book that cannot be used, with the key
    │   └── UnknownRulebook      no rule book fits a name, or more than one
    └── StoreError               games that cannot be stored or loaded
        ├── StoreUnavailable     the folder or the file cannot be used
        ├── StoreTooNew          the file was written by a newer ninefold
        ├── DamagedStore         the file is damaged; it is left unchanged
        ├── DamagedMatch         a stored match that breaks its rules
        ├── DamagedClass         a stored class that breaks its rules
        ├── UnknownMatch         no match with that id is stored
        ├── UnknownClass         no class with that id is stored
        ├── UnknownLearner       there is no learner with that name
        ├── NameTaken            another learner has that name
        ├── RevisionConflict     the log has later commands from elsewhere
        └── ExportError          an export that cannot be read, with the line

Each message is one sentence for a person and says what to do instead; the same
facts are attributes for a program. Errors about a value (rules, a move, a match, a
setup, a command, a record) are ``ValueError`` too.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence

from ninefold.text import escape, excerpt, format_set, join_words, quote_value


class NinefoldError(Exception):
    """The base class of all errors that ninefold raises on purpose.

    Every error can be copied and pickled, so that it can come from another process.
    """

    def __str__(self) -> str:
        r"""Return the sentence, with control characters in quoted text escaped.

        >>> str(NinefoldError("no file \x1b[2J"))
        'no file \\x1b[2J'
        """
        return escape(super().__str__())

    def __reduce__(self) -> tuple[Callable[..., NinefoldError], tuple[object, ...]]:
        return _revive, (type(self), self.args, vars(self).copy())


def _revive(
    kind: type[NinefoldError], args: tuple[object, ...], facts: dict[str, object]
) -> NinefoldError:
    """Restore a pickled error from its finished sentence and its attributes."""
    error = kind.__new__(kind, *args)
    vars(error).update(facts)
    return error


class RulesError(NinefoldError, ValueError):
    """Rules that do not make a game; the sentence says what to use instead."""


class MoveError(NinefoldError, ValueError):
    """A move that cannot be made."""


class IllegalMove(MoveError):
    """A number that is not one of the multipliers.

    >>> raise IllegalMove(12, (2, 3, 4, 5))
    Traceback (most recent call last):
    ninefold.errors.IllegalMove: 12 is not a multiplier here; choose one of 2-5
    """

    def __init__(self, multiplier: object, legal: tuple[int, ...]) -> None:
        choice = "choose one of" if len(legal) > 1 else "choose"
        super().__init__(
            f"{quote_value(multiplier)} is not a multiplier here;"
            f" {choice} {format_set(legal)}"
        )
        self.multiplier = multiplier
        self.legal = legal


class GameOver(MoveError):
    """A move in a game that has ended."""


class NothingToUndo(MoveError):
    """A take-back before any move was made."""


class TakebackNotAllowed(MoveError):
    """A take-back in a game whose rule book does not allow any.

    >>> raise TakebackNotAllowed("Multiplication Madness")
    Traceback (most recent call last):
    ninefold.errors.TakebackNotAllowed: Multiplication Madness does not allow \
backtracking: moves cannot be taken back
    """

    def __init__(self, title: str) -> None:
        super().__init__(
            f"{title} does not allow backtracking: moves cannot be taken back"
        )
        self.title = title


class MatchError(NinefoldError, ValueError):
    """A match that is impossible, has ended, or does not accept this game."""


class SetupError(NinefoldError, ValueError):
    """A setup that cannot be played."""


class ProposalError(SetupError):
    """A field of a proposal whose value prevents a setup.

    ``field`` is its name, which the sentence may not mention.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field = field


class SessionError(NinefoldError, ValueError):
    """A command that the current session does not allow."""


class QuestionOpen(SessionError):
    """A move that needs a question answered first.

    ``question`` is a ``Question`` of ``ninefold.session``.
    """

    def __init__(self, question: object) -> None:
        super().__init__("answer the question before this move counts")
        self.question = question


class OutOfTurn(SessionError):
    """A move out of turn."""


class NoPendingRequest(SessionError):
    """An answer to a request that nobody made."""


class SeatVacant(SessionError):
    """A command before both players have joined; ``seat`` is the free seat."""

    def __init__(self, seat: object) -> None:
        super().__init__("the other player has not joined yet; wait for them")
        self.seat = seat


class SeatTaken(SessionError):
    """A request for a ``seat`` that belongs to another player."""

    def __init__(self, seat: object) -> None:
        super().__init__("that seat is taken; you can watch")
        self.seat = seat


class ClassError(NinefoldError, ValueError):
    """A command that the class does not allow, in a sentence that a child reads."""


class NameInUse(ClassError):
    """Someone in the class has this ``name``."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"someone here is called {name}; add a letter, such as {name} B"
        )
        self.name = name


class RecordError(NinefoldError, ValueError):
    """A record that cannot be read.

    ``place`` is where: ``column 12``, ``line 3`` or ``moves[2]``.
    """

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem


class TheoryError(NinefoldError):
    """A question that the theory cannot answer."""


class PositionError(TheoryError):
    """A total that is not a position in the game."""

    def __init__(self, total: object, problem: str) -> None:
        shown = quote_value(total)
        super().__init__(f"{shown} is not a position in this game: {problem}")
        self.total = total


class TooLarge(TheoryError):
    """An exact answer that would take too long to compute."""


class PuzzleError(NinefoldError):
    """A puzzle level that does not exist, or not exactly one winning move."""


class BotFailed(NinefoldError):
    """A bot that broke the protocol, crashed or exceeded a limit; it loses the game.

    The ``reason`` completes a sentence that starts with the name. The ``last_words``,
    the bot's last output, are for the person who runs it: they may name local files.

    >>> raise BotFailed("Otto", "did not answer 'move' within 5 seconds")
    Traceback (most recent call last):
    ninefold.errors.BotFailed: Otto did not answer 'move' within 5 seconds
    """

    def __init__(self, name: str, reason: str, last_words: str = "") -> None:
        self.name, self.reason, self.last_words = name, reason, last_words
        self.told = reason + (f"; its last output: {last_words}" if last_words else "")
        """The reason, with the last output."""
        super().__init__(f"{name} {self.told}")


class MissingExtra(NinefoldError, ImportError):
    """A module whose optional packages are not installed.

    >>> raise MissingExtra("ninefold.rl.ninefold_v0", "PettingZoo", "rl")
    Traceback (most recent call last):
    ninefold.errors.MissingExtra: ninefold.rl.ninefold_v0 needs PettingZoo; install it\
 with: pip install 'ninefold[rl]'
    """

    def __init__(self, module: str, package: str, extra: str) -> None:
        install = f"pip install 'ninefold[{extra}]'"
        super().__init__(f"{module} needs {package}; install it with: {install}")
        self.module = module
        self.package = package
        self.extra = extra


class OnlineError(NinefoldError):
    """A match on a server that cannot be played from here."""


class InvalidLink(OnlineError):
    """A text that is not the address of a match or of a server."""


class ServerUnreachable(OnlineError):
    """A server that does not answer."""


class MatchChanged(OnlineError):
    """A log on the server that differs from the one here: a backup was restored.

    >>> raise MatchChanged
    Traceback (most recent call last):
    ninefold.errors.MatchChanged: this match has changed on the server; join again
    """

    def __init__(self) -> None:
        super().__init__("this match has changed on the server; join again")


class ResponseTooLarge(OnlineError):
    """A server that sent more data than a match can have.

    >>> raise ResponseTooLarge("https://play.example.org")
    Traceback (most recent call last):
    ninefold.errors.ResponseTooLarge: https://play.example.org sent more data than \
a match can have; play on another server
    """

    def __init__(self, server: str) -> None:
        super().__init__(
            f"{server} sent more data than a match can have; play on another server"
        )
        self.server = server


class RequestRefused(OnlineError):
    """A request that a server refused: its sentence, and its code for programs.

    ``refusal`` is the whole message, a ``ninefold.online.messages.Refusal``.
    """

    def __init__(
        self, status: int, code: str, detail: str, refusal: object = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.refusal = refusal


class RulebookError(NinefoldError):
    """A rule book file that cannot be used.

    ``source`` is the file; ``key`` is where in it, or "" for the file as a whole.
    """

    def __init__(self, source: str, key: str, problem: str) -> None:
        super().__init__(": ".join(filter(None, (source, key, problem))))
        self.source = source
        self.key = key
        self.problem = problem


class UnknownRulebook(RulebookError):
    """A name that fits no rule book, or more than one.

    ``candidates`` are the keys that it may have meant, closest first.
    """

    def __init__(
        self, name: str, candidates: tuple[str, ...], *, several: bool
    ) -> None:
        why = "fits several games; choose one of" if several else "is not a game; try"
        super().__init__("", "", f"'{name}' {why} {', '.join(candidates)}")
        self.name = name
        self.candidates = candidates
        self.several = several


class StoreError(NinefoldError):
    """Games that cannot be stored or loaded."""


class StoreUnavailable(StoreError):
    """A folder, a file or a database that cannot be used."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem

    @classmethod
    def because(
        cls, path: str, error: OSError, otherwise: str = "use another folder"
    ) -> StoreUnavailable:
        """Make the error of a system error, with advice on how to fix it.

        >>> print(StoreUnavailable.because("a", PermissionError(13, "Not allowed")))
        a: Not allowed; change the permissions, or use another folder
        >>> print(StoreUnavailable.because("a", OSError(28, "No space left")))
        a: No space left; free some space, or use another folder
        """
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "free some space" if is_full else "change the permissions"
        return cls(path, f"{error.strerror or error}; {advice}, or {otherwise}")


class StoreTooNew(StoreError):
    """A file written by a newer ninefold, which is left unchanged.

    >>> raise StoreTooNew("games.db", found=9, known=1)
    Traceback (most recent call last):
    ninefold.errors.StoreTooNew: games.db: written by a newer ninefold (format 9;\
 this one reads up to 1); update ninefold
    """

    def __init__(self, path: str, *, found: int, known: int) -> None:
        super().__init__(
            f"{path}: written by a newer ninefold (format {found};"
            f" this one reads up to {known}); update ninefold"
        )
        self.path = path
        self.found = found
        self.known = known


class DamagedStore(StoreError):
    """A damaged file, which is left unchanged.

    >>> raise DamagedStore("games.db", "it is not an SQLite database")
    Traceback (most recent call last):
    ninefold.errors.DamagedStore: games.db is damaged (it is not an SQLite database);\
 move it away or restore a backup
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path} is damaged ({problem}); move it away or restore a backup"
        )
        self.path = path
        self.problem = problem


class DamagedMatch(StoreError):
    """A stored match that breaks its own rules."""

    def __init__(self, match_id: str, problem: str) -> None:
        super().__init__(
            f"match {match_id} is damaged and was left unchanged ({problem});"
            " choose another"
        )
        self.match_id = match_id
        self.problem = problem


class DamagedClass(StoreError):
    """A stored class that breaks its own rules."""

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"this class is damaged and was left unchanged ({problem}); start another,"
            " with ninefold class --new"
        )
        self.problem = problem


class UnknownMatch(StoreError):
    """An id under which no match is stored."""

    def __init__(self, match_id: str) -> None:
        super().__init__(f"no match {match_id} is saved here; choose one from the list")
        self.match_id = match_id


class UnknownClass(StoreError):
    """No class with that id is stored: it never existed, or was removed."""

    def __init__(self) -> None:
        super().__init__(
            "this class is over; ask your teacher for the code of a new one"
        )


class UnknownLearner(StoreError):
    """A name that no learner has."""

    def __init__(self, name: str, names: Sequence[str]) -> None:
        known = f"the learners are {join_words(names)}" if names else "there are none"
        super().__init__(f"there is no learner called '{excerpt(name)}'; {known}")
        self.name = name
        self.names = tuple(names)


class NameTaken(StoreError):
    """A name that another learner, now called ``now``, has or had before."""

    def __init__(self, name: str, now: str) -> None:
        called = f"there is already a learner called '{excerpt(name)}'"
        if name.casefold() != now.casefold():
            called = f"'{excerpt(name)}' is an earlier name of {excerpt(now)}"
        super().__init__(f"{called}; choose another name")
        self.name = name


class RevisionConflict(StoreError):
    """Commands based on an outdated revision of the match.

    ``number`` is the number of the first rejected command.
    """

    def __init__(self, match_id: str, number: int) -> None:
        super().__init__(
            "this match was continued elsewhere, perhaps in another window;"
            " resume it to load the latest moves"
        )
        self.match_id = match_id
        self.number = number


class ExportError(StoreError):
    """A line of an export that cannot be read."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}; nothing was imported")
        self.line = line
        self.problem = problem
