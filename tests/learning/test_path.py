"""The path: eight steps in three chapters, each checked by the program itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ninefold.game import Game, Seat
from ninefold.learning import Item, Kind, Practice
from ninefold.learning.claims import Play, Result
from ninefold.learning.path import (
    CHAPTERS,
    STEPS,
    TRIES,
    next_step,
    step_key,
    walk,
)
from ninefold.theory import oracle_for

PLACES = [(chapter, step) for chapter in CHAPTERS for step in range(1, len(STEPS) + 1)]


def answer(item: Item) -> str:
    """Find the answer that is right by trying."""
    numbers = [*map(str, range(1, 1000))]
    bands = [f"{a} to {b}" for a in range(1, 1001) for b in (a, *range(a + 1, 2 * a))]
    tried = {Kind.NUMBER: numbers, Kind.BAND: bands, Kind.CHOICE: item.choices}
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


def parts(chapter: str, step: int) -> Iterator[str | Item | Play]:
    """Walk a step without a mistake, and yield what it consists of."""
    walking = walk(chapter, step)
    result: Result = None
    while True:
        try:
            part = walking.send(result)
        except StopIteration:
            return
        yield part
        result = None
        if isinstance(part, Item):
            result = answer(part)
        elif isinstance(part, Play):
            result = play(part)


@pytest.mark.parametrize(("chapter", "step"), PLACES)
def test_a_step_can_be_done_and_tells_its_answers_after_three_tries(
    chapter: str, step: int
) -> None:
    for part in parts(chapter, step):
        if isinstance(part, Item):
            right = answer(part)
            assert Practice([part], tries=TRIES).enter(right).right
            failing = Practice([part], tries=TRIES)
            wrong = {Kind.NUMBER: "10000", Kind.BAND: "9000 to 9001"}
            if part.kind in wrong and not part.tells:
                for _ in range(TRIES):
                    told = failing.enter(wrong[part.kind])
                assert failing.item is None
                assert part.hints[-1] in told.words


def test_what_the_steps_are_about() -> None:
    assert [answer(each) for each in parts("reach", 2) if isinstance(each, Item)] == [
        "12",
        "56",
    ]
    assert [answer(each) for each in parts("reach", 7) if isinstance(each, Item)] == [
        "56 to 111",
        "28 to 55",
    ]
    (first, *_, last) = [each for each in parts("reach", 8) if isinstance(each, Item)]
    assert (answer(first), answer(last)) == ("4 to 6", "no")


def test_perfect_is_beaten_five_times_running() -> None:
    walking = walk("reach", 6)
    assert isinstance(next(walking), str)
    part = next(walking)
    for well in (True, True, False, True, True, True, True):
        assert isinstance(part, Play)
        part = walking.send(play(part, well=well))
    assert isinstance(part, Play)
    with pytest.raises(StopIteration):
        walking.send(play(part))


def test_three_losses_are_followed_by_a_worked_example() -> None:
    walking = walk("reach", 6)
    next(walking)
    part = next(walking)
    for _ in range(TRIES):
        assert isinstance(part, Play)
        part = walking.send(play(part, well=False))
    assert isinstance(part, str)
    assert part.startswith("Here is one way.")


def test_the_next_step_is_the_first_that_is_not_done() -> None:
    assert next_step([]) == ("reach", 1)
    done = [step_key(*place) for place in PLACES]
    assert next_step(done[:9]) == ("avoid", 2)
    assert next_step(done) is None
