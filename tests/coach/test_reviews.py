"""Every grade held against playing everything out, and what is said of it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Game, Rules, Seat, TheoryError, TooLarge
from ninefold.coach import (
    Grade,
    GradedMove,
    OnlyMoves,
    Resignation,
    Review,
    review,
    try_review,
)
from ninefold.theory import Oracle, Position, Won, explain
from ninefold.views.review import ReviewView
from tests.strategies import all_games
from tests.theory import games
from tests.theory.brute import mover_has_won, play_out, reachable

MADNESS = Rules(Ending.REACH, 100)
SHOWDOWN = Rules(Ending.REACH, 1000)
MULTIPLIER = Rules(Ending.AVOID, 1000)
DUEL = Rules(Ending.EXACT, 100)
ONE, TWO = Seat


@st.composite
def played_games(draw: st.DrawFn) -> Game:
    """Draw games small enough to be played out, at any point, or given up."""
    rules = draw(games.rules(highest_multiplier=12, most_multipliers=5, longest=2000))
    game = Game.start(rules, first=draw(st.sampled_from(Seat)))
    for _ in range(draw(st.integers(0, 12))):
        if game.outcome is None:
            game = game.play(draw(st.sampled_from(rules.multipliers)))
    if game.outcome is None and draw(st.booleans()):
        game = game.resign(draw(st.sampled_from(Seat)))
    return game


def winners(game: Game) -> list[Seat]:
    """Name who wins with best play before each move and after the last, played out."""
    rules = game.rules
    found = play_out(
        rules.ending.value,
        rules.target,
        rules.multipliers,
        reachable(rules.target, rules.multipliers, rules.start),
    )
    seat, total, named = game.first, rules.start, []
    for multiplier in (*game.moves, 1):
        won = mover_has_won(rules.ending.value, rules.target, total)
        if won is None:
            named.append(seat if found[total].moves else seat.other)
        else:
            named.append(seat.other if won else seat)
        seat, total = seat.other, total * multiplier
    return named


@games.unhurried
@given(played_games())
def test_every_grade_agrees_with_playing_everything_out(game: Game) -> None:
    looked_at = review(game)
    wins = winners(game)
    rules = game.rules
    found = play_out(
        rules.ending.value,
        rules.target,
        rules.multipliers,
        reachable(rules.target, rules.multipliers, rules.start),
    )
    assert len(looked_at.steps) == len(game.moves)
    for step, before, after in zip(looked_at.steps, wins, wins[1:], strict=False):
        moves = found[step.total].moves
        assert step.winning == moves
        assert step.makes == step.total * step.multiplier
        # A slip is what turns a won position into a lost one, and nothing else is.
        slipped = before is step.seat and after is not step.seat
        assert (step.grade is Grade.SLIP) == slipped == (step.slip is not None)
        assert (step.grade is Grade.LOST) == (before is not step.seat)
        if before is step.seat and not slipped:
            alone = len(moves) == 1 and len(rules.multipliers) > 1
            assert step.grade is (Grade.ONLY if alone else Grade.GOOD)
        if step.slip is not None:
            assert step.slip.multiplier == step.multiplier
            assert step.slip.better.moves == moves


@games.unhurried
@given(played_games())
def test_the_turning_point_is_the_last_change_of_who_wins(game: Game) -> None:
    looked_at = review(game)
    wins = winners(game)
    if game.outcome is not None:
        wins.append(game.outcome.winner)
    assert looked_at.ahead is wins[-1]
    changes = [n for n in range(1, len(wins)) if wins[n] is not wins[n - 1]]
    turn, before = looked_at.turning_point, looked_at.before_the_turn()
    if not changes:
        assert turn is None
        assert before is None
        return
    assert before is not None
    assert before.outcome is None
    assert before.first is game.first
    assert before.moves == game.moves[: changes[-1] - 1]
    match turn:
        case GradedMove(number=number, seat=seat):
            assert number == changes[-1]
            assert seat is before.to_move
        case Resignation(seat=seat) as resignation:
            assert resignation.was_won
            assert before.moves == game.moves
    assert seat is looked_at.ahead.other


@games.unhurried
@given(played_games())
def test_only_moves_are_counted_for_each_player(game: Game) -> None:
    looked_at = review(game)
    choices = len(game.rules.multipliers)
    for seat in Seat:
        mine = [step for step in looked_at.steps if step.seat is seat]
        faced = [step for step in mine if choices > 1 and len(step.winning) == 1]
        found = [step for step in faced if step.multiplier in step.winning]
        only = looked_at.only_moves(seat)
        assert only == OnlyMoves(len(found), len(faced))
        assert only.found == sum(step.grade is Grade.ONLY for step in mine)


@given(all_games())
def test_games_by_any_rules_can_be_reviewed(game: Game) -> None:
    looked_at = review(game, Oracle(game.rules))
    assert looked_at == review(game)
    for step in looked_at.steps:
        assert step.comment.endswith(".")
    assert looked_at.story().endswith(".")


def test_a_long_game_to_a_huge_target_is_reviewed() -> None:
    game = Game.start(Rules(Ending.REACH, 10**999))
    while game.outcome is None:
        game = game.play(2 + len(game.moves) % 8)
    looked_at = review(game)
    assert len(looked_at.steps) == len(game.moves) > 500
    assert isinstance(looked_at.turning_point, GradedMove)


def test_review_of_too_large_rules_is_rejected() -> None:
    rules = Rules(Ending.AVOID, 10**400, (2, 5, 7, 9))
    game, blind = Game.replay(rules, [2]), Oracle(rules, most_steps=500)
    with pytest.raises(TooLarge):
        review(game, blind)
    assert try_review(game, blind) is None
    assert try_review(game.undo()) == review(game.undo())


def test_an_oracle_for_other_rules_is_refused() -> None:
    with pytest.raises(TheoryError, match="this oracle was made for other rules"):
        review(Game.replay(SHOWDOWN, [7]), Oracle(MULTIPLIER))


def test_of_too_many_slips_only_the_last_ones_are_explained() -> None:
    rules = Rules(Ending.AVOID, 10**999, tuple(range(2, 102)))
    oracle = Oracle(rules)
    game = Game.start(rules)
    while game.outcome is None:
        wins = oracle.winning_moves(game.total)
        game = game.play(next((m for m in rules.multipliers if m not in wins), 2))
        oracle.accept(game.total)
    steps = review(game, oracle).steps
    slips = [step for step in steps if step.grade is Grade.SLIP]
    reasons = [step.slip is not None for step in slips]
    assert not reasons[0]
    assert reasons[-1]
    assert reasons == sorted(reasons)
    assert slips[0].comment == "This gave the win away."
    assert slips[-1].comment.startswith("This gave the win away. ×")


def comments(looked_at: Review) -> list[str]:
    return [step.comment for step in looked_at.steps]


def test_the_review_of_a_finished_game_has_this_story() -> None:
    looked_at = review(Game.replay(MULTIPLIER, [3, 9, 2, 4, 8]))
    assert comments(looked_at) == [
        "A winning move.",
        "Lost anyway: no move won here.",
        "The only winning move.",
        "Lost anyway: no move won here.",
        (
            "This gave the win away. ×8 makes 1,728, past 1,000, and loses at once."
            " Better: ×4 leaves 864. From 2 to 3, from 28 to 55 and from 500 to 999"
            " every move loses. Any answer makes 1,000 or more and loses at once. That"
            " wins within 2 moves in all."
        ),
    ]
    assert looked_at.story() == (
        "The game turned at move 5: at 216, Player 1 played ×8 and gave the win away."
    )
    assert looked_at.only_moves(ONE) == OnlyMoves(found=1, faced=1)
    assert looked_at.only_moves(TWO) == OnlyMoves(found=0, faced=0)


@pytest.mark.parametrize(
    ("game", "story"),
    [
        (
            Game.replay(DUEL, [4, 5, 5]),
            "Player 1 could win from the start, and did.",
        ),
        (
            Game.replay(DUEL, [3, 9, 3]),
            "Player 1 could win from the start, and still can.",
        ),
        (
            Game.replay(MADNESS, [2, 9]),
            (
                "The game turned at move 2: at 2, Player 2 played ×9 and gave the win"
                " away. Player 1 can win now."
            ),
        ),
        (
            Game.replay(MADNESS, [2, 9, 9]),
            "The game turned at move 2: at 2, Player 2 played ×9 and gave the win away.",
        ),
        (
            Game.replay(SHOWDOWN, [7], resigned=TWO),
            (
                "The game turned at its end: Player 2 resigned at 7 and could have won."
                " Better: ×9 leaves 63. From 4 to 6 and from 56 to 111 every move"
                " loses. After any answer, reach 1,000 with ×9. That wins within 3 moves"
                " in all."
            ),
        ),
        (
            Game.replay(SHOWDOWN, [5], resigned=ONE),
            (
                "The game turned at its end: Player 1 resigned at 5 and could have won:"
                " every move of Player 2 would have lost."
            ),
        ),
        (
            Game.replay(SHOWDOWN, [5], resigned=TWO),
            (
                "Player 1 could win from the start, and did."
                " Player 2 resigned at 5, with the game already lost."
            ),
        ),
    ],
)
def test_a_game_has_a_story_like_this(game: Game, story: str) -> None:
    assert review(game).story() == story
    names = {ONE: "Ada", TWO: "Blaise"}
    told = story.replace("Player 1", "Ada").replace("Player 2", "Blaise")
    assert review(game).story(names) == told


@games.unhurried
@given(played_games(), st.tuples(st.integers(0, 3), st.integers(0, 3)))
def test_a_review_does_not_repeat_itself(
    game: Game, given_back: tuple[int, int]
) -> None:
    view = ReviewView.of(review(game), given_back=given_back)
    for text in (view.story, *(move.comment for move in view.moves)):
        sentences = re.findall(r"[^.]+[.]", text)
        assert "".join(sentences) == text
        assert len({each.strip() for each in sentences}) == len(sentences)
    assert view.story.count("resigned at") == (game.resigned_by is not None)
    for seat, count in zip(Seat, given_back, strict=True):
        went = "plays on"
        if game.outcome is not None:
            went = "won" if game.outcome.winner is seat else "lost"
        assert (f"{seat} {went}, with " in view.story) == (count > 0)


def test_a_game_resigned_while_won_can_be_continued() -> None:
    game = Game.replay(SHOWDOWN, [7], resigned=TWO)
    before = review(game).before_the_turn()
    assert before == Game.replay(SHOWDOWN, [7])
    assert review(
        Game.replay(MADNESS, [2, 9, 9], first=TWO)
    ).before_the_turn() == Game.replay(MADNESS, [2], first=TWO)
    assert review(Game.replay(SHOWDOWN, [5], resigned=TWO)).before_the_turn() is None


def test_resigning_a_lost_position_is_not_a_slip() -> None:
    resignation = review(Game.replay(SHOWDOWN, [5], resigned=TWO)).resignation
    assert resignation is not None
    assert not resignation.was_won
    assert (
        resignation.comment() == "Player 2 resigned at 5, with the game already lost."
    )
    names = {ONE: "Ada", TWO: "Blaise"}
    assert (
        resignation.comment(names)
        == "Blaise resigned at 5, with the game already lost."
    )


def test_with_a_single_multiplier_there_are_no_only_moves() -> None:
    looked_at = review(Game.replay(Rules(Ending.EXACT, 8, (2,)), (2, 2, 2)))
    assert [step.grade for step in looked_at.steps] == [
        Grade.GOOD,
        Grade.LOST,
        Grade.GOOD,
    ]
    assert looked_at.only_moves(ONE) == OnlyMoves(0, 0)


def test_the_better_move_comes_with_the_reason_that_theory_gives() -> None:
    step = review(Game.replay(SHOWDOWN, [7])).steps[0]
    better = explain(Position(SHOWDOWN, 1))
    assert isinstance(better, Won)
    assert step.comment == (
        "This gave the win away. ×7 makes 7. Then the other player can leave 56 to"
        " 111, where every move loses. Better: ×5 leaves 5. From 4 to 6 and from 56 to"
        " 111 every move loses. After any answer, leave 56 to 111, then reach 1,000"
        " with ×9. That wins within 5 moves in all."
    )
    assert step.comment.endswith(better.advice)
