"""A server that sends and sends: what a client holds of it is bounded."""

from __future__ import annotations

import json
import resource
import subprocess
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count, cycle, islice, repeat
from queue import Queue
from threading import Event
from typing import Any

import pytest

from ninefold.errors import MatchChanged, RequestRefused, ResponseTooLarge
from ninefold.online.http_client import Client
from ninefold.online.links import MatchLink
from ninefold.online.messages import next_head
from ninefold.online.remote_table import RemoteTable
from ninefold.session import Command, Move, Undo
from ninefold.session.table import MOST_NEWS, MatchGone, News, NewsQueue
from tests.arena.programs import sh
from tests.online.servers import EVENTS, serving, written
from tests.online.tables import Friend, Piped
from tests.processes import start
from tests.program import NINEFOLD, WAIT_SECONDS, environment

GONE = written("404 Not Found", b'{"error": "no_such_match", "detail": "none"}')
NOTHING = "did not carry out the request"
MOST_MEMORY = 100 * 2**20
"""Bytes that a client needs at most, whatever a server sends: stacks and heap."""


@pytest.fixture(scope="module")
def log(url: str) -> dict[str, Any]:
    """A match in which somebody may move for ever."""
    friend = Friend(url)
    friend.create(target=10**900)
    Friend(url, friend.id, "Bo").sit()
    return Friend(url).get(f"/api/matches/{friend.id}/log")


def steps(log: dict[str, Any], commands: Iterable[Command]) -> Iterator[bytes]:
    """Write commands as messages of the stream of a log."""
    head = log["head"]
    for number, command in zip(count(log["seq"] + 1), commands, strict=False):
        head = next_head(head, command)
        told = {"do": "move", "multiplier": 2}
        step = {
            "number": number,
            "at": "2026-01-31T09:30:00Z",
            "head": head,
            "command": told if isinstance(command, Move) else {"do": "undo"},
        }
        yield b"data: %s\n\n" % json.dumps(step).encode()


def presence(*, is_here: bool) -> bytes:
    told = json.dumps({"connected": [is_here, True], "watching": 0})
    return b"event: presence\ndata: %s\n\n" % told.encode()


def in_pieces(messages: Iterable[bytes]) -> Iterator[bytes]:
    left = iter(messages)
    while piece := b"".join(islice(left, 100)):
        yield piece


Flood = Callable[[dict[str, Any], int], Iterable[bytes]]
FLOODS: dict[str, Flood] = {
    "presence": lambda _, times: islice(
        cycle([presence(is_here=True), presence(is_here=False)]), times
    ),
    "moves": lambda log, times: steps(log, islice(repeat(Move(2)), min(times, 2_900))),
    "moves and undos": lambda log, times: steps(
        log, chain(repeat(Move(2), 2_900), islice(cycle([Undo(), Move(2)]), times))
    ),
    "another log": lambda log, times: repeat(
        next(steps(log | {"head": "another"}, [Move(2)])), times
    ),
    "gaps": lambda log, times: islice(steps(log, repeat(Move(2))), 1, min(times, 100)),
    "a line": lambda _, times: repeat(b"data: " + b" " * 1_000, times),
    "data": lambda _, times: repeat(b"data: " + b" " * 1_000 + b"\n", times),
    "comments": lambda _, times: repeat(b": " + b"x" * 1_000 + b"\n\n", times),
}
"""Messages of a stream: as many as there are times, or as a match can have."""
ENDS = {
    "another log": MatchChanged,
    "a line": ResponseTooLarge,
    "data": ResponseTooLarge,
}
"""The floods that no match has, and the error that ends it."""


def flooding(
    log: dict[str, Any], flood: Iterable[bytes], sent: Event
) -> Callable[[str], Iterator[bytes]]:
    """Answer with a log, then with a flood, and then that the match is gone."""

    def answer(asked: str) -> Iterator[bytes]:
        if "/events" not in asked:
            yield written("200 OK", json.dumps(log).encode())
        elif sent.is_set():
            yield GONE
        else:
            try:
                yield EVENTS
                yield from in_pieces(flood)
            finally:
                sent.set()

    return answer


@pytest.mark.parametrize("name", FLOODS)
def test_queue_is_bounded_whatever_a_server_sends(
    log: dict[str, Any], name: str
) -> None:
    waiting: NewsQueue[News] = NewsQueue()
    lengths: list[int] = []
    gone: Queue[MatchGone] = Queue()

    def listen(news: News) -> None:
        waiting.put(news)  # and nobody takes it
        lengths.append(len(waiting))
        if isinstance(news, MatchGone):
            gone.put(news)

    with serving(flooding(log, FLOODS[name](log, 1_000), Event())) as url:
        table = RemoteTable(
            Client(url, pauses=()), MatchLink(url, "A" * 22), pauses=(0,)
        )
        table.listen(listen)
        error = gone.get(timeout=WAIT_SECONDS).error
        table.close()
    assert isinstance(error, ENDS.get(name, RequestRefused))
    assert max(lengths) <= MOST_NEWS


def endless(_: str) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n\r\n"
    yield from repeat(b" " * 65_536)


def test_too_long_response_is_a_one_line_error() -> None:
    with (
        serving(endless) as url,
        pytest.raises(ResponseTooLarge, match="than a match can"),
    ):
        RemoteTable(Client(url, pauses=()), MatchLink(url, "A" * 22))


@pytest.mark.parametrize("length", [0, 1_000])
def test_endless_pages_are_a_one_line_error(log: dict[str, Any], length: int) -> None:
    asked: list[str] = []
    page = log | {"more": True, "log": (log["log"] * length)[:length]}
    told = written("200 OK", json.dumps(page).encode())

    def answer(request: str) -> Iterator[bytes]:
        asked.append(request)
        yield told

    with serving(answer) as url, pytest.raises(ResponseTooLarge):
        RemoteTable(Client(url, pauses=()), MatchLink(url, "A" * 22))
    assert len(asked) == (21 if length else 1)


@pytest.mark.prove
@pytest.mark.parametrize("name", [*FLOODS, "answer"])
def test_a_flood_leaves_the_memory_of_the_program_bounded(
    log: dict[str, Any], name: str
) -> None:
    sent = Event()
    answer: Callable[[str], Iterator[bytes]] = endless
    if name != "answer":
        answer = flooding(log, FLOODS[name](log, 1_000_000), sent)
    with serving(answer) as url:
        joined = start(
            [*NINEFOLD, "join", f"{url}/m/{'A' * 22}", "--watch"],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        resource.prlimit(joined.pid, resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
        assert joined.stdout is not None
        if name != "answer":
            sent.wait()  # what it writes is not read meanwhile
        _, said = joined.communicate(timeout=WAIT_SECONDS)
    assert joined.returncode == 2, said
    ends = {"another log": "has changed on the server"}
    ends |= dict.fromkeys(
        ("a line", "data", "answer", "moves and undos"), "sent more data"
    )
    assert ends.get(name, "no such match") in said


LOSS = {"kind": "loss", "multiplier": 3, "text": "?", "title": "?", "answers": []}
REFUSED = json.dumps({"error": "question", "detail": "Say yes.", "question": LOSS})
ENDLESS: dict[str, tuple[tuple[str, ...], str, bool, int, str]] = {
    "a question each time": ((), "422 No", False, 2, "The input ended before"),
    "nothing for a bot": (("--as", f"bot:{sh('echo move 3')}"), "", False, 1, NOTHING),
    "a question to a bot": (
        ("--as", f"bot:{sh('echo move 3')}"),
        *("422 No", False, 1, "Say yes."),
    ),
    "nothing for a next game": ((), "", True, 1, NOTHING),
    "a refusal of a next game": ((), "422 No", True, 1, "The input ended before"),
}
"""How ninefold joins, what it is answered, whether a game is over; how often it asks,
and what it says in the end."""


@pytest.mark.parametrize("name", ENDLESS)
def test_no_response_makes_the_program_ask_forever(url: str, name: str) -> None:
    options, status, is_over, most, said = ENDLESS[name]
    friend = Friend(url)
    friend.create(
        "multiplication-showdown", first=2, length={"count": "best of", "number": 3}
    )
    Friend(url, friend.id, "Bo").sit()
    if is_over:
        friend.ask("resign")
    log = friend.get(f"/api/matches/{friend.id}/log") | {"your_seat": 2}
    asked: list[str] = []

    def answer(request: str) -> Iterator[bytes]:
        path = request.split()[1]
        if "/seat" in path:
            link = f"{lying}/m/{friend.id}"
            seat = {"id": friend.id, "secret": "s" * 43, "link": link}
            yield written("200 OK", json.dumps(seat).encode())
        elif "/events" in path:
            yield GONE[:0]
        elif request.startswith("GET"):
            yield written("200 OK", json.dumps(log).encode())
        else:
            asked.append(request)
            nothing = json.dumps(log | {"log": []})
            body = REFUSED if status else nothing
            yield written(status or "200 OK", body.encode())

    with serving(answer) as lying:
        typed = "" if options else "3\n"
        link = f"{lying}/m/{friend.id}"
        _, out, notices = Piped("join", link, *options, typed=typed).end()
    assert len(asked) == most
    assert said in " ".join((out + notices).split())
