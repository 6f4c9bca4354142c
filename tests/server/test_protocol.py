"""The head of a request has a size, and a time to come."""

from __future__ import annotations

import asyncio

import pytest
import uvicorn

from ninefold.server.security import LARGEST_HEAD, BoundedProtocol
from tests.program import WAIT_SECONDS
from tests.servers import make_server


class Impatient(BoundedProtocol):
    seconds_for_a_head = 0.05


class Brisk(BoundedProtocol):
    """Waits for a head long enough on a busy machine, and not as long as for a body."""

    seconds_for_a_head = 0.5


async def answers(protocol: type[BoundedProtocol], *sent: bytes) -> bytes:
    """Send bytes to a server, one after another; return all that it answers."""
    config = uvicorn.Config(
        make_server().application(),
        http=protocol,
        log_config=None,
        port=0,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server._serve())  # noqa: SLF001 - without signals
    async with asyncio.timeout(WAIT_SECONDS):
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for part in sent:
            writer.write(part)
            await asyncio.sleep(0.01)
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""
        finally:
            writer.close()
            server.should_exit = True
            await serving


GET = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"
LAST = b"connection: close\r\n\r\n"
POST = (
    b"POST /api/matches HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    b"content-type: application/json\r\ncontent-length: 60\r\n\r\n"
)


@pytest.mark.parametrize(
    "sent",
    [
        [GET + LAST],
        [GET[:9], GET[9:], LAST],
        [GET + b"\r\n", GET + LAST],
        [GET + b"x: " + b"a" * (LARGEST_HEAD - 200) + b"\r\n" + LAST],
    ],
)
def test_a_head_that_is_in_bounds_is_answered(sent: list[bytes]) -> None:
    answered = asyncio.run(answers(BoundedProtocol, *sent))
    assert answered.endswith(b"alive\n")


def test_a_body_that_comes_in_parts_is_no_head() -> None:
    answered = asyncio.run(answers(Brisk, POST, b"{", *[b" "] * 59))
    assert answered.startswith(b"HTTP/1.1 400")


def test_an_endless_head_is_cut_off() -> None:
    endless = [b"x: ", *[b"a" * 8192] * (LARGEST_HEAD // 8192 + 1)]
    assert asyncio.run(answers(BoundedProtocol, GET, *endless)) == b""


@pytest.mark.parametrize("sent", [[], [GET]])
def test_a_head_that_does_not_come_is_not_waited_for(sent: list[bytes]) -> None:
    assert asyncio.run(answers(Impatient, *sent)) == b""
