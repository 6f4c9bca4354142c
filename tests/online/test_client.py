"""The client: links, and requests to servers that may misbehave."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPSConnection
from queue import Queue
from threading import Event

import msgspec
import pytest
from msgspec import Struct

from ninefold.errors import InvalidLink, OnlineError, RequestRefused, ServerUnreachable
from ninefold.online.http_client import Client, new_request_id
from ninefold.online.links import MatchLink, read_link, read_server
from ninefold.online.messages import CreateMatch, TakeSeat
from ninefold.session import FRIEND
from tests.online.servers import answering, dripping, serving, written
from tests.online.tables import Friend
from tests.program import WAIT_SECONDS

NOBODY = "A" * 22


class Thought(Struct):
    """An answer to ask for."""

    text: str


THINK = written("200 OK", b'{"text": "Think."}')


def test_link_round_trips() -> None:
    link = f"https://play.example.org:8443/games/m/{NOBODY}"
    assert str(read_link(f" {link}/ ")) == link
    assert read_link(link) == MatchLink("https://play.example.org:8443/games", NOBODY)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("127.0.0.1:9009", "http://127.0.0.1:9009"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("[::1]:9009", "http://[::1]:9009"),
        ("localhost", "http://localhost"),
        ("Tower:9009", "http://tower:9009"),
        ("play.example.org", "https://play.example.org"),
        ("play.example.org/games", "https://play.example.org/games"),
        ("HTTP://play.example.org", "http://play.example.org"),
    ],
)
def test_an_address_is_read_without_its_scheme(typed: str, read: str) -> None:
    assert read_server(f" {typed}/ ") == read
    assert read_link(f"{typed}/m/{NOBODY}") == MatchLink(read, NOBODY)


@pytest.mark.parametrize(
    "text",
    [
        *("", "ftp://h", "http://", "http://[", "http://h/a b", "h" * 3_000),
        *("duel", "[", "h:x", "http:", "http:/h", "a@play.example.org"),
    ],
)
def test_malformed_address_is_rejected(text: str) -> None:
    with pytest.raises(InvalidLink):
        read_server(text)
    with pytest.raises(InvalidLink):
        read_link(text)


def test_request_is_retried_until_a_response_arrives() -> None:
    waits: list[float] = []
    busy = written("503 Busy", b'{"error": "busy", "detail": "wait"}')
    with answering(b"", busy, THINK) as url:
        client = Client(url, pauses=(1, 2), sleep=waits.append)
        assert client.request("GET", "/api/x", Thought).text == "Think."
    assert waits == [1, 2]


def test_incomplete_response_is_retried() -> None:
    with answering(THINK[:-5], THINK) as url:
        client = Client(url, pauses=(0,))
        assert client.request("GET", "/api/x", Thought).text == "Think."
    with answering(THINK[:-5]) as url, pytest.raises(ServerUnreachable):
        Client(url, pauses=()).request("GET", "/api/x", Thought)


def test_last_failure_is_raised_after_the_retries() -> None:
    busy = written("503 Busy", b'{"error": "busy", "detail": "wait a little"}')
    with answering(busy) as url, pytest.raises(RequestRefused, match="wait a little"):
        Client(url, pauses=()).request("GET", "/api/x", Thought)
    with pytest.raises(ServerUnreachable, match="cannot reach the server"):
        Client(url, pauses=()).request("GET", "/api/x", Thought)


def test_server_without_https_is_reported() -> None:
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as url:
        secure = Client(url.replace("http:", "https:"), pauses=())
        with pytest.raises(ServerUnreachable, match="it does not offer trusted HTTPS"):
            secure.request("GET", "/api/x", Thought)


@pytest.mark.parametrize("status", ["200 OK", "404 Not Found"])
def test_other_servers_are_reported_as_not_ninefold(status: str) -> None:
    with (
        answering(written(status, b"<html>")) as url,
        pytest.raises(OnlineError, match="not a ninefold server"),
    ):
        Client(url, pauses=()).request("GET", "/api/x", Thought)


def test_https_address_uses_https() -> None:
    connection = Client("https://play.example.org").connect(1)
    assert isinstance(connection, HTTPSConnection)
    assert connection.port == 443


def test_refusal_has_the_servers_message(url: str) -> None:
    ada = Friend(url)
    ada.create()
    unseen = TakeSeat(name="\u200b", request_id=new_request_id())
    with pytest.raises(RequestRefused, match="1 to 24 visible characters"):
        Client(url).take_seat(ada.id, unseen)


@pytest.mark.parametrize(
    ("first", "drop"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    ],
)
def test_endless_response_is_cut_off(first: bytes, drop: bytes) -> None:
    with dripping(first, drop) as url, pytest.raises(ServerUnreachable):
        Client(url, pauses=(), seconds=0.2).request("GET", "/api/x", Thought)


def test_long_wait_shows_the_server() -> None:
    told: Queue[str] = Queue()

    def answer(_: str) -> Iterator[bytes]:
        assert told.get(timeout=WAIT_SECONDS) == f"Waiting for {url} ..."
        yield THINK

    with serving(answer) as url:
        client = Client(url, pauses=(), progress=told.put, seconds_unsaid=0)
        with client.waited_for():
            assert client.request("GET", "/api/x", Thought).text == "Think."
    assert told.get_nowait() == ""
    assert told.empty()


def test_short_wait_shows_nothing() -> None:
    told: list[str] = []
    with Client("http://127.0.0.1", progress=told.append).waited_for():
        pass
    assert told == []


def test_silent_server_is_not_retried() -> None:
    asked: list[str] = []
    given_up = Event()

    def answer(request: str) -> Iterator[bytes]:
        asked.append(request)
        given_up.wait(WAIT_SECONDS)
        yield THINK

    with serving(answer) as url:
        client = Client(url, pauses=(0, 0, 0), seconds=0.2)
        with pytest.raises(ServerUnreachable, match="cannot reach the server"):
            client.request("GET", "/api/x", Thought)
        given_up.set()
    assert len(asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b'{"text": "", "x": %s}' % (b"[" * 100_000),
        b'{"text": "\xff"}',
        b'{"text": 5}',
        b"[]",
    ],
)
def test_malformed_response_is_reported_as_not_ninefold(body: bytes) -> None:
    with (
        answering(written("200 OK", body)) as url,
        pytest.raises(OnlineError, match="not a ninefold server"),
    ):
        Client(url, pauses=()).request("GET", "/api/x", Thought)


def test_malformed_host_name_cannot_be_reached() -> None:
    with pytest.raises(ServerUnreachable):
        Client(f"http://{'a' * 70}", pauses=()).request("GET", "/api/x", Thought)


@pytest.mark.parametrize(
    "lie",
    [
        {"secret": "a secret\r\nHost: elsewhere"},
        {"secret": ""},
        {"link": "https://play.example.org/"},
        {"link": f"https://play.example.org/m/{NOBODY}"},
        {"link": f"https://play.example.org/{'x' * 3000}/m/{NOBODY}", "id": NOBODY},
        {"link": f"https://play.example.org/m/{NOBODY}", "id": NOBODY},
        {"link": "{here}/m/" + NOBODY, "id": NOBODY},
    ],
)
def test_malformed_seat_is_rejected(url: str, lie: dict[str, str]) -> None:
    ada = Friend(url)
    ada.create()
    asked = TakeSeat(name="Bo", request_id=new_request_id())

    def answer(_: str) -> Iterator[bytes]:
        seated = {"secret": "s" * 43, "link": f"{lying}/m/{ada.id}"} | lie
        seated["link"] = seated["link"].format(here=lying)
        yield written("200 OK", msgspec.json.encode(ada.state() | seated))

    with (
        serving(answer) as lying,
        pytest.raises(OnlineError, match=r"not a ninefold server|another server"),
    ):
        Client(lying, pauses=()).take_seat(ada.id, asked)


MAKE = CreateMatch(
    game="multiplication-duel", opponent=FRIEND, name="Ada", request_id="r" * 16
)


@pytest.mark.parametrize(
    ("link", "is_here"),
    [
        ("http://127.0.0.1:{port}", True),
        ("HTTP://127.0.0.1:{port}", True),
        ("http://127.0.0.1:0{port}/", True),
        ("https://127.0.0.1:{port}", False),
        ("http://127.0.0.1", False),
        ("http://localhost:{port}", False),
        ("http://127.0.0.1:{port}/games", False),
        ("https://play.example.org", False),
    ],
)
def test_a_link_to_another_server_is_refused(link: str, is_here: bool) -> None:
    def answer(_: str) -> Iterator[bytes]:
        server = link.format(port=url.rpartition(":")[2])
        made = {"id": NOBODY, "secret": "s" * 43, "link": f"{server}/m/{NOBODY}"}
        yield written("201 Made", json.dumps(made).encode())

    with serving(answer) as url:
        client = Client(url, pauses=())
        if is_here:
            assert client.create(MAKE).id == NOBODY
        else:
            with pytest.raises(OnlineError, match="sent a link to another server"):
                client.create(MAKE)


def test_an_address_is_compared_without_its_case_and_usual_port() -> None:
    for text in ("http://Play.example.org:80/", "HTTP://play.example.org:"):
        assert read_server(text) == "http://play.example.org"
    assert read_server("https://[2001:DB8::1]:443") == "https://[2001:db8::1]"
    assert read_server("https://h:80") == "https://h:80"


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 There", "308 There"])
def test_redirects_are_not_followed(status: str) -> None:
    asked: list[str] = []

    def answer(request: str) -> Iterator[bytes]:
        asked.append(request)
        yield THINK

    with serving(answer) as elsewhere:
        moved = b"HTTP/1.1 %s\r\nLocation: %s/api/x\r\nContent-Length: 0\r\n\r\n"
        redirect = moved % (status.encode(), elsewhere.encode())
        with (
            answering(redirect) as url,
            pytest.raises(OnlineError, match="not a ninefold server"),
        ):
            Client(url, pauses=()).request("GET", "/api/x", Thought, None, "s" * 43)
    assert asked == []
