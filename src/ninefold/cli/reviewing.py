"""A review in words: as a table, or as lines that a screen reader reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ninefold.cli.console import Console
from ninefold.cli.drawing import draw_table
from ninefold.cli.layout import say_wrapped
from ninefold.coach import Grade, Review
from ninefold.game import Seat
from ninefold.text import shorten
from ninefold.views import ReviewView
from ninefold.views.review import GradedMove

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
_MOST_MOVES = 200
"""A longer game is summed up: nobody reads thousands of rows."""
_SLIPS_OF_A_LONG_GAME = 5
_COLUMNS = ("", "player", "move", "grade", "winning moves")


def say_review(
    console: Console, reviewed: Review, called: tuple[str, str], *, full: bool = False
) -> None:
    """Say how every move was graded, where the game turned, and what was better.

    Of a long game only the last slips are shown, and how many moves there were of each
    grade; ``full`` shows every move.
    """
    names = dict(zip(Seat, called, strict=True))
    review = ReviewView.of(reviewed, names)
    moves: Sequence[GradedMove] = review.moves
    if len(moves) > _MOST_MOVES and not full:
        _say_grades(console, review, names)
        slips = [move for move in moves if move.grade is Grade.SLIP]
        moves = slips[-_SLIPS_OF_A_LONG_GAME:]
    rows = [_row(move, names) for move in moves]
    if console.plain or not (rows and draw_table(console, _COLUMNS, rows)):
        _say_lines(console, moves, names)
    else:
        console.say("\n")
        for move in moves:
            if move.grade is Grade.SLIP:
                say_wrapped(console, console.fit(f"Move {move.number}: {move.comment}"))
    if review.resignation is not None:
        say_wrapped(console, console.fit(review.resignation))
    say_wrapped(console, console.fit(review.story))
    for seat, only in zip(Seat, review.only_moves, strict=True):
        if only.faced:
            found = f"{only.found} of {only.faced} only moves"
            say_wrapped(console, f"{names[seat]} found {found}.")


def _say_grades(
    console: Console, review: ReviewView, names: Mapping[Seat, str]
) -> None:
    """Count the moves of each grade, and say which of them are shown."""
    say_wrapped(console, f"{len(review.moves)} moves; --full shows every one of them.")
    for seat in Seat:
        counts = Counter(move.grade for move in review.moves if move.player is seat)
        told = ", ".join(f"{_WORDS[grade]} {counts[grade]}" for grade in Grade)
        say_wrapped(console, f"{names[seat]}: {told}.")
    if any(move.grade is Grade.SLIP for move in review.moves):
        say_wrapped(console, "The last slips:")


def _say_lines(
    console: Console, moves: Sequence[GradedMove], names: Mapping[Seat, str]
) -> None:
    for move in moves:
        made = f"Move {move.number}, {names[move.player]}: {_product(move)}"
        graded = f"{made}, {_WORDS[move.grade]}. Winning moves: {_won(move)}."
        comment = f" {move.comment}" if move.grade is Grade.SLIP else ""
        say_wrapped(console, console.fit(f"{graded}{comment}"))


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
