"""How well a learner knows facts, skills and puzzles, and when each is due.

The unit is a *card*: one of the 36 facts, one of the six skills, or a puzzle. An answer
is evidence for some cards: a right product for its skill and its facts, a wrong one
for the fact or skill that slipped. Everything here is computed from the answers;
``fsrs`` decides when a card is due.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from itertools import pairwise, takewhile
from statistics import median
from typing import TYPE_CHECKING

from msgspec import Struct

from ninefold.learning.items import Activity, Answer
from ninefold.learning.multiplication_facts import DIGITS, FACTS, Fact, facts_in
from ninefold.learning.product_slips import Skill, product_slip, read_product, skill_of

if TYPE_CHECKING:
    from fsrs import Scheduler

_LATELY = 3
_DAYS = 3
_LAST_GAP = timedelta(days=7)
_SLOW = 2
_FOR_A_MEDIAN = 5
"""The fewest answers that tell a learner's usual time."""


class Standing(Enum):
    """How well a card is known."""

    NEW = "new"
    """Never asked."""
    SHAKY = "shaky"
    """Wrong, or needed help, in one of the last three tries."""
    FIRM = "nearly known"
    """Right recently, but not yet over a long time."""
    KNOWN = "known"
    """Right without help on three days since a slip, one of them a week later."""


class Mastery(Struct, frozen=True):
    """How well one card is known."""

    standing: Standing = Standing.NEW
    right: int = 0
    """How often the answer was right without help."""
    asked: int = 0
    due: datetime | None = None
    """When to ask again; None if it was never asked."""


class _Evidence(Struct, frozen=True):
    """What one answer is evidence of, for one card."""

    card: str
    known: bool
    order: str
    answer: Answer


def fact_of(card: str) -> Fact | None:
    """Return the fact of a card; None for a skill or a puzzle."""
    return _FACTS.get(card)


_FACTS = {fact.key: fact for fact in FACTS}
FACT_CARDS = tuple(_FACTS)
SKILL_CARDS = tuple(skill.value for skill in Skill)
CARDS = (*FACT_CARDS, *SKILL_CARDS)


def mastery(answers: Sequence[Answer]) -> dict[str, Mastery]:
    """Return how well each card is known, from one learner's answers, oldest first.

    Includes all facts and skills, and the puzzles that were tried.
    """
    shown: dict[str, list[_Evidence]] = {card: [] for card in CARDS}
    for answer in answers:
        for each in _shown_by(answer):
            shown.setdefault(each.card, []).append(each)
    usual = {kind: _usual_seconds(answers, of_a_fact=kind) for kind in (True, False)}
    return {
        card: Mastery(
            _standing(card, log),
            sum(each.known for each in log),
            len(log),
            _due_of(log, usual),
        )
        if log
        else Mastery()
        for card, log in shown.items()
    }


def due(standings: dict[str, Mastery], at: datetime) -> list[str]:
    """Return the cards that are due, the longest due first."""
    waiting = [(each.due, card) for card, each in standings.items() if each.due]
    return [card for when, card in sorted(waiting) if when <= at]


def next_due(standings: Mapping[str, Mastery]) -> datetime | None:
    """Return when the next fact or skill is due; None if none was ever asked."""
    dues = [standings[card].due for card in CARDS]
    return min((due for due in dues if due is not None), default=None)


def due_puzzles(answers: Sequence[Answer], at: datetime) -> list[str]:
    """Return the keys of the puzzles that are due, the longest due first."""
    tried = [each for each in answers if each.activity is Activity.PUZZLE]
    return due(mastery(tried), at)


def factors_of(item: str) -> tuple[int, int] | None:
    """Return the factors of an item such as ``45x7``; None for any other item."""
    factors = [read_product(each) for each in item.split("x")]
    match factors:
        case [int(a), int(b)]:
            return a, b
    return None


def _shown_by(answer: Answer) -> Iterator[_Evidence]:
    factors = factors_of(answer.item)
    if factors is None:
        card = answer.item if answer.activity is Activity.PUZZLE else ""
        if "+" in answer.item:
            card = Skill.ADDING.value
        elif "?" in answer.item:
            card = Skill.RANGE.value
        if card:
            yield _Evidence(card, answer.known, "", answer)
        return
    a, b = factors
    if answer.right:
        skill = skill_of(a, b)
        if skill is not None:
            yield _Evidence(skill.value, answer.known, "", answer)
        for fact in facts_in(a, b):
            is_ascending = str(fact.low) in str(a) and str(fact.high) in str(b)
            order = "ascending" if is_ascending else "descending"
            yield _Evidence(fact.key, answer.known, order, answer)
    elif facts_in(a, b):
        given = read_product(answer.given)
        slipped = product_slip(a, b, given if given is not None else 0).practise
        card = slipped.key if isinstance(slipped, Fact) else slipped.value
        yield _Evidence(card, known=False, order="", answer=answer)


def _standing(card: str, log: Sequence[_Evidence]) -> Standing:
    if not all(each.known for each in log[-_LATELY:]):
        return Standing.SHAKY
    since = [*takewhile(lambda each: each.known, reversed(log))]
    days = sorted({each.answer.at.date() for each in since})
    fact = fact_of(card)
    orders = {each.order for each in since}
    both = fact is None or fact.low == fact.high or len(orders) > 1
    gaps = [later - earlier for earlier, later in pairwise(days)]
    long = any(gap >= _LAST_GAP for gap in gaps[_DAYS - 2 :])
    return Standing.KNOWN if both and long else Standing.FIRM


def _usual_seconds(answers: Iterable[Answer], *, of_a_fact: bool) -> float | None:
    """Return the learner's usual time in drills, for facts or for other products."""
    taken = [
        each.seconds
        for each in answers
        if each.seconds is not None
        and each.activity is Activity.DRILL
        and _is_fact(each.item) is of_a_fact
    ]
    return median(taken) if len(taken) >= _FOR_A_MEDIAN else None


def _is_fact(item: str) -> bool:
    factors = factors_of(item)
    return factors is not None and all(each in DIGITS for each in factors)


def _due_of(log: Sequence[_Evidence], usual: dict[bool, float | None]) -> datetime:
    """Return when a card is due, from the evidence for it."""
    from fsrs import Card, Rating  # noqa: PLC0415 - most commands schedule nothing

    card = Card(card_id=0, due=log[0].answer.at)
    for each in log:
        answer = each.answer
        rating = Rating.Good if each.known else Rating.Again
        usually = usual[_is_fact(answer.item)]
        if each.known and usually and answer.activity is Activity.DRILL:
            is_slow = (answer.seconds or 0) > _SLOW * usually
            rating = Rating.Hard if is_slow else Rating.Good
        with suppress(OverflowError):  # due after the last year of the calendar
            card, _ = _scheduler().review_card(card, rating, answer.at)
    return card.due


@cache
def _scheduler() -> Scheduler:
    from fsrs import Scheduler  # noqa: PLC0415

    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
