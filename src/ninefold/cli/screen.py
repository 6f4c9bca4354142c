"""The classic screen: a line becomes a command, events become the rule book's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from shlex import quote

from msgspec.structs import replace

from ninefold.cli.agreeing import sentence
from ninefold.cli.console import Console, InputEnded, Left
from ninefold.cli.number_line import GameLine
from ninefold.cli.output import say_marked, say_page, say_wrapped
from ninefold.cli.questions import (
    HELP,
    SLIPPED,
    WON,
    ask_product,
    refuse_endless_input,
    say_help,
)
from ninefold.coach import TOO_FAR
from ninefold.errors import MoveError, TooLarge
from ninefold.game import Game, Seat
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
    Rematch,
    Resign,
    Retry,
    Scored,
    Session,
    TakenBack,
    Undo,
)
from ninefold.store import LogWriter
from ninefold.theory import Ended as Over
from ninefold.theory import Lost, Won, explain


class Screen:
    """Plays one session until its match is over."""

    def __init__(
        self,
        console: Console,
        session: Session,
        keeper: LogWriter,
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
        programs = [seat for seat in Seat if not setup.is_person(seat)]
        self._narrator = Narrator(session.book, setup.rules, setup.names, programs)
        self._line = GameLine(console, setup.rules)

    def play(self) -> Session:
        """Play until the match is over, from its start or from where it stands."""
        self._say_aim()
        self._introduce_levels()
        match, game = self.session.match, self.session.game
        if match.games:
            self._console.say(self._narrator.score(match) + "\n")
        if game.moves and game.outcome is None:
            self._say(self._narrator.transcript(game))
            self._line.draw(game)
        elif game.outcome is None:
            tossed = self.session.setup.first_tossed and not match.games
            self._tell_opening(tossed=tossed)
        self._play_on()
        return self.session

    def play_again(self, command: Rematch | Retry) -> Session:
        """Go on with a command after the end of a match, until the next end."""
        if isinstance(command, Retry):
            self._console.say("\n")
        self._do(command)
        self._play_on()
        return self.session

    def _play_on(self) -> None:
        try:
            while not self.session.match.over:
                self._step()
        except (InputEnded, KeyboardInterrupt, Left):
            self._keeper.close()  # which tries once more, before anything is promised
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
            self._console.pause(self._pace)
            self._do(move)

    def _say_aim(self) -> None:
        """Say at a terminal what wins; outside the transcript."""
        if not self._console.at_terminal:
            return
        setup = self.session.setup
        aim = self.session.book.describe(setup.rules)
        if any(setup.is_person(seat) for seat in Seat):
            aim += " Type ? for help."
        say_wrapped(self._console, aim)
        if not setup.has_level:
            self._console.say("\n")

    def _introduce_levels(self) -> None:
        setup = self.session.setup
        for seat in Seat:
            name, level = setup.name(seat), setup.level(seat)
            if level is not None:
                of_level = "" if name.startswith(LEVELS[level].title) else f", {level}"
                who = f"{name} is the computer{of_level}"
                say_wrapped(self._console, f"{who}: {LEVELS[level].character}")
        if setup.has_level:
            self._console.say("\n")

    # Commands and what comes of them

    def _do(self, command: Command) -> None:
        """Accept a command, its questions answered; keep it, and only then tell."""
        before = self.session.game
        self.session, events = self.session.accept(command)
        self._keeper.write(self.session)
        for event in events:
            self._tell(event, before)

    def _tell(self, event: Event, before: Game) -> None:
        narrator, game = self._narrator, self.session.game
        match event:
            case Began(is_retry=True):
                self._say(narrator.transcript(game))
                if game.moves:
                    self._line.draw(game)
            case Began(tossed=tossed):
                self._console.say("\n")
                self._tell_opening(tossed=tossed)
            case Moved():
                self._say(narrator.played(game), {str(game.total): "bold"})
                self._line.draw(game)
            case TakenBack():
                self._say(narrator.undone(before, game), {str(game.total): "bold"})
            case Ended(outcome=outcome):
                winner = self.session.setup.name(outcome.winner)
                self._say(narrator.ending(game), {winner: WON})
            case Scored():
                self._say("\n" + narrator.score(self.session.match))
            case _:
                pass  # said when it was asked about

    def _tell_opening(self, *, tossed: bool) -> None:
        if tossed:
            self._say(self._narrator.toss(self.session.game))
        self._say(self._narrator.opening())

    def _say(self, text: str, marks: Mapping[str, str] | None = None) -> None:
        """Say words of the narrator; where there is colour, mark some of them."""
        text = self._console.fit(text)
        if marks:
            say_marked(self._console, text, marks)
        else:
            self._console.say(text)

    # Asking

    def _ask(self) -> None:
        """Ask until an entry changes the game: a move, an undo, a resignation."""
        self._let_coach_remark()
        game = self.session.game
        asked = 0
        while self.session.game is game:
            refuse_endless_input(self._console, asked)
            asked += 1
            entry = self._console.ask(self._narrator.prompt(game))
            match entry.lower():
                case "?" | "help":
                    self._help(game)
                case "rules":
                    say_page(self._console, self.session.book.explain(game.rules))
                case "hint":
                    self._hint(game)
                case "why":
                    self._why(game)
                case "map":
                    self._line.show_bands(game)
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
        """Ask for a product before it is shown, and keep the answer."""
        answer = ask_product(self._console, total, multiplier)
        product = answer.product
        self._keeper.add_answer(
            product, self._learner(), answer.seconds, hinted=product.hinted
        )
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
            self._console.say(f"Coach: {self._slip_of_the_other()}\n")

    def _slip_of_the_other(self) -> str:
        """Tell the seat to move, by name where two people listen, of a slip."""
        setup, seat = self.session.setup, self.session.game.to_move
        slipped = "that was a slip."
        if not setup.has_level:
            slipped = f"{setup.name(seat)}, {setup.name(seat.other)} has slipped."
        return f"{slipped} The game is there to be won."

    def _gives_back(self, question: AskSlip) -> bool:
        """Say that a move gives the win away; ask whether it is to be given back.

        Where two people play, the other one listens: the reason, which holds the
        answer to the move, is told only once the move is taken back.
        """
        setup, seat = self.session.setup, self.session.game.to_move
        reason = self._console.fit(question.slip.reason)
        who = "" if setup.has_level else f"{setup.name(seat)}, "
        warning = f"Coach: {who}that gives the win away.\n"
        say_marked(self._console, warning, SLIPPED)
        if setup.has_level:
            say_wrapped(self._console, reason)
        if not question.give_backs:
            self._console.say("No move can be taken back any more in this game.\n")
            return False
        left = f"{question.give_backs} left"
        takes_back = self._console.asks_yes(
            f"Take it back? ({left}; Y/n): ", default=True
        )
        if takes_back and not setup.has_level:
            say_wrapped(self._console, reason)
        return takes_back

    # Help

    def _help(self, game: Game) -> None:
        has_undo = self.session.book.take_back
        say_help(self._console, game.rules, HELP, has_undo=has_undo)

    def _hint(self, game: Game) -> None:
        self._explain(game, lambda reason: reason.hint)

    def _why(self, game: Game) -> None:
        self._explain(game, lambda reason: reason.short)

    def _explain(self, game: Game, words: Callable[[Won | Lost | Over], str]) -> None:
        try:
            said = words(explain(game))
        except TooLarge:
            said = TOO_FAR
        say_wrapped(self._console, self._console.fit(said))

    def _undo(self) -> None:
        try:
            self._do(Undo())
        except MoveError as error:
            self._console.say(sentence(error))

    def _say_where_it_is(self) -> None:
        """Say how to resume a game that is left, or at least how to see it."""
        game = self.session.game
        if self._keeper.is_up_to_date:
            self._console.notice("The game is kept. Go on with it: ninefold resume")
        elif game.moves:
            line = write_line(Record(game, self.session.book.key))
            if self.session.setup.book_text is not None:
                line += f" --game {quote(self._called)}"
            self._console.notice(f"The game so far: ninefold replay {line}")
