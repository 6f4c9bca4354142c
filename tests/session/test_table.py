"""What every table shares: the news that waits to be shown, the coach's warnings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.errors import NinefoldError, QuestionOpen
from ninefold.game import Seat
from ninefold.rules import Ending, Rules
from ninefold.session import Lessons, Session, Setup, commands, table
from ninefold.session.coach_warnings import CoachWarnings

SETUP = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")
SESSIONS = [Session.replay(SETUP, [commands.Move(2)] * moves) for moves in range(5)]
KINDS = (
    (table.Update, table.UpdatesSkipped),
    (table.PresenceChanged,),
    (table.Disconnected, table.Reconnected),
    (table.MatchGone,),
)
GONE = table.MatchGone(NinefoldError("gone"))

a_session = st.sampled_from(SESSIONS)
some_news: st.SearchStrategy[table.News] = st.one_of(
    st.builds(table.Update, a_session, st.just(())),
    st.builds(
        table.PresenceChanged, st.tuples(st.booleans(), st.booleans()), st.just(0)
    ),
    st.sampled_from([table.Disconnected(), table.Reconnected(), GONE]),
)


def stands(news: table.News) -> Session | None:
    """Return how the match stands, as far as news tells."""
    return (
        news.session if isinstance(news, table.Update | table.UpdatesSkipped) else None
    )


@given(st.lists(some_news, max_size=6), st.integers(0, 3 * table.MOST_NEWS))
def test_a_full_queue_keeps_only_the_latest_news_of_each_kind(
    told: list[table.News], times: int
) -> None:
    queue: table.NewsQueue[table.News] = table.NewsQueue()
    put = [news for n in range(times) for news in told[n % 6 :]] + told
    firsts = [queue.put(news) for news in put]
    assert firsts == [True] * bool(put) + [False] * (len(put) - 1)
    assert len(queue) <= table.MOST_NEWS
    taken = queue.take()
    assert not queue.take()
    if len(put) <= table.MOST_NEWS:
        assert taken == put
    for kinds in KINDS:
        said = [news for news in put if isinstance(news, kinds)]
        heard = [news for news in taken if isinstance(news, kinds)]
        assert bool(said) == bool(heard)
        if said and stands(said[-1]) is None:
            assert said[-1] == heard[-1]
        elif said:
            assert stands(said[-1]) == stands(heard[-1])


# The coach's warnings

ONE, TWO = Seat.ONE, Seat.TWO
COACHED = Setup(
    rules=Rules(Ending.EXACT, 100),
    book="multiplication-duel",
    lessons=Lessons(coach=True),
    all_seated=False,
)


class Coached:
    """A match in which both seats have slipped, and the second is being warned."""

    def __init__(self) -> None:
        self.warnings = CoachWarnings()
        self.session = Session.replay(
            COACHED, [commands.Sit(ONE, "Ada"), commands.Sit(TWO, "Bo")]
        )
        self.is_warned(ONE, commands.Move(2))
        self.do(ONE, commands.Move(2, despite_coach=True))
        self.is_warned(TWO, commands.Move(9))

    def is_warned(self, seat: Seat, move: commands.Move) -> None:
        with pytest.raises(QuestionOpen):
            self.do(seat, move)

    def do(self, seat: Seat, asked: commands.Ask) -> tuple[int, ...]:
        """Do what a seat asks for; return the moves."""
        command = self.warnings.decide(self.session, seat, asked)
        self.session, _ = self.session.apply_unchecked(command)
        return self.session.game.moves


def test_a_warning_is_not_repeated_after_a_take_back() -> None:
    match = Coached()
    for seat, answer in (
        (TWO, commands.DeclineTakeBack()),
        (ONE, commands.CancelRequest()),
    ):
        match.do(ONE, commands.TakeBack())
        match.do(seat, answer)
    assert match.do(TWO, commands.Move(9)) == (2, 9)
    # Where a take-back is granted, the coach has spoken of this move and of others.
    for multiplier in (9, 3):
        match.do(TWO, commands.TakeBack())
        assert match.do(ONE, commands.AllowTakeBack()) == (2,)
        assert match.do(TWO, commands.Move(multiplier)) == (2, multiplier)
    for multiplier in (2, 3):
        match.do(ONE, commands.TakeBack())
        assert match.do(TWO, commands.AllowTakeBack()) == ()
        assert match.do(ONE, commands.Move(multiplier)) == (multiplier,)


def test_a_warning_can_be_followed_after_a_take_back_was_declined() -> None:
    match = Coached()
    match.do(ONE, commands.TakeBack())
    match.do(TWO, commands.DeclineTakeBack())
    assert match.do(TWO, commands.GiveBack(9)) == (2,)
    assert match.session.given_back == (0, 1)
