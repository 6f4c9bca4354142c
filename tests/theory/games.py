"""Random games for the properties, small enough to be played out."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from ninefold import Ending, Rules

unhurried = settings(deadline=None)
"""Playing a game out takes as long as it takes."""


def rules(
    highest_multiplier: int, most_multipliers: int, longest: int
) -> st.SearchStrategy[Rules]:
    """Make games of any ending and start, whose targets are at most so far away."""
    return st.builds(
        lambda ending, multipliers, start, more: Rules(
            ending, start + more, tuple(multipliers), start
        ),
        st.sampled_from(Ending),
        st.sets(
            st.integers(2, highest_multiplier), min_size=1, max_size=most_multipliers
        ),
        st.integers(1, 12),
        st.integers(1, longest),
    )


def long_rules() -> st.SearchStrategy[Rules]:
    """Make games far longer than the first period, with targets that can be hit."""
    return st.integers(2, 9).flatmap(_with_one) | st.sets(
        st.integers(2, 12), min_size=2, max_size=3
    ).flatmap(_with_target)


def _with_one(multiplier: int) -> st.SearchStrategy[Rules]:
    return _with_target({multiplier})


def _with_target(multipliers: set[int]) -> st.SearchStrategy[Rules]:
    def made(ending: Ending, powers: list[int], more: int) -> Rules:
        target = 1
        for multiplier, power in zip(sorted(multipliers), powers, strict=True):
            target *= multiplier**power
        return Rules(ending, max(target + more, 2), tuple(multipliers))

    size = len(multipliers)
    return st.builds(
        made,
        st.sampled_from(Ending),
        st.lists(st.integers(0, 30 // size), min_size=size, max_size=size),
        st.integers(-1, 1),
    )
