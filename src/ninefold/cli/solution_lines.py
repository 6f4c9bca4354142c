"""The perfect answer at a position in words, for ``solve`` and ``why``."""

from __future__ import annotations

from fractions import Fraction

from ninefold.cli.console import Console
from ninefold.cli.layout import say_wrapped
from ninefold.text import shorten, write_set
from ninefold.views import EndedView, SolutionView


def say_solution(
    console: Console, heading: str, solution: SolutionView | EndedView
) -> None:
    """Say who wins, how, how soon, and why."""
    say_wrapped(console, heading)
    if isinstance(solution, SolutionView):
        _say_facts(console, solution)
        console.say("\n")
    if not solution.chain:
        say_wrapped(console, console.fit(solution.why))
        return
    for sentence in solution.chain:
        say_wrapped(console, console.fit(f"- {sentence}"))


def _say_facts(console: Console, solution: SolutionView) -> None:
    choices = write_set([int(each) for each in solution.rules.multipliers])
    at = f"At {shorten(int(solution.total))}, with {choices}:"
    result = "wins" if solution.wins else "loses against best play"
    say_wrapped(console, f"{at} the player to move {result}.")
    moves = ", ".join(shorten(int(move)) for move in solution.winning_moves)
    say_wrapped(console, f"Winning moves: {moves or 'none'}")
    distance = "too far to count" if solution.distance is None else solution.distance
    say_wrapped(console, f"Moves to the end with best play: {distance}")
    if solution.odds is not None:
        chance = f"{float(Fraction(solution.odds.both_random)):.1%}"
        say_wrapped(console, f"Chance to win if both play at random: {chance}")
