"""A server that is used for some time loses nothing, and does not grow."""

from __future__ import annotations

import pytest

from benchmarks.soak import Soak, soaked


def test_of_many_games_with_streams_that_are_cut_nothing_is_lost() -> None:
    found = soaked(Soak(seconds=0.5, matches=20, pace=0.02))
    assert found.moves == 10 * found.games > 0
    assert found.cut > 0
    assert found.lost == 0


@pytest.mark.prove
def test_in_ten_minutes_nothing_is_lost_and_memory_stays_as_it_is() -> None:
    found = soaked(Soak(seconds=600))
    assert found.lost == 0, found
    halfway, at_the_end = found.memory
    assert at_the_end < 1.05 * halfway, found
