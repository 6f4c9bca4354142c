"""News that waits to be shown is bounded, and the latest of each kind stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ninefold.errors import NinefoldError
from ninefold.rules import Ending, Rules
from ninefold.session import Move, Session, Setup
from ninefold.session.table import (
    MOST_NEWS,
    Disconnected,
    MatchGone,
    News,
    NewsQueue,
    PresenceChanged,
    Reconnected,
    Skipped,
    Update,
)

SETUP = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")
SESSIONS = [Session.replay(SETUP, [Move(2)] * moves) for moves in range(5)]
KINDS = (
    (Update, Skipped),
    (PresenceChanged,),
    (Disconnected, Reconnected),
    (MatchGone,),
)
GONE = MatchGone(NinefoldError("gone"))

a_session = st.sampled_from(SESSIONS)
some_news: st.SearchStrategy[News] = st.one_of(
    st.builds(Update, a_session, st.just(())),
    st.builds(PresenceChanged, st.tuples(st.booleans(), st.booleans()), st.just(0)),
    st.sampled_from([Disconnected(), Reconnected(), GONE]),
)


def stands(news: News) -> Session | None:
    """Return how the match stands, as far as news tells."""
    return news.session if isinstance(news, Update | Skipped) else None


@given(st.lists(some_news, max_size=6), st.integers(0, 3 * MOST_NEWS))
def test_much_news_is_told_by_its_latest(told: list[News], times: int) -> None:
    queue: NewsQueue[News] = NewsQueue()
    put = [news for n in range(times) for news in told[n % 6 :]] + told
    firsts = [queue.put(news) for news in put]
    assert firsts == [True] * bool(put) + [False] * (len(put) - 1)
    assert len(queue) <= MOST_NEWS
    taken = queue.take()
    assert not queue.take()
    if len(put) <= MOST_NEWS:
        assert taken == put
    for kinds in KINDS:
        said = [news for news in put if isinstance(news, kinds)]
        heard = [news for news in taken if isinstance(news, kinds)]
        assert bool(said) == bool(heard)
        if said and stands(said[-1]) is None:
            assert said[-1] == heard[-1]
        elif said:
            assert stands(said[-1]) == stands(heard[-1])
