"""Streams: told in order, resumed by id, cut off when slow, limited in number."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest
from starlette.types import ASGIApp, Message

from ninefold.game import Seat
from ninefold.server import rate_limits
from ninefold.server.asgi import Server
from ninefold.server.event_streams import LONGEST_QUEUE, PING, Listener
from tests.server.asgi import Answer, Exchange, Json, ask, scope_of
from tests.servers import living, make_server

DUEL = "multiplication-duel"


class Played:
    """A match that two people play, and those who listen to it."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self.app = app
        self.server = server
        self.path = ""
        self.secrets: list[str] = []
        self._numbers = iter(range(10_000))

    async def post(self, path: str, body: Json, seat: int | None = None) -> Answer:
        body = {**body, "request_id": f"request-{next(self._numbers):010}"}
        headers = [("content-type", "application/json")]
        if seat is not None:
            headers.append(("authorization", f"Bearer {self.secrets[seat - 1]}"))
        return await ask(self.app, "POST", path, json.dumps(body).encode(), headers)

    async def make(self, **fields: object) -> None:
        usual = {"game": DUEL, "opponent": "friend", "name": "Ada"}
        made = await self.post("/api/matches", {**usual, **fields})
        self.path = f"/api/matches/{made['id']}"
        self.secrets = [str(made["secret"])]

    async def sit(self) -> None:
        seated = await self.post(f"{self.path}/seat", {"name": "Bob"})
        self.secrets.append(str(seated["secret"]))

    async def do(self, seat: int, do: str, seq: int, **fields: object) -> Answer:
        body = {"seq": seq, "ask": {"do": do, **fields}}
        return await self.post(f"{self.path}/log", body, seat)

    def listen(
        self,
        after: str = "",
        last_event_id: str = "",
        seat: int | None = None,
        address: str = "198.51.100.7",
    ) -> Exchange:
        headers = [("last-event-id", last_event_id)] if last_event_id else []
        if seat is not None:
            headers.append(("authorization", f"Bearer {self.secrets[seat - 1]}"))
        path = f"{self.path}/events" + (f"?after={after}" if after else "")
        return Exchange(self.app, scope_of("GET", path, headers, address))


async def heard(stream: Exchange, *, count: int) -> list[bytes]:
    """Return the next parts of a stream that are something."""
    found: list[bytes] = []
    while len(found) < count:
        message = await stream.next()
        assert message is not None
        if message["type"] == "http.response.body":
            found.append(message["body"])
    return found


async def told(stream: Exchange) -> tuple[str, Json]:
    """Return the id of the next message that has one, and what it tells."""
    while True:
        (part,) = await heard(stream, count=1)
        head, _, data = part.decode().partition("\ndata: ")
        if head.startswith("id: "):
            return head.removeprefix("id: "), json.loads(data)


async def present(stream: Exchange) -> Json:
    """Return what the next word about presence says."""
    while True:
        (part,) = await heard(stream, count=1)
        if part.startswith(b"event: presence\ndata: "):
            read: Json = json.loads(part.partition(b"data: ")[2])
            return read


def kinds(message: Json) -> list[str]:
    events = message["events"]
    assert isinstance(events, list)
    return [event["type"] for event in events]


def playing(test: Callable[[Played], Awaitable[None]]) -> None:
    """Run a test with a server of its own."""

    async def run() -> None:
        server = make_server()
        app = server.application()
        async with living(app):
            await test(Played(app, server))

    asyncio.run(run())


def test_a_stream_begins_with_the_match_as_it_stands() -> None:
    async def test(match: Played) -> None:
        await match.make()
        stream = match.listen(seat=1)
        first = await stream.next()
        assert first is not None
        assert first["status"] == 200
        headers = dict(first["headers"])
        assert headers[b"content-type"] == b"text/event-stream; charset=utf-8"
        assert headers[b"cache-control"] == b"no-store"
        assert headers[b"x-content-type-options"] == b"nosniff"
        assert await heard(stream, count=1) == [b"retry: 1000\n\n"]
        number, message = await told(stream)
        assert number == "1"
        assert message["state"] == (await as_seat(match, 1)).json
        assert await present(stream) == {"connected": [True, False], "watching": 0}
        stream.leave()
        await stream.task

    playing(test)


async def as_seat(match: Played, seat: int) -> Answer:
    bearer = ("authorization", f"Bearer {match.secrets[seat - 1]}")
    return await ask(match.app, "GET", match.path, b"", [bearer])


def test_every_command_is_one_message_with_its_number() -> None:
    async def test(match: Played) -> None:
        await match.make(
            length={"count": "best of", "number": 3}, lessons={"coach": True}
        )
        stream = match.listen()
        await match.sit()
        steps: list[tuple[int, str, dict[str, object]]] = [
            (1, "give-back", {"multiplier": 2}),
            (1, "move", {"multiplier": 5}),
            (1, "take-back", {}),
            (2, "decline-take-back", {}),
            (1, "take-back", {}),
            (2, "allow-take-back", {}),
            (1, "move", {"multiplier": 5}),
            (2, "resign", {}),
            (1, "next-game", {}),
            (1, "resign", {}),
            (1, "next-game", {}),
            (1, "resign", {}),
            (1, "rematch", {}),
            (1, "withdraw", {}),
            (1, "rematch", {}),
            (2, "rematch", {}),
        ]
        warned = await match.do(1, "move", 2, multiplier=2)
        assert warned.status == 422
        for seq, (seat, call, fields) in enumerate(steps, start=2):
            done = await match.do(seat, call, seq, **fields)
            assert done.status == 200, (call, done.text)
        messages = [await told(stream) for _ in range(len(steps) + 2)]
        assert [int(number) for number, _ in messages] == list(range(1, 19))
        assert [kinds(message) for _, message in messages] == [
            ["seated"],
            ["seated"],
            ["given_back"],
            ["moved"],
            ["takeback_asked"],
            ["takeback_declined"],
            ["takeback_asked"],
            ["taken_back"],
            ["moved"],
            ["resigned", "ended", "scored"],
            ["began"],
            ["resigned", "ended", "scored"],
            ["began"],
            ["resigned", "ended", "scored"],
            ["rematch_asked"],
            ["withdrawn"],
            ["rematch_asked"],
            ["began"],
        ]
        given_back = messages[2][1]
        assert given_back["events"] == [{"type": "given_back", "seat": 1, "left": 2}]
        taken_back = messages[7][1]
        assert taken_back["events"] == [
            {"type": "taken_back", "moves": [5], "total": 1}
        ]
        stream.leave()

    playing(test)


def test_the_answer_in_mental_arithmetic_is_told_before_its_move() -> None:
    async def test(match: Played) -> None:
        await match.make(lessons={"mental": True})
        await match.sit()
        await match.do(1, "move", 2, multiplier=7)
        stream = match.listen("3")
        await match.do(2, "move", 3, multiplier=8, answer=56)
        _, message = await told(stream)
        product = {"total": 7, "multiplier": 8, "answer": 56}
        assert message["events"] == [
            {"type": "answered", "seat": 2, "product": product},
            {"type": "moved", "seat": 2, "multiplier": 8, "total": 56},
        ]
        stream.leave()

    playing(test)


def test_streams_send_the_moves_of_levels() -> None:
    async def test(match: Played) -> None:
        await match.make(opponent="perfect")
        stream = match.listen("1")
        await match.do(1, "move", 1, multiplier=2)
        assert [(await told(stream))[0] for _ in range(2)] == ["2", "3"]
        stream.leave()

    playing(test)


@pytest.mark.parametrize(
    ("after", "last_event_id", "first"),
    [
        ("1", "", "2"),
        ("", "3", "4"),
        ("1", "4", "5"),  # the header is newer than the address
        ("0", "", "6"),
        ("99", "", "6"),
        ("", "", "6"),
    ],
)
def test_stream_resumes_after_the_last_received_command(
    after: str, last_event_id: str, first: str
) -> None:
    async def test(match: Played) -> None:
        await match.make()
        await match.sit()
        for seq, multiplier in enumerate([2, 2, 2, 2], start=2):
            await match.do(seq % 2 + 1, "move", seq, multiplier=multiplier)
        stream = match.listen(after, last_event_id)
        expected = list(range(int(first), 7))
        assert [int((await told(stream))[0]) for _ in expected] == expected
        stream.leave()

    playing(test)


def test_up_to_date_stream_sends_only_new_commands() -> None:
    async def test(match: Played) -> None:
        await match.make()
        stream = match.listen("1")
        assert await present(stream) == {"connected": [False, False], "watching": 1}
        await match.sit()
        assert (await told(stream))[0] == "2"
        stream.leave()

    playing(test)


def test_stream_far_behind_gets_only_the_last_message() -> None:
    async def test(match: Played) -> None:
        await match.make(game="multiplier", target=10**40, multipliers=[2])
        await match.sit()
        for seq in range(2, LONGEST_QUEUE + 5):
            await match.do(seq % 2 + 1, "move", seq, multiplier=2)
        stream = match.listen("1")
        assert (await told(stream))[0] == str(LONGEST_QUEUE + 5)
        stream.leave()

    playing(test)


@pytest.mark.parametrize("odd", ["x", "-1", "1.5", "9" * 10])
def test_malformed_last_event_id_is_refused(odd: str) -> None:
    async def test(match: Played) -> None:
        await match.make()
        for stream in (match.listen(odd), match.listen(last_event_id=odd)):
            assert (await stream.answer()).error == (400, "form")

    playing(test)


def test_wrong_secret_gets_no_stream() -> None:
    async def test(match: Played) -> None:
        await match.make()
        match.secrets[0] = "x" * 43
        assert (await match.listen(seat=1).answer()).error == (401, "wrong_secret")

    playing(test)


def test_presence_is_sent_to_every_stream() -> None:
    async def test(match: Played) -> None:
        await match.make()
        await match.sit()
        ada = match.listen(seat=1)
        assert await present(ada) == {"connected": [True, False], "watching": 0}
        bob = match.listen(seat=2)
        assert await present(ada) == {"connected": [True, True], "watching": 0}
        eve = match.listen()
        assert await present(ada) == {"connected": [True, True], "watching": 1}
        assert await present(bob) == {"connected": [True, True], "watching": 0}
        assert await present(bob) == {"connected": [True, True], "watching": 1}
        again = match.listen(seat=1)  # another tab changes nothing for the others
        assert await present(again) == {"connected": [True, True], "watching": 1}
        again.leave()
        await again.task
        bob.leave()
        await bob.task
        assert await present(ada) == {"connected": [True, False], "watching": 1}
        for stream in (ada, eve):
            stream.leave()

    playing(test)


def test_spectators_get_the_same_messages() -> None:
    async def test(match: Played) -> None:
        await match.make()
        streams = [match.listen("1"), match.listen("1")]
        for stream in streams:
            await present(stream)
        await match.sit()
        one, two = [await told(stream) for stream in streams]
        assert one == two
        for stream in streams:
            stream.leave()

    playing(test)


def test_each_seat_gets_its_own_state() -> None:
    async def test(match: Played) -> None:
        await match.make(lessons={"coach": True})
        await match.sit()
        streams = [match.listen("2", seat=1), match.listen("2", seat=2)]
        for stream in streams:
            await present(stream)
        await match.do(1, "move", 2, multiplier=2, despite_coach=True)
        states = [(await told(stream))[1]["state"] for stream in streams]
        assert isinstance(states[0], dict)
        assert isinstance(states[1], dict)
        assert [states[0]["your_seat"], states[1]["your_seat"]] == [1, 2]
        assert states[0]["coach"] is None
        assert states[1]["coach"]
        for stream in streams:
            stream.leave()

    playing(test)


def test_too_many_streams_of_one_match_are_refused() -> None:
    async def test(match: Played) -> None:
        await match.make()
        streams = [
            match.listen(address=f"198.51.100.{number}")
            for number in range(rate_limits.MOST_WATCHING_A_MATCH)
        ]
        for stream in streams:
            await heard(stream, count=1)
        refused = await match.listen().answer()
        assert refused.error == (429, "too_many")
        assert refused.header("retry-after") == "60"
        assert (await metric(match, "ninefold_listeners")) == len(streams)
        for stream in streams:
            stream.leave()
        await asyncio.wait([stream.task for stream in streams])
        assert (await metric(match, "ninefold_listeners")) == 0
        before = await metric(match, "ninefold_request_seconds_count")
        once_more = match.listen()
        await heard(once_more, count=1)
        once_more.leave()
        await once_more.task
        answered = await metric(match, "ninefold_request_seconds_count")
        assert answered == before + 1  # the page of counts, and no stream
        last = match.listen()
        await heard(last, count=1)
        last.leave()

    playing(test)


async def metric(match: Played, name: str) -> float:
    page = await ask(match.app, "GET", "/metrics")
    lines = dict(line.rsplit(" ", 1) for line in page.text.splitlines())
    return float(lines[name])


def test_too_many_streams_to_one_address_are_refused() -> None:
    async def test(match: Played) -> None:
        streams = []
        for _ in range(6):
            await match.make()
            for _ in range(rate_limits.MOST_STREAMS_OF_ADDRESS // 6):
                streams.append(match.listen())
                await heard(streams[-1], count=1)
        assert (await match.listen().answer()).error == (429, "too_many")
        elsewhere = match.listen(address="198.51.100.8")
        await heard(elsewhere, count=1)
        for stream in (*streams, elsewhere):
            stream.leave()

    playing(test)


def test_a_listener_that_is_too_slow_is_cut_off_and_resumes() -> None:
    async def test(match: Played) -> None:
        await match.make(game="multiplier", target=10**40, multipliers=[2])
        await match.sit()
        slow, quick = match.listen("2"), match.listen("2", seat=1)
        await present(slow)
        slow.reads.clear()
        for seq in range(2, LONGEST_QUEUE + 10):
            await match.do(seq % 2 + 1, "move", seq, multiplier=2)
            assert (await told(quick))[0] == str(seq + 1)
        assert (await metric(match, "ninefold_listeners")) == 2
        slow.reads.set()
        await slow.task
        assert (await metric(match, "ninefold_listeners_cut_off_total")) == 1
        resumed = match.listen("60")
        assert (await told(resumed))[0] == "61"
        for stream in (quick, resumed):
            stream.leave()

    playing(test)


def test_streams_end_with_the_server() -> None:
    async def run() -> None:
        server = make_server()
        app = server.application()
        match = Played(app, server)
        async with living(app):
            await match.make()
            stream = match.listen()
            await heard(stream, count=2)
        answer = await stream.answer()
        assert not answer.status
        await stream.task

    asyncio.run(run())


def test_every_stream_gets_pings() -> None:
    async def test(match: Played) -> None:
        await match.make()
        stream = match.listen()
        await present(stream)
        pinging = asyncio.create_task(match.server.live_matches.ping(0))
        assert await heard(stream, count=2) == [PING, PING]
        pinging.cancel()
        stream.leave()

    playing(test)


def test_message_is_not_enqueued_twice() -> None:
    async def run() -> None:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        listener = Listener(None, "198.51.100.7", send)
        for number in (3, 3, 2, 4):
            listener.enqueue_message(number, b"%d" % number)
        await asyncio.sleep(0)
        assert [message["body"] for message in sent] == [b"3", b"4"]

    asyncio.run(run())


def test_broken_connection_removes_its_listener() -> None:
    async def run() -> None:
        async def broken(_: Message) -> None:
            raise OSError

        gone = asyncio.Event()

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        listener = Listener(Seat.ONE, "198.51.100.7", broken)
        listener.enqueue(PING)
        await listener.listen(receive)
        listener.enqueue(PING)  # nobody is there to hear it

    asyncio.run(run())
