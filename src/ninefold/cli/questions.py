"""Questions at a game's prompt: its help, its offers, a product to work out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ninefold.cli.console import Console
from ninefold.cli.output import say_wrapped, width_of
from ninefold.errors import NinefoldError
from ninefold.learning import Product, first_step
from ninefold.rules import Rules
from ninefold.text import is_digits, write_set

HELP = {
    "?": "to see this",
    "rules": "to see the rules",
    "hint": "to be shown a winning move",
    "why": "to be told who wins from here, and why",
    "map": "to be shown the lost totals, or to hide them",
    "undo": "to take the last move back",
    "resign": "to give this game up",
    "quit": "to leave",
}
"""Words that can be typed instead of a multiplier, with their purpose."""
SLIPPED = {"gives the win away": "bold red"}
WON = "bold green"

_MULTIPLIER = "Type a multiplier ({multipliers}) and press Enter. You can also type:"
_ROOM_TO_ANSWER = 10
_MOST_ENTRIES = 1_000
"""Entries in a row that are no move, after which piped input is given up."""
_LONGEST_ANSWER = 2_100  # digits: more than any product has
_HELP = ("?", "help", "hint")
_UNSURE = ("idk", "dunno", "no idea", "i don't know", "i dont know", "don't know", "no")
_NO_SHAME = "That is all right: ? shows a first step, and ? again the answer.\n"
_WHAT_TO_TYPE = (
    "Type the product in plain digits, or ? for a first step; quit leaves.\n"
)


def say_help(
    console: Console, rules: Rules, words: Mapping[str, str], *, has_undo: bool
) -> None:
    """List what can be typed; ``undo`` only where the rule book allows it."""
    multipliers = write_set(rules.multipliers)
    say_wrapped(console, _MULTIPLIER.format(multipliers=multipliers))
    width = max(map(len, words))
    for word, purpose in words.items():
        if word != "undo" or has_undo:
            console.say(f"  {word:{width}}  {purpose}\n")


def refuse_endless_input(console: Console, asked: int) -> None:
    """Give up on a pipe without moves; a person may try for ever."""
    if asked == _MOST_ENTRIES and not console.interactive:
        message = f"none of {_MOST_ENTRIES:,} entries was a move; look at the input"
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
    return console.fit("\n" + "\n".join(lines) + ": ")


class TimedProduct(Struct, frozen=True):
    """An answered product, and the time it took."""

    product: Product
    seconds: float


def ask_product(console: Console, total: int, multiplier: int) -> TimedProduct:
    """Ask for a product, with help on request, and print whether it is right."""
    began = console.clock()
    product = _ask(console, total, multiplier)
    seconds = (console.clock() - began).total_seconds()
    if product.known:
        console.say("Right.\n")
    elif not product.hinted:
        console.say(console.fit(f"Not quite: {product.correction}\n"))
    return TimedProduct(product, seconds)


def _ask(console: Console, total: int, multiplier: int) -> Product:
    has_helped = False
    while True:
        answer = console.ask(f"{total} × {multiplier} = ").lower()
        if is_digits(answer) and len(answer) <= _LONGEST_ANSWER:
            return Product(total, multiplier, int(answer))
        if answer not in _HELP:
            console.say(_NO_SHAME if answer in _UNSURE else _WHAT_TO_TYPE)
        elif has_helped:
            shown = Product(total, multiplier, total * multiplier, hinted=True)
            say_wrapped(console, console.fit(shown.correction))
            return shown
        else:
            say_wrapped(console, console.fit(first_step(total, multiplier)))
            has_helped = True
