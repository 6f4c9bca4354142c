"""Walks at the terminal: what is said, asked and played in a step or for a claim."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.cli.console import Console
from ninefold.cli.output import say_wrapped
from ninefold.cli.storage import open_table
from ninefold.cli.table import TableScreen
from ninefold.game import Game
from ninefold.learning import Item
from ninefold.learning.claims import Claim, Play, Result, Walk, play_out
from ninefold.session import Setup
from ninefold.views.walks import begin_game


def walk_through(
    console: Console, walk: Walk, like: Setup, ask: Callable[[Item], Result]
) -> bool:
    """Walk to the end; return whether everything was right.

    The games are played by the rule book of the set-up ``like``.
    """
    result: Result = None
    while True:
        try:
            part = walk.send(result)
        except StopIteration as end:
            return bool(end.value)
        was_played, result = isinstance(result, Game), None
        match part:
            case str():
                console.say("\n" if was_played else "")
                say_wrapped(console, part)
            case Item():
                result = ask(part)
            case Play():
                result = _play(console, part, like)


def _play(console: Console, wanted: Play, like: Setup) -> Game:
    """Play one game against a level; it is not stored."""
    if wanted.caption:
        console.say(f"\n{wanted.caption}\n")
    session, _ = begin_game(wanted, like, seed=0)
    table = open_table(console, session, saves=False)
    TableScreen(console, table, farewell=str, only_one=True).play()
    return table.session.game


def settle_claim(console: Console, like: Setup, claimed: Claim) -> None:
    """Play a claim out, and say what became of it."""
    walk_through(console, play_out(claimed), like, ask=lambda _: None)
