"""Everything that is kept, as JSON. ``docs/store.md`` describes every key.

A match has one form, in an export and in the file of ``ninefold.store.sqlite``.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from ninefold.errors import NinefoldError, RecordError
from ninefold.game import Seat
from ninefold.match import Length, Match, Starts
from ninefold.numerals import is_plain, read, to_json
from ninefold.record.as_json import JsonObject, rules_to_json
from ninefold.record.content import play_moves, resign
from ninefold.store.kept import KeptGame, KeptMatch, Setup, is_unicode
from ninefold.store.learned import Answer, Scheduled, Try

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from ninefold.rules import Rules
    from ninefold.store.port import Entry

    Kind = TypeVar("Kind", KeptMatch, Answer, Try, Scheduled)

_VERSION = 1
_STARTS = {starts.value: starts for starts in Starts}


def write_entry(entry: Entry) -> str:
    """Write anything that is kept as a JSON object on one line."""
    return write({"ninefold": _VERSION, **_content(entry)})


def write(content: object) -> str:
    """Write JSON in the one form that everything is kept in."""
    return json.dumps(content)


def _content(entry: Entry) -> dict[str, object]:
    if isinstance(entry, KeptMatch):
        return {
            "kind": "match",
            "id": entry.id,
            "begun_at": write_time(entry.begun_at),
            "changed_at": write_time(entry.changed_at),
            "set_aside_at": write_time_if_any(entry.set_aside_at),
            **setup_to_json(entry.setup),
            "games": [_game_to_json(kept) for kept in entry.games],
        }
    if isinstance(entry, Answer):
        return {
            "kind": "answer",
            "id": entry.id,
            "at": write_time(entry.at),
            "a": to_json(entry.a),
            "b": to_json(entry.b),
            "answer": to_json(entry.answer),
        }
    return {
        "kind": "attempt",
        "id": entry.id,
        "at": write_time(entry.at),
        "puzzle": entry.puzzle,
        "multiplier": to_json(entry.multiplier),
        "right": entry.right,
    }


def setup_to_json(setup: Setup) -> dict[str, object]:
    """Give what was agreed the form it has in JSON."""
    match = setup.match
    wins = match.length.wins_needed
    best_of = match.length.as_best_of
    return {
        "book": setup.book or None,
        "book_text": setup.book_text,
        "rules": rules_to_json(match.rules),
        "length": {
            "best_of" if best_of else "first_to": to_json(
                2 * wins - 1 if best_of else wins
            )
        },
        "starts": match.starts.value,
        "first": match.first.value,
        "names": [setup.names[seat] for seat in Seat],
        "players": [setup.players[seat] for seat in Seat],
        "seed": None if setup.seed is None else to_json(setup.seed),
        "options": setup.options,
    }


def _game_to_json(kept: KeptGame) -> dict[str, object]:
    game = kept.game
    return {
        "first": game.first.value,
        "moves": moves_to_json(game.moves),
        "resigned": game.resigned.value if game.resigned else None,
        "begun_at": write_time(kept.begun_at),
        "ended_at": write_time_if_any(kept.ended_at),
    }


def moves_to_json(moves: Sequence[int]) -> list[int | str]:
    """Give moves the form they have in JSON."""
    return [to_json(multiplier) for multiplier in moves]


def write_time(time: datetime) -> str:
    """Write a time so that earlier ones sort before later ones.

    >>> write_time(datetime(2026, 1, 31, 9, 30, tzinfo=UTC))
    '2026-01-31T09:30:00.000000+00:00'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def write_time_if_any(time: datetime | None) -> str | None:
    """Write a time that need not have come."""
    return None if time is None else write_time(time)


def read_entry(line: str) -> Entry:
    """Read what ``write_entry`` wrote; a ``RecordError`` names the key."""
    entry = _Entry.load(line)
    if entry.number("ninefold") != _VERSION:
        entry.refuse("ninefold", f"expected version {_VERSION}")
    kind = entry.text("kind")
    if kind == "match":
        return _whole(entry, _read_match)
    if kind == "answer":
        return _whole(entry, _read_answer)
    if kind == "attempt":
        return _whole(entry, _read_try)
    return entry.refuse("kind", "expected match, answer or attempt")


def match_from_json(table: object) -> KeptMatch:
    """Read a match out of JSON; a ``RecordError`` names the key."""
    return _whole(_Entry(table), _read_match)


def answer_from_json(table: object) -> Answer:
    """Read an answer out of JSON; a ``RecordError`` names the key."""
    return _whole(_Entry(table), _read_answer)


def try_from_json(table: object) -> Try:
    """Read a try at a puzzle out of JSON; a ``RecordError`` names the key."""
    return _whole(_Entry(table), _read_try)


def scheduled_from_json(table: object) -> Scheduled:
    """Read a puzzle that will come back; a ``RecordError`` names the key."""
    return _whole(_Entry(table), _read_scheduled)


def _whole(entry: _Entry, read_kind: Callable[[_Entry], Kind]) -> Kind:
    """Read an entry whole; whatever any layer refuses in it is a ``RecordError``."""
    try:
        found = read_kind(entry)
    except RecordError:
        raise
    except NinefoldError as error:
        entry.refuse("", str(error))
    entry.refuse_what_is_left()
    return found


def _read_answer(entry: _Entry) -> Answer:
    return Answer(
        entry.text("id"),
        entry.whole("a"),
        entry.whole("b"),
        entry.whole("answer"),
        entry.time("at"),
    )


def _read_try(entry: _Entry) -> Try:
    return Try(
        entry.text("id"),
        entry.text("puzzle"),
        entry.whole("multiplier"),
        entry.yes_or_no("right"),
        entry.time("at"),
    )


def _read_scheduled(entry: _Entry) -> Scheduled:
    return Scheduled(entry.text("puzzle"), entry.number("box"), entry.time("due_at"))


def _read_match(entry: _Entry) -> KeptMatch:
    setup = _read_setup(entry)
    rules = setup.match.rules
    games = tuple(_read_game(parts, rules) for parts in entry.objects("games"))
    return KeptMatch(
        entry.text("id"),
        setup,
        games,
        entry.time("begun_at"),
        entry.time("changed_at"),
        entry.time_if_any("set_aside_at"),
    )


def _read_setup(entry: _Entry) -> Setup:
    starts = entry.text("starts")
    if starts not in _STARTS:
        entry.refuse("starts", f"expected one of {', '.join(_STARTS)}")
    rules = entry.rules("rules")
    length = entry.length("length")
    options = entry.take("options")
    if not isinstance(options, dict):
        entry.refuse("options", "expected an object, in braces")
    return Setup(
        Match(rules, length, _STARTS[starts], (), entry.seat("first")),
        entry.two_texts("names"),
        entry.two_texts("players"),
        entry.text("book") if entry.has("book") else "",
        entry.text("book_text") if entry.has("book_text") else None,
        entry.whole("seed") if entry.has("seed") else None,
        options,
    )


def _read_game(parts: _Entry, rules: Rules) -> KeptGame:
    game = play_moves(
        rules,
        parts.seat("first"),
        parts.numbers("moves"),
        lambda n: parts.place(f"moves[{n}]"),
    )
    if parts.has("resigned"):
        game = resign(game, parts.seat("resigned"), parts.place("resigned"))
    kept = KeptGame(game, parts.time("begun_at"), parts.time_if_any("ended_at"))
    parts.refuse_what_is_left()
    return kept


class _Entry(JsonObject):
    """A JSON object with what entries hold besides numbers and seats."""

    def text(self, key: str) -> str:
        found = self.take(key)
        if not isinstance(found, str) or not is_unicode(found):
            self.refuse(key, "expected text")
        return found

    def two_texts(self, key: str) -> dict[Seat, str]:
        found = self.take(key)
        if not isinstance(found, list) or len(found) != len(Seat):
            self.refuse(key, "expected a list of two texts")
        parts = _Entry(dict(zip("12", found, strict=True)), f"{self.place(key)}.")
        return {seat: parts.text(str(seat.value)) for seat in Seat}

    def objects(self, key: str) -> list[_Entry]:
        found = self.take(key)
        if not isinstance(found, list):
            self.refuse(key, "expected a list of objects")
        places = (self.place(f"{key}[{n}]") for n in range(len(found)))
        return [
            _Entry(item, f"{place}.") for item, place in zip(found, places, strict=True)
        ]

    def whole(self, key: str) -> int:
        """Take a whole number that may be below zero."""
        found = self.take(key)
        if isinstance(found, str) and is_plain(found.removeprefix("-")):
            digits = read(found.removeprefix("-"))
            return -digits if found.startswith("-") else digits
        if type(found) is not int:
            self.refuse(key, "expected a whole number")
        return found

    def yes_or_no(self, key: str) -> bool:
        found = self.take(key)
        if not isinstance(found, bool):
            self.refuse(key, "expected true or false")
        return found

    def time(self, key: str) -> datetime:
        text = self.text(key)
        try:
            return _aware(datetime.fromisoformat(text))
        except (ValueError, OverflowError):
            self.refuse(key, "expected a time such as 2026-01-31T09:30:00+00:00")

    def time_if_any(self, key: str) -> datetime | None:
        return self.time(key) if self.has(key) else None

    def length(self, key: str) -> Length:
        parts = _Entry(self.take(key), f"{self.place(key)}.")
        if parts.has("best_of"):
            length = Length.best_of(parts.number("best_of"))
        else:
            length = Length.first_to(parts.number("first_to"))
        parts.refuse_what_is_left()
        return length


def _aware(time: datetime) -> datetime:
    if time.tzinfo is None:
        message = "a time without its zone"
        raise ValueError(message)
    return time.astimezone(UTC)
