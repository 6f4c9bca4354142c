"""The classic screen: a line becomes a command, events become the rule book's words."""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote

from msgspec.structs import replace

from ninefold.cli.agreeing import sentence
from ninefold.cli.console import Console, InputEnded, Left
from ninefold.cli.layout import say_wrapped
from ninefold.errors import MoveError, TooLarge
from ninefold.game import Game, Seat
from ninefold.learning import Product
from ninefold.notation import Record, write_line
from ninefold.players import LEVELS
from ninefold.rulebooks import Narrator
from ninefold.rulebooks.entries import Refusal, read_entry
from ninefold.session import (
    AskNeedlessLoss,
    AskProduct,
    AskSlip,
    Began,
    Command,
    Ended,
    Event,
    GiveBack,
    Move,
    Moved,
    Resign,
    Scored,
    Session,
    TakenBack,
    Undo,
)
from ninefold.store import Keeper
from ninefold.text import is_digits, write_set
from ninefold.theory import Ended as Over
from ninefold.theory import Lost, Won, explain

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
_LONGEST_ANSWER = 2_100  # digits: more than any product has


class Screen:
    """Plays one session until its match is over."""

    def __init__(
        self,
        console: Console,
        session: Session,
        keeper: Keeper,
        *,
        pace: float = 0,
        called: str = "",
    ) -> None:
        """Take the session; ``pace`` is how long a level seems to think.

        ``called`` is what the players called the game, if it is a file of their own.
        """
        self._console = console
        self._keeper = keeper
        self._pace = pace
        self._called = called
        self._coach_was_heard = False
        self.session = session
        setup = session.setup
        self._narrator = Narrator(session.book, setup.rules, setup.names)

    def play(self) -> Session:
        """Play until the match is over, from its start or from where it stands."""
        self._introduce_levels()
        match, game = self.session.match, self.session.game
        if match.games:
            self._console.say(self._narrator.score(match) + "\n")
        if game.moves and game.outcome is None:
            self._console.say(self._narrator.transcript(game))
        elif game.outcome is None:
            tossed = self.session.setup.first_tossed and not match.games
            self._tell_opening(tossed=tossed)
        self._play_on()
        return self.session

    def try_again(self, command: Command) -> Session:
        """Go on with a command after the end of a match, until the next end."""
        self._console.say("\n")
        self._do(command)
        self._play_on()
        return self.session

    def _play_on(self) -> None:
        try:
            while not self.session.match.over:
                self._step()
        except (InputEnded, KeyboardInterrupt, Left):
            self._say_where_it_is()
            raise
        finally:
            self._keeper.close()

    def _step(self) -> None:
        seat = self.session.to_move
        if seat is None:
            self._do(self.session.next_game())
            return
        self._console.say(self._narrator.turn(self.session.game))
        move = self.session.level_move(seat)
        if move is None:
            self._ask()
        else:
            self._show_level_move(move)

    def _introduce_levels(self) -> None:
        setup = self.session.setup
        for seat in Seat:
            level = setup.level(seat)
            if level is not None:
                character = LEVELS[level].character
                who = f"{setup.name(seat)} is the computer, {level}"
                say_wrapped(self._console, f"{who}: {character}")
        if setup.has_level:
            self._console.say("\n")

    # Commands and what comes of them

    def _do(self, command: Command, entry: str = "") -> None:
        """Accept a command whose questions are answered, keep it, and then tell."""
        before = self.session.game
        self.session, events = self.session.accept(command)
        self._keeper.keep(self.session)
        self._console.say(entry)
        for event in events:
            self._tell(event, before)

    def _tell(self, event: Event, before: Game) -> None:
        say, narrator, game = self._console.say, self._narrator, self.session.game
        match event:
            case Began(is_retry=True):
                say(narrator.transcript(game))
            case Began(tossed=tossed):
                say("\n")
                self._tell_opening(tossed=tossed)
            case Moved():
                say(narrator.played(game))
            case TakenBack():
                say(narrator.undone(before, game))
            case Ended():
                say(narrator.ending(game))
            case Scored():
                say("\n" + narrator.score(self.session.match))
            case _:
                pass  # said when it was asked about

    def _tell_opening(self, *, tossed: bool) -> None:
        if tossed:
            self._console.say(self._narrator.toss(self.session.game))
        self._console.say(self._narrator.opening())

    def _show_level_move(self, move: Move) -> None:
        """Show a level's move as if it had typed."""
        self._console.say(self._narrator.prompt(self.session.game))
        self._console.pause(self._pace)
        self._do(move, entry=f"{move.multiplier}\n")

    # Asking

    def _ask(self) -> None:
        """Ask until an entry changes the game: a move, an undo, a resignation."""
        self._let_coach_remark()
        game = self.session.game
        while self.session.game is game:
            entry = self._console.ask(self._narrator.prompt(game))
            match entry.lower():
                case "?" | "help":
                    self._help(game)
                case "rules":
                    self._console.say(self.session.book.explain(game.rules))
                case "hint":
                    self._hint(game)
                case "why":
                    self._why(game)
                case "undo":
                    self._undo()
                case "resign":
                    self._do(Resign(game.to_move))
                case _:
                    self._enter(entry)

    def _enter(self, entry: str) -> None:
        game = self.session.game
        multiplier = read_entry(entry, game.rules)
        if isinstance(multiplier, Refusal):
            self._console.say(self._narrator.refused(game, entry, multiplier))
            return
        command = self._settle(Move(multiplier))
        if command is not None:
            self._do(command)

    def _settle(self, move: Move) -> Command | None:
        """Have every question about a move answered; None if it is not meant."""
        while (question := self.session.question(move)) is not None:
            if isinstance(question, AskProduct):
                answer = self._ask_product(question.total, question.multiplier)
                move = replace(move, answer=answer)
            elif isinstance(question, AskNeedlessLoss):
                if not self._is_meant(move.multiplier):
                    return None
                # A loss that was questioned and meant is no slip to be warned of.
                asked = self._console.interactive
                move = replace(move, accepts_loss=True, despite_coach=asked)
            elif self._gives_back(question):
                return GiveBack(move.multiplier)
            else:
                move = replace(move, despite_coach=True)
        return move

    def _is_meant(self, multiplier: int) -> bool:
        """Ask about a needless loss; where input is piped there is nobody to ask."""
        if not self._console.interactive:
            return True
        question = self._narrator.confirm(self.session.game, multiplier)
        return self._console.asks_yes(question)

    def _ask_product(self, total: int, multiplier: int) -> int:
        """Ask for a product before it is shown; correct a wrong one, and keep both."""
        question = f"{total} x {multiplier} = "
        began = self._console.clock()
        answer = self._console.ask(question)
        while not is_digits(answer) or len(answer) > _LONGEST_ANSWER:
            self._console.say("Type the product in plain digits, or quit to leave.\n")
            answer = self._console.ask(question)
        product = Product(total, multiplier, int(answer))
        seconds = (self._console.clock() - began).total_seconds()
        self._keeper.keep_answer(product, self._learner(), seconds)
        if product.right:
            self._console.say("Right.\n")
        else:
            said = self._console.fit(f"Not quite: {product.correction}")
            self._console.say(f"{said}\n")
        return product.answer

    def _learner(self) -> str:
        """Return whose answer it is: the seat's where two people play."""
        setup = self.session.setup
        if setup.has_level:
            return setup.learner
        return setup.name(self.session.game.to_move)

    # The coach

    def _let_coach_remark(self) -> None:
        lessons = self.session.setup.lessons
        if lessons.coach and not self._coach_was_heard:
            self._coach_was_heard = True
            if not self.session.coach_sees:
                self._console.say("Coach: this game goes further than I can see.\n")
        if self.session.opportunity():
            self._console.say("Coach: that was a slip. The game is there to be won.\n")

    def _gives_back(self, question: AskSlip) -> bool:
        """Say that a move gives the win away; ask whether it is to be given back."""
        warning = f"Coach: that gives the win away. {question.slip.reason}"
        say_wrapped(self._console, self._console.fit(warning))
        if not question.give_backs:
            self._console.say("No move can be taken back any more in this game.\n")
            return False
        left = f"{question.give_backs} left"
        return self._console.asks_yes(f"Take it back? ({left}; Y/n): ", default=True)

    # Help

    def _help(self, game: Game) -> None:
        multipliers = write_set(game.rules.multipliers)
        self._console.say(_HELP.format(multipliers=multipliers))

    def _hint(self, game: Game) -> None:
        self._explain(game, lambda reason: reason.hint)

    def _why(self, game: Game) -> None:
        self._explain(game, lambda reason: reason.short)

    def _explain(self, game: Game, words: Callable[[Won | Lost | Over], str]) -> None:
        try:
            said = words(explain(game))
        except TooLarge:
            said = "This game goes further than can be seen."
        say_wrapped(self._console, self._console.fit(said))

    def _undo(self) -> None:
        try:
            self._do(Undo())
        except MoveError as error:
            self._console.say(sentence(error))

    def _say_where_it_is(self) -> None:
        """Say how to resume a game that is left, or at least how to see it."""
        game = self.session.game
        if self._keeper.has_kept:
            self._console.notice("The game is kept. Go on with it: ninefold resume")
        elif game.moves:
            line = write_line(Record(game, self.session.book.key))
            if self.session.setup.book_text is not None:
                line += f" --game {quote(self._called)}"
            self._console.notice(f"The game so far: ninefold replay {line}")
