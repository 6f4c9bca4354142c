"""What comes from a match on a server, told at a terminal as it comes."""

from __future__ import annotations

from collections import deque

from ninefold.cli.attendance import Attendance, StillAway
from ninefold.cli.console import Console
from ninefold.cli.joined_questions import narrator_of
from ninefold.cli.joined_words import is_move, told_beginning, told_step
from ninefold.cli.number_line import GameLine
from ninefold.cli.output import say_marked, say_wrapped
from ninefold.cli.questions import WON
from ninefold.errors import OnlineError
from ninefold.game import Seat
from ninefold.online.following import Gone, Heard, Lost, SetBack
from ninefold.online.messages import Message, Presence
from ninefold.online.states import all_seated, game_of, is_my_turn, name_of
from ninefold.players import HUMAN
from ninefold.views.state import State

_SET_BACK = "The server was set back to an earlier copy. The match stands so:"


class Telling:
    """Knows where a match stands, and tells what changes that."""

    def __init__(self, console: Console, state: State) -> None:
        """Take where the match stands; nothing is told of it yet."""
        self._console = console
        self.state = state
        self.problem: OnlineError | None = None
        """Why the match cannot be followed any more."""
        self.line = GameLine(console, state.rules)
        self._news: deque[Heard | StillAway] = deque()
        self._attendance = Attendance(self.add_news)

    @property
    def _others(self) -> list[Seat]:
        return [seat for seat in Seat if seat is not self.state.your_seat]

    def add_news(self, news: Heard | StillAway) -> None:
        """Take news from any thread."""
        self._news.append(news)
        self._console.prompt.wake()

    def tell_news(self) -> bool:
        """Tell everything that has come; whether the question is to be asked anew."""
        changed = False
        while self._news:
            changed = self._hear(self._news.popleft()) or changed
        return changed

    def begin(self) -> None:
        """Tell where the match stands, to somebody who has just come."""
        state, console = self.state, self._console
        if console.at_terminal:
            helps = " Type ? for help." if state.your_seat else ""
            say_wrapped(console, state.aim + helps)
            console.say("\n")
        one, two = state.score
        if one or two:
            names = name_of(state, Seat.ONE), name_of(state, Seat.TWO)
            say_wrapped(console, f"{names[0]} {one}, {names[1]} {two}.")
        if not all_seated(state):
            return  # it is opened when everybody sits
        self._tell_game()
        self._tell_turn()

    def take(self, state: State) -> bool:
        """Take what a command brought, and tell it; False if it is known already."""
        before, console = self.state, self._console
        if state.seq <= before.seq:
            return False
        was_asking = console.prompt.leave_line()
        self.state = state
        begins = (state.match_number, state.number) != (
            before.match_number,
            before.number,
        )
        if begins:
            console.say("\n")
            say_wrapped(console, console.fit(told_beginning(state)))
            console.say("\n")
            self._tell_game()
        else:
            self._tell_step(before, gap=not was_asking)
        sits_down = not all_seated(before)
        if sits_down and all_seated(state):
            console.say("\n")
            console.say(console.fit(narrator_of(state).opening()))
        if begins or sits_down or state.moves != before.moves:
            self._tell_turn()
        return True

    def set_back(self, state: State) -> bool:
        """Begin again from an earlier copy; False if this one is no earlier one."""
        if state.seq >= self.state.seq:
            return False
        self.state = state
        self._say_aside(_SET_BACK)
        self.begin()
        return True

    def _hear(self, heard: Heard | StillAway) -> bool:
        """Tell what came; whether what is asked is to be asked anew."""
        match heard:
            case Message(state=state):
                return self.take(state)
            case SetBack(state=state):
                # A refusal may have shown that already, and the match have gone on.
                return self.set_back(state) or self.take(state)
            case Gone(error=error):
                self._console.prompt.leave_line()
                self.problem = error
                return True
            case Presence():
                self._tell_presence(heard)
            case StillAway():
                self._tell_away(heard)
            case Lost():
                self._attendance.is_lost()
                self._say_aside("The connection is lost. It is tried again ...")
            case _:
                self._say_aside("Connected again.")
        return False

    def _say_aside(self, text: str) -> None:
        self._console.prompt.leave_line()
        say_wrapped(self._console, text)

    def _tell_presence(self, presence: Presence) -> None:
        """Tell that the other one comes or goes; of one's own coming nothing."""
        other = self._others[0]
        seat = self.state.seats[other.value - 1]
        if self.state.your_seat is None or not seat.taken or seat.kind != HUMAN:
            return
        if not presence.here[other.value - 1]:
            self._attendance.goes()
        elif self._attendance.comes():
            self._say_aside(f"{seat.name} is back.")

    def _tell_away(self, gone: StillAway) -> None:
        """Tell that the other one has left, if nothing was heard of them since."""
        if self._attendance.is_missed(gone):
            other = name_of(self.state, self._others[0])
            self._say_aside(f"{other} has left; the match waits.")

    def _tell_step(self, before: State, *, gap: bool) -> None:
        """Tell a step, with the line that a move draws."""
        state, console, game = self.state, self._console, game_of(self.state)
        moved, told = is_move(before, state), told_step(before, state)
        if gap and moved and before.to_move in self._others and before.moves:
            told = f"\n{told}"
        marks = {str(game.total): "bold"}
        if game.outcome is not None:
            marks = {name_of(state, game.outcome.winner): WON}
        say_marked(console, console.fit(told), marks)
        if moved:
            self.line.draw(game)

    def _tell_turn(self) -> None:
        state, console = self.state, self._console
        if is_my_turn(state):
            console.say(narrator_of(state).turn(game_of(state)))
            if state.coach is not None:
                say_wrapped(console, f"Coach: {state.coach}")

    def _tell_game(self) -> None:
        """Open the game, or tell it as far as it has gone."""
        game, narrator = game_of(self.state), narrator_of(self.state)
        told = narrator.transcript(game) if game.moves else narrator.opening()
        self._console.say(self._console.fit(told))
        if game.moves:
            self.line.draw(game)
