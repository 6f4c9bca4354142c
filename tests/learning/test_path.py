"""The path: eight steps in three chapters, each checked by the program itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ninefold.game import Game, Seat
from ninefold.learning import AnswerKind, Item, Play, Walk, path_steps
from ninefold.learning.walk import Course
from ninefold.theory import oracle_for

PLACES = [
    (chapter, step)
    for chapter in path_steps.CHAPTERS
    for step in range(1, len(path_steps.STEPS) + 1)
]


def answer(item: Item) -> str:
    """Find the answer that is right by trying."""
    numbers = [*map(str, range(1, 1000))]
    bands = [f"{a} to {b}" for a in range(1, 1001) for b in (a, *range(a + 1, 2 * a))]
    tried = {
        AnswerKind.NUMBER: numbers,
        AnswerKind.BAND: bands,
        AnswerKind.CHOICE: item.choices,
    }
    return next(each for each in tried[item.kind] if item.judge(each).right)


def play(wanted: Play, *, well: bool = True) -> Game:
    """Play a game; the learner plays well, or as badly as can be."""
    oracle = oracle_for(wanted.rules)
    game = Game.replay(wanted.rules, wanted.opening, wanted.first)
    while game.outcome is None:
        good = oracle.winning_moves(game.total)
        bad = [each for each in wanted.rules.multipliers if each not in good]
        is_good = well or game.to_move is not Seat.ONE
        game = game.play(next(iter(good if is_good else bad), game.legal_moves[0]))
    return game


def parts(walking: Walk) -> Iterator[str | Item | Play]:
    """Walk a step without a mistake, and yield what it consists of."""
    state = walking.state
    while True:
        yield from state.said
        if state.item is not None:
            yield state.item
            state = walking.answer(answer(state.item))
        elif state.play is not None:
            yield state.play
            state = walking.played(play(state.play))
        else:
            return


@pytest.mark.parametrize(("chapter", "step"), PLACES)
def test_a_step_can_be_done(chapter: str, step: int) -> None:
    walking = path_steps.walk(chapter, step)
    assert not walking.state.is_over
    assert [*parts(walking)]
    state = walking.state
    assert (state.is_over, state.is_done) == (True, True)
    assert state.closing == f"Step {step} is done."
    goal = state.answers[-1]
    assert (goal.item.key, goal.given) == (path_steps.step_key(chapter, step), "done")
    assert goal.right


@pytest.mark.parametrize(("chapter", "step"), PLACES)
def test_an_item_tells_its_answer_after_three_tries(chapter: str, step: int) -> None:
    wrong = {AnswerKind.NUMBER: "10000", AnswerKind.BAND: "9000 to 9001"}
    for part in parts(path_steps.walk(chapter, step)):
        if isinstance(part, Item) and part.kind in wrong and not part.tells:
            failing = Walk(one(part), tries=path_steps.TRIES)
            for _ in range(path_steps.TRIES):
                state = failing.answer(wrong[part.kind])
            assert state.is_over
            assert state.entered is not None
            assert part.hints[-1] in state.entered.text


def one(item: Item) -> Course:
    yield item
    return True


@pytest.mark.parametrize("entries", [["skip", "56"], ["1", "1", "1", "56"]])
def test_a_step_with_an_item_skipped_or_revealed_is_not_done(
    entries: list[str],
) -> None:
    walking = path_steps.walk("reach", 2)
    for entry in entries:
        state = walking.enter(entry)
    assert (state.is_over, state.is_done) == (True, False)
    assert state.closing == "Step 2 is not done yet. You can try it again."
    assert [each.item.key for each in state.answers] == ["path:smallest reach 500"]


def test_path_items_have_the_expected_answers() -> None:
    assert [
        answer(each)
        for each in parts(path_steps.walk("reach", 2))
        if isinstance(each, Item)
    ] == [
        "12",
        "56",
    ]
    assert [
        answer(each)
        for each in parts(path_steps.walk("reach", 7))
        if isinstance(each, Item)
    ] == [
        "56 to 111",
        "28 to 55",
    ]
    (first, *_, last) = [
        each for each in parts(path_steps.walk("reach", 8)) if isinstance(each, Item)
    ]
    assert (answer(first), answer(last)) == ("4 to 6", "no")


def test_step_six_needs_five_wins_in_a_row() -> None:
    walking = path_steps.walk("reach", 6)
    for well in (True, True, False, True, True, True, True, True):
        wanted = walking.state.play
        assert wanted is not None
        walking.played(play(wanted, well=well))
    assert walking.won == 5
    assert walking.state.is_done


def test_three_losses_are_followed_by_a_worked_example() -> None:
    walking = path_steps.walk("reach", 6)
    for _ in range(path_steps.TRIES):
        wanted = walking.state.play
        assert wanted is not None
        walking.played(play(wanted, well=False))
    (said,) = walking.state.said
    assert said.startswith("Here is one way.")


def test_a_claim_that_failed_is_repeated_after_a_worked_example() -> None:
    walking = path_steps.walk("reach", 3)
    wanted = walking.answer("8").play
    assert wanted is not None
    _, example, challenge = walking.played(play(wanted, well=False)).said
    assert example.startswith("Here is one way.")
    assert challenge.startswith("Prove it: win from 8")
    assert challenge.endswith("8 is called lost: every move from it loses.")


def test_the_next_step_is_the_first_that_is_not_done() -> None:
    assert path_steps.next_step([]) == ("reach", 1)
    done = [path_steps.step_key(*place) for place in PLACES]
    assert path_steps.next_step(done[:9]) == ("avoid", 2)
    assert path_steps.next_step(done) is None
