"""A game looked back on: as a table, as lines that a screen reader reads, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.cli.jsons import numbers_as_json, rules_as_json
from ninefold.cli.layout import say_wrapped
from ninefold.coach import Grade
from ninefold.game import Seat
from ninefold.numerals import shorten, to_json

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.coach import Review, Step

_GLYPHS = {Grade.ONLY: "!", Grade.GOOD: "+", Grade.SLIP: "?", Grade.LOST: "."}
_STYLES = {
    Grade.ONLY: "bold green",
    Grade.GOOD: "green",
    Grade.SLIP: "bold red",
    Grade.LOST: "dim",
}
_WORDS = {
    Grade.ONLY: "only move",
    Grade.GOOD: "good",
    Grade.SLIP: "slip",
    Grade.LOST: "lost anyway",
}


def say_review(console: Console, review: Review, names: dict[Seat, str]) -> None:
    """Say how every move was graded, where the game turned, and what was better."""
    if console.plain:
        _say_lines(console, review, names)
    else:
        _draw_table(console, review, names)
        for step in review.steps:
            if step.slip is not None:
                say_wrapped(console, console.fit(f"Move {step.number}: {step.comment}"))
    if review.resignation is not None:
        say_wrapped(console, console.fit(review.resignation.comment(names)))
    say_wrapped(console, console.fit(review.story(names)))
    for seat in Seat:
        moves = review.only_moves(seat)
        if moves.faced:
            found = f"{moves.found} of {moves.faced} only moves"
            console.say(f"{names[seat]} found {found}.\n")


def _say_lines(console: Console, review: Review, names: dict[Seat, str]) -> None:
    for step in review.steps:
        move = f"Move {step.number}, {names[step.seat]}: {_product(step)}"
        graded = f"{move}, {_WORDS[step.grade]}. Winning moves: {_won(step)}."
        comment = "" if step.slip is None else f" {step.comment}"
        console.say(console.fit(f"{graded}{comment}\n"))


def _draw_table(console: Console, review: Review, names: dict[Seat, str]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from ninefold.cli.drawing import draw

    table = Table(box=box.SIMPLE_HEAD if console.can_show("─") else box.ASCII2)
    table.add_column("", justify="right")
    table.add_column("player")
    table.add_column("move")
    table.add_column("grade")
    table.add_column("winning moves")
    for step in review.steps:
        grade = Text(f"{_GLYPHS[step.grade]} {_WORDS[step.grade]}", _STYLES[step.grade])
        table.add_row(
            str(step.number), names[step.seat], _product(step), grade, _won(step)
        )
    draw(console, table)


def _product(step: Step) -> str:
    product = f"{shorten(step.total)} x {shorten(step.multiplier)}"
    return f"{product} = {shorten(step.makes)}"


def _won(step: Step) -> str:
    return ", ".join(map(shorten, step.winning)) or "none"


def review_as_json(review: Review) -> dict[str, object]:
    """Return the review as JSON has it."""
    turn = review.turning_point
    return {
        "rules": rules_as_json(review.game.rules),
        "moves": [
            {
                "number": step.number,
                "player": step.seat.value,
                "total": to_json(step.total),
                "multiplier": to_json(step.multiplier),
                "makes": to_json(step.makes),
                "grade": step.grade.value,
                "winning_moves": numbers_as_json(step.winning),
                "comment": step.comment,
            }
            for step in review.steps
        ],
        "turning_point": getattr(turn, "number", None),
        "gave_up_a_win": bool(review.resignation and review.resignation.was_won),
        "ahead": review.ahead.value,
        "story": review.story(),
        "only_moves": [
            {
                "found": review.only_moves(seat).found,
                "faced": review.only_moves(seat).faced,
            }
            for seat in Seat
        ],
    }
