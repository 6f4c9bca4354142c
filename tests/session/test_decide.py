"""What becomes of an ask: a command, a question, or a refusal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold import Ending, Rules, Seat, errors
from ninefold.session import (
    Lessons,
    LossQuestion,
    ProductQuestion,
    Session,
    Setup,
    SlipQuestion,
    Withdrawn,
    commands,
)

ONE, TWO = Seat.ONE, Seat.TWO
RULES = Rules(Ending.REACH, 100)
AT_HOME = Setup(rules=RULES, book="multiplier-showdown")
AGAINST_A_LEVEL = replace(AT_HOME, levels=(None, "expert"))
ONLINE = replace(AT_HOME, all_seated=False)
SEATED = (commands.Sit(ONE, "Ada"), commands.Sit(TWO, "Bo"))


def online(*log: commands.Command) -> Session:
    return Session.replay(ONLINE, (*SEATED, *log))


def test_a_move_of_the_seat_to_move_becomes_a_command() -> None:
    assert online().decide(ONE, commands.Move(5)) == commands.Move(5)


def test_a_move_out_of_turn_is_refused() -> None:
    with pytest.raises(errors.OutOfTurn, match="other player's turn"):
        online().decide(TWO, commands.Move(5))


def test_asks_are_rejected_before_both_players_have_joined() -> None:
    with pytest.raises(errors.SeatVacant):
        Session.replay(ONLINE, SEATED[:1]).decide(ONE, commands.Move(5))


def test_at_one_keyboard_every_ask_is_for_the_seat_to_move() -> None:
    session, _ = Session.start(AT_HOME).apply_unchecked(commands.Move(5))
    assert [session.acting_seat(seat) for seat in Seat] == [TWO, TWO]
    over, _ = session.apply_unchecked(commands.Resign(TWO))
    assert [over.acting_seat(seat) for seat in Seat] == [ONE, TWO]
    for setup in (AGAINST_A_LEVEL, ONLINE):
        assert [Session.start(setup).acting_seat(seat) for seat in Seat] == [ONE, TWO]


@pytest.mark.parametrize("setup", [AT_HOME, AGAINST_A_LEVEL])
def test_a_take_back_that_needs_no_consent_is_done_at_once(setup: Setup) -> None:
    session, _ = Session.start(setup).apply_unchecked(commands.Move(5))
    assert session.decide(ONE, commands.TakeBack()) == commands.Undo()


def test_an_online_take_back_is_requested_and_allowed_or_declined() -> None:
    asked = online(commands.Move(5)).decide(ONE, commands.TakeBack())
    assert asked == commands.AskTakeBack(ONE)
    session = online(commands.Move(5), asked)
    assert session.decide(TWO, commands.AllowTakeBack()) == commands.Undo()
    assert session.decide(TWO, commands.DeclineTakeBack()) == commands.DeclineTakeBack()
    for ask in (commands.AllowTakeBack(), commands.DeclineTakeBack()):
        with pytest.raises(errors.NoPendingRequest):
            session.decide(ONE, ask)


def test_a_take_back_request_can_be_cancelled_by_its_seat() -> None:
    session = online(commands.Move(5), commands.AskTakeBack(ONE))
    assert session.decide(ONE, commands.CancelRequest()) == commands.Withdraw(ONE)
    after, events = session.apply_unchecked(commands.Withdraw(ONE))
    assert events == (Withdrawn(ONE),)
    assert after.take_back_asked is None
    with pytest.raises(errors.NoPendingRequest):
        session.apply_unchecked(commands.Withdraw(TWO))


def test_a_rematch_needs_consent_only_online() -> None:
    over = (commands.Resign(ONE),)
    assert online(*over).decide(TWO, commands.RequestRematch()) == commands.AskRematch(
        TWO
    )
    assert online(*over, commands.AskRematch(TWO)).decide(
        ONE, commands.RequestRematch()
    ) == commands.Rematch(TWO)
    assert Session.replay(AT_HOME, over).decide(
        ONE, commands.RequestRematch()
    ) == commands.Rematch(TWO)
    after, _ = online(*over, commands.AskRematch(TWO)).apply_unchecked(
        commands.Withdraw(TWO)
    )
    assert after.rematch_asked is None


def test_the_next_game_and_resigning_become_commands() -> None:
    long = replace(ONLINE, length=ONLINE.length.best_of(3))
    session = Session.replay(long, SEATED)
    assert session.decide(TWO, commands.ResignGame()) == commands.Resign(TWO)
    session, _ = session.apply_unchecked(commands.Resign(TWO))
    assert session.decide(ONE, commands.StartNextGame()) == commands.NextGame(TWO)


def test_a_retry_of_an_online_match_is_rejected() -> None:
    over = (commands.Move(5), commands.Resign(TWO))
    assert Session.replay(AT_HOME, over).decide(
        ONE, commands.Retry((5,))
    ) == commands.Retry((5,))
    with pytest.raises(errors.SessionError, match="on your own machine"):
        online(*over).decide(ONE, commands.Retry((5,)))


# Questions before a move counts


def test_mental_arithmetic_asks_for_the_product_before_the_move_counts() -> None:
    mental = replace(AT_HOME, lessons=Lessons(mental=True))
    session = Session.replay(mental, [commands.Move(5)])
    with pytest.raises(errors.QuestionOpen) as asked:
        session.decide(TWO, commands.Move(3))
    assert asked.value.question == ProductQuestion(5, 3)
    assert session.decide(TWO, commands.Move(3, answer=15)) == commands.Move(
        3, answer=15
    )


def test_an_avoidable_loss_is_questioned_if_the_rule_book_does_so() -> None:
    rules = Rules(Ending.EXACT, 100)
    setup = Setup(rules=rules, book="multiplication-showdown")
    session = Session.replay(setup, [commands.Move(5), commands.Move(9)])
    if session.book.questions_losses:
        with pytest.raises(errors.QuestionOpen) as asked:
            session.decide(ONE, commands.Move(9))
        assert asked.value.question == LossQuestion(9)
    meant = commands.Move(9, accepts_loss=True)
    assert session.decide(ONE, meant) == meant


COACHED = replace(
    AT_HOME,
    rules=Rules(Ending.REACH, 1000),
    lessons=Lessons(coach=True, give_backs=1),
)


def test_the_coach_warns_once_per_position() -> None:
    session = Session.start(COACHED)
    with pytest.raises(errors.QuestionOpen) as asked:
        session.decide(ONE, commands.Move(9))
    assert isinstance(asked.value.question, SlipQuestion)
    with pytest.raises(errors.QuestionOpen):
        session.decide(ONE, commands.Move(9), warned=9)
    assert session.decide(ONE, commands.Move(8), warned=9) == commands.Move(8)
    assert session.decide(ONE, commands.Move(9), coach=False) == commands.Move(9)
    meant = commands.Move(9, despite_coach=True)
    assert session.decide(ONE, meant, warned=9) == meant


def test_only_a_move_with_a_warning_is_given_back() -> None:
    session = Session.start(COACHED)
    assert session.decide(ONE, commands.GiveBack(9), warned=9) == commands.GiveBack(9)
    for ask, warned in (
        (commands.GiveBack(9), None),
        (commands.GiveBack(8), 9),
        (commands.GiveBack(), 9),
    ):
        with pytest.raises(errors.NoPendingRequest, match="not warned"):
            session.decide(ONE, ask, warned=warned)
    with pytest.raises(errors.OutOfTurn):
        session.decide(TWO, commands.GiveBack(9), warned=9)


def test_without_second_chances_left_the_coach_asks_nothing() -> None:
    session, _ = Session.start(COACHED).apply_unchecked(commands.GiveBack(9))
    assert session.decide(ONE, commands.Move(9)) == commands.Move(9)


# What may be asked for now

COMMANDS = st.lists(
    st.tuples(
        st.sampled_from(Seat),
        st.sampled_from([*commands.PLAIN_ASKS, *map(commands.Move, range(2, 10))]),
    ),
    max_size=25,
)


@given(COMMANDS, st.sampled_from([AT_HOME, ONLINE]))
@settings(max_examples=400)
def test_every_allowed_ask_becomes_a_command_that_applies(
    asks: list[tuple[Seat, commands.PlainAsk | commands.Move]], setup: Setup
) -> None:
    session = Session.start(setup)
    if not setup.all_seated:
        session = Session.replay(setup, SEATED)
    for seat, ask in asks:
        allowed = not isinstance(ask, commands.Move) and session.allows(seat, ask)
        try:
            session, _ = session.apply_unchecked(session.decide(seat, ask))
        except errors.NinefoldError:
            assert not allowed, (seat, ask)
        else:
            assert allowed or isinstance(ask, commands.Move), (seat, ask)


def test_no_ask_is_allowed_before_both_players_have_joined() -> None:
    session = Session.replay(ONLINE, SEATED[:1])
    assert not any(
        session.allows(seat, ask) for seat in Seat for ask in commands.PLAIN_ASKS
    )


def test_the_end_of_a_game_leaves_no_move_to_take_back() -> None:
    session = online(commands.Move(5), commands.Resign(TWO))
    assert not session.allows(ONE, commands.TakeBack())
    with pytest.raises(errors.GameOver):
        session.apply_unchecked(session.decide(ONE, commands.TakeBack()))
    with pytest.raises(errors.NothingToUndo):
        online().apply_unchecked(commands.AskTakeBack(ONE))


# A reason


def test_a_seat_resigns_for_itself_and_may_say_why() -> None:
    asked = commands.Resign(ONE, "ended before its answer")
    assert online().decide(TWO, asked) == commands.Resign(
        TWO, "ended before its answer"
    )


@pytest.mark.parametrize("reason", ["x" * 301, "\x1b[2J"])
def test_a_long_or_unprintable_reason_is_rejected(reason: str) -> None:
    with pytest.raises(errors.SessionError, match="printable"):
        online(commands.Resign(TWO, reason))
