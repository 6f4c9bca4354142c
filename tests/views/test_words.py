"""Events in words, for those who play a seat and for those who watch."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ninefold import Ending, Rules, Seat
from ninefold.learning import Product
from ninefold.match import Length
from ninefold.rulebooks import KEYS, load
from ninefold.session import Answered, Lessons, Session, Setup, SlipQuestion, commands
from ninefold.theory import Band
from ninefold.views.match_text import (
    NO_MORE_GIVE_BACKS,
    NOTHING_LOST,
    STRIPED,
    format_answered,
    format_bands,
    format_distinction,
    format_events,
    format_opponent_slip,
    format_resign_question,
    format_slip_warning,
)

ONE, TWO = Seat.ONE, Seat.TWO
SETUP = Setup(
    rules=Rules(Ending.REACH, 100),
    book="multiplication-madness",
    lessons=Lessons(coach=True),
    all_seated=False,
)
DUEL = Setup(
    rules=Rules(Ending.EXACT, 100), book="multiplication-duel", all_seated=False
)
COACHED = replace(DUEL, lessons=Lessons(coach=True))
SHOWDOWN = Setup(
    rules=Rules(Ending.REACH, 1_000), book="multiplier-showdown", all_seated=False
)
REACHED = "Bo has reached the target number and wins the game!"
EXACTLY = "Ada has reached exactly 100. Ada wins!"
TWO_MORE = "2 left in this game."
SITTING = (commands.Sit(ONE, "Ada"), commands.Sit(TWO, "Bo"))


def words(setup: Setup, *log: commands.Command, seat: Seat | None) -> str:
    """Say the last of some commands to a seat, or to somebody who watches."""
    before = Session.replay(setup, [*SITTING, *log[:-1]] if log else SITTING[:1])
    session, events = before.apply_unchecked(log[-1] if log else SITTING[1])
    return format_events(session, events, () if seat is None else (seat,))


@pytest.mark.parametrize(
    ("setup", "log", "ada", "bo", "others"),
    [
        (SETUP, (), "Bo has joined.", "Bo has joined.", "Bo has joined."),
        (
            DUEL,
            (commands.Move(5), commands.AskTakeBack(ONE)),
            "You asked to take a move back. Waiting for Bo to agree.",
            "Ada asks to take a move back.",
            "Ada asks to take a move back.",
        ),
        (
            DUEL,
            (commands.Move(5), commands.Move(2), commands.AskTakeBack(ONE)),
            "You asked to take the last two moves back. Waiting for Bo to agree.",
            "Ada asks to take the last two moves back.",
            "Ada asks to take the last two moves back.",
        ),
        (
            DUEL,
            (commands.Move(5), commands.AskTakeBack(ONE), commands.DeclineTakeBack()),
            "Bo said no; the move stays.",
            "You said no; the move stays.",
            "Bo said no; the move stays.",
        ),
        (
            DUEL,
            (commands.Move(5), commands.AskTakeBack(ONE), commands.Move(2)),
            "Bo said no; the move stays. Bo plays ×2: 5 × 2 makes 10.",
            "You chose 2. Running Total is now 10.",
            "Bo said no; the move stays. Bo plays ×2: 5 × 2 makes 10.",
        ),
        (
            DUEL,
            (
                commands.Move(5),
                commands.Move(2),
                commands.AskTakeBack(ONE),
                commands.Move(3),
            ),
            "You chose 3. Running Total is now 30.",
            *["Ada plays ×3: 10 × 3 makes 30."] * 2,
        ),
        (
            COACHED,
            (commands.Move(2), commands.AskTakeBack(ONE), commands.GiveBack(9)),
            "Bo said no; the move stays.",
            f"The coach gives you a second chance. {TWO_MORE}",
            "Bo said no; the move stays.",
        ),
        (
            DUEL,
            (commands.Move(5), commands.AskTakeBack(ONE), commands.Resign(ONE)),
            *["Ada has resigned and loses the game. Bo wins!"] * 3,
        ),
        (
            DUEL,
            (commands.Move(5), commands.AskTakeBack(ONE), commands.Withdraw(ONE)),
            "You no longer want a move back.",
            "Ada no longer wants a move back.",
            "Ada no longer wants a move back.",
        ),
        (
            SETUP,
            (commands.GiveBack(2),),
            f"The coach gives you a second chance. {TWO_MORE}",
            "",
            "",
        ),
        (
            SETUP,
            (commands.GiveBack(2), commands.GiveBack(2), commands.GiveBack(2)),
            f"The coach gives you a second chance. {NO_MORE_GIVE_BACKS}",
            f"The coach gives Ada a second chance. {NO_MORE_GIVE_BACKS}",
            "",
        ),
        (
            SETUP,
            (commands.Resign(ONE), commands.AskRematch(TWO)),
            "Bo asks for a rematch.",
            "You asked for a rematch. Waiting for Ada to agree.",
            "Bo asks for a rematch.",
        ),
        (
            SETUP,
            (commands.Resign(ONE), commands.AskRematch(TWO), commands.Withdraw(TWO)),
            "Bo no longer wants a rematch.",
            "You no longer want a rematch.",
            "Bo no longer wants a rematch.",
        ),
        (
            replace(SETUP, length=Length.best_of(3)),
            (commands.Resign(ONE), commands.NextGame(TWO)),
            *["Game 2 begins: Bo starts."] * 3,
        ),
        (
            SETUP,
            (commands.Resign(ONE), commands.Rematch(TWO)),
            *["A rematch begins: Bo starts."] * 3,
        ),
        (SHOWDOWN, (commands.Move(5),), *["Ada plays ×5: 1 × 5 makes 5."] * 3),
        (
            SHOWDOWN,
            (commands.Move(9), commands.Move(5), commands.Move(3), commands.Move(9)),
            *[f"Bo multiplies 135 by 9 to get 1215. {REACHED}"] * 3,
        ),
        (
            DUEL,
            (commands.Move(5), commands.Move(4), commands.Move(5)),
            f"You chose 5. Running Total is now 100. {EXACTLY}",
            *[f"Ada plays ×5: 20 × 5 makes 100. {EXACTLY}"] * 2,
        ),
        (
            SETUP,
            (commands.Move(2),),
            "You chose 2. Current Total is now 2.",
            "Ada plays ×2: 1 × 2 makes 2.",
            "Ada plays ×2: 1 × 2 makes 2.",
        ),
    ],
)
def test_an_event_has_a_text_for_each_seat_and_for_spectators(
    setup: Setup, log: tuple[commands.Command, ...], ada: str, bo: str, others: str
) -> None:
    assert [words(setup, *log, seat=seat) for seat in (ONE, TWO, None)] == [
        ada,
        bo,
        others,
    ]


@pytest.mark.parametrize("seat", [ONE, TWO, None])
def test_winner_loser_and_spectators_read_the_rule_books_words(
    seat: Seat | None,
) -> None:
    won = words(DUEL, commands.Move(5), commands.Move(5), commands.Move(4), seat=seat)
    assert "Ada wins!" in won


def test_the_coach_names_the_mover_where_two_share_a_screen() -> None:
    session = Session.replay(SETUP, [*SITTING, commands.Move(2)])
    assert format_opponent_slip(session, TWO) == "Ada slipped. You can win from here."
    assert (
        format_opponent_slip(session, None) == "Bo, Ada slipped. You can win from here."
    )
    assert format_resign_question(session, TWO) == "Resign this game?"
    assert format_resign_question(session, None) == "Bo, resign this game?"


def test_a_slip_warning_on_a_shared_screen_leaves_out_the_reason() -> None:
    session = Session.replay(SETUP, SITTING)
    question = session.question(commands.Move(2))
    assert isinstance(question, SlipQuestion)
    whole = format_slip_warning(session, question.slip, ONE)
    secret = format_slip_warning(session, question.slip, None)
    assert question.slip.reason in whole
    assert question.slip.reason not in secret
    assert secret == f"Ada, that gives the win away. {question.slip.winners}"


def test_the_last_second_chance_is_announced_as_the_last() -> None:
    said = words(SETUP, *[commands.GiveBack(2)] * 3, seat=ONE)
    assert said.endswith("No second chances left in this game.")


def test_a_caption_explains_the_bands_or_why_there_are_none() -> None:
    assert format_bands([Band(6, 11)]) == STRIPED
    assert format_bands([]) == NOTHING_LOST
    assert format_bands(None) == "There are too many lost totals to draw."


def test_the_five_games_are_distinguished_from_those_with_the_same_aim() -> None:
    told = {key: format_distinction(load(key)) for key in KEYS}
    assert all(told.values())
    aims = {(load(key).rules.ending, line) for key, line in told.items()}
    assert len(aims) == len(KEYS)


def test_the_distinction_of_a_game_follows_from_its_rule_book() -> None:
    plain = replace(load("multiplier-showdown"), settles=())
    assert format_distinction(plain) == ""
    assert (
        format_distinction(replace(plain, take_back=False))
        == "Moves cannot be taken back."
    )
    assert format_distinction(replace(plain, settles=("target",), take_back=False)) == (
        "You choose the target. Moves cannot be taken back."
    )
    asks = load("multiplication-showdown")
    assert format_distinction(asks) == "It asks before you lose by mistake."
    silent = replace(asks, words=replace(asks.words, confirm=None))
    assert format_distinction(silent) == "It never asks if you are sure."


@pytest.mark.parametrize(
    ("seats", "right", "wrong"),
    [
        ((ONE,), "Right.", "Not quite: 7 × 8 is 56."),
        (tuple(Seat), "Right, Ada.", "Not quite, Ada: 7 × 8 is 56."),
        ((TWO,), "", ""),
        ((), "", ""),
    ],
)
def test_a_product_is_marked_only_for_the_player_who_gave_it(
    seats: tuple[Seat, ...], right: str, wrong: str
) -> None:
    session = Session.replay(SETUP, SITTING)
    answers = [Answered(ONE, Product(7, 8, given)) for given in (56, 54)]
    assert [format_answered(each, session, seats) for each in answers] == [right, wrong]
