"""Learning: items to practise, how well they are known, and when they come back.

::

    items     an item: what is asked, what an answer looks like, help, a check
    facts     the 36 multiplication facts, and which of them a product exercises
    products  the six skills; help in steps, and what slipped in a wrong product
    puzzles   positions at which exactly one multiplier wins
    mastery   how well each fact, skill and puzzle is known, and when it is due
    practice  makers of items, and which of them a learner is asked
    walk      items, sentences and games one after another, and what comes of answers
    claims    a total is lost, or won: played out
    path      eight steps in three chapters
"""

from ninefold.learning.items import Activity, Answer, Item, Judged, Kind
from ninefold.learning.multiplication_facts import FACTS, Fact, facts_in
from ninefold.learning.practice import (
    Gain,
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
    "Fact",
    "Gain",
    "Item",
    "Judged",
    "Kind",
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
