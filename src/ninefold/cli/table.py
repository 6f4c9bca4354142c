"""The table that players sit at: asking, refusing and telling till a match is over."""

from __future__ import annotations

from ninefold.cli.agreement import sentence
from ninefold.cli.console import InputEnded, Left
from ninefold.cli.teacher import Teacher
from ninefold.entries import Refusal, read_entry
from ninefold.errors import NothingToUndo
from ninefold.numerals import shorten, write, write_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.cli.agreement import Agreement
    from ninefold.cli.console import Console
    from ninefold.cli.keeping import Keeper
    from ninefold.game import Game
    from ninefold.match import Match
    from ninefold.theory import Ended, Lost, Won

_HELP = """\
Type a multiplier ({multipliers}) and press Enter. You can also type:
  ?       to see this
  rules   to see the rules
  hint    to be shown a winning move
  why     to be told who wins from here, and why
  undo    to take the last move back
  resign  to give this game up
  quit    to leave
"""


class Table:
    """Where one match is played. A single game is a match of one."""

    def __init__(
        self, console: Console, agreement: Agreement, keeper: Keeper, pace: float = 0
    ) -> None:
        """Seat the players; ``pace`` is how long the computer seems to think."""
        self._console = console
        self._agreement = agreement
        self._keeper = keeper
        self._pace = pace
        rules = agreement.match.rules
        self._teacher = Teacher(console, agreement.lessons, rules, keeper)
        self._narrator = agreement.book.narrator(rules, agreement.names)

    def play(self, match: Match | None = None, game: Game | None = None) -> Match:
        """Play until the match is over, from its start or from where it stands."""
        match = self._agreement.match if match is None else match
        if self._agreement.has_computer:
            self._introduce()
        if match.games:
            self._console.say(self._narrator.score(match) + "\n")
        try:
            if game is not None:
                self._console.say(self._narrator.transcript(game))
                match = self._finish(match, game)
            while match.winner is None:
                if match.games:
                    self._console.say("\n")
                match = self._finish(match, self._begin(match))
        finally:
            self._keeper.close()
        return match

    def _begin(self, match: Match) -> Game:
        say = self._console.say
        tossed = self._agreement.is_tossed(match)
        number = len(match.games) + 1
        rng = self._agreement.chance("toss", number) if tossed else None
        game = match.next_game(rng)
        if tossed:
            say(self._narrator.toss(game))
        say(self._narrator.opening())
        return game

    def _introduce(self) -> None:
        """Say who the computer is."""
        from ninefold.cli.layout import say_wrapped
        from ninefold.players import LEVELS

        for seat, player in self._agreement.players.items():
            if not self._agreement.is_human(seat):
                character = LEVELS[player].character
                name = self._agreement.names[seat]
                introduction = f"{name} is the computer, {player}: {character}"
                say_wrapped(self._console, introduction)
        self._console.say("\n")

    def _finish(self, match: Match, game: Game) -> Match:
        """Play a game to its end, and count it."""
        number = len(match.games) + 1
        self._teacher.begin_game()
        try:
            while game.outcome is None:
                self._console.say(self._narrator.turn(game))
                if self._agreement.is_human(game.to_move):
                    game = self._ask(number, game)
                else:
                    game = self._answer(number, game)
        except (InputEnded, KeyboardInterrupt, Left):
            self._say_where_it_is(game)
            raise
        match = match.add(game)
        if match.length.wins_needed > 1:
            self._console.say("\n" + self._narrator.score(match))
        return match

    def _answer(self, number: int, game: Game) -> Game:
        """Let the computer answer a turn, and show it as if it had typed."""
        from ninefold.players import LEVELS

        self._console.say(self._narrator.prompt(game))
        self._console.pause(self._pace)
        level = LEVELS[self._agreement.players[game.to_move]]
        rng = self._agreement.chance("move", number, len(game.moves))
        player = level.player(rng, self._teacher.oracle)
        multiplier = player.choose(game)
        after = game.play(multiplier)
        self._keeper.change(number, game, after)
        self._console.say(f"{write(multiplier)}\n{self._narrator.after_move(after)}")
        return after

    def _ask(self, number: int, game: Game) -> Game:
        """Ask until the entry changes the game: a move, an undo, or giving up."""
        self._teacher.before_turn(game)
        while True:
            changed = game
            entry = self._console.ask(self._narrator.prompt(game))
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
                    changed = self._undo(number, game)
                case "resign":
                    changed = self._resign(number, game)
                case _:
                    changed = self._move(number, game, entry)
            if changed is not game:
                return changed

    def _move(self, number: int, game: Game, entry: str) -> Game:
        multiplier = read_entry(entry, game.rules)
        if isinstance(multiplier, Refusal):
            self._console.say(self._narrator.refused(game, entry, multiplier))
            return game
        # The product is asked for before anyone says it.
        self._teacher.ask_product(game.total, multiplier)
        if not self._is_meant(game, multiplier):
            return game
        after = game.play(multiplier)
        self._keeper.change(number, game, after)
        self._console.say(self._narrator.after_move(after))
        return after

    def _is_meant(self, game: Game, multiplier: int) -> bool:
        question = self._narrator.confirm(game, multiplier)
        if question is not None and self._console.interactive:
            return self._console.asks_yes(question)
        return self._teacher.lets_pass(game, multiplier)

    def _help(self, game: Game) -> None:
        multipliers = write_set(game.rules.multipliers)
        self._console.say(_HELP.format(multipliers=multipliers))

    def _hint(self, game: Game) -> None:
        from ninefold.theory import Lost, Won

        hint = ""
        match self._explained(game):
            case Won(move=move):
                hint = f"{shorten(move)} wins from here, if you go on as well.\n"
            case Lost(move=move, longest=longest):
                hint = "No move wins here against best play"
                every = len(longest) == len(game.rules.multipliers)
                hint += ".\n" if every else f"; {shorten(move)} holds out longest.\n"
        self._console.say(hint)

    def _why(self, game: Game) -> None:
        from ninefold.cli.layout import say_wrapped

        reason = self._explained(game)
        if reason is not None:
            say_wrapped(self._console, self._console.fit(reason.short))

    def _explained(self, game: Game) -> Won | Lost | Ended | None:
        from ninefold.errors import TooLarge
        from ninefold.theory import explain

        try:
            return explain(game, self._teacher.oracle)
        except TooLarge:
            self._console.say("This game goes further than can be seen.\n")
            return None

    def _undo(self, number: int, game: Game) -> Game:
        """Take moves back until a person is to move again."""
        try:
            earlier = game.undo()
            while not self._agreement.is_human(earlier.to_move):
                earlier = earlier.undo()
        except NothingToUndo as error:
            self._console.say(sentence(str(error)))
            return game
        self._keeper.change(number, game, earlier)
        self._console.say(self._narrator.undone(game, earlier))
        return earlier

    def _resign(self, number: int, game: Game) -> Game:
        resigned = game.resign()
        self._keeper.change(number, game, resigned)
        self._console.say(self._narrator.ending(resigned))
        return resigned

    def _say_where_it_is(self, game: Game) -> None:
        """Say how to go on with a game that is left, or at least how to see it."""
        if self._keeper.has_kept:
            self._console.notice("The game is kept. Go on with it: ninefold resume")
        elif game.moves:
            from ninefold.record import Record, write_line

            line = write_line(Record(game, self._agreement.book.key))
            if self._agreement.book_text is not None:
                from shlex import quote

                line += f" --game {quote(self._agreement.called)}"
            self._console.notice(f"The game so far: ninefold replay {line}")
