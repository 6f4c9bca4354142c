"""Practice items at the terminal: rounds, puzzles, and steps of the path."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import TypeVar

from ninefold.cli.console import Console, QuitRequested
from ninefold.cli.output import print_page, print_wrapped
from ninefold.cli.play_questions import refuse_endless_input
from ninefold.cli.storage import SURFACE, open_store
from ninefold.errors import StoreError
from ninefold.game import Game, Seat
from ninefold.learning import (
    Activity,
    Item,
    Play,
    Response,
    Walk,
    WalkState,
    known_facts,
    mastery,
    practise_game,
)
from ninefold.session import Session
from ninefold.store import Store
from ninefold.views.answer_recorder import AnswerRecorder
from ninefold.views.practice import (
    HELP,
    begin_round,
    format_response,
)

T = TypeVar("T")
_EQUALS = "= ?"
_MARKS = {"Right": "bold green", "Not quite": "bold red", "Not that one": "bold red"}


def recorder_at(
    console: Console,
    store: Store,
    name: str | None = None,
    *,
    save: bool = True,
    activity: Activity | None = None,
) -> AnswerRecorder:
    """Return the answer recorder of a learner; without a name, of the latest one.

    If the store cannot be read or written, practice continues: one notice says so.
    """

    def ask_store(query: Callable[[Store], T]) -> T | None:
        try:
            return query(store)
        except StoreError as error:
            if save:
                console.print_error(f"This is not being saved: {error}.")
            return None

    return AnswerRecorder(
        ask_store, console.now, name, surface=SURFACE, activity=activity, save=save
    )


def practise(
    console: Console,
    answering: AnswerRecorder | None,
    walk: Walk,
    *,
    rules: str = "",
    play: Callable[[Play], Game] | None = None,
) -> None:
    """Run a walk to its end; ``quit`` raises ``QuitRequested``.

    A walk with items needs ``answering``, one with games needs ``play``. ``rules`` is
    the text that the word ``rules`` prints; without it, the word has no meaning.
    """
    state, was_played = walk.state, False
    while True:
        console.print("\n" if was_played and state.said else "")
        for each in state.said:
            print_wrapped(console, each)
        was_played = state.play is not None
        if state.play is not None and play is not None:
            state = walk.played(play(state.play))
        elif state.item is not None and answering is not None:
            state = _ask(console, answering, walk, state.item, rules)
        else:
            return


def _ask(
    console: Console, answering: AnswerRecorder, walk: Walk, item: Item, rules: str
) -> WalkState:
    """Prompt for the current item of a walk, until it is answered or skipped."""
    number, text = walk.state.number, item.text
    if walk.count > 1:
        text = f"{number} of {walk.count}: {text}"
    prompt = text[:-1] if text.endswith(_EQUALS) else "Your answer: "
    if console.plain and not text.endswith(_EQUALS):
        prompt = f"{text} "  # a screen reader reads it with the prompt
    answering.begin()
    if prompt == "Your answer: ":
        print_wrapped(console, text)
    for entries in count():
        refuse_endless_input(console, entries)
        typed = console.prompt_line(prompt).lower()
        if typed == "rules" and rules:
            print_page(console, rules)
            continue
        state = walk.enter(typed)
        answering.add(*state.answers)
        if state.entered is not None:
            _print_response(console, state.entered)
        if state.item is None or state.number > number:
            break
    return state


def _print_response(console: Console, response: Response) -> None:
    text, *others = format_response(response)
    if response.right is None and response.text == response.item.input_hint:
        text = f"{text} {HELP}"
    print_wrapped(console, text, _MARKS)
    for reason in others:
        print_wrapped(console, reason)


def print_improvement(console: Console, answering: AnswerRecorder) -> None:
    """Print what improved and what is due next, if any answers were stored."""
    if gained := answering.gained():
        print_wrapped(console, gained)


# After a game


def practise_this(
    console: Console, session: Session, seat: Seat, *, save: bool
) -> None:
    """Practise the items of a game; ``quit`` returns to the prompt before."""
    with open_store(console) as store:
        answering = recorder_at(console, store, session.setup.name(seat), save=save)
        known = known_facts(mastery(answering.answers))
        items = practise_game(session.game, seat, session.setup.book, known)
        print_wrapped(console, f"{begin_round(len(items))} {HELP}")
        rules = session.book.explain(session.setup.rules)
        with suppress(QuitRequested):
            practise(console, answering, Walk.of(items), rules=rules)
        print_improvement(console, answering)
