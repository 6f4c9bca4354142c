"""How well things are known, by the answers that were given, and when they are due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.learning import FACTS, Activity, Answer, Skill, read_item, review_schedule

START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
NEW, SHAKY, FIRM, KNOWN = review_schedule.Standing
ORDER = [*review_schedule.Standing]


def answer(
    item: str,
    given: int,
    day: float = 0,
    *,
    hinted: bool = False,
    seconds: float | None = None,
    activity: Activity = Activity.DRILL,
) -> Answer:
    return Answer(
        item=item,
        given=str(given),
        right=read_item(item).judge(str(given)).right,
        at=START + timedelta(days=day),
        activity=activity,
        seconds=seconds,
        hinted=hinted,
    )


def standing(*answers: Answer, card: str = "7x8") -> review_schedule.Standing:
    return review_schedule.mastery(answers)[card].standing


items = st.builds("{}x{}".format, st.integers(2, 99), st.integers(2, 9))
drawn = st.builds(
    answer,
    items,
    st.integers(0, 900),
    st.integers(0, 60),
    hinted=st.booleans(),
    seconds=st.none() | st.floats(0.5, 60),
    activity=st.sampled_from(Activity),
)
logs = st.lists(drawn, max_size=12).map(lambda log: sorted(log, key=lambda a: a.at))


def test_a_new_learner_has_36_facts_and_six_skills_that_are_new() -> None:
    cards = [fact.key for fact in FACTS] + [skill.value for skill in Skill]
    assert review_schedule.mastery([]) == dict.fromkeys(
        cards, review_schedule.Mastery()
    )


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([0], FIRM),
        ([0, 0.1, 0.2], FIRM),
        ([0, 1, 2], FIRM),
        ([0, 7], FIRM),
        ([0, 1, 7], FIRM),
        ([0, 8, 9], FIRM),
        ([0, 1, 8], KNOWN),
        ([0, 1, 8, 9], KNOWN),
    ],
)
def test_a_fact_is_known_after_three_days_of_which_one_follows_a_week(
    days: list[float], expected: review_schedule.Standing
) -> None:
    items = ("7x8", "8x7", "7x8", "8x7")
    log = [answer(item, 56, day) for item, day in zip(items, days, strict=False)]
    assert standing(*log) is expected


def test_a_fact_is_known_in_both_orders_and_a_square_in_its_one() -> None:
    days = (0, 1, 8)
    assert standing(*(answer("7x8", 56, day) for day in days)) is FIRM
    assert standing(*(answer("7x7", 49, day) for day in days), card="7x7") is KNOWN
    larger = [answer(item, *rest) for item, *rest in (("7x8", 56, 0), ("8x7", 56, 1))]
    assert standing(*larger, answer("87x4", 348, 8), card="7x8") is FIRM
    assert standing(*larger, answer("8x7", 56, 8)) is KNOWN
    orders = [answer("47x8", 376, 0), answer("7x8", 56, 1), answer("48x7", 336, 8)]
    assert standing(*orders) is KNOWN  # 7 × 8 twice, and then 8 × 7


def test_wrong_or_with_help_is_shaky_until_it_was_right_three_times() -> None:
    for slip in (answer("7x8", 54), answer("7x8", 56, hinted=True)):
        right = [answer("7x8", 56, day) for day in (1, 2, 3)]
        assert standing(slip) is SHAKY
        assert standing(slip, *right[:2]) is SHAKY
        assert standing(slip, *right) is FIRM
        assert review_schedule.mastery([slip, *right])["7x8"].right == 3
        assert review_schedule.mastery([slip, *right])["7x8"].asked == 4


def test_days_before_a_slip_no_longer_count() -> None:
    known = [answer("7x8", 56, 0), answer("8x7", 56, 1), answer("7x8", 56, 8)]
    again = [answer("8x7", 56, 30 + n / 24) for n in range(3)]
    assert standing(*known) is KNOWN
    assert standing(*known, answer("7x8", 54, 20), *again) is FIRM


def test_a_slip_in_adding_leaves_the_facts_as_they_were() -> None:
    found = review_schedule.mastery([answer("45x7", 305)])
    assert found["5x7"] == found["4x7"] == review_schedule.Mastery()
    assert found[Skill.TWO_DIGITS.value] == review_schedule.Mastery()
    assert found[Skill.ADDING.value].standing is SHAKY


def test_a_right_product_counts_for_its_skill_and_its_facts() -> None:
    found = review_schedule.mastery([answer("45x7", 315)])
    shown = {card for card, each in found.items() if each.asked}
    assert shown == {"5x7", "4x7", Skill.TWO_DIGITS.value}
    assert all(found[card].standing is FIRM for card in shown)


def test_sums_and_ranges_count_for_their_skills() -> None:
    found = review_schedule.mastery([answer("280+35", 315), answer("7x?56-111", 8)])
    shown = {card for card, each in found.items() if each.asked}
    assert shown == {Skill.ADDING.value, Skill.RANGE.value}


def test_products_without_arithmetic_count_for_nothing() -> None:
    assert review_schedule.mastery(
        [answer("10x7", 70), answer("10x7", 71)]
    ) == review_schedule.mastery([])


@pytest.mark.parametrize("item", ["7x8", "8x7"])
def test_slow_is_twice_the_usual_time_and_only_in_drills(item: str) -> None:
    usual = [answer("3x3", 9, seconds=2) for _ in range(5)]

    def due(seconds: float, activity: Activity) -> datetime | None:
        last = answer(item, 56, seconds=seconds, activity=activity)
        return review_schedule.mastery([*usual, last])["7x8"].due

    quick = due(3.9, Activity.DRILL)
    slow = due(4.1, Activity.DRILL)
    assert slow is not None
    assert quick is not None
    assert slow < quick
    assert due(60, Activity.PLAY) == quick
    first = answer(item, 56, seconds=60)
    assert (
        review_schedule.mastery([first])["7x8"].due == quick
    )  # nobody knows yet what is usual


def test_a_wrong_answer_is_due_before_a_right_one() -> None:
    wrong, right = answer("7x8", 54), answer("7x8", 56)
    sooner, later = (
        review_schedule.mastery([wrong])["7x8"].due,
        review_schedule.mastery([right])["7x8"].due,
    )
    assert sooner is not None
    assert later is not None
    assert wrong.at < sooner < later


@settings(max_examples=50)
@given(logs)
def test_the_same_answers_always_give_the_same_times(log: list[Answer]) -> None:
    assert review_schedule.mastery(log) == review_schedule.mastery([*log])
    for each in review_schedule.mastery(log).values():
        assert (each.due is None) is (each.asked == 0)
        assert (each.standing is NEW) is (each.asked == 0)
        assert 0 <= each.right <= each.asked


@settings(max_examples=50)
@given(logs, items)
def test_a_right_answer_never_makes_anything_less_known(
    log: list[Answer], item: str
) -> None:
    a, _, b = item.partition("x")
    after = review_schedule.mastery([*log, answer(item, int(a) * int(b), 61)])
    for card, before in review_schedule.mastery(log).items():
        if before.standing is not NEW:
            assert ORDER.index(after[card].standing) >= ORDER.index(before.standing)


def test_answers_at_the_end_of_the_calendar_are_scheduled() -> None:
    last = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)
    given = Answer(item="7x8", given="56", right=True, at=last, activity=Activity.PLAY)
    assert review_schedule.mastery([given])["7x8"].standing is FIRM


def test_due_puzzles_are_sorted_by_how_long_they_are_due() -> None:
    one, two = "nf1.multiplier.avoid1000.3x9", "nf1.multiplier.avoid1000.9x3"
    log = [
        answer(two, 3, activity=Activity.PUZZLE),
        answer(one, 3, 1, activity=Activity.PUZZLE),
        answer("7x8", 54, 1),
    ]
    assert review_schedule.due_puzzles(log, START) == []
    assert review_schedule.due_puzzles(log, START + timedelta(days=30)) == [two, one]
    solved = [*log, answer(two, 2, 2, activity=Activity.PUZZLE)]
    assert review_schedule.due_puzzles(solved, START + timedelta(days=2.1)) == [one]
