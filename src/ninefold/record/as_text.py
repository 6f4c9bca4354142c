"""A game as text that a person reads, and that can be read back.

Reading takes the rules and the moves from the text, writes the record anew, and
compares: whatever differs (a total, a name, a line too many) is refused by its line.
"""

from __future__ import annotations

import re

from ninefold.entries import show_entry
from ninefold.errors import RecordError, RulesError
from ninefold.game import Game, Seat
from ninefold.numerals import read, write, write_set
from ninefold.record.content import (
    ENDINGS,
    Record,
    is_key,
    make_rules,
    play_moves,
    resign,
)
from ninefold.rules import Reason, parse_multipliers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_TITLE = "ninefold game, version 1"
_NO_BOOK = "none"
_HEAD_LINES = 6
_SEATS = {str(seat): seat for seat in Seat}
_MOVE = re.compile(r"[0-9]+\. Player [12]: [0-9]+ x ([0-9]+) = [0-9]+")
_RESIGNED = re.compile(rf"Result: (Player [12]) wins \({Reason.RESIGNED.value}\)")


def write_text(record: Record) -> str:
    """Write a record as lines for a person."""
    game, rules = record.game, record.game.rules
    lines = [
        _TITLE,
        f"Game: {record.book or _NO_BOOK}",
        f"Rules: {rules.ending.value} {write(rules.target)}",
        f"Multipliers: {write_set(rules.multipliers)}",
        f"Start: {write(rules.start)}",
        f"First: {game.first}",
    ]
    totals = game.totals()
    mover = game.first
    for number, multiplier in enumerate(game.moves, start=1):
        product = f"{write(totals[number - 1])} x {write(multiplier)}"
        lines.append(f"{number}. {mover}: {product} = {write(totals[number])}")
        mover = mover.other
    lines.append(f"Result: {_result(game)}")
    return "\n".join(lines) + "\n"


def _result(game: Game) -> str:
    if game.outcome is None:
        return f"not finished, {game.to_move} to move"
    return f"{game.outcome.winner} wins ({game.outcome.reason.value})"


def read_text(text: str) -> Record:
    """Read a record written by ``write_text``; refuse anything else with the line."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if lines[:1] != [_TITLE]:
        _refuse(1, f"a record begins with '{_TITLE}'")
    book = _after(lines, 2, "Game: ")
    if not is_key(book):
        _refuse(2, f"expected a rule book's key, or {_NO_BOOK}")
    ending, _, target = _after(lines, 3, "Rules: ").partition(" ")
    if ending not in ENDINGS:
        _refuse(3, f"expected one of {', '.join(ENDINGS)} and the target")
    try:
        multipliers = parse_multipliers(_after(lines, 4, "Multipliers: "))
    except RulesError as error:
        _refuse(4, str(error))
    start = _number(5, _after(lines, 5, "Start: "))
    rules = make_rules(
        "line 3", ENDINGS[ending], _number(3, target), multipliers, start
    )
    first = _SEATS.get(_after(lines, _HEAD_LINES, "First: "))
    if first is None:
        _refuse(_HEAD_LINES, "expected Player 1 or Player 2")
    found = [match for line in lines[_HEAD_LINES:] if (match := _MOVE.fullmatch(line))]
    moves = [read(match[1]) for match in found]
    game = play_moves(rules, first, moves, lambda n: f"line {_HEAD_LINES + 1 + n}")
    if resigned := _RESIGNED.fullmatch(lines[-1]):
        game = resign(game, _SEATS[resigned[1]].other, f"line {len(lines)}")
    record = Record(game, "" if book == _NO_BOOK else book)
    _compare(lines, write_text(record).splitlines())
    return record


def _after(lines: list[str], number: int, label: str) -> str:
    if len(lines) < number or not lines[number - 1].startswith(label):
        _refuse(number, f"expected '{label.strip()}'")
    return lines[number - 1].removeprefix(label)


def _number(line: int, digits: str) -> int:
    if not re.fullmatch("[0-9]+", digits):
        _refuse(line, "expected a whole number in plain digits")
    return read(digits)


def _compare(found: list[str], expected: list[str]) -> None:
    for number, line in enumerate(found, start=1):
        if number > len(expected):
            _refuse(number, f"expected the end of the record; found {show_entry(line)}")
        if line != expected[number - 1]:
            _refuse(number, f"by the rules this line is '{expected[number - 1]}'")
    if len(found) < len(expected):
        _refuse(len(found) + 1, f"the line '{expected[len(found)]}' is missing")


def _refuse(line: int, problem: str) -> NoReturn:
    raise RecordError(f"line {line}", problem)
