"""Questions at a game's prompt: help, offers, and those before a move counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from ninefold.cli.console import Console
from ninefold.cli.output import say_wrapped, width_of
from ninefold.errors import NinefoldError
from ninefold.learning import Product, product_hints, read_product
from ninefold.rulebooks import Narrator
from ninefold.rules import Rules
from ninefold.session import (
    GiveBack,
    LossQuestion,
    Move,
    ProductQuestion,
    Session,
    SlipQuestion,
)
from ninefold.session.table import Table
from ninefold.text import write_set
from ninefold.views.words import (
    NO_MORE_GIVE_BACKS,
    ask_back,
    say_answer,
    viewer_of,
    warn_of_slip,
)

_WORDS = {
    "?": "to see this",
    "rules": "to see the rules",
    "hint": "to get a hint; again, for more of it",
    "why": "to learn who wins from here, and why",
    "map": "to show the lost totals, or hide them",
    "undo": "to take the last move back",
    "resign": "to give this game up",
    "claim 8 lost": "to say that 8 is lost, or won, and play it out",
    "quit": "to leave",
}
"""Words that can be typed instead of a multiplier, with their purpose."""
_HINTS = ("hint", "why", "map")
_WITH_CONSENT = {
    "undo": "to ask for your last move back; again, to withdraw that",
    "quit": "to leave; your seat is kept",
}
_SLIPPED = {"gives the win away": "bold red"}

_MULTIPLIER = "Type a multiplier ({multipliers}) and press Enter. You can also type:"
_ROOM_TO_ANSWER = 10
_MOST_ENTRIES = 1_000
"""Entries in a row that are no move, after which piped input is given up."""
_HELP = ("?", "help", "hint")
_UNSURE = ("idk", "dunno", "no idea", "i don't know", "i dont know", "don't know", "no")
_NO_SHAME = "That is all right: ? shows a first step, and ? again the answer.\n"
_WHAT_TO_TYPE = "Type the product in digits, ? for a first step, or quit to leave.\n"


def say_help(console: Console, session: Session) -> None:
    """List what can be typed; only what the rule book and the lessons allow."""
    words = dict(_WORDS)
    if session.needs_consent:
        words |= _WITH_CONSENT
    if not (session.setup.has_level and session.setup.lessons.hints):
        del words["claim 8 lost"]
    if not session.book.take_back:
        del words["undo"]
    if not session.setup.lessons.hints:
        for word in _HINTS:
            del words[word]
    say_words(console, session.setup.rules, words)


def say_words(console: Console, rules: Rules, words: Mapping[str, str]) -> None:
    """List what can be typed where a multiplier is asked for."""
    multipliers = write_set(rules.multipliers)
    say_wrapped(console, _MULTIPLIER.format(multipliers=multipliers))
    width = max(map(len, words))
    for word, purpose in words.items():
        console.say(f"  {word:{width}}  {purpose}\n")


def refuse_endless_input(console: Console, asked: int) -> None:
    """Give up on a pipe without moves; a person may try for ever."""
    if asked == _MOST_ENTRIES and not console.interactive:
        message = f"none of {_MOST_ENTRIES:,} entries was a move; check the input"
        raise NinefoldError(message)


def write_offers(console: Console, offers: Iterable[str]) -> str:
    """Return a prompt of several offers, side by side where they fit."""
    width = width_of(console) - _ROOM_TO_ANSWER
    first, *others = offers
    lines = [first]
    for offer in others:
        beside = f"{lines[-1]} · {offer}"
        if len(beside) > width:
            lines.append(offer)
        else:
            lines[-1] = beside
    return "\n" + "\n".join(lines) + ": "


def _ask_product(console: Console, total: int, multiplier: int) -> Product:
    """Ask for a product, with help on request."""
    has_helped = False
    while True:
        answer = console.ask(f"{total} × {multiplier} = ").lower()
        product = read_product(answer)
        if product is not None:
            return Product(total, multiplier, product)
        if answer not in _HELP:
            console.say(_NO_SHAME if answer in _UNSURE else _WHAT_TO_TYPE)
        elif has_helped:
            shown = Product(total, multiplier, total * multiplier, hinted=True)
            say_wrapped(console, shown.correction)
            return shown
        else:
            first, *steps = product_hints(total, multiplier)
            say_wrapped(console, " ".join([first, *steps[:-1]]))
            has_helped = True


class MoveQuestions:
    """Asks a person what must be answered before a move counts."""

    def __init__(
        self,
        console: Console,
        table: Table,
        session: Session,
        narrator: Narrator,
        warned: set[tuple[int, ...]],
    ) -> None:
        """Ask at a table; ``warned`` are the positions at which ``warn`` has spoken."""
        self._console = console
        self._table = table
        self._session = session
        self._narrator = narrator
        self._warned = warned
        self._viewer = viewer_of(table.seats)
        """None where the other person reads along, and would learn the answer."""

    def warn(self, move: Move) -> None:
        """Say that a move gives the win away, where no move is given back any more.

        That is said once at a position, as everything that the coach says.
        """
        session = self._session
        if session.give_backs or not session.setup.lessons.coach:
            return
        question = session.question(move)
        if isinstance(question, SlipQuestion) and session.position not in self._warned:
            self._warned.add(session.position)
            self._say_slip(question)
            self._console.say(f"{NO_MORE_GIVE_BACKS}\n")

    def answer(self, move: Move, question: object) -> Move | GiveBack | None:
        """Return what to ask for instead: the move with its answer, or to give it back.

        None drops a move that is not meant.
        """
        match question:
            case ProductQuestion(total=total, multiplier=multiplier):
                console = self._console
                began = console.clock()
                product = _ask_product(console, total, multiplier)
                seconds = (console.clock() - began).total_seconds()
                if not product.hinted:
                    console.say(f"{say_answer(product)}\n")
                self._table.add_answer(product, seconds, hinted=product.hinted)
                return replace(move, answer=product.answer)
            case LossQuestion():
                if not self._is_meant(move.multiplier):
                    return None
                # A loss that was questioned and meant is no slip to be warned of.
                asked = self._console.interactive
                return replace(move, accepts_loss=True, despite_coach=asked)
            case SlipQuestion() if self._takes_back(question):
                return GiveBack(move.multiplier)
        return replace(move, despite_coach=True)

    def _is_meant(self, multiplier: int) -> bool:
        """Ask about a needless loss; where input is piped there is nobody to ask."""
        if not self._console.interactive:
            return True
        question = self._narrator.confirm(self._session.game, multiplier)
        return self._console.asks_yes(question)

    def _takes_back(self, question: SlipQuestion) -> bool:
        """Say that a move gives the win away; ask whether to take it back.

        Where the other person listens, the reason, which holds the answer to the move,
        is said only once the move is taken back.
        """
        self._say_slip(question)
        takes_back = self._console.asks_yes(
            f"{ask_back(question.give_backs)} (Y/n): ", default=True
        )
        if takes_back and self._viewer is None:
            say_wrapped(self._console, question.slip.reason)
        return takes_back

    def _say_slip(self, question: SlipQuestion) -> None:
        warning = warn_of_slip(self._session, question.slip, self._viewer)
        say_wrapped(self._console, f"Coach: {warning}", _SLIPPED)
