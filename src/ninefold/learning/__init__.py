"""Learning: items to practise, how well each is known, and when it is due.

::

    items                 an item: its question, kind of answer, help and check
    multiplication_facts  the 36 multiplication facts, and which of them a product uses
    product_slips         the six skills; help in steps; the slip behind a wrong product
    puzzles               positions at which exactly one multiplier wins
    review_schedule       how well facts, skills and puzzles are known; when due
    practice              rounds: makers of items, and the choice of items for a learner
    walk                  items, messages and games in order; the results of answers
    claims                claims that a total is lost or won; the games that judge them
    path_steps            the steps of the path, in three chapters
"""

from ninefold.learning.items import Activity, Answer, AnswerKind, Item, Judged
from ninefold.learning.multiplication_facts import FACTS, Fact, facts_in
from ninefold.learning.practice import (
    Improvement,
    drill,
    gain,
    known_facts,
    practise_game,
    puzzle_item,
    read_item,
)
from ninefold.learning.product_slips import (
    Product,
    ProductSlip,
    Skill,
    product_hints,
    product_slip,
    read_product,
)
from ninefold.learning.puzzles import (
    PUZZLE_LEVELS,
    Puzzle,
    PuzzleResult,
    check,
    make_puzzle,
    puzzle_at,
    read_puzzle,
)
from ninefold.learning.review_schedule import Mastery, Standing, due_puzzles, mastery
from ninefold.learning.walk import Play, Response, Walk, WalkState

__all__ = [
    "FACTS",
    "PUZZLE_LEVELS",
    "Activity",
    "Answer",
    "AnswerKind",
    "Fact",
    "Improvement",
    "Item",
    "Judged",
    "Mastery",
    "Play",
    "Product",
    "ProductSlip",
    "Puzzle",
    "PuzzleResult",
    "Response",
    "Skill",
    "Standing",
    "Walk",
    "WalkState",
    "check",
    "drill",
    "due_puzzles",
    "facts_in",
    "gain",
    "known_facts",
    "make_puzzle",
    "mastery",
    "practise_game",
    "product_hints",
    "product_slip",
    "puzzle_at",
    "puzzle_item",
    "read_item",
    "read_product",
    "read_puzzle",
]
