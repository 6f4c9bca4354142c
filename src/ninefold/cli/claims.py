"""Games that are played to find something out, and are not stored."""

from __future__ import annotations

from ninefold.cli.console import Console
from ninefold.cli.output import say_wrapped
from ninefold.cli.storage import open_table
from ninefold.cli.table import TableScreen
from ninefold.game import Game
from ninefold.learning.claims import GAMES, Claim, settle
from ninefold.learning.path import Play
from ninefold.rulebooks import Rulebook
from ninefold.session import Lessons, Retry, Session, Setup


def play_one(console: Console, wanted: Play, book: Rulebook) -> Game:
    """Play one game against a level; it is not stored."""
    setup = Setup(
        rules=wanted.rules,
        book=book.key,
        first=wanted.first,
        names=("Player 1", wanted.level.capitalize()),
        levels=(None, wanted.level),
        lessons=Lessons(hints=False),
    )
    table = open_table(console, Session.start(setup), saves=False)
    if wanted.opening:
        table.do(Retry(wanted.opening))
    TableScreen(console, table, farewell=str, only_one=True).play()
    return table.session.game


def settle_claim(console: Console, book: Rulebook, claimed: Claim) -> None:
    """Play a claim out, and say what became of it."""
    begins = "I begin" if claimed.lost else "You begin"
    say_wrapped(
        console,
        f"You say: {claimed}. Then win from there {GAMES} times, against my best."
        f" {begins}.",
    )
    games: list[Game] = []
    settled = None
    while settled is None:
        wanted = Play(
            claimed.played_by, claimed.first, opening=claimed.opening(len(games))
        )
        console.say(f"\nGame {len(games) + 1} of {GAMES}\n")
        games.append(play_one(console, wanted, book))
        settled = settle(claimed, games)
    console.say("\n")
    say_wrapped(console, settled.words)
