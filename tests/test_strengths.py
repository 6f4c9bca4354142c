"""The page about the levels holds the exact chances, and real games confirm them."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from benchmarks import strengths
from ninefold import Game, Seat
from ninefold.levels import LEVELS
from ninefold.rulebooks import KEYS, load

CHANCES = strengths.compute()


def test_the_page_is_up_to_date() -> None:
    page = strengths.PAGE.read_text(encoding="utf-8")
    assert page == strengths.put_into(page, strengths.tables(CHANCES)), (
        "run: make strengths"
    )
    for level in LEVELS.values():
        assert f"**{level.name}**" in page


def test_each_level_is_clearly_stronger_than_the_one_below() -> None:
    for pair in strengths.NEIGHBOURS:
        assert strengths.mean(CHANCES, pair) >= strengths.PROMISED


def test_perfect_wins_whatever_it_begins() -> None:
    begins = {p: c for p, c in CHANCES.items() if p.stronger_begins}
    assert {c for p, c in begins.items() if p.stronger == "perfect"} == {1}


def play(pairing: strengths.Pairing, games: int) -> Fraction:
    """Return the share of games that the stronger level won."""
    rules = load(pairing.book).rules
    stronger = LEVELS[pairing.stronger].player(Random(f"{pairing} stronger"))
    weaker = LEVELS[pairing.weaker].player(Random(f"{pairing} weaker"))
    mine = Seat.ONE if pairing.stronger_begins else Seat.TWO
    won = 0
    for _ in range(games):
        game = Game.start(rules)
        while game.outcome is None:
            player = stronger if game.to_move is mine else weaker
            game = game.play(player.choose(game))
        won += game.outcome.winner is mine
    return Fraction(won, games)


@pytest.mark.prove
@pytest.mark.parametrize("book", KEYS)
def test_real_games_confirm_every_chance(book: str) -> None:
    for pairing, chance in CHANCES.items():
        if pairing.book == book:
            error = sqrt(chance * (1 - chance) / 10_000)
            # Of a hundred chances, one may well be three errors off.
            assert abs(play(pairing, 10_000) - chance) <= 4 * error, pairing


def test_a_page_without_the_marks_is_refused() -> None:
    with pytest.raises(SystemExit, match="put them in"):
        strengths.put_into("# The levels\n", "computed")
