from __future__ import annotations

import pytest

from ninefold.coach import TOO_FAR, hints, why
from ninefold.game import Game
from ninefold.rulebooks import load
from ninefold.rules import Ending, Rules
from ninefold.theory import Oracle

FAR = Rules(Ending.AVOID, 10**999, (2, 5, 11, 23))
BLIND = Oracle(FAR, most_steps=10)


def game(book: str, *moves: int) -> Game:
    return Game.replay(load(book).rules, moves)


@pytest.mark.parametrize(
    ("played", "last"),
    [
        (game("multiplication-madness", 5, 5), "×7 wins now: it makes 175."),
        (
            game("multiplier-showdown", 5),
            "You cannot win from here if the other player makes no mistake.",
        ),
        (game("multiplication-duel", 9), "×8 leaves 72."),
        (game("multiplication-duel", 4), "×2 lasts longest."),
    ],
)
def test_the_last_step_of_a_hint(played: Game, last: str) -> None:
    assert hints(played)[-1].text == last


def test_a_game_that_is_too_large_has_one_hint_that_says_so() -> None:
    far = Game.start(FAR)
    assert [hint.text for hint in hints(far, BLIND)] == [TOO_FAR]
    assert why(far, BLIND) == TOO_FAR


def test_why_names_the_move() -> None:
    assert why(game("multiplication-madness", 5, 5)).startswith("×7 makes 175")


def test_in_mental_arithmetic_why_names_no_product_of_the_players_own() -> None:
    told = why(game("multiplication-madness", 5, 5), products=False)
    assert told == "You can win right now. ×7 wins now."


def test_why_gives_the_reason_of_a_lost_total_in_mental_arithmetic_too() -> None:
    told = why(game("multiplier-showdown", 8, 7), products=False)
    assert told == (
        "You are at 56. From 4 to 6 and from 56 to 111 every move loses."
        " After any move, the other player can reach 1,000 with ×9. Whatever you play,"
        " the game is over in 2 moves."
    )
