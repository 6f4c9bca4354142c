"""A game as text that a person reads, and that can be read back.

Reading takes the rules and the moves from the text, writes the record anew, and
compares: whatever differs (a total, a name, a line too many) is refused by its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from ninefold.errors import RecordError, RulesError
from ninefold.game import Game, Seat
from ninefold.notation.record import (
    ENDINGS,
    NO_BOOK,
    Record,
    is_key,
    make_rules,
    play_moves,
    read_number,
    resign,
)
from ninefold.rules import Reason, Rules, parse_multipliers
from ninefold.text import excerpt, write_set

_MARK = "ninefold game, version "
_TITLE = f"{_MARK}1"
_FIRST_LINE = 6
_SEATS = {str(seat): seat for seat in Seat}
_MOVE = re.compile(r"[0-9]+\. Player [12]: [0-9]+ × ([0-9]+) = [0-9]+")
_RESULT = "Result: "
_RESIGNED = re.compile(rf"{_RESULT}(Player [12]) wins \({Reason.RESIGNED.value}\)")


def write_text(record: Record) -> str:
    """Write a record as lines for a person."""
    game, rules = record.game, record.game.rules
    lines = [
        _TITLE,
        f"Game: {record.book or NO_BOOK}",
        f"Rules: {rules.ending.value} {rules.target}",
        f"Multipliers: {write_set(rules.multipliers)}",
        f"Start: {rules.start}",
        f"First: {game.first}",
    ]
    for turn in game.turns():
        product = f"{turn.total} × {turn.multiplier} = {turn.makes}"
        lines.append(f"{turn.number}. {turn.seat}: {product}")
    lines.append(_RESULT + _result(game))
    return "\n".join(lines) + "\n"


def _result(game: Game) -> str:
    if game.outcome is None:
        return f"not finished, {game.to_move} to move"
    return f"{game.outcome.winner} wins ({game.outcome.reason.value})"


def read_text(text: str) -> Record:
    """Read a record written by ``write_text``; refuse anything else with the line.

    Blanks around lines and empty lines around the record do not count.
    """
    lines = _Lines(text)
    if lines.at(1) != _TITLE:
        if lines.at(1).startswith(_MARK):
            lines.refuse(1, f"this version is not known here; expected '{_TITLE}'")
        lines.refuse(1, f"a record begins with '{_TITLE}'")
    book = lines.after(2, "Game: ")
    if book != NO_BOOK and not is_key(book):
        lines.refuse(2, f"expected a rule book's key, or {NO_BOOK} for none")
    rules = _read_rules(lines)
    first = _SEATS.get(lines.after(_FIRST_LINE, "First: "))
    if first is None:
        lines.refuse(_FIRST_LINE, "expected Player 1 or Player 2")
    game = play_moves(rules, first, _read_moves(lines))
    result = _FIRST_LINE + 1 + len(game.moves)
    if resigned := _RESIGNED.fullmatch(lines.at(result)):
        game = resign(game, _SEATS[resigned[1]].other, lines.place(result))
    record = Record(game, "" if book == NO_BOOK else book)
    lines.compare(write_text(record).rstrip("\n").split("\n"))
    return record


def _read_rules(lines: _Lines) -> Rules:
    ending, _, target = lines.after(3, "Rules: ").partition(" ")
    if ending not in ENDINGS:
        lines.refuse(3, f"expected one of {', '.join(ENDINGS)} and the target")
    try:
        multipliers = parse_multipliers(lines.after(4, "Multipliers: "))
    except RulesError as error:
        lines.refuse(4, str(error))
    return make_rules(
        {
            "target": lines.place(3),
            "multipliers": lines.place(4),
            "start": lines.place(5),
        },
        ENDINGS[ending],
        lines.number(3, target, "target"),
        multipliers,
        lines.number(5, lines.after(5, "Start: "), "start"),
    )


def _read_moves(lines: _Lines) -> Iterator[tuple[str, int]]:
    """Read the moves, each with its place, up to the result or the end of the text."""
    for number in range(_FIRST_LINE + 1, len(lines) + 1):
        if lines.at(number).startswith(_RESULT):
            break
        move = _MOVE.fullmatch(lines.at(number))
        if move is None:
            problem = "expected a move, such as '1. Player 1: 1 × 5 = 5', or the result"
            lines.refuse(number, problem)
        yield lines.place(number), lines.number(number, move[1], "multiplier")


class _Lines:
    """The lines of a text, counted from its title, named by where they stand."""

    def __init__(self, text: str) -> None:
        begin = len(text) - len(text.lstrip())
        self._skipped = text.count("\n", 0, begin)
        self._lines = [line.strip() for line in text.strip().split("\n")]

    def __len__(self) -> int:
        return len(self._lines)

    def at(self, number: int) -> str:
        """Return a line, empty where the text has ended."""
        return self._lines[number - 1] if number <= len(self._lines) else ""

    def place(self, number: int) -> str:
        return f"line {self._skipped + number}"

    def refuse(self, number: int, problem: str) -> NoReturn:
        raise RecordError(self.place(number), problem)

    def after(self, number: int, label: str) -> str:
        if not self.at(number).startswith(label):
            self.refuse(number, f"expected '{label.strip()}'")
        return self.at(number).removeprefix(label)

    def number(self, number: int, digits: str, name: str) -> int:
        return read_number(digits, name, self.place(number))

    def compare(self, expected: list[str]) -> None:
        """Refuse whatever differs from the record written anew."""
        for number, line in enumerate(expected, start=1):
            if number > len(self._lines):
                self.refuse(number, f"the line '{line}' is missing")
            if self.at(number) != line:
                self.refuse(number, f"by the rules this line is '{line}'")
        if len(self._lines) > len(expected):
            number = len(expected) + 1
            found = excerpt(self.at(number)) or "an empty line"
            self.refuse(number, f"expected the end of the record; found {found}")
