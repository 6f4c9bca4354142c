"""The news of a table in words: a match as it stands, moves, ends, who comes and goes.

News may come from another thread. It is shown in the thread that asks, between two keys
if need be.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Timer

from msgspec import Struct

from ninefold.cli.console import Console
from ninefold.cli.number_line import GameLine
from ninefold.cli.output import say_marked, say_wrapped
from ninefold.errors import NinefoldError
from ninefold.game import Game, Seat
from ninefold.players import LEVELS
from ninefold.session import (
    Began,
    Ended,
    Event,
    Moved,
    Scored,
    Seated,
    Session,
    TakenBack,
)
from ninefold.session.table import (
    Disconnected,
    MatchGone,
    News,
    NewsQueue,
    PresenceChanged,
    Reconnected,
    Skipped,
    Table,
    TableClosed,
    Update,
)
from ninefold.views.words import (
    COACH_CANNOT_SEE,
    DISCONNECTED,
    RECONNECTED,
    SKIPPED,
    is_away,
    is_back,
    is_news,
    narrator_for,
    say_slipped,
    third_person,
    viewer_of,
    write_event,
)

_WON = "bold green"
_SECONDS_TO_RELOAD = 1.0


class StillAway(Struct, frozen=True):
    """The other person has been disconnected for a while."""

    absence: int
    """The counter of absences when it began; a later count makes this obsolete."""


class Presence:
    """Follows the other person; to load a page again is no absence."""

    def __init__(self, report: Callable[[StillAway], None]) -> None:
        """Take a listener, which is called from another thread."""
        self._report = report
        self._absence = 0
        self._is_expected = False
        """Whether the other person was here, and was not said to have left."""
        self._was_missed = False
        self._timer: Timer | None = None
        """Runs while the other person is away and not said to be."""

    def come(self) -> bool:
        """Note that the other person is connected; whether to say "is back"."""
        is_back = self._was_missed
        self._was_missed, self._is_expected = False, True
        self._end_absence()
        return is_back

    def leave(self) -> None:
        """Note that the other person is disconnected; report it if that lasts."""
        if self._is_expected and self._timer is None:
            away = StillAway(self._absence)
            self._timer = Timer(_SECONDS_TO_RELOAD, self._report, [away])
            self._timer.daemon = True
            self._timer.start()

    def is_news(self, away: StillAway) -> bool:
        """Whether to say that the other person is away."""
        is_news = away.absence == self._absence and self._is_expected
        if is_news:
            self._was_missed, self._is_expected = True, False
        return is_news

    def disconnect(self) -> None:
        """Cancel pending "is away" notices: this side lost its connection."""
        self._end_absence()

    def _end_absence(self) -> None:
        self._absence += 1
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class TableNews:
    """Shows the match of a table, and everything that happens there."""

    def __init__(self, console: Console, table: Table) -> None:
        self._console = console
        self._table = table
        self._news: NewsQueue[StillAway] = NewsQueue()
        self._presence = Presence(self.receive)
        self._know(table.session)
        self.problem: NinefoldError | None = None
        """Why the match cannot be followed any more."""
        self.line = GameLine(console, table.session.setup.rules)
        self._announced: Game | None = None
        """The position whose turn was announced."""
        self._coach_was_heard = False

    def _know(self, session: Session) -> None:
        """Take the match as far as it is shown, and who sits where."""
        setup = session.setup
        self.session = session
        self.seats = self._table.seats
        people = [seat for seat in Seat if setup.is_person(seat)]
        self.elsewhere = [seat for seat in people if seat not in self.seats]
        """The seats that people play at another screen."""
        self.narrator = narrator_for(session, self.seats)

    # Who sits where

    @property
    def viewer(self) -> Seat | None:
        return viewer_of(self.seats)

    @property
    def watches(self) -> bool:
        return bool(self.elsewhere) and not self.seats

    @property
    def is_my_turn(self) -> bool:
        session = self.session
        return session.to_move in self.seats and not session.empty_seats

    @property
    def is_asked_for_a_move(self) -> bool:
        """Whether the person elsewhere asks this one to give a move back."""
        return bool(self.seats) and self.session.take_back_asked in self.elsewhere

    def name(self, seat: Seat) -> str:
        return self.session.setup.name(seat)

    # News

    def receive(self, news: News | StillAway) -> None:
        """Take news from any thread."""
        self._news.put(news)
        self._console.prompt.wake()

    def show_news(self) -> bool:
        """Show all the news; whether an open question is to be asked anew."""
        changed = False
        while waiting := self._news.take():
            for news in waiting:
                changed = self._show(news) or changed
        return changed

    def _show(self, news: News | StillAway) -> bool:
        match news:
            case Update():
                self._console.prompt.leave_line()
                self._show_update(news)
                return True
            case Skipped(session=session):
                self._know(session)
                self._announced = None
                self._say_aside(SKIPPED)
                self.begin()
                return True
            case MatchGone(error=error):
                self._console.prompt.leave_line()
                self.problem = error
                return True
            case PresenceChanged(here=here):
                self._show_presence(here)
            case StillAway():
                if self._presence.is_news(news):
                    self._say_aside(is_away(self.name(self.elsewhere[0])))
            case Disconnected():
                self._presence.disconnect()
                self._say_aside(DISCONNECTED)
            case TableClosed(words=words):
                self._presence.disconnect()
                self._say_aside(words)
            case Reconnected():
                self._say_aside(RECONNECTED)
        return False

    def _say_aside(self, text: str) -> None:
        self._console.prompt.leave_line()
        say_wrapped(self._console, text)

    def _show_presence(self, here: tuple[bool, bool]) -> None:
        """Say that the other person comes or goes; of one's own coming nothing."""
        if self.watches or not self.elsewhere or self.session.empty_seats:
            return
        other = self.elsewhere[0]
        if not here[other.value - 1]:
            self._presence.leave()
        elif self._presence.come():
            self._say_aside(is_back(self.name(other)))

    def begin(self) -> None:
        """Show the match as it stands, to somebody who has just come."""
        self._say_aim()
        self._introduce_levels()
        match, game = self.session.match, self.session.game
        if match.games and not match.length.is_single:
            self._console.say(self.narrator.score(match) + "\n")
        if self.session.empty_seats:
            return  # the game is opened when everybody sits
        if not game.moves and game.outcome is None:
            tossed = self.session.setup.first_tossed and not match.games
            self._open_game(tossed=tossed)
        elif game.outcome is None or not self._table.proceed():
            self._show_transcript()

    def _say_aim(self) -> None:
        """Say at a terminal what wins; outside the transcript."""
        if not self._console.at_terminal:
            return
        setup = self.session.setup
        aim = self.session.book.describe(setup.rules)
        say_wrapped(self._console, aim + (" Type ? for help." if self.seats else ""))
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

    def _open_game(self, *, tossed: bool) -> None:
        if tossed:
            self._console.say(self.narrator.toss(self.session.game))
        self._console.say(self.narrator.opening())

    def _show_transcript(self) -> None:
        game = self.session.game
        self._console.say(self.narrator.transcript(game))
        if game.moves:
            self.line.draw(game)

    def _show_update(self, update: Update) -> None:
        self.announce_turn()  # which the player elsewhere may have answered already
        self._know(update.session)
        for event in update.events:
            if is_news(event, update.events, self.session, self.viewer):
                self._show_event(event)

    def _show_event(self, event: Event) -> None:
        game = self.session.game
        total = {str(game.total): "bold"}
        match event:
            case Began(is_retry=True):
                self._console.say("\n")
                self._show_transcript()
            case Began(tossed=tossed):
                self._console.say("\n")
                if self.elsewhere:
                    self._say_event(event)
                    self._console.say("\n")
                self._open_game(tossed=tossed and not self.elsewhere)
            case Moved():
                words = self.narrator.played(game) or self._third_person()
                say_marked(self._console, words, total)
                self.line.draw(game)
            case TakenBack():
                words = write_event(event, self.session, self.viewer)
                say_marked(self._console, words, total)
                self.line.draw(game)
            case Ended(outcome=outcome):
                winner = {self.name(outcome.winner): _WON}
                say_marked(self._console, self.narrator.ending(game), winner)
            case Scored():
                self._console.say("\n" + self.narrator.score(self.session.match))
            case Seated():
                self._say_event(event)
                if not self.session.empty_seats:
                    self._console.say("\n")
                    self._open_game(tossed=self.session.setup.first_tossed)
            case _:
                self._say_event(event)

    def _say_event(self, event: Event) -> None:
        words = write_event(event, self.session, self.viewer)
        if words:
            say_wrapped(self._console, words)

    def _third_person(self) -> str:
        """Say one's own move, where its turn is announced at another screen only."""
        is_elsewhere = self.session.to_move in self.elsewhere
        return third_person(self.session) if is_elsewhere else ""

    # Turns

    def announce_turn(self) -> None:
        """Say whose turn it is, once at each position."""
        session = self.session
        if session.to_move is None or session.empty_seats:
            return
        if session.game is not self._announced:
            self._announced = session.game
            self._console.say(self.narrator.turn(session.game))
            if self.is_my_turn:
                self._let_coach_remark()

    def _let_coach_remark(self) -> None:
        session = self.session
        if session.setup.lessons.coach and not self._coach_was_heard:
            self._coach_was_heard = True
            if not session.coach_sees:
                self._console.say(f"Coach: {COACH_CANNOT_SEE}\n")
        if session.opportunity():
            self._console.say(f"Coach: {say_slipped(session, self.viewer)}\n")
