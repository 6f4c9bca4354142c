"""One contract for every level, and what each promises of its own."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Game, GameOver, Rules, TheoryError, TooLarge
from ninefold.levels import LEVELS, Level, slip_chance
from ninefold.theory import Oracle
from tests.strategies import all_games

by_level = pytest.mark.parametrize(
    "level", LEVELS.values(), ids=lambda level: level.name
)
small_rules = st.builds(
    Rules,
    st.sampled_from(Ending),
    st.integers(2, 2000),
    st.sets(st.integers(2, 12), min_size=1),
)


def live(game: Game) -> Game:
    return game if game.outcome is None else game.undo()


@by_level
@given(game=all_games(), seed=st.integers(0, 99))
def test_every_level_chooses_a_multiplier_and_repeats_itself(
    level: Level, game: Game, seed: int
) -> None:
    game = live(game)
    chosen = level.player(Random(seed)).choose(game)
    assert chosen in game.rules.multipliers
    assert level.player(Random(seed)).choose(game) == chosen


@by_level
def test_no_level_chooses_a_move_after_the_end(level: Level) -> None:
    with pytest.raises(GameOver):
        level.player(Random(1)).choose(Game.replay(Rules(Ending.REACH, 2), [2]))


@by_level
def test_every_level_has_a_title_and_a_description(level: Level) -> None:
    assert level.name.isalpha()
    assert level.character.endswith(".")
    assert len(level.character) < 70


@pytest.mark.parametrize("name", ["careful", "planner", "expert", "perfect"])
@given(rules=small_rules, seed=st.integers(0, 9))
def test_from_careful_up_a_win_at_once_is_taken_and_a_needless_loss_avoided(
    name: str, rules: Rules, seed: int
) -> None:
    game = Game.start(rules)
    chosen = LEVELS[name].player(Random(seed)).choose(game)
    if any(rules.wins_at_once(1, m) for m in rules.multipliers):
        assert rules.wins_at_once(1, chosen)
    elif not all(rules.loses_at_once(1, m) for m in rules.multipliers):
        assert not rules.loses_at_once(1, chosen)


@given(small_rules, st.integers(0, 9))
def test_the_planner_hands_over_no_win_that_it_can_avoid(
    rules: Rules, seed: int
) -> None:
    def hands_over_a_win(multiplier: int) -> bool:
        left = rules.after(1, multiplier)
        return rules.verdict(left) is None and any(
            rules.wins_at_once(left, answer) for answer in rules.multipliers
        )

    chosen = LEVELS["planner"].player(Random(seed)).choose(Game.start(rules))
    quiet = [m for m in rules.multipliers if not rules.loses_at_once(1, m)]
    if not all(hands_over_a_win(m) for m in quiet):
        assert not hands_over_a_win(chosen)


def test_the_planner_traps_where_it_can() -> None:
    game = Game.replay(
        Rules(Ending.AVOID, 100), [5, 3]
    )  # ×4 leaves 60: every answer loses
    assert all(
        LEVELS["planner"].player(Random(seed)).choose(game) in (4, 5, 6)
        for seed in range(30)
    )


@given(small_rules, st.randoms(use_true_random=False))
def test_perfect_never_loses_a_won_game(rules: Rules, rng: Random) -> None:
    game = Game.start(rules)
    winner_is_first = Oracle(rules).wins(1)
    perfect = LEVELS["perfect"].player(rng)
    while game.outcome is None:
        mover_is_first = game.to_move is game.first
        if mover_is_first is winner_is_first:
            game = game.play(perfect.choose(game))
        else:
            game = game.play(rng.choice(rules.multipliers))
    assert (game.outcome.winner is game.first) is winner_is_first


@given(small_rules)
def test_perfect_when_lost_leaves_the_fewest_good_answers(rules: Rules) -> None:
    oracle = Oracle(rules)
    if oracle.wins(1):
        return
    chosen = LEVELS["perfect"].player(Random(1)).choose(Game.start(rules))
    alive = [m for m in rules.multipliers if rules.verdict(m) is None]
    if alive:
        fewest = min(len(oracle.winning_moves(m)) for m in alive)
        assert len(oracle.winning_moves(chosen)) == fewest


def test_perfect_when_lost_lasts_longest_among_equals() -> None:
    rules = Rules(Ending.AVOID, 2558, (2, 6, 11, 12))
    oracle = Oracle(rules)
    assert [len(oracle.winning_moves(m)) for m in rules.multipliers] == [2, 1, 2, 1]
    assert oracle.distance(6) < oracle.distance(12)
    assert LEVELS["perfect"].player(Random(1)).choose(Game.start(rules)) == 12


def test_the_expert_slips_but_rarely_at_once() -> None:
    rules = Rules(Ending.REACH, 1000)
    right = sum(
        LEVELS["expert"].player(Random(seed)).choose(Game.start(rules)) in (4, 5, 6)
        for seed in range(400)
    )
    assert 250 < right < 390


def test_the_expert_slips_more_often_while_the_game_is_long() -> None:
    rules = Rules(Ending.REACH, 1000)
    oracle = Oracle(rules)
    expert = LEVELS["expert"].player(Random(1))
    assert oracle.distance(1) > oracle.distance(7)
    opening, later = expert.distribution(rules, 1), expert.distribution(rules, 7)
    assert set(opening) == {5, 3, 7}  # 3 and 7 stand beside a multiplier that wins
    assert opening[5] < later[oracle.best_move(7)] < 1


class Lot(Random):
    """Chance that always draws the same lot."""

    def __init__(self, lot: int) -> None:
        super().__init__(1)
        self.lot = lot

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return self.lot


@by_level
@given(game=all_games())
def test_every_level_plays_by_its_distribution(level: Level, game: Game) -> None:
    game = live(game)
    chances = level.player(Random(1)).distribution(game.rules, game.total)
    assert sum(chances.values()) == 1
    lots = lcm(*(chance.denominator for chance in chances.values()))
    chosen = Counter(level.player(Lot(lot)).choose(game) for lot in range(lots))
    assert {m: Fraction(count, lots) for m, count in chosen.items()} == chances


@given(game=all_games(), seed=st.integers(0, 9))
def test_equal_chances_are_drawn_as_by_random_choice(game: Game, seed: int) -> None:
    game = live(game)
    chosen = LEVELS["beginner"].player(Random(seed)).choose(game)
    assert chosen == Random(seed).choice(game.rules.multipliers)


def test_a_level_still_plays_after_its_cache_is_full() -> None:
    player = LEVELS["beginner"].player(Random(1))
    for target in range(2, 4200):
        game = Game.start(Rules(Ending.REACH, target, (2, 3)))
        assert player.choose(game) in (2, 3)


def test_the_chance_of_a_slip_grows_with_the_game_and_at_an_edge() -> None:
    chances = [slip_chance(plies, at_edge=False) for plies in range(1, 11)]
    assert all(short < long for short, long in pairwise(chances))
    assert slip_chance(1000, at_edge=False) == chances[-1]
    for plies, chance in enumerate(chances, start=1):
        assert chance < slip_chance(plies, at_edge=True) < 1


def test_levels_play_if_distances_cannot_be_computed() -> None:
    game = Game.start(Rules(Ending.REACH, 10**100, (2, 5, 9)))
    oracle = Oracle(game.rules, most_steps=20_000)
    assert oracle.wins(1)
    with pytest.raises(TooLarge):
        oracle.distance(1)
    for level in LEVELS.values():
        assert level.player(Random(3), oracle).choose(game) in (2, 5, 9)
    lost = next(game.play(m) for m in oracle.winning_moves(1))
    assert LEVELS["perfect"].player(Random(3), oracle).choose(lost) in (2, 5, 9)


@pytest.mark.parametrize("name", ["expert", "perfect"])
def test_levels_plan_if_the_winner_cannot_be_computed(name: str) -> None:
    rules = Rules(Ending.AVOID, 10**900, (2, 1001, 1000003))
    oracle = Oracle(rules, most_steps=500)
    with pytest.raises(TooLarge):
        oracle.winning_moves(1)
    for seed in range(9):
        chosen = LEVELS[name].player(Random(seed), oracle).choose(Game.start(rules))
        planned = LEVELS["planner"].player(Random(seed)).choose(Game.start(rules))
        assert chosen == planned


@by_level
@given(rules=small_rules, seed=st.integers(0, 9))
def test_a_given_oracle_changes_no_answer(
    level: Level, rules: Rules, seed: int
) -> None:
    alone = level.player(Random(seed)).choose(Game.start(rules))
    assert level.player(Random(seed), Oracle(rules)).choose(Game.start(rules)) == alone


@by_level
@given(rules=small_rules, other=small_rules, seed=st.integers(0, 9))
def test_a_level_without_an_oracle_plays_one_game_after_another(
    level: Level, rules: Rules, other: Rules, seed: int
) -> None:
    player = level.player(Random(seed))
    player.choose(Game.start(other))
    assert player.choose(Game.start(rules)) in rules.multipliers
    if level.name == "perfect":
        alone = level.player(Random(seed)).choose(Game.start(rules))
        assert player.choose(Game.start(rules)) == alone


@pytest.mark.parametrize("name", ["expert", "perfect"])
def test_an_oracle_for_other_rules_is_refused(name: str) -> None:
    oracle = Oracle(Rules(Ending.REACH, 1000))
    player = LEVELS[name].player(Random(1), oracle)
    with pytest.raises(TheoryError, match="this oracle was made for other rules"):
        player.choose(Game.start(Rules(Ending.AVOID, 1000)))


@by_level
def test_every_level_plays_where_moves_led_to_a_total_that_is_hard_to_check(
    level: Level,
) -> None:
    crossed = [prod(some) for some in combinations((2, 3, 5, 7, 11, 13, 17, 19), 3)]
    rules = Rules(Ending.AVOID, 10**900, tuple(crossed))
    game = Game.replay(rules, crossed * 3)
    with pytest.raises(TooLarge, match="share too many factors"):
        Oracle(rules).check(game.total)
    assert level.player(Random(1)).choose(game) in crossed
