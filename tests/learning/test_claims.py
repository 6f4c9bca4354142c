"""Claims, settled by playing them out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Game, Rules
from ninefold.errors import PositionError
from ninefold.game import Seat
from ninefold.learning.claims import GAMES, Claim, ClaimResult, claim, judge_claim

MADNESS = Rules(Ending.REACH, 100)


def wins(rules: Rules, total: int) -> bool:
    """Say by trying everything whether the player to move wins."""
    for multiplier in rules.multipliers:
        after = total * multiplier
        if rules.verdict(after) is None:
            if not wins(rules, after):
                return True
        elif rules.wins_at_once(total, multiplier):
            return True
    return False


def move_of(rules: Rules, total: int, *, well: bool) -> int:
    """Choose a move that wins, or one that does not; any, where there is no choice."""
    good = [
        multiplier
        for multiplier in rules.multipliers
        if rules.wins_at_once(total, multiplier)
        or (
            rules.verdict(total * multiplier) is None
            and not wins(rules, total * multiplier)
        )
    ]
    bad = [each for each in rules.multipliers if each not in good]
    return next(iter(good if well else bad), rules.multipliers[-1])


def play(claimed: Claim, number: int, *, well: bool) -> Game:
    """Play one game for a claim; the program never makes a mistake."""
    rules = claimed.played_by
    game = Game.replay(rules, claimed.opening(number), claimed.first)
    while game.outcome is None:
        is_mine = game.to_move is Seat.ONE
        game = game.play(move_of(rules, game.total, well=well or not is_mine))
    return game


rule_sets = st.builds(
    Rules,
    st.sampled_from(Ending),
    st.integers(20, 200),
    st.sets(st.integers(2, 9), min_size=2).map(tuple),
)


@given(rule_sets, st.booleans(), st.data())
def test_a_claim_is_proved_if_it_is_true_and_played_well(
    rules: Rules, lost: bool, data: st.DataObject
) -> None:
    totals = [1]
    for total in totals:
        after = {total * each for each in rules.multipliers} - {*totals}
        totals += sorted(each for each in after if rules.verdict(each) is None)
    claimed = claim(rules, data.draw(st.sampled_from(totals)), lost=lost)
    assert claimed.is_true is (wins(rules, claimed.total) is not lost)
    games = list[Game]()
    settled = None
    while settled is None:
        games.append(play(claimed, len(games), well=True))
        settled = judge_claim(claimed, games)
    if claimed.is_true:
        assert (settled.result, len(games)) == (ClaimResult.PROVED, GAMES)
    else:
        assert (settled.result, len(games)) == (ClaimResult.FALSE, 1)


def test_perfect_starts_each_game_of_a_claim_with_a_different_move() -> None:
    claimed = claim(MADNESS, 8, lost=True)
    openings = {claimed.opening(number) for number in range(GAMES)}
    assert len(openings) == GAMES


def test_a_true_claim_played_badly_names_the_slip() -> None:
    claimed = claim(MADNESS, 3, lost=False)
    game = play(claimed, 0, well=False)
    settled = judge_claim(claimed, [game])
    assert settled is not None
    assert settled.words == "True, but you slipped at 3: there you win with ×2 or ×3."


def test_a_false_claim_is_answered_with_its_refutation() -> None:
    claimed = claim(MADNESS, 5, lost=True)
    settled = judge_claim(claimed, [play(claimed, 0, well=True)])
    assert settled is not None
    assert settled.words.startswith(
        "False: 5 is won. From the other side, play ×2. ×2 leaves 10. "
    )
    claimed = claim(MADNESS, 3, lost=True)
    settled = judge_claim(claimed, [play(claimed, 0, well=True)])
    assert settled is not None
    assert settled.words.startswith(
        "False: 3 is won. From the other side, play ×2 or ×3. ×3 leaves 9. "
    )


@pytest.mark.parametrize("total", [0, 11, 100, 10**30])
def test_a_claim_about_an_unreachable_total_is_rejected(total: int) -> None:
    with pytest.raises(PositionError) as refused:
        claim(MADNESS, total, lost=True)
    assert "6 to 11" not in str(refused.value)
