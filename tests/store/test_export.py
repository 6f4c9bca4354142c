"""Exports of this version, and what an import is held to."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold import Ending, ExportError, Rules, Seat
from ninefold.learning import Activity, mastery, read_item
from ninefold.session import Move, NextGame, Setup
from ninefold.store import export_lines, import_lines, values
from tests.schemas import load_schema
from tests.store import stores

entry_lists: st.SearchStrategy[list[values.Entry]] = st.lists(
    stores.kept_matches() | stores.answers | stores.learners, max_size=5
)


@settings(max_examples=20)
@given(entry_lists)
def test_an_export_makes_the_same_store(entries: list[values.Entry]) -> None:
    with (
        stores.in_memory(stores.Clock()) as store,
        stores.in_memory(stores.Clock()) as other,
    ):
        store.import_entries(entries)
        lines = list(export_lines(store))
        counts = import_lines(other, lines)
        assert counts == values.Imported(added=len(lines))
        assert list(export_lines(other)) == lines
        assert [*other.entries()] == [*store.entries()]
        assert mastery(other.answers()) == mastery(store.answers())
        assert import_lines(other, lines) == values.Imported(known=len(lines))


@settings(max_examples=20)
@given(entry_lists, entry_lists)
def test_importing_adds_to_what_is_there(
    here: list[values.Entry], there: list[values.Entry]
) -> None:
    with (
        stores.in_memory(stores.Clock()) as store,
        stores.in_memory(stores.Clock()) as other,
    ):
        store.import_entries(here)
        other.import_entries(there)
        import_lines(store, export_lines(other))
        kept = {entry.id: entry for entry in store.entries()}
        named = {entry.id: entry for entry in (*here, *there)}
        assert kept.items() >= named.items()
        others = [kept[entry_id] for entry_id in kept.keys() - named.keys()]
        assert all(isinstance(entry, values.Learner) for entry in others)


@settings(max_examples=20)
@given(st.lists(stores.answers, max_size=3, unique_by=lambda made: made.answer.at))
def test_the_order_of_an_export_does_not_matter(
    entries: list[values.StoredAnswer],
) -> None:
    schedules = []
    for order in permutations(entries):
        with stores.in_memory(stores.Clock()) as store:
            store.import_entries(order)
            schedules.append(mastery(store.answers()))
    assert all(schedule == schedules[0] for schedule in schedules)


@settings(max_examples=20)
@given(entry_lists)
def test_every_line_is_what_its_schema_describes(entries: list[values.Entry]) -> None:
    with stores.in_memory(stores.Clock()) as store:
        store.import_entries(entries)
        for line in export_lines(store):
            written = json.loads(line)
            assert load_schema(f"export-{written['kind']}").accepts(written)


def test_the_shape_of_an_export_is_the_documented_one() -> None:
    with stores.in_folder(None) as store:
        match_id = stores.begin(store, *stores.NINES, NextGame(Seat.TWO))
        store.append(stores.append_to(store, match_id, 5, (Move(5, answer=10**20),)))
        ada = store.learner("Ada")
        store.add_answer(
            ada.id,
            "45x7",
            "305",
            right=False,
            activity=Activity.DRILL,
            seconds=2.5,
            surface="classic",
        )
        store.add_answer(
            ada.id,
            "nf1.multiplier.avoid1000.3x9",
            "2",
            right=True,
            activity=Activity.PUZZLE,
            hinted=True,
        )
        store.rename_learner("Ada", "Ada L.")
        match, learner, product, puzzle = map(json.loads, export_lines(store))
    nine = {
        "at": "2026-01-31T09:30:01Z",
        "command": {"do": "move", "multiplier": 9},
    }
    assert match == {
        "ninefold": 1,
        "kind": "match",
        "id": "id-1",
        "begun_at": "2026-01-31T09:30:01Z",
        "changed_at": "2026-01-31T09:30:02Z",
        "setup": {
            "book": "multiplier",
            "book_text": None,
            "rules": {
                "ending": "avoid",
                "target": 100,
                "multipliers": [2, 3, 4, 5, 6, 7, 8, 9],
                "start": 1,
            },
            "length": {"count": "best of", "number": 3},
            "starts": "alternate",
            "first": 1,
            "first_tossed": False,
            "names": ["Ada", "Blaise"],
            "levels": [None, "perfect"],
            "bots": [],
            "seed": 0,
            "lessons": {
                "coach": False,
                "give_backs": 3,
                "mental": False,
                "hints": True,
            },
            "all_seated": True,
        },
        "log": [
            nine,
            nine,
            nine,
            {"at": nine["at"], "command": {"do": "next-game", "first": 2}},
            {
                "at": "2026-01-31T09:30:02Z",
                "command": {"do": "move", "multiplier": 5, "answer": f"1{'0' * 20}"},
            },
        ],
    }
    assert learner == {
        "ninefold": 1,
        "kind": "learner",
        "id": "id-2",
        "name": "Ada L.",
        "begun_at": "2026-01-31T09:30:03Z",
        "formerly": ["Ada"],
    }
    assert product == {
        "ninefold": 1,
        "kind": "answer",
        "id": "id-3",
        "learner": "id-2",
        "answer": {
            "item": "45x7",
            "given": "305",
            "right": False,
            "at": "2026-01-31T09:30:04Z",
            "activity": "drill",
            "seconds": 2.5,
            "surface": "classic",
        },
    }
    assert puzzle["answer"] == {
        "item": "nf1.multiplier.avoid1000.3x9",
        "given": "2",
        "right": True,
        "at": "2026-01-31T09:30:05Z",
        "activity": "puzzle",
        "hinted": True,
    }


def test_the_lines_that_the_docs_show_can_be_imported() -> None:
    page = Path(__file__).parents[2] / "docs" / "your-data.md"
    text = page.read_text(encoding="utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    shown = block.splitlines(keepends=True)
    with stores.in_folder(None) as store:
        assert import_lines(store, shown) == values.Imported(added=3)
        assert [f"{line}\n" for line in export_lines(store)] == shown
        (given,) = store.answers()
    assert read_item(given.item).judge(given.given).right is given.right
    reference = (page.parent / "json.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`(?:\w+\.)*(\w+)`", reference))
    assert set(re.findall(r'"(\w+)":', "".join(shown))) <= listed


def test_import_lines_reports_progress() -> None:
    with stores.in_folder(None) as store, stores.in_folder(None) as other:
        stores.begin(store, Move(5))
        stores.answer(store)
        told: list[int] = []
        import_lines(other, export_lines(store), told.append)
    assert told == [1, 2, 3]


def test_line_separator_inside_a_string_does_not_end_the_line() -> None:
    text = f"# one\u2028two\x85three\n{stores.own_book(Ending.AVOID)}"
    setup = replace(stores.SETUP, book="mine", book_text=text)
    with stores.in_folder(None) as store, stores.in_folder(None) as other:
        match_id = stores.begin(store, Move(5), setup=setup)
        assert import_lines(other, export_lines(store)) == values.Imported(added=1)
        assert other.match(match_id).setup.book_text == text


# What is refused


def exported_match() -> dict[str, object]:
    with stores.in_folder(None) as store:
        stores.begin(store, Move(5), Move(6))
        (line,) = export_lines(store)
    found: dict[str, object] = json.loads(line)
    return found


def setup_with(**changes: object) -> dict[str, object]:
    setup = exported_match()["setup"]
    assert isinstance(setup, dict)
    return {"setup": setup | changes}


def log_of(*commands: object) -> dict[str, object]:
    at = "2026-01-31T09:30:00Z"
    return {"log": [{"at": at, "command": command} for command in commands]}


LEARNER: dict[str, object] = {
    "ninefold": 1,
    "kind": "learner",
    "id": "x",
    "name": "Ada",
    "begun_at": "2026-01-01T00:00:00Z",
}
GIVEN: dict[str, object] = {
    "item": "2x3",
    "given": "6",
    "right": True,
    "at": "2026-01-01T00:00:00Z",
    "activity": "drill",
}
ANSWER: dict[str, object] = {
    "ninefold": 1,
    "kind": "answer",
    "id": "x",
    "learner": "a1",
    "answer": GIVEN,
}
RULES = {"ending": "avoid", "multipliers": [2, 3], "start": 1}


def assert_refused(line: dict[str, object], problem: str) -> None:
    good = json.dumps(exported_match())
    with stores.in_folder(None) as store:
        with pytest.raises(ExportError, match=f"^line 3: {problem}") as refused:
            import_lines(store, [good, "\n", json.dumps(line)])
        assert refused.value.line == 3
        assert str(refused.value).endswith("nothing was imported")
        assert [*store.entries()] == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"ninefold": 2}, "ninefold: expected version 1"),
        ({"ninefold": "one"}, "ninefold: expected a whole number"),
        ({"kind": "party"}, "kind: expected match, learner or answer"),
        ({"id": 7}, "id: expected text"),
        ({"id": "\ud800"}, "column .*: this is not JSON"),
        ({"id": ""}, "id: expected 1 to 100 printable characters"),
        ({"id": "x" * 101}, "id: expected 1 to 100 printable characters"),
        ({"id": "a\x1b[31m"}, "id: expected 1 to 100 printable characters"),
        ({"id": "a\u202e"}, "id: expected 1 to 100 printable characters"),
        ({"id": "a\u2028b"}, "id: expected 1 to 100 printable characters"),
        ({"begun_at": "yesterday"}, "begun_at: expected a time such as 2026"),
        ({"begun_at": "2026-01-01T00:00:00"}, "begun_at: expected a time such as 2026"),
        ({"begun_at": "0001-01-01T00:00:00+09:00"}, "begun_at: expected a time within"),
        (
            {"changed_at": "9999-12-31T23:59:59-01:00"},
            "changed_at: expected a time within the calendar",
        ),
        (
            {"set_aside_at": "0001-01-01T00:00:00+01:00"},
            "set_aside_at: expected a time within the calendar",
        ),
        ({"x": 1}, "x: unknown key"),
        ({"setup": 7}, "setup: expected an object, in braces"),
        (setup_with(length={}), "setup.length.count: this key is missing"),
        (
            setup_with(length={"count": "all", "number": 3}),
            "setup.length.count: expected best of, first to or games",
        ),
        (
            setup_with(length={"count": "best of", "number": 2}),
            "setup.length: best of takes an odd",
        ),
        (
            setup_with(length={"count": "games", "number": 1001}),
            "setup.length: a match takes a number",
        ),
        (setup_with(length={"x": 1}), "setup.length.x: unknown key"),
        (setup_with(starts="never"), "setup.starts: expected alternate, loser"),
        (setup_with(first=3), "setup.first: expected 1 or 2"),
        (setup_with(first="1" * 5000), "setup.first: expected 1 or 2"),
        (setup_with(names=["Ada"]), "setup.names: expected a list of 2"),
        (setup_with(names=["Ada", 2]), r"setup.names\[1\]: expected text"),
        (setup_with(names=["Ada", "Ada"]), "setup.names: the other player is called"),
        (setup_with(names=["Ada", "B\x1b[2J"]), "setup.names: a name needs 1 to 24"),
        (setup_with(names=["Ada", "B\u202e"]), "setup.names: a name needs 1 to 24"),
        (setup_with(names=["Ada", "B" * 25]), "setup.names: a name needs 1 to 24"),
        (setup_with(levels=[None, "human"]), "setup.levels: 'human' is not a level"),
        (setup_with(seed="7up"), "setup.seed: expected a whole number"),
        (setup_with(seed=1.5), "setup.seed: expected a whole number"),
        (setup_with(seed="9" * 2000), "setup.seed: a seed is a whole number"),
        (setup_with(seed="9" * 5000), "setup.seed: expected a whole number or null"),
        (
            setup_with(lessons={"coach": True, "give_backs": 9999, "mental": True}),
            "setup.lessons: the coach gives 0 to 1,000",
        ),
        (setup_with(book="No Key"), "setup.book: 'No Key' is not a game"),
        (
            setup_with(book="No Key", book_text=stores.own_book(Ending.AVOID)),
            "setup.book: 'No Key' is not a valid rule book key",
        ),
        (
            setup_with(book="multiplication-madness"),
            "setup.book: these rules end with 'avoid'",
        ),
        (
            setup_with(book_text=stores.own_book(Ending.REACH)),
            "setup.book: these rules end with 'avoid'",
        ),
        (setup_with(book_text="title"), "setup.book: .*this is not TOML"),
        (setup_with(book_text="#" * 200_000), "setup.book: .*at most 100,000 char"),
        (setup_with(rules=RULES), "setup.rules.target: this key is missing"),
        (
            setup_with(rules=RULES | {"target": "9" * 1001}),
            "setup.rules: the target has more than 1,000 digits",
        ),
        (
            setup_with(rules=RULES | {"target": 99, "multipliers": [*range(2, 103)]}),
            "setup.rules: use at most 100 multipliers",
        ),
        ({"log": {}}, "log: expected a list"),
        ({"log": [1]}, r"log\[0\]: expected an object"),
        (
            log_of({"do": "dance"}),
            r"log\[0\].command.do: expected sit, move, give-back",
        ),
        (log_of({"do": "move"}), r"log\[0\].command.multiplier: this key is missing"),
        (
            log_of({"do": "move", "multiplier": 5}, {"do": "move", "multiplier": 1}),
            r"log\[1\]: 1 is not a multiplier here",
        ),
        (log_of({"do": "undo"}), r"log\[0\]: there is no move to take back yet"),
        (
            log_of({"do": "move", "multiplier": 5, "answer": 10**2500}),
            r"log\[0\]: a product has at most 2,000 digits",
        ),
        (
            {"log": [{"at": "0001-01-01T00:00:00+01:00", "command": {"do": "undo"}}]},
            r"log\[0\].at: expected a time within the calendar",
        ),
        (
            {"log": [{"at": "9999-12-31T23:00:00-09:00", "command": {"do": "undo"}}]},
            r"log\[0\].at: expected a time within the calendar",
        ),
    ],
)
def test_a_match_that_could_not_be_played_is_refused(
    change: dict[str, object], problem: str
) -> None:
    assert_refused(exported_match() | change, problem)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"name": ""}, "name: expected 1 to 24 printable characters"),
        ({"name": "\x1b[2J"}, "name: expected 1 to 24 printable characters"),
        ({"name": "n" * 25}, "name: expected 1 to 24 printable characters"),
        ({"formerly": ["\u202e"]}, "name: expected 1 to 24 printable characters"),
        ({"begun_at": "2026-01-01T00:00:00"}, "begun_at: expected a time such as"),
        ({"id": "\x07"}, "id: expected 1 to 100 printable characters"),
    ],
)
def test_a_learner_who_could_not_be_listed_is_refused(
    change: dict[str, object], problem: str
) -> None:
    assert_refused(LEARNER | change, problem)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"item": ""}, "answer.item: expected 1 to 200,000 printable characters"),
        ({"item": "\x1b"}, "answer.item: expected 1 to 200,000 printable characters"),
        ({"given": 6}, "answer.given: expected text"),
        ({"given": "9" * 4011}, "answer.given: expected 1 to 4,010 printable char"),
        ({"right": 1}, "answer.right: expected true or false"),
        ({"right": None}, "answer.right: expected true or false"),
        ({"at": "2026-01-01T00:00:00"}, "answer.at: expected a time such as 2026"),
        ({"at": "0001-01-01T00:00:00+01:00"}, "answer.at: expected a time within the"),
        ({"activity": "sleep"}, "answer.activity: expected play, drill, puzzle or"),
        ({"surface": "\u202e"}, "answer.surface: expected at most 24 printable"),
        ({"seconds": -1}, "answer.seconds: expected a number from 0 to 1,000,000 or"),
        ({"seconds": 1e9}, "answer.seconds: expected a number from 0 to 1,000,000 or"),
        ({"hinted": 1}, "answer.hinted: expected true or false"),
        ({"x": 1}, "answer.x: unknown key"),
    ],
)
def test_an_answer_that_nobody_could_give_is_refused(
    change: dict[str, object], problem: str
) -> None:
    assert_refused(ANSWER | {"answer": GIVEN | change}, problem)


def test_an_answer_that_nobody_gave_is_refused() -> None:
    wanted = "learner: expected 1 to 100 printable characters"
    assert_refused(ANSWER | {"learner": "\x1b[2J"}, wanted)


@pytest.mark.parametrize("line", ["{", "[]", "7", "[" * 100_000, "nonsense", "\ud800"])
def test_import_rejects_lines_that_are_not_objects(line: str) -> None:
    with stores.in_folder(None) as store, pytest.raises(ExportError, match="line 1: "):
        import_lines(store, [line])


def test_a_line_that_never_ends_is_refused() -> None:
    with (
        stores.in_folder(None) as store,
        pytest.raises(ExportError, match="at most 33,554,432"),
    ):
        import_lines(store, ["x" * (32 * 1024 * 1024 + 1)])


def test_match_of_many_commands_is_imported() -> None:
    setup = Setup(rules=Rules(Ending.AVOID, 10**999), book="multiplier")
    log = tuple(values.LoggedCommand(Move(2), stores.START) for _ in range(3000))
    long = values.StoredMatch(
        "long", setup, log, stores.START, stores.START + timedelta(days=1)
    )
    with stores.in_folder(None) as store, stores.in_folder(None) as other:
        store.import_entries([long])
        assert import_lines(other, export_lines(store)) == values.Imported(added=1)
        assert other.match("long").session.game.total == 2**3000
