"""Everything ninefold refuses, as one tree.

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
    ├── RecordError              a record that cannot be read, with the place
    ├── TheoryError
    │   ├── PositionError        a total that is not a position of the game
    │   └── TooLarge             an exact answer that would take too long
    ├── PuzzleError              there is no such puzzle
    ├── BotFailed                a bot that does not follow the protocol
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
        ├── UnknownMatch         no match with that id is stored
        ├── UnknownLearner       there is no learner with that name
        ├── NameTaken            another learner has that name
        ├── RevisionConflict     the log has later commands from elsewhere
        └── ExportError          an export that cannot be read, with the line

Each message is one sentence for a person and says what to do instead; the same
facts are attributes for a program. Errors about a value (rules, a move, a match, a
set-up, a command, a record) are ``ValueError`` too.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence

from ninefold.text import escape, excerpt, format_set, join_words, quote_value


class NinefoldError(Exception):
    """The base: catch it to catch everything that ninefold refuses.

    Every error can be copied and pickled, so that it can come from another process.
    """

    def __str__(self) -> str:
        r"""Write the sentence; escape sequences in the text it quotes are escaped.

        >>> str(NinefoldError("no file \x1b[2J"))
        'no file \\x1b[2J'
        """
        return escape(super().__str__())

    def __reduce__(self) -> tuple[Callable[..., NinefoldError], tuple[object, ...]]:
        return _revive, (type(self), self.args, vars(self).copy())


def _revive(
    kind: type[NinefoldError], args: tuple[object, ...], facts: dict[str, object]
) -> NinefoldError:
    """Make an error anew. Its sentence is made already, and its facts are known."""
    error = kind.__new__(kind, *args)
    vars(error).update(facts)
    return error


class RulesError(NinefoldError, ValueError):
    """The rules make no game; the sentence says what to write instead."""


class MoveError(NinefoldError, ValueError):
    """A move that cannot be made."""


class IllegalMove(MoveError):
    """A number that is no multiplier in these rules.

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
    """The game has ended, so nothing more can be played in it."""


class NothingToUndo(MoveError):
    """No move has been made yet, so none can be taken back."""


class TakebackNotAllowed(MoveError):
    """A rule book that lets no move be taken back.

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
    """A match that cannot be, or cannot take this game."""


class SetupError(NinefoldError, ValueError):
    """What was agreed before a match cannot be played."""


class ProposalError(SetupError):
    """A field of a proposal from which no set-up can be made."""

    def __init__(self, field: str, problem: str) -> None:
        """Keep the name of the field, of which the sentence may say nothing."""
        super().__init__(problem)
        self.field = field


class SessionError(NinefoldError, ValueError):
    """A command that does not fit where the session stands."""


class QuestionOpen(SessionError):
    """A move about which a person must answer a question before it counts."""

    def __init__(self, question: object) -> None:
        """Keep the question, which is one of those in ``ninefold.session``."""
        super().__init__("this move has a question to be answered before it counts")
        self.question = question


class OutOfTurn(SessionError):
    """A move of a seat that is not to move."""


class NoPendingRequest(SessionError):
    """An answer to something that was not asked."""


class SeatVacant(SessionError):
    """A command before everybody has sat down."""

    def __init__(self, seat: object) -> None:
        """Keep the seat that is empty, a value of ``ninefold.game.Seat``."""
        super().__init__("nobody sits in the other seat yet; wait until somebody does")
        self.seat = seat


class SeatTaken(SessionError):
    """A seat that somebody sits in already."""

    def __init__(self, seat: object) -> None:
        """Keep the seat, a value of ``ninefold.game.Seat``."""
        super().__init__("somebody sits there already; you can watch")
        self.seat = seat


class RecordError(NinefoldError, ValueError):
    """A record that cannot be read."""

    def __init__(self, place: str, problem: str) -> None:
        """Keep the place (``column 12``, ``line 3``, ``moves[2]``) and the problem."""
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem


class TheoryError(NinefoldError):
    """A question that the theory does not answer."""


class PositionError(TheoryError):
    """A total that is no position of the game."""

    def __init__(self, total: object, problem: str) -> None:
        super().__init__(f"{quote_value(total)} is no position of this game: {problem}")
        self.total = total


class TooLarge(TheoryError):
    """An exact answer that would take too long to find."""


class PuzzleError(NinefoldError):
    """No such puzzle: no such level, or not exactly one winning move."""


class BotFailed(NinefoldError):
    """A program from outside that does not play as it should, and loses for it.

    >>> raise BotFailed("Otto", "did not say 'move' within 5 seconds")
    Traceback (most recent call last):
    ninefold.errors.BotFailed: Otto did not say 'move' within 5 seconds
    """

    def __init__(self, name: str, reason: str, last_words: str = "") -> None:
        """Keep what the bot calls itself, and the reason, which follows the name.

        Its last words are for whoever runs it: they may name files of the machine.
        """
        self.name, self.reason, self.last_words = name, reason, last_words
        self.told = reason + (f"; its last words: {last_words}" if last_words else "")
        """The reason, with its last words."""
        super().__init__(f"{name} {self.told}")


class OnlineError(NinefoldError):
    """A match on a server that cannot be played from here."""


class InvalidLink(OnlineError):
    """A text that is no address of a match, or of a server."""


class ServerUnreachable(OnlineError):
    """A server that gives no answer."""


class MatchChanged(OnlineError):
    """A log that does not continue the one that is known: a backup was restored.

    >>> raise MatchChanged
    Traceback (most recent call last):
    ninefold.errors.MatchChanged: this match has changed on the server; join again
    """

    def __init__(self) -> None:
        super().__init__("this match has changed on the server; join again")


class ResponseTooLarge(OnlineError):
    """A server that sends more than a match can have.

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
    """What a server refuses: its sentence, and its code for programs.

    ``refusal`` is what came with it, a ``ninefold.online.messages.Refusal``.
    """

    def __init__(
        self, status: int, code: str, detail: str, refusal: object = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.refusal = refusal


class RulebookError(NinefoldError):
    """A rule book file that cannot be used."""

    def __init__(self, source: str, key: str, problem: str) -> None:
        """Keep the file, the key in it (may be empty) and the problem there."""
        super().__init__(": ".join(filter(None, (source, key, problem))))
        self.source = source
        self.key = key
        self.problem = problem


class UnknownRulebook(RulebookError):
    """No rule book, or more than one, fits a name."""

    def __init__(
        self, name: str, candidates: tuple[str, ...], *, several: bool
    ) -> None:
        """Keep the name and the keys it may have meant, closest first."""
        asked = "fits several games; choose one of" if several else "is no game; try"
        super().__init__("", "", f"'{name}' {asked} {', '.join(candidates)}")
        self.name = name
        self.candidates = candidates
        self.several = several


class StoreError(NinefoldError):
    """Games that cannot be stored, or cannot be loaded."""


class StoreUnavailable(StoreError):
    """A folder, a file or a database that cannot be used; the problem says why."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem

    @classmethod
    def because(
        cls, path: str, error: OSError, otherwise: str = "use another folder"
    ) -> StoreUnavailable:
        """Say what the system answered, and what to do about it.

        >>> print(StoreUnavailable.because("a", PermissionError(13, "Not allowed")))
        a: Not allowed; allow it, or use another folder
        >>> print(StoreUnavailable.because("a", OSError(28, "No space left")))
        a: No space left; make room, or use another folder
        """
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "make room" if is_full else "allow it"
        return cls(path, f"{error.strerror or error}; {advice}, or {otherwise}")


class StoreTooNew(StoreError):
    """A file written by a newer ninefold, which is left as it is.

    >>> raise StoreTooNew("games.db", found=9, known=1)
    Traceback (most recent call last):
    ninefold.errors.StoreTooNew: games.db: a newer ninefold wrote this (version 9;\
 this one knows 1); update ninefold to go on with it
    """

    def __init__(self, path: str, *, found: int, known: int) -> None:
        super().__init__(
            f"{path}: a newer ninefold wrote this (version {found};"
            f" this one knows {known}); update ninefold to go on with it"
        )
        self.path = path
        self.found = found
        self.known = known


class DamagedStore(StoreError):
    """A damaged file, which is left as it is.

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
    """A stored match that cannot have been played: the rules refuse it."""

    def __init__(self, match_id: str, problem: str) -> None:
        super().__init__(
            f"match {match_id} is damaged and left as it is ({problem});"
            " choose another one"
        )
        self.match_id = match_id
        self.problem = problem


class UnknownMatch(StoreError):
    """No match with that id is stored."""

    def __init__(self, match_id: str) -> None:
        super().__init__(f"no match {match_id} is saved here; choose one of the list")
        self.match_id = match_id


class UnknownLearner(StoreError):
    """No learner has that name."""

    def __init__(self, name: str, names: Sequence[str]) -> None:
        known = f"learners here are {join_words(names)}" if names else "there are none"
        super().__init__(f"nobody called '{excerpt(name)}' learns here; {known}")
        self.name = name
        self.names = tuple(names)


class NameTaken(StoreError):
    """Another learner has that name, or had it before."""

    def __init__(self, name: str, now: str) -> None:
        """Take the name, and what the learner who has it is called now."""
        called = f"there is already a learner called '{excerpt(name)}'"
        if name.casefold() != now.casefold():
            called = f"'{excerpt(name)}' is an earlier name of {excerpt(now)}"
        super().__init__(f"{called}; choose another name")
        self.name = name


class RevisionConflict(StoreError):
    """The log of the match went on elsewhere, so these commands do not follow it."""

    def __init__(self, match_id: str, number: int) -> None:
        """Keep the match, and the number that was refused."""
        super().__init__(
            "this match was changed elsewhere, perhaps in another window;"
            " resume it to go on from where it stands"
        )
        self.match_id = match_id
        self.number = number


class ExportError(StoreError):
    """A line of an export that cannot be read."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}; nothing was imported")
        self.line = line
        self.problem = problem
