"""The environment of Gymnasium, by itself and as many at once, of either kind."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from gymnasium.wrappers import RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordEpisodeStatistics as RecordAll
from hypothesis import given
from hypothesis import strategies as st

from ninefold import (
    Ending,
    Game,
    MoveError,
    PositionError,
    Rules,
    Seat,
    TheoryError,
)
from ninefold.matchups import matchup
from ninefold.rl.gymnasium_env import NinefoldEnv
from ninefold.rl.vector_env import NinefoldVectorEnv, alias_table
from tests.rl.games import (
    ARGUMENTS,
    HUGE,
    NAME,
    Scripted,
    Weighted,
    arguments_of,
    numbers,
    small_rules,
)
from tests.test_matchups import BEGINNER, EXPERT

WEIGHTS = (0.5, 0.25, 0.25)
PLACES = 4
TABLED = {
    **ARGUMENTS,
    "index": {"observation": "index"},
    "any policy": {"opponent": Weighted(*WEIGHTS)},
    "perfect": {"opponent": "perfect", "seat": 2},
    "huge, one multiplier": {"target": 10**999, "multipliers": [7]},
    "ended by the first move": {"target": 2, "seat": 1},
}
GAMES = {**TABLED, **HUGE}
of_both_kinds = pytest.mark.parametrize("kind", ["sync", "vector_entry_point"])


def many(kind: str, count: int = PLACES, **arguments: Any) -> Any:  # noqa: ANN401
    return gymnasium.make_vec(NAME, count, vectorization_mode=kind, **arguments)


@pytest.mark.parametrize("arguments", GAMES.values(), ids=GAMES)
def test_gymnasium_finds_nothing_to_complain_about(arguments: dict[str, Any]) -> None:
    check_env(gymnasium.make(NAME, **arguments).unwrapped)
    one, other = (gymnasium.make(NAME, **arguments) for _ in range(2))
    check_environments_match(one, other, num_steps=100, seed=1)
    recorded = RecordEpisodeStatistics(one)
    _, info = recorded.reset(seed=1)
    while "episode" not in info:
        _, reward, _, _, info = recorded.step(recorded.action_space.sample())
    assert info["episode"]["r"] == reward


@pytest.mark.parametrize("arguments", TABLED.values(), ids=TABLED)
def test_both_kinds_of_many_are_alike(arguments: dict[str, Any]) -> None:
    sync, vector = many("sync", **arguments), many("vector_entry_point", **arguments)
    for space in ("observation_space", "action_space", "single_observation_space"):
        assert getattr(sync, space) == getattr(vector, space)
    for env in (RecordAll(sync), RecordAll(vector)):
        env.reset(seed=1)
        for _ in range(30):
            seen, rewards, ended, _, infos = env.step(env.action_space.sample())
            assert seen in env.observation_space
            assert (rewards.dtype, ended.dtype) == (np.float64, np.bool_)
            assert (rewards != 0).tolist() == ended.tolist()
            assert not ended.any() or (infos["episode"]["r"] == rewards).all()


@of_both_kinds
@given(rules=small_rules, seat=st.sampled_from([1, 2, "drawn"]), draw=st.data())
def test_they_play_move_for_move_as_games_do(
    kind: str, rules: Rules, seat: int | str, draw: st.DataObject
) -> None:
    opponent = Scripted()
    env = many(kind, **arguments_of(rules), opponent=opponent, seat=seat)
    seen, _ = env.reset(seed=draw.draw(st.integers(0, 9)))
    games = [begun(rules, seat, each) for each in seen]
    for _ in range(15):
        action = st.integers(0, len(rules.multipliers) - 1)
        actions = draw.draw(st.lists(action, min_size=PLACES, max_size=PLACES))
        seen, rewards, ended, truncated, infos = env.step(np.array(actions))
        for place, before in enumerate(games):
            if before.outcome is not None:
                game = begun(rules, seat, seen[place])
            else:
                game = before.play(rules.multipliers[actions[place]])
                if game.outcome is None:
                    game = game.play(opponent.move(rules, game.total))
            games[place] = game
            assert numbers(seen[place]) == [game.total, rules.target]
            outcome = game.outcome
            assert ended[place] == (outcome is not None)
            won = outcome is not None and outcome.winner is Seat.ONE
            assert rewards[place] == (1 if won else -1 if outcome is not None else 0)
        assert not truncated.any()
        assert infos == {}


def begun(rules: Rules, seat: int | str, seen: np.ndarray) -> Game:
    """Return the new game that shows this; the learner has seat ONE."""
    total, _ = numbers(seen)
    moves = [] if total == rules.start else [Scripted().move(rules, rules.start)]
    assert seat in ("drawn", 2 if moves else 1)
    game = Game.replay(rules, moves, Seat.TWO if moves else Seat.ONE)
    assert game.total == total
    return game


@pytest.mark.parametrize("seat", [1, 2, "drawn"])
@pytest.mark.parametrize("ending", Ending)
def test_as_many_games_are_won_as_the_exact_chance_says(
    seat: int | str, ending: Ending
) -> None:
    count = 200_000
    rules = Rules(ending, 1000)
    env = NinefoldVectorEnv(ending, num_envs=count, opponent="expert", seat=seat)
    env.reset(seed=1)
    results, rng = np.zeros(count), np.random.default_rng(2)
    while not results.all():
        _, rewards, *_ = env.step(rng.integers(8, size=count))
        # The first game of each place: in a fixed time, more short ones would end.
        results = np.where(results == 0, rewards, results)
    first, second = matchup(rules, BEGINNER, EXPERT), 1 - matchup(rules, EXPERT, BEGINNER)  # fmt: skip
    chance = {1: first, 2: second, "drawn": (first + second) / 2}[seat]
    assert_close((results > 0).mean(), float(chance), count)


def assert_close(share: float, chance: float, count: int) -> None:
    """Check that a share is within four standard errors of its chance."""
    assert abs(share - chance) < 4 * (chance * (1 - chance) / count) ** 0.5


def test_a_single_opponent_draws_from_its_distribution() -> None:
    env = NinefoldEnv(seat=2, opponent=Weighted(*map(Fraction, WEIGHTS)))
    env.reset(seed=1)
    drawn = [numbers(env.reset()[0])[0] for _ in range(10_000)]
    for total, weight in zip((2, 3, 4), WEIGHTS, strict=True):
        assert_close(drawn.count(total) / len(drawn), weight, len(drawn))


def test_an_opponent_may_learn_from_game_to_game() -> None:
    opponent = Weighted(1)
    env = NinefoldEnv(seat=2, opponent=opponent)
    assert numbers(env.reset()[0]) == [2, 1000]
    opponent.weights = (0, 0, 1)
    assert numbers(env.reset()[0]) == [4, 1000]


@given(weights=st.lists(st.fractions(0, 1), min_size=1, max_size=12).filter(any))
def test_alias_tables_equal_the_weights(weights: list[Any]) -> None:
    thresholds, others = alias_table(tuple(map(float, weights)))
    size, found = len(weights), [0.0] * len(weights)
    for index, (threshold, other) in enumerate(zip(thresholds, others, strict=True)):
        found[index] += threshold / size
        found[other] += (1 - threshold) / size
    for chance, weight in zip(found, weights, strict=True):
        assert abs(chance - weight / sum(weights)) < 2**-40


@of_both_kinds
def test_each_new_game_draws_a_target_and_a_seat(kind: str) -> None:
    env = many(kind, 1000, target=[100, 1000, 10_000], opponent=Scripted())
    totals, targets = zip(*map(numbers, env.reset(seed=1)[0]), strict=True)
    assert_close(totals.count(1) / 1000, 1 / 2, 1000)
    for target in (100, 1000, 10_000):
        assert_close(targets.count(target) / 1000, 1 / 3, 1000)


def test_the_same_seed_gives_the_same_games_and_a_copy_continues_alike() -> None:
    rng = np.random.default_rng(1)
    actions = rng.integers(8, size=(30, PLACES))
    one, other = (many("vector_entry_point", target=[100, 900]) for _ in range(2))
    assert str(one.reset(seed=1)) == str(other.reset(seed=1))
    for clone in (other, copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        again = copy.deepcopy(one)
        for each in actions:
            assert str(clone.step(each)) == str(again.step(each))


@of_both_kinds
def test_index_numbers_the_positions_and_one_end(kind: str) -> None:
    env = many(kind, 1, target=20, multipliers="2,3", seat=1, observation="index")
    totals = NinefoldEnv(target=20, multipliers="2,3", observation="index").totals
    assert totals == (1, 2, 3, 4, 6, 8, 9, 12, 16, 18)
    assert getattr(env, "totals", totals) == totals
    for place, total in enumerate(totals):
        assert env.reset(options={"total": total})[0].tolist() == [place]
    assert env.step(np.array([1]))[0].tolist() == [10]


@of_both_kinds
@pytest.mark.parametrize("target", [1000, [1000, 2000]])
def test_games_start_at_any_position_and_at_no_other_total(
    target: int | list[int], kind: str
) -> None:
    env = many(kind, target=target, seat=1)
    env.reset(seed=1)
    again = np.array([True, False, True, False])
    options = {"total": np.int64(45), "reset_mask": again, "unknown": 1}
    seen, _ = env.reset(options=options)
    assert [numbers(each)[0] for each in seen] == [45, 1, 45, 1]
    for total in (0, 11, 1000, 999, -5, 45.0, True, "45", 10**50):
        with pytest.raises(PositionError, match=r"choose a total below 1,000 that can be reached from 1 with 2-9$"):  # fmt: skip
            env.reset(options={"total": total})
    with pytest.raises(PositionError, match=r"be reached from 7 with 2-9$"):
        many(kind, start=7).reset(options={"total": 45})


@of_both_kinds
@pytest.mark.parametrize("weights", [(), (0.5,), (0.5, 0.6), (1.5, -0.5), (float("nan"), 1), (0, 1)])  # fmt: skip
def test_an_opponent_whose_chances_make_no_sense_is_rejected(
    weights: tuple[float, ...], kind: str
) -> None:
    with pytest.raises(TheoryError, match=r"^at 1 the policy's chances must cover legal multipliers only and add up to 1; fix its distribution$"):  # fmt: skip
        many(kind, opponent=Weighted(*weights), multipliers="2,4-9", seat=2).reset()


def test_steps_and_masks_before_a_reset_are_rejected() -> None:
    env = NinefoldVectorEnv(num_envs=2)
    mask = {"reset_mask": np.array([True, False])}
    for early in (lambda: env.step(np.array([0, 0])), lambda: env.reset(options=mask)):
        with pytest.raises(MoveError, match=r"^there are no games yet; call reset to start them$"):  # fmt: skip
            early()


@pytest.mark.parametrize("given", [[0], [0, 0, 0], 0, None, [0.0, 1.0], ["1", "1"], [[0], [0]], [[0], 1]])  # fmt: skip
def test_arrays_of_another_shape_or_type_are_rejected(given: Any) -> None:  # noqa: ANN401
    env = NinefoldVectorEnv(num_envs=2)
    env.reset()
    with pytest.raises(MoveError, match=r"^actions must be an array of 2 integers, one for each game; not one of shape "):  # fmt: skip
        env.step(given)
    with pytest.raises(MoveError, match=r"^reset_mask must be an array of 2 booleans, one for each game; not one of shape "):  # fmt: skip
        env.reset(options={"reset_mask": given or 0})
