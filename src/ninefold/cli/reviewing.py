"""A review in words: as a grid, or as lines that a screen reader reads."""

from __future__ import annotations

from collections.abc import Mapping

from ninefold.cli.console import Console
from ninefold.cli.drawing import draw_grid
from ninefold.cli.layout import say_wrapped
from ninefold.coach import Grade, Review
from ninefold.game import Seat
from ninefold.text import shorten
from ninefold.views import ReviewView
from ninefold.views.reviews import GradedMove

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
_COLUMNS = ("", "player", "move", "grade", "winning moves")


def say_review(console: Console, reviewed: Review, called: tuple[str, str]) -> None:
    """Say how every move was graded, where the game turned, and what was better."""
    names = dict(zip(Seat, called, strict=True))
    review = ReviewView.of(reviewed, names)
    if console.plain:
        _say_lines(console, review, names)
    else:
        draw_grid(console, _COLUMNS, [_row(move, names) for move in review.moves])
        for move in review.moves:
            if move.grade is Grade.SLIP:
                say_wrapped(console, console.fit(f"Move {move.number}: {move.comment}"))
    if review.resignation is not None:
        say_wrapped(console, console.fit(review.resignation))
    say_wrapped(console, console.fit(review.story))
    for seat, only in zip(Seat, review.only_moves, strict=True):
        if only.faced:
            found = f"{only.found} of {only.faced} only moves"
            console.say(f"{names[seat]} found {found}.\n")


def _say_lines(console: Console, review: ReviewView, names: Mapping[Seat, str]) -> None:
    for move in review.moves:
        made = f"Move {move.number}, {names[move.player]}: {_product(move)}"
        graded = f"{made}, {_WORDS[move.grade]}. Winning moves: {_won(move)}."
        comment = f" {move.comment}" if move.grade is Grade.SLIP else ""
        console.say(console.fit(f"{graded}{comment}\n"))


def _row(move: GradedMove, names: Mapping[Seat, str]) -> list[tuple[str, str]]:
    grade = f"{_GLYPHS[move.grade]} {_WORDS[move.grade]}"
    return [
        (str(move.number), ""),
        (names[move.player], ""),
        (_product(move), ""),
        (grade, _STYLES[move.grade]),
        (_won(move), ""),
    ]


def _product(move: GradedMove) -> str:
    product = f"{shorten(int(move.total))} x {shorten(int(move.multiplier))}"
    return f"{product} = {shorten(int(move.makes))}"


def _won(move: GradedMove) -> str:
    return ", ".join(shorten(int(each)) for each in move.winning_moves) or "none"
