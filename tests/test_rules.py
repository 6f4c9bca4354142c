from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, IllegalMove, Reason, Rules, RulesError
from ninefold.rules import parse_multipliers
from tests.strategies import all_rules


@pytest.mark.parametrize(
    ("ending", "total", "wins", "reason"),
    [
        (Ending.REACH, 100, True, Reason.REACHED),
        (Ending.REACH, 180, True, Reason.REACHED),
        (Ending.AVOID, 100, False, Reason.REACHED),
        (Ending.AVOID, 180, False, Reason.REACHED),
        (Ending.EXACT, 100, True, Reason.EXACT),
        (Ending.EXACT, 101, False, Reason.EXCEEDED),
    ],
)
def test_the_target_decides_by_the_ending(
    ending: Ending,
    total: int,
    wins: bool,  # noqa: FBT001 - a golden value
    reason: Reason,
) -> None:
    verdict = Rules(ending, 100).verdict(total)
    assert verdict is not None
    assert (verdict.mover_wins, verdict.reason) == (wins, reason)


@given(all_rules(), st.data())
def test_below_the_target_every_game_goes_on(rules: Rules, data: st.DataObject) -> None:
    total = data.draw(st.integers(rules.start, rules.target - 1))
    assert rules.verdict(total) is None


@given(all_rules(), st.integers())
def test_a_move_multiplies_and_anything_else_is_refused(
    rules: Rules, multiplier: int
) -> None:
    if multiplier in rules.multipliers:
        assert rules.after(7, multiplier) == 7 * multiplier
    else:
        with pytest.raises(IllegalMove) as caught:
            rules.after(7, multiplier)
        assert caught.value.legal == rules.multipliers


@pytest.mark.parametrize("odd", [5.0, True, "5", None, 5 + 0j])
def test_what_only_looks_like_a_multiplier_is_refused(odd: object) -> None:
    with pytest.raises(IllegalMove, match="choose one of 2-9"):
        Rules(Ending.REACH, 100).after(1, odd)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"target": 1},
            "the target must be above the start, which is 1; write 2 or more",
        ),
        ({"target": 5, "start": 5}, "write 6 or more instead of 5"),
        (
            {"target": 100.0},
            "the target must be a whole number, such as 100; not 100.0",
        ),
        (
            {"target": "100"},
            "the target must be a whole number, such as 100; not '100'",
        ),
        ({"target": True}, "the target must be a whole number"),
        ({"target": -(10**5000)}, r"instead of -10000\.\.\.000000 \(5001 digits\)"),
        ({"start": 0}, "the start must be at least 1; write 1 instead of 0"),
        ({"start": 1.5}, "the start must be a whole number, such as 1; not 1.5"),
        ({"multipliers": ()}, "at least one multiplier; write 2-9"),
        ({"multipliers": (2, 1)}, "a multiplier must be at least 2, .* leave out 1"),
        ({"multipliers": (3, 2, 3)}, "each multiplier stands once; write 3 only once"),
        ({"multipliers": (2, 2.5)}, "the multiplier must be a whole number"),
        ({"multipliers": "29"}, "the multiplier must be a whole number"),
        ({"multipliers": 10**5000}, r"several .*; not 10000.* \(5001 digits\)"),
        ({"target": [10**5000]}, "the target must be a whole number, .* not a list"),
        ({"multipliers": 5}, "several whole numbers, such as 2, 3, 5; not 5"),
        ({"ending": "reach"}, "the ending must be one of Ending.REACH"),
    ],
)
def test_rules_that_make_no_game_are_refused_with_a_way_out(
    arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(RulesError, match=sentence):
        Rules(**({"ending": Ending.REACH, "target": 100} | arguments))  # type: ignore[arg-type]


def test_rules_of_any_size_can_be_written_out() -> None:
    rules = Rules(Ending.REACH, 10**5000, [2])
    assert repr(rules) == (
        "Rules(ending=<Ending.REACH: 'reach'>,"
        f" target=1{'0' * 5000}, multipliers=(2,), start=1)"
    )
    assert "multipliers=(2, 3)" in repr(Rules(Ending.REACH, 10, [2, 3]))


def test_a_set_may_have_as_many_as_ten_thousand() -> None:
    assert len(parse_multipliers("2-6000,7000-11000")) == 10_000


def test_multipliers_may_come_in_any_order() -> None:
    rules = Rules(Ending.REACH, 100, [7, 2, 5])
    assert rules.multipliers == (2, 5, 7)
    assert rules == Rules(Ending.REACH, 100, iter([2, 5, 7]))


def test_a_move_loses_at_once_only_beyond_the_target() -> None:
    rules = Rules(Ending.EXACT, 100)
    assert rules.loses_at_once(50, 3)
    assert not rules.loses_at_once(50, 2)
    assert not rules.loses_at_once(5, 3)
    assert not Rules(Ending.REACH, 100).loses_at_once(50, 3)


@pytest.mark.parametrize(
    ("text", "multipliers"),
    [
        ("2-5", (2, 3, 4, 5)),
        ("2,3,5,7", (2, 3, 5, 7)),
        (" 7 , 2 - 3 ", (2, 3, 7)),
        ("12", (12,)),
        ("9-9", (9,)),
    ],
)
def test_multipliers_are_read_as_people_write_them(
    text: str, multipliers: tuple[int, ...]
) -> None:
    assert parse_multipliers(text) == multipliers


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "2,3,5,7; no number is there"),
        (" , ", "no number is there"),
        ("2,3,", "a number is missing after the last comma"),
        (",2", "a number is missing before the first comma"),
        ("2;3", "'2;3' is neither"),
        ("2-3-4", "'2-3-4' is neither"),
        ("2,,3", "a number is missing between two commas"),
        ("-5", "'-5' is neither"),
        ("a" * 100, r"'a{24}[.]{3} \(100 characters\)' is neither"),
        ("\x1b[2J", r"'\\x1b\[2J' is neither"),
        ("9-2", "9-2 goes down; write 2-9"),
        ("1-3", "leave out 1"),
        ("2-4,3", "write 3 only once"),
        ("2-1000000000000", "at most 10000 multipliers"),
        ("2-6000,7000-12000", "at most 10000 multipliers"),
    ],
)
def test_a_set_that_cannot_be_read_says_how_to_write_it(
    text: str, sentence: str
) -> None:
    with pytest.raises(RulesError, match=sentence):
        parse_multipliers(text)
