"""A game as JSON, for programs. ``docs/records.md`` describes every key."""

from __future__ import annotations

import json

from ninefold.entries import show_entry
from ninefold.errors import RecordError
from ninefold.numerals import is_plain, read, to_json
from ninefold.record.content import (
    ENDINGS,
    SEATS,
    Record,
    is_key,
    make_rules,
    play_moves,
    resign,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from ninefold.game import Game, Seat

_VERSION = 1


def write_json(record: Record) -> str:
    """Write a record as a JSON object on one line."""
    return json.dumps(_content(record))


def _content(record: Record) -> dict[str, object]:
    game, rules = record.game, record.game.rules
    return {
        "ninefold": _VERSION,
        "game": record.book or None,
        "rules": {
            "ending": rules.ending.value,
            "target": to_json(rules.target),
            "multipliers": [to_json(multiplier) for multiplier in rules.multipliers],
            "start": to_json(rules.start),
        },
        "first": game.first.value,
        "moves": [to_json(multiplier) for multiplier in game.moves],
        "resigned": game.resigned.value if game.resigned else None,
        "total": to_json(game.total),
        "outcome": _outcome(game),
    }


def _outcome(game: Game) -> dict[str, object] | None:
    if game.outcome is None:
        return None
    return {"winner": game.outcome.winner.value, "reason": game.outcome.reason.value}


def read_json(text: str) -> Record:
    """Read a record written by ``write_json``; refuse anything else with the key."""
    try:
        table = json.loads(text, parse_int=_read_number)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise RecordError(place, f"this is not JSON: {error.msg}") from None
    except RecursionError:
        problem = "this is nested too deeply for a record"
        raise RecordError("line 1", problem) from None
    top = _Object(table, "")
    if top.take("ninefold") != _VERSION:
        top.refuse("ninefold", f"expected version {_VERSION}")
    rules_in = _Object(top.take("rules"), "rules.")
    ending = rules_in.take("ending")
    if not isinstance(ending, str) or ending not in ENDINGS:
        rules_in.refuse("ending", f"expected one of {', '.join(ENDINGS)}")
    rules = make_rules(
        "rules",
        ENDINGS[ending],
        rules_in.number("target"),
        rules_in.numbers("multipliers"),
        rules_in.number("start"),
    )
    rules_in.refuse_what_is_left()
    first = top.seat("first")
    game = play_moves(rules, first, top.numbers("moves"), lambda n: f"moves[{n}]")
    if top.has("resigned"):
        game = resign(game, top.seat("resigned"), "resigned")
    book = top.take("game") if top.has("game") else ""
    if not isinstance(book, str) or (book and not is_key(book)):
        top.refuse("game", "expected a rule book's key, or null")
    record = Record(game, book)
    for derived in ("total", "outcome"):
        expected = _content(record)[derived]
        if top.has(derived) and top.take(derived) != expected:
            top.refuse(derived, f"the moves make it {json.dumps(expected)}")
    top.refuse_what_is_left()
    return record


def _read_number(digits: str) -> int:
    return -read(digits[1:]) if digits.startswith("-") else read(digits)


class _Object:
    """A JSON object, its keys taken out one by one."""

    def __init__(self, table: object, prefix: str) -> None:
        self._prefix = prefix
        self._left: dict[str, object] = {}
        if not isinstance(table, dict):
            self.refuse("", "expected an object, in braces")
        self._left = dict(table)

    def refuse(self, key: str, problem: str) -> NoReturn:
        place = (self._prefix + key).rstrip(".") or "line 1"
        raise RecordError(place, problem)

    def has(self, key: str) -> bool:
        """Whether an optional key is there; null is as good as nothing."""
        if self._left.get(key) is None:
            self._left.pop(key, None)
            return False
        return True

    def take(self, key: str) -> object:
        if key not in self._left:
            self.refuse(key, "this key is missing")
        return self._left.pop(key)

    def number(self, key: str) -> int:
        return self._number(self.take(key), key)

    def numbers(self, key: str) -> list[int]:
        found = self.take(key)
        if not isinstance(found, list):
            self.refuse(key, "expected a list of numbers")
        return [self._number(item, f"{key}[{n}]") for n, item in enumerate(found)]

    def seat(self, key: str) -> Seat:
        return SEATS.get(str(self.take(key))) or self.refuse(key, "expected 1 or 2")

    def refuse_what_is_left(self) -> None:
        for key in self._left:
            self.refuse(show_entry(key), "no record has this key")

    def _number(self, found: object, place: str) -> int:
        if isinstance(found, str) and is_plain(found):
            return read(found)
        if type(found) is not int:
            self.refuse(place, "expected a whole number")
        return found
