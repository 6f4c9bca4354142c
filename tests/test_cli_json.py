"""``--json`` is a view: each answer is what its schema and the docs describe."""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.cli.console import Console
from ninefold.cli.output import escape_json
from ninefold.cli.storage import open_store
from ninefold.errors import TooLarge
from ninefold.theory import Oracle
from ninefold.views.progress import load_progress
from tests.program import TESTS, Stream, environment, run
from tests.schemas import FOLDER, load_schema

RECORD = "nf1.multiplier-showdown.reach1000.7x2x2x9x9"
HUGE = "1" + "0" * 999
LONG = ("--target", HUGE, "--multipliers", "2,4,8")
"""A game whose chances have more than 1,000 digits."""
PAGE = (TESTS.parent / "docs" / "json.md").read_text(encoding="utf-8")
ANSWERS = [
    ("games", ["games"]),
    ("solution", ["solve", "madness"]),
    ("solution", ["solve", "multiplier", "--full"]),
    ("solution", ["solve", "madness", "--target", HUGE]),
    ("solution", ["why", "multiplier-showdown", "5"]),
    ("ended", ["why", "madness", "5", "6", "4"]),
    ("ended", ["why", "madness", "5", "6", "4", "--full"]),
    ("map", ["map", "duel"]),
    ("map", ["map", "madness", "--target", HUGE]),
    ("targets", ["table", "madness", "--targets", f"2-{HUGE}"]),
    ("matchup", ["matchup", "madness", "planner", "expert"]),
    ("matchup", ["matchup", "duel", "careful", "beginner", *LONG]),
    ("audit", ["audit", "planner"]),
    ("audit", ["audit", "careful", "madness", *LONG]),
    ("review", ["review", RECORD]),
    ("review", ["review", "nf1.-.reach100.resign1"]),
    ("puzzle", ["puzzle", "--seed", "1"]),
    ("puzzle", ["puzzle", "--seed", "1", "--solution"]),
    ("history", ["history"]),
    ("progress", ["progress"]),
    ("tournament", ["tournament", "planner", "expert", "--rounds", "1"]),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A home with games that are over and not, and facts."""
    kept = {"NINEFOLD_HOME": str(tmp_path_factory.mktemp("home"))}
    options = ["--p2", "beginner", "--seed", "1", "--mental"]
    run("play", "madness", *options, typed="8\n8\n9\n999\n9\n999\n", **kept)
    run("play", "duel", "--best-of", "3", typed="resign\n5\n", **kept)
    run("play", "multiplier", "--target", HUGE, typed="2\n" * 99, **kept)
    return kept


@pytest.mark.parametrize(
    ("name", "arguments"),
    ANSWERS,
    ids=lambda part: part if isinstance(part, str) else " ".join(part)[:40],
)
def test_json_output_matches_its_schema(
    name: str, arguments: list[str], home: dict[str, str]
) -> None:
    finished = run(*arguments, "--json", **home)
    assert finished.returncode == 0
    assert finished.stdout.isascii()
    assert load_schema(name).accepts(json.loads(finished.stdout))


@pytest.mark.parametrize("name", sorted({name for name, _ in ANSWERS}))
def test_the_docs_name_every_key(name: str) -> None:
    schema = load_schema(name)
    assert f"schemas/{name}.json" in PAGE
    for part in schema.definitions.values():
        for key in part.properties:
            assert re.search(rf"`(\w+\.)*{key}`", PAGE), key


def test_every_json_output_has_a_schema() -> None:
    elsewhere = {"record"}
    assert {file.stem for file in FOLDER.iterdir()} >= {
        n for n, _ in ANSWERS
    } | elsewhere


@given(st.text())
def test_escaped_json_means_the_same(text: str) -> None:
    written = msgspec.json.encode(text).decode()
    escaped = escape_json(written)
    assert escaped.isascii()
    assert escaped.isprintable()
    assert json.loads(escaped) == text


class NearSighted(Oracle):
    """An oracle to which every position is too large."""

    def winning_moves(self, total: int) -> tuple[int, ...]:
        raise TooLarge(str(total))


def test_a_game_too_large_to_judge_counts_as_played(home: dict[str, str]) -> None:
    console = Console(Stream(), Stream(), Stream(), environ=environment(**home))
    with open_store(console) as store:
        games = load_progress(store, judge=NearSighted).games
    assert (games.played, games.only_moves.faced) == (1, 0)
    assert games.slips == 0
