"""Ratings, against an independent implementation."""

from __future__ import annotations

from math import exp, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.arena.ratings import rate

ELO = 400 / log(10)
SPREAD = 1000 / ELO
Games = dict[tuple[int, int], tuple[int, int]]


@st.composite
def results(draw: st.DrawFn, *, fair_seats: bool) -> tuple[int, Games]:
    """Draw results of a round robin; with fair seats, beginning made no difference."""
    count = draw(st.integers(2, 6))
    counts = st.integers(0, 20)
    games: Games = {}
    for i in range(count):
        for j in range(i):
            won, lost = draw(counts), draw(counts)
            games[i, j] = won, lost
            games[j, i] = (lost, won) if fair_seats else (draw(counts), draw(counts))
    return count, games


@pytest.mark.prove
@given(results(fair_seats=True))
def test_with_fair_seats_ratings_equal_those_of_choix(
    drawn: tuple[int, Games],
) -> None:
    import choix  # noqa: PLC0415 - make prove installs it

    count, games = drawn
    data = [
        pair
        for (i, j), (won, lost) in games.items()
        for pair in [*[(i, j)] * won, *[(j, i)] * lost]
    ]
    expected = choix.opt_pairwise(count, data, alpha=1 / (2 * SPREAD**2), tol=1e-9)
    ratings, begin = rate(count, games)
    assert begin.elo == pytest.approx(0, abs=1e-6)
    for rating, strength in zip(ratings, expected, strict=True):
        assert rating.elo == pytest.approx(strength * ELO, abs=1)


@given(results(fair_seats=False))
def test_ratings_predict_as_many_wins_as_there_were(drawn: tuple[int, Games]) -> None:
    count, games = drawn
    ratings, begin = rate(count, games)
    surplus, of_beginners = [0.0] * count, 0.0
    for (i, j), (won, lost) in games.items():
        ahead = (ratings[i].elo - ratings[j].elo + begin.elo) / ELO
        more = won - (won + lost) / (1 + exp(-ahead))
        surplus[i] += more
        surplus[j] -= more
        of_beginners += more
    # but for the pull of what was assumed before, which is weak
    for rating, more in zip([*ratings, begin], [*surplus, of_beginners], strict=True):
        assert more == pytest.approx(rating.elo / ELO / SPREAD**2, abs=1e-5)
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-5)


def test_the_worth_of_going_first_is_estimated() -> None:
    share = 1 / (1 + 10 ** (-200 / 400))
    won = round(100_000 * share)
    ratings, begin = rate(
        2, {(0, 1): (won, 100_000 - won), (1, 0): (won, 100_000 - won)}
    )
    assert begin.elo == pytest.approx(200, abs=0.1)
    assert ratings[0].elo == pytest.approx(0, abs=0.1)
    assert begin.low < 200 < begin.high < 205


def test_the_rating_of_one_who_always_wins_is_finite() -> None:
    ratings, _ = rate(3, {(0, 1): (500, 0), (1, 0): (0, 500), (1, 2): (10, 10)})
    assert 500 < ratings[0].elo < 3000
    assert ratings[0].low > ratings[1].high - 1000


def test_more_games_make_the_interval_narrower() -> None:
    def width(games: int) -> float:
        (rating, _), _ = rate(2, {(0, 1): (games, games), (1, 0): (games, games)})
        return rating.high - rating.low

    assert width(400) == pytest.approx(width(100) / 2, rel=0.01)


def test_intervals_hold_the_truth_19_times_in_20() -> None:
    rng = Random(1)
    held = 0
    truth = [60.0, 0.0, -60.0]
    for _ in range(300):
        games: Games = {}
        for i in range(3):
            for j in range(3):
                if i != j:
                    share = 1 / (1 + exp(-(truth[i] - truth[j] + 30) / ELO))
                    won = sum(rng.random() < share for _ in range(60))
                    games[i, j] = won, 60 - won
        ratings, _ = rate(3, games)
        held += sum(r.low <= t <= r.high for r, t in zip(ratings, truth, strict=True))
    assert 0.93 < held / 900 < 0.97
