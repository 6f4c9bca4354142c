"""Slips, held against playing everything out, and the sentences for them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Game, Rules, Seat, errors
from ninefold.coach import Refutation, Slip, find_opportunity, find_slip, refute
from ninefold.theory import Oracle, Won
from tests.theory import games
from tests.theory.brute import Found, mover_has_won, play_out
from tests.theory.reader import ungrouped

SHOWDOWN = Rules(Ending.REACH, 1000)
DUEL = Rules(Ending.EXACT, 100)
MULTIPLIER = Rules(Ending.AVOID, 1000)


def played_out(rules: Rules) -> dict[int, Found]:
    """Play out every whole total, whether or not moves lead to it."""
    totals = list(range(rules.start, rules.target))
    return play_out(rules.ending.value, rules.target, rules.multipliers, totals)


def check_refutation(
    refutation: Refutation, rules: Rules, found: dict[int, Found]
) -> None:
    made = refutation.total * refutation.multiplier
    assert refutation.makes == made
    check_words(refutation, rules, found)
    if refutation.then is None:
        assert mover_has_won(rules.ending.value, rules.target, made) is False
        assert refutation.lands is None
        return
    reply = refutation.then.move
    assert reply in found[made].moves
    ended = mover_has_won(rules.ending.value, rules.target, made * reply)
    if refutation.lands is None:
        assert ended is True
        return
    assert ended is None
    lands = refutation.lands
    assert lands.lowest <= made * reply <= lands.highest
    # Every total of the band is lost, also where no moves lead to it.
    for total in range(lands.lowest, lands.highest + 1):
        assert not found[total].moves


def check_words(refutation: Refutation, rules: Rules, found: dict[int, Found]) -> None:
    """Take the sentences at their words; they do not name the other's move."""
    said = SAID.fullmatch(ungrouped(refutation.short))
    assert said is not None, refutation.short
    made = refutation.total * refutation.multiplier
    assert int(said["move"]) == refutation.multiplier
    assert int(said["makes"] or said["past"] or rules.target) == made
    outcomes = {
        made * m: mover_has_won(rules.ending.value, rules.target, made * m)
        for m in rules.multipliers
    }
    if not said["makes"]:
        assert mover_has_won(rules.ending.value, rules.target, made) is False
        assert (made == rules.target) == bool(said["reaches"])
    elif said["lowest"]:
        highest = int(said["highest"] or said["lowest"])
        band = range(int(said["lowest"]), highest + 1)
        assert any(after in band for after in outcomes)
        assert not any(found[total].moves for total in band)
    else:
        assert any(outcomes.values())
        assert bool(said["exactly"]) == (rules.ending is Ending.EXACT)


SAID = re.compile(
    r"×(?P<move>\d+) (?:(?P<reaches>reaches \d+) and loses at once"
    r"|makes (?P<past>\d+), past \d+, and loses at once"
    r"|makes (?P<makes>\d+)\. Then the other player can (?:"
    r"leave (?P<lowest>\d+)(?: to (?P<highest>\d+))?, where every move loses"
    r"|(?:reach|(?P<exactly>make exactly)) \d+ at once))\."
)


@games.unhurried
@given(games.rules(highest_multiplier=12, most_multipliers=5, longest=600), st.data())
def test_a_move_gives_the_win_away_if_and_only_if_it_turns_won_into_lost(
    rules: Rules, data: st.DataObject
) -> None:
    found = played_out(rules)
    oracle = Oracle(rules)
    game = Game.start(rules)
    while game.outcome is None:
        for multiplier in rules.multipliers:
            wins = multiplier in found[game.total].moves
            refutation = refute(oracle, game.total, multiplier)
            assert (refutation is None) == wins
            if refutation is not None:
                check_refutation(refutation, rules, found)
            slip = find_slip(game, multiplier, oracle)
            assert (slip is not None) == (bool(found[game.total].moves) and not wins)
            if slip is not None:
                assert slip.refutation == refutation
                assert slip.better.moves == found[game.total].moves
            after = game.play(multiplier)
            opportunity = find_opportunity(after, oracle)
            there_to_be_won = slip is not None and after.outcome is None
            assert (opportunity is not None) == there_to_be_won
            if opportunity is not None:
                assert opportunity.slip == slip
                assert opportunity.seat is game.to_move
                assert opportunity.win.moves == found[after.total].moves
        game = game.play(data.draw(st.sampled_from(rules.multipliers)))


@pytest.mark.parametrize(
    ("rules", "total", "multiplier", "sentence"),
    [
        (
            SHOWDOWN,
            1,
            7,
            (
                "×7 makes 7. Then the other player can leave 56 to 111, where every"
                " move loses."
            ),
        ),
        (
            SHOWDOWN,
            56,
            2,
            "×2 makes 112. Then the other player can reach 1,000 at once.",
        ),
        (
            DUEL,
            4,
            5,
            "×5 makes 20. Then the other player can make exactly 100 at once.",
        ),
        (
            DUEL,
            1,
            6,
            (
                "×6 makes 6. Then the other player can leave 51 to 99, where every"
                " move loses."
            ),
        ),
        (DUEL, 20, 6, "×6 makes 120, past 100, and loses at once."),
        (Rules(Ending.AVOID, 100), 20, 5, "×5 reaches 100 and loses at once."),
        (MULTIPLIER, 216, 8, "×8 makes 1,728, past 1,000, and loses at once."),
    ],
)
def test_a_losing_move_is_explained_like_this(
    rules: Rules, total: int, multiplier: int, sentence: str
) -> None:
    refutation = refute(Oracle(rules), total, multiplier)
    assert refutation is not None
    assert refutation.short == sentence


def test_a_warning_says_why_without_revealing_the_winning_move() -> None:
    slip = find_slip(Game.start(SHOWDOWN), 7)
    assert isinstance(slip, Slip)
    assert slip.multiplier == 7
    assert slip.reason == (
        "×7 makes 7. Then the other player can leave 56 to 111, where every move loses."
    )
    assert slip.warning == (f"That gives the win away. {slip.reason} 3 moves win here.")
    assert slip.better.moves == (4, 5, 6)
    alone = find_slip(Game.replay(MULTIPLIER, [3, 9]), 3)
    assert alone is not None
    assert alone.warning.endswith("One move wins here.")


def test_a_lost_position_has_no_slips_and_no_opportunities() -> None:
    lost = Game.replay(SHOWDOWN, [5])
    assert find_slip(lost, 9) is None
    assert find_opportunity(lost) is None
    assert find_opportunity(Game.start(SHOWDOWN)) is None
    assert find_opportunity(Game.replay(SHOWDOWN, [7], resigned=Seat.TWO)) is None


def test_a_slip_of_the_opponent_is_an_opportunity() -> None:
    found = find_opportunity(Game.replay(SHOWDOWN, [7], first=Seat.TWO))
    assert found is not None
    assert found.seat is Seat.TWO
    assert isinstance(found.win, Won)
    assert found.win.moves == (8, 9)


@pytest.mark.parametrize("moves", [[], [7], [9, 9, 9, 9]])
def test_an_oracle_for_other_rules_is_refused(moves: list[int]) -> None:
    other = Oracle(Rules(Ending.AVOID, 1000))
    game = Game.replay(SHOWDOWN, moves)
    with pytest.raises(
        errors.TheoryError, match="this oracle was made for other rules"
    ):
        find_opportunity(game, other)
    if game.outcome is None:
        with pytest.raises(
            errors.TheoryError, match="this oracle was made for other rules"
        ):
            find_slip(game, 7, other)


def test_a_number_that_is_not_a_multiplier_is_rejected() -> None:
    with pytest.raises(errors.IllegalMove, match="choose one of 2-9"):
        find_slip(Game.start(SHOWDOWN), 12)
    with pytest.raises(errors.IllegalMove, match="choose one of 2-9"):
        find_slip(Game.replay(SHOWDOWN, [5]), 12)
    with pytest.raises(errors.GameOver, match="review it instead"):
        find_slip(Game.replay(Rules(Ending.REACH, 2), [2]), 2)
    with pytest.raises(errors.PositionError):
        refute(Oracle(SHOWDOWN), 11, 2)
