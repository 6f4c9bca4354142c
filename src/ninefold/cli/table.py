"""A match at the terminal, in lines: news become words, and entries become asks.

The screen is the same wherever the match is played. What it shows comes from the news
of its ``Table``, which may interrupt the prompt.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

from ninefold.cli.console import Console, InputEnded, Left
from ninefold.cli.output import say_page, say_review, say_wrapped
from ninefold.cli.practice import items_of_game, practise_this
from ninefold.cli.prompt import PromptInterrupted
from ninefold.cli.questions import (
    MoveQuestions,
    refuse_endless_input,
    say_help,
    write_offers,
)
from ninefold.cli.table_news import TableNews
from ninefold.coach import TOO_FAR, Hint, hints, try_review, why
from ninefold.errors import (
    MoveError,
    NinefoldError,
    OnlineError,
    QuestionOpen,
    RequestRefused,
    SessionError,
    Unreachable,
)
from ninefold.game import Game
from ninefold.learning.claims import Claim, read_claim
from ninefold.rulebooks.entries import Refusal, read_entry
from ninefold.session import (
    AllowTakeBack,
    Ask,
    CancelRequest,
    DeclineTakeBack,
    GiveBack,
    Move,
    PlainAsk,
    RequestRematch,
    ResignGame,
    Retry,
    Session,
    Setup,
    StartNextGame,
    TakeBack,
    retry_of,
)
from ninefold.session.table import Table
from ninefold.text import shorten
from ninefold.views.words import (
    NO_CLAIMS,
    NO_HINTS,
    NOBODY_YET,
    ask_to_resign,
    say_turn,
    sentence,
)

_WHILE_WAITING = ("?", "help", "rules")
"""The words that have a meaning before everybody sits."""
_WATCHING = "You are watching. Type rules to read the rules, or q to leave.\n"
_YES, _NO = ("y", "yes"), ("n", "no")
_review = lru_cache(maxsize=1)(try_review)  # each prompt after a game needs it


class TableScreen:
    """Plays or watches the match of a table until it is over, or is left."""

    def __init__(
        self,
        console: Console,
        table: Table,
        *,
        farewell: Callable[[], str],
        pace: float = 0,
        has_menu: bool = False,
        only_one: bool = False,
        settle_claim: Callable[[Setup, Claim], None] | None = None,
    ) -> None:
        """Take the table; ``farewell`` says how to come back to a match that is left.

        ``pace`` is how many seconds a level seems to think. With ``only_one`` match
        nothing is offered after it. ``settle_claim`` plays a claim out, where one may
        be made.
        """
        self._console = console
        self._table = table
        self._farewell = farewell
        self._pace = pace
        self._has_menu = has_menu
        self._only_one = only_one
        self._settle_claim = settle_claim
        self._news = TableNews(console, table)
        self._hints: tuple[Hint, ...] = ()
        """The steps of a hint that are left at this position."""
        self._hinted: Game | None = None
        self._warned: set[tuple[int, ...]] = set()
        """The positions at which the coach has spoken, with no move to give back."""
        self._entries, self._entries_at = 0, -1
        self._goes_to_menu = False

    def play(self) -> bool:
        """Play until the match is over; at a terminal, until it is left.

        Return whether the players go back to the menu.
        """
        prompt = self._console.prompt
        prompt.forget()
        self._table.listen(self._news.receive)
        try:
            with prompt.listening(self._news.show_news):
                self._news.begin()
                while self._goes_on():
                    self._step()
        except (InputEnded, Left):
            if not self._session.match.over:
                self._say_farewell()
                raise
        except KeyboardInterrupt:
            if not self._session.match.over:
                self._say_farewell()
            raise
        except RequestRefused:
            raise  # the match is gone, and the seat with it
        except OnlineError:
            self._say_farewell()
            raise
        finally:
            self._table.close()
            prompt.forget()
        return self._goes_to_menu

    def _say_farewell(self) -> None:
        self._table.close()  # the last try to store it, before anything is promised
        words = self._farewell()
        if words:
            self._console.notice(words)

    def _goes_on(self) -> bool:
        if self._news.problem is not None:
            raise self._news.problem
        if self._goes_to_menu:
            return False
        goes_on = self._console.at_terminal and not self._only_one
        return goes_on or not self._session.match.over

    @property
    def _session(self) -> Session:
        """The match as far as it is shown."""
        return self._news.session

    # One step

    def _step(self) -> None:
        """Let a level move, ask a person, or wait for news."""
        self._news.announce_turn()
        to_move = self._session.to_move
        if self._proceed():
            self._console.pause(0 if to_move is None else self._pace)
            self._news.show_news()
        elif self._console.at_terminal:
            if self._console.prompt.can_be_interrupted or self._is_awaited:
                self._ask()
            else:
                self._console.prompt.wait()
        elif to_move is None and self._news.seats:
            self._go_on()
        elif self._news.is_my_turn:
            self._ask()
        elif not self._console.prompt.wait(needs_input=not self._news.watches):
            raise InputEnded(self._console.purpose)

    def _proceed(self) -> bool:
        """Let a level or a bot move; a bot may take seconds, so its name is shown."""
        setup, to_move = self._session.setup, self._session.to_move
        if to_move is None or to_move not in setup.bots:
            return self._table.proceed()
        self._console.progress(f"{setup.name(to_move)} is thinking ...")
        try:
            return self._table.proceed()
        finally:
            self._console.progress("")

    @property
    def _is_awaited(self) -> bool:
        """Whether the match waits for somebody at this screen."""
        session = self._session
        if self._news.watches or session.empty_seats:
            return False
        if session.to_move is None:
            return session.rematch_asked not in self._news.seats
        return self._news.is_my_turn or self._news.is_asked_for_a_move

    # Entries

    def _ask(self) -> None:
        """Ask once for an entry, and do what it says."""
        revision = self._session.revision
        self._entries = 0 if revision != self._entries_at else self._entries + 1
        self._entries_at = revision
        refuse_endless_input(self._console, self._entries)
        try:
            self._answer(self._console.ask(self._prompt()))
        except PromptInterrupted:
            pass  # the news is shown, and the next question follows from it
        except (MoveError, SessionError, RequestRefused) as refused:
            self._console.say(f"{sentence(refused)}\n")
        except Unreachable as lost:
            if not self._console.interactive:
                raise
            say_wrapped(self._console, sentence(lost))

    def _prompt(self) -> str:
        session = self._session
        if self._news.watches:
            return "You are watching (q to leave): "
        if session.empty_seats:
            return "Waiting for somebody to join (q to leave): "
        if session.to_move is None:
            return write_offers(self._console, self._offers())
        if self._news.is_asked_for_a_move:
            return "Give the move back? (y/n): "
        if self._news.is_my_turn:
            return self._news.narrator.prompt(session.game)
        return f"{self._news.name(session.to_move)}'s turn (? for help): "

    def _answer(self, entry: str) -> None:
        session, word = self._session, entry.lower()
        if self._news.watches:
            if word == "rules":
                self._do_word(word)
            else:
                self._console.say(_WATCHING)
        elif session.to_move is None:
            self._answer_afterwards(word)
        elif self._news.is_asked_for_a_move and word in (*_YES, *_NO):
            self._do(AllowTakeBack() if word in _YES else DeclineTakeBack())
        elif session.empty_seats and word not in _WHILE_WAITING:
            self._console.say(f"{NOBODY_YET}\n")
        elif self._do_word(word):
            pass
        elif not self._news.is_my_turn:
            say_wrapped(self._console, say_turn(session))
        else:
            self._enter(entry)

    def _enter(self, entry: str) -> None:
        game = self._session.game
        multiplier = read_entry(entry, game.rules)
        if not isinstance(multiplier, Refusal):
            self._move(Move(multiplier))
        elif self._news.is_asked_for_a_move:
            self._console.say("Type y to give the move back, or n to keep it.\n")
        else:
            self._console.say(self._news.narrator.refused(game, entry, multiplier))

    def _move(self, move: Move) -> None:
        """Make a move, its questions answered; or none, if it is not meant."""
        questions = MoveQuestions(
            self._console,
            self._table,
            self._session,
            self._news.narrator,
            self._warned,
        )
        asked: Move | GiveBack | None = move
        while asked is not None:
            if isinstance(asked, Move):
                move = asked
                questions.warn(move)
            try:
                self._do(asked)
            except QuestionOpen as error:
                asked = questions.answer(move, error.question)
            else:
                return

    def _do(self, asked: Ask) -> None:
        """Do what is asked for, and show what comes of it.

        Where other news shows why it is refused, nothing else is said.
        """
        try:
            self._table.do(asked)
        except NinefoldError:
            if not self._news.show_news():
                raise
        else:
            self._news.show_news()

    def _do_word(self, word: str) -> bool:
        """Do what a word of the help says; False if it is none."""
        game = self._session.game
        match word:
            case "?" | "help":
                say_help(self._console, self._session)
            case "rules":
                say_page(self._console, self._session.book.explain(game.rules))
            case "hint" | "why" | "map" if not self._session.setup.lessons.hints:
                say_wrapped(self._console, NO_HINTS)
            case "hint":
                self._hint()
            case "why":
                whose = f"For {self._news.name(game.to_move)}, who is to move: "
                products = not self._session.setup.lessons.mental
                reason = why(game, products=products)
                reason = reason if self._news.is_my_turn else whose + reason
                say_wrapped(self._console, reason)
            case "map":
                self._news.line.show_bands(game)
            case "undo":
                self._do(CancelRequest() if self._may(CancelRequest()) else TakeBack())
            case "resign":
                self._resign()
            case _ if word.split()[:1] == ["claim"]:
                self._claim(word)
            case _:
                return False
        return True

    def _claim(self, text: str) -> None:
        """Play out what somebody claims about a total; then the game goes on."""
        setup = self._session.setup
        if self._settle_claim is None or not setup.has_level:
            say_wrapped(self._console, NO_CLAIMS)
            return
        try:
            claimed = read_claim(setup.rules, text)
        except NinefoldError as error:
            say_wrapped(self._console, sentence(error))
            return
        with suppress(Left):
            self._settle_claim(setup, claimed)
        at = shorten(self._session.game.total)
        say_wrapped(self._console, f"Back to your game. The total is {at}.")

    def _resign(self) -> None:
        """Give up, once that is meant; where input is piped there is nobody to ask."""
        asks = f"{ask_to_resign(self._session, self._news.viewer)} (y/N): "
        is_asked = self._may(ResignGame()) and self._console.interactive
        if not is_asked or self._console.asks_yes(asks):
            self._do(ResignGame())

    def _may(self, ask: PlainAsk) -> bool:
        """Whether somebody at this screen may ask for this now."""
        return any(self._session.may(seat, ask) for seat in self._news.seats)

    def _hint(self) -> None:
        """Give the next step of a hint; after the last one, that again."""
        session = self._session
        if not self._news.is_my_turn:
            mover = self._news.name(session.game.to_move)
            turn = f"It is {mover}'s turn; hints are for your own moves."
            say_wrapped(self._console, turn)
            return
        if self._hinted is not session.game:
            self._hinted = session.game
            products = not session.setup.lessons.mental
            self._hints = hints(session.game, products=products)
        say_wrapped(self._console, self._hints[0].text)
        self._hints = self._hints[1:] or self._hints

    # After a game

    def _offers(self) -> list[str]:
        offers = [self._first_offer()]
        if self._may(CancelRequest()):
            offers.append("w withdraw")
        if _review(self._session.game) is not None:
            offers.append("r review")
        retry = self._retry()
        if retry is not None:
            offers.append(f"t try again from move {len(retry.moves) + 1}")
        if self._can_practise():
            offers.append("p practise this")
        if self._has_menu:
            offers.append("m menu")
        return [*offers, "q quit"]

    def _first_offer(self) -> str:
        """Say what Enter does."""
        session = self._session
        if not session.match.over:
            return "Enter next game"
        if not session.needs_consent:
            starts = f"{self._news.name(session.opened_by.other)} starts"
            if session.setup.first_tossed:
                starts = "tossed again"
            return f"Enter rematch ({starts})"
        other = self._news.name(self._news.elsewhere[0])
        if session.rematch_asked is None:
            return f"Enter ask {other} for a rematch"
        if session.rematch_asked in self._news.seats:
            return f"waiting for {other} to agree"
        return "Enter play again"

    def _answer_afterwards(self, word: str) -> None:
        retry = self._retry()
        if word in ("", "next", "rematch"):
            self._go_on()
        elif word in ("r", "review"):
            reviewed = _review(self._session.game)
            if reviewed is None:
                self._console.say(f"{TOO_FAR}\n")
            else:
                session = self._session
                names = session.setup.names
                say_review(self._console, reviewed, names, session.given_back)
        elif word in ("t", "try") and retry is not None:
            self._do(retry)
        elif word in ("p", "practise") and self._can_practise():
            saves = self._table.is_stored
            practise_this(
                self._console, self._session, self._news.seats[0], saves=saves
            )
        elif word in ("w", "withdraw") and self._may(CancelRequest()):
            self._do(CancelRequest())
        elif word in ("m", "menu") and self._has_menu:
            self._goes_to_menu = True
        else:
            self._console.say("Press Enter, or type one of these letters.\n")

    def _go_on(self) -> None:
        """Begin the next game or a rematch, or ask for one."""
        session = self._session
        if not session.match.over:
            self._do(StartNextGame())
        elif session.rematch_asked not in self._news.seats:
            self._do(RequestRematch())

    def _can_practise(self) -> bool:
        """Whether a person lost to a level, in a game that has something to learn."""
        setup, game, viewer = self._session.setup, self._session.game, self._news.viewer
        if viewer is None or setup.level(viewer.other) is None or game.outcome is None:
            return False
        is_lost = game.outcome.winner is not viewer
        return is_lost and bool(items_of_game(game, viewer, setup.book))

    def _retry(self) -> Retry | None:
        """Return from where the game can be tried again here."""
        setup, reviewed = self._session.setup, _review(self._session.game)
        if not setup.all_seated or reviewed is None:
            return None
        return retry_of(reviewed, setup.levels)
