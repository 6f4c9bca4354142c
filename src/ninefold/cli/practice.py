"""Items at the terminal: one prompt for all of them, and who answers there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

from ninefold.cli.console import Console, Left
from ninefold.cli.output import say_page, say_wrapped
from ninefold.cli.questions import refuse_endless_input
from ninefold.cli.storage import SURFACE, open_store
from ninefold.errors import StoreError, TooLarge
from ninefold.game import Game, Seat
from ninefold.learning import (
    Activity,
    Answer,
    Item,
    Practice,
    Response,
    gain,
    known_facts,
    mastery,
    practise_game,
)
from ninefold.notation import is_record
from ninefold.session import Session
from ninefold.session.setup import check_name
from ninefold.store import Store
from ninefold.views.practice import (
    HELP,
    begin_round,
    say_response,
    why_others_fail,
    write_gain,
)
from ninefold.views.progress import Who, who_learns

_HELP = ("?", "help", "hint")
_EQUALS = "= ?"
_MARKS = {"Right": "bold green", "Not quite": "bold red", "Not that one": "bold red"}


class Answering:
    """Who answers at this terminal, what they answered, and what they answer now.

    A store that cannot be read or written stops nobody: a notice says so once.
    """

    def __init__(
        self,
        console: Console,
        store: Store,
        name: str | None = None,
        *,
        saves: bool = True,
        activity: Activity | None = None,
    ) -> None:
        """Take a learner's name, who is remembered; None for the latest learner.

        ``activity`` is what they do; None means puzzles and drills.
        """
        self._console = console
        self._store = store
        self._saves = saves
        self._activity = activity
        self.earlier: list[Answer] = []
        """What was answered before."""
        self.now: list[Answer] = []
        if name is not None:
            check_name(name)
        self.learner = Who("", name or str(Seat.ONE))
        try:
            if name is not None and saves:
                store.choose_learner(name)
            self.learner = who_learns(store, name)
            if self.learner.id:
                self.earlier = store.answers(self.learner.id)
        except StoreError as error:
            self._stop_saving(error)

    @property
    def answers(self) -> list[Answer]:
        """Everything that was answered, oldest first."""
        return [*self.earlier, *self.now]

    def add(self, item: Item, response: Response, seconds: float) -> None:
        """Store an answer that counts."""
        if not self._saves:
            return
        usual = Activity.PUZZLE if is_record(item.key) else Activity.DRILL
        try:
            learner = self._store.learner(self.learner.name)
            answer = self._store.add_answer(
                learner.id,
                item.key,
                response.given,
                right=bool(response.right),
                activity=self._activity or usual,
                seconds=seconds,
                hinted=response.hinted,
                surface=SURFACE,
            )
        except StoreError as error:
            self._stop_saving(error)
        else:
            self.now.append(answer)

    def _stop_saving(self, error: StoreError) -> None:
        if self._saves:
            self._console.notice(f"This is not being saved: {error}.")
        self._saves = False

    def practise(self, practice: Practice, rules: str = "") -> None:
        """Ask the items of a round until it is over; ``quit`` raises ``Left``.

        ``rules`` is what the word ``rules`` shows, if it is a word here.
        """
        console = self._console
        shown: Item | None = None
        began, entries = 0.0, 0
        while (item := practice.item) is not None:
            text, many = item.text, len(practice.items)
            if many > 1:
                text = f"{practice.number} of {many}: {text}"
            prompt = text[:-1] if text.endswith(_EQUALS) else "Your answer: "
            if console.plain and not text.endswith(_EQUALS):
                prompt = f"{text} "  # so that the question is read with the prompt
            if item is not shown:
                shown, began, entries = item, console.now(), 0
                if prompt == "Your answer: ":
                    say_wrapped(console, text)
            refuse_endless_input(console, entries)
            entries += 1
            word = console.ask(prompt).lower()
            if word in _HELP:
                say_wrapped(console, practice.hint().words)
            elif word == "skip":
                practice.skip()
            elif word == "rules" and rules:
                say_page(console, rules)
            else:
                move = word.lstrip("×x*") if item.choices else word
                response = practice.enter(move)
                if response.counts:
                    self.add(item, response, console.now() - began)
                self._say(item, response)

    def _say(self, item: Item, response: Response) -> None:
        words = say_response(response)
        if response.right is None:
            words = f"{words} {HELP}"
        say_wrapped(self._console, words, _MARKS)
        for reason in why_others_fail(item) if response.right else ():
            say_wrapped(self._console, reason)

    def say_gain(self) -> None:
        """Say what became firmer and when the next is due, if anything was stored."""
        if self.now:
            gained = gain(self.earlier, self.answers)
            say_wrapped(self._console, write_gain(gained, self._store.now()))


# After a game


@lru_cache(maxsize=1)
def items_of_game(game: Game, seat: Seat, book: str) -> Sequence[Item]:
    """Return what a seat can practise of a game; nothing where that is too far."""
    try:
        return practise_game(game, seat, book)
    except TooLarge:
        return ()


def practise_this(
    console: Console, session: Session, seat: Seat, *, saves: bool
) -> None:
    """Practise what a game shows; ``quit`` goes back to what was asked before."""
    with open_store(console) as store:
        answering = Answering(console, store, session.setup.name(seat), saves=saves)
        known = known_facts(mastery(answering.answers))
        items = practise_game(session.game, seat, session.setup.book, known)
        say_wrapped(console, f"{begin_round(items)} {HELP}")
        rules = session.book.explain(session.setup.rules)
        practice = Practice(items, tries_between=True)
        with suppress(Left):
            answering.practise(practice, rules)
        answering.say_gain()
