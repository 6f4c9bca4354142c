"""A game in a rule book's words.

Every text of a game is a pure function of the game and the rule book, so a transcript
can be made and tested without a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial

from ninefold.errors import RulebookError
from ninefold.game import NAMES, Game, Seat
from ninefold.match import Match
from ninefold.rulebooks.move_parser import EntryProblem
from ninefold.rulebooks.rulebook import Rulebook, facts_of, fill
from ninefold.rules import Rules
from ninefold.text import excerpt, shorten

# A rule book addresses the player at this screen. A move made elsewhere is described
# in the third person, in the same words in every game.
_AWAY_TOSS = "The coin is tossed: {player} starts."
_AWAY_PLAYED = "{player} plays ×{multiplier}: {before} × {multiplier} makes {total}.\n"
_NO_PASSING = (
    "You cannot pass in this game. You can type {multipliers}. Type ? for help."
)

_plain = partial(shorten, grouped=False)
"""Writes numbers as the rule books do."""


class Narrator:
    """Narrates games with the same rules between two named players.

    Names are in seat order or keyed by seat; a mapping is copied. The seats
    ``elsewhere`` are played by programs, or by people at another screen: they get no
    prompt, and their moves are described in the third person. The end of a game and of
    a match is always in the rule book's words. Raises ``RulebookError`` for rules with
    another ending than the rule book's.
    """

    def __init__(
        self,
        book: Rulebook,
        rules: Rules,
        names: tuple[str, str] | Mapping[Seat, str] = NAMES,
        elsewhere: Collection[Seat] = (),
    ) -> None:
        if rules.ending is not book.rules.ending:
            own, other = book.rules.ending.value, rules.ending.value
            problem = (
                f"this rule book is for the ending '{own}', not '{other}';"
                " choose another"
            )
            raise RulebookError(book.key, "", problem)
        self._words = words = book.words
        self._away = frozenset(elsewhere)
        if not isinstance(names, Mapping):
            names = dict(zip(Seat, names, strict=True))
        self._names = dict(names)
        self._facts = {
            **facts_of(book.title, rules),
            "player1": self._names[Seat.ONE],
            "player2": self._names[Seat.TWO],
        }
        self._prompt = words.prompt
        if words.prompt_set is not None and not _is_range(rules.multipliers):
            self._prompt = words.prompt_set
        self._opening = words.opening
        if words.varied is not None and rules.target != book.rules.target:
            self._opening += words.varied

    def toss(self, game: Game) -> str:
        """Return who starts, by the toss."""
        facts = self._facts | {"player": self._names[game.first]}
        template = self._words.toss
        if game.first in self._away:
            template = _AWAY_TOSS
        return fill(template, facts) + "\n\n"

    def opening(self) -> str:
        """Return the text before the first turn."""
        return fill(self._opening, self._facts)

    def turn(self, game: Game) -> str:
        """Return whose turn it is, after an empty line between two turns."""
        gap = "\n" if game.moves else ""
        if game.to_move in self._away:
            return gap
        return gap + fill(self._words.turn, self._turn_facts(game))

    def prompt(self, game: Game) -> str:
        """Return the prompt for a multiplier; "" for a seat elsewhere."""
        if game.to_move in self._away:
            return ""
        return fill(self._prompt, self._turn_facts(game))

    def played(self, game: Game) -> str:
        """Return what the last move did."""
        if game.to_move.other not in self._away:
            return fill(self._words.played, self._move_facts(game))
        return fill(_AWAY_PLAYED, self._move_facts(game, _plain))

    def ending(self, game: Game) -> str:
        """Return how the game ended; "" if it has not ended."""
        if game.outcome is None:
            return ""
        facts = self._result_facts(game.outcome.winner)
        if game.resigned_by is not None:
            facts |= {"player": self._names[game.resigned_by], "total": str(game.total)}
        else:
            facts |= self._move_facts(game)
        # The value of the reason is the name of the moment.
        return fill(getattr(self._words, game.outcome.reason.value), facts)

    def undone(self, before: Game, after: Game) -> str:
        """Return which moves were taken back between two points of a game.

        Taking back a resignation takes back no move: "".
        """
        taken_back = before.moves[len(after.moves) :]
        if not taken_back:
            return ""
        facts = self._turn_facts(after) | {
            "before": str(after.total),
            "multiplier": " × ".join(map(str, taken_back)),
        }
        return fill(self._words.undone, facts)

    def refused(self, game: Game, entry: str, refusal: EntryProblem) -> str:
        """Return why an entry is rejected."""
        facts = self._turn_facts(game) | {"entry": excerpt(entry)}
        template = getattr(self._words, refusal.value, _NO_PASSING)
        return fill(template, facts) + "\n"

    def confirm(self, game: Game, multiplier: int) -> str:
        """Return the question about an avoidable loss; "" in most rule books."""
        question = self._words.confirm or ""
        return fill(question, self._move_facts(game.play(multiplier)))

    def score(self, match: Match) -> str:
        """Return the score of a match and, once it is over, who has won it."""
        one, two = match.score.values()
        facts = self._facts | {
            "wins1": str(one),
            "wins2": str(two),
            "length": str(match.length),
        }
        text = fill(self._words.score, facts) + "\n"
        if not match.is_over:
            return text
        template = self._words.tied
        facts |= {"high": str(max(one, two)), "low": str(min(one, two))}
        winner = match.winner
        if winner is not None:
            template = self._words.champion
            facts |= self._result_facts(winner)
        return text + fill(template, facts) + "\n"

    def transcript(self, game: Game) -> str:
        """Return a whole game as a screen shows it, including what players type."""
        parts = [self.opening()]
        so_far = Game.start(game.rules, first=game.first)
        for multiplier in game.moves:
            parts += [self.turn(so_far), self.prompt(so_far)]
            if so_far.to_move not in self._away:
                parts.append(f"{multiplier}\n")
            so_far = so_far.play(multiplier)
            parts += [self.played(so_far), self.ending(so_far)]
        if game.resigned_by is game.to_move and game.to_move not in self._away:
            parts += [self.turn(so_far), self.prompt(so_far), "resign\n"]
        if game.resigned_by is not None:
            parts.append(self.ending(game))
        return "".join(parts)

    def _turn_facts(self, game: Game) -> dict[str, str]:
        player = self._names[game.to_move]
        return self._facts | {"player": player, "total": str(game.total)}

    def _move_facts(
        self, game: Game, number: Callable[[int], str] = str
    ) -> dict[str, str]:
        """Return the facts about the last move of a game."""
        return self._facts | {
            "player": self._names[game.to_move.other],
            "before": number(game.undo().total),
            "multiplier": str(game.moves[-1]),
            "total": number(game.total),
        }

    def _result_facts(self, winner: Seat) -> dict[str, str]:
        names = {"winner": self._names[winner], "loser": self._names[winner.other]}
        return self._facts | names


def _is_range(multipliers: tuple[int, ...]) -> bool:
    """Whether there are several multipliers without a gap."""
    return multipliers[-1] - multipliers[0] == len(multipliers) - 1 > 0
