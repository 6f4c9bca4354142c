"""Games of a walk at the terminal: those of a step of the path, or for a claim."""

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
    """Let somebody play one game against a level; it is not stored.

    It is played by the rule book of the set-up ``like``.
    """
    if task.caption:
        console.print(f"\n{task.caption}\n")
    session, _ = start_game(task, template, seed=0, name=name)
    table = open_table(console, session, save=False)
    TableScreen(console, table, resume_hint=str, single_match=True).play()
    return table.session.game


def settle_claim(console: Console, template: Setup, claimed: Claim) -> None:
    """Play a claim out, and say what became of it."""
    play = partial(play_game, console, template)
    practise(console, None, Walk(play_out(claimed)), play=play)
