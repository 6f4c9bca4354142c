"""A game as one line: short, readable, and safe in a URL and in a chat.

``nf1.multiplier.avoid1000.in2-3-5-7.from3.first2.5x3x2.resign1``

Dots separate the fields: the version, the rule book's key or ``-``, the ending and the
target; then, if they are not the usual ones, the multipliers, the start and who starts;
then the moves, if there are any, and the seat that resigned, if one did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NoReturn

from ninefold.errors import RecordError, RulesError
from ninefold.game import Seat
from ninefold.notation.record_json import (
    ENDINGS,
    Record,
    is_key,
    play_moves,
    resign,
)
from ninefold.rules import (
    CLASSIC_MULTIPLIERS,
    MOST_MULTIPLIERS,
    Ending,
    Rules,
    check_multipliers,
    check_start,
    parse_number,
)
from ninefold.text import excerpt, is_digits

_MARK = "nf"
_VERSION = f"{_MARK}1"
_NO_BOOK = "-"
_SEATS = {str(seat.value): seat for seat in Seat}


def write_line(record: Record) -> str:
    """Write a record as one line of unreserved URL characters."""
    game, rules = record.game, record.game.rules
    fields = [
        _VERSION,
        record.book or _NO_BOOK,
        rules.ending.value + str(rules.target),
    ]
    if rules.multipliers != CLASSIC_MULTIPLIERS:
        fields.append("in" + "-".join(map(str, rules.multipliers)))
    if rules.start != 1:
        fields.append("from" + str(rules.start))
    if game.first is not Seat.ONE:
        fields.append(f"first{game.first.value}")
    if game.moves:
        fields.append("x".join(map(str, game.moves)))
    if game.resigned_by is not None:
        fields.append(f"resign{game.resigned_by.value}")
    return ".".join(fields)


def read_line(text: str) -> Record:
    """Read a record written by ``write_line``; an error names the column.

    Blanks and empty lines around it are ignored.
    """
    begin = len(text) - len(text.lstrip())
    line, _, rest = text[text.rfind("\n", 0, begin) + 1 :].partition("\n")
    record = _read_fields(_Fields(line))
    if rest := rest.strip():
        number = text.count("\n", 0, len(text.rstrip()) - len(rest)) + 1
        place, found = f"line {number}", excerpt(rest.partition("\n")[0])
        raise RecordError(place, f"expected the end of the record; found {found}")
    return record


def _read_fields(fields: _Fields) -> Record:
    version = fields.take()
    if version != _VERSION:
        if version.startswith(_MARK) and is_digits(version.removeprefix(_MARK)):
            fields.refuse(f"unknown version; this ninefold reads only {_VERSION}")
        fields.refuse(f"a record starts with {_VERSION}.")
    book = fields.take()
    if book != _NO_BOOK and not is_key(book):
        fields.refuse("expected a rule book's key, or - for none")
    ending = next((name for name in ENDINGS if fields.next_starts_with(name)), None)
    if ending is None:
        fields.take()
        fields.refuse(f"expected {', '.join(ENDINGS)} and the target, such as reach100")
    target = fields.number_after(ending, "target")
    places = {"target": fields.place()}
    multipliers = list(CLASSIC_MULTIPLIERS)
    if fields.next_starts_with("in"):
        # One more than allowed is enough for an error.
        given = islice(fields.numbers_after("in", "-"), MOST_MULTIPLIERS + 1)
        multipliers = [multiplier for _, multiplier in given]
        places["multipliers"] = fields.place()
    start = 1
    if fields.next_starts_with("from"):
        start = fields.number_after("from", "start")
        places["start"] = fields.place()
    rules = _make_rules(places, ENDINGS[ending], target, multipliers, start)
    first = fields.seat_after("first") if fields.next_starts_with("first") else Seat.ONE
    moves = fields.numbers_after("", "x") if fields.next_is_number() else ()
    game = play_moves(rules, first, moves)
    if fields.next_starts_with("resign"):
        game = resign(game, fields.seat_after("resign"), fields.place())
    fields.refuse_what_is_left()
    return Record(game, "" if book == _NO_BOOK else book)


def _make_rules(
    places: Mapping[str, str],
    ending: Ending,
    target: int,
    multipliers: Iterable[int],
    start: int,
) -> Rules:
    """Make the rules of a record; an error names the place of the wrong part.

    ``places`` are those of the ``target``, the ``multipliers`` and the ``start``.
    """
    part = "multipliers"
    try:
        multipliers = check_multipliers(multipliers)
        part = "start"
        check_start(start)
        part = "target"
        return Rules(ending, target, multipliers, start)
    except RulesError as error:
        raise RecordError(places[part], str(error)) from None


class _Fields:
    """The fields of a line, taken one by one, and the column of the latest."""

    def __init__(self, line: str) -> None:
        self._left = line.strip().split(".")
        self._end = len(line.rstrip()) + 1
        self._column = len(line) - len(line.lstrip()) + 1
        self._taken = ""

    def take(self) -> str:
        if not self._left:
            place, problem = f"column {self._end}", "the record ends too early"
            raise RecordError(place, problem)
        self._column += len(self._taken) + 1 if self._taken else 0
        self._taken = self._left.pop(0)
        return self._taken

    def place(self, offset: int = 0) -> str:
        return f"column {self._column + offset}"

    def refuse(self, problem: str, offset: int = 0) -> NoReturn:
        found = excerpt(self._taken[offset:]) or "nothing"
        raise RecordError(self.place(offset), f"{problem}; found {found}")

    def refuse_what_is_left(self) -> None:
        if self._left:
            self.take()
            self.refuse("expected the end of the record")

    def next_starts_with(self, tag: str) -> bool:
        return bool(self._left) and self._left[0].startswith(tag)

    def next_is_number(self) -> bool:
        return bool(self._left) and is_digits(self._left[0][:1])

    def number_after(self, tag: str, name: str) -> int:
        self.take()
        return self._number(self._taken[len(tag) :], len(tag), name)

    def seat_after(self, tag: str) -> Seat:
        self.take()
        seat = _SEATS.get(self._taken[len(tag) :])
        return seat or self.refuse("expected 1 or 2", len(tag))

    def numbers_after(self, tag: str, separator: str) -> Iterator[tuple[str, int]]:
        """Take a list of multipliers, each with its place."""
        self.take()
        offset = len(tag)
        for digits in self._taken[offset:].split(separator):
            yield self.place(offset), self._number(digits, offset, "multiplier")
            offset += len(digits) + len(separator)

    def _number(self, digits: str, offset: int, name: str) -> int:
        if not is_digits(digits) or (digits.startswith("0") and digits != "0"):
            self.refuse("expected a whole number in plain digits", offset)
        try:
            return parse_number(digits, name)
        except RulesError as error:
            raise RecordError(self.place(offset), str(error)) from None
