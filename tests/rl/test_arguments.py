from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ninefold import Ending, MoveError, Rules, RulesError
from ninefold.rl.arguments import games_from, multiplier_of

CLASSIC = tuple(range(2, 10))


def test_arguments_become_rules() -> None:
    expected = tuple(Rules(Ending.EXACT, n, (2, 3, 4, 9), 3) for n in (500, 400))
    assert games_from("exact", [500, 400], "2-4, 9", 3) == expected
    assert games_from(Ending.EXACT, (500, 400), iter([9, 2, 3, 4]), 3) == expected


def test_numbers_of_numpy_become_plain_ones() -> None:
    expected = tuple(Rules(Ending.REACH, n, (2, 3), 3) for n in (100, 101, 102))
    for multipliers in (np.array([2, 3], np.uint8), [np.int64(2), 3]):
        games = games_from("reach", np.arange(100, 103), multipliers, np.int8(3))
        assert games == expected
        assert all(type(rules.target) is int for rules in games)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("reach", "9", "2-9", 1), "the target must be a whole number, such as 100; not '9'"),
        (("reach", True, "2-9", 1), "the target must be a whole number, such as 100; not True"),
        (("reach", 1, "2-9", 1), "the target must be greater than the start (1); use 2 or more instead of 1"),
        (("reach", [], "2-9", 1), "there must be at least one target, such as 1,000"),
        (("reach", 9, 5, 1), "the multipliers must be several whole numbers, such as 2, 3, 5; not 5"),
    ],
)  # fmt: skip
def test_arguments_that_make_no_game_are_rejected(
    arguments: tuple[Any, ...], sentence: str
) -> None:
    with pytest.raises(RulesError) as caught:
        games_from(*arguments)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("action", [3, np.int64(3), np.uint8(3), np.array(3)])
def test_an_action_is_the_index_of_a_multiplier(action: object) -> None:
    assert multiplier_of(action, CLASSIC) == 5


@pytest.mark.parametrize(
    "action",
    [-1, 8, 2.7, 3.0, True, "3", None, 2**70, np.array([3]), np.bool_(1), np.float32(1)],
)  # fmt: skip
def test_any_other_action_is_rejected(action: object) -> None:
    with pytest.raises(MoveError, match=r"^an action is a whole number from 0 to 7;"):
        multiplier_of(action, CLASSIC)
