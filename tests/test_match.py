from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Game, Length, Match, MatchError, Rules, Seat, StartRule
from ninefold.match import LengthKind
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
        match.add(Game.replay(QUICK, [2]))


@pytest.mark.parametrize(
    ("starts", "starters"),
    [
        (StartRule.ALTERNATE, [1, 2, 1, 2]),
        (StartRule.SAME, [1, 1, 1, 1]),
        (StartRule.WINNER, [1, 2, 2, 1]),
        (StartRule.LOSER, [1, 1, 1, 2]),
    ],
)
def test_who_starts_follows_the_start_rule(
    starts: StartRule, starters: list[int]
) -> None:
    match = Match(QUICK, Length.first_to(3), starts)
    seen = []
    for winner in (Seat.TWO, Seat.TWO, Seat.ONE, Seat.ONE):
        seen.append(match.next_game().first.value)
        match = won_by(match, winner)
    assert seen == starters


def test_a_toss_uses_the_given_random_generator() -> None:
    match = won_by(Match(QUICK, Length.best_of(3), StartRule.TOSS), Seat.ONE)
    tossed = {match.next_game(Random(seed)).first for seed in range(20)}
    assert tossed == set(Seat)
    with pytest.raises(MatchError, match="give next_game a Random"):
        match.next_game()


@pytest.mark.parametrize("starts", StartRule)
@pytest.mark.parametrize("first", Seat)
def test_the_first_game_is_started_as_agreed(starts: StartRule, first: Seat) -> None:
    match = Match(QUICK, Length.best_of(3), starts, first)
    assert match.next_game().first is first
    with pytest.raises(MatchError, match=f"{first} starts game 1 of this match"):
        match.add(Game.replay(QUICK, [2], first.other))


@given(all_matches())
def test_the_games_make_the_match(match: Match) -> None:
    again = Match(match.rules, match.length, match.starts, match.first)
    for game in match.games:
        assert not again.is_over
        assert again.winner is None
        again = again.add(game)
    assert again == match
    assert hash(again) == hash(match)
    assert pickle.loads(pickle.dumps(match)) == copy.deepcopy(match) == match
    assert sum(match.score.values()) == len(match.games) == len(match.winners)


@given(all_matches())
def test_a_match_is_over_when_its_length_says_so(match: Match) -> None:
    most_wins, number = max(match.score.values()), match.length.number
    match match.length.count:
        case LengthKind.BEST_OF:
            assert match.is_over == (most_wins > number / 2)
            assert len(match.games) <= number
        case LengthKind.FIRST_TO:
            assert match.is_over == (most_wins == number)
            assert len(match.games) < 2 * number
        case LengthKind.GAMES:
            assert match.is_over == (len(match.games) == number)


@given(all_matches())
def test_a_match_has_a_winner_once_it_is_over_unless_it_ended_level(
    match: Match,
) -> None:
    one, two = match.score[Seat.ONE], match.score[Seat.TWO]
    if not match.is_over or one == two:
        assert match.winner is None
    else:
        assert match.winner is (Seat.ONE if one > two else Seat.TWO)
    if match.is_over and one == two:
        assert match.length.count is LengthKind.GAMES
        assert match.length.number % 2 == 0


@given(all_matches(), st.randoms(use_true_random=False))
def test_the_next_game_is_the_one_that_the_match_takes(
    match: Match, rng: Random
) -> None:
    if match.is_over:
        with pytest.raises(MatchError, match=r"the match is over, .*; start another"):
            match.next_game(rng)
    else:
        game = match.next_game(rng)
        assert (game.rules, game.moves) == (match.rules, ())
        assert match.add(game.resign()).games == (*match.games, game.resign())


def test_a_set_number_of_games_may_end_level() -> None:
    match = Match(QUICK, Length.games(4))
    for winner in (Seat.ONE, Seat.ONE, Seat.TWO, Seat.TWO):
        assert not match.is_over
        match = won_by(match, winner)
    assert match.is_over
    assert match.winner is None
    assert match.score == {Seat.ONE: 2, Seat.TWO: 2}
    with pytest.raises(MatchError, match="the match is over, it ended level; start"):
        match.next_game()


def test_a_set_number_of_games_is_played_to_the_last() -> None:
    match = Match(QUICK, Length.games(3))
    for _ in range(3):
        assert match.winner is None
        match = won_by(match, Seat.TWO)
    assert match.winner is Seat.TWO


def test_a_match_never_changes() -> None:
    match = Match(QUICK)
    with pytest.raises(AttributeError, match="immutable"):
        match.games = ()  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        match.length.number = 5  # type: ignore[misc]


def test_a_game_that_cannot_be_next_is_rejected() -> None:
    match = Match(QUICK, Length.best_of(3))
    with pytest.raises(MatchError, match="the same rules"):
        match.add(Game.replay(Rules(Ending.REACH, 3), [3]))
    with pytest.raises(MatchError, match="has not ended"):
        match.add(Game.start(QUICK))
    with pytest.raises(MatchError, match="Player 1 starts game 1"):
        match.add(Game.replay(QUICK, [2], first=Seat.TWO))


@pytest.mark.parametrize("games", [0, 2, -1, 3.0, True, None, 1_001, 10**30, "\x1b"])
def test_best_of_takes_an_odd_number(games: object) -> None:
    sentence = "^best of takes an odd number from 1 to 1,000, such as 3; not "
    with pytest.raises(MatchError, match=sentence):
        Length.best_of(games)  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [Length.first_to, Length.games])
@pytest.mark.parametrize("number", [0, -4, 1.0, True, "2", 1_001, -(10**30)])
def test_a_match_takes_a_number_of_wins_or_games(
    make: Callable[[object], Length], number: object
) -> None:
    sentence = "^a match takes a number from 1 to 1,000, such as 3; not "
    with pytest.raises(MatchError, match=sentence):
        make(number)


def test_a_gigantic_length_is_rejected_with_a_message() -> None:
    with pytest.raises(MatchError, match=r"not 100000\.\.\.000000"):
        Length.games(10**5000)


@pytest.mark.parametrize(
    ("length", "said", "wins_needed", "single"),
    [
        (Length.best_of(1), "best of 1", 1, True),
        (Length.best_of(999), "best of 999", 500, False),
        (Length.first_to(1), "first to 1", 1, True),
        (Length.first_to(1_000), "first to 1000", 1_000, False),
        (Length.games(1), "1 game", None, True),
        (Length.games(2), "2 games", None, False),
    ],
)
def test_a_length_says_how_many_wins_are_needed(
    length: Length,
    said: str,
    wins_needed: int | None,
    single: bool,
) -> None:
    assert str(length) == said
    assert length.wins_needed == wins_needed
    assert length.is_single is single
