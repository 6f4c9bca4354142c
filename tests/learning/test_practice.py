"""Which items a learner is asked, and what a round of them changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold import Ending, Game, NinefoldError, Rules, Seat
from ninefold.learning import (
    FACTS,
    Activity,
    Answer,
    AnswerKind,
    Fact,
    Item,
    Judged,
    Skill,
    drill,
    facts_in,
    gain,
    known_facts,
    mastery,
    practise_game,
    read_item,
)
from ninefold.learning.practice import skill_item
from ninefold.learning.product_slips import skill_of
from ninefold.learning.review_schedule import Standing, factors_of

START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
PUZZLE = "nf1.multiplier.avoid1000.3x9"
seeds = st.integers(0, 2**32).map(Random)


def answer(item: str, given: str, day: float = 0) -> Answer:
    right = read_item(item).judge(given).right
    at = START + timedelta(days=day)
    return Answer(item=item, given=given, right=right, at=at, activity=Activity.DRILL)


def facts_asked(items: list[Item]) -> set[str]:
    """Return the keys of the facts among items, the smaller number first."""
    pairs = [sorted(factors_of(item.key) or ()) for item in items]
    return {"{}x{}".format(*pair) for pair in pairs if pair and pair[-1] < 10}


products = st.builds("{}x{}".format, st.integers(2, 99), st.integers(2, 9))
logs = st.lists(st.builds(answer, products, st.integers(0, 900).map(str)), max_size=20)


@settings(max_examples=40)
@given(logs, seeds)
def test_a_drill_is_eight_facts_and_four_skills(log: list[Answer], rng: Random) -> None:
    items = drill(log, START, rng)
    assert len(items) == 12
    assert len(facts_asked(items)) == 8
    assert len({item.key for item in items}) == 12
    assert facts_asked(items[:1]), "a round begins with a fact"


@settings(max_examples=40)
@given(logs, seeds)
def test_products_without_arithmetic_are_never_asked(
    log: list[Answer], rng: Random
) -> None:
    for item in drill(log, START, rng):
        factors = factors_of(item.key)
        assert factors is None or facts_in(*factors)
        assert "is" in item.hints[-1]


def test_the_same_random_state_gives_the_same_drill() -> None:
    one, two = (drill([], START, Random(7)) for _ in range(2))
    assert [item.key for item in one] == [item.key for item in two]


def test_due_cards_come_first_and_then_shaky_ones() -> None:
    long_ago = [answer(fact.key, str(fact.low * fact.high), -99) for fact in FACTS[:6]]
    shaky = [answer("7x8", "54"), answer("6x9", "56")]
    asked = facts_asked(drill([*long_ago, *shaky], START, Random(1)))
    assert asked == {*(fact.key for fact in FACTS[:6]), "7x8", "6x9"}


def test_a_beginner_is_asked_the_easy_tables_first() -> None:
    asked = facts_asked(drill([], START, Random(1)))
    assert {"2x2", "2x5", "5x5"} <= asked
    assert not any(digit in key for key in asked for digit in "6789")


def test_a_fact_is_asked_in_its_less_frequent_order() -> None:
    log = [answer("7x8", "54"), answer("7x8", "54")]
    keys = [item.key for item in drill(log, START, Random(1))]
    assert "8x7" in keys
    assert "7x8" not in keys


@pytest.mark.parametrize("skill", Skill)
def test_an_item_of_a_skill_needs_that_skill(skill: Skill) -> None:
    for seed in range(300):
        key = skill_item(skill, Random(seed)).key
        factors = factors_of(key)
        if skill in (Skill.ADDING, Skill.RANGE):
            assert ("+" if skill is Skill.ADDING else "x?") in key
        else:
            assert factors is not None
            assert skill_of(*factors) is skill


def test_help_with_a_sum_adds_the_tens_first() -> None:
    assert read_item("280+35").hints == ("280 + 30 is 310.", "280 + 35 is 315.")
    assert read_item("280+5").hints == ("280 + 5 is 285.",)
    assert read_item("280+30").hints == ("280 + 30 is 310.",)


def test_hints_build_only_on_facts_that_were_right_recently() -> None:
    firm, shaky = answer("2x3", "6"), answer("7x8", "54")
    lasting = [
        answer(item, "35", day)
        for item, day in (("5x7", 0), ("7x5", 1), ("5x7", 9), ("7x5", 20))
    ]
    assert known_facts(mastery([firm, shaky, *lasting])) == [Fact(2, 3), Fact(5, 7)]
    assert mastery(lasting)["5x7"].standing is Standing.KNOWN


@settings(max_examples=40)
@given(st.sampled_from(Skill), seeds)
def test_an_item_is_the_same_when_it_is_read_from_its_key(
    skill: Skill, rng: Random
) -> None:
    item = skill_item(skill, rng)
    again = read_item(item.key)
    assert (again.text, again.hints, again.kind) == (item.text, item.hints, item.kind)
    for given_answer in ("2", "8", "315"):
        if item.read_answer(given_answer):
            assert again.judge(given_answer) == item.judge(given_answer)


@settings(max_examples=60)
@given(seeds)
def test_a_range_has_an_answer_and_the_last_hint_reveals_all(
    rng: Random,
) -> None:
    item = skill_item(Skill.RANGE, rng)
    fitting = [each for each in item.choices if item.judge(each).right]
    assert item.text.startswith("Which number from 2 to 9 brings ")
    assert 0 < len(fitting) < len(item.choices)
    assert [
        each for each in item.choices if f"× {each} is" in item.hints[-1]
    ] == fitting
    worst = next(each for each in item.choices if each not in fitting)
    assert item.judge(worst).reason.endswith((": too small.", ": too large."))


def test_a_puzzle_is_an_item_like_any_other() -> None:
    item = read_item(PUZZLE)
    assert item.text.endswith("Exactly one of 2-9 wins. Which one?")
    assert item.judge("2").right
    assert item.judge("3").reason.startswith("Not that one. ×3 makes 81.")
    assert "×2" in item.hints[-1]
    assert item.read_answer("1") is None
    assert item.input_hint == "Type one of 2-9."


@pytest.mark.parametrize(
    "key",
    [
        "",
        "x",
        "7x8x9",
        "7x?8",
        "+",
        "nf1.",
        "\0",
        "?",
        "band:x 9",
        "band:reach 1",
        "band:reach 3",
    ],
)
def test_an_invalid_key_is_rejected(key: str) -> None:
    with pytest.raises(NinefoldError):
        read_item(key)


def test_items_of_a_game_are_its_slips_and_then_its_products() -> None:
    rules = Rules(Ending.REACH, 1000)
    game = Game.replay(rules, (9, 9, 9, 2))
    items = practise_game(game, Seat.ONE, "multiplication-madness")
    keys = [item.key for item in items]
    assert keys[-1:] == ["81x9"]
    assert all(key.startswith("nf1.") for key in keys[:-1])
    assert "1x9" not in keys


def test_items_of_a_game_too_large_to_review_are_only_products() -> None:
    rules = Rules(Ending.AVOID, 10**999, (2, 5, 11, 23))
    game = Game.replay(rules, (5, 2, 5, 2))
    items = practise_game(game, Seat.TWO, "multiplier")
    assert [item.key for item in items] == ["50x2", "5x2"]


def test_a_slip_where_several_moves_won_is_practised_by_aiming_at_the_band() -> None:
    game = Game.replay(Rules(Ending.REACH, 1000), [2, 9, 2, 9, 2, 9])
    keys = [item.key for item in practise_game(game, Seat.ONE, "multiplier-showdown")]
    assert keys[0] == "18x?56-111"


def test_an_unknown_item_is_rejected_with_a_message() -> None:
    with pytest.raises(NinefoldError, match="there is no such item: 'tens'"):
        read_item("tens")


@pytest.mark.parametrize(
    ("typed", "read"),
    [("l", "lost"), (" WON ", "won"), ("", None), ("x", None), ("lost!", None)],
)
def test_a_choice_may_be_shortened(typed: str, read: str | None) -> None:
    item = Item("", "", lambda _: Judged(right=True, reason=""), kind=AnswerKind.CHOICE)
    choice = Item(
        item.key, "", item.judge, kind=AnswerKind.CHOICE, choices=("lost", "won")
    )
    assert choice.read_answer(typed) == read
    assert choice.input_hint == "Type lost or won."


# What a round changed


def test_a_round_reports_what_improved_and_when_the_next_is_due() -> None:
    before = [answer("7x8", "54", -1), answer("7x8", "56", -0.9)]
    after = [*before, answer("8x7", "56"), answer("7x8", "56"), answer("3x3", "8")]
    changed = gain(before, after)
    assert changed.improved == ("7x8",)
    assert changed.next_due is not None
    assert changed.next_due > START
    assert gain(before, before).improved == ()
    assert gain([], []).next_due is None
