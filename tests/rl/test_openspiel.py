"""What needs OpenSpiel: ``make prove`` installs it, and without it this is not read."""

from __future__ import annotations

import pickle
import re
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from open_spiel.integration_tests import api_test
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, generate_playthrough, mcts
from open_spiel.python.algorithms.exploitability import exploitability
from open_spiel.python.tests import games_sim_test

from ninefold import Game, GameOver, MoveError, Record, Rules, RulesError, Seat
from ninefold.notation import write_line
from ninefold.rl import openspiel_game
from tests.program import assert_golden
from tests.rl.games import numbers, small_rules

pytestmark = pytest.mark.prove

GAMES = (
    "",
    "(rules=avoid500.in2-3-5-7.from3)",
    "(rules=exact1000)",
    f"(rules=reach{10**999})",
    "(rules=reach2)",
    "(rules=reach1000.in3)",
)
every_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules[:20])


def load(rules: str) -> Any:  # noqa: ANN401 - OpenSpiel has no types
    return pyspiel.load_game(openspiel_game.NAME + rules)


@every_game
def test_openspiel_finds_nothing_to_complain_about(rules: str) -> None:
    # It restores the game in mid-game, too.
    pyspiel.random_sim_test(load(rules), num_sims=3, serialize=True, verbose=False)
    games_sim_test.GamesSimTest().sim_game(load(rules))

    class Case(api_test.EnforceAPIOnPartialTreeBase):
        game, game_name = load(rules), openspiel_game.NAME

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(result)
    assert result.testsRun
    assert result.failures + result.errors == []


def test_a_game_played_in_openspiel_shows_the_same_as_ever() -> None:
    shown = generate_playthrough.playthrough(str(load("(rules=reach100)")), [5, 3, 4])  # fmt: skip
    assert_golden("openspiel-playthrough.txt", shown)


@given(rules=small_rules, draw=st.data())
def test_it_plays_move_for_move_as_a_game_does(
    rules: Rules, draw: st.DataObject
) -> None:
    game = Game.start(rules)
    text = write_line(Record(game)).removeprefix("nf1.-.")
    state = load(f"(rules={text})").new_initial_state()
    while game.outcome is None:
        assert state.current_player() == (0 if game.to_move is Seat.ONE else 1)
        action = draw.draw(st.sampled_from(state.legal_actions()))
        state.apply_action(action)
        game = game.play(rules.multipliers[action])
        digits = np.reshape(state.observation_tensor(0), (2, -1)).astype(int)
        assert numbers(digits) == [game.total, rules.target]
    assert state.is_terminal()
    assert state.returns() == ([1, -1] if game.outcome.winner is Seat.ONE else [-1, 1])


@every_game
def test_an_unpickled_game_starts_a_game(rules: str) -> None:
    game = pickle.loads(pickle.dumps(load(rules)))
    state = game.new_initial_state()
    state.apply_action(0)
    assert game.rules == load(rules).rules
    assert state.history() == [0]


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ("win5", "expected reach, avoid, exact and the target, such as reach100; found win5"),
        ("reach1", "the target must be greater than the start (1); use 2 or more instead of 1"),
        ("reach1000.5x3", "expected the end of the rules"),
    ],
)  # fmt: skip
def test_bad_rules_are_rejected(rules: str, problem: str) -> None:
    with pytest.raises(RulesError) as caught:
        load(f"(rules={rules})")
    asked = "write the rules as in a record, such as reach1000 or avoid500.in2-3-5-7.from3"  # fmt: skip
    assert str(caught.value) == f"{asked}; {problem}"


def test_illegal_actions_and_moves_after_the_end_are_rejected() -> None:
    state = load("(rules=reach5)").new_initial_state()
    with pytest.raises(MoveError, match=r"^an action is a whole number from 0 to 7; not 8$"):  # fmt: skip
        state.apply_action(8)
    for unknown in (-1, 8):
        with pytest.raises(MoveError, match=r"^an action is a whole number from 0 to"):
            state.action_to_string(unknown)
    for action in (-1, 2.7, "3", None):
        with pytest.raises((pyspiel.SpielError, TypeError)):
            state.apply_action(action)
    assert str(state) == "1, player 0"
    state.apply_action(7)
    with pytest.raises(GameOver):
        state.apply_action(7)


def test_openspiels_algorithms_work_on_it() -> None:
    game = load("(rules=reach100)")
    assert exploitability(game, policy.UniformRandomPolicy(game)) == 27 / 32
    rng = np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(5, rng)
    bot = mcts.MCTSBot(game, 1.4, 500, rollouts, solve=True, random_state=rng)
    assert bot.step(game.new_initial_state()) in range(8)
    solver = cfr.CFRSolver(load("(rules=reach12.in2-3)"))
    for _ in range(50):
        solver.evaluate_and_update_policy()
    assert exploitability(load("(rules=reach12.in2-3)"), solver.average_policy()) < 0.1
    environment = rl_environment.Environment(game)
    environment.reset()
    assert environment.step([3]).observations["info_state"][0] == [0, 0, 5, 1, 0, 0]


def test_the_example_of_the_page_runs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "research.md").read_text()
    [example] = re.findall(r"```python\n(import pyspiel.*?)```", page, re.DOTALL)
    run: dict[str, Any] = {}
    exec(example, run)  # noqa: S102 - it is our own
    assert run["state"].is_terminal()
