"""Mental arithmetic: a product is asked for before it is shown."""

from __future__ import annotations

from msgspec import Struct

from ninefold.cli.console import Console
from ninefold.cli.layout import say_wrapped
from ninefold.learning import Product, first_step
from ninefold.text import is_digits

_LONGEST_ANSWER = 2_100  # digits: more than any product has
_HELP = ("?", "help", "hint")
_UNSURE = ("idk", "dunno", "no idea", "i don't know", "i dont know", "don't know", "no")
_NO_SHAME = "That is all right: ? shows a first step, and ? again the answer.\n"
_WHAT_TO_TYPE = (
    "Type the product in plain digits, or ? for a first step; quit leaves.\n"
)


class Answer(Struct, frozen=True):
    """A product as it was answered, and how long that took."""

    product: Product
    seconds: float


def ask_product(console: Console, total: int, multiplier: int) -> Answer:
    """Ask for a product, with help on request; say whether the answer is right."""
    began = console.clock()
    product = _ask(console, total, multiplier)
    seconds = (console.clock() - began).total_seconds()
    if product.known:
        console.say("Right.\n")
    elif not product.hinted:
        console.say(console.fit(f"Not quite: {product.correction}\n"))
    return Answer(product, seconds)


def _ask(console: Console, total: int, multiplier: int) -> Product:
    has_helped = False
    while True:
        answer = console.ask(f"{total} x {multiplier} = ").lower()
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
