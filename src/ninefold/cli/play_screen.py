"""A match at the terminal, in lines: entries become asks, and news becomes sentences.

The screen is the same for local and online matches: a presenter reports what happens at
its table, which can interrupt the prompt.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ninefold.cli.after_game import chosen_offer, offers_prompt
from ninefold.cli.console import Console, EndOfInput, QuitRequested
from ninefold.cli.output import print_page, print_review, print_wrapped
from ninefold.cli.play_lines import TableNews
from ninefold.cli.play_questions import (
    print_help,
    question_prompt,
    read_answer,
    refuse_endless_input,
)
from ninefold.cli.practice_screen import practise_this
from ninefold.cli.prompt import PromptInterrupted
from ninefold.coach import TOO_FAR
from ninefold.errors import NinefoldError, OnlineError, RequestRefused
from ninefold.learning import practise_game
from ninefold.learning.claims import Claim, read_claim
from ninefold.playing.presenter import Presenter
from ninefold.playing.scene import OfferKind, Scene
from ninefold.rulebooks.move_parser import EntryProblem, read_entry
from ninefold.session import (
    AllowTakeBack,
    DeclineTakeBack,
    Retry,
    Session,
    Setup,
)
from ninefold.session.table import Table
from ninefold.text import shorten
from ninefold.views.match_text import (
    NO_CLAIMS,
    NO_HINTS,
    NOBODY_YET,
    NOTHING_TO_PRACTISE,
    sentence,
)

_WHILE_WAITING = ("?", "help", "rules")
"""The words that work before both seats are taken."""
_WATCHING = "You are watching. Type rules to read the rules, or q to leave.\n"
_YES, _NO = ("y", "yes"), ("n", "no")


class TableScreen:
    """Plays or watches the match of a table, until it is over or the players leave."""

    def __init__(
        self,
        console: Console,
        table: Table,
        *,
        resume_hint: Callable[[], str],
        pace: float = 0,
        has_menu: bool = False,
        single_match: bool = False,
        play_claim: Callable[[Setup, Claim], None] | None = None,
        try_again: Callable[[Session, Retry], None] | None = None,
    ) -> None:
        """``resume_hint`` returns how to resume a match that the players leave.

        ``pace`` is how many seconds a level pretends to think. After a ``single_match``
        nothing is offered. ``play_claim`` plays the games of a claim; without it, there
        are no claims. ``try_again`` retries an online game as a local match.
        """
        self._console = console
        self._table = table
        self._resume_hint = resume_hint
        self._pace = pace
        self._has_menu = has_menu
        self._single_match = single_match
        self._play_claim = play_claim
        self._try_again = try_again
        self._news = TableNews(
            console, table.session.setup.rules, self._play_automatic_move
        )
        self._presenter = Presenter(
            table,
            self._news.show,
            wake=console.prompt.wake,
            clock=lambda: console.clock().timestamp(),
            can_ask=console.interactive,
        )
        self._seen = 0
        """The number of changes that were shown before the prompt was printed."""
        self._entries, self._entries_at = 0, -1
        self._goes_to_menu = False

    def play(self) -> bool:
        """Play until the match is over; at a terminal, until the players leave.

        Return whether they go back to the menu.
        """
        prompt = self._console.prompt
        prompt.forget()
        try:
            with prompt.listening(self._is_obsolete):
                self._presenter.open()
                while self._should_continue():
                    self._step()
        except (EndOfInput, QuitRequested):
            if not self._session.match.is_over:
                self._print_resume_hint()
                raise
        except KeyboardInterrupt:
            if not self._session.match.is_over:
                self._print_resume_hint()
            raise
        except RequestRefused:
            raise  # the match is gone, and the seat with it
        except OnlineError:
            self._print_resume_hint()
            raise
        finally:
            self._presenter.close()
            prompt.forget()
        return self._goes_to_menu

    def _print_resume_hint(self) -> None:
        self._presenter.close()  # last attempt to store, before anything is promised
        hint = self._resume_hint()
        if hint:
            self._console.print_error(hint)

    def _should_continue(self) -> bool:
        if self._news.problem is not None:
            raise self._news.problem
        if self._goes_to_menu:
            return False
        may_continue = self._console.at_terminal and not self._single_match
        return may_continue or not self._session.match.is_over

    def _is_obsolete(self) -> bool:
        """Show the news; return whether the prompt must be printed again."""
        self._presenter.catch_up()
        return self._presenter.changes != self._seen

    @property
    def _scene(self) -> Scene:
        return self._presenter.scene

    @property
    def _session(self) -> Session:
        """The session that is shown; the table may have a newer one."""
        return self._scene.session

    # One step

    def _step(self) -> None:
        """Run one step: an automatic move, a prompt, or a wait for news."""
        if self._scene.is_programs_turn:
            self._console.pause(self._pace)
        if self._play_automatic_move():
            return
        self._seen = self._presenter.changes
        scene, prompt = self._scene, self._console.prompt
        if self._console.at_terminal:
            if prompt.can_be_interrupted or scene.awaits_local_player:
                self._prompt_entry()
            else:
                prompt.wait()
        elif scene.is_over and scene.seats:
            self._presenter.continue_()
            if self._presenter.changes == self._seen:  # refused, and would be again
                raise EndOfInput(self._console.purpose)
        elif scene.is_my_turn:
            self._prompt_entry()
        elif not prompt.wait(needs_input=not scene.watches):
            raise EndOfInput(self._console.purpose)

    def _play_automatic_move(self) -> bool:
        """Play a level's or a bot's move; show who is thinking if it may take long."""
        setup, to_move = self._session.setup, self._session.to_move
        if to_move is not None and to_move in setup.bots:
            self._console.progress(f"{setup.name(to_move)} is thinking ...")
            try:
                self._presenter.precompute()
            finally:
                self._console.progress("")
        return self._presenter.play_automatic_move()

    # Entries

    def _prompt_entry(self) -> None:
        """Prompt for one entry, and act on it."""
        revision = self._session.revision
        self._entries = 0 if revision != self._entries_at else self._entries + 1
        self._entries_at = revision
        refuse_endless_input(self._console, self._entries)
        with suppress(PromptInterrupted):  # the news leads to another prompt
            self._answer(self._console.prompt_line(self._prompt()))

    def _prompt(self) -> str:
        scene = self._scene
        if scene.question is not None:
            return question_prompt(scene, scene.question)
        if scene.watches:
            return "You are watching (q to leave): "
        if scene.is_waiting:
            return "Waiting for someone to join (q to leave): "
        if scene.is_over:
            return offers_prompt(self._console, scene, has_menu=self._has_menu)
        return self._move_prompt(scene)

    def _move_prompt(self, scene: Scene) -> str:
        game = scene.session.game
        if scene.is_asked_for_takeback:
            return "Allow the take-back? (y/n): "
        if scene.is_my_turn:
            return scene.narrator.prompt(game)
        return f"{scene.name(game.to_move)}'s turn (? for help): "

    def _answer(self, entry: str) -> None:
        scene, word = self._scene, entry.lower()
        if scene.question is not None:
            problem = read_answer(self._presenter, scene.question, word)
            self._console.print(problem)
        elif scene.watches:
            if word == "rules":
                self._run_word(word)
            else:
                self._console.print(_WATCHING)
        elif scene.is_over:
            self._answer_afterwards(word)
        elif scene.is_asked_for_takeback and word in (*_YES, *_NO):
            allows = word in _YES
            self._presenter.ask(AllowTakeBack() if allows else DeclineTakeBack())
        elif scene.is_waiting and word not in _WHILE_WAITING:
            self._console.print(f"{NOBODY_YET}\n")
        elif not self._run_word(word):
            self._enter(entry)

    def _enter(self, entry: str) -> None:
        scene = self._scene
        multiplier = read_entry(entry, scene.session.setup.rules)
        awaits_answer = scene.is_asked_for_takeback and scene.is_my_turn
        if awaits_answer and isinstance(multiplier, EntryProblem):
            self._console.print("Type y to allow it, or n to play on.\n")
        else:
            self._presenter.enter(entry)

    def _run_word(self, word: str) -> bool:
        """Run a word that the help lists; return False for any other."""
        game = self._session.game
        match word:
            case "?" | "help":
                print_help(self._console, self._session)
            case "rules":
                print_page(self._console, self._session.book.explain(game.rules))
            case "hint":
                self._presenter.hint()
            case "why":
                self._presenter.why()
            case "map" if not self._scene.gives_hints:
                print_wrapped(self._console, NO_HINTS)
            case "map":
                self._news.line.show_bands(game)
            case "undo":
                self._presenter.undo()
            case "resign":
                self._presenter.resign()
            case _ if word.split()[:1] == ["claim"]:
                self._claim(word)
            case _:
                return False
        return True

    def _claim(self, text: str) -> None:
        """Play the games that prove a claim; then the match continues."""
        setup = self._session.setup
        if self._play_claim is None or not setup.has_level:
            print_wrapped(self._console, NO_CLAIMS)
            return
        try:
            claimed = read_claim(setup.rules, text)
        except NinefoldError as error:
            print_wrapped(self._console, sentence(error))
            return
        with suppress(QuitRequested):
            self._play_claim(setup, claimed)
        at = shorten(self._session.game.total)
        print_wrapped(self._console, f"Back to your game. The total is {at}.")

    # After a game

    def _answer_afterwards(self, word: str) -> None:
        if word in ("m", "menu") and self._has_menu:
            self._goes_to_menu = True
            return
        offer = chosen_offer(self._scene, word)
        if offer is None:
            self._console.print("Press Enter, or type one of these letters.\n")
        elif offer.kind is OfferKind.REVIEW:
            self._print_review()
        elif offer.kind is OfferKind.PRACTISE:
            self._practise()
        elif isinstance(offer.ask, Retry) and not self._session.setup.all_seated:
            self._play_again(offer.ask)
        elif offer.ask is not None:
            self._presenter.ask(offer.ask)

    def _print_review(self) -> None:
        reviewed, session = self._scene.review, self._session
        if reviewed is None:
            self._console.print(f"{TOO_FAR}\n")
        else:
            names = session.setup.names
            print_review(self._console, reviewed, names, session.given_back)

    def _practise(self) -> None:
        session, loser = self._session, self._scene.loser
        if loser is None or not practise_game(session.game, loser, session.setup.book):
            self._console.print(f"{NOTHING_TO_PRACTISE}\n")
        else:
            practise_this(self._console, session, loser, save=self._table.is_stored)

    def _play_again(self, retry: Retry) -> None:
        """Retry an online game as a local match; then return to the online one."""
        if self._try_again is not None:
            with suppress(QuitRequested):
                self._try_again(self._session, retry)
            print_wrapped(self._console, "Back to your match.")
