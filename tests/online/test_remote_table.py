"""A table on a server: asks go there, and every command comes back once, in order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue

import pytest
from msgspec import Struct

from ninefold.errors import (
    OnlineError,
    OutOfTurn,
    QuestionOpen,
    RequestRefused,
)
from ninefold.game import Seat
from ninefold.online.client import Client
from ninefold.online.links import MatchLink
from ninefold.online.remote_table import RemoteTable
from ninefold.session import (
    Ask,
    AskProduct,
    AskSlip,
    GiveBack,
    GivenBack,
    Move,
    Moved,
    RematchAsked,
    Retry,
    Seated,
    TakeBackAsked,
    TakenBack,
)
from ninefold.session.table import News, PresenceChanged, Update
from tests.online.tables import Friend
from tests.program import WAIT_SECONDS


class Sat(Struct):
    """A friend at a browser, a table here, and the news of the table."""

    friend: Friend
    table: RemoteTable
    news: Queue[News]

    def next_update(self) -> Update:
        while not isinstance(found := self.news.get(timeout=WAIT_SECONDS), Update):
            pass
        return found


@contextmanager
def sat_down(url: str, *, first: int = 2, **agreed: object) -> Iterator[Sat]:
    """Let a friend make a match, and take the other seat."""
    friend = Friend(url)
    friend.create(first=first, **agreed)  # type: ignore[arg-type]  # asked for by name
    bo = Friend(url, friend.id, "Bo")
    bo.sit()
    link = MatchLink(url, friend.id)
    table = RemoteTable(Client(url, pauses=()), link, secret=bo.secret, pauses=(0,))
    news: Queue[News] = Queue()
    table.listen(news.put)
    yield Sat(friend, table, news)
    table.close()


def test_a_table_holds_the_session_as_it_is_played(url: str) -> None:
    with sat_down(url) as sat:
        assert sat.table.seats == (Seat.TWO,)
        assert sat.table.session.setup.names == ("Ada", "Bo")
        assert sat.table.session.setup.seed is None
        sat.table.do(Move(5))
        assert sat.table.session.game.total == 5
        assert not sat.table.is_stored
        assert not sat.table.proceed()


def test_every_command_is_reported_once_and_in_order(url: str) -> None:
    with sat_down(url) as sat:
        sat.table.do(Move(5))
        sat.friend.move(2)
        first, second = sat.next_update(), sat.next_update()
        sat.table.do(Move(3))
        third = sat.next_update()
    updates = [first, second, third]
    assert [update.session.game.total for update in updates] == [5, 10, 30]
    assert [update.session.revision for update in updates] == [3, 4, 5]
    assert isinstance(second.events[0], Moved)
    assert not [each for each in sat.news.queue if isinstance(each, Update)]


def test_presence_is_reported(url: str) -> None:
    with sat_down(url) as sat:
        while not isinstance(found := sat.news.get(timeout=WAIT_SECONDS), Update):
            if isinstance(found, PresenceChanged) and found.here == (False, True):
                break
        assert isinstance(found, PresenceChanged)


def test_a_move_out_of_turn_is_refused_and_changes_nothing(url: str) -> None:
    with sat_down(url, first=1) as sat:
        with pytest.raises((OutOfTurn, RequestRefused), match="turn"):
            sat.table.do(Move(5))
        assert sat.table.session.revision == 2


def test_questions_are_those_of_the_session_at_home(url: str) -> None:
    lessons = {"coach": True, "mental": True, "hints": False}
    with sat_down(url, game="multiplier-showdown", lessons=lessons) as sat:
        with pytest.raises(QuestionOpen) as asked:
            sat.table.do(Move(9))
        slip = asked.value.question
        assert isinstance(slip, AskSlip)
        assert slip.give_backs == 3
        assert slip.slip.multiplier == 9
        sat.table.do(GiveBack(9))
        given = sat.next_update()
        assert given.events == (GivenBack(None, 2),)
        sat.table.do(Move(5))
        sat.friend.move(2, answer=10)
        sat.next_update()
        sat.next_update()
        with pytest.raises(QuestionOpen) as asked:
            sat.table.do(Move(7))
        assert asked.value.question == AskProduct(10, 7)
        sat.table.do(Move(7, answer=70, despite_coach=True))
        assert sat.table.session.game.total == 70


def test_a_take_back_needs_the_other_and_a_rematch_both(url: str) -> None:
    with sat_down(url, game="multiplication-duel") as sat:
        sat.table.do(Move(5))
        sat.table.do(Ask.TAKE_BACK)
        assert sat.table.session.take_back_asked is Seat.TWO
        sat.friend.ask("give-move-back")
        for kind in (Moved, TakeBackAsked, TakenBack):
            assert isinstance(sat.next_update().events[0], kind)
        sat.table.do(Ask.RESIGN)
        sat.table.do(Ask.REMATCH)
        assert sat.table.session.rematch_asked is Seat.TWO
        sat.table.do(Ask.WITHDRAW)
        assert sat.table.session.rematch_asked is None
        sat.friend.ask("rematch")
        while not isinstance(sat.next_update().events[0], RematchAsked):
            pass
        while sat.table.session.rematch_asked is not Seat.ONE:
            sat.next_update()
        sat.table.do(Ask.REMATCH)
        assert sat.table.session.match_number == 2


def test_what_only_a_table_at_home_can_do_is_refused(url: str) -> None:
    with sat_down(url) as sat, pytest.raises(OnlineError, match="at home"):
        sat.table.do(Retry(()))


def test_a_spectator_follows_and_sits_nowhere(url: str) -> None:
    with sat_down(url) as sat:
        link = MatchLink(url, sat.friend.id)
        watching = RemoteTable(Client(url, pauses=()), link, pauses=(0,))
        news: Queue[News] = Queue()
        watching.listen(news.put)
        assert watching.seats == ()
        sat.table.do(Move(5))
        while not isinstance(found := news.get(timeout=WAIT_SECONDS), Update):
            pass
        assert found.session.game.total == 5
        with pytest.raises(RequestRefused, match="take a seat"):
            watching.do(Move(5))
        watching.close()


def test_who_sits_down_is_reported(url: str) -> None:
    friend = Friend(url)
    friend.create()
    link = MatchLink(url, friend.id)
    table = RemoteTable(Client(url, pauses=()), link, secret=friend.secret)
    news: Queue[News] = Queue()
    table.listen(news.put)
    Friend(url, friend.id, "Bo").sit()
    while not isinstance(found := news.get(timeout=WAIT_SECONDS), Update):
        pass
    assert found.events == (Seated(Seat.TWO, "Bo"),)
    assert table.session.setup.names == ("Ada", "Bo")
    table.close()
