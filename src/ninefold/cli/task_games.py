"""The games of the path and of claims, played at the terminal."""

from __future__ import annotations

from functools import partial

from ninefold.cli.console import Console
from ninefold.cli.play_screen import TableScreen
from ninefold.cli.practice_screen import practise
from ninefold.cli.storage import open_table
from ninefold.game import Game
from ninefold.learning import Play, Walk
from ninefold.learning.claims import Claim, play_out
from ninefold.learning.walk import LEARNER
from ninefold.playing.page_walk import start_game
from ninefold.session import Setup


def play_game(
    console: Console, template: Setup, task: Play, *, name: str = str(LEARNER)
) -> Game:
    """Play one game of a task against a level, and return it; it is not stored.

    ``template`` gives the rule book.
    """
    if task.caption:
        console.print(f"\n{task.caption}\n")
    session, _ = start_game(task, template, seed=0, name=name)
    table = open_table(console, session, save=False)
    TableScreen(console, table, resume_hint=str, single_match=True).play()
    return table.session.game


def settle_claim(console: Console, template: Setup, claimed: Claim) -> None:
    """Play the games that prove or refute a claim, and print the verdict."""
    play = partial(play_game, console, template)
    practise(console, None, Walk(play_out(claimed)), play=play)
