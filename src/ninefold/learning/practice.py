"""Practice: makes the items of a round, and chooses them for a learner.

There is one maker for each kind of item. ``read_item`` finds it by the item's key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from random import Random

from msgspec import Struct

from ninefold.coach import hints, try_review
from ninefold.errors import PuzzleError
from ninefold.game import Game, Seat
from ninefold.learning.items import Answer, AnswerKind, Item, Judged
from ninefold.learning.multiplication_facts import DIGITS, FACTS, Fact, facts_in
from ninefold.learning.product_slips import (
    Skill,
    product_hints,
    product_slip,
    read_product,
    worked_out,
)
from ninefold.learning.puzzles import AIMS, Puzzle, check, puzzle_at, read_puzzle
from ninefold.learning.review_schedule import (
    FACT_CARDS,
    SKILL_CARDS,
    Mastery,
    Standing,
    due,
    fact_of,
    factors_of,
    mastery,
    next_due,
)
from ninefold.notation import is_record
from ninefold.rules import Ending, Rules
from ninefold.text import excerpt, join_words, shorten
from ninefold.theory import oracle_for

_DRILL_FACTS, _DRILL_SKILLS = 8, 4
_MOST_NEW = 4
_GAME_ITEMS = 8
_FOUNDATIONS = (2, 5, 3, 4, 6, 9, 8, 7)
"""The times tables, the easiest to learn first."""


def read_item(key: str, known: Collection[Fact] = FACTS) -> Item:
    """Rebuild an item from its key; hints may use the ``known`` facts.

    >>> read_item("45x7").judge("305").reason
    '280 + 35 is 315: your facts were right, the slip was in the adding.'
    """
    factors = factors_of(key)
    if factors is not None:
        return product_item(*factors, known)
    numbers = [read_product(each) for each in key.replace("x?", "-").split("-")]
    match numbers:
        case [int(factor), int(least), int(most)] if "x?" in key:
            return range_item(factor, least, most)
    summands = [read_product(each) for each in key.split("+")]
    match summands:
        case [int(a), int(b)]:
            return adding_item(a, b)
    kind, _, target = key.partition(" ")
    for ending in Ending:
        if kind == f"band:{ending.value}":
            return band_item(Rules(ending, read_product(target) or 0))
    if not is_record(key):
        message = f"there is no such item: '{excerpt(key)}'"
        raise PuzzleError(message)
    return puzzle_item(read_puzzle(key))


# Makers


def product_item(a: int, b: int, known: Collection[Fact] = FACTS) -> Item:
    """Return an item that asks for a product, and explains the slip in a wrong one."""

    def judge(answer: str) -> Judged:
        given = int(answer)
        if given == a * b:
            return Judged(right=True, reason=f"{worked_out(a, b)}.")
        return Judged(right=False, reason=product_slip(a, b, given).words)

    text = f"{shorten(a)} × {shorten(b)} = ?"
    return Item(f"{a}x{b}", text, judge, product_hints(a, b, known))


def adding_item(a: int, b: int) -> Item:
    """Return an item that asks for the sum of two partial products."""
    told = f"{shorten(a)} + {shorten(b)} is {shorten(a + b)}."

    def judge(answer: str) -> Judged:
        return Judged(int(answer) == a + b, told)

    tens = b // 10 * 10
    first = f"{shorten(a)} + {shorten(tens)} is {shorten(a + tens)}."
    steps = (first, told) if 0 < tens < b else (told,)
    return Item(f"{a}+{b}", f"{shorten(a)} + {shorten(b)} = ?", judge, steps)


def range_item(factor: int, least: int, most: int) -> Item:
    """Return an item that asks for a multiplier that hits a range of totals."""
    fitting = [digit for digit in DIGITS if least <= factor * digit <= most]
    fits = [worked_out(factor, digit) for digit in fitting]

    def judge(answer: str) -> Judged:
        given = int(answer)
        made = f"{worked_out(factor, given)}"
        if given in fitting:
            return Judged(right=True, reason=f"{made}.")
        missing = least - factor * given
        off = f"{made}: too {'small' if missing > 0 else 'large'}"
        by = missing if missing > 0 else factor * given - most
        return Judged(
            right=False, reason=f"{off}.", measured=f"{off} by {shorten(by)}."
        )

    within = f"{shorten(least)} to {shorten(most)}"
    numbers = f"{DIGITS[0]} to {DIGITS[-1]}"
    text = (
        f"Which number from {numbers} brings {shorten(factor)} × ?"
        f" into the range {within}?"
    )
    steps = (
        f"{worked_out(factor, 2)}, and {worked_out(factor, 9)}.",
        f"{join_words(fits)}." if fits else "No move does.",
    )
    key, choices = f"{factor}x?{least}-{most}", tuple(map(str, DIGITS))
    return Item(key, text, judge, steps, choices=choices, tells=False)


def puzzle_item(puzzle: Puzzle) -> Item:
    """Return an item that asks for the only multiplier that wins."""
    choices = tuple(map(str, puzzle.game.rules.multipliers))

    def judge(answer: str) -> Judged:
        result = check(puzzle, int(answer))
        return Judged(result.right, result.comment)

    steps = tuple(step.text for step in hints(puzzle.game))
    text = f"{puzzle.aim} {puzzle.question} Which one?"
    return Item(puzzle.key, text, judge, steps, choices=choices, tells=False)


def band_item(rules: Rules) -> Item:
    """Return an item that asks for the lost band nearest to the target."""
    bands = [*oracle_for(rules).lost_bands()]
    if not bands:
        message = "every total is won here; choose a larger target"
        raise PuzzleError(message)
    band = max(bands, key=lambda each: each.highest)
    told = f"The highest lost band is {band}: from each of these every move loses."

    def judge(answer: str) -> Judged:
        return Judged(answer == f"{band.lowest} to {band.highest}", told)

    aim = AIMS[rules.ending].format(target=shorten(rules.target))
    text = f"{aim} Which is the highest band from which every move loses?"
    least, most = rules.multipliers[0], rules.multipliers[-1]
    steps = (
        "From which totals does a move end the game?",
        f"Try ×{most} and ×{least} at the ends of the band.",
        told,
    )
    key = f"band:{rules.ending.value} {rules.target}"
    return Item(key, text, judge, steps, AnswerKind.BAND)


def skill_item(skill: Skill, rng: Random, known: Collection[Fact] = FACTS) -> Item:
    """Return an item that practises a skill, with random numbers."""
    digit = partial(rng.choice, DIGITS)
    match skill:
        case Skill.TENS:
            return product_item(digit() * rng.choice((10, 10, 100)), digit(), known)
        case Skill.DOUBLING:
            return product_item(10 * digit() + digit(), 2, known)
        case Skill.TWO_DIGITS:
            return product_item(10 * digit() + digit(), rng.choice(DIGITS[1:]), known)
        case Skill.THREE_DIGITS:
            total = 100 * digit() + 10 * digit() + digit()
            return product_item(total, rng.choice(DIGITS[1:]), known)
        case Skill.ADDING:
            total, multiplier = 10 * digit() + digit(), rng.choice(DIGITS[3:])
            tens = total // 10 * 10 * multiplier
            return adding_item(tens, total % 10 * multiplier)
        case Skill.RANGE:
            factor, multiplier = rng.randint(3, 60), digit()
            least = factor * multiplier - rng.randrange(factor)
            return range_item(factor, least, 2 * least - 1)


# Choosing items


def drill(answers: Sequence[Answer], at: datetime, rng: Random) -> list[Item]:
    """Choose twelve items: eight facts and four skills, mixed; the first is a fact.

    Due cards come first, then shaky ones. New facts come the easiest to learn first, a
    few at a time.
    """
    standings = mastery(answers)
    known = known_facts(standings)
    pressing = [*due(standings, at), *_all(standings, Standing.SHAKY)]
    new = sorted(_all(standings, Standing.NEW), key=_teaching_order)
    others = [*new[:_MOST_NEW], *_all(standings, Standing.FIRM), *new[_MOST_NEW:]]
    facts = [card for card in (*pressing, *others, *FACT_CARDS) if card in FACT_CARDS]
    skills = [card for card in pressing if card in SKILL_CARDS]
    skills += rng.sample(SKILL_CARDS, len(SKILL_CARDS))
    chosen = [
        *list(dict.fromkeys(facts))[:_DRILL_FACTS],
        *list(dict.fromkeys(skills))[:_DRILL_SKILLS],
    ]
    rng.shuffle(chosen)
    first = next(card for card in chosen if card in FACT_CARDS)
    chosen.sort(key=lambda card: card != first)
    return [_item_of(card, answers, rng, known) for card in chosen]


def _all(standings: Mapping[str, Mastery], standing: Standing) -> list[str]:
    return [card for card, each in standings.items() if each.standing is standing]


def _teaching_order(card: str) -> tuple[int, int]:
    fact = fact_of(card)
    if fact is None:
        return len(_FOUNDATIONS), 0
    low, high = sorted(map(_FOUNDATIONS.index, (fact.low, fact.high)))
    return high, low


def _item_of(
    card: str, answers: Sequence[Answer], rng: Random, known: Collection[Fact]
) -> Item:
    fact = fact_of(card)
    if fact is None:
        return skill_item(Skill(card), rng, known)
    asked = [each.item for each in answers]
    orders = (fact.low, fact.high), (fact.high, fact.low)
    a, b = min(
        orders, key=lambda order: (asked.count("{}x{}".format(*order)), rng.random())
    )
    return product_item(a, b, known)


def known_facts(standings: dict[str, Mastery]) -> list[Fact]:
    """Return the facts that a hint may build on."""
    safe = (Standing.FIRM, Standing.KNOWN)
    return [fact for fact in FACTS if standings[fact.key].standing in safe]


def practise_game(
    game: Game, seat: Seat, book: str, known: Collection[Fact] = FACTS
) -> list[Item]:
    """Return items from a finished game: a seat's slips, then its products.

    If the game is too big to review, there are only products.
    """
    items: list[Item] = []
    reviewed = try_review(game)
    for step in () if reviewed is None else reviewed.steps:
        if step.seat is seat and step.slip is not None:
            before = Game.replay(game.rules, game.moves[: step.number - 1], game.first)
            try:
                items.append(puzzle_item(puzzle_at(before, book)))
            except PuzzleError:
                items += _aim_at_band(game.rules, step.total)
    products = [
        product_item(turn.total, turn.multiplier, known)
        for turn in game.turns()
        if turn.seat is seat and facts_in(turn.total, turn.multiplier)
    ]
    return [*items, *reversed(products)][:_GAME_ITEMS]


def _aim_at_band(rules: Rules, total: int) -> list[Item]:
    """Return an item for a slip that several moves would have avoided, if suitable.

    It asks for any multiplier that hits the lost band; it suits the classic set alone.
    """
    oracle = oracle_for(rules)
    move = oracle.winning_moves(total)[0]
    if not facts_in(total, move) or rules.multipliers != tuple(DIGITS):
        return []
    left = rules.after(total, move)
    bands = [band for band in oracle.lost_bands() if left in band]
    return [range_item(total, band.lowest, band.highest) for band in bands]


# Improvement


class Improvement(Struct, frozen=True):
    """The improvement in a round of practice."""

    improved: tuple[str, ...]
    """The cards that the learner knows better than before."""
    next_due: datetime | None
    """When the next fact or skill is due."""


def gain(before: Sequence[Answer], after: Sequence[Answer]) -> Improvement:
    """Return the improvement from the answers before a round to those after it."""
    was, now = mastery(before), mastery(after)
    order = [*Standing]
    improved = tuple(
        card
        for card in now
        if order.index(now[card].standing)
        > order.index(was.get(card, Mastery()).standing)
        and now[card].standing is not Standing.SHAKY
    )
    return Improvement(improved, next_due(now))
