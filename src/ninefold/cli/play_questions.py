"""Questions at a game's prompt: help, offers, and those before a move counts."""

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
    "?": "to see this",
    "rules": "to see the rules",
    "hint": "to get a hint; again, for more of it",
    "why": "to learn who wins from here, and why",
    "map": "to show the totals where every move loses, or hide them",
    "undo": "to take the last move back",
    "resign": "to give this game up",
    "claim 8 lost": "to say that whoever moves at 8 loses, or wins, and play it out",
    "quit": "to leave",
}
"""Words that can be typed instead of a multiplier, with their purpose."""
_HINTS = ("hint", "why", "map")
_WITH_CONSENT = {
    "undo": "to ask for your last move back; again, to withdraw that",
    "quit": "to leave; your seat is kept",
}

_MULTIPLIER = "Type a multiplier ({multipliers}) and press Enter. You can also type:"
_MOST_ENTRIES = 1_000
"""Entries in a row that are no move, after which piped input is given up."""
_HELP = ("?", "help", "hint")
_UNSURE = ("idk", "dunno", "no idea", "i don't know", "i dont know", "don't know", "no")
_NO_SHAME = "That is all right: ? shows a first step, and ? again the next one.\n"
_WHAT_TO_TYPE = "Type the product in digits, ? for a first step, or quit to leave.\n"


def print_help(console: Console, session: Session) -> None:
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
    print_words(console, session.setup.rules, words)


def print_words(console: Console, rules: Rules, words: Mapping[str, str]) -> None:
    """List what can be typed where a multiplier is asked for."""
    multipliers = format_set(rules.multipliers)
    print_wrapped(console, _MULTIPLIER.format(multipliers=multipliers))
    width = max(map(len, words))
    for word, purpose in words.items():
        console.print(f"  {word:{width}}  {purpose}\n")


def refuse_endless_input(console: Console, asked: int) -> None:
    """Give up on a pipe without moves; a person may try for ever."""
    if asked == _MOST_ENTRIES and not console.interactive:
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
    """Answer an open question; return what to type instead where a word is none."""
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
        return _NO_SHAME if word in _UNSURE else _WHAT_TO_TYPE
    else:
        presenter.enter_product(word)
    return ""
