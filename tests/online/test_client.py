"""The client: requests, streams and kept seats, against servers that may misbehave."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPSConnection
from pathlib import Path
from queue import Queue
from threading import Thread

import msgspec
import pytest

from ninefold.errors import (
    NotALink,
    OnlineError,
    RequestRefused,
    StoreUnavailable,
    Unreachable,
)
from ninefold.game import Seat
from ninefold.online import seating
from ninefold.online.answers import question_of, state_of
from ninefold.online.client import RemoteMatch, Server, new_request_id
from ninefold.online.following import Back, Following, Gone, Heard, Lost, SetBack
from ninefold.online.links import MatchLink, read_link, read_server
from ninefold.online.messages import (
    FRIEND,
    CreateMatch,
    Message,
    PlayMove,
    Presence,
    TakeSeat,
)
from ninefold.online.seats import KeptSeats
from ninefold.online.states import game_of
from ninefold.views.state import State
from tests.online.tables import Friend
from tests.program import WAIT_SECONDS

NOBODY = "A" * 22
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"


@contextmanager
def answering(*answers: bytes) -> Iterator[str]:
    """Answer each connection with the next of these, and close it; then refuse."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]

    def answer() -> None:
        for each in answers:
            opened, _ = listening.accept()
            with opened:
                opened.recv(65_536)
                opened.sendall(each)
        listening.close()

    thread = Thread(target=answer, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    thread.join(WAIT_SECONDS)


def written(status: str, body: bytes = b"") -> bytes:
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (
        status.encode(),
        len(body),
        body,
    )


def joined(url: str, **asked: object) -> tuple[Friend, RemoteMatch]:
    """Let a friend make a match, and join it."""
    ada = Friend(url)
    ada.create(**asked)  # type: ignore[arg-type]  # asked for by name
    server = Server(url, pauses=())
    taken = server.take_seat(ada.id, TakeSeat(name="Bo", request_id=new_request_id()))
    return ada, RemoteMatch(server, ada.id, taken.secret)


# Links


def test_a_link_is_written_as_it_is_read() -> None:
    link = f"https://play.example.org:8443/games/m/{NOBODY}"
    assert str(read_link(f" {link}/ ")) == link
    assert read_link(link) == MatchLink("https://play.example.org:8443/games", NOBODY)


@pytest.mark.parametrize(
    "text", ["", "ftp://h", "http://", "http://[", "http://h/a b", "h" * 3_000]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(NotALink):
        read_server(text)
    with pytest.raises(NotALink):
        read_link(text)


# Requests


def test_a_request_is_sent_again_until_an_answer_comes() -> None:
    waits: list[float] = []
    busy = written("503 Busy", b'{"error": "busy", "detail": "wait"}')
    body = b'{"steps": [{"text": "Think.", "multiplier": null}]}'
    with answering(b"", busy, written("200 OK", body)) as url:
        match = RemoteMatch(Server(url, pauses=(1, 2), sleep=waits.append), NOBODY, "s")
        assert match.hint().steps[0].text == "Think."
    assert waits == [1, 2]


def test_an_answer_that_broke_off_is_asked_for_again() -> None:
    whole = written("200 OK", b'{"steps": [{"text": "Think.", "multiplier": null}]}')
    with answering(whole[:-20], whole) as url:
        match = RemoteMatch(Server(url, pauses=(0,)), NOBODY, None)
        assert match.hint().steps[0].text == "Think."
    with answering(whole[:-20]) as url, pytest.raises(Unreachable):
        RemoteMatch(Server(url, pauses=()), NOBODY, None).hint()


def test_a_request_is_given_up_with_the_last_reason() -> None:
    busy = written("503 Busy", b'{"error": "busy", "detail": "wait a little"}')
    with answering(busy) as url, pytest.raises(RequestRefused, match="wait a little"):
        Server(url, pauses=()).request("GET", "/api/x", State)
    with pytest.raises(Unreachable, match="cannot be reached"):
        Server(url, pauses=()).request("GET", "/api/x", State)


def test_a_server_without_https_is_said_to_have_none() -> None:
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as url:
        secure = Server(url.replace("http:", "https:"), pauses=())
        with pytest.raises(Unreachable, match="no HTTPS that can be trusted"):
            secure.request("GET", "/api/x", State)


@pytest.mark.parametrize("status", ["200 OK", "404 Not Found"])
def test_what_is_no_ninefold_server_is_said_to_be_none(status: str) -> None:
    with (
        answering(written(status, b"<html>")) as url,
        pytest.raises(OnlineError, match="no ninefold server"),
    ):
        Server(url, pauses=()).request("GET", "/api/x", State)


def test_a_secure_address_is_asked_securely() -> None:
    connection = Server("https://play.example.org").connect(1)
    assert isinstance(connection, HTTPSConnection)
    assert connection.port == 443


def test_a_refusal_brings_its_sentence_and_the_state(url: str) -> None:
    ada, match = joined(url)
    move = PlayMove(seq=1, request_id=new_request_id(), multiplier=5)
    with pytest.raises(RequestRefused, match="has gone on meanwhile") as refused:
        match.move(move)
    state = state_of(refused.value)
    assert state is not None
    assert state.seq == 2
    other = RequestRefused(500, "x", "no")
    assert state_of(other) is None
    for asks_nothing in (refused.value, other):
        with pytest.raises(RequestRefused) as raised:
            question_of(asks_nothing)
        assert raised.value is asks_nothing
    unseen = TakeSeat(name="\u200b", request_id=new_request_id())
    with pytest.raises(RequestRefused, match="1 to 24 characters"):
        Server(url).take_seat(ada.id, unseen)


def test_the_game_of_a_state_is_played_anew(url: str) -> None:
    ada, match = joined(url, first=2)
    state = match.state()
    state = match.move(
        PlayMove(seq=state.seq, request_id=new_request_id(), multiplier=5)
    )
    assert game_of(state).total == 5
    ada.do("resign")
    game = game_of(match.state())
    assert game.resigned is Seat.ONE


# Streams


def heard_of(heard: Queue[Heard], kind: type[Heard]) -> Heard:
    """Wait for the next thing of a kind."""
    while not isinstance(found := heard.get(timeout=WAIT_SECONDS), kind):
        pass
    return found


@contextmanager
def following(
    match: RemoteMatch, after: int, pauses: Sequence[float] = (0,)
) -> Iterator[Queue[Heard]]:
    heard: Queue[Heard] = Queue()
    follower = Following(match, after, heard.put, pauses=pauses)
    follower.start()
    yield heard
    follower.stop()


def test_everything_that_happens_is_told(url: str) -> None:
    ada, match = joined(url)
    with following(match, 1) as heard:
        found = heard_of(heard, Message)
        assert isinstance(found, Message)
        assert found.events[0].type == "seated"
        ada.move(5)
        found = heard_of(heard, Message)
        assert isinstance(found, Message)
        assert found.state.moves == (5,)


def test_a_match_that_is_gone_is_said_to_be(url: str) -> None:
    match = RemoteMatch(Server(url), NOBODY, None)
    with following(match, 0) as heard:
        found = heard_of(heard, Gone)
    assert isinstance(found, Gone)
    assert "no such match" in str(found.error)


def test_a_lost_connection_is_told_once_and_its_return_too() -> None:
    presence = b'event: presence\r\ndata: {"here": [true, false], "watching": 0}'
    stream = EVENTS + b": ping\r\n\r\n%s\r\n\r\ndata: {}\r\n\r\n" % presence
    busy = written("503 Busy", b'{"error": "busy", "detail": "wait"}')
    with answering(stream, b"", busy, b"", stream) as url:
        match = RemoteMatch(Server(url), NOBODY, None)
        with following(match, 0, pauses=(0, 0, 0, 0.01)) as heard:
            kinds = [type(heard.get(timeout=WAIT_SECONDS)) for _ in range(5)]
    assert kinds == [Presence, Lost, Back, Presence, Lost]


def test_what_was_stopped_tells_nothing_more(url: str) -> None:
    ada, match = joined(url)
    heard: Queue[Heard] = Queue()
    follower = Following(match, 2, heard.put)
    follower.start()
    follower.stop()
    while not heard.empty():
        heard.get()
    ada.move(5)
    assert heard.empty()


# Servers that are none, or mean no good


@contextmanager
def dripping(first: bytes, drop: bytes) -> Iterator[str]:
    """Answer one connection, and send more and more until it is closed."""
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with listening:
            opened, _ = listening.accept()
        with opened, suppress(OSError):
            opened.settimeout(1)  # nobody reads it any more
            opened.recv(65_536)
            opened.sendall(first)
            while True:
                opened.sendall(drop)

    thread = Thread(target=answer, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    thread.join(WAIT_SECONDS)
    assert not thread.is_alive()


@pytest.mark.parametrize(
    ("first", "drop"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    ],
)
def test_an_answer_that_never_ends_is_cut(first: bytes, drop: bytes) -> None:
    with dripping(first, drop) as url, pytest.raises(Unreachable):
        Server(url, pauses=(), seconds=0.2).request("GET", "/api/x", State)


def test_a_refusal_of_a_stream_is_not_read_for_ever() -> None:
    endless = b"HTTP/1.1 503 Busy\r\n\r\n"
    with dripping(endless, b" " * 2**20) as url:
        match = RemoteMatch(Server(url, pauses=()), NOBODY, None)
        with following(match, 0) as heard:
            heard_of(heard, Lost)


def test_a_message_of_a_stream_is_not_read_for_ever() -> None:
    line = b"data: %s\n" % (b" " * 2**20)
    with dripping(EVENTS, line) as url:
        match = RemoteMatch(Server(url, pauses=()), NOBODY, None)
        with following(match, 0) as heard:
            heard_of(heard, Lost)


@pytest.mark.parametrize(
    "body",
    [
        b'{"steps": [], "x": %s}' % (b"[" * 100_000),
        b'{"steps": [{"text": "\xff", "multiplier": null}]}',
        b'{"steps": 5}',
        b'{"steps": []}',
    ],
)
def test_an_answer_that_cannot_be_read_is_said_to_be_none(body: bytes) -> None:
    with (
        answering(written("200 OK", body)) as url,
        pytest.raises(OnlineError, match="no ninefold server"),
    ):
        RemoteMatch(Server(url, pauses=()), NOBODY, None).hint()


def test_a_name_that_no_machine_can_have_is_not_reached() -> None:
    with pytest.raises(Unreachable):
        Server(f"http://{'a' * 70}", pauses=()).request("GET", "/api/x", State)


ANOTHER = {
    "game": "../../secrets",
    "length": {"count": "best of", "number": 2},
    "moves": [1],
    "rules": {"ending": "reach", "target": 10, "multipliers": [], "start": 1},
    "outcome": {"winner": 1, "reason": "reached"},
    "seats": [
        {"name": "Ada\nYou win!", "kind": "human", "taken": True},
        {"name": "Bo", "kind": "human", "taken": True},
    ],
}


@pytest.mark.parametrize("key", ANOTHER)
def test_a_state_that_no_match_has_is_refused(url: str, key: str) -> None:
    _, match = joined(url)
    state = msgspec.to_builtins(match.state()) | {key: ANOTHER[key]}
    shown = msgspec.json.encode(state)
    refusal = msgspec.json.encode({"error": "x", "detail": "y", "state": state})
    for answer in (written("200 OK", shown), written("409 Conflict", refusal)):
        with (
            answering(answer) as lying,
            pytest.raises(OnlineError, match="no ninefold server"),
        ):
            RemoteMatch(Server(lying, pauses=()), match.id, None).state()
    message = b'data: {"events": [], "state": %s}\n\n' % shown
    with (
        answering(EVENTS + message) as lying,
        following(RemoteMatch(Server(lying, pauses=()), match.id, None), 0) as heard,
    ):
        assert type(heard.get(timeout=WAIT_SECONDS)) is Lost


@pytest.mark.parametrize(
    "lie",
    [
        {"secret": "a secret\r\nHost: elsewhere"},
        {"secret": ""},
        {"link": "https://play.example.org/"},
        {"link": f"https://play.example.org/m/{NOBODY}"},
        {"link": f"https://play.example.org/{'x' * 3000}/m/{NOBODY}", "id": NOBODY},
    ],
)
def test_a_seat_that_cannot_be_one_is_not_taken(url: str, lie: dict[str, str]) -> None:
    ada, match = joined(url)
    seated = {"secret": "s" * 43, "link": f"{url}/m/{ada.id}"}
    state = msgspec.to_builtins(match.state()) | seated | lie
    asked = TakeSeat(name="Bo", request_id=new_request_id())
    with (
        answering(written("200 OK", msgspec.json.encode(state))) as lying,
        pytest.raises(OnlineError, match="no ninefold server"),
    ):
        Server(lying, pauses=()).take_seat(ada.id, asked)


def test_a_page_in_place_of_a_stream_is_no_connection() -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"
    with answering(page, EVENTS) as url:
        match = RemoteMatch(Server(url, pauses=()), NOBODY, None)
        with following(match, 0) as heard:
            assert type(heard.get(timeout=WAIT_SECONDS)) is Lost


def test_where_streams_are_held_back_the_match_is_asked_for(url: str) -> None:
    _, match = joined(url)
    stands = written("200 OK", msgspec.json.encode(match.state()))
    held: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as closing:

        def answer() -> None:
            for each in (b"", EVENTS, stands):
                opened = closing.enter_context(listening.accept()[0])
                held.append(opened)
                opened.recv(65_536)
                opened.sendall(each)
                if not each:  # the head is held back, and then only what follows
                    again = closing.enter_context(listening.accept()[0])
                    again.recv(65_536)
                    again.sendall(stands)

        thread = Thread(target=answer, daemon=True)
        thread.start()
        buffering = Server(f"http://127.0.0.1:{listening.getsockname()[1]}")
        heard: Queue[Heard] = Queue()
        remote = RemoteMatch(buffering, match.id, None)
        follower = Following(remote, 1, heard.put, pauses=(0,), seconds_to_begin=0.3)
        follower.start()
        found = heard_of(heard, Message)
        assert isinstance(found, Message)
        assert found.state.seq == 2
        heard_of(heard, Lost)
        thread.join(WAIT_SECONDS)
        follower.stop()
    assert len(held) == 3  # what is known was not told again
    assert not [each for each in heard.queue if isinstance(each, Message)]


def test_a_server_that_was_set_back_to_an_earlier_move_is_said_to(url: str) -> None:
    ada, match = joined(url)
    earlier = msgspec.json.encode({"events": [], "state": ada.state()})
    with (
        answering(EVENTS + b"id: 2\ndata: %s\n\n" % earlier) as restored,
        following(RemoteMatch(Server(restored, pauses=()), match.id, None), 3) as heard,
    ):
        found = heard_of(heard, SetBack)
    assert isinstance(found, SetBack)
    assert found.state.seq == 2


# Kept seats


def test_a_seat_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    seats = KeptSeats(tmp_path / "new")
    assert seats.secret("http://a", NOBODY) is None
    seats.keep("http://a", NOBODY, "one")
    seats.keep("http://b", NOBODY, "two")
    seats.keep("http://a", NOBODY, "three")
    again = KeptSeats(tmp_path / "new")
    assert again.secret("http://a", NOBODY) == "three"
    assert again.secret("http://b", NOBODY) == "two"
    modes = {file.stat().st_mode & 0o777 for file in (tmp_path / "new").iterdir()}
    assert modes == {0o600}


def test_programs_that_keep_seats_at_once_lose_none(tmp_path: Path) -> None:
    def keep(name: str) -> None:
        seats = KeptSeats(tmp_path)
        for number in range(20):
            seats.keep(f"http://{name}", str(number), f"{name}-{number}")
            seats.forget_match(f"http://{name}", "duel")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(keep, "abcd"))
    found = KeptSeats(tmp_path)
    for name in "abcd":
        kept = [found.secret(f"http://{name}", str(number)) for number in range(20)]
        assert kept == [f"{name}-{number}" for number in range(20)]


def test_a_system_without_locks_keeps_seats_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    seats = KeptSeats(tmp_path)
    seats.keep("http://a", NOBODY, "one")
    assert seats.secret("http://a", NOBODY) == "one"


def test_a_file_system_without_locks_keeps_seats_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    seats = KeptSeats(tmp_path)
    seats.keep("http://a", NOBODY, "one")
    assert seats.secret("http://a", NOBODY) == "one"


def test_the_same_request_has_the_same_id_until_it_is_forgotten(tmp_path: Path) -> None:
    seats = KeptSeats(tmp_path)
    first = seats.request_id("http://a", "match")
    other = seats.request_id("http://a", "seat")
    assert seats.request_id("http://a", "seat") == other != first
    seats.forget_request("http://a", "match")
    assert seats.request_id("http://a", "match") != first
    assert seats.request_id("http://a", "seat") == other


HANGS = written("503 Busy", b'{"error": "store_unavailable", "detail": "wait"}')
TAKEN = written("409 Conflict", b'{"error": "seat_taken", "detail": "no"}')


def test_a_seat_is_asked_for_with_the_same_id_until_it_is_refused_for_good(
    tmp_path: Path,
) -> None:
    # A store that hangs may have taken the command that it gave no answer to.
    seats = KeptSeats(tmp_path)
    with answering(HANGS, TAKEN) as url:
        server, link = Server(url, pauses=()), MatchLink(url, NOBODY)
        for is_open in (True, False):
            with pytest.raises(RequestRefused):
                seating.join(server, seats, link, "Bo")
            assert seating.may_have_sat(seats, link) is is_open


def test_a_match_is_come_back_to_until_it_is_refused_for_good(tmp_path: Path) -> None:
    seats = KeptSeats(tmp_path)
    asked = CreateMatch(
        game="multiplication-duel", opponent=FRIEND, name="Ada", request_id=NOBODY
    )
    with answering(HANGS, TAKEN) as url:
        hosted = seating.Hosted(Server(url, pauses=()), seats, url, "host duel")
        for is_kept in (True, False):
            with pytest.raises(RequestRefused):
                hosted.sit(lambda: asked)
            assert (seats.match_of(url, "host duel") is not None) is is_kept


def test_seats_that_cannot_be_read_or_written_are_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "seats.json").write_text("{")
    with pytest.raises(StoreUnavailable, match="remove it to begin anew"):
        KeptSeats(tmp_path).secret("http://a", NOBODY)
    (tmp_path / "folder" / "seats.json").mkdir(parents=True)
    with pytest.raises(StoreUnavailable, match="set NINEFOLD_HOME"):
        KeptSeats(tmp_path / "folder").secret("http://a", NOBODY)
    # A new file cannot be put in the place of a folder, nor be made beside it.
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / f"seats.json.{os.getpid()}").mkdir()
    with pytest.raises(StoreUnavailable, match="set NINEFOLD_HOME"):
        KeptSeats(tmp_path / "other").keep("http://a", NOBODY, "one")
    (tmp_path / "locked" / "seats.json.lock").mkdir(parents=True)
    with pytest.raises(StoreUnavailable, match="set NINEFOLD_HOME"):
        KeptSeats(tmp_path / "locked").keep("http://a", NOBODY, "one")
