"""Everything ninefold refuses, as one tree.

::

    NinefoldError
    ├── RulesError           the rules make no game
    ├── MoveError
    │   ├── IllegalMove      not one of the multipliers
    │   ├── GameOver         the game has ended already
    │   └── NothingToUndo    no move has been made yet
    ├── MatchError           the match cannot take that game, or has ended
    ├── RecordError          a record that cannot be read, with the place
    ├── TheoryError
    │   ├── PositionError    a total that is no position of the game
    │   └── TooLarge         an exact answer that would take too long to find
    ├── PuzzleError          a puzzle that there is not
    ├── RulebookError        a rule book file that cannot be used, with the key
    │   └── UnknownRulebook  no rule book, or more than one, fits a name
    └── StoreError           what was played cannot be kept, or not be read back
        ├── StoreUnavailable the folder or the file cannot be used as things are
        ├── NewerStore       the file was written by a newer ninefold
        ├── DamagedStore     the file broke while in use, and was moved aside
        ├── DamagedMatch     a kept match that the rules refuse
        ├── UnknownMatch     no match with that id is kept
        ├── OutOfStep        the game was gone on with elsewhere
        └── ExportError      an export that cannot be read, with the line

Each message is one sentence for a person and says what to do instead; the same
facts are attributes for a program.
"""

from __future__ import annotations

from ninefold.numerals import write_set
from ninefold.shown import printable, show_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class NinefoldError(Exception):
    """The base: catch this to catch whatever ninefold refuses.

    Every error can be copied and pickled, so that it can come from another process.
    """

    def __str__(self) -> str:
        r"""Write the sentence so that it can be printed, whatever it quotes.

        >>> str(NinefoldError("no file \x1b[2J"))
        'no file \\x1b[2J'
        """
        return printable(super().__str__())

    def __reduce__(self) -> tuple[Callable[..., NinefoldError], tuple[object, ...]]:
        return _revive, (type(self), self.args, vars(self).copy())


def _revive(
    kind: type[NinefoldError], args: tuple[object, ...], facts: dict[str, object]
) -> NinefoldError:
    """Make an error anew. Its sentence is made already, and its facts are known."""
    error = kind.__new__(kind, *args)
    vars(error).update(facts)
    return error


class RulesError(NinefoldError):
    """The rules make no game; the sentence says what to write instead."""


class MoveError(NinefoldError):
    """A move that cannot be made."""


class IllegalMove(MoveError):
    """A number that is no multiplier in these rules.

    >>> raise IllegalMove(12, (2, 3, 4, 5))
    Traceback (most recent call last):
    ninefold.errors.IllegalMove: 12 is not a multiplier here; choose one of 2-5
    """

    def __init__(self, multiplier: object, legal: tuple[int, ...]) -> None:
        """Keep what was tried and what may be chosen."""
        choice = "choose one of" if len(legal) > 1 else "choose"
        super().__init__(
            f"{show_value(multiplier)} is not a multiplier here;"
            f" {choice} {write_set(legal)}"
        )
        self.multiplier = multiplier
        self.legal = legal


class GameOver(MoveError):
    """The game has ended, so nothing more can be played in it."""


class NothingToUndo(MoveError):
    """No move has been made yet, so none can be taken back."""


class MatchError(NinefoldError):
    """A match that cannot be, or cannot take this game."""


class RecordError(NinefoldError):
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
        """Keep the total; the problem says which totals are positions."""
        super().__init__(f"{show_value(total)} is no position of this game: {problem}")
        self.total = total


class TooLarge(TheoryError):
    """An exact answer that would take too long to find."""


class PuzzleError(NinefoldError):
    """A puzzle that there is not: no such level, or no single winning move."""


class RulebookError(NinefoldError):
    """A rule book file that cannot be used."""

    def __init__(self, source: str, key: str, problem: str) -> None:
        """Keep the file, the key in it (may be empty) and what is expected there."""
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
    """Something that cannot be kept, or cannot be read back."""


class StoreUnavailable(StoreError):
    """The folder or the file cannot be used as things are; nothing was changed."""

    def __init__(self, path: str, problem: str) -> None:
        """Keep the path; the problem says what to do about it."""
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class NewerStore(StoreError):
    """A file written by a newer ninefold, which is left as it is.

    >>> raise NewerStore("games.db", found=9, known=1)
    Traceback (most recent call last):
    ninefold.errors.NewerStore: games.db: a newer ninefold wrote this (version 9;\
 this one knows 1); update ninefold to go on with it
    """

    def __init__(self, path: str, *, found: int, known: int) -> None:
        """Keep the version that was found and the latest that is known here."""
        super().__init__(
            f"{path}: a newer ninefold wrote this (version {found};"
            f" this one knows {known}); update ninefold to go on with it"
        )
        self.path = path
        self.found = found
        self.known = known


class DamagedStore(StoreError):
    """A file that broke while it was in use; it was moved aside, not deleted."""


class DamagedMatch(StoreError):
    """A kept match that cannot be what was played, since the rules refuse it."""

    def __init__(self, match_id: str, problem: str) -> None:
        """Keep which match it is and what is wrong with it."""
        super().__init__(
            f"match {match_id} is damaged and left as it is ({problem});"
            " choose another one"
        )
        self.match_id = match_id
        self.problem = problem


class UnknownMatch(StoreError):
    """No match with that id is kept."""

    def __init__(self, match_id: str) -> None:
        """Keep the id that was asked for."""
        super().__init__(f"no match {match_id} is kept here; choose one that is listed")
        self.match_id = match_id


class OutOfStep(StoreError):
    """The game was gone on with elsewhere, so this change does not fit it."""

    def __init__(self, match_id: str, number: int) -> None:
        """Keep which game it is."""
        super().__init__(
            f"game {number} of this match was changed elsewhere, perhaps in another"
            " window; resume it to go on from where it stands"
        )
        self.match_id = match_id
        self.number = number


class ExportError(StoreError):
    """A line of an export that cannot be read."""

    def __init__(self, line: int, problem: str) -> None:
        """Keep the line's number and the problem, which names the key."""
        super().__init__(f"line {line}: {problem}; nothing was imported")
        self.line = line
        self.problem = problem
