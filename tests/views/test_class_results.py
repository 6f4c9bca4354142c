"""Results of a class: counts against playing everything out, and plain next steps."""

from __future__ import annotations

import csv
from functools import cache
from io import StringIO
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold import LEVELS, Ending, Game, Rules, Seat
from ninefold.learning import Product
from ninefold.views.class_results import (
    PupilGame,
    Share,
    format_csv,
    level_for,
    result_of,
    share_of,
)
from tests.strategies import seats
from tests.theory.brute import Found, play_out, reachable

ONE, TWO = Seat.ONE, Seat.TWO
MADNESS = Rules(Ending.REACH, 100)
SHOWDOWN = Rules(Ending.EXACT, 100)
MULTIPLIER = Rules(Ending.AVOID, 1000)
TOO_LARGE = Rules(Ending.REACH, 10**999, (2, 4402, 54731691, 346943345))
WITHOUT_DISTANCES = Rules(Ending.REACH, 10**900, (2, 1001, 1000003))
NOBODY = result_of(1, "Mia", [])


def played(
    rules: Rules, *moves: int, seat: Seat = ONE, resigned: Seat | None = None
) -> PupilGame:
    """Return a game that seat 1 started."""
    return PupilGame(Game.replay(rules, moves, resigned=resigned), seat)


@st.composite
def pupil_games(draw: st.DrawFn) -> PupilGame:
    """Draw games of a small target: unfinished, over, resigned."""
    target = draw(st.integers(3, 150))
    moves = draw(st.sets(st.integers(2, 12), min_size=1, max_size=5))
    rules = Rules(draw(st.sampled_from(Ending)), target, tuple(moves))
    game = Game.start(rules, draw(seats))
    for _ in range(draw(st.integers(0, 8))):
        if game.outcome is None:
            game = game.play(draw(st.sampled_from(rules.multipliers)))
    if game.outcome is None and draw(st.booleans()):
        game = game.resign(draw(seats))
    return PupilGame(game, draw(seats))


@cache
def solved(rules: Rules) -> dict[int, Found]:
    totals = reachable(rules.target, rules.multipliers, rules.start)
    return play_out(rules.ending.value, rules.target, rules.multipliers, totals)


class Counts(NamedTuple):
    """What a pupil did in a game, by playing everything out."""

    kept: int
    given_away: int
    is_start_won: bool


def counts_of(each: PupilGame) -> Counts:
    game, found = each.game, solved(each.game.rules)
    kept = given_away = 0
    mover, total = game.first, game.rules.start
    is_start_won = bool(found[total].moves) is (mover is each.seat)
    for move in game.moves:
        if mover is each.seat and found[total].moves:
            kept += move in found[total].moves
            given_away += move not in found[total].moves
        mover, total = mover.other, total * move
    if game.resigned_by is each.seat is mover:
        given_away += bool(found[total].moves)
    return Counts(kept, given_away, is_start_won)


@given(st.lists(pupil_games(), max_size=6))
def test_the_counts_are_those_of_playing_everything_out(
    games: list[PupilGame],
) -> None:
    row = result_of(3, "Mia", games)
    counts = [counts_of(each) for each in games]
    kept = sum(each.kept for each in counts)
    given_away = sum(each.given_away for each in counts)
    assert row.kept == Share(kept, kept + given_away)

    over = [each for each in games if each.game.outcome is not None]
    assert (row.games, row.unfinished) == (len(over), len(games) - len(over))
    for is_start_won, share in ((True, row.won_from_won), (False, row.won_from_lost)):
        starts = [x for x in over if counts_of(x).is_start_won is is_start_won]
        assert share == Share(sum(each.is_won for each in starts), len(starts))

    per_cent = share_of(games)
    assert 0 <= per_cent <= 100
    if kept + given_away:
        assert abs(per_cent - 100 * kept / (kept + given_away)) <= 0.5
    else:
        assert per_cent == 50


@given(st.lists(pupil_games(), max_size=6))
def test_counts_do_not_depend_on_the_order_of_the_games(
    games: list[PupilGame],
) -> None:
    row = result_of(1, "Mia", games)
    assert result_of(1, "Mia", games[::-1]) == row
    assert share_of(games[::-1]) == share_of(games)


@given(pupil_games())
def test_one_of_two_players_has_the_start(game: PupilGame) -> None:
    """What one pupil starts with as won, the other starts with as lost."""
    own = result_of(1, "Mia", [game])
    other = result_of(2, "Tom", [replace(game, seat=game.seat.other)])
    assert own.won_from_won.of == other.won_from_lost.of
    assert own.won_from_lost.of == other.won_from_won.of


def test_a_game_that_is_too_large_counts_as_a_game_only() -> None:
    row = result_of(1, "Mia", [played(TOO_LARGE, resigned=TWO)])
    assert row.games == 1
    assert row.kept == row.won_from_won == row.won_from_lost == Share(0, 0)


def test_pupils_are_paired_by_wins_where_games_are_too_large() -> None:
    won, lost = played(TOO_LARGE, resigned=TWO), played(TOO_LARGE, resigned=ONE)
    assert share_of([won]) == 100
    assert share_of([won, lost, lost]) == 33
    assert share_of([lost]) == 0
    assert share_of([played(TOO_LARGE)]) == 50


def test_a_pupil_without_games_has_no_evidence() -> None:
    assert (NOBODY.games, NOBODY.unfinished, NOBODY.kept) == (0, 0, Share(0, 0))
    assert NOBODY.next_step == ""
    assert share_of([]) == 50


@pytest.mark.parametrize(
    ("games", "step"),
    [
        ([played(SHOWDOWN, 5, 5, 9)], "Check first that a move does not lose at once."),
        ([played(MADNESS, 5, 6, 2)], "Look first for a move that wins at once."),
        (
            [played(MADNESS, 2, 9, seat=TWO)],
            "Before a move, look for the other player's best reply.",
        ),
        (
            [played(MULTIPLIER, 5, 6, 4, 2, seat=TWO)],
            "Before a move, look for the other player's best reply.",
        ),
        ([played(MADNESS, resigned=ONE)], "Play on: the game may still be won."),
        ([played(MULTIPLIER, 9)], "Try the puzzles."),
        ([played(MADNESS, 4)], "Try the puzzles."),
        ([played(MADNESS, 4, resigned=ONE)], "Try the puzzles."),
        (
            [played(MADNESS, 2, 9, seat=TWO)] * 2 + [played(MADNESS, 5, 6, 2)],
            "Before a move, look for the other player's best reply.",
        ),
    ],
)
def test_the_next_step_is_against_the_most_frequent_slip(
    games: list[PupilGame], step: str
) -> None:
    assert result_of(1, "Mia", games).next_step == step


def test_a_slip_far_from_the_end_leads_to_the_puzzles() -> None:
    games = [played(WITHOUT_DISTANCES, each) for each in (2, 1001, 1000003)]
    row = result_of(1, "Mia", games)
    assert row.kept.count < row.kept.of == 3
    assert row.next_step == "Try the puzzles."


def test_shaky_products_come_first() -> None:
    right, wrong = Product(7, 8, 56), Product(45, 7, 305)
    with_help = Product(1000, 9, 9000, hinted=True)
    game = replace(played(MADNESS, 9), products=(right, wrong, with_help))
    row = result_of(1, "Mia", [game])
    assert row.right == 1
    assert row.shaky == ("45 × 7", "1,000 × 9")
    assert row.next_step == "Practise 45 × 7 and 1,000 × 9."


def test_a_product_is_not_shaky_once_it_was_right_without_help() -> None:
    helped, alone = Product(7, 8, 56, hinted=True), Product(7, 8, 56)
    wrong = Product(7, 8, 54)
    games = [replace(played(MADNESS), products=(each,)) for each in (helped, alone)]
    assert result_of(1, "Mia", games).shaky == ()
    games.append(replace(played(MADNESS), products=(wrong,)))
    assert result_of(1, "Mia", games).shaky == ("7 × 8",)


def test_of_many_shaky_products_the_first_three_are_named() -> None:
    wrong = tuple(Product(total, 7, 0) for total in (20, 30, 40, 50))
    row = result_of(1, "Mia", [replace(played(MADNESS), products=wrong)])
    assert row.shaky == ("20 × 7", "30 × 7", "40 × 7", "50 × 7")
    assert row.next_step == "Practise 20 × 7, 30 × 7 and 40 × 7."


@given(st.integers(0, 100), st.integers(0, 30))
def test_a_level_rises_with_the_share_and_the_games(share: int, games: int) -> None:
    levels = [*LEVELS]
    level = levels.index(level_for(share, games))
    assert level_for(share, 0) == "beginner"
    assert level <= levels.index(level_for(min(share + 1, 100), games))
    assert level <= levels.index(level_for(share, games + 1))
    assert level_for(100, 30) == "perfect"
    assert level_for(0, games) == "beginner"


# CSV


def cells_of(text: str) -> list[list[str]]:
    return [*csv.reader(StringIO(text, newline=""))]


def test_results_are_written_as_csv_with_a_header() -> None:
    game = replace(played(MADNESS, 9, 2, 2, 3), products=(Product(45, 7, 305),))
    header, row = cells_of(format_csv([result_of(1, "Mia, B", [game])]))
    assert len(set(header)) == len(header)
    assert dict(zip(header, row, strict=True)) == {
        "Name": "Mia, B",
        "Games": "1",
        "Unfinished games": "0",
        "Won starts": "1",
        "Wins from won starts": "0",
        "Lost starts": "0",
        "Wins from lost starts": "0",
        "Won positions": "2",
        "Kept": "1",
        "Given away": "1",
        "Products right": "0",
        "Products shaky": "45 × 7",
        "Next step": "Practise 45 × 7.",
    }


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_starts_a_formula(start: str) -> None:
    name = f'{start}cmd|"calc"!A1'
    _, row = cells_of(format_csv([replace(NOBODY, name=name)]))
    assert row[0] == f"'{name}"


@given(st.lists(st.text(st.characters(codec="utf-8")), max_size=5))
def test_csv_is_read_back(listed: list[str]) -> None:
    text = format_csv([replace(NOBODY, name=name) for name in listed])
    assert text.endswith("\r\n")
    _, *rows = cells_of(text)
    assert [row[0].removeprefix("'") for row in rows] == [
        name.removeprefix("'") for name in listed
    ]
    assert all(not row[0].startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows)
