"""A rule book's words, and the telling of a game in them.

Everything said in a game is a pure function of the game and the script, so a
transcript needs no terminal to be made or tested.
"""

from __future__ import annotations

from ninefold.game import Game, Seat
from ninefold.numerals import write, write_set
from ninefold.rules import Ending, Reason
from ninefold.shown import show_entry
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ninefold.entries import Refusal
    from ninefold.match import Match
    from ninefold.rulebooks.book import Rulebook
    from ninefold.rules import Rules

GUIDE_FACTS = frozenset(
    ("title", "start", "target", "multipliers", "lowest", "highest")
)
"""The facts that are known before anyone sits down; ``facts_of`` gathers them."""

_ALWAYS = GUIDE_FACTS | {"player1", "player2"}
_TURN = _ALWAYS | {"player", "total"}
_MOVE = _TURN | {"before", "multiplier"}
_END = _MOVE | {"winner", "loser"}
_MATCH = _ALWAYS | {"wins1", "wins2", "length"}

MOMENTS: dict[str, frozenset[str]] = {
    "toss": _ALWAYS | {"player"},
    "opening": _ALWAYS,
    "varied": _ALWAYS,
    "turn": _TURN,
    "prompt": _TURN,
    "prompt_set": _TURN,
    "played": _MOVE,
    "undone": _MOVE,
    "reached": _END,
    "exact": _END,
    "exceeded": _END,
    "resigned": _TURN | {"winner", "loser"},
    "refused_empty": _TURN,
    "refused_text": _TURN | {"entry"},
    "refused_number": _TURN | {"entry"},
    "confirm": _MOVE,
    "ask_target": GUIDE_FACTS,
    "score": _MATCH,
    "champion": _MATCH | {"winner", "loser", "high", "low"},
}
"""Each moment that has words, and the facts that its words may name."""

OPTIONAL_MOMENTS = frozenset(("varied", "prompt_set", "confirm"))
"""``varied`` follows an opening that does not tell the target, where it is not the
usual one; ``prompt_set`` is the prompt for a set with gaps; with ``confirm``, an entry
that loses needlessly is questioned."""

_REASONS = {
    Ending.REACH: (Reason.REACHED,),
    Ending.AVOID: (Reason.REACHED,),
    Ending.EXACT: (Reason.EXACT, Reason.EXCEEDED),
}


def moments_of(ending: Ending) -> tuple[str, ...]:
    """Name the moments that a game with this ending can come to."""
    never = {reason.value for reason in Reason} - {Reason.RESIGNED.value}
    never -= {reason.value for reason in _REASONS[ending]}
    return tuple(moment for moment in MOMENTS if moment not in never)


def names_in(template: str) -> list[str]:
    """List the facts that a template names, in order; a stray brace counts.

    >>> names_in("{player} has {total}")
    ['player', 'total']
    >>> names_in("a } b { c")
    ['}', '{']
    """
    before, *pieces = template.split("{")
    names = ["}"] if "}" in before else []
    for piece in pieces:
        name, closing, after = piece.partition("}")
        names.append(name if closing else "{")
        names += ["}"] if "}" in after else []
    return names


def fill(template: str, facts: Mapping[str, str]) -> str:
    """Put the facts in their places. What stands in a fact is never read again.

    >>> fill("{player} has {total}", {"player": "{total}", "total": "30"})
    '{total} has 30'
    """
    before, *pieces = template.split("{")
    filled = [before]
    for piece in pieces:
        name, _, after = piece.partition("}")
        filled += [facts[name], after]
    return "".join(filled)


class Script(Value):
    """The words of one rule book: a template for each moment."""

    __match_args__ = ("words",)
    __slots__ = ("_at", "words")
    words: tuple[tuple[str, str], ...]
    _at: dict[str, str]

    def __init__(self, words: Mapping[str, str] | tuple[tuple[str, str], ...]) -> None:
        """Take a template for each moment."""
        at = dict(words)
        hold(self, "words", tuple(sorted(at.items())))
        hold(self, "_at", at)

    def has(self, moment: str) -> bool:
        """Whether there are words for this moment."""
        return moment in self._at

    def say(self, moment: str, facts: Mapping[str, str]) -> str:
        """Say the words for a moment."""
        return fill(self._at[moment], facts)


def facts_of(
    title: str, rules: Rules, number: Callable[[int], str] = write
) -> dict[str, str]:
    """Gather what holds throughout a game, as text; numbers whole unless told."""
    return {
        "title": title,
        "start": number(rules.start),
        "target": number(rules.target),
        "multipliers": write_set(rules.multipliers),
        "lowest": number(rules.multipliers[0]),
        "highest": number(rules.multipliers[-1]),
    }


class Narrator:
    """Tells games played by the same rules, between players with these names."""

    def __init__(self, book: Rulebook, rules: Rules, names: Mapping[Seat, str]) -> None:
        """Fix whose words are used and who is spoken of."""
        self._script = script = book.script
        self._names = names
        self._facts = facts_of(book.title, rules) | {
            "player1": names[Seat.ONE],
            "player2": names[Seat.TWO],
        }
        lowest, highest = rules.multipliers[0], rules.multipliers[-1]
        has_gaps = highest - lowest >= len(rules.multipliers) or lowest == highest
        needs_set = has_gaps and script.has("prompt_set")
        self._prompt = "prompt_set" if needs_set else "prompt"
        is_varied = rules.target != book.rules.target and script.has("varied")
        self._openings = ("opening", "varied") if is_varied else ("opening",)

    def toss(self, game: Game) -> str:
        """Say who starts, by the toss."""
        facts = self._facts | {"player": self._names[game.first]}
        return self._script.say("toss", facts) + "\n\n"

    def opening(self) -> str:
        """Say what is said before the first turn."""
        return "".join(self._script.say(part, self._facts) for part in self._openings)

    def turn(self, game: Game) -> str:
        """Say whose turn it is; an empty line stands between two turns."""
        gap = "\n" if game.moves else ""
        return gap + self._script.say("turn", self._turn_facts(game))

    def prompt(self, game: Game) -> str:
        """Ask for a multiplier."""
        return self._script.say(self._prompt, self._turn_facts(game))

    def after_move(self, game: Game) -> str:
        """Say what the last move did, and how the game ended if it did."""
        return self._script.say("played", self._move_facts(game)) + self.ending(game)

    def ending(self, game: Game) -> str:
        """Say how the game ended; nothing while it goes on."""
        if game.outcome is None:
            return ""
        facts = self._result_facts(game.outcome.winner)
        if game.resigned is not None:
            facts |= {"player": self._names[game.resigned], "total": write(game.total)}
        else:
            facts |= self._move_facts(game)
        return self._script.say(game.outcome.reason.value, facts)

    def undone(self, before: Game, after: Game) -> str:
        """Say what was taken back between two points of a game, and what is left.

        A resignation that is taken back leaves every move, so nothing is said.
        """
        taken_back = before.moves[len(after.moves) :]
        if not taken_back:
            return ""
        facts = self._turn_facts(after) | {
            "before": write(after.total),
            "multiplier": " x ".join(map(write, taken_back)),
        }
        return self._script.say("undone", facts)

    def refused(self, game: Game, entry: str, refusal: Refusal) -> str:
        """Say why an entry does not count."""
        facts = self._turn_facts(game) | {"entry": show_entry(entry)}
        return self._script.say(refusal.value, facts) + "\n"

    def confirm(self, game: Game, multiplier: int) -> str | None:
        """Ask whether a needless loss is meant; None where no question is due."""
        rules, total = game.rules, game.total
        if not self._script.has("confirm") or not rules.loses_at_once(
            total, multiplier
        ):
            return None
        if all(rules.loses_at_once(total, other) for other in rules.multipliers):
            return None
        return self._script.say("confirm", self._move_facts(game.play(multiplier)))

    def score(self, match: Match) -> str:
        """Say how the match stands, and who has won it if it is over."""
        wins = match.score
        facts = self._facts | {
            "wins1": write(wins[Seat.ONE]),
            "wins2": write(wins[Seat.TWO]),
            "length": str(match.length),
        }
        said = self._script.say("score", facts) + "\n"
        if match.winner is not None:
            facts |= self._result_facts(match.winner)
            facts |= {
                "high": write(max(wins.values())),
                "low": write(min(wins.values())),
            }
            said += self._script.say("champion", facts) + "\n"
        return said

    def transcript(self, game: Game) -> str:
        """Tell a whole game as the screen would have shown it, entries included."""
        told = [self.opening()]
        so_far = Game(game.rules, first=game.first)
        for multiplier in game.moves:
            told += [self.turn(so_far), self.prompt(so_far), f"{write(multiplier)}\n"]
            so_far = so_far.play(multiplier)
            told.append(self.after_move(so_far))
        if game.resigned is game.to_move:
            told += [self.turn(so_far), self.prompt(so_far), "resign\n"]
        if game.resigned is not None:
            told.append(self.ending(game))
        return "".join(told)

    def _turn_facts(self, game: Game) -> dict[str, str]:
        player = self._names[game.to_move]
        return self._facts | {"player": player, "total": write(game.total)}

    def _move_facts(self, game: Game) -> dict[str, str]:
        """Gather what the last move of a game did."""
        return self._facts | {
            "player": self._names[game.to_move.other],
            "before": write(game.undo().total),
            "multiplier": write(game.moves[-1]),
            "total": write(game.total),
        }

    def _result_facts(self, winner: Seat) -> dict[str, str]:
        names = {"winner": self._names[winner], "loser": self._names[winner.other]}
        return self._facts | names
