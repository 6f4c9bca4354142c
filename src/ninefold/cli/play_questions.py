"""Questions at a game's prompt before a move counts, and help."""

from __future__ import annotations

from collections.abc import Mapping

from ninefold.cli.console import Console
from ninefold.cli.output import print_wrapped
from ninefold.errors import NinefoldError
from ninefold.learning import read_product
from ninefold.playing.presenter import Presenter
from ninefold.playing.scene import OpenQuestion, Scene
from ninefold.rules import Rules
from ninefold.session import LossQuestion, ProductQuestion, Session, SlipQuestion
from ninefold.text import format_set
from ninefold.views.match_text import format_takeback_question

_WORDS = {
    "?": "show this help",
    "rules": "show the rules",
    "hint": "get a hint; again for more",
    "why": "see who wins from here, and why",
    "map": "show or hide the totals where every move loses",
    "undo": "take the last move back",
    "resign": "resign this game",
    "claim 8 lost": "claim that the player to move at 8 loses (or wins), and prove it",
    "quit": "leave",
}
"""Words that can be typed instead of a multiplier, with their purpose."""
_HINTS = ("hint", "why", "map")
_WITH_CONSENT = {
    "undo": "ask to take your last move back; again to cancel",
    "quit": "leave; your seat is saved",
}

_MULTIPLIER = "Type a multiplier ({multipliers}) and press Enter. You can also type:"
_MOST_ENTRIES = 1_000
"""Entries in a row without a move, after which piped input is rejected."""
_HELP = ("?", "help", "hint")
_UNSURE = ("idk", "dunno", "no idea", "i don't know", "i dont know", "don't know", "no")
_NO_PROBLEM = "No problem: type ? for a first step, and ? again for the next one.\n"
_WHAT_TO_TYPE = "Type the product in digits, ? for a first step, or quit to leave.\n"


def print_help(console: Console, session: Session) -> None:
    """Print the words that can be typed, if the rule book and lessons allow them."""
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
    print_words(console, session.setup.rules, words)


def print_words(console: Console, rules: Rules, words: Mapping[str, str]) -> None:
    """Print the words that can be typed instead of a multiplier."""
    multipliers = format_set(rules.multipliers)
    print_wrapped(console, _MULTIPLIER.format(multipliers=multipliers))
    width = max(map(len, words))
    for word, purpose in words.items():
        console.print(f"  {word:{width}}  {purpose}\n")


def refuse_endless_input(console: Console, entries: int) -> None:
    """Raise an error if a pipe has too many entries without a move.

    A person may try for ever.
    """
    if entries == _MOST_ENTRIES and not console.interactive:
        message = f"none of {_MOST_ENTRIES:,} entries was a move; check the input"
        raise NinefoldError(message)


def question_prompt(scene: Scene, question: OpenQuestion) -> str:
    """Return the prompt of an open question."""
    match question.about:
        case ProductQuestion(total=total, multiplier=multiplier):
            return f"{total} × {multiplier} = "
        case LossQuestion(multiplier=multiplier):
            return scene.narrator.confirm(scene.session.game, multiplier)
        case SlipQuestion(give_backs=give_backs):
            return f"{format_takeback_question(give_backs)} (Y/n): "
    return f"{question.text} (y/N): "


def read_answer(presenter: Presenter, question: OpenQuestion, word: str) -> str:
    """Answer an open question; return what to type if ``word`` is not an answer."""
    if isinstance(question.about, ProductQuestion):
        return _read_product(presenter, word)
    if word not in ("", "y", "yes", "n", "no"):
        return "Type y or n, or just press Enter.\n"
    presenter.answer(yes=word.startswith("y") if word else question.default)
    return ""


def _read_product(presenter: Presenter, word: str) -> str:
    if word in _HELP:
        presenter.help_with_product()
    elif read_product(word) is None:
        return _NO_PROBLEM if word in _UNSURE else _WHAT_TO_TYPE
    else:
        presenter.enter_product(word)
    return ""
