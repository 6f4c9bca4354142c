"""A game as JSON, for programs. ``docs/records.md`` describes every key."""

from __future__ import annotations

import json

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
from ninefold.shown import show_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, Self

    from ninefold.game import Game, Seat
    from ninefold.rules import Rules

_VERSION = 1


def write_json(record: Record) -> str:
    """Write a record as a JSON object on one line."""
    return json.dumps(_content(record))


def _content(record: Record) -> dict[str, object]:
    game, rules = record.game, record.game.rules
    return {
        "ninefold": _VERSION,
        "game": record.book or None,
        "rules": rules_to_json(rules),
        "first": game.first.value,
        "moves": [to_json(multiplier) for multiplier in game.moves],
        "resigned": game.resigned.value if game.resigned else None,
        "total": to_json(game.total),
        "outcome": _outcome(game),
    }


def rules_to_json(rules: Rules) -> dict[str, object]:
    """Give rules the form they have in JSON."""
    return {
        "ending": rules.ending.value,
        "target": to_json(rules.target),
        "multipliers": [to_json(multiplier) for multiplier in rules.multipliers],
        "start": to_json(rules.start),
    }


def _outcome(game: Game) -> dict[str, object] | None:
    if game.outcome is None:
        return None
    return {"winner": game.outcome.winner.value, "reason": game.outcome.reason.value}


def read_json(text: str) -> Record:
    """Read a record written by ``write_json``; refuse anything else with the key."""
    top = JsonObject.load(text)
    if top.number("ninefold") != _VERSION:
        top.refuse("ninefold", f"expected version {_VERSION}")
    rules = top.rules("rules")
    first = top.seat("first")
    game = play_moves(rules, first, top.numbers("moves"), lambda n: f"moves[{n}]")
    if top.has("resigned"):
        game = resign(game, top.seat("resigned"), "resigned")
    book = top.take("game") if top.has("game") else ""
    if not isinstance(book, str) or (book and not is_key(book)):
        top.refuse("game", "expected a rule book's key, or null")
    record = Record(game, book)
    if top.holds("total") and top.number("total") != game.total:
        top.refuse("total", f"the moves make it {json.dumps(to_json(game.total))}")
    if top.holds("outcome"):
        _check_outcome(top, game)
    top.refuse_what_is_left()
    return record


def _check_outcome(top: JsonObject, game: Game) -> None:
    given, found = top.take("outcome"), None
    if given is not None:
        parts = JsonObject(given, f"{top.place('outcome')}.")
        found = {"winner": parts.seat("winner").value, "reason": parts.take("reason")}
        parts.refuse_what_is_left()
    if found != _outcome(game):
        top.refuse("outcome", f"the moves make it {json.dumps(_outcome(game))}")


def load_json(text: str) -> object:
    """Read any JSON, numbers of any size in it."""
    try:
        found: object = json.loads(
            text, parse_int=_read_number, object_pairs_hook=_read_object
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise RecordError(place, f"this is not JSON: {error.msg}") from None
    except RecursionError:
        place, problem = "line 1", "this is nested too deeply for a record"
        raise RecordError(place, problem) from None
    return found


def _read_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        left = dict(found)
        twice = next(key for key, _ in pairs if left.pop(key, left) is left)
        place, problem = show_entry(twice) or "line 1", "this key is there twice"
        raise RecordError(place, problem)
    return found


def _read_number(digits: str) -> int:
    return -read(digits[1:]) if digits.startswith("-") else read(digits)


class JsonObject:
    """A JSON object, its keys taken out one by one; a refusal names the key."""

    def __init__(self, table: object, prefix: str = "") -> None:
        """Take what JSON holds at a place; the prefix leads there."""
        self._prefix = prefix
        self._left: dict[str, object] = {}
        if not isinstance(table, dict):
            self.refuse("", "expected an object, in braces")
        self._left = dict(table)

    @classmethod
    def load(cls, text: str) -> Self:
        """Read the text of an object, numbers of any size in it."""
        return cls(load_json(text))

    def refuse(self, key: str, problem: str) -> NoReturn:
        """Refuse the whole, because of one key."""
        raise RecordError(self.place(key).rstrip(".") or "line 1", problem)

    def place(self, key: str) -> str:
        """Name a key with all that leads to it."""
        return self._prefix + key

    def has(self, key: str) -> bool:
        """Whether an optional key is there; null is as good as nothing."""
        if self._left.get(key) is None:
            self._left.pop(key, None)
            return False
        return True

    def holds(self, key: str) -> bool:
        """Whether a key is there, be it with null."""
        return key in self._left

    def take(self, key: str) -> object:
        """Take whatever a key holds."""
        if key not in self._left:
            self.refuse(key, "this key is missing")
        return self._left.pop(key)

    def number(self, key: str) -> int:
        """Take a whole number, long ones as a string of digits."""
        return self._number(self.take(key), key)

    def numbers(self, key: str) -> list[int]:
        """Take a list of whole numbers."""
        found = self.take(key)
        if not isinstance(found, list):
            self.refuse(key, "expected a list of numbers")
        return [self._number(item, f"{key}[{n}]") for n, item in enumerate(found)]

    def seat(self, key: str) -> Seat:
        """Take a seat, which is 1 or 2."""
        seat = SEATS.get(str(self.number(key)))
        return seat or self.refuse(key, "expected 1 or 2")

    def rules(self, key: str) -> Rules:
        """Take rules, as ``rules_to_json`` writes them."""
        parts = JsonObject(self.take(key), f"{self.place(key)}.")
        ending = parts.take("ending")
        if not isinstance(ending, str) or ending not in ENDINGS:
            parts.refuse("ending", f"expected one of {', '.join(ENDINGS)}")
        rules = make_rules(
            {part: parts.place(part) for part in ("target", "multipliers", "start")},
            ENDINGS[ending],
            parts.number("target"),
            parts.numbers("multipliers"),
            parts.number("start"),
        )
        parts.refuse_what_is_left()
        return rules

    def refuse_what_is_left(self) -> None:
        """Refuse keys that nobody has taken."""
        for key in self._left:
            self.refuse(show_entry(key), "no record has this key")

    def _number(self, found: object, place: str) -> int:
        if isinstance(found, str) and is_plain(found):
            return read(found)
        if type(found) is not int:
            self.refuse(place, "expected a whole number")
        return found
