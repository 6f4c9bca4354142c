"""People who come one by one, and what one seat asks of the other."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from ninefold import Ending, NinefoldError, Rules, Seat, errors
from ninefold.match import Length
from ninefold.notation.codec import decode, encode
from ninefold.session import (
    AskRematch,
    AskTakeBack,
    Command,
    DeclineTakeBack,
    Ended,
    Event,
    GiveBack,
    Lessons,
    Move,
    Moved,
    NextGame,
    Rematch,
    RematchAsked,
    Resign,
    Resigned,
    Retry,
    Seated,
    Session,
    Setup,
    Sit,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
    Undo,
)

SETUP = Setup(
    rules=Rules(Ending.AVOID, 100), book="multiplier", names=("Ada", "Player 2")
)
OPEN = replace(SETUP, all_seated=False)
MADNESS = replace(OPEN, rules=Rules(Ending.REACH, 100), book="multiplication-madness")
BOTH = (Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bo"))
NINES = (Move(9), Move(9), Move(9))


def played(setup: Setup, *commands: Command) -> Session:
    session = Session.start(setup)
    for command in commands:
        session, _ = session.apply(command)
    return session


def events_of(session: Session, command: Command) -> tuple[Event, ...]:
    _, events = session.apply(command)
    return events


# Sitting down


def test_people_join_one_by_one() -> None:
    session = Session.start(OPEN)
    assert session.empty_seats == (Seat.ONE, Seat.TWO)
    session, events = session.apply(Sit(Seat.TWO, "Bo"))
    assert events == (Seated(Seat.TWO, "Bo"),)
    assert session.empty_seats == (Seat.ONE,)
    assert session.setup.names == ("Ada", "Bo")
    session, _ = session.apply(Sit(Seat.ONE, "Eve"))
    assert session.empty_seats == ()
    assert session.setup.names == ("Eve", "Bo")
    assert session.revision == 2


def test_nobody_can_join_when_all_seats_are_taken() -> None:
    session = Session.start(SETUP)
    assert session.empty_seats == ()
    with pytest.raises(errors.SeatTaken) as taken:
        session.apply(Sit(Seat.ONE, "Eve"))
    assert taken.value.seat is Seat.ONE


def test_a_level_needs_no_seat() -> None:
    session = Session.start(replace(OPEN, levels=(None, "perfect")))
    assert session.empty_seats == (Seat.ONE,)
    with pytest.raises(errors.SeatTaken):
        session.apply(Sit(Seat.TWO, "Bo"))
    session, _ = session.apply(Sit(Seat.ONE, "Eve"))
    assert session.empty_seats == ()


def test_a_seat_can_be_taken_only_once() -> None:
    session = played(OPEN, Sit(Seat.ONE, "Ada"))
    with pytest.raises(errors.SeatTaken) as taken:
        session.apply(Sit(Seat.ONE, "Eve"))
    assert taken.value.seat is Seat.ONE
    with pytest.raises(errors.SetupError, match="the other player is called Ada too"):
        session.apply(Sit(Seat.TWO, "Ada"))
    with pytest.raises(errors.SetupError, match="visible characters"):
        session.apply(Sit(Seat.TWO, ""))


@pytest.mark.parametrize(
    "command",
    [
        Move(2),
        GiveBack(2),
        Undo(),
        AskTakeBack(Seat.ONE),
        DeclineTakeBack(),
        Resign(Seat.ONE),
        NextGame(Seat.ONE),
        AskRematch(Seat.ONE),
        Rematch(Seat.ONE),
        Retry(()),
    ],
    ids=lambda command: type(command).__name__,
)
def test_commands_are_rejected_before_both_players_have_joined(
    command: Command,
) -> None:
    session = played(OPEN, Sit(Seat.ONE, "Ada"))
    with pytest.raises(errors.SeatVacant) as empty:
        session.apply(command)
    assert empty.value.seat is Seat.TWO
    assert session.next_automatic_command() is None


def test_a_level_moves_only_after_the_person_has_joined() -> None:
    setup = replace(OPEN, levels=("perfect", None))
    session = Session.start(setup)
    assert session.next_automatic_command() is None
    session, _ = session.apply(Sit(Seat.TWO, "Bo"))
    assert isinstance(session.next_automatic_command(), Move)


def test_lessons_hold_only_if_both_players_want_them() -> None:
    setup = replace(OPEN, lessons=Lessons(coach=True, give_backs=3, mental=True))
    agreed = played(setup, *BOTH)
    assert agreed.setup.lessons == setup.lessons
    wanted = Lessons(coach=True, give_backs=1, hints=False)
    log = BOTH[0], Sit(Seat.TWO, "Bo", wanted)
    session = played(setup, *log)
    assert session.setup.lessons == wanted
    assert session.give_backs == 1
    assert Session.replay(setup, log) == session


lessons = st.builds(
    Lessons, st.booleans(), st.integers(0, 9), st.booleans(), st.booleans()
)


@given(lessons, lessons, lessons)
def test_shared_lessons_do_not_depend_on_who_joins_first(
    one: Lessons, two: Lessons, three: Lessons
) -> None:
    assert one.shared_with(two) == two.shared_with(one)
    assert one.shared_with(one) == one
    both = one.shared_with(two)
    assert both.shared_with(three) == one.shared_with(two.shared_with(three))
    assert both.shared_with(one) == both  # nobody gets more than was wanted


# Moves asked back


def test_a_take_back_is_requested_and_allowed() -> None:
    session = played(OPEN, *BOTH, Move(2))
    session, events = session.apply(AskTakeBack(Seat.ONE))
    assert events == (TakeBackAsked(Seat.ONE),)
    assert session.take_back_asked is Seat.ONE
    session, events = session.apply(Undo())
    assert events == (TakenBack((2,), 1),)
    assert session.take_back_asked is None
    assert session.to_move is Seat.ONE


def test_after_a_take_back_the_requesting_seat_is_to_move() -> None:
    session = played(OPEN, *BOTH, Move(2), Move(3), AskTakeBack(Seat.ONE))
    session, events = session.apply(Undo())
    assert events == (TakenBack((2, 3), 1),)
    assert session.to_move is Seat.ONE
    unasked = played(OPEN, *BOTH, Move(2), Move(3), Undo())
    assert unasked.to_move is Seat.TWO  # the last person who moved


def test_a_take_back_request_can_be_declined() -> None:
    session = played(OPEN, *BOTH, Move(2), AskTakeBack(Seat.ONE))
    session, events = session.apply(DeclineTakeBack())
    assert events == (TakeBackDeclined(Seat.ONE),)
    assert session.take_back_asked is None
    assert session.game.moves == (2,)
    with pytest.raises(errors.SessionError, match="no take-back request to decline"):
        session.apply(DeclineTakeBack())


def test_a_move_declines_the_take_back_request() -> None:
    session = played(OPEN, *BOTH, Move(2), AskTakeBack(Seat.ONE))
    session, events = session.apply(Move(3))
    assert events == (TakeBackDeclined(Seat.ONE), Moved(Seat.TWO, 3, 6))
    assert session.take_back_asked is None


def test_resigning_declines_the_take_back_request() -> None:
    session = played(OPEN, *BOTH, Move(2), AskTakeBack(Seat.ONE))
    declined, resigned, ended = events_of(session, Resign(Seat.TWO))
    assert declined == TakeBackDeclined(Seat.ONE)
    assert resigned == Resigned(Seat.TWO)
    assert isinstance(ended, Ended)


def test_only_one_take_back_can_be_requested_at_a_time() -> None:
    session = played(OPEN, *BOTH, Move(2), Move(3), AskTakeBack(Seat.ONE))
    for seat in Seat:
        with pytest.raises(
            errors.SessionError, match="a take-back is already requested"
        ):
            session.apply(AskTakeBack(seat))


def test_a_take_back_request_needs_a_move_of_the_seat() -> None:
    with pytest.raises(errors.NothingToUndo):
        played(OPEN, *BOTH).apply(AskTakeBack(Seat.ONE))
    with pytest.raises(errors.NothingToUndo):
        played(OPEN, *BOTH, Move(2)).apply(AskTakeBack(Seat.TWO))
    with pytest.raises(errors.TakebackNotAllowed):
        played(MADNESS, *BOTH, Move(2)).apply(AskTakeBack(Seat.ONE))
    with pytest.raises(errors.GameOver):
        played(OPEN, *BOTH, *NINES).apply(AskTakeBack(Seat.ONE))


# Rematches


def test_a_rematch_can_be_requested_once_the_match_is_over() -> None:
    over = played(OPEN, *BOTH, *NINES)
    session, events = over.apply(AskRematch(Seat.ONE))
    assert events == (RematchAsked(Seat.ONE),)
    assert session.rematch_asked is Seat.ONE
    for seat in Seat:
        with pytest.raises(errors.SessionError, match="already requested"):
            session.apply(AskRematch(seat))
    session, _ = session.apply(session.rematch())
    assert session.rematch_asked is None
    assert session.match_number == 2
    assert session.setup.names == ("Ada", "Bo")


def test_a_rematch_request_before_the_end_is_rejected() -> None:
    with pytest.raises(errors.SessionError, match="the game is not over"):
        played(OPEN, *BOTH, Move(2)).apply(AskRematch(Seat.ONE))
    between = played(replace(OPEN, length=Length.games(2)), *BOTH, *NINES)
    with pytest.raises(errors.SessionError, match="the match is not over"):
        between.apply(AskRematch(Seat.ONE))


# Any sequence


commands = st.one_of(
    st.builds(
        Sit,
        st.sampled_from(Seat),
        st.sampled_from(["Ada", "Bo", "Eve"]),
        st.none() | lessons,
    ),
    st.builds(Move, st.integers(1, 10), st.none() | st.integers(0, 500)),
    st.builds(GiveBack, st.integers(2, 9)),
    st.builds(AskTakeBack, st.sampled_from(Seat)),
    st.builds(Undo),
    st.builds(DeclineTakeBack),
    st.builds(Resign, st.sampled_from(Seat)),
    st.builds(NextGame, st.sampled_from(Seat)),
    st.builds(AskRematch, st.sampled_from(Seat)),
    st.builds(Rematch, st.sampled_from(Seat)),
    st.builds(Retry, st.lists(st.integers(2, 9), max_size=2).map(tuple)),
)
open_setups = st.builds(
    lambda length, wanted, levels: replace(
        OPEN, length=length, lessons=wanted, levels=levels
    ),
    st.sampled_from([Length.best_of(1), Length.best_of(3), Length.games(2)]),
    lessons,
    st.sampled_from([(None, None), (None, None), (None, "beginner")]),
)


@given(commands)
def test_every_command_survives_json(command: Command) -> None:
    assert decode(encode(command), type(command)) == command
    read: Command = msgspec.json.decode(encode(command), type=Command)
    assert read == command  # by its tag alone


class PeopleWhoCome(RuleBasedStateMachine):
    """Seats are taken, moves asked back, and rematches asked for, in any order."""

    @initialize(setup=open_setups, sit=st.booleans())
    def begin(self, setup: Setup, sit: bool) -> None:
        self.setup = setup
        self.session = Session.start(setup)
        self.log: list[Command] = []
        for command in BOTH if sit else ():
            with suppress(errors.SeatTaken):
                self.session, _ = self.session.apply(command)
                self.log.append(command)

    @rule(command=commands)
    def do(self, command: Command) -> None:
        before = self.session
        try:
            self.session, events = before.apply(command)
        except NinefoldError:
            return
        assert events
        self.log.append(command)
        assert self.session.revision == len(self.log)
        if not isinstance(command, AskTakeBack):
            assert self.session.take_back_asked is None or isinstance(command, Sit)
        if not isinstance(command, AskTakeBack | DeclineTakeBack | AskRematch | Sit):
            assert self.session.rematch_asked is None

    @invariant()
    def a_session_is_what_was_agreed_first_and_its_log(self) -> None:
        assert Session.replay(self.setup, self.log) == self.session

    @invariant()
    def what_is_asked_can_be_given(self) -> None:
        session = self.session
        if session.take_back_asked is not None:
            given, _ = session.apply(Undo())
            assert given.to_move is session.take_back_asked
        if session.rematch_asked is not None:
            assert session.match.is_over
            session.apply(session.rematch())

    @invariant()
    def nobody_has_moved_while_a_seat_is_empty(self) -> None:
        if self.session.empty_seats:
            assert all(isinstance(command, Sit) for command in self.log)


TestPeopleWhoCome = PeopleWhoCome.TestCase
TestPeopleWhoCome.settings = settings(max_examples=60, stateful_step_count=25)
