from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Game, Rules
from ninefold.rl.batch import Batch
from tests.rl.games import small_rules

GAMES = 4
CLASSIC = Rules(Ending.REACH, 1000)


@given(rules=small_rules, draw=st.data())
def test_it_plays_move_for_move_as_games_do(rules: Rules, draw: st.DataObject) -> None:
    batch = Batch(rules, GAMES)
    games = [Game.start(rules)] * GAMES
    for _ in range(20):
        action = st.integers(0, len(rules.multipliers) - 1)
        actions = draw.draw(st.lists(action, min_size=GAMES, max_size=GAMES))
        ended, mover_won = batch.play(np.array(actions))
        for place, (game, chosen) in enumerate(zip(games, actions, strict=True)):
            after = Game.start(rules)
            if game.outcome is None:
                after = game.play(rules.multipliers[chosen])
            games[place], outcome = after, after.outcome
            assert ended[place] == (outcome is not None)
            wins = outcome is not None and outcome.winner is game.to_move
            assert mover_won[place] == wins
            assert batch.totals[batch.places[place]] == after.total


def test_a_copy_continues_alike() -> None:
    batch = Batch(CLASSIC, 2)
    batch.play(np.array([1, 2]))
    for again in (copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        again.play(np.array([3, 3]))
        assert [again.totals[place] for place in again.places] == [15, 20]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, ">i4"])
def test_actions_may_be_integers_of_any_size(dtype: str) -> None:
    batch = Batch(CLASSIC, 2)
    batch.play(np.array([7, 0, 1, 0], dtype)[::2])
    assert [batch.totals[place] for place in batch.places] == [9, 3]
