"""Items at the terminal: one prompt for all of them, and who answers there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TypeVar

from ninefold.cli.console import Console, Left
from ninefold.cli.output import say_page, say_wrapped
from ninefold.cli.questions import refuse_endless_input
from ninefold.cli.storage import SURFACE, open_store
from ninefold.errors import StoreError, TooLarge
from ninefold.game import Game, Seat
from ninefold.learning import (
    Activity,
    Item,
    Practice,
    Response,
    known_facts,
    mastery,
    practise_game,
)
from ninefold.session import Session
from ninefold.store import Store
from ninefold.views.answering import Answering
from ninefold.views.practice import (
    HELP,
    begin_round,
    say_response,
    why_others_fail,
)

T = TypeVar("T")
_HELP = ("?", "help", "hint")
_EQUALS = "= ?"
_MARKS = {"Right": "bold green", "Not quite": "bold red", "Not that one": "bold red"}


def answering_at(
    console: Console,
    store: Store,
    name: str | None = None,
    *,
    saves: bool = True,
    activity: Activity | None = None,
) -> Answering:
    """Return who answers at this terminal; None for the latest learner.

    A store that cannot be read or written stops nobody: a notice says so once.
    """

    def ask_store(query: Callable[[Store], T]) -> T | None:
        try:
            return query(store)
        except StoreError as error:
            if saves:
                console.notice(f"This is not being saved: {error}.")
            return None

    return Answering(
        ask_store, console.now, name, surface=SURFACE, activity=activity, saves=saves
    )


def practise(
    console: Console, answering: Answering, practice: Practice, rules: str = ""
) -> None:
    """Ask the items of a round until it is over; ``quit`` raises ``Left``.

    ``rules`` is what the word ``rules`` shows, if it is a word here.
    """
    shown: Item | None = None
    entries = 0
    while (item := practice.item) is not None:
        text, many = item.text, len(practice.items)
        if many > 1:
            text = f"{practice.number} of {many}: {text}"
        prompt = text[:-1] if text.endswith(_EQUALS) else "Your answer: "
        if console.plain and not text.endswith(_EQUALS):
            prompt = f"{text} "  # so that the question is read with the prompt
        if item is not shown:
            shown, entries = item, 0
            answering.begin()
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
            response = practice.enter(word.lstrip("×x*") if item.choices else word)
            answering.add(item, response)
            _say(console, item, response)


def _say(console: Console, item: Item, response: Response) -> None:
    words = say_response(response)
    if response.right is None:
        words = f"{words} {HELP}"
    say_wrapped(console, words, _MARKS)
    for reason in why_others_fail(item) if response.right else ():
        say_wrapped(console, reason)


def say_gain(console: Console, answering: Answering) -> None:
    """Say what became firmer and when the next is due, if anything was stored."""
    if gained := answering.gained():
        say_wrapped(console, gained)


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
        answering = answering_at(console, store, session.setup.name(seat), saves=saves)
        known = known_facts(mastery(answering.answers))
        items = practise_game(session.game, seat, session.setup.book, known)
        say_wrapped(console, f"{begin_round(items)} {HELP}")
        rules = session.book.explain(session.setup.rules)
        practice = Practice(items, tries_between=True)
        with suppress(Left):
            practise(console, answering, practice, rules)
        say_gain(console, answering)
