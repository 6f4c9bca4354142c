from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.app import App, ComposeResult

from ninefold.app import ninefold_app as application
from ninefold.app.announcements import announce, ending, game_of_match, welcome
from ninefold.app.screens.help import unwrapped
from ninefold.app.theme import DARK
from ninefold.app.widgets.board import (
    Board,
    Total,
    large_digits,
    seat_views,
    small_digits,
)
from ninefold.app.widgets.move_list import MovesRow
from ninefold.app.widgets.multiplier_keys import MultiplierEntry
from ninefold.app.widgets.number_line import STEPS, game_line, partly_drawn
from ninefold.game import Game, Seat
from ninefold.playing.scene import Scene
from ninefold.rulebooks import KEYS, load
from ninefold.rules import Ending, Rules
from ninefold.session import Began, Resigned, Session, Setup
from tests.app.rooms import agreed

TCSS = Path(application.__file__).with_name("ninefold.tcss")


def game(book: str, *moves: int) -> Game:
    return Game.replay(load(book).rules, moves)


def test_no_ending_is_shown_before_the_end() -> None:
    session = Session.start(agreed(level="careful"))
    setup = session.setup
    assert ending(session.game, session.book, setup.names) == ""
    assert game_of_match(session) == ""


@pytest.mark.parametrize("book", KEYS)
def test_a_toss_is_told_in_the_words_of_the_rule_book_and_without_its_dashes(
    book: str,
) -> None:
    told = {
        "multiplication-madness": "The coin is tossed: Ada takes the first turn.",
        "multiplication-showdown": "The coin has been flipped. Ada, you start!",
        "multiplier": "The coin is flipped: Ada goes first.",
        "multiplier-showdown": "The coin says that Ada starts.",
        "multiplication-duel": "The coin has decided: Ada begins.",
    }
    session = Session.start(replace(agreed(book), first_tossed=True))
    assert welcome(Scene(session)) == f"{told[book]} Multiply the total by one of 2-9."


def test_a_toss_is_told_when_a_game_begins() -> None:
    session = Session.start(agreed())
    assert (
        announce(Scene(session), [Began(Seat.TWO, tossed=True)])
        == "Game 1 begins: Bo won the toss and starts."
    )
    assert announce(Scene(session), [Resigned(Seat.TWO)]) == ""
    assert seat_views(Scene(session))[Seat.ONE].moves


def test_every_digit_is_drawn_as_wide_as_the_others() -> None:
    for digits in (small_digits("0123456789"), large_digits("0123456789")):
        assert len({len(row) for row in digits}) == 1


def test_a_hop_is_drawn_in_steps() -> None:
    line = game_line(game("multiplier-showdown", 5, 3), bands=False)
    half = partly_drawn(line, STEPS // 2)
    assert half.hops[-1].right < line.hops[-1].right
    assert half.total == half.hops[-1].right
    assert partly_drawn(line, STEPS) == line


def test_before_the_first_hop_there_is_nothing_to_draw() -> None:
    line = game_line(game("multiplier-showdown"), bands=False)
    assert partly_drawn(line, 0) == line


def test_paragraphs_are_joined_and_items_stay_apart() -> None:
    assert unwrapped("\na\nb\n\n- c\n  d\n") == "\na b\n\n- c d\n"


def test_moves_are_blank_before_there_is_a_game() -> None:
    assert MovesRow().render().plain == ""


def test_a_board_is_blank_before_it_shows_a_game() -> None:
    class Bare(App[None]):
        CSS_PATH = str(TCSS)

        def get_theme_variable_defaults(self) -> dict[str, str]:
            return DARK.variables

        def compose(self) -> ComposeResult:
            yield Board(motion=False)
            yield MultiplierEntry()

    async def look() -> None:
        app = Bare()
        async with app.run_test() as pilot:
            await pilot.press("tab", "5")
            assert app.query_one(Total).number is None

    asyncio.run(look())


def test_a_level_that_was_tossed_to_start_is_said_to_think() -> None:
    setup = Setup(
        rules=Rules(Ending.REACH, 100),
        book="multiplication-madness",
        names=("Ada", "Planner"),
        levels=(None, "planner"),
        first=Seat.TWO,
        first_tossed=True,
    )
    assert (
        welcome(Scene(Session.start(setup), (Seat.ONE,)))
        == "The coin is tossed: Planner starts. Planner is thinking …"
    )
