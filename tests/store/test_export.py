from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold import ExportError
from ninefold.coach import check, read_puzzle
from ninefold.store import (
    Answer,
    Imported,
    Try,
    export_lines,
    import_lines,
)
from tests.store.stores import (
    Clock,
    begin,
    in_folder,
    in_memory,
    kept_matches,
    play,
    texts,
    times,
    whole_numbers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.store.port import Entry

FAR = datetime(2500, 1, 1, tzinfo=UTC)
set_int_limit = sys.set_int_max_str_digits
answers = st.builds(
    Answer,
    st.uuids().map(str),
    whole_numbers,
    whole_numbers,
    whole_numbers,
    times,
)
attempts = st.builds(
    Try,
    st.uuids().map(str),
    st.sampled_from(("a", "b")) | texts,
    whole_numbers,
    st.booleans(),
    times,
)
matches = st.uuids().flatmap(lambda found: kept_matches(str(found)))
logs: st.SearchStrategy[list[Entry]] = st.lists(
    matches | answers | attempts, max_size=5
)


@settings(max_examples=60)
@given(logs)
def test_an_export_makes_the_same_store(entries: list[Entry]) -> None:
    with in_memory(Clock()) as store, in_memory(Clock()) as other:
        store.take_in(entries)
        lines = list(export_lines(store))
        counts = import_lines(other, lines)
        assert counts == Imported(added=len(lines))
        assert list(export_lines(other)) == lines
        assert other.entries() == store.entries()
        assert other.due(FAR) == store.due(FAR)
        assert import_lines(other, lines) == Imported(known=len(lines))


@settings(max_examples=60)
@given(logs, logs)
def test_importing_adds_to_what_is_there(here: list[Entry], there: list[Entry]) -> None:
    with in_memory(Clock()) as store, in_memory(Clock()) as other:
        store.take_in(here)
        other.take_in(there)
        import_lines(store, export_lines(other))
        kept = {entry.id: entry for entry in store.entries()}
        assert kept == {entry.id: entry for entry in (*here, *there)}


@settings(max_examples=60)
@given(st.lists(attempts, max_size=3, unique_by=lambda made: made.at))
def test_the_order_of_an_export_does_not_matter(entries: list[Try]) -> None:
    schedules = []
    for order in permutations(entries):
        with in_memory(Clock()) as store:
            store.take_in(order)
            schedules.append(store.due(FAR))
    assert all(schedule == schedules[0] for schedule in schedules)


def test_the_shape_of_an_export_is_the_documented_one() -> None:
    with in_folder(None) as store:
        match_id, game = begin(store)
        play(store, match_id, game, 5, 6)
        store.add_answer(7, 10**20, 54)
        store.add_attempt("nf1.multiplier.avoid1000.3x9", 2, right=True)
        match, answer, attempt = map(json.loads, export_lines(store))
    assert match == {
        "ninefold": 1,
        "kind": "match",
        "id": "id-1",
        "begun_at": "2026-01-31T09:30:01.000000+00:00",
        "changed_at": "2026-01-31T09:30:04.000000+00:00",
        "set_aside_at": None,
        "book": "multiplication-madness",
        "book_text": None,
        "rules": {
            "ending": "reach",
            "target": 100,
            "multipliers": [2, 3, 4, 5, 6, 7, 8, 9],
            "start": 1,
        },
        "length": {"best_of": 3},
        "starts": "alternate",
        "first": 1,
        "names": ["Ada", "Blaise"],
        "players": ["human", "perfect"],
        "seed": None,
        "options": {},
        "games": [
            {
                "first": 1,
                "moves": [5, 6],
                "resigned": None,
                "begun_at": "2026-01-31T09:30:02.000000+00:00",
                "ended_at": None,
            }
        ],
    }
    assert answer == {
        "ninefold": 1,
        "kind": "answer",
        "id": "id-2",
        "at": "2026-01-31T09:30:05.000000+00:00",
        "a": 7,
        "b": "100000000000000000000",
        "answer": 54,
    }
    assert attempt == {
        "ninefold": 1,
        "kind": "attempt",
        "id": "id-3",
        "at": "2026-01-31T09:30:06.000000+00:00",
        "puzzle": "nf1.multiplier.avoid1000.3x9",
        "multiplier": 2,
        "right": True,
    }


def test_the_lines_that_the_docs_show_can_be_imported() -> None:
    page = Path(__file__).parents[2] / "docs" / "store.md"
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"^```json\n(.*?\n)```$", text, re.DOTALL | re.MULTILINE)
    with in_folder(None) as store:
        assert import_lines(store, shown) == Imported(added=3)
        assert [f"{line}\n" for line in export_lines(store)] == shown
        (made,) = store.attempts()
    assert check(read_puzzle(made.puzzle), made.multiplier).right is made.right
    keys = set(re.findall(r'"(\w+)":', "".join(shown))) - {"best_of", "coach"}
    assert {key for key in keys if f"`{key}`" not in text} == set()


def exported_match() -> dict[str, object]:
    with in_folder(None) as store:
        match_id, game = begin(store)
        play(store, match_id, game, 5, 6)
        (line,) = export_lines(store)
    found: dict[str, object] = json.loads(line)
    return found


GAME = {"first": 1, "moves": [], "resigned": None, "begun_at": "2026-01-01T00:00Z"}
ANSWER = {"kind": "answer", "id": "x", "at": "2026-01-01T00:00Z", "a": 2, "b": 3}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"ninefold": 2}, "ninefold: expected version 1"),
        ({"kind": "party"}, "kind: expected match, answer or attempt"),
        ({"id": 7}, "id: expected text"),
        ({"id": "\ud800"}, "id: expected text"),
        ({"begun_at": "yesterday"}, "begun_at: expected a time such as 2026"),
        ({"begun_at": "2026-01-01T00:00"}, "begun_at: expected a time such as 2026"),
        ({"begun_at": "0001-01-01T00:00+09:00"}, "begun_at: expected a time"),
        ({"rules": 7}, "rules: expected an object, in braces"),
        ({"length": {}}, "length.first_to: this key is missing"),
        ({"length": {"best_of": 2}}, "best of takes an odd number"),
        ({"length": {"best_of": 3, "x": 1}}, "length.x: no record has this key"),
        ({"starts": "never"}, "starts: expected one of alternate, loser"),
        ({"names": ["Ada"]}, "names: expected a list of two texts"),
        ({"names": ["Ada", 2]}, "names.2: expected text"),
        ({"seed": "7up"}, "seed: expected a whole number"),
        ({"seed": 1.5}, "seed: expected a whole number"),
        ({"options": []}, "options: expected an object"),
        ({"options": {"x": 10**4500}}, "options must be what JSON holds"),
        ({"book": "No Key"}, "is no rule book's key"),
        ({"games": {}}, "games: expected a list of objects"),
        ({"games": [1]}, r"games\[0\]: expected an object"),
        ({"games": [GAME, GAME]}, "a game is begun once the one before has ended"),
        ({"games": [GAME | {"first": 2}]}, "Player 1 starts game 1 of this match"),
        ({"games": [GAME | {"moves": [5, 1]}]}, r"games\[0\].moves\[1\]: 1 is not a"),
        ({"games": [GAME | {"moves": [9, 9, 9]}]}, "time of its end"),
        ({"games": [GAME | {"ended_at": "2026-01-01T00:00Z"}]}, "time of its end"),
        ({"games": [GAME | {"resigned": 3}]}, r"games\[0\].resigned: expected 1 or 2"),
        ({"games": [GAME | {"x": 3}]}, r"games\[0\].x: no record has this key"),
        ({"x": 1}, "x: no record has this key"),
        (ANSWER, "answer: this key is missing"),
        ({"kind": "attempt", "puzzle": "p", "multiplier": 2, "right": 1}, "right: "),
    ],
)
def test_a_line_that_cannot_be_read_is_named(
    change: dict[str, object], problem: str
) -> None:
    good = json.dumps(exported_match())
    set_int_limit(0)
    bad = json.dumps(exported_match() | change)
    set_int_limit(4300)
    with in_folder(None) as store:
        with pytest.raises(ExportError, match=f"line 3: .*{problem}") as refused:
            import_lines(store, [good, "\n", bad])
        assert refused.value.line == 3
        assert str(refused.value).endswith("nothing was imported")
        assert store.entries() == []


@pytest.mark.parametrize("line", ["{", "[]", "7", "[" * 100_000, "nonsense"])
def test_what_is_no_object_is_refused(line: str) -> None:
    with in_folder(None) as store, pytest.raises(ExportError, match="line 1: "):
        import_lines(store, [line])
