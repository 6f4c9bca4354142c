"""Of which move the coach has warned, on this process or on another."""

from __future__ import annotations

import re
from hashlib import sha256

from ninefold.session import Session

_WORD = re.compile(r"([^:]+):warned:([0-9]{1,9}):([0-9a-f]{16})")


class CoachWarning:
    """Of which move the coach has warned last, and when: it speaks once at a position.

    Were it asked about every move, it would tell which of them wins.
    """

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._at: tuple[int, str] | None = None

    def speak(self, session: Session, multiplier: int) -> None:
        """Note that the coach warns of a move."""
        self._at = session.revision, _digest(multiplier)

    def may_be_of(self, session: Session, multiplier: int) -> bool:
        """Whether the coach has not warned of another move at this position."""
        spoken = self._at is not None and self._at[0] == session.revision
        return not spoken or self.was_of(session, multiplier)

    def was_of(self, session: Session, multiplier: int) -> bool:
        """Whether it was this move."""
        return self._at == (session.revision, _digest(multiplier))

    def multiplier(self, session: Session) -> int | None:
        """Return the move that the coach has warned of at this position, if any."""
        if self._at is None or self._at[0] != session.revision:
            return None
        for multiplier in session.setup.rules.multipliers:
            if _digest(multiplier) == self._at[1]:
                return multiplier
        return None

    def write_word(self, match_id: str) -> str:
        """Write it as one word, to be told to other processes."""
        revision, digest = self._at or (0, _digest(0))
        return f"{match_id}:warned:{revision}:{digest}"

    @classmethod
    def read_word(cls, word: str) -> tuple[str, CoachWarning] | None:
        """Read the warning of a match from such a word; None if it is another one."""
        found = _WORD.fullmatch(word)
        if found is None:
            return None
        match_id, revision, digest = found.groups()
        warning = cls()
        warning._at = int(revision), digest
        return match_id, warning


def _digest(multiplier: int) -> str:
    """Stand for a number that may be too long for a word."""
    return sha256(str(multiplier).encode()).hexdigest()[:16]
