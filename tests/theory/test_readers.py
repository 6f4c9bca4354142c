"""How far an explanation carries over to positions that it was not made for."""

from __future__ import annotations

from itertools import chain
from random import Random
from statistics import mean, median

import pytest

from ninefold import Ending, Oracle, Rules, explain
from ninefold.rulebooks import KEYS, load
from ninefold.theory import Position
from tests.theory import reader

MADNESS = Rules(Ending.REACH, 100)
BOOKS = [load(key).rules for key in KEYS]


def texts(board: reader.Board, totals: list[int]) -> dict[int, str]:
    oracle = Oracle(board.rules)
    return {
        total: explain(Position(board.rules, total), oracle).short for total in totals
    }


def read(board: reader.Board, totals: list[int]) -> dict[int, list[range]]:
    return {at: reader.lost_bands(text) for at, text in texts(board, totals).items()}


def open_positions(board: reader.Board) -> list[int]:
    """List the positions that nobody wins at once."""
    return [x for x, found in board.found.items() if found.distance > 1]


@pytest.mark.parametrize("rules", BOOKS, ids=KEYS)
def test_one_explanation_tells_the_move_at_every_other_position(rules: Rules) -> None:
    board = reader.Board(rules)
    known = read(board, open_positions(board))
    assert reader.generality(board, reader.Reader, known) == 1
    for bands in known.values():
        assert reader.is_right_where_it_speaks(board, reader.Reader(bands))


@pytest.mark.parametrize("rules", BOOKS, ids=KEYS)
def test_the_first_explanation_is_enough_to_win_the_game(rules: Rules) -> None:
    board = reader.Board(rules)
    (bands,) = read(board, [rules.start]).values()
    assert reader.playing_out(board, reader.Reader(bands)) == 1


def test_one_explanation_carries_over_at_random_targets_too() -> None:
    rng = Random(200)
    shares_found: list[float] = []
    for _ in range(200):
        target = round(10 ** rng.uniform(1.3, 5))
        board = reader.Board(Rules(rng.choice(list(Ending)), target))
        start = board.rules.start
        some = rng.sample(list(board.undecided), min(3, len(board.undecided)))
        known = read(board, [start, *some])
        share = reader.generality(board, reader.Reader, known)
        shares_found += [] if share is None else [share]
        for bands in known.values():
            assert reader.is_right_where_it_speaks(board, reader.Reader(bands))
        assert reader.playing_out(board, reader.Reader(known[start])) == 1
    assert len(shares_found) > 190
    assert mean(shares_found) >= 0.95


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("multipliers", [(2, 5, 9), (3, 4), (2, 3, 7)])
def test_with_gaps_an_explanation_still_misleads_nobody(
    ending: Ending, multipliers: tuple[int, ...]
) -> None:
    board = reader.Board(Rules(ending, 1000, multipliers))
    known = read(board, open_positions(board))
    for bands in known.values():
        assert reader.is_right_where_it_speaks(board, reader.Reader(bands))
    knows_rules_only = reader.generality(board, reader.Reader, dict.fromkeys(known, ()))
    told = reader.generality(board, reader.Reader, known)
    assert knows_rules_only is not None
    assert told is not None
    assert told > knows_rules_only


def test_no_sentence_is_long_and_half_of_them_are_short() -> None:
    lengths: list[int] = []
    for rules in BOOKS:
        board = reader.Board(rules)
        for text in texts(board, list(board.found)).values():
            lengths += [len(part.split()) for part in text.split(". ")]
        start = explain(Position(rules, rules.start))
        parts = chain.from_iterable(part.split(". ") for part in start.chain())
        lengths += [len(part.split()) for part in parts]
    assert max(lengths) <= 20
    assert median(lengths) <= 12


def test_without_a_sentence_the_reader_knows_the_rules_only() -> None:
    board = reader.Board(MADNESS)
    assert reader.shares(board, reader.Reader([])) == {
        1: 4 / 8,
        2: 3 / 8,
        3: 2 / 8,
        4: 1 / 8,
        5: 1 / 8,
    }


@pytest.mark.parametrize(
    ("kind", "bands"),
    [
        (reader.Reader, [range(6, 12)]),
        (reader.TakesOneTooMany, [range(5, 13)]),
        (reader.LeavesOutTheEnds, [range(7, 11)]),
    ],
)
def test_a_reader_may_mistake_the_edges(
    kind: type[reader.Reader], bands: list[range]
) -> None:
    assert kind(reader.lost_bands("From 6 to 11 every move loses.")).bands == bands


@pytest.mark.parametrize(
    ("text", "bands"),
    [
        ("×8 leaves 8. From 6 to 11 every move loses. It ends.", [range(6, 12)]),
        (
            "You are at 5. At 5, at 8 and from 20 to 22 every move loses.",
            [range(5, 6), range(8, 9), range(20, 23)],
        ),
        (
            "You are at 5. From 4 to 6 every move loses.",
            [range(4, 7)],
        ),
        ("×6 makes 540, past 100, and wins at once.", []),
    ],
)
def test_a_reader_reads_bands_as_they_are_said(text: str, bands: list[range]) -> None:
    assert reader.lost_bands(text) == bands
