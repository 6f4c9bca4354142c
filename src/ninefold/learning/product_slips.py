"""Products: how to compute them, which skill they need, and where a wrong one slipped.

Besides the 36 facts there are six skills, practised with different numbers each time. A
product of larger numbers is computed in parts: 45 × 7 is 280 + 35. So a wrong answer
often shows the slip: in a fact, in the place of a digit, or in the adding.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import Enum

from msgspec import Struct

from ninefold.learning.multiplication_facts import DIGITS, FACTS, Fact, facts_in
from ninefold.rules import MOST_TOTAL_DIGITS
from ninefold.text import BLANKS, is_digits, join_words, shorten, ungroup

_MOST_PARTS = 4  # more of them do not help
_LONGEST_PRODUCT = MOST_TOTAL_DIGITS
_TWO_DIGITS = 2
_FIVE, _EIGHT, _NINE, _TEN = 5, 8, 9, 10
_ADDING_SLIPPED = "your facts were right, the slip was in the adding."


class Skill(Enum):
    """A skill that products need besides the facts."""

    TENS = "tens"
    ADDING = "adding parts"
    DOUBLING = "doubling"
    TWO_DIGITS = "two digits"
    THREE_DIGITS = "three digits"
    RANGE = "hitting a range"


class Product(Struct, frozen=True, omit_defaults=True):
    """A multiplication problem, and the answer given to it."""

    total: int
    multiplier: int
    answer: int
    hinted: bool = False
    """Whether help was used."""

    @property
    def key(self) -> str:
        """The problem as the key of an item: ``45x7``."""
        return f"{self.total}x{self.multiplier}"

    @property
    def right(self) -> bool:
        """Whether the answer is the product."""
        return self.answer == self.total * self.multiplier

    @property
    def correction(self) -> str:
        """The product, with its parts if they help, in one sentence.

        >>> print(Product(45, 7, 305).correction)
        45 × 7 is 315, because 40 × 7 is 280 and 5 × 7 is 35.
        """
        whole = worked_out(self.total, self.multiplier)
        parts = parts_of(self.total, self.multiplier)
        if not 1 < len(parts) <= _MOST_PARTS:
            return f"{whole}."
        steps = join_words([worked_out(*part) for part in parts])
        return f"{whole}, because {steps}."


def read_product(text: str) -> int | None:
    """Read a whole number that a person typed; None if it is not one.

    >>> read_product(" 4,860 "), read_product("4,86"), read_product("many")
    (4860, None, None)
    """
    digits = ungroup(text.strip(BLANKS))
    if not is_digits(digits) or len(digits) > _LONGEST_PRODUCT:
        return None
    return int(digits)


def worked_out(total: int, multiplier: int) -> str:
    """Return a product as a clause: ``45 × 7 is 315``."""
    product = shorten(total * multiplier)
    return f"{shorten(total)} × {shorten(multiplier)} is {product}"


def parts_of(total: int, multiplier: int) -> list[tuple[int, int]]:
    """Return the partial products of a product: ``[(40, 7), (5, 7)]``."""
    digits = str(total)
    return [
        (int(digit) * 10**place, multiplier)
        for digit, place in zip(digits, range(len(digits) - 1, -1, -1), strict=True)
        if digit != "0"
    ]


def skill_of(total: int, multiplier: int) -> Skill | None:
    """Return the skill that a product needs; None for a fact, or if there is none.

    >>> skill_of(40, 7), skill_of(45, 7), skill_of(7, 8), skill_of(10, 7)
    (<Skill.TENS: 'tens'>, <Skill.TWO_DIGITS: 'two digits'>, None, None)
    """
    if not facts_in(total, multiplier) or total in DIGITS:
        return None
    if len(parts_of(total, multiplier)) == 1:
        return Skill.TENS
    if multiplier == _TWO_DIGITS:
        return Skill.DOUBLING
    return Skill.TWO_DIGITS if len(str(total)) == _TWO_DIGITS else Skill.THREE_DIGITS


# Help in steps


def product_hints(
    total: int, multiplier: int, known: Collection[Fact] = FACTS
) -> tuple[str, ...]:
    """Return how to compute a product from known facts; the last step reveals it.

    >>> for step in product_hints(7, 8, known=[Fact(4, 7)]):
    ...     print(step)
    7 × 4 is 28.
    7 × 8 is twice that.
    7 × 8 is 56.
    >>> for step in product_hints(45, 7):
    ...     print(step)
    40 × 7 is 280.
    Then 5 × 7.
    280 + 35 is 315.
    """
    if _is_fact(total, multiplier):
        return _fact_hints(total, multiplier, known)
    if total in DIGITS:  # 7 × 12 has parts as 12 × 7
        total, multiplier = multiplier, total
    parts = parts_of(total, multiplier)
    told = f"{worked_out(total, multiplier)}."
    if len(parts) == 1 and total >= _TEN:
        lead = int(str(total)[0])
        zeros = shorten(total // lead)
        return f"{worked_out(lead, multiplier)}.", f"Now {zeros} times that.", told
    if not 1 < len(parts) <= _MOST_PARTS:
        return (told,)
    first, *rest = (f"{shorten(part)} × {shorten(multiplier)}" for part, _ in parts)
    sums = " + ".join(shorten(part * multiplier) for part, _ in parts)
    return (
        f"{first} is {shorten(parts[0][0] * multiplier)}.",
        f"Then {join_words(rest)}.",
        f"{sums} is {shorten(total * multiplier)}.",
    )


def _fact_hints(a: int, b: int, known: Collection[Fact]) -> tuple[str, ...]:
    """Derive a fact from a known one; 2, 5 and 10 times a number count as known."""
    asked, told = f"{a} × {b}", f"{worked_out(a, b)}."
    if _TWO_DIGITS in (a, b):
        other = a * b // _TWO_DIGITS
        return f"It is {other} + {other}.", told
    if _FIVE in (a, b):
        return f"{worked_out(a * b // _FIVE, _TEN)}.", f"{asked} is half of that.", told
    for one, other in ((a, b), (b, a)):
        steps = [
            (other // 2, "twice that", other % 2 == 0),
            (other - 1, f"{one} more than that", True),
            (other + 1, f"{one} less than that", True),
        ]
        for base, then, fits in steps:
            helps = base in (_TWO_DIGITS, _FIVE, _TEN) or Fact(one, base) in known
            if fits and helps:
                return f"{worked_out(one, base)}.", f"{asked} is {then}.", told
    if _EIGHT in (a, b):
        first = f"{worked_out(a * b // _EIGHT, _TWO_DIGITS)}."
        return first, f"{asked} is twice that, and twice again.", told
    return f"{worked_out(a, _FIVE)}.", f"{asked} is {2 * a} more than that.", told


# Slips


class ProductSlip(Struct, frozen=True):
    """What went wrong in a product, in a sentence, and what to practise."""

    words: str
    practise: Fact | Skill


def product_slip(total: int, multiplier: int, answer: int) -> ProductSlip:
    """Return the slip behind a wrong product; if several fit, only the correction.

    >>> print(product_slip(45, 7, 305).words)
    280 + 35 is 315: your facts were right, the slip was in the adding.
    >>> print(product_slip(45, 7, 63).words)
    The 4 in 45 stands for 40, and 40 × 7 is 280.
    >>> print(product_slip(40, 7, 210).words)
    4 × 7 is 28; so 40 × 7 is 280.
    >>> print(product_slip(7, 8, 63).words)
    63 is 7 × 9; 7 × 8 is 56.
    >>> print(product_slip(45, 8, 400).words)  # 40 × 9, or 40 added twice
    45 × 8 is 360.
    """
    if _is_fact(total, multiplier):
        return ProductSlip(
            _fact_slip(total, multiplier, answer), Fact(total, multiplier)
        )
    told = f"{worked_out(total, multiplier)}."
    parts = [part for part, _ in parts_of(total, multiplier)]
    if len(parts) <= _MOST_PARTS and not _may_be_misread(total, multiplier, answer):
        fitting = [
            *_misplaced(parts, total, multiplier, answer),
            *_wrong_facts(parts, total, multiplier, answer),
            *_wrong_sums(parts, total, multiplier, answer),
        ]
        if len(fitting) == 1:
            return fitting[0]
    return ProductSlip(told, skill_of(total, multiplier) or Skill.TENS)


def _misplaced(
    parts: Sequence[int], total: int, multiplier: int, answer: int
) -> Iterator[ProductSlip]:
    """Yield the slips that put a digit in the wrong place."""
    for part in parts:
        value, digit = part * multiplier, _digit_of(part)
        taken = answer - total * multiplier + value
        places = range(len(str(total)) + 1)
        misplaced = {10**place * digit * multiplier for place in places} - {value}
        if part >= _TEN and taken in misplaced:
            words = f"The {digit} in {shorten(total)} stands for {shorten(part)}, and "
            yield ProductSlip(f"{words}{worked_out(part, multiplier)}.", Skill.TENS)


def _wrong_facts(
    parts: Sequence[int], total: int, multiplier: int, answer: int
) -> Iterator[ProductSlip]:
    """Yield the mistakes that use a neighbouring fact, such as 7 × 8 for 7 × 9."""
    off = abs(answer - total * multiplier)
    for part in parts:
        digit = _digit_of(part)
        near = multiplier * (part // digit), part
        if _is_fact(digit, multiplier) and off in near:
            known = worked_out(part if len(parts) > 1 else digit, multiplier)
            words = f"{known}; so {worked_out(total, multiplier)}."
            yield ProductSlip(words, Fact(digit, multiplier))


def _wrong_sums(
    parts: Sequence[int], total: int, multiplier: int, answer: int
) -> Iterator[ProductSlip]:
    """Yield the slips in adding: a wrong carry, or a part left out or added twice."""
    product, values = total * multiplier, [part * multiplier for part in parts]
    carries = {10**place for place in range(1, len(str(product)))}
    if len(parts) > 1 and abs(answer - product) in carries.union(values):
        sums = " + ".join(map(shorten, values))
        text = f"{sums} is {shorten(product)}: {_ADDING_SLIPPED}"
        yield ProductSlip(text, Skill.ADDING)


def _may_be_misread(total: int, multiplier: int, answer: int) -> bool:
    """Whether misreading a factor or a wrong shortcut can explain the answer, too."""
    parts = [part for part, _ in parts_of(total, multiplier)]
    if len(parts) == 1:
        return False  # a single part with another digit is another fact
    read = {total + _TEN - total % _TEN}  # rounded up, and nothing taken off again
    for part in parts:
        digit, place = _digit_of(part), part // _digit_of(part)
        facts = (digit - 1, digit, digit + 1) if _is_fact(digit, multiplier) else ()
        others = set(range(1, _TEN)).difference(facts)
        read |= {total + (other - digit) * place for other in others}
    made = {each * multiplier for each in read}
    if multiplier in DIGITS:
        made |= {total * other for other in DIGITS}
    # A wrong carry may come from a shortcut: 25 × 9 as 250 - 25.
    off = str(abs(answer - total * multiplier))
    return answer in made or (multiplier == _NINE and off.strip("0") == "1")


def _is_fact(digit: int, multiplier: int) -> bool:
    return digit in DIGITS and multiplier in DIGITS


def _digit_of(part: int) -> int:
    return int(str(part)[0])


def _fact_slip(a: int, b: int, answer: int) -> str:
    told = f"{worked_out(a, b)}."
    for one, other in ((a, b), (b, a)):
        if answer % one == 0 and abs(answer // one - other) == 1:
            return f"{answer} is {one} × {answer // one}; {told}"
    return told
