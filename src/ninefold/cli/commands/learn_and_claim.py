"""The path, which finds the lost bands by playing, and claims proved by playing."""

from __future__ import annotations

from functools import partial

import click

from ninefold.cli.console import Console
from ninefold.cli.options import (
    OneOf,
    WholeNumber,
    command,
    learner_option,
    varied_setup,
)
from ninefold.cli.output import print_wrapped
from ninefold.cli.practice_screen import practise, recorder_at
from ninefold.cli.storage import open_store
from ninefold.cli.task_games import play_game, settle_claim
from ninefold.learning import Activity
from ninefold.learning.claims import claim as make_claim
from ninefold.learning.path_steps import (
    CHAPTERS,
    FIRST_TARGET,
    STEPS,
    next_step,
    step_key,
    step_title,
    walk,
)
from ninefold.rules import parse_number
from ninefold.session import Setup
from ninefold.views.answer_recorder import AnswerRecorder

_ALL_DONE = "You have finished the whole path. Choose a step with --chapter and --step."


@command("learn", "learn --step 3", "learn --chapter avoid")
@click.option(
    "--chapter",
    type=OneOf([*CHAPTERS]),
    help="Chapter: reach (100 or more wins), avoid (it loses) or exactly.",
)
@click.option(
    "--step", type=WholeNumber(1, len(STEPS)), metavar="N", help="Step to do, 1 to 8."
)
@learner_option("Learner; remembered.")
@click.pass_obj
def learn(
    console: Console, *, chapter: str | None, step: int | None, learner: str | None
) -> None:
    """Learn step by step how to win.

    In each of the eight steps you play, and check what you found. You can stop
    at any time; next time you continue with the first step that is not done.
    """
    console.purpose = "the step was done"
    with open_store(console) as store:
        answering = recorder_at(console, store, learner, activity=Activity.PATH)
        while True:
            place = _place(answering, chapter, step)
            if place is None:
                print_wrapped(console, _ALL_DONE)
                return
            _walk(console, answering, *place)
            if step is not None or not console.at_terminal:
                return
            if not console.confirm("\nStart the next step? (Y/n): ", default=True):
                return


def _place(
    answering: AnswerRecorder, chapter: str | None, step: int | None
) -> tuple[str, int] | None:
    """Return the chapter and number of the next step; None if all are done."""
    done = {answer.item for answer in answering.answers}
    if step is not None:
        current = next_step(sorted(done)) or (next(iter(CHAPTERS)), 1)
        return chapter or current[0], step
    if chapter is not None:
        done |= {
            step_key(other, each)
            for other in CHAPTERS
            for each in range(1, len(STEPS) + 1)
            if other != chapter
        }
    return next_step(sorted(done))


def _walk(console: Console, answering: AnswerRecorder, chapter: str, step: int) -> None:
    """Run a step to its end, and print whether it is done."""
    begun, title = CHAPTERS[chapter], step_title(chapter, step)
    console.print(f"\n{begun.title}. Step {step} of {len(STEPS)}: {title}\n")
    console.print(f"{begun.aim(FIRST_TARGET)}\n\n")
    like = Setup(rules=begun.rules(FIRST_TARGET), book=begun.book)
    walking = walk(chapter, step)
    play = partial(play_game, console, like, name=answering.player)
    practise(console, answering, walking, play=play)
    console.print(f"\n{walking.state.closing}\n")


@command("claim madness 8 lost", "claim multiplier 60 won --target 500")
@varied_setup
@click.argument("total")
@click.argument("says", metavar="lost|won", type=OneOf(["lost", "won"]))
@click.pass_obj
def claim(console: Console, *, setup: Setup, total: str, says: str) -> None:
    """Claim that a total is lost or won.

    From a lost total every move loses; from a won one some move wins.

    You prove it in three games from that total against the perfect computer.
    They are not saved.
    """
    console.purpose = "the claim was settled"
    number = parse_number(total, "total", setup.rules.start)
    claimed = make_claim(setup.rules, number, lost=says == "lost")
    settle_claim(console, setup, claimed)
