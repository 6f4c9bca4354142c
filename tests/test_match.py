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
    match = won_by(Match(QUICK, Length.best_of(3), Starts.TOSS), Seat.ONE)
    tossed = {match.next_game(Random(seed)).first for seed in range(20)}
    assert tossed == set(Seat)
    with pytest.raises(MatchError, match="give next_game a Random"):
        match.next_game()


@pytest.mark.parametrize("starts", Starts)
@pytest.mark.parametrize("first", Seat)
def test_the_first_game_is_started_as_agreed(starts: Starts, first: Seat) -> None:
    match = Match(QUICK, Length.best_of(3), starts, (), first)
    assert match.next_game().first is first
    with pytest.raises(MatchError, match=f"{first} starts game 1 of this match"):
        match.add(Game(QUICK, [2], first.other))


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
    with pytest.raises(MatchError, match="each game of a match is a Game; not 5"):
        match.add(5)  # type: ignore[arg-type]
    with pytest.raises(MatchError, match="the same rules"):
        match.add(Game(Rules(Ending.REACH, 3), [3]))
    with pytest.raises(MatchError, match="once it has ended"):
        match.add(Game(QUICK))
    with pytest.raises(MatchError, match="Player 1 starts game 1"):
        match.add(Game(QUICK, [2], first=Seat.TWO))


@pytest.mark.parametrize("games", [0, 2, -1, 3.0, True, None, 10**30, "\x1b"])
def test_best_of_takes_an_odd_number(games: object) -> None:
    with pytest.raises(
        MatchError, match="an odd number of 1 or more, such as 3 or 5; not"
    ):
        Length.best_of(games)  # type: ignore[arg-type]


@pytest.mark.parametrize("wins", [0, -4, 1.0, True, "2"])
def test_first_to_takes_a_number_of_wins(wins: object) -> None:
    with pytest.raises(MatchError, match="1 win or more"):
        Length.first_to(wins)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"rules": 5}, "the rules of a match are a Rules; not 5"),
        ({"length": 3}, "how long a match is, is a Length; not 3"),
        ({"starts": "toss"}, "who starts the later games is a Starts; not 'toss'"),
        ({"first": 1}, "who starts the first game is a Seat; not 1"),
        ({"games": [5]}, "each game of a match is a Game; not 5"),
    ],
)
def test_a_match_of_the_wrong_parts_is_refused(
    parts: dict[str, object], sentence: str
) -> None:
    usual: dict[str, object] = {"rules": QUICK, "length": Length.best_of(3)}
    with pytest.raises(MatchError, match=sentence):
        Match(**(usual | parts))  # type: ignore[arg-type]


def test_a_length_of_any_size_can_be_told() -> None:
    assert str(Length.first_to(10**5000)) == "first to 100000...000000 (5001 digits)"
    assert str(Length.best_of(10**30 + 1)).startswith("best of 100000...")
    with pytest.raises(MatchError, match="True or False; not 1"):
        Length(2, as_best_of=1)  # type: ignore[arg-type]


def test_adding_a_game_checks_no_other_game_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = Match(QUICK, Length.first_to(50))
    for _ in range(10):
        match = won_by(match, Seat.ONE)
    checked = []
    check = Match._winner_of_next  # noqa: SLF001 - counted, not changed

    def counted(self: Match, game: Game) -> Seat:
        checked.append(game)
        return check(self, game)

    monkeypatch.setattr(Match, "_winner_of_next", counted)
    longer = won_by(match, Seat.TWO)
    assert len(checked) == 1
    assert (len(match.games), len(longer.games)) == (10, 11)
    assert longer.score == {Seat.ONE: 10, Seat.TWO: 1}
