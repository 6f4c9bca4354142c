"""A table on a server: asks go there, and every command comes back once, in order."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from msgspec import Struct

from ninefold import errors
from ninefold.game import Outcome, Seat
from ninefold.learning import Product
from ninefold.notation.codec import decode
from ninefold.online.event_stream import EventStream
from ninefold.online.http_client import Client
from ninefold.online.links import MatchLink
from ninefold.online.messages import LogStep, MatchLog, first_head, next_head
from ninefold.online.remote_table import RemoteTable
from ninefold.rules import Reason
from ninefold.session import commands, events
from ninefold.session.table import (
    Disconnected,
    MatchGone,
    News,
    PresenceChanged,
    Reconnected,
    TableClosed,
    Update,
)
from ninefold.store import LogWriter, Origin
from ninefold.store.sqlite import SqliteStore
from tests.online.servers import EVENTS, answering, dripping, written
from tests.online.tables import Friend
from tests.program import WAIT_SECONDS
from tests.servers import NOW


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
def sat_down(
    url: str, *, first: int = 2, writer: LogWriter | None = None, **agreed: object
) -> Iterator[Sat]:
    """Let a friend make a match, and take the other seat."""
    friend = Friend(url)
    friend.create(first=first, **agreed)  # type: ignore[arg-type]  # asked for by name
    bo = Friend(url, friend.id, "Bo")
    bo.sit()
    link = MatchLink(url, friend.id)
    table = RemoteTable(
        Client(url, pauses=()), link, secret=bo.secret, writer=writer, pauses=(0,)
    )
    news: Queue[News] = Queue()
    table.listen(news.put)
    yield Sat(friend, table, news)
    table.close()


def test_a_table_holds_the_session_as_it_is_played(url: str) -> None:
    with sat_down(url) as sat:
        assert sat.table.seats == (Seat.TWO,)
        assert sat.table.session.setup.names == ("Ada", "Bo")
        assert sat.table.session.setup.seed is None
        sat.table.submit(commands.Move(5))
        assert sat.table.session.game.total == 5
        assert not sat.table.is_stored
        assert not sat.table.play_automatic_move()


def test_a_match_is_stored_at_home_too(url: str) -> None:
    notices: list[str] = []
    numbers = count(1)
    store = SqliteStore(None, clock=lambda: NOW, new_id=lambda: f"id-{next(numbers)}")

    writer = LogWriter(lambda: store, notices.append, surface="classic")
    length = {"count": "best of", "number": 3}
    with sat_down(url, writer=writer, length=length) as sat:
        assert sat.table.is_stored
        assert store.match(sat.friend.id).session == sat.table.session
        sat.table.submit(commands.Move(5))
        sat.table.add_answer(Product(10, 3, 30), 2.5, hinted=False)
        assert [answer.item for answer in store.answers()] == ["10x3"]
        assert [learner.name for learner in store.learners()] == ["Bo"]
        sat.table.submit(commands.Resign(Seat.TWO))
        stored = store.match(sat.friend.id)
        assert stored.session == sat.table.session
        assert stored.origin == Origin(url, (Seat.TWO,))
        sat.table.submit(commands.StartNextGame())
        sat.friend.move(2)
        while sat.table.session.game.total != 2:
            sat.next_update()
        played = sat.table.session
        log = sat.friend.get(f"/api/matches/{sat.friend.id}/log")["log"]
        store.close = lambda: None  # type: ignore[method-assign]  # it is in memory
    stored = store.match(sat.friend.id)
    assert stored.session == played
    assert [f"{each.at:%FT%T}" for each in stored.log] == [
        each["at"][:19] for each in log
    ]
    assert notices == []


def test_every_command_is_reported_once_and_in_order(url: str) -> None:
    with sat_down(url) as sat:
        sat.table.submit(commands.Move(5))
        sat.friend.move(2)
        first, second = sat.next_update(), sat.next_update()
        sat.table.submit(commands.Move(3))
        third = sat.next_update()
    updates = [first, second, third]
    assert [update.session.game.total for update in updates] == [5, 10, 30]
    assert [update.session.revision for update in updates] == [3, 4, 5]
    assert isinstance(second.events[0], events.Moved)
    assert not [each for each in sat.news.queue if isinstance(each, Update)]


def test_a_command_of_the_stream_costs_no_second_request(url: str) -> None:
    with sat_down(url, first=1) as sat:
        sat.friend.move(2)
        sat.next_update()
        page, get = "/log?after=", Client.request
        asked: list[str] = []

        def counting(self: Client, method: str, path: str, *others: object) -> object:
            asked.append(path)
            return get(self, method, path, *others)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Client, "request", counting)
            sat.table.submit(commands.Move(3))
            sat.next_update()
            sat.friend.move(2)
            sat.next_update()
        assert not [path for path in asked if page in path]


def test_presence_is_reported(url: str) -> None:
    with sat_down(url) as sat:
        while not isinstance(found := sat.news.get(timeout=WAIT_SECONDS), Update):
            if isinstance(found, PresenceChanged) and found.connected == (False, True):
                break
        assert isinstance(found, PresenceChanged)


def test_a_move_out_of_turn_is_refused_and_changes_nothing(url: str) -> None:
    with sat_down(url, first=1) as sat:
        with pytest.raises((errors.OutOfTurn, errors.RequestRefused), match="turn"):
            sat.table.submit(commands.Move(5))
        assert sat.table.session.revision == 2


def test_questions_are_those_of_the_session_at_home(url: str) -> None:
    lessons = {"coach": True, "mental": True, "hints": False}
    with sat_down(url, game="multiplier-showdown", lessons=lessons) as sat:
        with pytest.raises(errors.QuestionOpen) as asked:
            sat.table.submit(commands.Move(9))
        slip = asked.value.question
        assert isinstance(slip, events.SlipQuestion)
        assert slip.give_backs == 3
        assert slip.slip.multiplier == 9
        sat.table.submit(commands.GiveBack(9))
        given = sat.next_update()
        assert given.events == (events.GivenBack(Seat.TWO, 2),)
        sat.table.submit(commands.Move(5))
        sat.friend.move(2, answer=10)
        sat.next_update()
        sat.next_update()
        with pytest.raises(errors.QuestionOpen) as asked:
            sat.table.submit(commands.Move(7))
        assert asked.value.question == events.ProductQuestion(10, 7)
        sat.table.submit(commands.Move(7, answer=70, despite_coach=True))
        assert sat.table.session.game.total == 70


def test_losing_move_asks_and_can_be_confirmed(url: str) -> None:
    showdown = {"game": "multiplication-showdown", "start": 12, "target": 100}
    with sat_down(url, **showdown) as sat:  # type: ignore[arg-type]  # asked for by name
        with pytest.raises(errors.QuestionOpen) as asked:
            sat.table.submit(commands.Move(9))
        assert asked.value.question == events.LossQuestion(9)
        sat.table.submit(commands.Move(9, accepts_loss=True))
        assert sat.table.session.game.outcome == Outcome(Seat.ONE, Reason.EXCEEDED)


def test_the_coach_speaks_once_at_a_position_whatever_is_asked_there(url: str) -> None:
    lessons = {"coach": True}
    with sat_down(url, game="multiplier-showdown", lessons=lessons) as sat:
        sat.table.submit(commands.Move(5))
        sat.friend.move(3)
        sat.next_update()
        sat.next_update()
        with pytest.raises(errors.QuestionOpen):
            sat.table.submit(commands.Move(2))
        sat.table.submit(commands.TakeBack())
        sat.table.submit(commands.CancelRequest())
        sat.table.submit(commands.Move(3))
        assert sat.table.session.game.moves == (5, 3, 3)


def test_a_take_back_needs_the_other_and_a_rematch_both(url: str) -> None:
    with sat_down(url, game="multiplication-duel") as sat:
        sat.table.submit(commands.Move(5))
        sat.table.submit(commands.TakeBack())
        assert sat.table.session.take_back_asked is Seat.TWO
        sat.friend.ask("allow-take-back")
        for kind in (events.Moved, events.TakeBackAsked, events.TakenBack):
            assert isinstance(sat.next_update().events[0], kind)
        sat.table.submit(commands.ResignGame())
        sat.table.submit(commands.RequestRematch())
        assert sat.table.session.rematch_asked is Seat.TWO
        sat.table.submit(commands.CancelRequest())
        assert sat.table.session.rematch_asked is None
        sat.friend.ask("rematch")
        while not isinstance(sat.next_update().events[0], events.RematchAsked):
            pass
        while sat.table.session.rematch_asked is not Seat.ONE:
            sat.next_update()
        sat.table.submit(commands.RequestRematch())
        assert sat.table.session.match_number == 2


def test_retry_is_refused_online(url: str) -> None:
    with (
        sat_down(url) as sat,
        pytest.raises(errors.SessionError, match="your own machine"),
    ):
        sat.table.submit(commands.Retry(()))


def test_a_spectator_follows_and_sits_nowhere(url: str) -> None:
    with sat_down(url) as sat:
        link = MatchLink(url, sat.friend.id)
        watching = RemoteTable(Client(url, pauses=()), link, pauses=(0,))
        news: Queue[News] = Queue()
        watching.listen(news.put)
        assert watching.seats == ()
        sat.table.submit(commands.Move(5))
        while not isinstance(found := news.get(timeout=WAIT_SECONDS), Update):
            pass
        assert found.session.game.total == 5
        with pytest.raises(errors.RequestRefused, match="take a seat"):
            watching.submit(commands.Move(5))
        watching.close()


def test_at_one_place_both_seats_are_played_from_the_first_move_on(url: str) -> None:
    friend = Friend(url)
    friend.create(opponent="here", other_name="Bo")
    link = MatchLink(url, friend.id)
    table = RemoteTable(Client(url, pauses=()), link, secret=friend.secret, pauses=(0,))
    news: Queue[News] = Queue()
    table.listen(news.put)
    assert (table.seats, table.session.revision) == (tuple(Seat), 0)
    friend.move(5)
    while not isinstance(found := news.get(timeout=WAIT_SECONDS), Update):
        pass
    assert found.session.game.moves == (5,)
    table.submit(commands.Move(2))
    table.submit(commands.TakeBack())
    assert table.session.game.moves == (5,)
    table.close()


def test_taking_the_free_seat_is_reported(url: str) -> None:
    friend = Friend(url)
    friend.create()
    link = MatchLink(url, friend.id)
    table = RemoteTable(Client(url, pauses=()), link, secret=friend.secret)
    news: Queue[News] = Queue()
    table.listen(news.put)
    Friend(url, friend.id, "Bo").sit()
    while not isinstance(found := news.get(timeout=WAIT_SECONDS), Update):
        pass
    assert found.events == (events.Seated(Seat.TWO, "Bo"),)
    assert table.session.setup.names == ("Ada", "Bo")
    table.close()


# Servers that break off, hold streams back, are set back, or mean no good

CHANGED = "this match has changed on the server; join again"
PRESENCE = (
    b'event: presence\r\ndata: {"connected": [true, false], "watching": 0}\r\n\r\n'
)
BUSY = written("503 Busy", b'{"error": "busy", "detail": "wait"}')
GONE = written("404 Not Found", b'{"error": "no_such_match", "detail": "none"}')
DAMAGED = written("410 Gone", b'{"error": "damaged", "detail": "its log is damaged"}')


def log_of(friend: Friend) -> dict[str, Any]:
    return friend.get(f"/api/matches/{friend.id}/log")


def answer_of(log: dict[str, Any]) -> bytes:
    return written("200 OK", json.dumps(log).encode())


@contextmanager
def following(url: str, *, watched: str) -> Iterator[Queue[News]]:
    """Follow a match of a server that answers as it was told to."""
    news: Queue[News] = Queue()
    client = Client(url, pauses=(), seconds=5)
    table = RemoteTable(client, MatchLink(url, watched), pauses=(0, 0, 0, 0.01))
    table.listen(news.put)
    yield news
    table.close()


def next_of(news: Queue[News], kind: type[News]) -> News:
    while not isinstance(found := news.get(timeout=WAIT_SECONDS), kind):
        pass
    return found


@pytest.fixture
def played(url: str) -> Friend:
    """A match with two moves."""
    friend = Friend(url)
    friend.create()
    bo = Friend(url, friend.id, "Bo")
    bo.sit()
    friend.move(5)
    bo.move(2)
    return friend


def test_a_lost_connection_is_reported_once_and_its_return_too(played: Friend) -> None:
    log = answer_of(log_of(played))
    stream = EVENTS + b": ping\r\n\r\n" + PRESENCE
    answers = (log, stream, log, b"", BUSY, BUSY, stream, log, b"", b"")
    with (
        answering(*answers) as url,
        following(url, watched=played.id) as news,
    ):
        kinds = [type(news.get(timeout=WAIT_SECONDS)) for _ in range(5)]
    assert kinds == [
        PresenceChanged,
        Disconnected,
        Reconnected,
        PresenceChanged,
        Disconnected,
    ]


@pytest.mark.parametrize(
    ("answer", "sentence"), [(GONE, "no such match"), (DAMAGED, "its log is damaged")]
)
def test_a_match_that_is_gone_is_reported(
    played: Friend, answer: bytes, sentence: str
) -> None:
    with (
        answering(answer_of(log_of(played)), answer) as url,
        following(url, watched=played.id) as news,
    ):
        gone = next_of(news, MatchGone)
    assert isinstance(gone, MatchGone)
    assert sentence in str(gone.error)


def test_a_name_that_covers_other_lines_is_not_shown(played: Friend) -> None:
    log = json.loads(json.dumps(log_of(played)))
    log["log"][0]["command"]["name"] = "B" + "\u0323" * 20
    log["head"] = head_of(log, 4)
    earlier = log | {"log": [], "seq": 0, "head": head_of(log, 0)}
    with (
        answering(answer_of(earlier), answer_of(log)) as url,
        sat_at(url, played) as (table, news),
    ):
        with pytest.raises(errors.MatchChanged):
            table.catch_up()
        assert news == []


CLOSED = b'event: closed\r\ndata: {"words": "Ada has left."}\r\n\r\n'


def test_a_table_that_is_closed_again_and_again_is_reported_once(
    played: Friend,
) -> None:
    log = answer_of(log_of(played))
    closed = EVENTS + CLOSED + CLOSED
    back = EVENTS + PRESENCE + CLOSED
    answers = (log, closed, closed, b"", closed, back, log, GONE)
    with (
        answering(*answers) as url,
        following(url, watched=played.id) as news,
    ):
        kinds = [type(news.get(timeout=WAIT_SECONDS)) for _ in range(5)]
    assert kinds == [TableClosed, Reconnected, PresenceChanged, TableClosed, MatchGone]


def test_a_page_in_place_of_a_stream_is_no_connection(played: Friend) -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"
    log = answer_of(log_of(played))
    with (
        answering(log, page, log, page, log) as url,
        following(url, watched=played.id) as news,
    ):
        assert type(news.get(timeout=WAIT_SECONDS)) is Disconnected


def test_where_streams_are_held_back_the_log_is_polled(played: Friend) -> None:
    log = log_of(played)
    earlier = log | {"log": log["log"][:2], "seq": 2, "head": head_of(log, 2)}
    news: Queue[News] = Queue()
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as closing:

        def answer() -> None:
            for each in (answer_of(earlier), EVENTS, answer_of(log)):
                opened = closing.enter_context(listening.accept()[0])
                opened.recv(65_536)
                opened.sendall(each)  # the stream stays open, and nothing comes

        thread = Thread(target=answer, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        table = RemoteTable(
            Client(url, pauses=()),
            MatchLink(url, played.id),
            pauses=(0,),
            seconds_to_begin=0.3,
        )
        table.listen(news.put)
        for total in (5, 10):
            update = next_of(news, Update)
            assert isinstance(update, Update)
            assert update.session.game.total == total
        thread.join(WAIT_SECONDS)
    table.close()


def head_of(log: dict[str, Any], seq: int) -> str:
    found = decode(json.dumps(log), MatchLog)
    head = first_head(found.setup)
    for logged in found.log[:seq]:
        head = next_head(head, logged.command)
    return head


def test_rolled_back_server_counts_as_another_match(played: Friend) -> None:
    log = log_of(played)
    past = log | {"log": [], "seq": 3, "head": head_of(log, 3)}
    with (
        answering(answer_of(log), EVENTS + PRESENCE, answer_of(past)) as url,
        following(url, watched=played.id) as news,
    ):
        gone = next_of(news, MatchGone)
    assert isinstance(gone, MatchGone)
    assert str(gone.error) == CHANGED


def test_diverged_server_counts_as_another_match(played: Friend) -> None:
    log = log_of(played)
    other = json.loads(json.dumps(log))
    other["log"][3]["command"]["multiplier"] = 3
    other["head"] = head_of(other, 4)
    step = other["log"][3] | {"head": other["head"]}
    stream = EVENTS + b"data: %s\r\n\r\n" % json.dumps(step).encode()
    none = log | {"log": []}
    changed = none | {"head": other["head"]}
    with (
        answering(answer_of(log), stream, answer_of(changed)) as url,
        following(url, watched=played.id) as news,
    ):
        gone = next_of(news, MatchGone)
    assert isinstance(gone, MatchGone)
    assert str(gone.error) == CHANGED


def test_a_gap_in_the_stream_is_filled(played: Friend) -> None:
    log = log_of(played)
    earlier = log | {"log": log["log"][:2], "seq": 2, "head": head_of(log, 2)}
    nothing = earlier | {"log": []}
    step = log["log"][3] | {"head": log["head"]}
    stream = EVENTS + b"data: %s\r\n\r\n" % json.dumps(step).encode()
    rest = log | {"log": log["log"][2:]}
    with (
        answering(
            answer_of(earlier), stream, answer_of(nothing), answer_of(rest)
        ) as url,
        following(url, watched=played.id) as news,
    ):
        totals = []
        for _ in range(2):
            update = next_of(news, Update)
            assert isinstance(update, Update)
            totals.append(update.session.game.total)
    assert totals == [5, 10]


@pytest.mark.parametrize("first", [b"HTTP/1.1 503 Busy\r\n\r\n", EVENTS])
def test_stream_with_too_many_commands_is_left(first: bytes) -> None:
    line = b"data: %s\n" % (b" " * 2**20)
    news: Queue[News] = Queue()
    with dripping(first, line) as url:
        client = Client(url, pauses=())
        stream = EventStream(
            lambda seconds: client.open_stream("/events", None, seconds),
            client,
            Nobody(),
            news.put,
            pauses=(0,),
        )
        stream.start()
        gone = next_of(news, MatchGone)
        assert isinstance(gone, MatchGone)
        assert "sent more data than a match can have" in str(gone.error)
        stream.stop()


class Nobody:
    """Follows nothing."""

    def catch_up(self) -> None:
        pass

    def receive(self, step: LogStep) -> None:
        raise AssertionError(step)


def refusal(status: str, code: str, **more: object) -> bytes:
    body = {"error": code, "detail": "the match has gone on", **more}
    return written(status, json.dumps(body).encode())


@contextmanager
def sat_at(url: str, played: Friend) -> Iterator[tuple[RemoteTable, list[News]]]:
    """Sit at a table of a server that answers as it was told to, without a stream."""
    news: list[News] = []
    client = Client(url, pauses=(), seconds=5)
    table = RemoteTable(client, MatchLink(url, played.id), secret="s" * 43)
    table._listener = news.append  # noqa: SLF001 - no stream is opened
    yield table, news


def test_commands_that_come_with_a_refusal_are_reported(played: Friend) -> None:
    log = log_of(played)
    earlier = log | {"log": log["log"][:3], "seq": 3, "head": head_of(log, 3)}
    missed = {"seq": 4, "head": log["head"], "log": log["log"][3:]}
    behind = refusal("409 Conflict", "out_of_step", log=missed)
    with (
        answering(answer_of(earlier), behind) as url,
        sat_at(url, played) as (table, news),
    ):
        with pytest.raises(errors.RequestRefused, match="gone on"):
            table.submit(commands.Move(3))
        assert [
            each.session.game.total for each in news if isinstance(each, Update)
        ] == [10]


def test_a_command_that_follows_another_log_is_never_shown(played: Friend) -> None:
    log = log_of(played)
    number = len(log["log"]) + 1
    command = log["log"][-1] | {"number": number}
    other = log | {"log": [command], "seq": number, "head": "0" * len(log["head"])}
    with (
        answering(answer_of(log), answer_of(other)) as url,
        sat_at(url, played) as (table, news),
    ):
        with pytest.raises(errors.MatchChanged, match=CHANGED):
            table.catch_up()
        assert news == []
        assert table.session.revision == len(log["log"])


def test_invalid_question_counts_as_a_refusal(played: Friend) -> None:
    slip = {"kind": "slip", "multiplier": 1, "text": "no", "give_backs": 1}
    slip |= {"title": "Coach", "answers": []}
    asked = refusal("422 No", "question", question=slip)
    with (
        answering(answer_of(log_of(played)), asked) as url,
        sat_at(url, played) as (table, _),
        pytest.raises(errors.RequestRefused),
    ):
        table.submit(commands.Move(3))


def test_a_log_of_several_pages_is_fetched_and_caught_up_with(played: Friend) -> None:
    log = log_of(played)

    def page(begin: int, end: int, *, more: bool) -> bytes:
        part = {"log": log["log"][begin:end], "seq": end, "head": head_of(log, end)}
        return answer_of(log | part | {"more": more})

    pages = (page(0, 1, more=True), page(1, 2, more=False))
    rest = (page(2, 3, more=True), page(3, 4, more=False))
    with answering(*pages, *rest) as url, sat_at(url, played) as (table, news):
        assert table.session.revision == 2
        table.catch_up()
        assert table.session.revision == 4
        assert len(news) == 2


def test_response_without_a_command_is_an_error(played: Friend) -> None:
    log = log_of(played)
    nothing = answer_of(log | {"log": []})
    with (
        answering(answer_of(log), nothing) as url,
        sat_at(url, played) as (table, news),
    ):
        with pytest.raises(errors.OnlineError, match="did not carry out the request"):
            table.submit(commands.Move(3))
        assert news == []


@pytest.mark.parametrize(
    ("kind", "ask"),
    [
        ("product", commands.Move(9, answer=90)),
        ("loss", commands.Move(9, accepts_loss=True)),
        ("slip", commands.Move(9, despite_coach=True)),
        ("loss", commands.Move(8)),
        ("loss", commands.ResignGame()),
    ],
)
def test_a_question_that_has_been_answered_is_a_refusal(
    url: str, kind: str, ask: commands.Ask
) -> None:
    friend = Friend(url)
    friend.create("multiplier-showdown")
    Friend(url, friend.id, "Bo").sit()
    question = {"kind": kind, "multiplier": 9, "text": "?", "title": "?", "answers": []}
    asked = refusal("422 No", "question", question=question)
    log = answer_of(log_of(friend))
    with (
        answering(log, asked, asked) as lying,
        sat_at(lying, friend) as (table, _),
    ):
        with pytest.raises(errors.QuestionOpen):
            table.submit(commands.Move(9))
        with pytest.raises(errors.RequestRefused, match="gone on"):
            table.submit(ask)


HOSTILE: dict[str, dict[str, object]] = {
    "format": {"format": 2},
    "book": {"book": "../../secrets"},
    "own book": {"book": "mine", "book_text": "title = 5"},
    "length": {"length": {"count": "best of", "number": 2}},
    "rules": {"rules": {"ending": "reach", "target": 10, "multipliers": []}},
    "names": {"names": ["Ada\nYou win!", "Bo"]},
    "field": {"surprise": 1},
    "do": {"do": "dance"},
    "move": {"multiplier": 1},
    "name": {"name": "Ada\x1b[2J"},
    "marks": {"names": ["A" + "\u0323" * 20, "Bo"]},
    "marks of one who sits": {"name": "A" + "\u0323" * 20},
    "spaces": {"names": ["A" + " " * 20 + "da", "Bo"]},
}


@pytest.mark.parametrize("lie", HOSTILE)
def test_a_log_that_no_match_has_is_refused(played: Friend, lie: str) -> None:
    log, told = log_of(played), HOSTILE[lie]
    if lie == "format":
        log |= told
    elif lie in ("do", "move"):
        log["log"][3]["command"] |= told
    elif "name" in told:
        log["log"][1]["command"] |= told
    else:
        log["setup"] |= told
    with (
        answering(answer_of(log)) as url,
        pytest.raises(
            errors.OnlineError,
            match=r"update ninefold|not a ninefold server|a rule book of its own",
        ),
    ):
        RemoteTable(Client(url, pauses=()), MatchLink(url, played.id))
