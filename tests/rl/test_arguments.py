from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ninefold import Ending, Rules
from ninefold.rl.arguments import games_from, multiplier_of


def test_arguments_become_rules() -> None:
    expected = tuple(Rules(Ending.EXACT, n, (2, 3, 4, 9), 3) for n in (500, 400))
    assert games_from("exact", [500, 400], "2-4, 9", 3) == expected
    assert games_from(Ending.EXACT, (500, 400), iter([9, 2, 3, 4]), 3) == expected


@pytest.mark.parametrize("multipliers", [np.array([2, 3], np.uint8), [np.int64(2), 3]])
def test_numbers_of_numpy_become_plain_ones(multipliers: Any) -> None:  # noqa: ANN401
    games = games_from("reach", np.arange(100, 102), multipliers, np.int8(3))
    # Those of NumPy would be equal, but look different.
    assert str(games) == str(games_from("reach", [100, 101], [2, 3], 3))


@pytest.mark.parametrize("action", [3, np.int64(3), np.uint8(3), np.array(3)])
def test_an_action_is_the_index_of_a_multiplier(action: object) -> None:
    assert multiplier_of(action, tuple(range(2, 10))) == 5
