"""A level that answers lines: the same moves, and a word on every wrong line."""

from __future__ import annotations

import shlex
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import LEVELS, Ending, Game, Rules
from ninefold.arena.bot_process import Bot, Limits
from ninefold.arena.level_as_bot import answers
from tests.program import run
from tests.strategies import all_rules

RULES = "rules reach 1000 2,3,4,5,6,7,8,9 1 1"


@given(all_rules(), st.sampled_from(list(LEVELS)), st.integers(0, 99))
def test_a_level_as_a_bot_plays_the_levels_moves(
    rules: Rules, level: str, seed: int
) -> None:
    game = Game.start(rules)
    player = LEVELS[level].player(Random(seed))
    numbers = f"{rules.target} {','.join(map(str, rules.multipliers))} {rules.start}"
    lines, moves = [f"rules {rules.ending.value} {numbers} 1"], []
    while game.outcome is None:
        lines.append(f"go {game.total} {len(game.moves)} 5000")
        moves.append(player.choose(game))
        game = game.play(moves[-1])
    said = list(answers(level, Random(seed), lines))
    assert said == [f"move {move}" for move in moves]


def test_a_bot_may_be_this_program() -> None:
    command = shlex.join([sys.executable, "-m", "ninefold", "bot", "perfect"])
    with Bot(command, Limits(60, 60)) as bot:
        assert bot.name == "Perfect"
        assert bot.choose(Game.start(Rules(Ending.REACH, 1000))) == 5


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("ninefold 1", "ok Perfect"),
        ("ninefold 2", "error this program speaks version 1"),
        ("ninefold", "error this program speaks version 1"),
        ("hello \x1b[2J", "error unknown line: 'hello \\x1b[2J'"),
        ("go", "error unknown line: 'go'"),
        (
            "go x",
            "error the total must be a whole number in plain digits, such as 1; 'x' is not",
        ),
        ("go 1000", "error the game is over at 1,000; send a total below the target"),
        ("go 0", "error the game is over at 0; send a total below the target"),
        (
            "go " + "9" * 5000,
            "error the total has more than 1,000 digits; use a shorter number",
        ),
    ],
)
def test_each_line_gets_its_answer_even_after_an_error(line: str, answer: str) -> None:
    finished = run("bot", "perfect", typed=f"{RULES}\n{line}\n\ngo 1 0 5\n")
    assert finished.stdout == f"{answer}\nmove 5\n"
    assert (finished.returncode, finished.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("rules", "send rules like this: rules reach 1000 2,3,5 1 1"),
        ("rules win 9 2 1 1", "send rules like this: rules reach 1000 2,3,5 1 1"),
        (
            "rules reach 1 2 1 1",
            "the target must be greater than the start (1); use 2 or more instead of 1",
        ),
    ],
)
def test_invalid_rules_also_replace_earlier_ones(line: str, answer: str) -> None:
    said = list(answers("perfect", Random(1), [RULES, line, "go 1 0 5"]))
    none = "error no rules yet; send them before the first go"
    assert said == [f"error {answer}", none]


def test_go_before_rules_is_an_error() -> None:
    said = list(answers("careful", Random(1), ["go 1 0 5", RULES, "quit", "go 1 0 5"]))
    assert said == ["error no rules yet; send them before the first go"]


def test_the_same_seed_gives_the_same_moves() -> None:
    typed = RULES + "\ngo 1 0 5" * 50
    first = run("bot", "beginner", "--seed", "7", typed=typed).stdout
    assert first == run("bot", "beginner", "--seed", "7", typed=typed).stdout
    assert first != run("bot", "beginner", "--seed", "8", typed=typed).stdout


def test_an_unknown_level_is_rejected() -> None:
    finished = run("bot", "perfekt")
    assert finished.returncode == 2
    assert "did you mean perfect?" in finished.stderr
