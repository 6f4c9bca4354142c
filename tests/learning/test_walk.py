"""A walk: what comes of answers, help and games, whichever surface passes them on."""

from __future__ import annotations

import pytest

from ninefold import Ending, Game, NinefoldError, Rules, Seat
from ninefold.learning import AnswerKind, Item, Judged, Play, Response, Walk, read_item
from ninefold.learning.walk import Course

PUZZLE = "nf1.multiplier.avoid1000.3x9"
TRY_FIRST = "Have a try first. Then you can get more help."
NEAR = Rules(Ending.REACH, 10)


def walk_of(*keys: str) -> Walk:
    return Walk.of([read_item(key) for key in keys])


def entered(walk: Walk) -> Response:
    assert walk.state.entered is not None
    return walk.state.entered


def item(*hints: str, tells: bool = False, choices: tuple[str, ...] = ()) -> Item:
    """Return an item whose answer is 1, or the first choice."""
    right = choices[0] if choices else "1"
    kind = AnswerKind.CHOICE if choices else AnswerKind.NUMBER

    def judge(answer: str) -> Judged:
        return Judged(answer == right, "So it is.")

    return Item("key", "Which?", judge, hints, kind, choices, tells=tells)


def goal() -> Item:
    def judge(answer: str) -> Judged:
        return Judged(bool(answer), "Done." if answer else "Again.")

    return Item("goal", "Everything", judge)


def game(winner: Seat) -> Game:
    start = Game.start(NEAR, winner.other)
    return start.play(2).play(9)


# Answers


def test_the_first_answer_to_an_item_counts_and_later_ones_are_tries() -> None:
    walk = walk_of(PUZZLE, "7x8")
    wrong = walk.answer("3")
    assert (entered(walk).right, wrong.is_past) == (False, False)
    assert [(each.item.key, each.given) for each in wrong.answers] == [(PUZZLE, "3")]
    solved = walk.answer("2")
    assert (entered(walk).right, solved.is_past, solved.answers) == (True, True, ())
    assert (solved.number, walk.count) == (2, 2)
    assert [each.right for each in walk.answer("56").answers] == [True]
    assert (walk.state.is_over, walk.state.is_done) == (True, True)
    for again in (walk.answer, walk.enter):
        with pytest.raises(NinefoldError, match="this is over; start it again"):
            again("56")


def test_a_wrong_answer_that_tells_the_right_one_ends_its_item() -> None:
    walk = walk_of("45x7", "7x8")
    state = walk.answer("305")
    assert entered(walk).text.startswith("280 + 35 is 315: your facts were right")
    assert entered(walk).item.key == "45x7"
    assert (state.is_past, state.number) == (True, 2)


@pytest.mark.parametrize("typed", ["", "many", "-5", "4,86", "5.0", "²", "9" * 5000])
def test_an_entry_that_is_not_an_answer_is_asked_again_and_not_stored(
    typed: str,
) -> None:
    walk = walk_of("7x8")
    state = walk.enter(typed)
    assert (entered(walk).right, state.answers) == (None, ())
    assert entered(walk).text == "Type a whole number, such as 56."
    assert walk.answer("56").answers


def test_a_number_that_is_not_a_choice_is_asked_again() -> None:
    walk = walk_of("7x?56-111")
    walk.answer("12")
    assert entered(walk).text == "Type one of 2-9."
    assert walk.answer("8").answers


def test_after_the_last_try_the_answer_is_revealed() -> None:
    walk = Walk(asks(item("Think.", "It is 1.")), tries=2)
    assert not walk.answer("2").is_past
    assert walk.answer("3").is_past
    assert entered(walk).text == "So it is. It is 1."


def test_wrong_answers_say_more_each_time_and_then_offer_help() -> None:
    walk = walk_of("7x?56-111")
    told = []
    for _ in range(4):
        walk.answer("2")
        told.append(entered(walk).text)
    measured = "7 × 2 is 14: too small by 42."
    offered = f"{measured} Help gives you a step."
    assert told == ["7 × 2 is 14: too small.", measured, offered, offered]
    for answer in ("?", "2", "?", "2"):
        walk.enter(answer)
    assert entered(walk).text == measured
    walk.answer("8")
    assert entered(walk).text == "7 × 8 is 56."


def test_an_item_without_help_offers_none() -> None:
    walk = Walk(asks(item()))
    for _ in range(3):
        walk.answer("2")
    assert entered(walk).text == "So it is."


def asks(*items: Item) -> Course:
    yield from (each for each in items)
    return True


# Help and skipping


def test_help_is_recorded_with_the_answer_to_its_item_alone() -> None:
    walk = walk_of("45x7", "7x8")
    walk.help()
    assert entered(walk).text == "40 × 7 is 280."
    assert walk.answer("315").answers[0].hinted
    assert not walk.answer("56").answers[0].hinted


@pytest.mark.parametrize("key", [PUZZLE, "7x?56-111"])
def test_between_steps_of_help_there_is_a_try_at_every_item(key: str) -> None:
    walk = walk_of(key)
    first, second, *_ = read_item(key).hints
    walk.enter("?")
    assert entered(walk).text == first
    walk.enter("many")
    for word in ("?", "help", " Hint "):
        walk.enter(word)
        assert entered(walk).text == TRY_FIRST
    walk.answer("3")
    walk.help()
    assert entered(walk).text == second


def test_the_last_step_of_help_is_given_again() -> None:
    walk = Walk.of([item("Think.")])
    for _ in range(2):
        walk.help()
        assert entered(walk).text == "Think."
        walk.answer("2")


def test_an_item_without_help_says_so() -> None:
    walk = Walk.of([item()])
    walk.help()
    assert entered(walk).text == "There is no hint here. Try it!"
    assert not walk.answer("1").answers[0].hinted


def test_help_and_skip_words_can_be_answers_on_surfaces_with_keys() -> None:
    walk = Walk.of([item(choices=("skip", "hint")), item(choices=("help", "?"))])
    assert walk.answer("skip").answers[0].right
    assert walk.answer("help").answers[0].right
    assert walk.state.is_over


def test_a_skipped_item_stores_no_answer() -> None:
    walk = walk_of("7x8", "3x3")
    state = walk.enter("Skip")
    assert (state.entered, state.answers, state.number) == (None, (), 2)


# Sentences and games


def told() -> Course:
    yield "Play one."
    yield "Then answer."
    yield Play(NEAR)
    given = yield item()
    yield f"You say {given}."
    lost = yield Play(NEAR, caption="Game 2")
    return isinstance(lost, Game) and lost.outcome is not None


def test_messages_before_a_game_are_still_shown_after_it() -> None:
    walk = Walk(told())
    before = ("Play one.", "Then answer.")
    assert (walk.state.said, walk.said) == (before, before)
    assert walk.state.play == Play(NEAR)
    after = walk.played(game(Seat.ONE))
    assert (after.said, walk.said) == ((), before)
    assert after.item is not None
    walk.help()
    assert walk.said == before
    assert walk.answer("1").said == ("You say 1.",)
    assert [*walk.said] == ["You say 1."]


def test_the_answer_is_sent_to_the_course_and_without_one_nothing() -> None:
    for enter, said in (("1", "You say 1."), ("skip", "You say None.")):
        walk = Walk(told())
        walk.played(game(Seat.ONE))
        assert walk.enter(enter).said == (said,)


def test_games_that_are_won_in_a_row_are_counted() -> None:
    walk = Walk(told())
    walk.played(game(Seat.ONE))
    assert walk.won == 1
    walk.answer("1")
    assert walk.played(game(Seat.TWO)).is_over
    assert walk.won == 0


def test_the_goal_is_stored_only_after_a_course_without_mistakes() -> None:
    for given, closing, stored in (
        ("1", "Done.", ["key", "goal"]),
        ("2", "Again.", []),
    ):
        walk = Walk(strict(item(tells=True)), goal=goal())
        assert walk.state.closing == ""
        state = walk.answer(given)
        assert state.closing == closing
        assert state.is_done is (given == "1")
        keys = [each.item.key for each in state.answers]
        assert keys == (stored or ["key"])


def strict(asked: Item) -> Course:
    given = yield asked
    return isinstance(given, str) and asked.judge(given).right


def test_a_walk_without_items_is_over_at_once() -> None:
    assert Walk.of([]).state.is_over
