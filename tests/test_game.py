from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Game, Outcome, Seat, errors, rules
from ninefold.game import Turn
from tests.strategies import all_games

REACH_100 = rules.Rules(rules.Ending.REACH, 100)


def test_the_sample_game_of_madness() -> None:
    game = Game.replay(REACH_100, [5, 6, 3])
    assert (game.total, game.to_move, game.outcome) == (90, Seat.TWO, None)
    assert game.play(2).outcome == Outcome(Seat.TWO, rules.Reason.REACHED)


@pytest.mark.parametrize(
    ("ending", "moves", "winner", "reason"),
    [
        (rules.Ending.REACH, [5, 6, 3, 2], Seat.TWO, rules.Reason.REACHED),
        (rules.Ending.AVOID, [5, 6, 3, 2], Seat.ONE, rules.Reason.REACHED),
        (rules.Ending.EXACT, [5, 6, 3, 2], Seat.ONE, rules.Reason.EXCEEDED),
        (rules.Ending.EXACT, [5, 5, 4], Seat.ONE, rules.Reason.EXACT),
        (rules.Ending.EXACT, [2, 5, 5, 2], Seat.TWO, rules.Reason.EXACT),
    ],
)
def test_each_ending_names_its_winner(
    ending: rules.Ending, moves: list[int], winner: Seat, reason: rules.Reason
) -> None:
    assert Game.replay(rules.Rules(ending, 100), moves).outcome == Outcome(
        winner, reason
    )


def test_the_first_seat_moves_first() -> None:
    game = Game.start(REACH_100, first=Seat.TWO)
    assert [game.to_move, game.play(2).to_move] == [Seat.TWO, Seat.ONE]


@given(all_games(), st.integers(-3, 300))
def test_playing_returns_the_next_game_and_leaves_this_one(
    game: Game, multiplier: int
) -> None:
    before = (game.moves, game.total, game.to_move, game.outcome)
    if game.outcome is not None:
        with pytest.raises(errors.GameOver, match="has won; start another"):
            game.play(multiplier)
    elif multiplier not in game.rules.multipliers:
        with pytest.raises(errors.IllegalMove):
            game.play(multiplier)
    else:
        after = game.play(multiplier)
        assert after.moves == (*game.moves, multiplier)
        assert after.total == game.total * multiplier
        assert after.to_move is game.to_move.other
        assert after.undo() == game
    assert (game.moves, game.total, game.to_move, game.outcome) == before


@given(all_games())
def test_a_game_is_its_rules_and_moves(game: Game) -> None:
    again = Game.replay(game.rules, game.moves, game.first, game.resigned_by)
    assert again == game
    assert hash(again) == hash(game)
    assert (again.total, again.to_move, again.outcome) == (
        game.total,
        game.to_move,
        game.outcome,
    )
    seat, total = game.first, game.rules.start
    for number, turn in enumerate(game.turns(), start=1):
        assert turn == Turn(number, seat, total, game.moves[number - 1], turn.makes)
        assert turn.makes == total * turn.multiplier
        seat, total = seat.other, turn.makes
    assert (seat, total) == (game.to_move, game.total)
    assert pickle.loads(pickle.dumps(game)) == game
    assert copy.copy(game) == copy.deepcopy(game) == game


def test_nothing_can_be_undone_before_the_first_move() -> None:
    with pytest.raises(errors.NothingToUndo, match="no move to take back yet"):
        Game.start(REACH_100).undo()


def test_resigning_ends_the_game_and_can_be_undone() -> None:
    game = Game.replay(REACH_100, [5])
    given_up = game.resign()
    assert given_up.outcome == Outcome(Seat.ONE, rules.Reason.RESIGNED)
    assert game.resign(Seat.ONE).outcome == Outcome(Seat.TWO, rules.Reason.RESIGNED)
    assert given_up.undo() == game
    with pytest.raises(errors.GameOver):
        given_up.resign()


def test_a_target_of_a_thousand_digits_plays_like_any_other() -> None:
    game = Game.start(rules.Rules(rules.Ending.REACH, 10**999))
    while game.outcome is None:
        game = game.play(9)
    assert len(game.moves) == 1047  # 9**1047 is the first power of 9 past 10**999
    assert game.outcome.winner is Seat.ONE


def test_the_longest_game_has_3_322_moves() -> None:
    game = Game.start(rules.Rules(rules.Ending.REACH, 10**1000 - 1))
    while game.outcome is None:
        game = game.play(2)
    assert len(game.moves) == 3_322  # 2**3322 is the first power of 2 past 10**1000


@given(all_games())
def test_every_multiplier_is_legal_until_the_game_ends(game: Game) -> None:
    over = game.outcome is not None
    assert game.legal_moves == (() if over else game.rules.multipliers)


def test_a_value_never_changes() -> None:
    game = Game.start(REACH_100)
    with pytest.raises(AttributeError, match="immutable"):
        game.total = 5  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        del game.moves


def test_values_of_different_kinds_are_never_equal() -> None:
    game: object = Game.start(REACH_100)
    outcome: object = Outcome(Seat.ONE, rules.Reason.EXACT)
    assert game != REACH_100
    assert outcome != (Seat.ONE, rules.Reason.EXACT)


def test_a_value_prints_as_what_makes_it() -> None:
    outcome = Outcome(Seat.ONE, rules.Reason.EXACT)
    shown = "Outcome(winner=<Seat.ONE: 1>, reason=<Reason.EXACT: 'exact'>)"
    assert repr(outcome) == shown


def test_a_value_can_be_taken_apart_by_pattern() -> None:
    match Game.replay(REACH_100, [5]):
        case Game(rules.Rules(rules.Ending.REACH, target), Seat.ONE, (only,)):
            assert (target, only) == (100, 5)
        case _:
            pytest.fail("the pattern did not match")


@pytest.mark.parametrize(
    ("parts", "error", "sentence"),
    [
        ({"rules": 5}, errors.RulesError, "rules must be a Rules, not 5"),
        ({"first": 1}, errors.RulesError, "first must be Seat.ONE or Seat.TWO, not 1"),
        (
            {"first": None},
            errors.RulesError,
            "first must be Seat.ONE or Seat.TWO, not None",
        ),
        (
            {"resigned": 0},
            errors.MoveError,
            "seat must be Seat.ONE or Seat.TWO, not 0",
        ),
        ({"moves": [5, 1]}, errors.IllegalMove, "1 is not a multiplier here; choose"),
        ({"moves": "56"}, errors.IllegalMove, "'5' is not a multiplier here; choose"),
        ({"moves": [9, 9, 9, 9]}, errors.GameOver, "Player 1 has won; start another"),
    ],
)
def test_a_game_with_arguments_of_the_wrong_type_is_rejected(
    parts: dict[str, object], error: type[Exception], sentence: str
) -> None:
    usual: dict[str, object] = {"rules": REACH_100, "moves": []}
    with pytest.raises(error, match=sentence):
        Game.replay(**(usual | parts))  # type: ignore[arg-type]
