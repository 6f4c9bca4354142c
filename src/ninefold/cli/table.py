"""Two people at one terminal: asking, refusing, and telling until a match is over."""

from __future__ import annotations

from ninefold.cli.agreement import sentence
from ninefold.cli.console import InputEnded, Left
from ninefold.entries import Refusal, read_entry
from ninefold.errors import NothingToUndo
from ninefold.numerals import shorten, write_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.cli.agreement import Agreement
    from ninefold.cli.console import Console
    from ninefold.game import Game
    from ninefold.match import Match

_HELP = """\
Type one of {multipliers} and press Enter to multiply by it. You can also type:
  ?       to see this
  rules   to see the rules
  hint    to be shown a winning move
  why     to be told who wins from here, and why
  undo    to take the last move back
  resign  to give this game up
  quit    to leave
"""


def play_match(console: Console, agreement: Agreement) -> Match:
    """Play until the match is over. A single game is a match of one."""
    table = _Table(console, agreement)
    match = agreement.match
    while match.winner is None:
        if match.games:
            console.say("\n")
        game = match.next_game(agreement.rng)
        if agreement.is_tossed(match):
            console.say(table.narrator.toss(game))
        match = match.add(table.play_game(game))
        if match.length.wins_needed > 1:
            console.say("\n" + table.narrator.score(match))
    return match


class _Table:
    def __init__(self, console: Console, agreement: Agreement) -> None:
        self._console = console
        self._agreement = agreement
        rules = agreement.match.rules
        self.narrator = agreement.book.narrator(rules, agreement.names)

    def play_game(self, game: Game) -> Game:
        """Play one game to its end; leaving it early says how to see it again."""
        say = self._console.say
        say(self.narrator.opening())
        try:
            while game.outcome is None:
                say(self.narrator.turn(game))
                game = self._take_turn(game)
        except (InputEnded, KeyboardInterrupt, Left):
            self._keep(game)
            raise
        return game

    def _take_turn(self, game: Game) -> Game:
        """Ask until the entry changes the game: a move, an undo, or giving up."""
        while True:
            changed = game
            entry = self._console.ask(self.narrator.prompt(game))
            match entry.lower():
                case "?" | "help":
                    self._help(game)
                case "rules":
                    self._console.say(self._agreement.book.explain(game.rules))
                case "hint":
                    self._hint(game)
                case "why":
                    self._why(game)
                case "undo":
                    changed = self._undo(game)
                case "resign":
                    changed = self._resign(game)
                case "quit":
                    raise Left
                case _:
                    changed = self._move(game, entry)
            if changed is not game:
                return changed

    def _move(self, game: Game, entry: str) -> Game:
        multiplier = read_entry(entry, game.rules)
        if isinstance(multiplier, Refusal):
            self._console.say(self.narrator.refused(game, entry, multiplier))
            return game
        if not self._is_meant(game, multiplier):
            return game
        game = game.play(multiplier)
        self._console.say(self.narrator.after_move(game))
        return game

    def _is_meant(self, game: Game, multiplier: int) -> bool:
        question = self.narrator.confirm(game, multiplier)
        if question is None or not self._console.interactive:
            return True
        return self._console.ask(question).lower() in ("y", "yes")

    def _help(self, game: Game) -> None:
        multipliers = write_set(game.rules.multipliers)
        self._console.say(_HELP.format(multipliers=multipliers))

    def _hint(self, game: Game) -> None:
        from ninefold.theory import Lost, Won, explain

        match explain(game):
            case Won(move=move):
                hint = f"{shorten(move)} wins from here, if you go on as well."
            case Lost(move=move):
                hint = "No move wins here against best play;"
                hint += f" {shorten(move)} holds out longest."
        self._console.say(f"{hint}\n")

    def _why(self, game: Game) -> None:
        from ninefold.cli.layout import say_wrapped
        from ninefold.theory import explain

        say_wrapped(self._console, self._console.fit(explain(game).short))

    def _undo(self, game: Game) -> Game:
        try:
            earlier = game.undo()
        except NothingToUndo as error:
            self._console.say(sentence(str(error)))
            return game
        self._console.say("The last move is taken back.\n")
        return earlier

    def _resign(self, game: Game) -> Game:
        game = game.resign()
        self._console.say(self.narrator.ending(game))
        return game

    def _keep(self, game: Game) -> None:
        """Show the record of a game that is left before its end."""
        if game.moves:
            from ninefold.record import Record, write_line

            line = write_line(Record(game, self._agreement.book.key))
            self._console.notice(f"The game so far: ninefold replay {line}")
