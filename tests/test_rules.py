from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable
from itertools import count

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, IllegalMove, Reason, Rules, RulesError
from ninefold.rules import MOST_DIGITS, parse_multipliers, parse_number
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
    wins: bool,
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
def test_values_equal_to_multipliers_but_of_another_type_are_rejected(
    odd: object,
) -> None:
    with pytest.raises(IllegalMove, match="choose one of 2-9"):
        Rules(Ending.REACH, 100).after(1, odd)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"target": 1},
            r"the target must be greater than the start \(1\); use 2 or more",
        ),
        ({"target": 5, "start": 5}, "use 6 or more instead of 5"),
        (
            {"target": 100.0},
            "the target must be a whole number, such as 100; not 100.0",
        ),
        (
            {"target": "100"},
            "the target must be a whole number, such as 100; not '100'",
        ),
        ({"target": True}, "the target must be a whole number"),
        ({"target": -5}, "use 2 or more instead of -5"),
        ({"start": 0}, "the start must be at least 1; use 1 instead of 0"),
        ({"start": 1.5}, "the start must be a whole number, such as 1; not 1.5"),
        ({"multipliers": ()}, "at least one multiplier; use 2-9"),
        ({"multipliers": (2, 1)}, "a multiplier must be at least 2, .* leave out 1"),
        ({"multipliers": (3, 2, 3)}, "3 is listed twice; list each multiplier once"),
        ({"multipliers": (2, 2.5)}, "the multiplier must be a whole number"),
        ({"multipliers": "29"}, "the multiplier must be a whole number"),
        (
            {"multipliers": 10**5000},
            "several .*; not 100000.*5,001 digits",
        ),
        ({"target": [10**5000]}, "the target must be a whole number, .* not a list"),
        ({"target": 1e400}, "the target must be a whole number, such as 100; not inf"),
        ({"multipliers": 5}, "several whole numbers, such as 2, 3, 5; not 5"),
        ({"ending": "reach"}, "the ending must be one of Ending.REACH"),
    ],
)
def test_invalid_rules_are_rejected_with_a_way_out(
    arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(RulesError, match=sentence):
        Rules(**({"ending": Ending.REACH, "target": 100} | arguments))  # type: ignore[arg-type]


LARGEST = 10**MOST_DIGITS - 1


def test_a_number_may_have_a_thousand_digits() -> None:
    rules = Rules(Ending.REACH, LARGEST, (LARGEST - 1, LARGEST), LARGEST - 1)
    assert len(str(rules.target)) == 1_000
    assert len(repr(rules)) > 4_000


@pytest.mark.parametrize(
    "number", [LARGEST + 1, 10**5000, -(10**5000)], ids=["1001", "5001", "negative"]
)
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("target", lambda number: {"target": number}),
        ("start", lambda number: {"start": number}),
        ("multiplier", lambda number: {"multipliers": (2, number)}),
    ],
)
def test_a_longer_number_is_rejected_in_every_part(
    name: str, parts: Callable[[int], dict[str, object]], number: int
) -> None:
    sentence = f"^the {name} has more than 1,000 digits; use a shorter number$"
    with pytest.raises(RulesError, match=sentence):
        Rules(**({"ending": Ending.REACH, "target": 100} | parts(number)))  # type: ignore[arg-type]


def test_a_set_may_hold_a_hundred_multipliers() -> None:
    assert len(Rules(Ending.REACH, 1000, tuple(range(2, 102))).multipliers) == 100
    assert len(parse_multipliers("2-51,60-109")) == 100


@pytest.mark.parametrize("multipliers", [range(2, 103), range(2, 10**18), count(2)])
def test_a_set_that_is_too_large_or_endless_is_rejected(
    multipliers: Iterable[int],
) -> None:
    with pytest.raises(RulesError, match="use at most 100 multipliers"):
        Rules(Ending.REACH, 1000, multipliers)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "multipliers",
    [[7, 2, 5], (2, 5, 7), {5, 7, 2}, iter([5, 2, 7]), {2: 0, 7: 0, 5: 0}],
)
def test_multipliers_may_come_in_any_order_and_any_collection(
    multipliers: Iterable[int],
) -> None:
    rules = Rules(Ending.REACH, 100, multipliers)  # type: ignore[arg-type]
    assert rules.multipliers == (2, 5, 7)
    assert rules == Rules(Ending.REACH, 100, (2, 5, 7))
    assert hash(rules) == hash(Rules(Ending.REACH, 100, (2, 5, 7)))


@given(all_rules())
def test_rules_are_a_value(rules: Rules) -> None:
    again = Rules(rules.ending, rules.target, rules.multipliers, rules.start)
    assert again == rules
    assert hash(again) == hash(rules)
    assert copy.copy(rules) == copy.deepcopy(rules) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    with pytest.raises(AttributeError):
        rules.target = 5  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del rules.target


def test_changed_rules_are_checked_like_any_other() -> None:
    rules = Rules(Ending.REACH, 100)
    changed = msgspec.structs.replace(rules, target=50, multipliers=(5, 2))
    assert (rules.target, changed.target, changed.multipliers) == (100, 50, (2, 5))
    with pytest.raises(RulesError, match="use 2 or more instead of 1"):
        msgspec.structs.replace(rules, target=1)


def test_rules_are_checked_where_they_are_decoded() -> None:
    text = b'{"ending": "avoid", "target": 60, "multipliers": [3, 2]}'
    assert msgspec.json.decode(text, type=Rules) == Rules(Ending.AVOID, 60, (2, 3))
    below = b"[%s, %s]" % (text, text.replace(b"60", b"1"))
    refused = r"^the target must be greater than the start.* - at `\$\[1\]`$"
    with pytest.raises(msgspec.ValidationError, match=refused) as raised:
        msgspec.json.decode(below, type=list[Rules])
    assert isinstance(raised.value.__cause__, RulesError)


def test_a_move_wins_at_once_only_where_it_ends_the_game() -> None:
    rules = Rules(Ending.EXACT, 100)
    assert rules.wins_at_once(50, 2)
    assert not rules.wins_at_once(50, 3)
    assert not rules.wins_at_once(5, 3)
    assert Rules(Ending.REACH, 100).wins_at_once(50, 3)
    assert not Rules(Ending.AVOID, 100).wins_at_once(50, 3)


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
        ("", "type the multipliers, such as 2-9"),
        (" , ", "nothing was given"),
        ("2,3,", "a number is missing after the last comma"),
        (",2", "a number is missing before the first comma"),
        ("2;3", "'2;3' is neither"),
        ("2-3-4", "'2-3-4' is neither"),
        ("2,,3", "a number is missing between two commas"),
        ("-5", "'-5' is neither"),
        ("a" * 100, r"'a{24}[.]{3} \(100 characters\)' is neither"),
        ("\x1b[2J", r"'\\x1b\[2J' is neither"),
        ("9-2", "the range 9-2 is backwards; use 2-9"),
        ("1-3", "leave out 1"),
        ("2-4,3", "3 is listed twice"),
        ("2-1000000000000", "use at most 100 multipliers"),
        ("2-60,70-120", "use at most 100 multipliers"),
        ("9" * 1_001, "the multiplier has more than 1,000 digits; use a shorter"),
        ("2-" + "9" * 5_000, "the multiplier has more than 1,000 digits"),
    ],
)
def test_invalid_multipliers_are_rejected_with_an_example(
    text: str, sentence: str
) -> None:
    with pytest.raises(RulesError, match=sentence):
        parse_multipliers(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("100", 100),
        (" 007\n", 7),
        ("000", 0),
        ("1,000", 1_000),
        ("12,345,678", 12_345_678),
        ("9" * 1_000, LARGEST),
        ("0" * 5_000 + "1", 1),
    ],
)
def test_a_number_is_read_from_plain_digits(text: str, number: int) -> None:
    assert parse_number(text, "target") == number


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("9" * 1_001, "the seed has more than 1,000 digits; use a shorter number"),
        ("9" * 5_000, "the seed has more than 1,000 digits; use a shorter number"),
        ("-5", "the seed must be a whole number in plain digits, such as 100; '-5' is"),
        ("1e3", "'1e3' is not"),
        ("1,00", "'1,00' is not"),
        ("1000,000", "'1000,000' is not"),
        (",100", "',100' is not"),
        ("\uff15", "is not"),
        ("", "type a seed, such as 100"),
        ("\x1b[2J", r"'\\x1b\[2J' is not"),
    ],
)
def test_an_invalid_number_is_rejected_with_an_example(
    text: str, sentence: str
) -> None:
    with pytest.raises(RulesError, match=sentence):
        parse_number(text, "seed")
