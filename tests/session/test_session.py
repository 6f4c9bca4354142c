"""A session keeps its promises after any sequence of commands."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from msgspec.structs import replace

from ninefold import Ending, Game, NinefoldError, Rules, Seat, errors
from ninefold.coach import review
from ninefold.learning import Product
from ninefold.levels import LEVELS
from ninefold.match import Length, StartRule
from ninefold.session import (
    Answered,
    Began,
    Command,
    Ended,
    GiveBack,
    GivenBack,
    Lessons,
    LossQuestion,
    Move,
    Moved,
    NextGame,
    ProductQuestion,
    Rematch,
    Resign,
    Resigned,
    Retry,
    Scored,
    Session,
    Setup,
    SlipQuestion,
    TakenBack,
    Undo,
    retry_of,
)
from ninefold.session.match_state import MOST_COMMANDS

MADNESS = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")
MULTIPLIER = Setup(rules=Rules(Ending.AVOID, 1000), book="multiplier")
SHOWDOWN = Setup(rules=Rules(Ending.EXACT, 100), book="multiplication-showdown")
BOOKS = {
    Ending.REACH: "multiplication-madness",
    Ending.AVOID: "multiplier",
    Ending.EXACT: "multiplication-showdown",
}


def retry_from(session: Session) -> Retry | None:
    return retry_of(review(session.game), session.setup.levels)


def played(setup: Setup, *commands: Command) -> Session:
    session = Session.start(setup)
    for command in commands:
        session, _ = session.apply(command)
    return session


def changed(setup: Setup, **changes: object) -> Setup:
    fields = {name: getattr(setup, name) for name in setup.__struct_fields__}
    return Setup(**(fields | changes))


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    ending = draw(st.sampled_from(Ending))
    multipliers = draw(st.sets(st.integers(2, 9), min_size=1))
    lengths = [
        Length.best_of(draw(st.sampled_from([1, 3, 5]))),
        Length.first_to(draw(st.integers(1, 3))),
        Length.games(draw(st.integers(1, 4))),
    ]
    levels = st.sampled_from([None, None, *LEVELS])
    return Setup(
        rules=Rules(ending, draw(st.integers(2, 500)), tuple(multipliers)),
        length=draw(st.sampled_from(lengths)),
        starts=draw(st.sampled_from(StartRule)),
        first=draw(st.sampled_from(Seat)),
        first_tossed=draw(st.booleans()),
        levels=(draw(levels), draw(levels)),
        book=BOOKS[ending],
        seed=draw(st.integers(0, 10)),
        lessons=Lessons(
            draw(st.booleans()), draw(st.integers(0, 2)), draw(st.booleans())
        ),
    )


class AnySequenceOfCommands(RuleBasedStateMachine):
    """Commands of every kind, right and wrong, in any order."""

    @initialize(setup=setups())
    def begin(self, setup: Setup) -> None:
        self.session = Session.start(setup)
        self.log: list[Command] = []

    def do(self, command: Command) -> None:
        before = self.session
        try:
            self.session, events = before.apply(command)
        except NinefoldError:
            return  # refused: the session is a value, and is what it was
        self.log.append(command)
        assert self.session.revision == before.revision + 1 == len(self.log)
        assert before.apply(command) == (self.session, events)
        assert events

    @rule(
        multiplier=st.integers(1, 10),
        answer=st.none() | st.integers(0, 5000),
        accepts_loss=st.booleans(),
        despite_coach=st.booleans(),
    )
    def move(
        self,
        multiplier: int,
        answer: int | None,
        accepts_loss: bool,
        despite_coach: bool,
    ) -> None:
        self.do(Move(multiplier, answer, accepts_loss, despite_coach))

    @rule(multiplier=st.integers(2, 9))
    def give_back(self, multiplier: int) -> None:
        self.do(GiveBack(multiplier))

    @rule()
    def undo(self) -> None:
        self.do(Undo())

    @rule(seat=st.sampled_from(Seat))
    def resign(self, seat: Seat) -> None:
        self.do(Resign(seat))

    @rule(first=st.sampled_from(Seat))
    def next_game(self, first: Seat) -> None:
        self.do(NextGame(first))

    @rule()
    def ask_for_a_rematch(self) -> None:
        self.do(self.session.rematch())

    @precondition(lambda self: self.session.game.outcome is not None)
    @rule()
    def try_again(self) -> None:
        retry = retry_from(self.session)
        if retry is not None:
            self.do(retry)
            assert self.log[-1] == retry

    @precondition(lambda self: self.session.next_automatic_command() is not None)
    @rule()
    def take_the_automatic_command(self) -> None:
        automatic = self.session.next_automatic_command()
        assert automatic is not None
        self.do(automatic)
        assert self.log[-1] == automatic

    @invariant()
    def a_session_is_its_setup_and_its_log(self) -> None:
        again = Session.replay(self.session.setup, self.log)
        assert again == self.session
        assert again.next_automatic_command() == self.session.next_automatic_command()

    @invariant()
    def the_game_and_the_match_fit(self) -> None:
        session = self.session
        if session.game.outcome is not None:
            assert session.match.games[-1] == session.game
            assert session.to_move is None
        else:
            assert not session.match.is_over
            assert session.to_move is session.game.to_move
        assert 0 <= session.give_backs <= session.setup.lessons.give_backs
        assert session.number >= 1
        assert all(game.outcome is not None for game in session.match.games)


TestAnySequenceOfCommands = AnySequenceOfCommands.TestCase
TestAnySequenceOfCommands.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(setups(), st.integers(0, 8))
def test_a_session_replayed_from_its_log_equals_the_original_at_every_point(
    setup: Setup, cut: int
) -> None:
    setup = changed(setup, levels=("expert", "careful"))
    session, log = Session.start(setup), []
    for _ in range(20):
        automatic = session.next_automatic_command()
        if automatic is None:
            break
        session, _ = session.apply(automatic)
        log.append(automatic)
    rebuilt = Session.replay(setup, log[:cut])
    while rebuilt.revision < session.revision:
        automatic = rebuilt.next_automatic_command()
        assert automatic is not None
        rebuilt, _ = rebuilt.apply(automatic)
    assert rebuilt == session


def test_moves_and_the_end_of_a_game_have_events() -> None:
    session, events = Session.start(MADNESS).apply(Move(9))
    assert events == (Moved(Seat.ONE, 9, 9),)
    session, _ = session.apply(Move(9))
    session, events = session.apply(Move(9))
    assert isinstance(events[1], Ended)
    assert events[1].outcome.winner is Seat.ONE
    assert session.match.winner is Seat.ONE


def test_an_illegal_move_is_rejected_and_changes_nothing() -> None:
    session = Session.start(MADNESS)
    with pytest.raises(errors.IllegalMove):
        session.apply(Move(10))
    over = played(MADNESS, Move(9), Move(9), Move(9))
    with pytest.raises(errors.GameOver):
        over.apply(Move(2))
    with pytest.raises(errors.GameOver):
        over.apply(Undo())
    with pytest.raises(errors.GameOver):
        over.apply(Resign(Seat.ONE))
    assert session == Session.start(MADNESS)


def test_a_level_moves_by_itself() -> None:
    setup = changed(MADNESS, levels=("perfect", None))
    session = Session.start(setup)
    automatic = session.next_automatic_command()
    assert isinstance(automatic, Move)
    other = next(m for m in range(2, 10) if m != automatic.multiplier)
    with pytest.raises(errors.SessionError, match="perfect moves by itself"):
        session.apply(Move(other))
    session, _ = session.apply(automatic)
    assert session.game.moves == (automatic.multiplier,)


def test_a_level_that_began_keeps_its_move() -> None:
    setup = changed(MULTIPLIER, levels=("perfect", None))
    session = Session.start(setup)
    session, _ = session.apply_unchecked(Move(2))
    with pytest.raises(
        errors.NothingToUndo, match="you have not made a move to take back yet"
    ):
        session.apply(Undo())


def test_a_rule_book_may_forbid_taking_back() -> None:
    session = played(MADNESS, Move(3))
    with pytest.raises(
        errors.TakebackNotAllowed, match="Multiplication Madness does not allow"
    ):
        session.apply(Undo())


def test_moves_are_taken_back_until_a_person_is_to_move() -> None:
    setup = changed(MULTIPLIER, levels=(None, "careful"))
    session = played(setup, Move(3))
    answer = session.next_automatic_command()
    assert isinstance(answer, Move)
    session, _ = session.apply(answer)
    session, events = session.apply(Undo())
    assert events == (TakenBack((3, answer.multiplier), 1),)
    assert session.to_move is Seat.ONE
    with pytest.raises(errors.NothingToUndo):
        session.apply(Undo())


def test_a_match_goes_from_game_to_game_and_then_to_a_rematch() -> None:
    setup = changed(MADNESS, length=Length.best_of(3), first=Seat.TWO)
    nines = (Move(9), Move(9), Move(9))
    session = played(setup, *nines)  # seat 2 began and won
    with pytest.raises(errors.SessionError, match="the match is not over"):
        session.apply(Rematch(Seat.ONE))
    assert session.next_automatic_command() == NextGame(Seat.ONE)
    with pytest.raises(errors.MatchError, match="Player 1 starts game 2"):
        session.apply(NextGame(Seat.TWO))
    session, events = session.apply(NextGame(Seat.ONE))
    assert events == (Began(Seat.ONE, tossed=False),)
    with pytest.raises(errors.SessionError, match="the game is not over"):
        session.apply(NextGame(Seat.ONE))
    session, events = session.apply(Resign(Seat.ONE))
    assert events[0] == Resigned(Seat.ONE)
    assert events[-1] == Scored((0, 2), over=True, winner=Seat.TWO)
    with pytest.raises(errors.SessionError, match="ask for a rematch"):
        session.apply(NextGame(Seat.ONE))
    assert session.rematch() == Rematch(Seat.ONE)
    revision = session.revision
    session, _ = session.apply(session.rematch())
    assert session.match_number == 2
    assert session.revision == revision + 1
    assert session.match.score == {Seat.ONE: 0, Seat.TWO: 0}
    assert session.game.first is Seat.ONE


def test_a_tossed_start_is_tossed_again_for_a_rematch() -> None:
    starters = set()
    for seed in range(20):
        setup = changed(MADNESS, first_tossed=True, seed=seed)
        session = played(setup, Resign(Seat.ONE))
        starters.add(session.rematch().first)
    assert starters == set(Seat)


def test_a_match_of_a_set_number_of_games_may_end_level() -> None:
    setup = changed(MADNESS, length=Length.games(2))
    session = played(setup, Resign(Seat.ONE), NextGame(Seat.TWO))
    session, events = session.apply(Resign(Seat.TWO))
    assert events[-1] == Scored((1, 1), over=True, winner=None)
    assert session.next_automatic_command() is None


def test_a_retry_starts_where_a_person_slipped() -> None:
    session = played(MADNESS, Move(2), Move(9), Move(9))
    retry = retry_from(session)
    assert retry == Retry((2,))
    session, events = session.apply(retry)
    assert events == (Began(Seat.ONE, tossed=False, is_retry=True),)
    assert session.is_retry
    assert session.game.moves == (2,)
    assert session.match_number == 2
    session, _ = session.apply(Resign(Seat.TWO))
    # The start is swapped against the last real match, not against the retry.
    assert session.rematch() == Rematch(Seat.TWO)


def test_a_retry_starts_where_a_won_game_was_resigned() -> None:
    session = played(MADNESS, Move(6), Resign(Seat.ONE))
    assert retry_from(session) == Retry((6,))


def test_a_retry_starts_at_the_levels_slip_if_no_person_slipped() -> None:
    setup = changed(MADNESS, levels=(None, "beginner"))
    session = Session.start(setup)
    session, _ = session.apply_unchecked(Move(6))
    session, _ = session.apply_unchecked(Move(2))
    session, _ = session.apply_unchecked(Move(9))
    assert retry_from(session) is None
    setup = changed(MADNESS, levels=("beginner", None))
    session = Session.start(setup)
    for multiplier in (2, 4, 9, 2):
        session, _ = session.apply_unchecked(Move(multiplier))
    assert session.game.outcome is not None
    assert retry_from(session) == Retry(())


def test_a_winners_retry_starts_at_their_own_slip_not_the_levels() -> None:
    game = Game.replay(MADNESS.rules, (2, 2, 2, 2, 7))
    assert [step.number for step in review(game).steps if step.slip] == [1, 2]
    assert retry_of(review(game), (None, "careful")) == Retry(())
    assert retry_of(review(game), ("careful", None)) == Retry((2,))


def test_a_retry_must_start_before_the_end_of_the_game() -> None:
    session = played(MADNESS, Move(9), Move(9), Move(9))
    with pytest.raises(errors.SessionError, match="before the end"):
        session.apply(Retry((9, 9, 9)))
    with pytest.raises(errors.SessionError, match="the game is not over"):
        played(MADNESS, Move(9)).apply(Retry(()))


def test_a_session_can_begin_as_a_retry() -> None:
    session = played(MADNESS, Retry((5,)))
    assert session.is_retry
    assert session.match_number == 1
    assert session.game.total == 5


def test_mental_arithmetic_asks_for_a_product_before_showing_it() -> None:
    setup = changed(MADNESS, lessons=Lessons(mental=True))
    session = played(setup, Move(7))  # 1 × 7 needs no arithmetic
    with pytest.raises(errors.QuestionOpen) as caught:
        session.apply(Move(8))
    assert caught.value.question == ProductQuestion(7, 8)
    session, events = session.apply(Move(8, answer=54))
    assert events == (Answered(Seat.TWO, Product(7, 8, 54)), Moved(Seat.TWO, 8, 56))


def test_an_avoidable_loss_is_questioned_if_the_rule_book_says_so() -> None:
    session = played(SHOWDOWN, Move(9), Move(5))
    assert session.question(Move(9)) == LossQuestion(9)
    session, _ = session.apply(Move(9, accepts_loss=True))
    assert session.match.winner is Seat.TWO
    assert played(SHOWDOWN, Move(9), Move(9)).question(Move(9)) is None  # no way out


def test_the_coach_warns_before_a_slip_counts() -> None:
    setup = changed(MADNESS, lessons=Lessons(coach=True, give_backs=1))
    session = Session.start(setup)
    question = session.question(Move(2))
    assert isinstance(question, SlipQuestion)
    assert question.give_backs == 1
    session, events = session.apply(GiveBack(2))
    assert events == (GivenBack(Seat.ONE, 0, 2),)
    assert session.game.moves == ()
    with pytest.raises(errors.SessionError, match="no second chances left"):
        session.apply(GiveBack(2))
    session, _ = session.apply(Move(2, despite_coach=True))
    assert session.opportunity()
    assert session.question(Move(4)) is None
    with pytest.raises(errors.SessionError, match="no second chances left"):
        played(MADNESS).apply(GiveBack(2))


def test_second_chances_are_counted_per_game_and_survive_a_replay() -> None:
    lessons = Lessons(coach=True, give_backs=2)
    setup = changed(MADNESS, lessons=lessons, length=Length.games(2))
    session = played(setup, GiveBack(2))
    assert session == Session.replay(setup, [GiveBack(2)])
    assert session.give_backs == 1
    session, _ = session.apply(Resign(Seat.ONE))
    session, _ = session.apply(session.next_game())
    assert session.give_backs == 2


def test_the_coach_is_silent_about_moves_that_are_not_slips() -> None:
    coached = Lessons(coach=True)
    level_to_move = changed(MADNESS, lessons=coached, levels=("beginner", None))
    session = Session.start(level_to_move)
    assert session.question(Move(2)) is None
    assert not session.opportunity()
    over = played(MADNESS, Resign(Seat.ONE))
    assert not over.opportunity()
    assert not played(MADNESS, Move(2)).opportunity()  # nobody asked for a coach
    lost = changed(MADNESS, lessons=coached)
    assert not Session.start(lost).opportunity()


def test_the_coach_is_silent_if_the_rules_are_too_large() -> None:
    far = Rules(Ending.REACH, 10**999, (2, 5, 6, 10))
    setup = changed(MADNESS, rules=far, lessons=Lessons(coach=True))
    session = Session.start(setup)
    assert not session.coach_is_available
    assert session.question(Move(2)) is None
    assert not played(setup, Move(2)).opportunity()
    assert played(MADNESS).coach_is_available


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"names": ("Ada", "Ada")}, "the other player is called Ada too"),
        ({"names": ("", "Bo")}, "1 to 24 visible characters"),
        ({"names": ("Ada", "x" * 25)}, "1 to 24 visible characters"),
        ({"names": ("Ada", "a\u202eb")}, "1 to 24 visible characters"),
        ({"names": ("Ada ", "Bo")}, "1 to 24 visible characters"),
        (
            {"levels": ("genius", None)},
            "'genius' is not a level; choose one of beginner",
        ),
        (
            {"levels": ("perfect", None), "bots": (Seat.ONE,)},
            "a seat has either a level or a bot",
        ),
        ({"seed": 10**30}, "a seed is a whole number"),
        ({"rules": Rules(Ending.AVOID, 100)}, "does not; choose another rule book"),
        ({"book": "chess"}, "'chess' is not a game"),
    ],
)
def test_a_setup_that_cannot_be_played_is_refused(
    changes: dict[str, object], sentence: str
) -> None:
    with pytest.raises(NinefoldError, match=sentence):
        Session.start(changed(MADNESS, **changes))


@pytest.mark.parametrize("count", [-1, 1001])
def test_an_impossible_number_of_second_chances_is_rejected(count: int) -> None:
    with pytest.raises(errors.SetupError, match="gives 0 to 1,000 second chances"):
        Lessons(give_backs=count)


def test_a_setup_tells_people_from_levels() -> None:
    setup = changed(MADNESS, names=("Ada", "Bo"), levels=("careful", None))
    assert setup.has_level
    assert setup.level(Seat.ONE) == "careful"
    assert setup.is_person(Seat.TWO)
    assert setup.learner == "Bo"
    assert changed(setup, levels=(None, None)).learner == "Ada"
    assert changed(setup, levels=(None, None), bots=(Seat.ONE,)).learner == "Bo"
    assert changed(setup, levels=("careful", "careful")).learner == ""
    assert not MADNESS.has_level


def test_a_person_plays_by_their_own_rule_book() -> None:
    text = (
        'title = "Sevens"\n[rules]\nending = "reach"\ntarget = 49\nmultipliers = [7]\n'
    )
    setup = Setup(rules=Rules(Ending.REACH, 49, (7,)), book="sevens", book_text=text)
    assert Session.start(setup).book.title == "Sevens"
    with suppress(errors.SetupError):
        Session.start(changed(setup, rules=Rules(Ending.EXACT, 49, (7,))))


def test_a_log_has_a_maximum_length() -> None:
    session = played(MULTIPLIER, Move(2))
    grown = replace(session, revision=MOST_COMMANDS)
    with pytest.raises(errors.SessionError, match="at most 20,000 commands"):
        grown.apply(Move(2))
    with pytest.raises(errors.SessionError, match="at most 20,000 commands"):
        Session.replay(MULTIPLIER, [Move(2), Undo()] * (MOST_COMMANDS // 2 + 1))


def test_an_answer_longer_than_any_product_is_refused() -> None:
    setup = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")
    session = Session.replay(setup, [Move(5)])
    for answer in (10**2000, -(10**2000)):
        with pytest.raises(errors.SessionError, match="at most 2,000 digits"):
            session.apply_unchecked(Move(3, answer=answer))
    session.apply_unchecked(Move(3, answer=10**2000 - 1))
