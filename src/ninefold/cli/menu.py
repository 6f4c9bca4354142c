"""The menu: what ``ninefold`` opens at a terminal where the app does not fit."""

from __future__ import annotations

import click

from ninefold.cli.commands.history_and_review import history, review
from ninefold.cli.commands.online import host_match, join_match
from ninefold.cli.commands.play import play_match, resume_match
from ninefold.cli.commands.practice_and_progress import drill, progress, puzzle
from ninefold.cli.commands.solve import rules, solve
from ninefold.cli.console import Console, EndOfInput, QuitRequested
from ninefold.cli.output import line_of_match, print_wrapped
from ninefold.cli.setup_questions import (
    Pairing,
    match_prefix,
    new_seed,
    numbered,
    prompt_book,
    prompt_or_back,
    prompt_proposal,
    prompt_target,
    prompt_until_valid,
)
from ninefold.cli.storage import open_store, player_store
from ninefold.errors import NinefoldError, StoreError, UnknownRulebook
from ninefold.online.links import read_link
from ninefold.rulebooks import Rulebook, find
from ninefold.rules import parse_number
from ninefold.store import MatchRow
from ninefold.text import is_digits, shorten
from ninefold.views.match_text import sentence

_CHOICES = {
    Pairing.FRIEND.value: "play together here",
    Pairing.COMPUTER.value: "play against a level",
    Pairing.WATCH.value: "watch two levels play",
    Pairing.HOST.value: "invite someone online",
    "join": "play or watch online, by a link",
    "practise": "twelve items, no clock",
    "puzzles": "find the winning move",
    "progress": "what you know, how you are doing",
    "explore": "who wins, and why",
    "history": "games you played",
    "review": "look back at the last one",
    "rules": "read a game's rules",
}
_CONTINUE = "continue"
_MENU = "menu"
_PAIRINGS = [pairing.value for pairing in Pairing if pairing is not Pairing.HOST]
_MENU_WORDS = (_MENU, "m", "?", "help")
_WITH_WHOM = "With a friend, with the computer, or watch? (Enter: friend"
_WHICH_LINK = "Which link? (such as https://HOST/m/..."
_SHORTEST_ID = 4
_COMMANDS = {
    "practise": drill,
    "puzzles": puzzle,
    "progress": progress,
    "history": history,
    "review": review,
    "rules": rules,
    "explore": solve,
}
"""Choices whose output should stay in view: the menu is not printed after them."""


def open_menu(console: Console) -> None:
    """Run what the players choose, until they leave.

    ``quit`` in a game, a puzzle or a question returns to the menu; in the menu, it
    leaves. The end of input, which is Ctrl-D, leaves everything.
    """
    console.print("Welcome to ninefold, the home of the multiplication games.\n")
    try:
        _serve(console)
    except EndOfInput:
        console.print("Goodbye.\n")


def _serve(console: Console) -> None:
    shows = True
    while True:
        left = _left_unfinished(console)
        if shows:
            _show(console, left)
        choice = _prompt(console, left, shows=shows)
        shows = choice == _MENU
        try:
            if not shows and not _go(console, choice, left):
                return
            # After a game, the menu is printed at once.
            shows = shows or choice not in _COMMANDS
        except QuitRequested:
            continue
        except NinefoldError as error:
            console.print(f"{sentence(error)}\n")


def _left_unfinished(console: Console) -> MatchRow | None:
    """Return the match to continue, if any; ``resume --list`` lists all of them."""
    try:
        with player_store(console) as store:
            left = store.latest_unfinished()
    except StoreError:
        return None  # the first move will report why nothing can be saved
    return None if left is None else left[0]


def _show(console: Console, left: MatchRow | None) -> None:
    width = max(map(len, _CHOICES))
    if left is not None:
        console.print("\nYou have an unfinished game:\n")
        print_wrapped(console, f"  {line_of_match(left)}")
    console.print("\n")
    if left is not None:
        console.print(f"  c  {_CONTINUE:{width}}  continue that game\n")
    for number, (word, meaning) in enumerate(_CHOICES.items(), start=1):
        console.print(f" {number:>2}  {word:{width}}  {meaning}\n")
    console.print(f"  q  {'quit':{width}}  leave\n\n")


def _prompt(console: Console, left: MatchRow | None, *, shows: bool) -> str | Rulebook:
    """Prompt for a choice: a word or a number from the list, or a game to play."""
    usual = Pairing.FRIEND.value if left is None else _CONTINUE
    question = f"What would you like? (Enter: {usual}) "
    if not shows:
        usual = _MENU
        question = "\nWhat now? (Enter: the menu, q: quit) "

    def read_choice(answer: str) -> str | Rulebook:
        return _read_choice(answer.lower(), left) if answer else usual

    return prompt_until_valid(console, question, read_choice)


def _read_choice(answer: str, left: MatchRow | None) -> str | Rulebook:
    words = [*_CHOICES]
    if left is not None:
        words.append(_CONTINUE)
        is_id = len(answer) >= _SHORTEST_ID and left.id.startswith(answer)
        if is_id or answer in ("c", "resume"):
            return _CONTINUE
    elif answer in (_CONTINUE, "resume"):
        message = "there is no unfinished game; start one"
        raise NinefoldError(message)
    if answer in _MENU_WORDS:
        return _MENU
    if answer == "play":
        return Pairing.FRIEND.value
    if is_digits(answer):
        return numbered(answer, tuple(_CHOICES), "choice")
    try:
        return find(answer)
    except UnknownRulebook as error:
        if error.several and not any(word.startswith(answer) for word in words):
            raise
    return match_prefix(answer, words, "in the menu")


def _go(console: Console, choice: str | Rulebook, left: MatchRow | None) -> bool:
    """Run a choice; return whether the players go back to the menu."""
    if isinstance(choice, Rulebook):
        pairing = prompt_or_back(console, _WITH_WHOM, _read_pairing)
        return _play(console, pairing, choice)
    if choice == Pairing.HOST.value:
        return host_match(console, prompt_proposal(console, Pairing.HOST))
    if choice == "join":
        link = prompt_or_back(console, _WHICH_LINK, read_link)
        return join_match(console, link, has_menu=True)
    if choice in _PAIRINGS:
        return _play(console, Pairing(choice))
    if left is not None and choice == _CONTINUE:
        with open_store(console) as store:
            stored = store.match(left.id)
        console.print("\n")
        return resume_match(console, stored, has_menu=True)
    arguments = []
    if choice == "rules":
        arguments = [prompt_book(console).key]
    elif choice == "explore":
        arguments = _prompt_position(console)
    console.print("\n")
    _run(console, _COMMANDS[choice], arguments)
    return True


def _play(console: Console, pairing: Pairing, book: Rulebook | None = None) -> bool:
    setup = prompt_proposal(console, pairing, book).setup(new_seed())
    return play_match(console, setup, has_menu=True)


def _prompt_position(console: Console) -> list[str]:
    """Prompt for a game and a total to explore; return the arguments of solve."""
    book = prompt_book(console)
    other = "multipliers" if "target" in book.settles else "targets and multipliers"
    print_wrapped(console, f"For other {other}: ninefold solve --help")
    settled = prompt_target(console, book).setup(0).rules

    def read_total(answer: str) -> int:
        return parse_number(answer or str(settled.start), "total", settled.start)

    question = f"From which total? (Enter: {shorten(settled.start)}, the start"
    total = prompt_or_back(console, question, read_total)
    return [book.key, "--target", str(settled.target), "--total", str(total)]


def _read_pairing(answer: str) -> Pairing:
    return Pairing(match_prefix(answer or "friend", _PAIRINGS, "among these"))


def _run(console: Console, command: click.Command, arguments: list[str]) -> None:
    """Run a command as from the command line, and restore the console's purpose."""
    purpose = console.purpose
    try:
        with command.make_context("ninefold", arguments, obj=console) as context:
            command.invoke(context)
    finally:
        console.purpose = purpose
