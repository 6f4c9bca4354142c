"""The classic screen of a match on a server: what is asked, and what entries do."""

from __future__ import annotations

from ninefold.cli.agreeing import sentence
from ninefold.cli.console import Console
from ninefold.cli.joined_questions import (
    gives_back,
    narrator_of,
    prompt_of,
    settled,
)
from ninefold.cli.joined_telling import Telling
from ninefold.cli.joined_words import help_words
from ninefold.cli.output import say_page, say_review, say_wrapped
from ninefold.cli.prompt import PromptInterrupted
from ninefold.cli.questions import refuse_endless_input, say_help
from ninefold.coach import TOO_FAR, review
from ninefold.errors import RequestRefused, TooLarge, Unreachable
from ninefold.game import Game, Seat
from ninefold.online.answers import question_of, state_of
from ninefold.online.client import RemoteMatch, new_request_id
from ninefold.online.following import Following
from ninefold.online.messages import (
    HintStep,
    PlayMove,
    TakeBackAction,
)
from ninefold.online.states import all_seated, game_of, is_my_turn, name_of
from ninefold.rulebooks import load
from ninefold.rulebooks.entries import Refusal, read_entry
from ninefold.views.state import State

_NO_ANSWER = "The server gives no answer. Type it again when the connection is back."
_NOT_AGREED = "This was not agreed on; it is told when the game is over.\n"
_YES, _NO = ("y", "yes"), ("n", "no")


class JoinedScreen:
    """Plays or watches a match until it is left; piped, until it is over."""

    def __init__(self, console: Console, match: RemoteMatch, state: State) -> None:
        """Take the match, and where it stands."""
        self._console = console
        self._match = match
        self._telling = Telling(console, state)
        self._prompt = console.prompt
        self._hints: tuple[HintStep, ...] = ()
        self._hinted = state
        """Where the match stood when the hints were given."""
        self._asked, self._asked_at = 0, -1

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self._state.match_over

    def play(self) -> None:
        """Play until the match is left."""
        following = Following(self._match, self._state.seq, self._telling.add_news)
        following.start()
        try:
            with self._prompt.listening(self._telling.tell_news):
                self._prompt.forget()
                self._telling.begin()
                while self._goes_on():
                    self._step()
        finally:
            following.stop()

    def _goes_on(self) -> bool:
        if self._telling.problem is not None:
            raise self._telling.problem
        return self._console.at_terminal or not self._state.match_over

    # Where the match stands

    @property
    def _state(self) -> State:
        return self._telling.state

    @property
    def _me(self) -> Seat | None:
        return self._state.your_seat

    @property
    def _is_my_turn(self) -> bool:
        return is_my_turn(self._state)

    @property
    def _all_seated(self) -> bool:
        return all_seated(self._state)

    @property
    def _is_waiting(self) -> bool:
        """Whether the other one is to move."""
        return self._all_seated and not self._is_my_turn

    def _name(self, seat: Seat) -> str:
        return name_of(self._state, seat)

    def _game(self) -> Game:
        return game_of(self._state)

    # What is asked

    def _step(self) -> None:
        """Ask what is open now, or wait until something is."""
        if self._console.at_terminal:
            if self._prompt.can_be_interrupted or self._is_asked:
                self._ask()
            else:
                self._prompt.wait()
        elif self._state.outcome is not None and self._me is not None:
            self._go_on()
        elif self._is_my_turn:
            self._ask()
        else:
            self._prompt.wait()

    @property
    def _is_asked(self) -> bool:
        """Whether the match waits for this seat."""
        state, me = self._state, self._me
        if me is None or not self._all_seated:
            return False
        if state.outcome is not None:
            return state.rematch is not me
        return self._is_my_turn or state.takeback is me.other

    def _ask(self) -> None:
        """Ask once for what the match waits for, and do what is answered."""
        seq = self._state.seq
        self._asked = 0 if seq != self._asked_at else self._asked + 1
        self._asked_at = seq
        refuse_endless_input(self._console, self._asked)
        try:
            entry = self._console.ask(prompt_of(self._console, self._state))
            self._answer(entry)
        except PromptInterrupted:
            pass  # it has been told, and is asked anew
        except RequestRefused as refused:
            self._refuse(refused)
        except Unreachable:
            if not self._console.interactive:
                raise
            say_wrapped(self._console, _NO_ANSWER)

    def _refuse(self, refused: RequestRefused) -> None:
        """Tell what came meanwhile; where nothing did, why it is refused."""
        state = state_of(refused)
        if state is None or not (
            self._telling.set_back(state) or self._telling.take(state)
        ):
            say_wrapped(self._console, sentence(refused).rstrip())

    def _answer(self, entry: str) -> None:
        """Do what an entry says."""
        state, me, word = self._state, self._me, entry.lower()
        if me is None and word == "rules":
            self._does(word)
        elif me is None:
            self._console.say("You are watching; rules shows them, q leaves.\n")
        elif state.outcome is not None:
            self._answer_after(word)
        elif state.takeback is me.other and word in (*_YES, *_NO):
            accepts = word in _YES
            action = TakeBackAction.ACCEPT if accepts else TakeBackAction.DECLINE
            self._telling.take(self._match.take_back(state.seq, action))
        elif self._does(word):
            pass
        elif state.takeback is me.other and not self._is_move(entry):
            self._console.say("Type y to give the move back, or n to keep it.\n")
        elif not self._all_seated:
            self._console.say("Nobody sits in the other seat yet; send the link.\n")
        elif self._is_my_turn:
            self._enter(entry)
        else:
            other = self._name(me.other)
            say_wrapped(self._console, f"It is {other}'s turn; wait for the move.")

    def _is_move(self, entry: str) -> bool:
        """Whether an entry is a move that may be made now."""
        rules = self._state.rules
        return self._is_my_turn and not isinstance(read_entry(entry, rules), Refusal)

    def _answer_after(self, word: str) -> None:
        if word in ("r", "review"):
            self._review()
        elif word in ("", "next", "rematch"):
            self._go_on()
        else:
            self._console.say("Press Enter, or type one of these letters.\n")

    def _go_on(self) -> None:
        """Begin the next game, or ask for a rematch; either may do so first."""
        state = self._state
        if state.rematch is not None and state.rematch is self._me:
            return
        go_on = self._match.rematch if state.match_over else self._match.next_game
        try:
            self._telling.take(go_on(state.seq))
        except RequestRefused as refused:
            self._refuse(refused)

    # What an entry does

    def _enter(self, entry: str) -> None:
        game = self._game()
        multiplier = read_entry(entry, game.rules)
        if isinstance(multiplier, Refusal):
            self._console.say(narrator_of(self._state).refused(game, entry, multiplier))
            return
        seq = self._state.seq
        move: PlayMove | None = PlayMove(
            seq=seq, request_id=new_request_id(), multiplier=multiplier
        )
        while move is not None:
            try:
                state = self._match.move(move)
            except RequestRefused as refused:
                question = question_of(refused)
            else:
                self._telling.take(state)
                return
            if question.kind == "slip" and gives_back(self._console, question):
                self._telling.take(self._match.give_back(seq, multiplier))
                return
            move = settled(self._console, self._state, move, question)

    def _does(self, word: str) -> bool:
        """Do what a word of the help says; False if it is none."""
        seq, rules = self._state.seq, self._state.rules
        match word:
            case "?" | "help":
                has_undo = self._state.may_take_back
                say_help(
                    self._console, rules, help_words(self._state), has_undo=has_undo
                )
            case "rules":
                say_page(self._console, load(self._state.game).explain(rules))
            case "hint" if self._is_waiting:
                mover = self._name(self._state.to_move or self._state.first)
                told = f"It is {mover}'s turn; a hint is for your own move."
                say_wrapped(self._console, told)
            case "hint":
                self._hint()
            case "why":
                self._say_paragraph(self._match.why().why)
            case "map":
                self._show_map()
            case "undo":
                self._telling.take(self._match.take_back(seq, TakeBackAction.ASK))
            case "resign":
                self._telling.take(self._match.resign(seq))
            case _:
                return False
        return True

    def _hint(self) -> None:
        """Give the next step of a hint; after the last one, the first again."""
        if not self._hints or self._hinted is not self._state:
            self._hints, self._hinted = self._match.hint().steps, self._state
        first, *more = self._hints
        self._say_paragraph(first.text)
        self._hints = tuple(more)

    def _show_map(self) -> None:
        if self._state.lessons.hints:
            self._telling.line.show_bands(self._game())
        else:
            self._console.say(_NOT_AGREED)

    def _review(self) -> None:
        names = (self._name(Seat.ONE), self._name(Seat.TWO))
        try:
            say_review(self._console, review(self._game()), names)
        except TooLarge:
            self._console.say(f"{TOO_FAR}\n")

    def _say_paragraph(self, text: str) -> None:
        say_wrapped(self._console, self._console.fit(text))
