"""The simulated learner reads, errs and forgets as it says, and nothing helps it."""

from __future__ import annotations

import ast
import sys
from functools import partial
from pathlib import Path
from random import Random

import pytest

from benchmarks import learners, simulated_learner
from benchmarks.simulated_learner import Learner

TEXT = """\
== 1
The target is 100.
== 2
With target 500, what is the smallest total that wins at once? [56]
== 3
With target 100, every move loses from 6 to 11.
== 4
With target 100, is 8 lost or won? [lost]
== 5
Whatever the target is, every move loses from one 18th of the target up to just below one 9th.
With target 400, which band is lost? [23 to 44]
With target 700, which band is lost? [39 to 77]
== 6
Now play.
== 7
With target 1,000, which band is lost? [56 to 111]
== 8
The next band is one 18th of the band above it.
With target 1,000, what is the next band? [4 to 6]
With target 2,000, what is the next band? [7 to 12]
"""
"""A path of texts and questions only."""
GAMES = {"madness": "reach", "multiplier": "avoid", "duel": "exactly"}


def learner(ending: str = "reach", *, errors: float = 0, forgets: float = 0) -> Learner:
    return Learner(ending, Random(1), errors=errors, forgets=forgets)


def ends(one: Learner, target: int) -> list[tuple[int, int]]:
    return [(low, high) for low, high, *_ in one.bands(target)]


def test_the_learner_imports_the_standard_library_only() -> None:
    tree = ast.parse(Path(simulated_learner.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        names = (
            [each.name for each in node.names] if isinstance(node, ast.Import) else []
        )
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


@pytest.mark.parametrize(
    ("text", "bands"),
    [
        ("From 56 to 111 every move loses.", [(56, 111)]),
        ("The totals 4 to 6 and 56 to 111\nare lost!", [(56, 111), (4, 6)]),
        ("With target 2,000, from 1,056 to 1,111 every move loses.", [(528, 555)]),
        ("With target 100, 6 to 11 are lost.", [(60, 110)]),
        ("One 18th of the target to one 9th of it is lost.", [(56, 111)]),
        ("Every move loses from half the target to below the target.", [(500, 999)]),
        ("Above half the target to the target itself is lost.", [(501, 1000)]),
        ("56 to 111 are lost. The next band is one 18th of it.", [(56, 111), (4, 6)]),
        ("Are 56 to 111 lost?", []),
        ("From 56 to 111 you win.", []),
        ("7 to 55 are not lost.", []),
        ("Shade the numbers 1 to 20.", []),
    ],
)
def test_bands_are_read_from_sentences_that_say_lost(
    text: str, bands: list[tuple[int, int]]
) -> None:
    one = learner()
    one.hear(f"The target is 1,000. {text}")
    assert ends(one, 1000) == bands


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("What is 11 × 9?", "99"),
        ("Is 8 lost or won?", "lost"),
        ("12: lost or won?", "won"),
        ("Which total is the smallest that wins at once?", "12"),
        ("Which band is lost?", "6 to 11"),
        ("With target 1,000, which band is lost?", "60 to 110"),
        ("Do you want to begin?", "yes"),
        ("The total is 12. Your move:", "9"),
        ("How do you feel?", "2"),
    ],
)
def test_prompts_are_answered_from_what_was_read(prompt: str, answer: str) -> None:
    one = learner()
    assert one.reply(f"With target 100, 6 to 11 are lost.\n\n{prompt} ") == answer


def test_one_product_of_ten_is_off_by_one_of_its_parts() -> None:
    made = [Learner("reach", Random(n)).multiply(45, 7) for n in range(1000)]
    assert sum(product != 315 for product in made) == 110
    many = learner(errors=1)
    assert {many.multiply(45, 7) for _ in range(99)} == {270, 360, 308, 322}


def test_four_numbers_are_held_and_those_used_least_go_first() -> None:
    one = learner()
    one.hear("With target 100, 6 to 11 are lost. With target 1000, 56 to 111 are lost.")
    assert one.reply("With target 100, which band is lost?") == "6 to 11"
    one.hear("With target 1000, 4 to 6 are lost.")
    assert len(one.held) == 4
    assert ends(one, 1000) == [(60, 110), (4, 6)]


def test_what_is_held_is_forgotten_by_chance_but_not_what_was_understood() -> None:
    left = 0
    for n in range(1000):
        one = Learner("reach", Random(n))
        one.end_game(won=True)  # it notes one total
        left += len(one.held)
    assert left == 942
    one = learner(forgets=1)
    one.hear("Every move loses from one 18th of the target to one 9th.")
    assert one.reply("With target 1,000, which band is lost?") == "56 to 111"
    sure = one.copy(Random(1))
    sure.hear("56 to 111\nRight.")
    one.hear("56 to 111\nThank you.")
    for each in (one, sure):
        each.end_game(won=False)
    assert (ends(one, 2000), ends(sure, 2000)) == ([], [(112, 222)])


def test_a_right_answer_from_plain_numbers_makes_nothing_understood() -> None:
    one = learner()
    one.hear("Every move loses from one 18th of the target to one 9th.")
    one.hear("With target 1,000, 56 to 111 are lost.")
    one.reply("With target 1,000, which band is lost?")
    one.hear("Right.")
    assert not one.understood


def test_a_game_is_over_when_the_text_says_so_after_a_move() -> None:
    one = learner()
    one.reply("You win if you reach 100. The total is 1. Your move:")
    assert one.games == 0
    one.hear(
        "Perfect plays ×6: 84 makes 504. Perfect has reached or exceeded the target"
        " number! Perfect wins the game!"
    )
    assert one.games == 1


def test_it_plays_the_program_itself_to_the_end() -> None:
    for game, ending in GAMES.items():
        one = learner(ending)
        one.hear("The target is 100.")
        told = learners.converse(
            ("play", game, "--p2", "perfect", "--plain"), one.reply
        )
        one.hear(told)
        assert one.games == 1, told


def test_a_text_can_teach_it_and_false_bands_cannot() -> None:
    make = partial(Learner, "reach")
    wins = learners.measure(
        "reach",
        learners.prepare("reach", partial(learners.walk_text, TEXT), make, 4),
        20,
    )
    share = {arm: share for arm, share, *_ in learners.ways(wins)}
    assert share[learners.PATH] > 50 > share["without steps 3-5"]
    assert share[learners.FALSE] < 15


def test_what_is_missed_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    idle = tmp_path / "idle.txt"
    idle.write_text("".join(f"== {step}\nPlay well.\n" for step in range(1, 9)))
    texts = [f"--text={chapter}={idle}" for chapter in ("reach", "avoid", "exactly")]
    assert learners.main(["--quick", *texts]) == 1
    shown = capsys.readouterr().out
    assert shown.count("a simulated learner, ") == shown.count("MISSED") == 3
