from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from ninefold import Ending, Game, Length, Match, MatchError, Rules, Seat, Starts
from tests.strategies import all_matches

QUICK = Rules(Ending.REACH, 2)  # whoever starts wins with any move


def won_by(match: Match, seat: Seat) -> Match:
    """Play the next game so that this seat wins it."""
    return match.add(match.next_game(Random(1)).resign(seat.other))


def test_a_match_ends_as_soon_as_it_is_decided() -> None:
    match = Match(QUICK, Length.best_of(5))
    for _ in range(3):
        assert match.winner is None
        match = won_by(match, Seat.TWO)
    assert match.winner is Seat.TWO
    assert match.score == {Seat.ONE: 0, Seat.TWO: 3}
    with pytest.raises(MatchError, match="the match is over, Player 2 has won it"):
        match.next_game()
    with pytest.raises(MatchError, match="the match is over"):
        match.add(Game(QUICK, [2]))


@pytest.mark.parametrize(
    ("starts", "starters"),
    [
        (Starts.ALTERNATE, [1, 2, 1, 2]),
        (Starts.SAME, [1, 1, 1, 1]),
        (Starts.WINNER, [1, 2, 2, 1]),
        (Starts.LOSER, [1, 1, 1, 2]),
    ],
)
def test_who_starts_follows_the_agreement(starts: Starts, starters: list[int]) -> None:
    match = Match(QUICK, Length.first_to(3), starts)
    seen = []
    for winner in (Seat.TWO, Seat.TWO, Seat.ONE, Seat.ONE):
        seen.append(match.next_game().first.value)
        match = won_by(match, winner)
    assert seen == starters


def test_a_toss_is_the_given_randoms() -> None:
    match = Match(QUICK, Length.best_of(1), Starts.TOSS)
    tossed = {match.next_game(Random(seed)).first for seed in range(20)}
    assert tossed == set(Seat)
    with pytest.raises(MatchError, match="give next_game a Random"):
        match.next_game()


@given(all_matches())
def test_the_games_make_the_match(match: Match) -> None:
    again = Match(match.rules, match.length, match.starts, match.games, match.first)
    assert again == match
    assert sum(match.score.values()) == len(match.games) == len(match.winners)
    needed = match.length.wins_needed
    assert max(match.score.values()) <= needed
    assert (match.winner is not None) == (needed in match.score.values())
    assert len(match.games) <= 2 * needed - 1


def test_a_game_that_does_not_belong_is_refused() -> None:
    match = Match(QUICK, Length.best_of(3))
    with pytest.raises(MatchError, match="the same rules"):
        match.add(Game(Rules(Ending.REACH, 3), [3]))
    with pytest.raises(MatchError, match="once it has ended"):
        match.add(Game(QUICK))
    with pytest.raises(MatchError, match="Player 1 starts game 1"):
        match.add(Game(QUICK, [2], first=Seat.TWO))


@pytest.mark.parametrize("games", [0, 2, -1, 3.0, True, None, 10**30])
def test_best_of_takes_an_odd_number(games: object) -> None:
    with pytest.raises(MatchError, match="best of takes an odd number, such as 3 or 5"):
        Length.best_of(games)  # type: ignore[arg-type]


@pytest.mark.parametrize("wins", [0, -4, 1.0, True, "2"])
def test_first_to_takes_a_number_of_wins(wins: object) -> None:
    with pytest.raises(MatchError, match="1 win or more"):
        Length.first_to(wins)  # type: ignore[arg-type]
