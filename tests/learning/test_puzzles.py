"""Puzzles, each held against playing everything out."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold import Ending, Game, Rules, errors, rulebooks
from ninefold.learning import puzzles
from ninefold.theory import Oracle
from tests.theory import games
from tests.theory.brute import Found, play_out, reachable

MULTIPLIER = Rules(Ending.AVOID, 1000)
BOOKS = [rulebooks.load(key) for key in rulebooks.KEYS]


def played_out(rules: Rules) -> dict[int, Found]:
    totals = reachable(rules.target, rules.multipliers, rules.start)
    return play_out(rules.ending.value, rules.target, rules.multipliers, totals)


def target_can_be_made(rules: Rules) -> bool:
    totals = reachable(rules.target + 1, rules.multipliers, rules.start)
    return rules.ending is not Ending.EXACT or rules.target in totals


def check_puzzle(puzzle: puzzles.Puzzle, level: int) -> None:
    """Hold a puzzle and all answers to it against playing everything out."""
    rules, total = puzzle.game.rules, puzzle.game.total
    assert target_can_be_made(rules)
    found = played_out(rules)[total]  # every total to which moves lead from the start
    assert found.moves == (puzzle.answer,)
    assert puzzle.level == level
    # Of the moves to the end, the solver makes the first and every other one.
    assert level == min(len(range(0, found.distance, 2)), 5)
    for multiplier in rules.multipliers:
        attempt = puzzles.check(puzzle, multiplier)
        assert attempt.right == (multiplier == puzzle.answer)
        assert attempt.comment.startswith("Right. " if attempt.right else "Not that")
    assert puzzles.read_puzzle(puzzle.key) == puzzle
    assert "\n" not in puzzle.key


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(puzzles.PUZZLE_LEVELS))
def test_a_puzzle_has_exactly_one_winning_move_and_the_level_asked_for(
    seed: int, level: int
) -> None:
    puzzle = puzzles.make_puzzle(Random(seed), level)
    assert puzzle.book in rulebooks.KEYS
    check_puzzle(puzzle, level)
    assert puzzles.make_puzzle(Random(seed), level) == puzzle


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.key)
@pytest.mark.parametrize("level", puzzles.PUZZLE_LEVELS)
def test_every_rule_book_has_puzzles_of_every_level(
    book: rulebooks.Rulebook, level: int
) -> None:
    made = [puzzles.make_puzzle(Random(seed), level, book) for seed in range(100)]
    for puzzle in made:
        assert puzzle.book == book.key
        assert puzzle.level == level
        assert puzzle.game.rules.ending is book.rules.ending
        assert set(puzzle.game.rules.multipliers) < set(book.rules.multipliers)
    assert len({puzzle.key for puzzle in made}) > 20


def answers_by_rank(made: list[puzzles.Puzzle]) -> Counter[int]:
    return Counter(each.game.rules.multipliers.index(each.answer) for each in made)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.key)
@pytest.mark.parametrize("level", puzzles.PUZZLE_LEVELS)
def test_no_answer_is_a_good_guess(book: rulebooks.Rulebook, level: int) -> None:
    made = [puzzles.make_puzzle(Random(seed), level, book) for seed in range(200)]
    if level == 1 and book.rules.ending is Ending.REACH:
        # Of moves that reach the target at once, only the largest can be the only one.
        assert set(answers_by_rank(made)) == {3}
        return
    # Neither a number nor "the smallest one" is right more than a third of the time.
    assert max(Counter(puzzle.answer for puzzle in made).values()) < 200 / 3
    assert max(answers_by_rank(made).values()) < 200 / 3


def test_no_answer_is_a_good_guess_at_the_puzzle_of_a_day() -> None:
    days = [
        f"2026-{month:02}-{day:02}" for month in range(1, 13) for day in (5, 18, 25)
    ]
    made = [puzzles.make_puzzle(Random(day), 3) for day in days]
    assert max(Counter(puzzle.answer for puzzle in made).values()) <= len(days) / 3
    assert len({puzzle.key for puzzle in made}) > 30


def test_exact_with_an_unreachable_target_has_no_puzzles() -> None:
    rules = Rules(Ending.EXACT, 1000, (2, 3, 4))
    with pytest.raises(
        errors.PuzzleError, match="no puzzles at target 1,000 with 2-4; choose"
    ):
        puzzles.make_puzzle(Random(1), 1, rules=rules)
    # The rule book's own target cannot be made, but 50, 60 and 80 can.
    book = replace(BOOKS[0], rules=Rules(Ending.EXACT, 70, (2, 3, 5)))
    targets = {
        puzzles.make_puzzle(Random(n), 2, book).game.rules.target for n in range(30)
    }
    assert {50, 60, 80} <= targets
    assert 70 not in targets


@games.unhurried
@given(
    games.rules(highest_multiplier=12, most_multipliers=5, longest=1000),
    st.integers(0, 99),
)
def test_a_level_is_refused_if_and_only_if_the_rules_have_no_puzzle_of_it(
    rules: Rules, seed: int
) -> None:
    expected = set()
    if len(rules.multipliers) > 1 and target_can_be_made(rules):
        for found in played_out(rules).values():
            if len(found.moves) == 1:
                expected.add(min((found.distance + 1) // 2, 5))
    for level in puzzles.PUZZLE_LEVELS:
        if level in expected:
            check_puzzle(puzzles.make_puzzle(Random(seed), level, rules=rules), level)
        else:
            with pytest.raises(errors.PuzzleError):
                puzzles.make_puzzle(Random(seed), level, rules=rules)


def test_a_puzzle_with_an_oracle_for_other_rules_is_refused() -> None:
    game = Game.replay(MULTIPLIER, [3, 9])
    with pytest.raises(
        errors.TheoryError, match="this oracle was made for other rules"
    ):
        puzzles.puzzle_at(game, oracle=Oracle(Rules(Ending.REACH, 1000)))


def test_the_same_position_always_has_the_same_key() -> None:
    keys: dict[tuple[Rules, int], str] = {}
    rules = Rules(Ending.AVOID, 100, (2, 3))
    for seed in range(200):
        puzzle = puzzles.make_puzzle(Random(seed), 2, BOOKS[2], rules)
        position = (puzzle.game.rules, puzzle.game.total)
        assert keys.setdefault(position, puzzle.key) == puzzle.key
    assert len(keys) == 4


def test_a_puzzle_by_given_rules_belongs_to_a_rule_book_only_if_one_is_named() -> None:
    assert puzzles.make_puzzle(Random(1), 1, rules=MULTIPLIER).key.startswith(
        "nf1.-.avoid"
    )
    named = puzzles.make_puzzle(Random(1), 1, BOOKS[2], MULTIPLIER)
    assert named.key.startswith("nf1.multiplier.avoid1000.")


def test_a_puzzle_reads_like_this() -> None:
    puzzle = puzzles.read_puzzle("nf1.multiplier.avoid1000.3x9")
    assert puzzle.level == 2
    assert puzzle.question == (
        "The total is 27, and it is your turn. Exactly one of 2-9 wins."
    )
    assert puzzles.check(puzzle, 2).comment == (
        "Right. ×2 leaves 54. From 2 to 3, from 28 to 55 and from 500 to 999 every"
        " move loses. After any answer, leave 500 to 999. From there any answer makes"
        " 1,000 or more and loses at once. You win within 4 moves in all."
    )
    assert puzzles.check(puzzle, 3).comment == (
        "Not that one. ×3 makes 81. Then the other player can leave 500 to 999, where"
        " every move loses."
    )
    with pytest.raises(errors.IllegalMove):
        puzzles.check(puzzle, 10)


@pytest.mark.parametrize(
    ("rules", "level", "sentence"),
    [
        (
            Rules(Ending.REACH, 100),
            5,
            "there is no puzzle of level 5 at target 100 with 2-9; choose level 1 or 2",
        ),
        (
            Rules(Ending.REACH, 1000),
            4,
            (
                "there is no puzzle of level 4 at target 1,000 with 2-9;"
                " choose level 1, 2 or 3"
            ),
        ),
        (
            Rules(Ending.REACH, 50, (3, 5, 7)),
            2,
            "there is no puzzle of level 2 at target 50 with 3, 5, 7; choose level 1",
        ),
        (
            Rules(Ending.EXACT, 64, (2,)),
            1,
            "there are no puzzles at target 64 with 2; choose another target or multipliers",
        ),
        (MULTIPLIER, 6, "a puzzle's level is 1 to 5; choose one of those"),
    ],
)
def test_a_level_without_puzzles_is_rejected_with_alternatives(
    rules: Rules, level: int, sentence: str
) -> None:
    with pytest.raises(errors.PuzzleError) as refused:
        puzzles.make_puzzle(Random(1), level, rules=rules)
    assert str(refused.value) == sentence


def test_a_custom_rule_book_may_have_no_puzzles() -> None:
    book = replace(BOOKS[0], title="Doubling", rules=Rules(Ending.REACH, 100, (2,)))
    with pytest.raises(errors.PuzzleError) as refused:
        puzzles.make_puzzle(Random(1), 1, book)
    assert str(refused.value) == (
        "Doubling has no puzzle of level 1; choose another level"
    )


def test_puzzles_of_a_custom_rule_book_use_its_start_and_multipliers() -> None:
    book = replace(BOOKS[0], rules=Rules(Ending.AVOID, 500, (2, 3, 4, 11), start=7))
    for seed in range(30):
        rules = puzzles.make_puzzle(Random(seed), 2, book).game.rules
        assert rules.start == 7
        assert rules.target == 500 or rules.target % 7 == 0  # as far from 7 as from 1
        assert set(rules.multipliers) == {2, 3, 4, 11}


def test_variants_beyond_the_bounds_of_numbers_are_left_out() -> None:
    rules = Rules(Ending.AVOID, 9 * 10**999, start=10**999)
    book = replace(BOOKS[0], rules=rules)
    assert puzzles.make_puzzle(Random(1), 1, book).game.rules.target == rules.target
    with pytest.raises(errors.PuzzleError, match=r"of level 5; choose"):
        puzzles.make_puzzle(Random(1), 5, book)


def test_variants_with_too_many_positions_are_skipped() -> None:
    book = replace(BOOKS[0], rules=Rules(Ending.AVOID, 10**999, tuple(range(2, 102))))
    for seed in range(3):
        puzzle = puzzles.make_puzzle(Random(seed), 4, book)
        assert puzzle.level == 4
        assert puzzle.game.rules.target < 10**999


@pytest.mark.parametrize("multipliers", [range(2, 60), range(2, 102, 3)])
def test_a_search_that_takes_too_long_is_given_up(multipliers: range) -> None:
    # Without 3 and 5 none of the sets of four multipliers fits.
    chosen = tuple(m for m in multipliers if m not in {3, 5})
    book = replace(BOOKS[0], rules=Rules(Ending.AVOID, 10**999, chosen))
    with pytest.raises(
        errors.TooLarge, match="that can be found in time; choose another level"
    ):
        puzzles.make_puzzle(Random(1), 5, book)


def test_a_level_that_only_skipped_variants_may_have_is_not_called_impossible() -> None:
    rules = Rules(Ending.AVOID, 10**999, (1000, 1001, 1003))
    with pytest.raises(
        errors.TooLarge, match="that can be found in time; choose another level"
    ):
        puzzles.make_puzzle(Random(1), 5, replace(BOOKS[0], rules=rules))


def test_a_position_without_exactly_one_winning_move_is_rejected() -> None:
    for key in (
        "nf1.multiplier.avoid1000",  # two moves win
        "nf1.multiplier.avoid1000.3",  # none does
        "nf1.multiplier.avoid1000.9x9x9x9",  # it is over
        "nf1.-.exact8.in2",  # there is but one move
    ):
        with pytest.raises(errors.PuzzleError, match="choose another position"):
            puzzles.read_puzzle(key)
    with pytest.raises(errors.RecordError):
        puzzles.read_puzzle("27")


def test_a_game_with_too_many_positions_makes_no_puzzles() -> None:
    with pytest.raises(
        errors.TooLarge, match="up to 20,000 positions; choose a target below"
    ):
        puzzles.make_puzzle(Random(1), 1, rules=Rules(Ending.REACH, 10**999))


def test_a_puzzle_of_unknown_length_has_the_highest_level() -> None:
    rules = Rules(Ending.AVOID, 10**60, (2, 5, 9))
    oracle = Oracle(rules, most_steps=40_000)
    game = Game.start(rules)
    while len(oracle.winning_moves(game.total)) != 1:
        game = game.play(2)
    puzzle = puzzles.puzzle_at(game, oracle=oracle)
    assert puzzle.why.distance is None
    assert puzzle.level == 5
