"""Every command on narrow terminals: no line too wide, no word broken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from ninefold.cli.commands import COMMANDS
from tests.program import RealTerminal, Terminal, run

RECORD = "nf1.multiplier-showdown.reach1000.7x2x2x9x9"
LONG = "nf1.multiplier.reach1" + "0" * 99 + "." + "x".join("2" * 250)
WIDTHS = [40, 60, 80]
WIDE = 10_000
ONLY_NARROW = "lost and won, too close together to draw"
QUESTIONS: Sequence[Sequence[str]] = [
    ["play", "--help"],
    ["play", "madness", "--target", "1e3"],
    ["play", "madness", "--tarket", "1000"],
    ["play", "madness"],
    ["play", "madness", "--plain"],
    ["play", "duel", "--p1", "planner", "--p2", "perfect", "--seed", "3"],
    ["resume", "--list"],
    ["resume", "zzzz"],
    ["games"],
    ["rules", "madness"],
    ["rules", "multiplication-showdown"],
    ["rules", "duel", "--multipliers", "2,3,5,7"],
    ["solve", "madness"],
    ["solve", "multiplier", "--full"],
    ["solve", "madness", "--total", "11"],
    ["why", "multiplier-showdown", "7", "9"],
    ["why", "madness", "5", "6", "--plain"],
    ["map", "multiplier-showdown"],
    ["map", "multiplier-showdown", "--plain"],
    ["map", "madness", "--svg", "/no/such/folder/of/pictures/madness.svg"],
    ["table", "madness", "--targets", "2-1000"],
    ["table", "multiplier", "--targets", f"2-{10**40}"],
    ["table", "madness"],
    ["review", RECORD],
    ["review", RECORD, "--plain"],
    ["review", LONG],
    ["review", "last"],
    ["review", "rubbish"],
    ["puzzle", "--seed", "3"],
    ["drill", "--seed", "3"],
    ["learners"],
    ["history"],
    ["history", "--plain"],
    ["history", "--limit", "1"],
    ["history", "--since", "yesterday"],
    ["progress"],
    ["progress", "--plain"],
    ["replay", "last"],
    ["replay", RECORD],
    ["replay", RECORD, "--game", "duel"],
    ["tournament", "beginner", "expert", "perfect", "--rounds", "1"],
    ["import", "/no/such/file/of/exported/games.jsonl"],
    ["--help"],
    ["sovle"],
    *([name, "--help"] for name in COMMANDS),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep some games: a match, one against a level, one unfinished."""
    home = tmp_path_factory.mktemp("narrow")
    played = (
        (["multiplication-madness", "--best-of", "3"], "9\n9\n9\n9\n9\n5\n9\n9\n9\n"),
        (["multiplication-showdown", "--p2", "planner", "--seed", "1"], "7\n" * 30),
        (["multiplier-showdown", "--mental", "--name1", "Ada Lovelace"], "7\n8\n9\n"),
        (["duel", "--p2", "expert", "--seed", "1"], "resign\ny\n"),
    )
    for arguments, typed in played:
        run("play", *arguments, typed=typed, NINEFOLD_HOME=str(home))
    return home


def _shown(home: Path, columns: int, arguments: Sequence[str]) -> str:
    terminal = Terminal(*arguments, NINEFOLD_HOME=str(home), COLUMNS=str(columns))
    return re.sub(r"\x1b\[[0-9;]*m|[^\n]*\r", "", terminal.end()[1])


def _assert_fits(shown: str, columns: int, words: set[str]) -> None:
    """Look at every line: its width, and that each of its words is a whole one."""
    for line in shown.split("\n"):
        assert len(line.rstrip()) <= columns, line
        for word in _words(line):
            assert re.match(r"~?(\d×)?10[⁰¹²³⁴⁵⁶⁷⁸⁹]", word) or word in words, (
                word,
                line,
            )


def _words(text: str) -> set[str]:
    words = (word.strip(",.;:") for word in text.split())
    return {word for word in words if any(c.isalnum() for c in word)}


def _whole_words(home: Path, arguments: Sequence[str]) -> set[str]:
    """Return the words of the same answer where there is room for every line."""
    wide = _shown(home, WIDE, arguments), _shown(home, WIDE, [*arguments, "--plain"])
    return _words(" ".join((*wide, ONLY_NARROW)))


@pytest.mark.parametrize("arguments", QUESTIONS, ids=" ".join)
def test_no_line_is_too_wide_and_no_word_is_broken(
    home: Path, arguments: Sequence[str]
) -> None:
    whole = _whole_words(home, arguments)
    for columns in WIDTHS:
        _assert_fits(_shown(home, columns, arguments), columns, whole)


def test_every_command_is_covered() -> None:
    assert {arguments[0] for arguments in QUESTIONS} >= set(COMMANDS) - {"export"}


@pytest.mark.parametrize(
    "arguments", [["rules", "madness"], ["history"], ["sovle"]], ids=" ".join
)
def test_a_real_terminal_of_40_columns_shows_whole_words(
    home: Path, arguments: Sequence[str]
) -> None:
    terminal = RealTerminal(
        *arguments, columns=40, NINEFOLD_HOME=str(home), NO_COLOR="1"
    )
    shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.end()[1])
    _assert_fits(shown, 40, _whole_words(home, arguments))
